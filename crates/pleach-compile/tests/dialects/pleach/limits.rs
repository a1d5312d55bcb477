//! Depth, size and hostile input: nothing here may hang, eat memory or overflow a small stack.

use super::load;
use crate::draw;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Pleach;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use quickcheck::Gen;

const DEEP: usize = 100_000;
const SMALL_STACK: usize = 128 * 1024;

/// Returns the number of errors and nodes, found in a thread with a small stack.
fn in_small_stack(text: &str) -> (usize, usize) {
    let run = || {
        let (library, manifest) = (Texts::of("main", "pleach", text), Manifest::default());
        let mut session = Session::new(&library, &manifest);
        let file = Pleach.parse(&mut session, &["main".to_owned()]);
        (session.diagnostics.errors(), file.nodes.len())
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic")
    })
}

#[test]
fn blocks_nest_without_limit() {
    for before in [
        "selector {",
        "reactive sequence {",
        "parallel {",
        "random { 2:",
        "utility { now:",
        "if now > 1 {",
        "invert {",
        "repeat 2 {",
        "cooldown 1 s {",
    ] {
        let text = format!("tree main {{ {} success {} }}", before.repeat(DEEP), "}".repeat(DEEP));
        assert_eq!(in_small_stack(&text), (0, DEEP + 1), "{before}");
    }
}

#[test]
fn expressions_nest_without_limit() {
    for (open, inner, close) in [
        ("(", "b", ")"),
        ("!", "b", ""),
        ("b && ", "b", ""),
        ("!(b || ", "b", ")"),
        ("abs(", "1", ") > 0"),
        ("-", "n", ""),
        ("1 < int(float(", "n", "))"),
        ("int(", "n", ")"),
        ("min(1, ", "n", ")"),
    ] {
        let comparison = if inner == "n" { " > 0" } else { "" };
        let text = format!(
            "var b: bool var n: int tree main {{ condition {}{inner}{}{comparison} }}",
            open.repeat(DEEP),
            close.repeat(DEEP)
        );
        let (errors, nodes) = in_small_stack(&text);
        assert!(
            nodes == 1 && (errors == 0 || open.contains('1') || open.starts_with("abs")),
            "{open} {errors}"
        );
    }
}

#[test]
fn open_ends_are_found_quickly() {
    for text in [
        "tree main { selector {",
        "tree main { condition (",
        "tree main { action a(",
        "tree main { use a(",
        "tree t(",
        "on e { set x = (",
        "const c = ",
        "{",
        "}",
        "include",
        "parallel (succeed (",
        "random { 1: ",
        "x {",
        "tree main { x ( ",
        "/*",
        "\"",
    ] {
        assert!(in_small_stack(&text.repeat(DEEP)).0 > 0);
        assert!(in_small_stack(&format!("tree main {{ {}", text.repeat(DEEP))).0 > 0);
    }
}

#[test]
fn chains_are_long() {
    let trees: String = (0..DEEP).map(|n| format!("tree t{n}() {{ use t{} }} ", n + 1)).collect();
    let text = format!("tree t{DEEP} {{ success }} {trees}");
    assert_eq!(load(&[("main", text.as_bytes())], "").codes, ["E0618"]);
    let constants: String = (0..DEEP).map(|n| format!("const c{n} = c{} + 1 ", n + 1)).collect();
    let text = format!("const c{DEEP} = 0 {constants} var x: int = c0 tree main {{ success }}");
    let outcome = load(&[("main", text.as_bytes())], "");
    assert_eq!((outcome.errors, outcome.file.as_str()), (0, "var x: I32 = 0x186a0\nmain: success"));
}

#[test]
fn circles_are_long() {
    let trees: String = (0..DEEP).map(|n| format!("tree t{n} {{ use t{} }} ", (n + 1) % DEEP)).collect();
    let codes = load(&[("main", trees.as_bytes())], "").codes;
    assert_eq!(codes.first(), Some(&"E0409"));
    let constants: String = (0..DEEP).map(|n| format!("const c{n} = c{} + 1 ", (n + 1) % DEEP)).collect();
    let outcome = load(&[("main", format!("{constants} tree main {{ success }}").as_bytes())], "");
    assert_eq!(outcome.codes, ["E0615"]);
}

