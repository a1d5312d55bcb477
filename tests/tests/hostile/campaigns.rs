//! Every campaign runs in its short form without a finding, and writes no line of the ledger.

use pleach_tests::campaign::{CAMPAIGNS, Campaign, Run, heed_interrupts, is_interrupted};
use pleach_tests::random::check::deep;

/// Runs a campaign in its short form. Returns the number of its executions.
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

/// Short runs continue after an interrupt, such as the other tests of this process.
#[test]
fn an_interrupt_ends_long_runs() {
    let hour = std::time::Duration::from_secs(3600);
    heed_interrupts(130).expect("a handler");
    assert_eq!(Run::long(7, hour).case(), Some(7));
    signal_hook::low_level::raise(signal_hook::consts::SIGINT).expect("a signal");
    assert!(is_interrupted());
    assert_eq!((Run::long(7, hour).case(), Run::short(1).case()), (None, Some(0)));
}

#[test]
fn differential() {
    assert_eq!(short("differential"), 60);
}

#[test]
fn digests() {
    assert_eq!(short("digests"), 600);
}

#[test]
fn flips() {
    assert!(short("flips") > 2_400_000, "there are fewer or smaller images");
}

#[test]
fn truncations() {
    assert!(short("truncations") > 50_000, "there are fewer or smaller images");
}

#[test]
fn mutants() {
    assert_eq!(short("mutants"), 200);
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
