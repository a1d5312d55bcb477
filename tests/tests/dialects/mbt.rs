//! Random modular behavior trees, read from text, behave equally on the reference interpreter and
//! on the runtime.
//!
//! `PLEACH_RANDOM` is the number of trees. By default it is small enough for a run of all tests. A
//! failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_tests::random::Case;
use pleach_tests::random::check::{fight_all, programs};
use pleach_tests::random::mbt::{fight, text};
use pleach_tests::random::mutate::damaged;
use pleach_tests::random::trial::mbt_text;

const TREES: u64 = 1_000;

#[test]
fn engines_agree_on_random_trees() {
    fight_all(programs(TREES), fight);
}

/// Trees depend on the case alone, and all nodes of the dialect occur.
#[test]
fn all_nodes_are_made() {
    let texts: String = (0..200).map(|seed| text(&Case::new(seed))).collect();
    let nodes = "Sequence Selector Parallel Loop LoopUntilSuccess SuppressFailure Priority StateMachine IfCondition \
        AssertCondition MonitorCondition RandomGate IfTime WaitUntilTime AssertTime Wait Timeout WaitForEvent SendEvent \
        SendTransitionEvent Fail Halt Log LimitConcurrentUsers GroupScope Act Around";
    let missing = nodes.split_whitespace().filter(|node| {
        !texts.contains(&format!("<{node} "))
            && !texts.contains(&format!("<{node}>"))
            && !texts.contains(&format!("<{node}/>"))
    });
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(text(&Case::new(7)), text(&Case::new(7)));
}

/// Texts with pieces removed, doubled and exchanged are refused or run, without a panic or hang.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(300), |case| damaged(case, text(&case.clone().cut(12)), mbt_text));
}
