//! Calls that are going on, and how callbacks reach them.
//!
//! A callback gets a number for its call, and hands it back to ask for arguments or to write variables. The number is found among the
//! calls that this thread is in the midst of, and no other: so one that was kept is refused instead of meaning something else.

use crate::status::{E_STALE, Error};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use pleach::{Batch, Call, Value};

/// A call that is going on.
pub(crate) struct Active {
    context: u64,
    subject: Subject,
    /// Which of the agents of a call for many is meant.
    selected: Cell<usize>,
    failed: Cell<bool>,
    /// The call around it: a callback may tick another crowd.
    around: *const Self,
}

/// A call, without the lifetime that it has.
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

/// Threads take numbers by blocks, so that no two calls of a process have the same.
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

/// Ends the innermost call.
struct End(*const Active);

impl Drop for End {
    fn drop(&mut self) {
        INNERMOST.set(self.0);
    }
}

/// Lets a callback run with a number for its call. Tells whether the callback wants the call to be a fault.
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
    // SAFETY: what is innermost stands in `during`, further down this thread's stack, until `End` takes it out; and so does all
    // that is around it.
    while let Some(found) = unsafe { active.as_ref() } {
        if found.context == context {
            return with(found);
        }
        active = found.around;
    }
    Err(E_STALE.into())
}

/// Works with a call for one agent, or for the selected one of many.
pub(crate) fn call<R>(
    context: u64,
    work: impl FnOnce(&mut Call<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    find(context, |active| match active.subject {
        // SAFETY: the call is going on, in the hands of a callback, which has handed it back to us. `work` is ours and calls nobody.
        Subject::One(call) => work(unsafe { &mut *call.cast::<Call<'_>>() }),
        Subject::Many(batch) => {
            // SAFETY: as above.
            let batch = unsafe { &mut *batch.cast::<Batch<'_>>() };
            batch.call(active.selected.get()).ok_or(E_STALE.into()).and_then(|mut call| work(&mut call))
        }
    })
}

/// An argument. In a call for many it is the same for all, and found at once, unless it may be a variable, which stands for 0.
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

/// Works with a call for many agents; one for one is one for many.
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

/// Says which of the agents of a call for many is meant.
pub(crate) fn select(context: u64, index: usize) -> Result<(), Error> {
    find(context, |active| {
        active.selected.set(index);
        Ok(())
    })
}

/// Says that the call is to be a fault.
pub(crate) fn fail(context: u64) -> Result<(), Error> {
    find(context, |active| {
        active.failed.set(true);
        Ok(())
    })
}
