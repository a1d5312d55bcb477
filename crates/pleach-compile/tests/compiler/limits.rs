//! Every limit of the format: a program below it and one at it compile, one
//! beyond it is refused with a place.
//!
//! The table here is that of `spec/limits.md`. What compiles has been verified,
//! which this test does once more.

use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile, dialect};
use pleach_image::Image;

const PAGE: &str = include_str!("../../../../spec/limits.md");

/// A limit, and programs that reach it.
struct Limit {
    /// Row of the page, up to the column with the largest number.
    what: &'static str,
    most: usize,
    code: &'static str,
    /// Dialect of the program.
    dialect: &'static str,
    /// Returns a program with this number of what is limited.
    program: fn(usize) -> String,
}

const fn limit(what: &'static str, most: usize, program: fn(usize) -> String) -> Limit {
    Limit { what, most, code: "E0501", dialect: "pleach", program }
}

const LIMITS: &[Limit] = &[
    limit("nodes, with one for each tree and each event", 65_533, |count| {
        format!("tree main {{ sequence {{ {} }} }}", "success ".repeat(count - 2))
    }),
    Limit {
        dialect: "unvanquished",
        ..limit("trees that can be started", 65_536, |_| "action heal()\n".to_owned())
    },
    limit("bytes of a name", 1_017, |bytes| format!("var {}: bool {IDLE}", "n".repeat(bytes))),
    limit("variables, timers and counters of an agent", 65_535, |count| {
        declared("var v{}: bool ", count - 1) + IDLE
    }),
    limit("bytes of an agent", 65_536, |bytes| {
        let (ints, bools) = ((bytes - 2) / 4, (bytes - 2) % 4);
        declared("var i{}: int ", ints) + &declared("var b{}: bool ", bools) + IDLE
    }),
    limit("positions: one, and one for each branch of a parallel and each state machine", 256, |count| {
        let half = |branches| format!("parallel {{ {} }}", "running ".repeat(branches));
        format!("tree main {{ {} }} tree other {{ {} }}", half(100), half(count - 101))
    }),
    limit("variables of groups and the world", 65_536, |count| declared("world var v{}: int ", count) + IDLE),
    limit("host functions", 65_536, |count| declared("query q{}: bool ", count) + &asking("q{}", count)),
    limit("host calls with different arguments", 65_536, |count| {
        "query q(n: int): bool ".to_owned() + &asking("q({})", count)
    }),
    limit("arguments in a call", 65_535, |count| {
        let params = joined("p{}: int", count, ", ");
        format!("action a({params}) tree main {{ action a({}) }}", vec!["1"; count].join(", "))
    }),
    limit("conditions and other expressions", 65_536, |count| {
        let pairs = |pairs| format!("utility {{ {} }}", "now: condition b ".repeat(pairs));
        let (many, rest) = (pairs(2_000).repeat(count / 4_000), pairs(count % 4_000 / 2));
        let odd = if count % 2 == 1 { "condition b" } else { "" };
        format!("var b: bool tree main {{ sequence {{ {many} {rest} {odd} }} }}")
    }),
    limit("different numbers in expressions", 65_536, |count| asking("now == {}", count)),
    limit("places that draw random numbers", 65_536, |count| asking("random() < 0.5", count)),
    limit("different texts in variables and expressions, the empty text among them", 65_536, |count| {
        let variables: String = (1..1_000).map(|n| format!("var v{n}: text = \"{n}\" ")).collect();
        let tests: Vec<_> = (1_000..count).map(|n| format!("v1 == \"{n}\"")).collect();
        format!("{variables} tree main {{ condition {} }}", tests.join(" || "))
    }),
    Limit {
        code: "E0502",
        ..limit("values on the stack of an expression", 64, |depth| {
            let (open, close) = ("now + (".repeat(depth - 1), ")".repeat(depth - 1));
            format!("var x: int tree main {{ set x = {open}now{close} }}")
        })
    },
    Limit {
        dialect: "mbt",
        ..limit("loops around a node", 256, |depth| {
            modular(&("<Loop>".repeat(depth) + "<Halt/>" + &"</Loop>".repeat(depth)))
        })
    },
    Limit {
        dialect: "mbt",
        ..limit("different texts for logs", 65_536, |count| {
            let texts: Vec<_> = (0..count).map(|n| format!("m{n}")).collect();
            let log = |texts: &[String]| {
                let text = |at: usize| texts.get(at).map_or("", String::as_str);
                format!(
                    "<Halt _startLog=\"{}\" _successLog=\"{}\" _failureLog=\"{}\"/>",
                    text(0),
                    text(1),
                    text(2)
                )
            };
            let logs: Vec<_> = texts.chunks(3).map(log).collect();
            let grouped = |nodes: &[String]| -> Vec<_> {
                nodes.chunks(250).map(|it| format!("<Sequence>{}</Sequence>", it.concat())).collect()
            };
            modular(&grouped(&grouped(&logs)).concat())
        })
    },
    Limit {
        dialect: "btengine",
        ..limit("attributes of forests, trees and nodes", 65_536, |count| {
            let attributes = (0..count).map(|n| format!("<UserAttr key='k{n}' value='v'/>"));
            format!(
                "<BehaviorTreeRoot name='t'><Action name='a'>{}</Action></BehaviorTreeRoot>",
                attributes.collect::<String>()
            )
        })
    },
];

