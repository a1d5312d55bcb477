//! Calls in progress, and the numbers by which callbacks refer to them.
//!
//! A callback gets a number for its call, and passes the number back to ask for arguments or to
//! write variables. The number is looked up only among the calls in progress on this thread. So a
//! number that was kept too long is refused and never refers to another call.

use crate::status::{E_STALE, Error};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use pleach::{Batch, Call, Value};

/// Call in progress.
pub(crate) struct Active {
    context: u64,
    subject: Subject,
    /// Index of the selected agent in a call for several agents.
    selected: Cell<usize>,
    failed: Cell<bool>,
    /// Enclosing call: a callback may tick another crowd.
    around: *const Self,
}

/// Call without its lifetime.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    One(*mut ()),
    Many(*mut ()),
}

impl Subject {
    pub(crate) fn one(call: &mut Call<'_>) -> Self {
        Self::One(ptr::from_mut(call).cast())
    }

    pub(crate) fn many(batch: &mut Batch<'_>) -> Self {
        Self::Many(ptr::from_mut(batch).cast())
    }
}

thread_local! {
    static INNERMOST: Cell<*const Active> = const { Cell::new(ptr::null()) };
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// Next block of numbers. Threads take numbers by blocks, so that no two calls of a process have
/// the same number.
static BLOCKS: AtomicU64 = AtomicU64::new(1);
const BLOCK: u64 = 1 << 32;

fn fresh_number() -> u64 {
    let mut next = NEXT.get();
    if next.is_multiple_of(BLOCK) {
        next = BLOCKS.fetch_add(1, Ordering::Relaxed).wrapping_mul(BLOCK).wrapping_add(1);
    }
    NEXT.set(next.wrapping_add(1));
    next
}

/// Guard that ends the innermost call when it is dropped.
struct End(*const Active);

impl Drop for End {
    fn drop(&mut self) {
        INNERMOST.set(self.0);
    }
}

/// Runs a callback with a number for its call. Returns the callback's result, and true if it has
/// reported a fault.
#[inline]
pub(crate) fn during<R>(subject: Subject, run: impl FnOnce(u64) -> R) -> (R, bool) {
    let around = INNERMOST.get();
    let active =
        Active { context: fresh_number(), subject, selected: Cell::new(0), failed: Cell::new(false), around };
    let end = End(around);
    INNERMOST.set(&raw const active);
    let result = run(active.context);
    drop(end);
    (result, active.failed.get())
}

/// Finds a call of this thread.
#[inline]
fn find<R>(context: u64, with: impl FnOnce(&Active) -> Result<R, Error>) -> Result<R, Error> {
    let mut active = INNERMOST.get();
    // SAFETY: the innermost call is a local variable of `during`, further down this thread's stack,
    // until `End` removes it. The same holds for all enclosing calls.
    while let Some(found) = unsafe { active.as_ref() } {
        if found.context == context {
            return with(found);
        }
        active = found.around;
    }
    Err(E_STALE.into())
}

/// Runs `work` with a call for one agent, or with the selected agent of a call for several.
pub(crate) fn call<R>(
    context: u64,
    work: impl FnOnce(&mut Call<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    find(context, |active| match active.subject {
        // SAFETY: the call is in progress, and its callback has handed it back. `work` belongs to
        // the library and calls nothing that could reach the call again.
        Subject::One(call) => work(unsafe { &mut *call.cast::<Call<'_>>() }),
        Subject::Many(batch) => {
            // SAFETY: as above.
            let batch = unsafe { &mut *batch.cast::<Batch<'_>>() };
            batch.call(active.selected.get()).ok_or(E_STALE.into()).and_then(|mut call| work(&mut call))
        }
    })
}

/// Runs `work` with an argument. In a call for several agents, a constant is found at once. An
/// argument that reads as 0 may be a variable, so it is taken from the selected agent.
pub(crate) fn argument<R>(
    context: u64,
    index: u32,
    work: impl FnOnce(Option<Value<'_>>) -> Result<R, Error>,
) -> Result<R, Error> {
    let index = index as usize;
    find(context, |active| match active.subject {
        // SAFETY: as in `call`.
        Subject::One(call) => work(unsafe { &*call.cast::<Call<'_>>() }.args.get(index)),
        Subject::Many(batch) => {
            // SAFETY: as in `call`.
            let batch = unsafe { &mut *batch.cast::<Batch<'_>>() };
            match batch.args.get(index) {
                Some(Value::Int(0)) => {
                    let selected = batch.call(active.selected.get()).ok_or(E_STALE)?;
                    work(selected.args.get(index))
                }
                constant => work(constant),
            }
        }
    })
}

/// Returns true if an argument is an out argument.
pub(crate) fn is_out(context: u64, index: u32) -> Result<bool, Error> {
    let index = index as usize;
    find(context, |active| match active.subject {
        // SAFETY: as in `call`.
        Subject::One(call) => Ok(unsafe { &*call.cast::<Call<'_>>() }.args.is_out(index)),
        // SAFETY: as in `call`.
        Subject::Many(batch) => Ok(unsafe { &*batch.cast::<Batch<'_>>() }.args.is_out(index)),
    })
}

/// Runs `work` with a call for several agents. A call for one agent becomes a call for several with
/// one agent.
pub(crate) fn batch<R>(
    context: u64,
    work: impl FnOnce(&mut Batch<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    find(context, |active| match active.subject {
        // SAFETY: as in `call`.
        Subject::One(call) => unsafe { &mut *call.cast::<Call<'_>>() }.alone(work),
        // SAFETY: as in `call`.
        Subject::Many(batch) => work(unsafe { &mut *batch.cast::<Batch<'_>>() }),
    })
}

/// Selects an agent of a call for several agents.
pub(crate) fn select(context: u64, index: usize) -> Result<(), Error> {
    find(context, |active| {
        active.selected.set(index);
        Ok(())
    })
}

/// Marks the call as a fault.
pub(crate) fn fail(context: u64) -> Result<(), Error> {
    find(context, |active| {
        active.failed.set(true);
        Ok(())
    })
}
