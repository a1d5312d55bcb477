//! Manifests that add up.

use super::told;
use pleach_compile::diagnostic::MAX_DIAGNOSTICS;
use pleach_compile::dialect::{DIALECTS, by_name};
use pleach_compile::manifest::{Manifest, Manifests};

#[test]
fn manifests_add_to_that_of_the_dialect() {
    for dialect in DIALECTS {
        let manifests = Manifests::of(*dialect);
        assert_eq!(told(manifests.diagnostics()), []);
        assert_eq!(*manifests.manifest(), dialect.own_manifest());
    }
    let mut manifests = Manifests::of(by_name("mbt").expect("a dialect"));
    let own = manifests.manifest().actions.len();
    manifests.add("one", "action Dance()\nsymbol BEAT = 4");
    manifests.add("two", "query beat() -> int\nmanifest club");
    let sum = manifests.manifest();
    assert_eq!((sum.actions.len(), sum.queries.len(), sum.symbols.len()), (own + 1, 1, 1));
    assert_eq!(sum.name, "club");
    assert_eq!(told(manifests.diagnostics()), []);
}

#[test]
fn without_that_of_the_dialect() {
    let mut manifests = Manifests::new();
    manifests.add("game", "action Dance()");
    assert_eq!(*manifests.manifest(), Manifest::parse("action Dance()").0);
}

#[test]
fn a_later_one_counts_and_both_places_are_told() {
    let mut manifests = Manifests::new();
    manifests.add("one", "action go()\nquery far() -> int\nsymbol S = 1\nsymbol s = 1");
    manifests.add("two", "\n  action GO(to: int)\nquery far() -> float\nsymbol S = 2");
    let sum = manifests.manifest();
    assert_eq!((sum.actions.len(), sum.queries.len(), sum.symbols.len()), (1, 1, 2));
    assert_eq!((&*sum.actions[0].name, sum.actions[0].max_args()), ("GO", 1));
    assert_eq!(sum.symbols[0].value, 2);
    let messages: Vec<_> =
        told(manifests.diagnostics()).iter().map(|(code, message, _)| (*code, *message)).collect();
    assert_eq!(
        messages,
        [
            ("W0779", "the action `GO` takes the place of an earlier one"),
            ("W0779", "the query `far` takes the place of an earlier one"),
            ("W0779", "the symbol `S` takes the place of an earlier one"),
        ]
    );
    let first = &manifests.diagnostics().list()[0];
    let place = |span| (manifests.sources().place(span).line, manifests.sources().text(span));
    assert_eq!(first.span.map(place), Some((2, &b"action GO(to: int)"[..])));
    assert_eq!(place(first.related[0].span), (1, &b"action go()"[..]));
}

#[test]
fn what_is_declared_in_the_same_way_again_is_not_told() {
    let mut manifests = Manifests::new();
    manifests.add("one", "action go(to: int) # walks\nsymbol S = 1");
    manifests.add("two", "action go(to: int) # runs\nsymbol S = 1");
    assert_eq!(told(manifests.diagnostics()), []);
    assert_eq!(manifests.manifest().actions[0].doc, "runs");
}

#[test]
fn within_one_manifest_the_first_counts() {
    let mut manifests = Manifests::new();
    manifests.add("one", "action go(a: int)");
    manifests.add("two", "action go(b: int)\naction go(c: int)");
    let codes: Vec<_> = told(manifests.diagnostics()).iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["W0779", "E0769"]);
    assert_eq!(manifests.manifest().actions[0].params[0].name, "b");
}

#[test]
fn problems_have_a_cap() {
    let lines = 3 * MAX_DIAGNOSTICS;
    let text = "nonsense\n".repeat(lines);
    let mut manifests = Manifests::new();
    manifests.add("game", &text);
    assert_eq!(manifests.diagnostics().list().len(), MAX_DIAGNOSTICS);
    assert_eq!(manifests.diagnostics().errors(), lines);
    let (_, problems) = Manifest::parse(&text);
    assert_eq!(problems.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(problems[MAX_DIAGNOSTICS].message, "1000 more problems follow");
}