const IDLE: &str = "tree main { running }";

/// The pattern with each number in it.
fn declared(pattern: &str, count: usize) -> String {
    joined(pattern, count, "")
}

fn joined(pattern: &str, count: usize, between: &str) -> String {
    (0..count).map(|n| pattern.replace("{}", &n.to_string())).collect::<Vec<_>>().join(between)
}

/// Returns a tree with one long condition.
fn asking(pattern: &str, count: usize) -> String {
    format!("tree main {{ condition {} }}", joined(pattern, count, " || "))
}

/// Returns a modular behavior tree with this node.
fn modular(node: &str) -> String {
    format!("<BehaviorTree><Root>{node}</Root></BehaviorTree>")
}

fn compiled(limit: &Limit, count: usize) -> Compilation {
    let starts = if limit.what == "trees that can be started" { count } else { 1 };
    compiled_text(limit.dialect, starts, &(limit.program)(count))
}

/// The compiled text, of which the tree is started so often.
fn compiled_text(dialect: &str, starts: usize, text: &str) -> Compilation {
    let dialect = dialect::by_name(dialect).expect("a dialect");
    let entries = vec!["main".to_owned(); starts];
    let extension = dialect.extensions().first().copied().unwrap_or("xml");
    let (library, manifest) = (Texts::of("main", extension, text), dialect.own_manifest());
    compile(&library, Request { dialect, manifest: &manifest, entries: &entries, debug: false })
}

/// Finds the first fault of the programs about a limit.
fn wrong(limit: &Limit) -> Option<String> {
    for count in [limit.most - 1, limit.most] {
        let done = compiled(limit, count);
        let whole = done.image.is_some_and(|image| Image::copy(&image).is_ok());
        if !whole {
            return Some(format!("{} of {}: {:?}", count, limit.what, done.diagnostics.list().first()));
        }
    }
    let done = compiled(limit, limit.most + 1);
    let errors: Vec<_> = done.diagnostics.list().iter().filter(|it| it.severity == Severity::Error).collect();
    let told =
        |error: &Diagnostic| error.code.id == limit.code && error.span.is_some() && error.help.is_some();
    let right = done.image.is_none() && errors.len() == 1 && told(errors[0]);
    (!right).then(|| format!("more than {} of {}: {errors:?}", limit.most, limit.what))
}

