//! All campaigns in their short form, and none leaves a line in the ledger.

use pleach_tests::campaign::{CAMPAIGNS, Campaign, Run};
use pleach_tests::counting::Counting;
use pleach_tests::random::hunt::deep;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs a campaign for as long as all tests have time for, and tells how often it has tried something.
fn short(name: &str) -> u64 {
    let Campaign { short, run, .. } = CAMPAIGNS.iter().find(|it| it.name == name).expect("there is one");
    let mut tried = Run::short(*short);
    tried.program = env!("CARGO_BIN_EXE_campaign").into();
    if let Err(finding) = deep(|| run(&mut tried)) {
        panic!("{name}: {}", finding.what);
    }
    println!("{name}: {} tried; {}", tried.executions, tried.told);
    tried.executions
}

#[test]
fn differential() {
    assert_eq!(short("differential"), 60);
}

#[test]
fn flips() {
    assert!(short("flips") > 500_000, "there are fewer or smaller images");
}

#[test]
fn truncations() {
    assert!(short("truncations") > 50_000, "there are fewer or smaller images");
}

#[test]
fn mutants() {
    assert_eq!(short("mutants"), 2_000);
}

#[test]
fn soak() {
    assert!(short("soak") > 100_000, "no program was run");
}

#[test]
fn reload() {
    assert_eq!(short("reload"), 4);
}

#[test]
fn churn() {
    assert_eq!(short("churn"), 20_000);
}

#[test]
fn bombs() {
    assert!(short("bombs") > 500, "there are fewer axes");
}
