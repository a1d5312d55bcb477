//! The straight way and the careful way come to the same, and the straight way is taken where nothing is odd.

use super::{Room, read};
use crate::dialect::pleach::Pleach;
use crate::manifest::Manifest;
use crate::session::Session;
use crate::texts::Texts;
use crate::{Request, compile};

/// In each file.
const DECLARATIONS: &str = "\
action go(place: int, speed: float) action say(line: text) action roam query far(place: int): float query seen: bool
const NEAR = 2 * HALF const LIMIT: float = 3
var ammo: int8 = NEAR - 1 var health: float = 10 var alert: bool = true var s: int group var lost: int world var alarm: bool
on hit { set health -= 10.0 set alarm = true }
on calm { }
";

/// Trees with nothing odd, with the constant `HALF` before them.
const PLAIN: &[&str] = &[
    "tree main { action roam }",
    "tree main { use other(ammo, 3) }\ntree other(a: int, n: int)\n{\n\tsequence { set a += n wait n ticks use third }\n}\ntree third { success }",
    "tree main { sequence { action go(NEAR, 1) action go(ammo, s) action say(\"a \\\"b\\\"\") } }",
    "// A comment.\ntree main /* and */\n{\n\tselector // one\n\t{\n\t\taction roam\n\t\taction roam // two\n\t}\n}\n",
    "tree main { condition -s * (2 + NEAR) % 7 <= int(far(NEAR)) && !(alert == seen) || float(ammo) / 2 > max(health, s) }",
    "tree main { while far(3) > -1.5 || random() < 0.25 { reactive selector { condition now - s >= -2147483648 reactive sequence { condition alert action roam } } } }",
    "tree main { parallel (fail 2, succeed any) { wait 5s wait 10 ms wait 0x10 delay 3 ticks { action roam } } }",
    "tree main { parallel { timeout 1.5 s { action roam } cooldown NEAR { action roam } } }",
    "tree main { random { 3: action roam NEAR: random { action roam 2: action roam } action roam } }",
    "tree main { sequence { raise hit raise calm to group raise hit to all set s max= ammo set lost -= 1 set alarm = !alarm set health /= 2 } }",
    "tree main { repeat { repeat 3 { retry 2 { until failure { invert { force success { limit 4 { action roam } } } } } } } }",
    "tree main { selector { failure running } }\ntree next { success }",
    "tree main { action roam }\nvar x: float = -A const A = B + max(B, 1) const B = 2",
    "tree main { action roam }\non hit { set s = 1 }",
    "tree main { action roam }\ntree other(n: int, b: bool) { sequence { set n += 1 wait n condition b && n > 1 action roam } }\ntree third(n: int) { set n = 1 }\ntree fourth { use third(s) }",
    "\u{feff}// \u{e4}\ntree main { action roam }",
];

/// Trees with something that is wrong, rare or warned about.
const ODD: &[&str] = &[
    "",
    "tree main { }",
    "tree main { action roam",
    "tree main { action roam } }",
    "tree main { action roam action roam }",
    "tree main { action nothing }",
    "tree main { action go(1) }",
    "tree main { action go(1, 2, 3) }",
    "tree main { action go(1.5, 2) }",
    "tree main { action go(lost, 2) }",
    "tree main { action go(ammo + 1, 2) }",
    "tree main { condition ammo }",
    "tree main { condition true }",
    "tree main { condition alert = true }",
    "tree main { condition 1 < ammo < 3 }",
    "tree main { sequence { } }",
    "tree main { selector { success action roam } }",
    "tree main { wait -1 }",
    "tree main { timeout 3 ticks { action roam } }",
    "tree main { repeat 0 { action roam } }",
    "tree main { parallel (succeed 3) { action roam } }",
    "tree main { parallel (succeed any, succeed all) { action roam } }",
    "tree main { random { 0: action roam } }",
    "tree main { utility { 1: action roam } }",
    "tree main { set NEAR = 1 }",
    "tree main { set lost *= 2 }",
    "tree main { set s max = 2 }",
    "tree main { set s = 2147483648 }",
    "tree main { use main }",
    "tree main { use other } tree other { use main }",
    "tree main { action roam }\ntree main { action roam }",
    "tree main { action roam }\nvar ammo: int",
    "tree main { action roam }\nvar or: int",
    "tree main { action roam }\nvar x: int8 = 128",
    "tree main { action roam }\nconst A = B const B = A",
    "tree main { action roam }\nconst A = B",
    "tree main { action roam }\nvar x: bool = A const A = 1",
    "tree main { action roam }\ntree other(n: int) { wait n + now }",
    "tree main { action roam }\ntree other(n: int) { use third(n) }\ntree third(n: int) { use other(n) }",
    "tree main { action roam }\ninclude \"other.pleach\"",
    "tree main\n{\n\taction roam }\ntree other\n{\n\taction roam\n}\n",
    "tree main { action roam } \0",
    "tree main { action roam } /*",
    "tree main { condition s /* open }",
];

fn with_declarations(text: &str) -> String {
    format!("{}const HALF = 1\n{DECLARATIONS}{}", &text[..mark(text)], &text[mark(text)..])
}

/// The length of the byte order mark, which stands before everything.
fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { 3 } else { 0 }
}

fn goes_straight(text: &str) -> bool {
    let library = Texts::of("main", "pleach", text);
    let manifest = Manifest::default();
    let mut session = Session::new(&library, &manifest);
    let source = session.sources.add("main.pleach".to_owned(), text.as_bytes().into());
    let read = read(&mut session, &mut Room::default(), source);
    assert!(session.diagnostics.list().is_empty());
    read.is_some()
}

fn image(text: String) -> Option<Vec<u8>> {
    let manifest = Manifest::default();
    let entries = ["main".to_owned()];
    compile(
        &Texts::of("main", "pleach", text),
        Request { dialect: &Pleach, manifest: &manifest, entries: &entries, debug: true },
    )
    .image
}

#[test]
fn what_is_plain_goes_straight_to_the_same_tree() {
    for text in PLAIN {
        let text = with_declarations(text);
        assert!(goes_straight(&text), "{text}");
        // Saying a thing twice is nothing wrong, but odd.
        let careful = format!("{text}\naction unused action unused");
        assert!(!goes_straight(&careful), "{careful}");
        let straight = image(text.clone());
        assert!(straight.is_some() && straight == image(careful), "{text}");
    }
}

#[test]
fn what_is_odd_is_left_alone() {
    for text in ODD {
        assert!(!goes_straight(&with_declarations(text)), "{text}");
    }
}
