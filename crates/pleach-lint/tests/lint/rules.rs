//! Each rule fires on its example in `spec/lint.md` and is silent on the mended form, and the table
//! of the page is that of the code. Edits of a finding mend it.

use pleach_compile::diagnostic::Diagnostic;
use pleach_compile::{Request, dialect, manifest::Manifest, texts::Texts};
use pleach_lint::rule::{self, Level};
use pleach_lint::settings::Settings;
use pleach_lint::{agreed, lint, mended};
use std::fs;
use std::path::Path;

/// Section of the page about a rule.
struct Section {
    code: String,
    name: String,
    example: String,
    mended: String,
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/lint.md");
    fs::read_to_string(path).expect("the page of rules")
}

fn sections(page: &str) -> Vec<Section> {
    let sections = page.split("\n## L").skip(1).map(|section| {
        let (title, _) = section.split_once('\n').expect("a title");
        let (code, name) = title.split_once(' ').expect("a code and a name");
        let blocks: Vec<_> = section.split("```pleach\n").skip(1).collect();
        let text = |block: &str| block.split_once("```").expect("the end of a block").0.to_owned();
        assert_eq!(blocks.len(), 2, "L{code} has an example and a mended form");
        let (example, mended) = (text(blocks[0]), text(blocks[1]));
        Section { code: format!("L{code}"), name: name.to_owned(), example, mended }
    });
    sections.collect()
}

/// Returns the findings of rules about a text.
fn findings(text: &str, settings: &Settings) -> Vec<Diagnostic> {
    let texts = Texts::of("main", "pleach", text);
    let (dialect, manifest) = (dialect::by_name("pleach").expect("the language"), Manifest::default());
    let entries = ["main".into()];
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let linted = lint(&texts, request, settings, false);
    assert_eq!(linted.done.diagnostics.errors(), 0, "{:?}\n{text}", linted.done.diagnostics.list());
    let found = agreed(&[linted], &|_, name| name.to_owned(), &|_| true);
    found.into_iter().map(|(_, finding)| finding).collect()
}

fn codes(text: &str, settings: &Settings) -> Vec<&'static str> {
    findings(text, settings).iter().map(|finding| finding.code.id).collect()
}

/// Returns settings in which a rule is on.
fn on(code: &str) -> Settings {
    let mut settings = Settings::default();
    let rule = rule::by_code(code).unwrap_or_else(|| panic!("there is no rule {code}"));
    settings.set(rule, rule.level.max(Level::Warning));
    settings
}