#[test]
fn programs_at_a_limit_compile_and_beyond_it_are_refused_with_a_place() {
    let wrong: Vec<_> = LIMITS.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_lists_all_limits() {
    let table = PAGE.split("## ").nth(1).expect("the section about images");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<_> = rows.filter(|row| !row.starts_with("limit ")).map(str::to_owned).collect();
    let row = |limit: &Limit| format!("{} | {} | {}", limit.what, limit.most, limit.code);
    assert_eq!(rows, LIMITS.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn events_write_as_much_as_nodes_allow() {
    for sets in [4_094, 4_095, 4_096, 4_100, 60_000] {
        let text = format!("var x: int on e {{ {} }} {IDLE}", "set x += 1 ".repeat(sets));
        verified("pleach", &text);
    }
}

#[test]
fn events_of_modular_trees_do_as_much_as_they_like() {
    let signal = "<Signal name='E' variable='V' value='true'/>".repeat(4_100);
    let variables = "<Variables><Variable name='V'/></Variables>";
    let root = "<Root><Halt/></Root>";
    let signals = format!("<SignalVariables>{signal}</SignalVariables>");
    verified("mbt", &format!("<BehaviorTree>{variables}{signals}{root}</BehaviorTree>"));
    let stamps = (0..4_100).map(|n| format!("<Timestamp name='t{n}' setOnEvent='E'/>")).collect::<String>();
    verified("mbt", &format!("<BehaviorTree><Timestamps>{stamps}</Timestamps>{root}</BehaviorTree>"));
}

/// Checks that a text compiles to an image that the verifier lets pass.
#[track_caller]
fn verified(dialect: &str, text: &str) {
    let done = compiled_text(dialect, 1, text);
    let image = done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics.list().first()));
    assert!(Image::copy(&image).is_ok());
}

#[test]
fn a_node_with_too_much_code_for_a_jump_is_told() {
    let choice = |children: usize| {
        format!(
            "tree main {{ sequence {{ success utility {{ {} }} }} }}",
            "now: condition now > 1 ".repeat(children)
        )
    };
    assert!(compiled_text("pleach", 1, &choice(4_000)).image.is_some());
    let done = compiled_text("pleach", 1, &choice(25_000));
    let [error] = done.diagnostics.list() else { panic!("{:?}", done.diagnostics) };
    assert_eq!(error.code.id, "E0501");
    assert!(error.message.contains("jump") && error.span.is_some(), "{error:?}");
}

#[test]
fn a_function_with_a_long_name_is_refused_where_it_is_called() {
    type Program = (&'static str, fn(&str) -> String);
    let programs: [Program; 5] = [
        ("pleach", |name| format!("action {name}() tree main {{ action {name} }}")),
        ("pleach", |name| format!("query {name}(): bool tree main {{ condition {name} }}")),
        ("btengine", |name| format!("<BehaviorTreeRoot><Action name='{name}'/></BehaviorTreeRoot>")),
        ("dragengine", |name| format!("<behaviorTree><action name='{name}'/></behaviorTree>")),
        ("dragengine", |name| {
            format!("<behaviorTree><action name='a'><condition>{name}</condition></action></behaviorTree>")
        }),
    ];
    for (dialect, program) in programs {
        for (bytes, expected) in [(1_000, None), (1_018, Some(("E0501", true)))] {
            let text = program(&"n".repeat(bytes));
            let done = compiled_text(dialect, 1, &text);
            let errors = done.diagnostics.list().iter().filter(|it| it.severity == Severity::Error);
            let told: Vec<_> = errors.map(|it| (it.code.id, it.span.is_some())).collect();
            assert_eq!(told, Vec::from_iter(expected), "{dialect}: {bytes} bytes: {}", &text[..40]);
        }
    }
}

#[test]
fn names_of_what_is_used_often_stand_in_an_image_once() {
    let bytes = |length: usize| {
        let name = "n".repeat(length);
        let text = format!(
            "tree {name} {{ success }} tree main {{ sequence {{ {} }} }}",
            format!("use {name} ").repeat(100)
        );
        let (library, dialect) =
            (Texts::of("main", "pleach", &text), dialect::by_name("pleach").expect("a dialect"));
        let (manifest, entries) = (dialect.own_manifest(), ["main".to_owned()]);
        let done =
            compile(&library, Request { dialect, manifest: &manifest, entries: &entries, debug: true });
        done.image.expect("it compiles").len()
    };
    // The name stands in the code's strings and in those of the debug information.
    assert!(bytes(1_000) - bytes(100) < 4 * 900, "{} {}", bytes(1_000), bytes(100));
}
