//! Counterexamples shrink: programs and trees to one node, images and texts to one change.

use pleach_compile::internals::ir::Kind;
use pleach_tests::campaign::differential::KINDS;
use pleach_tests::random::check::{cases, tried};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::mutate::{Cut, changed, damage, fresh};
use pleach_tests::random::{Case, bst, forest, language, mbt, program, rules};

/// Shrinks the first case whose text has a word, and returns that text.
fn smallest(text: fn(&Case) -> String, word: &'static str) -> String {
    let fight = move |case: &Case, (): &mut ()| {
        let text = text(&case.clone().cut(40));
        if text.contains(word) { Err(text) } else { Ok(()) }
    };
    cases(500, fight).expect_err("some text has the word").why
}

fn of_the_language(case: &Case) -> String {
    language::program(case).files.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn programs_of_the_language_shrink_to_one_node() {
    let text = smallest(of_the_language, "reactive utility");
    assert_eq!(text.matches("tree").count(), 2, "{text}");
    assert!(text.lines().count() <= 8 && text.len() < 140, "{text}");
}

#[test]
fn trees_of_all_dialects_shrink_to_one_node() {
    let most = |text: String, mark: &str, most: usize| {
        assert!(text.matches(mark).count() <= most, "{text}");
    };
    most(smallest(mbt::text, "<Timeout "), "<", 24);
    most(smallest(bst::text, "<StateMachine "), "<", 20);
    most(smallest(|case| rules::text(case).0, "conditionMode"), "<", 10);
    most(smallest(|case| forest::texts(case).files.into_values().collect(), "policy='Selector'"), "<", 7);
}

#[test]
fn modules_shrink_to_one_node_and_the_same_in_each_run() {
    let fight = |case: &Case, (): &mut ()| {
        let module = program::program(case);
        let has = |kind: &Kind| matches!(kind, Kind::Cooldown { .. });
        if module.nodes.iter().any(|node| has(&node.kind)) {
            Err(module.nodes.len().to_string())
        } else {
            Ok(())
        }
    };
    let [one, other] = [(); 2].map(|()| cases(200, fight).expect_err("some module has one"));
    assert!(one.why.parse::<usize>().is_ok_and(|nodes| nodes <= 3), "{one}");
    assert_eq!((one.seed, one.why), (other.seed, other.why));
}

#[test]
fn agents_and_ticks_become_fewer_and_panics_are_differences() {
    let fight = |case: &Case, (): &mut ()| {
        drop(program::program(case));
        assert!(case.agents < 3 || case.ticks < 5);
        Ok(())
    };
    let found = cases(1, fight).expect_err("the first case is large");
    assert_eq!((found.case.agents, found.case.ticks), (3, 5));
    assert!(found.why.starts_with("panic: assertion failed: case.agents < 3"), "{found}");
}

#[test]
fn what_is_cut_and_joined_is_the_same() {
    let image = fresh(&mut Draws::seeded(7));
    assert_eq!(Cut::of(&image).join(), image);
}

#[test]
fn changes_shrink_to_those_that_matter() {
    let image = fresh(&mut Draws::seeded(7));
    let words = |case: &Case| {
        let changed = changed(&image, &mut case.draws());
        changed.chunks(8).zip(image.chunks(8)).filter(|(is, was)| is != was).count()
    };
    let fight = |case: &Case| match words(case) {
        0 | 1 => Ok(()),
        words => Err(words.to_string()),
    };
    let (mut most, mut shrunk) = (0, 0);
    for case in (0..40).map(|seed| Case::sized(seed, 1)) {
        most = most.max(words(&case));
        if let Err(found) = tried(&case, fight) {
            assert_eq!(found.why, "2", "{found}");
            shrunk += 1;
        }
    }
    assert!(most > 3 && shrunk > 10, "{shrunk} cases with up to {most} words");
}

#[test]
fn damaged_texts_shrink_to_one_change_of_a_small_tree() {
    let fight = |case: &Case, (): &mut ()| {
        let text = damage(case, mbt::text(&case.clone().cut(40)));
        if text.ends_with(b"<") { Err(String::from_utf8_lossy(&text).into_owned()) } else { Ok(()) }
    };
    let found = cases(2_000, fight).expect_err("some text is cut behind a bracket");
    assert_eq!(found.why, "<");
}

#[test]
fn a_finding_is_the_smallest_case() {
    let [ir, ..] = KINDS;
    let long = |case: &Case| {
        let nodes = program::program(case).nodes.len();
        if nodes < 4 || case.ticks < 3 { Ok(()) } else { Err(format!("{nodes} nodes")) }
    };
    let found = ir.judged(&Case::sized(7, 100), long).expect_err("the case is larger");
    let expected = "IR seed 7: 4 nodes\nseed 0, size 1, at most 1 agents, at most 3 ticks, after";
    assert!(found.starts_with(expected) && found.contains("\nblocks\n"), "{found}");
}