#[test]
fn rules_fire_on_their_examples_and_not_on_the_mended_forms() {
    let mut wrong = Vec::new();
    for Section { code, example, mended, .. } in sections(&page()) {
        let settings = on(&code);
        let [before, after] = [&example, &mended].map(|text| codes(text, &settings));
        if !before.contains(&code.as_str()) || !after.is_empty() {
            wrong.push(format!("{code}: the example has {before:?}, the mended form {after:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn edits_mend_their_findings() {
    let mut tried = 0;
    for Section { code, example, .. } in sections(&page()) {
        let settings = on(&code);
        for finding in findings(&example, &settings).iter().filter(|finding| !finding.edits.is_empty()) {
            let (text, _) = mended(&example, [finding]);
            let left = codes(&text, &settings);
            assert!(!left.contains(&finding.code.id), "{}: {left:?} in\n{text}", finding.code.id);
            tried += 1;
        }
    }
    assert!(tried >= 12, "{tried} findings have edits");
}

#[test]
fn the_page_has_all_rules_in_order() {
    let page = page();
    let titles: Vec<_> = sections(&page).into_iter().map(|it| (it.code, it.name)).collect();
    let rules: Vec<_> =
        rule::ALL.iter().map(|rule| (rule.code.id.to_owned(), rule.name.to_owned())).collect();
    assert_eq!(titles, rules);
    assert!(rule::ALL.is_sorted_by(|one, next| one.code.id < next.code.id));
    for rule in rule::ALL {
        let (code, anchor) = (rule.code.id, rule.name.replace(' ', "-"));
        let link = format!("[{code}](#{}-{anchor})", code.to_lowercase());
        let row = format!("| {link} | {} | {} | {} |\n", rule.name, rule.level.name(), rule.code.meaning);
        assert!(page.contains(&row), "the table lacks this row: {row}");
    }
}

#[test]
fn a_finding_of_a_copy_alone_is_not_told() {
    let with = |uses: &str| {
        format!(
            "action go(a: int)\ntree main {{ sequence {{ {uses} }} }}\ntree walk(a: int) {{ retry 2 {{ if a > 2 {{ action go(a) }} }} }}\n"
        )
    };
    assert_eq!(codes(&with("use walk(3) use walk(1)"), &Settings::default()), [""; 0]);
    assert_eq!(codes(&with("use walk(3) wait 1 s"), &Settings::default()), [""; 0]);
}

#[test]
fn names_that_another_program_of_the_run_uses_are_not_told() {
    let library = "action go()\nconst POST = 3\nconst PLACE = 4\ntree idle { action go }\n";
    let user = "include \"idle.pleach\"\nvar at: int\ntree main { while at == POST { use idle } }\n";
    let texts = Texts::new("pleach").with("idle.pleach", library).with("main.pleach", user);
    let (dialect, manifest) = (dialect::by_name("pleach").expect("the language"), Manifest::default());
    let run = |name: &str| {
        let entries = [name.to_owned()];
        let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
        lint(&texts, request, &on("L061"), false)
    };
    let told = |programs: &[_]| {
        let found = agreed(programs, &|_, name| name.to_owned(), &|_| true);
        found.into_iter().map(|(_, finding)| finding.message).collect::<Vec<_>>()
    };
    let [post, place] = ["POST", "PLACE"].map(|name| format!("the constant `{name}` is never used"));
    assert_eq!(told(&[run("idle")]), [post, place.clone()]);
    assert_eq!(told(&[run("idle"), run("main")]), [place]);
}

#[test]
fn a_mark_at_the_beginning_of_a_file_makes_no_difference() {
    let tree = "tree patrol(n: int) { retry n { condition random() > 0.5 } }\ntree main { use patrol(1) }\n";
    assert_eq!(codes(&format!("\u{feff}{tree}"), &Settings::default()), [""; 0]);
}

#[test]
fn what_stands_in_functions_is_read_and_asked() {
    let functions = ["pow(2.0, @)", "sqrt(@)", "logistic(@)", "smooth(1.0, 2.0, @)", "curve(@, 0: 1, 2: 3)"];
    let head = "query q(): float\nquery t(): text\nvar read: float\nvar said: text\n";
    for function in functions {
        let [read, asked] = ["read", "q()"].map(|operand| function.replace('@', operand));
        let text = format!(
            "{head}tree main {{ sequence {{ set read = q() set said = t() condition {read} > 0.3 && said < \"m\" \
             condition {asked} < {asked} }} }}"
        );
        assert_eq!(codes(&text, &Settings::default()), [""; 0], "{text}");
    }
}

#[test]
fn conditions_that_differ_are_no_copies() {
    let pairs = [
        ("int(f) > 1", "f > 1"),
        ("float(d) > 0.5", "d > 0.5"),
        ("curve(f, 0: 1, 2: 0) > 0.5", "curve(f, 0: 1, 3: 0) > 0.5"),
        ("smooth(f, 0, 2) > 0.5", "smooth(f, 0, 3) > 0.5"),
    ];
    for (one, other) in pairs {
        let told = |one, other| {
            let text = format!(
                "query q(): float\nvar f: float\nvar d: double\ntree main {{ sequence {{ set f = q() set d = q() \
                 selector {{ condition {one} condition {other} condition f < d }} }} }}"
            );
            codes(&text, &on("L012")).contains(&"L012")
        };
        assert!(told(one, one) && told(other, other) && !told(one, other), "{one}, {other}");
    }
}

#[test]
fn services_and_kept_children_are_known_to_the_rules() {
    let tells = |code, tree: &str| {
        let head = "action g(x: int)\nvar n: int\n";
        codes(&format!("{head}tree main {{ {tree} }}"), &on(code)).contains(&code)
    };
    for around in ["WAIT", "every 1 s { set n += 1 } { WAIT }", "cleanup { set n = 0 } { WAIT }"] {
        let [late, early] = ["wait 500 ms", "wait 50 ms"].map(|wait| around.replace("WAIT", wait));
        assert!(tells("L032", &format!("timeout 100 ms {{ {late} }}")), "{late}");
        assert!(!tells("L032", &format!("timeout 100 ms {{ {early} }}")), "{early}");
    }
    for keep in ["", "keep 10 % "] {
        let scores = |two| format!("reactive utility {keep}{{ 2.0: action g(1) {two}: action g(2) }}");
        assert!(tells("L044", &scores("1.0")), "{keep}");
        assert!(!tells("L044", &scores("float(n)")), "{keep}");
    }
    // What is done twice at once in a service is meant: nothing there can be tried again.
    assert!(!tells("L012", "every 1 s { action g(n) action g(n) } { running }"));
    assert!(tells("L012", "sequence { action g(n) action g(n) }"));
}

/// The inner one of two decorators may be in a tree that agents run by itself, and which stays.
#[test]
fn decorators_of_other_trees_are_no_pair() {
    let inverted = |tree: &str| findings(tree, &Settings::default()).iter().any(|it| it.code.id == "L007");
    assert!(inverted("action go() tree main { invert { invert { action go } } }"));
    assert!(!inverted("action go() tree main { invert { use not } } tree not { invert { action go } }"));
}

#[test]
fn a_vector_is_one_variable() {
    let all = |tree: &str| {
        let mut settings = Settings::default();
        for code in ["L050", "L051", "L052"] {
            let rule = rule::by_code(code).expect("a rule");
            settings.set(rule, rule.level.max(Level::Warning));
        }
        let text = format!("query at: vec2 var home: vec3 var n: float tree main {{ {tree} }}");
        findings(&text, &settings).into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    let nothing = "sequence { set n = length(at) set home = vec3(n, 1, 2) condition home.x > 0.0 }";
    assert_eq!(all(nothing), [""; 0]);
    let unread = "sequence { set n = length(at) + n set home = vec3(n, 1, 2) condition n > 1.0 }";
    assert_eq!(all(unread), ["the variable `home` is written, but no tree reads it"]);
    let told = ["home", "n"].map(|name| format!("the variable `{name}` is read, but no tree writes it"));
    assert_eq!(all("condition home.x > n + length(at)"), told);
    let local = "var to: vec2 = at sequence { LEAF set to = at * 2.0 }";
    assert_eq!(all(&local.replace("LEAF", "condition to.y > 0.0")), [""; 0]);
    let told = ["the variable `to` is written, but no tree reads it"];
    assert_eq!(all(&local.replace("LEAF", "running")), told);
}
