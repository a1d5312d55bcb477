//! Random behavior selection trees, read from text, behave equally on the reference interpreter and
//! on the runtime.
//!
//! `PLEACH_RANDOM` is the number of trees. By default it is small enough for a run of all tests. A
//! failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_tests::random::Case;
use pleach_tests::random::bst::{fight, text, traces};
use pleach_tests::random::check::{cases, fight_all, programs};
use pleach_tests::random::mutate::damaged;
use pleach_tests::random::trial::bst_text;
use pleach_tests::random::witness::Census;

const TREES: u64 = 1_000;

#[test]
fn engines_agree_on_random_trees() {
    fight_all(programs(TREES), fight);
}

/// Nodes end in the order of the reference interpreter, so trees are evaluated in the same ticks.
#[test]
fn traces_are_those_of_the_reference() {
    let trees = programs(TREES);
    let run = cases(trees, |case, evaluated: &mut u64| {
        *evaluated += traces(case, &mut Census::default())?;
        Ok(())
    });
    let evaluated: u64 = run.unwrap_or_else(|difference| panic!("{difference}")).iter().sum();
    assert!(evaluated > trees && evaluated < 15 * trees, "{evaluated} ticks of {trees} trees");
}

/// Trees depend on the case alone, and all elements of the dialect occur.
#[test]
fn all_nodes_are_made() {
    let texts: String = (0..200).map(|seed| text(&Case::new(seed))).collect();
    let nodes = "Priority StateMachine State Transition Leaf Variable Signal Map";
    let missing = nodes.split_whitespace().filter(|node| !texts.contains(&format!("<{node} ")));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(text(&Case::new(7)), text(&Case::new(7)));
}

/// Texts with pieces removed, doubled and exchanged are refused or run, without a panic or hang.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(300), |case| damaged(case, text(&case.clone().cut(12)), bst_text));
}
