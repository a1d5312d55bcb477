//! Thousands of random programs on the reference interpreter and on the runtime.
//!
//! `PLEACH_RANDOM` is the number of programs; without it, as many as a run of all tests has time for. A failure names
//! the case in its smallest form: put it into [`one_case`] to look at it.

use pleach_tests::random::Case;
use pleach_tests::random::duel::fight;
use pleach_tests::random::witness::{Census, rare};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

const PROGRAMS: u64 = 10_000;
/// The reference interpreter recurses into trees thousands of nodes deep.
const STACK: usize = 1 << 30;

fn programs() -> u64 {
    let set = std::env::var("PLEACH_RANDOM").ok();
    set.map_or(PROGRAMS, |number| number.parse().expect("PLEACH_RANDOM is a number"))
}

/// Runs in a thread with a large stack.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("a thread").join().expect("a panic is caught inside")
    })
}

/// A duel; a panic is a difference like another.
fn outcome(case: Case, census: &mut Census) -> Result<(), String> {
    let fight = catch_unwind(AssertUnwindSafe(|| fight(case, census)));
    fight.unwrap_or_else(|_| Err("panic".to_owned())).map_err(|why| format!("{case:?}: {why}"))
}

/// The smallest case of the same seed that goes wrong too.
fn smallest(case: Case, found: String) -> String {
    let mut worse = case.smaller().filter_map(|case| outcome(case, &mut Census::default()).err());
    worse.by_ref().last().unwrap_or(found)
}

fn work(next: &AtomicU64, programs: u64) -> (Census, Option<String>) {
    let mut census = Census::default();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= programs {
            return (census, None);
        }
        let case = Case::new(seed);
        if let Err(found) = outcome(case, &mut census) {
            next.store(programs, Ordering::Relaxed);
            return (census, Some(smallest(case, found)));
        }
    }
}

#[test]
fn engines_agree_on_random_programs() {
    let (next, programs) = (AtomicU64::new(0), programs());
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| deep(|| work(&next, programs)))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a panic is caught inside")).collect()
    });
    let mut census = Census::default();
    for (part, difference) in &results {
        assert_eq!(*difference, None, "{}", difference.as_deref().unwrap_or_default());
        census.add(part);
    }
    let Census { programs: (run, left_out), ticks, tight, .. } = census;
    println!(
        "{run} programs, {left_out} left out, {ticks} ticks, {tight} of them at the bound of host calls"
    );
    assert_eq!(run + left_out, programs);
    assert!(left_out <= programs / 20, "too many programs are left out: {left_out}");
    if programs >= PROGRAMS {
        assert_eq!(rare(&census, 100), [""; 0], "hardly tested");
    }
}

#[test]
fn one_case() {
    let case = Case { seed: 7, size: 12 };
    assert_eq!(deep(|| fight(case, &mut Census::default())), Ok(()));
}
