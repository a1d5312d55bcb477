//! Runs many cases by quickcheck on all processors until one fails, and shrinks that case.
//!
//! Cases are divided into shares. Each share is a run of [`QuickCheck`] with a seed of its own, so
//! the cases do not depend on the number of processors. A failure names the seed of its case. With
//! that seed in `PLEACH_SEED`, tests run only this case.

use super::Case;
use super::draws::GEN_SIZE;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of stacks in bytes. Reference interpreters recurse into trees thousands of nodes deep.
const STACK: usize = 1 << 30;
/// Number of shares that all cases are divided into.
const SHARES: u64 = 32;
/// Maximum number of cases that are tried to shrink a counterexample.
const ATTEMPTS: usize = 16_000;

/// Returns the number of cases: the value of the variable `PLEACH_RANDOM`, else `otherwise`; 1 if a
/// seed is given.
///
/// # Panics
/// If a variable is not a number.
#[must_use]
pub fn programs(otherwise: u64) -> u64 {
    variable("PLEACH_RANDOM").filter(|_| seed().is_none()).unwrap_or(seed().map_or(otherwise, |_| 1))
}

/// Returns the seed of the only case to run, if `PLEACH_SEED` is set.
fn seed() -> Option<u64> {
    variable("PLEACH_SEED")
}

fn variable(name: &str) -> Option<u64> {
    let set = std::env::var(name).ok();
    set.map(|number| number.parse().unwrap_or_else(|_| panic!("{name} is a number, not {number:?}")))
}

/// Runs `work` in a thread with a large stack. WebAssembly has no threads, and as much stack as its
/// caller gives it.
///
/// # Panics
/// If the thread panics.
pub fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if cfg!(target_family = "wasm") {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("a thread").join().expect("a panic is caught inside")
    })
}

/// Failing case after shrinking.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Seed of the original case.
    pub seed: u64,
    /// Smallest case that was found.
    pub case: Case,
    /// Difference that the case shows.
    pub why: String,
    /// Number of cases that were tried to shrink it.
    pub attempts: usize,
}

impl core::fmt::Display for Counterexample {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { seed, case, why, attempts } = self;
        write!(f, "{why}\n\n{case:?}, after {attempts} smaller cases; PLEACH_SEED={seed} finds it again")
    }
}

/// Runs `work`. A panic becomes an error with its message.
///
/// # Errors
/// With the error of `work` or the message of its panic.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
    })
}

/// Runs a case.
///
/// # Errors
/// With the shrunk counterexample if the case fails or panics.
pub fn tried(case: &Case, fight: impl Fn(&Case) -> Result<(), String>) -> Result<(), Box<Counterexample>> {
    let difference = |case: &Case| guarded(|| fight(case)).err();
    match difference(case) {
        Some(why) => Err(Box::new(smallest(case.clone(), why, difference))),
        None => Ok(()),
    }
}

/// Replaces the case by a smaller failing case as long as there is one.
fn smallest(case: Case, why: String, difference: impl Fn(&Case) -> Option<String>) -> Counterexample {
    let mut found = Counterexample { seed: case.seed, case, why, attempts: 0 };
    while found.attempts < ATTEMPTS {
        let left = ATTEMPTS - found.attempts;
        let weight = found.case.weight();
        let tried = found.case.shrink().take(left).find_map(|case| {
            found.attempts += 1;
            let why = difference(&case)?;
            // If choices run out, a generator may make more choices than were given.
            (case.weight() < weight).then_some((case, why))
        });
        match tried {
            Some((case, why)) => (found.case, found.why) = (case, why),
            None => break,
        }
    }
    found
}

