//! Random programs of Pleach's own language, read from text, behave equally on the reference
//! interpreter and on the runtime.
//!
//! `PLEACH_RANDOM` is the number of programs. By default it is small enough for a run of all tests.
//! Before a release:
//!
//! ```console
//! $ PLEACH_RANDOM=100000 cargo test --release -p pleach-tests --test dialects language::
//! ```
//!
//! A failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach_tests::random::Case;
use pleach_tests::random::check::{cases, fight_all, programs};
use pleach_tests::random::language::duel::{Census, fight};
use pleach_tests::random::language::program;
use pleach_tests::random::mutate::damaged;
use pleach_tests::random::trial::own_text;
use pleach_tests::random::witness::{RESUMING, WIDE, rare};

const PROGRAMS: u64 = 1_000;
/// Minimum number of programs in a thousand with each construct.
const LEAST: u64 = 100;

#[test]
fn engines_agree_on_random_programs() {
    let programs = programs(PROGRAMS);
    let parts = cases(programs, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let mut census = Census::default();
    parts.iter().for_each(|part| census.add(part));
    let Census { programs: (run, left_out), constructs, witness } = census;
    println!("{run} programs, {left_out} left out, {} ticks", witness.ticks);
    assert_eq!(run + left_out, programs);
    assert!(left_out <= programs / 20, "too many programs are left out: {left_out}");
    if programs >= PROGRAMS {
        let few = |(_, count): &(&&str, &u64)| **count * PROGRAMS < LEAST * programs;
        let few: Vec<_> = constructs.iter().filter(few).collect();
        assert!(few.is_empty(), "hardly tested: {few:?}");
        let mut rare = [rare(&witness, 250), rare(&witness, 20)];
        rare[0].retain(|name| RESUMING.contains(name));
        rare[1].retain(|name| WIDE.contains(name));
        let rare = rare.concat();
        assert_eq!(rare, [""; 0], "hardly executed");
    }
}

/// Programs depend on the case alone.
#[test]
fn a_case_is_a_program_forever() {
    for seed in 0..20 {
        let case = Case::new(seed);
        assert_eq!(program(&case).files, program(&case).files);
    }
}

/// Texts with pieces removed, doubled and exchanged are refused or run, without a panic or hang.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(300), |case| {
        let (_, main) = program(&case.clone().cut(12)).files.swap_remove(0);
        damaged(case, main, own_text)
    });
}
