//! Random Drag\[en\]gine trees behave equally on the reference interpreter and on all engines,
//! while agents jump, are saved and are restored.
//!
//! `PLEACH_RANDOM` is the number of trees. By default it is small enough for a run of all tests.

use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::rules::{Census, fight};

const TREES: u64 = 1_000;

#[test]
fn engines_agree_on_random_trees_of_rules() {
    let trees = programs(TREES);
    let parts = cases(trees, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let mut census = Census::default();
    parts.iter().for_each(|part| census.add(part));
    println!("{census:?}");
    assert_eq!(census.trees, trees);
    let Census { statuses: [failure, success, running], ran_away, threw, sent, restored, refused, .. } =
        census;
    let seen =
        [failure, success, running, ran_away, threw, sent[0], sent[1], restored[0], restored[1], refused];
    assert!(seen.iter().all(|times| *times >= trees / 10), "something is hardly tested: {census:?}");
}