/// Runs `count` cases. Returns the census of each thread.
///
/// # Errors
/// With the shrunk counterexample if a case fails or panics.
pub fn cases<C, F>(count: u64, fight: F) -> Result<Vec<C>, Box<Counterexample>>
where
    C: Default + Send + 'static,
    F: Fn(&Case, &mut C) -> Result<(), String> + Clone + Sync + Send + 'static,
{
    let (shares, failed) = (AtomicU64::new(0), Arc::new(AtomicU64::new(SHARES)));
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| {
        let work = || {
            deep(|| {
                let (fight, failed) = (fight.clone(), failed.clone());
                let property =
                    Property { fight, seen: Rc::default(), found: Rc::default(), share: 0, failed };
                property.shares(&shares, count)
            })
        };
        // The first share of the work is done here, where there may be no other thread.
        let threads: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let others = threads.into_iter().map(|thread| thread.join().expect("a panic is caught inside"));
        let (seen, found): (Vec<C>, Vec<_>) = core::iter::once(work()).chain(others).unzip();
        let first = found.into_iter().flatten().min_by_key(|(share, _)| *share);
        first.map_or(Ok(seen), |(_, found)| Err(found))
    })
}

/// Runs `cases` cases, and checks that all of them were run.
///
/// # Panics
/// With the counterexample, if there is one.
pub fn fight_all(cases: u64, fight: fn(&Case) -> Result<(), String>) {
    let counted = move |case: &Case, count: &mut u64| {
        *count += 1;
        fight(case)
    };
    let fought = self::cases(cases, counted).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(fought.iter().sum::<u64>(), cases);
}

/// Property of all cases, with the census of a thread.
struct Property<C, F> {
    fight: F,
    seen: Rc<RefCell<C>>,
    found: Rc<RefCell<Option<Box<Counterexample>>>>,
    /// Number of the current share.
    share: u64,
    /// First share in which a thread has found a counterexample. Later shares are skipped.
    failed: Arc<AtomicU64>,
}

/// Counterexample with the number of its share.
type Found = (u64, Box<Counterexample>);

impl<C, F: Clone> Clone for Property<C, F> {
    fn clone(&self) -> Self {
        let Self { fight, seen, found, share, failed } = self;
        let (fight, failed) = (fight.clone(), failed.clone());
        Self { fight, seen: seen.clone(), found: found.clone(), share: *share, failed }
    }
}

impl<C, F> Property<C, F>
where
    C: Default + 'static,
    F: Fn(&Case, &mut C) -> Result<(), String> + Clone + 'static,
{
    /// Runs the shares that no other thread has taken.
    fn shares(mut self, next: &AtomicU64, cases: u64) -> (C, Option<Found>) {
        loop {
            self.share = next.fetch_add(1, Ordering::Relaxed);
            let share = self.share;
            if self.is_late() {
                return (self.seen.take(), None);
            }
            let tests = cases / SHARES + u64::from(share < cases % SHARES);
            let chance = Gen::from_size_and_seed(GEN_SIZE, share);
            let tested = QuickCheck::new().rng(chance).tests(tests).max_tests(tests).quicktest(self.clone());
            if tested.is_err() {
                return (self.seen.take(), self.found.take().map(|found| (share, found)));
            }
        }
    }

    /// Returns true if no share is left, or an earlier one has a counterexample.
    fn is_late(&self) -> bool {
        self.share >= self.failed.load(Ordering::Relaxed)
    }

    /// Returns the difference that a case shows. A panic counts as a difference.
    fn difference(&self, case: &Case, seen: &mut C) -> Option<String> {
        guarded(|| (self.fight)(case, seen)).err()
    }
}

impl<C, F> Testable for Property<C, F>
where
    C: Default + 'static,
    F: Fn(&Case, &mut C) -> Result<(), String> + Clone + 'static,
{
    fn result(&self, chance: &mut Gen) -> TestResult {
        if self.is_late() {
            return TestResult::discard();
        }
        let case = seed().map_or_else(|| Case::arbitrary(chance), Case::new);
        let why = self.difference(&case, &mut self.seen.borrow_mut());
        let Some(why) = why else { return TestResult::passed() };
        self.failed.fetch_min(self.share, Ordering::Relaxed);
        let found = smallest(case, why, |case| self.difference(case, &mut C::default()));
        self.found.replace(Some(Box::new(found)));
        TestResult::failed()
    }
}
