//! Random trees of BehaviorTree.CPP behave equally on the reference interpreter and on the runtime.
//!
//! `PLEACH_RANDOM` is the number of trees. By default it is small enough for a run of all tests. A
//! failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_tests::random::btcpp::{fight, text};
use pleach_tests::random::check::{fight_all, programs};
use pleach_tests::random::mutate::damaged;
use pleach_tests::random::trial::btcpp_text;

const TREES: u64 = 1_000;

#[test]
fn engines_agree_on_random_trees() {
    fight_all(programs(TREES), fight);
}

/// Texts with pieces removed, doubled and exchanged are refused or run, without a panic or hang.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(300), |case| damaged(case, text(&case.clone().cut(12)), btcpp_text));
}