#[test]
fn copies_are_bounded() {
    let doubling: String =
        (0..60).map(|n| format!("tree t{n} {{ sequence {{ use t{m} use t{m} }} }} ", m = n + 1)).collect();
    let outcome = load(&[("main", format!("{doubling} tree t60 {{ success }}").as_bytes())], "");
    assert_eq!(outcome.codes, ["E0618"], "{}", outcome.findings);
}

/// Returns a tree that is doubled so often, and what else the text declares.
fn doubled(times: usize, leaf: &str) -> String {
    let double = |n: usize| format!("tree t{n} {{ sequence {{ use t{m} use t{m} }} }} ", m = n + 1);
    let doubling = (0..times).map(double).collect::<String>();
    format!("{doubling} tree t{times} {{ {leaf} }}")
}

/// Values and operators in the common tree of a text without findings but these.
fn values(text: &str, codes: &[&str]) -> usize {
    let (library, manifest) = (Texts::of("main", "pleach", text), Manifest::default());
    let mut session = Session::new(&library, &manifest);
    let file = Pleach.parse(&mut session, &["main".to_owned()]);
    let found = session.diagnostics.list().iter().map(|finding| finding.code.id).collect::<Vec<_>>();
    assert_eq!(found, codes);
    file.exprs.len() + file.args.len()
}

#[test]
fn copies_are_counted_by_what_they_cost() {
    let operands = format!("var x: int {}", doubled(14, &format!("condition x{} > 0", " + x".repeat(5_000))));
    assert!(values(&operands, &["E0618"]) < 2_000_000);
    let (params, args) = (vec!["p: int"; 5_000].join(", "), vec!["1"; 5_000].join(", "));
    let params = (0..5_000).fold(params, |params, n| params.replacen("p:", &format!("p{n}:"), 1));
    let arguments = format!("action a({params}) {}", doubled(14, &format!("action a({args})")));
    assert!(values(&arguments, &["E0618"]) < 2_000_000);
    let weights = (0..2_000).map(|_| "1 + 1 + 1 + 1: success ").collect::<String>();
    assert!(values(&doubled(14, &format!("random {{ {weights} }}")), &["E0618"]) < 2_000_000);
    assert!(values(&format!("var x: int {}", doubled(12, "condition x + x > 0")), &[]) > 10_000);
}

/// Nodes and columns that the compiler adds for the parts and factors of vectors count.
#[test]
fn copies_are_counted_by_the_parts_and_factors_of_vectors() {
    // Functions are declared by the text, or by the manifest.
    const DECLARED: [(&str, &str); 2] =
        [("action go(to: vec3) query at: vec3", ""), ("", "action go(to: vec3)\nquery at() -> vec3")];
    let found = |times, leaf: &str, tree: &str| {
        let uses = "tree main { sequence { action go(at) set v = at set x = v.x } }";
        let text = format!("var v: vec3 var x: float {tree} {} {uses}", doubled(times, leaf));
        DECLARED.map(|(functions, manifest)| {
            load(&[("main", format!("{functions} {text}").as_bytes())], manifest).codes
        })
    };
    let counts = |times, leaf: &str, tree: &str| {
        assert_eq!(found(times - 1, leaf, tree), [[""; 0]; 2], "{leaf}");
        assert_eq!(found(times, leaf, tree), [["E0618"]; 2], "{leaf}");
    };
    counts(13, "set x = x", "");
    counts(12, "set v = v", "");
    counts(12, "use leaf(v)", "tree leaf(p: vec3) { set p = p }");
    let product = format!("v{}", " * x".repeat(16));
    counts(11, &format!("set v = {product}"), "");
    counts(11, &format!("action go({product})"), "");
    counts(11, "use leaf", &format!("tree leaf {{ var l: vec3 = {product} set x = l.x }}"));
    let sum = format!("at{}", " + at".repeat(4));
    counts(11, "use leaf", &format!("tree leaf {{ var l: vec3 = {sum} set x = l.x }}"));
}

