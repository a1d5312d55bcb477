//! One compiler for many programs: what it compiles does not depend on what it has compiled before.

use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, compile, dialect};

/// A tree, its dialect, and whether it is right.
const TREES: [(&str, &str, bool); 5] = [
    ("bt", "selector { condition team == 2 && haveWeapon( WP_HBUILD ) { action heal } action roam }", true),
    ("bt", "sequence { action heal decorator timer( 500 ) { action flee } action nothing }", false),
    ("pleach", "action shoot() var ammo: int8 = 6 tree t { if ammo > 0 { action shoot } }", true),
    ("bt", "concurrent { behavior t }", false),
    (
        "bt",
        "concurrent { decorator return( 7 ) { action roam } condition percentHealth( E_SELF ) > 0.5 }",
        true,
    ),
];

#[test]
fn what_was_compiled_before_leaves_no_trace() {
    let mut compiler = Compiler::default();
    for round in 0..2 {
        for (extension, text, right) in TREES {
            let dialect = dialect::by_extension(extension).expect("the dialect exists");
            let (library, manifest, entries) =
                (Texts::of("t", extension, text), dialect.own_manifest(), ["t".to_owned()]);
            for debug in [false, true] {
                let request = Request { dialect, manifest: &manifest, entries: &entries, debug };
                let (fresh, used) = (compile(&library, request), compiler.compile(&library, request));
                let found = fresh.diagnostics.list();
                assert_eq!(fresh.image.is_some(), right, "{text}: {found:?}");
                assert_eq!(used.image, fresh.image, "{text}, round {round}, debug {debug}");
                assert_eq!(format!("{:?}", used.diagnostics), format!("{:?}", fresh.diagnostics), "{text}");
            }
        }
    }
}
