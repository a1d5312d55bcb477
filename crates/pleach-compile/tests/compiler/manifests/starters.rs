//! Manifests that are made from trees.

use super::told;
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::{Manifest, Manifests, Starter};
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};

/// Reads trees of a dialect; what else is wrong, and the manifest.
fn started(dialect: &str, texts: &Texts, entries: &[&str]) -> (Vec<String>, String) {
    let dialect = by_name(dialect).expect("a dialect");
    let manifests = Manifests::of(dialect);
    let mut starter = Starter::default();
    let mut findings = Vec::new();
    let mut read = |entries: &[String]| {
        let request = Request { dialect, manifest: manifests.manifest(), entries, debug: false };
        let done = starter.read(texts, request);
        findings.extend(told(&done.diagnostics).iter().map(|(code, message, _)| format!("{code} {message}")));
    };
    match entries {
        [] => read(&[]),
        entries => entries.iter().for_each(|entry| read(&[(*entry).to_owned()])),
    }
    (findings, starter.to_string())
}

/// Checks that trees compile with the manifest that was made from them.
#[track_caller]
fn compiles(dialect: &str, texts: &Texts, entries: &[&str], own: &str) {
    let dialect = by_name(dialect).expect("a dialect");
    let mut manifests = Manifests::of(dialect);
    manifests.add("made", own);
    assert_eq!(told(manifests.diagnostics()), []);
    for entry in entries {
        let entries = &[(*entry).to_owned()];
        let request = Request { dialect, manifest: manifests.manifest(), entries, debug: false };
        let done = compile(texts, request);
        assert!(done.image.is_some(), "{entry}: {:?}", told(&done.diagnostics));
    }
}

#[test]
fn modular_trees() {
    let tree =
        |nodes: &str| format!("<BehaviorTree>\n<Root><Sequence>{nodes}</Sequence></Root></BehaviorTree>");
    let texts = Texts::new("xml")
        .with(
            "a.xml",
            tree("<Dance steps='3' _startLog='x'/>\n<Stage><Dance steps='2' speed='1.5'/></Stage><Sing song='la'/>"),
        )
        .with("b.xml", tree("<Move/><Dance steps='2.5'/><Sing song='12'/><Crowd><Dance steps='1'/><Halt/></Crowd>"));
    let (findings, made) = started("mbt", &texts, &["a", "b"]);
    assert_eq!(findings, [""; 0]);
    assert_eq!(
        made,
        "action Crowd() bare # b.xml:2\n\
         action Dance(steps: number, speed: float?) # a.xml:2\n\
         action Sing(song: text) # a.xml:3\n\
         decorator Stage() # a.xml:3\n"
    );
    compiles("mbt", &texts, &["a", "b"], &made);
}

#[test]
fn names_that_no_manifest_can_declare_become_comments() {
    let texts = Texts::of("a", "xml", "<BehaviorTree><Root><My-Node/></Root></BehaviorTree>");
    let (_, made) = started("mbt", &texts, &["a"]);
    assert_eq!(
        made,
        "# action My-Node() # a.xml:1; `My-Node` is no name: names have letters, digits and `_`\n"
    );
    assert_eq!(Manifest::parse(&made), (Manifest::default(), vec![]));
}

#[test]
fn other_errors_are_told() {
    let texts = Texts::of(
        "a",
        "xml",
        "<BehaviorTree><Root><Loop><Dance/><Wait duration='1'/></Loop></Root></BehaviorTree>",
    );
    let (findings, made) = started("mbt", &texts, &["a"]);
    assert_eq!(findings, ["E0755 `Loop` has one child, not 2"]);
    assert_eq!(made, "action Dance() # a.xml:1\n");
}

#[test]
fn selection_trees_of_a_folder() {
    let texts = Texts::new("xml")
        .with("a.xml", "<SelectionTree name='A' type='x'><Leaf name='Idle'/></SelectionTree>")
        .with(
            "b.xml",
            "<SelectionTree name='B' type='x'>\n<LeafTranslations><Map node='Idle' target='Rest'/></LeafTranslations>\
             <Priority name='P'><Leaf name='Run' condition='X'/><Leaf name='Idle'/></Priority></SelectionTree>",
        );
    let (findings, made) = started("bst", &texts, &[]);
    assert_eq!(findings, ["W0752 `X` is not declared, and false until the host writes it"]);
    assert_eq!(made, "action Idle() # a.xml:1\naction Rest() # b.xml:2\naction Run() # b.xml:2\n");
    compiles("bst", &texts, &["A", "B"], &made);
}

#[test]
fn trees_of_unvanquished() {
    let text = "selector {\n condition isDancing( 3, -1.5 ) && mood > MERRY { action dance( 1, \"waltz\" ) }\n \
                action dance( 2.5, \"polka\" )\n action heal\n}";
    let texts = Texts::of("a", "bt", text);
    let (findings, made) = started("unvanquished", &texts, &["a"]);
    assert_eq!(findings, [""; 0]);
    assert_eq!(
        made,
        "action dance(value1: number, value2: text) # a.bt:2\n\
         query isDancing(value1: int, value2: float) -> number # a.bt:2\n\
         query mood() -> number # a.bt:2\n\
         symbol MERRY = 0 # a.bt:2\n"
    );
    compiles("unvanquished", &texts, &["a"], &made);
}

#[test]
fn errors_about_unknown_names_say_so() {
    let help = |dialect: &str, extension: &str, text: &str| {
        let dialect = by_name(dialect).expect("a dialect");
        let manifest = Manifest::parse("action existing()").0;
        let request = Request { dialect, manifest: &manifest, entries: &["a".to_owned()], debug: false };
        let done = compile(&Texts::of("a", extension, text), request);
        let (code, _, help) = told(&done.diagnostics)[0];
        assert!(help.contains("`pleach manifest`"), "{code} {help}");
        code
    };
    assert_eq!(help("mbt", "xml", "<BehaviorTree><Root><Zzz/></Root></BehaviorTree>"), "E0401");
    assert_eq!(
        help("bst", "xml", "<SelectionTree name='a' type='x'><Leaf name='Zzz'/></SelectionTree>"),
        "E0402"
    );
    assert_eq!(help("unvanquished", "bt", "action zzz"), "E0402");
    assert_eq!(help("unvanquished", "bt", "selector { condition zzz { action existing } }"), "E0403");
}