#[test]
fn unknown_names_end_the_search_for_near_ones() {
    let declared = (0..4_000).map(|n| format!("var known_{n}: int ")).collect::<String>();
    let unknown = (0..1_000).map(|n| format!("set knowm{n:03}x = 1 ")).collect::<String>();
    let text = format!("{declared} tree main {{ sequence {{ {unknown} }} }}");
    let (library, manifest) = (Texts::of("main", "pleach", &text), Manifest::default());
    let mut session = Session::new(&library, &manifest);
    Pleach.parse(&mut session, &["main".to_owned()]);
    assert_eq!((session.diagnostics.errors(), session.suggestions.left()), (1_000, 0));
    let helps = session.diagnostics.list().iter().filter_map(|finding| finding.help.as_deref());
    let near = helps.filter(|help| help.contains("did you mean")).count();
    assert!((1..500).contains(&near), "{near}");
}

#[test]
fn findings_do_not_grow_with_names() {
    let name = "n".repeat(1 << 20);
    let uses = "use t ".repeat(1_000);
    let params = (0..20).map(|n| format!("{name}{n}: int")).collect::<Vec<_>>().join(", ");
    let text = format!("tree t({params}) {{ success }} tree main {{ sequence {{ {uses} }} }}");
    let outcome = load(&[("main", text.as_bytes())], "");
    assert_eq!((outcome.errors, outcome.codes[0]), (1_000, "E0405"));
    assert!(outcome.findings.len() < 1 << 19, "{}", outcome.findings.len());
    let text = format!("tree main {{ sequence {{ {} }} }}", format!("action {name} ").repeat(8));
    let outcome = load(&[("main", text.as_bytes())], "");
    let cut = format!("the action `{}…` is not declared", "n".repeat(100));
    assert!(outcome.errors == 8 && outcome.findings.contains(&cut), "{}", outcome.findings.len());
}

#[test]
fn circles_through_one_tree_are_many() {
    let trees = (0..DEEP).map(|n| format!("tree t{n} {{ sequence {{ use t{} use t0 }} }} ", n + 1));
    let text = format!("{} tree t{DEEP} {{ success }}", trees.collect::<String>());
    let outcome = load(&[("main", text.as_bytes())], "");
    assert!(outcome.codes.iter().all(|code| *code == "E0409") && outcome.errors >= DEEP);
}

const WORDS: &str = "tree main { } ( ) sequence selector reactive parallel random utility condition while action set wait \
    ticks ms s success failure running invert force repeat retry until cooldown timeout delay limit use raise to all any \
    succeed fail group world var const on include query bool int float int8 text true false now x y a t e 1 2 0x1f 1.5 1e3 \
    \"text\" \"main.pleach\" = += -= *= /= == != < <= > >= + - * / % ! && || , : ; & | # ' . 1. 5q 2147483648 min max clamp \
    abs fallback if and not // /* */ ö";

#[test]
fn random_text_never_panics() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let start = "var x: int var y: float world var g: int action a(p: int) query q(p: float): bool on e { set x = 1 } \
                 tree t(p: int, f: float) { if p > x { action a(p) } } tree main { sequence { ";
    let mut chance = Gen::from_size_and_seed(100, 1);
    for round in 0..20_000 {
        let mut text = if round % 2 == 0 { start.as_bytes().to_vec() } else { Vec::new() };
        for _ in 0..draw(&mut chance, 60) {
            if round % 7 == 3 {
                text.push(draw(&mut chance, 256) as u8);
            } else {
                text.extend(words[draw(&mut chance, words.len())].bytes());
                text.extend([b' ', b'\n'].repeat(draw(&mut chance, 2)));
            }
        }
        if round % 4 == 0 {
            text.extend(b" } }");
        }
        let outcome = load(&[("main", &text)], "");
        assert!(outcome.errors > 0 || outcome.file.contains(": "), "{}", text.escape_ascii());
    }
}
