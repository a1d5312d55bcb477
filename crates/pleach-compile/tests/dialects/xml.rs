//! Limits of XML, the same in all dialects that are XML.

use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};

/// A dialect, its extension, the outermost element and what stands in it.
const DIALECTS: [(&str, &str, &str, &str); 4] = [
    ("mbt", "xml", "BehaviorTree", "<Root><Halt/></Root>"),
    ("bst", "xml", "SelectionTree name='a' type='t'", "<Leaf name='X'/>"),
    ("btengine", "xml", "BehaviorForest", ""),
    ("dragengine", "debt", "behaviorTree", "<success/>"),
];

/// Code and place of the findings, and whether there is an image.
fn findings(dialect: &str, extension: &str, text: &str) -> (Vec<(&'static str, Option<u32>)>, bool) {
    let (dialect, manifest) = (by_name(dialect).expect("a dialect"), Manifest::default());
    let request = Request { dialect, manifest: &manifest, entries: &["a".to_owned()], debug: false };
    let done = compile(&Texts::of("a", extension, text), request);
    let told = done.diagnostics.list().iter();
    // Without the file, selection trees have nothing to start.
    let told = told.filter(|it| it.code.id != "E0407");
    (told.map(|it| (it.code.id, it.span.map(|span| span.start))).collect(), done.image.is_some())
}

#[test]
fn an_element_of_a_hundred_thousand_attributes() {
    for (dialect, extension, element, inside) in DIALECTS {
        let text = |count: usize| {
            let attributes: String = (0..count).map(|n| format!(" a{n}='x'")).collect();
            let name = element.split(' ').next().unwrap_or_default();
            format!("<{element}{attributes}>{inside}</{name}>")
        };
        for count in [257, 100_000] {
            let own = element.matches('=').count();
            let place = text(count).find(&format!(" a{}=", 256 - own)).map(|at| at as u32 + 1);
            assert_eq!(
                findings(dialect, extension, &text(count)),
                (vec![("E0717", place)], false),
                "{dialect}"
            );
        }
        let (below, _) = findings(dialect, extension, &text(250));
        assert!(below.iter().all(|(code, _)| *code != "E0717"), "{dialect}");
    }
}

#[test]
fn elements_that_each_declare_a_namespace() {
    for (dialect, extension, element, inside) in DIALECTS {
        let text = |count: usize| {
            let open: String = (0..count).map(|n| format!("<x xmlns:n{n}='u{n}'>")).collect();
            let name = element.split(' ').next().unwrap_or_default();
            format!("<{element}>{open}{}{inside}</{name}>", "</x>".repeat(count))
        };
        let place = text(20_000).find("xmlns:n64").map(|at| at as u32);
        assert_eq!(findings(dialect, extension, &text(20_000)), (vec![("E0718", place)], false), "{dialect}");
        let (below, _) = findings(dialect, extension, &text(64));
        assert!(below.iter().all(|(code, _)| *code != "E0718"), "{dialect}");
    }
}
