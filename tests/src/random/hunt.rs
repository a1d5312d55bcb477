//! Trying many cases, on all processors, until one goes wrong.

use super::Case;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// Reference interpreters recurse into trees thousands of nodes deep.
const STACK: usize = 1 << 30;

/// How many cases to try: what the variable `PLEACH_RANDOM` says, else this number.
///
/// # Panics
/// If the variable is no number.
#[must_use]
pub fn programs(otherwise: u64) -> u64 {
    let set = std::env::var("PLEACH_RANDOM").ok();
    set.map_or(otherwise, |number| number.parse().expect("PLEACH_RANDOM is a number"))
}

/// Runs in a thread with a large stack.
///
/// # Panics
/// If the thread does.
pub fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("a thread").join().expect("a panic is caught inside")
    })
}

/// Fights the cases of the first so many seeds; what each thread saw, or the difference in its smallest form.
pub fn hunt<C: Default + Send>(
    programs: u64,
    fight: impl Fn(Case, &mut C) -> Result<(), String> + Sync,
) -> Result<Vec<C>, String> {
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| {
        let work = || deep(|| work(&next, programs, &fight));
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a panic is caught inside")).collect()
    })
}

/// Fights the cases of the first so many seeds, all of which there must be an end to.
///
/// # Panics
/// With the difference, if there is one.
pub fn fight_all(programs: u64, fight: fn(Case) -> Result<(), String>) {
    let counted = |case, count: &mut u64| {
        *count += 1;
        fight(case)
    };
    let fought = hunt(programs, counted).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(fought.iter().sum::<u64>(), programs);
}

fn work<C: Default>(
    next: &AtomicU64,
    programs: u64,
    fight: &impl Fn(Case, &mut C) -> Result<(), String>,
) -> Result<C, String> {
    let mut seen = C::default();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= programs {
            return Ok(seen);
        }
        let case = Case::new(seed);
        if let Err(found) = outcome(case, &mut seen, fight) {
            next.store(programs, Ordering::Relaxed);
            return Err(smallest(case, found, fight));
        }
    }
}

/// How a case goes; a panic is a difference like another.
fn outcome<C>(
    case: Case,
    seen: &mut C,
    fight: &impl Fn(Case, &mut C) -> Result<(), String>,
) -> Result<(), String> {
    let fought = catch_unwind(AssertUnwindSafe(|| fight(case, seen)));
    fought.unwrap_or_else(|_| Err("panic".to_owned())).map_err(|why| format!("{case:?}: {why}"))
}

/// What is found in the smallest case of the same seed that goes wrong too.
fn smallest<C: Default>(
    case: Case,
    found: String,
    fight: &impl Fn(Case, &mut C) -> Result<(), String>,
) -> String {
    let worse = case.smaller().filter_map(|case| outcome(case, &mut C::default(), fight).err());
    worse.last().unwrap_or(found)
}
