//! A file has the earliest minor version of the format that has all that is in it.

use pleach_compile::internals::emit;
use pleach_image::format::{MAJOR, MINOR};
use pleach_tests::own;

/// Programs, with the minor versions of their files.
const VERSIONS: [(&str, u16); 10] = [
    ("action go() tree main { action go }", 0),
    ("tree main { wait 2 s }", 0),
    ("tree main { wait 2 s to 5 s }", 1),
    ("enum Mood { calm, wary } var mood: Mood tree main { condition mood == wary }", 2),
    ("var target: entity tree main { condition target == none }", 3),
    ("var far: float tree main { condition smooth(far, 0.0, 1.0) > 0.5 }", 3),
    ("var name: text tree main { condition name == \"Ann\" }", 3),
    ("var home: vec2 tree main { condition home.x > 1.0 }", 0),
    ("var home: vec2 tree main { condition dot(home + home, home * (home.x + 1.0)) > 1.0 }", 4),
    ("tune const FAR = 2 in 1..3 tree main { condition FAR > 1 }", 4),
];

#[test]
fn files_have_the_earliest_version() {
    assert_eq!((MAJOR, MINOR), (1, 5));
    for (text, minor) in VERSIONS {
        let module = own::module(&[(own::MAIN.to_owned(), text.to_owned())].into()).expect("no errors");
        let bytes = emit::emit(&module, "test", None).expect("it fits");
        // The header has the versions behind the magic and the mark of the byte order.
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!((number(12), number(14)), (MAJOR, minor), "{text}");
    }
}
