//! Depth, size and hostile input: nothing here may hang, eat memory or overflow a small stack.

use super::{Files, fails, load, loads, manifest};
use crate::draw;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Unvanquished;
use pleach_compile::internals::session::Session;
use pleach_compile::source::{Found, Library};
use quickcheck::Gen;

const DEEP: usize = 100_000;
const SMALL_STACK: usize = 128 * 1024;

/// Returns the number of errors and nodes, found in a thread with a small stack.
fn in_small_stack(library: &(dyn Library + Sync), entry: &str) -> (usize, usize) {
    let run = || {
        let manifest = manifest();
        let mut session = Session::new(library, &manifest);
        let file = Unvanquished.parse(&mut session, &[entry.to_owned()]);
        (session.diagnostics.errors(), file.nodes.len())
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic")
    })
}

#[track_caller]
fn deep(before: &str, inner: &str, after: &str, nodes: usize) {
    let text = [before.repeat(DEEP).as_str(), inner, &after.repeat(DEEP)].concat();
    assert_eq!(in_small_stack(&Files(&[("main", text.as_bytes())]), "main"), (0, nodes));
}

#[test]
fn blocks_nest_without_limit() {
    deep("selector {", "action jump", "}", DEEP + 1);
    deep("condition 1 {", "action jump", "}", DEEP + 1);
    deep("decorator invert() {", "action jump", "}", DEEP + 1);
}

#[test]
fn conditions_nest_without_limit() {
    let condition = |open: &str, close: &str| {
        let text = format!("condition {}1{} {{ action jump }}", open.repeat(DEEP), close.repeat(DEEP));
        assert_eq!(in_small_stack(&Files(&[("main", text.as_bytes())]), "main"), (0, 2));
    };
    condition("(", ")");
    condition("!", "");
    condition("1 && ", "");
    condition("!(1 || ", ")");
}

#[test]
fn open_ends_are_found_quickly() {
    for text in [
        "selector {",
        "condition (",
        "condition team( ",
        "action jump( ",
        "enum { ",
        "# define A( ",
        "$evalint(",
    ] {
        let text = text.repeat(DEEP);
        assert!(in_small_stack(&Files(&[("main", text.as_bytes())]), "main").0 > 0);
    }
}

/// Trees that include each other in a long chain, and files that include ever more files.
struct Endless;

impl Library for Endless {
    fn tree(&self, name: &str) -> Option<Found> {
        let text = match name.strip_prefix('t').and_then(|number| number.parse::<usize>().ok()) {
            Some(DEEP) => "action jump()".to_owned(),
            Some(number) => format!("behavior t{}", number + 1),
            None => "#include \"1\"\naction jump()".to_owned(),
        };
        Some(Found { name: name.to_owned(), text: text.into_bytes().into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        let number: u128 = path.parse().ok()?;
        let text = format!("#include \"{}\"\n#include \"{}\"\n", number * 2, number * 2 + 1);
        Some(Found { name: path.to_owned(), text: text.into_bytes().into() })
    }
}

#[test]
fn chains_of_trees_are_long() {
    assert_eq!(in_small_stack(&Endless, "t1"), (0, DEEP));
}

#[test]
fn endless_includes_are_stopped() {
    assert!(in_small_stack(&Endless, "start").0 > 0);
}

#[test]
fn macros_that_expand_to_each_other_are_stopped() {
    fails("#define A B\n#define B A\naction A", &["E0202", "E0303"]);
    assert_eq!(load(&[("main", b"#define A B B\n#define B A A\naction jump()\n#if A\n")]).codes, ["E0202"]);
}

#[test]
fn macros_that_double_are_stopped() {
    let doubles: String = (0..60).map(|n| format!("#define A{} A{n} A{n}\n", n + 1)).collect();
    let text = format!("#define A0 5\n{doubles}action moveTo( A60 )");
    assert_eq!(load(&[("main", text.as_bytes())]).codes, ["E0201", "E0311"]);
}

#[test]
fn a_file_included_again_and_again_is_stopped() {
    let main = "#include \"bots/big.bt\"\n".repeat(10_000);
    let outcome = load(&[("main", main.as_bytes()), ("big", " ".repeat(1_000_000).as_bytes())]);
    assert_eq!(outcome.codes, ["E0201", "E0301"]);
}

#[test]
fn each_token_of_an_included_file_counts_even_if_it_is_skipped() {
    // 910 tokens, 113 times 16 bytes, and one for the include come to 1,024, of 524,288.
    let skipped = format!("#if 0\n{}#endif", "x ".repeat(905));
    let codes = |includes: usize| {
        let main = format!("{}action jump()", "#include \"bots/skipped.bt\"\n".repeat(includes));
        load(&[("main", main.as_bytes()), ("skipped", skipped.as_bytes())]).codes
    };
    assert_eq!(codes(512), [""; 0]);
    assert_eq!(codes(513), ["E0201", "E0301"]);
}

#[test]
fn a_list_has_twenty_children() {
    let list = |count: usize| format!("selector {{ {}}}", "action jump ".repeat(count));
    loads(&list(20), &format!("selector {{ {} }}", ["action jump"; 20].join("; ")));
    fails(&list(21), &["E0308"]);
    fails(&list(30), &["E0308"]);
}

#[test]
fn random_text_never_panics() {
    const WORDS: &str = "selector { } action jump ( ) condition team == 1 ! && decorator invert behavior main x # \
        #define A \n #if #endif #else #elif #include \"bots/main.bt\" \"a\" $evalint enum = - , 1. \\ ## \"(\" spawnAs \
        selectClass return defined ? : + A( #undef \"a\\q ' @ 0x .5 timer moveTo E_GOAL distanceTo ; /* */ //";
    let words: Vec<&str> = WORDS.split(' ').collect();
    let mut chance = Gen::from_size_and_seed(100, 1);
    for round in 0..3000 {
        let mut text = Vec::new();
        for _ in 0..draw(&mut chance, 60) {
            if round % 3 == 0 {
                text.push(draw(&mut chance, 256) as u8);
            } else {
                text.extend(words[draw(&mut chance, words.len())].bytes());
                text.extend([b' '].repeat(draw(&mut chance, 2)));
            }
        }
        let outcome = load(&[("main", &text)]);
        assert_eq!(outcome.errors == 0, outcome.trees.contains("main: "), "{}", text.escape_ascii());
    }
}
