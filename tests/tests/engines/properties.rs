//! Thousands of random IR programs behave equally on the reference interpreter and on the runtime.
//!
//! `PLEACH_RANDOM` is the number of programs. By default it is small enough for a run of all tests.
//! A failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::duel::fight;
use pleach_tests::random::witness::{Census, KEEPING, REACTING, RESUMING, SELECTING, WALKING, WIDE, rare};

const PROGRAMS: u64 = 10_000;

#[test]
fn engines_agree_on_random_programs() {
    let programs = programs(PROGRAMS);
    let parts = cases(programs, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let mut census = Census::default();
    parts.iter().for_each(|part| census.add(part));
    let Census { programs: (run, left_out), ticks, tight, .. } = census;
    println!(
        "{run} programs, {left_out} left out, {ticks} ticks, {tight} of them at the bound of host calls"
    );
    assert_eq!(run + left_out, programs);
    assert!(left_out <= programs / 20, "too many programs are left out: {left_out}");
    if programs >= PROGRAMS {
        let mut rare = rare(&census, 100);
        let elsewhere = [RESUMING, WALKING, REACTING, SELECTING, KEEPING, WIDE].concat();
        rare.retain(|name| !elsewhere.contains(name));
        assert_eq!(rare, [""; 0], "hardly tested");
    }
}
