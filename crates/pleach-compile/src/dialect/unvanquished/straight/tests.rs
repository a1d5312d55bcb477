//! The straight way and the careful way come to the same, and the straight way is taken where nothing is odd.

use super::{Room, read};
use crate::ast::File;
use crate::dialect::Dialect;
use crate::dialect::unvanquished::Unvanquished;
use crate::dialect::unvanquished::preprocess::Shared;
use crate::dialect::unvanquished::words::Words;
use crate::manifest::Manifest;
use crate::session::Session;
use crate::texts::Texts;
use crate::{Request, compile};

/// The tree `main`, and another.
fn library(text: impl AsRef<[u8]>) -> Texts {
    Texts::of("main", "bt", text).with("other.bt", "action heal()")
}

/// Trees without anything odd.
const PLAIN: &[&str] = &[
    "action heal()",
    "selector { action heal action moveTo( E_ENEMY, -5 ) action roam }",
    "sequence { condition team == TEAM_HUMANS && !goalIsDead condition ( skill <= 0.5 || 2 < skill ) { action flee } }",
    "#define NEAR 300\n// A comment.\nfallback { behavior other decorator timer( NEAR ) { action moveTo( E_GOAL, NEAR ) } }",
    "concurrent\n{\n\t/* so */ condition cvar( \"g_bot_rush\" ) != 0 { spawnAs PCL_HUMAN_NAKED }\n\tdecorator return ( STATUS_FAILURE ) { Selector { action HEAL } }\n\t#define LATE 7\n\tcondition numOurBuildings( E_A_SPAWN ) >= LATE { action heal }\n}\n",
];

/// Trees with something that is wrong, rare or warned about.
const ODD: &[&str] = &[
    "",
    "action heal",
    "action nothing()",
    "action heal() action heal()",
    "selector { action heal",
    "decorator invert { action heal }",
    "condition team == 2",
    "condition 1 < 2 < 3 { action heal }",
    "condition skill > 1. { action heal }",
    "action moveTo()",
    "action moveTo( 1, 010 )",
    "action moveTo( 1, \"2\" )",
    "#define action 5\nselector { action heal }",
    "#define A 5\n#define A 6\naction heal()",
    "#define A \naction heal()",
    "#ifdef A\n#endif\naction heal()",
    "selectClass { spawnAs 5 } action heal()",
    "action heal() \0",
    "action heal() /*",
];

fn goes_straight(text: &str) -> bool {
    let library = library(text);
    let manifest = Manifest::parse(Unvanquished.manifest()).0;
    let mut session = Session::new(&library, &manifest);
    let words = Words::new(&manifest, &mut session.names);
    let mut shared = Shared::new(&mut session);
    let source = session.sources.add("main.bt".to_owned(), text.as_bytes().into());
    let mut file = File::default();
    let tree = read(&mut session, &words, &mut shared, &mut file, &mut Room::default(), source);
    assert!(tree.is_some() || (file.nodes.is_empty() && file.args.is_empty() && file.exprs.is_empty()));
    assert!(session.diagnostics.list().is_empty());
    tree.is_some()
}

fn image(text: String) -> Option<Vec<u8>> {
    let manifest = Manifest::parse(Unvanquished.manifest()).0;
    let entries = ["main".to_owned()];
    compile(
        &library(text),
        Request { dialect: &Unvanquished, manifest: &manifest, entries: &entries, debug: false },
    )
    .image
}

#[test]
fn what_is_plain_goes_straight_to_the_same_tree() {
    for text in PLAIN {
        assert!(goes_straight(text), "{text}");
        let careful = format!("#undef NOTHING\n{text}");
        assert!(!goes_straight(&careful), "{careful}");
        let straight = image((*text).to_owned());
        assert!(straight.is_some() && straight == image(careful), "{text}");
    }
}

#[test]
fn what_is_odd_is_left_as_if_untouched() {
    for text in ODD {
        assert!(!goes_straight(text), "{text}");
    }
}
