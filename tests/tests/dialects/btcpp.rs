//! Random trees of BehaviorTree.CPP behave equally on the reference interpreter and on the runtime.
//!
//! `PLEACH_RANDOM` is the number of trees. By default it is small enough for a run of all tests. A
//! failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_compile::internals::dialects::BtCpp;
use pleach_tests::random::Case;
use pleach_tests::random::btcpp::{Ends, count, fight, nodes, text};
use pleach_tests::random::check::{cases, fight_all, programs};
use pleach_tests::random::mutate::damaged;
use pleach_tests::random::trial::btcpp_text;
use pleach_tests::random::witness::{Census, KEEPING, rare};

const TREES: u64 = 1_000;
/// Minimum number of executions of each instruction, and of occurrences of each operation of
/// expressions, that only this dialect has, in the first [`COUNTED`] trees.
const LEAST: u64 = 100;
const COUNTED: u64 = 400;

/// Most trees run to their last tick, and some end with an exception of the library.
#[test]
fn engines_agree_on_random_trees() {
    let trees = programs(TREES);
    let parts: Vec<Ends> = cases(trees, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let whole: u64 = parts.iter().map(|it| it.whole).sum();
    let faults: u64 = parts.iter().map(|it| it.faults).sum();
    println!("{whole} trees ran to the end, {faults} ended with a fault");
    assert_eq!(whole + faults, trees);
    if trees >= TREES {
        assert!(faults > 0 && faults <= trees / 10, "{faults} of {trees} trees ended with a fault");
    }
}

/// Trees depend on the case alone, and all nodes of each version occur beside those that give
/// entries their first values.
#[test]
fn all_nodes_are_made() {
    let hosts = ["Act", "Do", "Read", "Long", "Say", "Maybe", "Give", "Around"];
    for version in [3, 4] {
        let texts = (0..600).map(|seed| nodes(&Case::new(seed).cut(80)));
        let texts: String = texts.filter(|(number, _)| *number == version).map(|(_, text)| text).collect();
        let missing = BtCpp::nodes(version).chain(hosts).filter(|node| !texts.contains(&format!("<{node} ")));
        assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "version {version}");
    }
    assert_eq!(text(&Case::new(7)), text(&Case::new(7)));
}

/// All instructions that only this dialect has are executed, and all operations of expressions that
/// only it has occur.
#[test]
fn all_instructions_are_executed() {
    let mut census = Census::default();
    for seed in 0..COUNTED {
        count(&Case::new(seed).cut(40), &mut census).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    }
    let mut rare = rare(&census, LEAST);
    rare.retain(|name| KEEPING.contains(name));
    assert_eq!(rare, [""; 0], "they are rare");
}

/// Texts with pieces removed, doubled and exchanged are refused or run, without a panic or hang.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(300), |case| damaged(case, text(&case.clone().cut(12)), btcpp_text));
}
