//! Calls that Python may use as long as they last.
//!
//! A call of the runtime borrows a chunk of a crowd, and Python objects cannot have lifetimes. So a
//! Python object gets a [`Lent`], which holds the call while a function of the host runs. When the
//! function has returned, the object is empty, and each use of it is an error.

#![expect(unsafe_code, reason = "a call is lent to an object of Python without its lifetime")]

use crate::errors::ErrorClass;
use pleach::{Batch, Call};
use pyo3::prelude::*;
use std::cell::Cell;
use std::ptr::NonNull;

/// Type that can be lent, with any lifetime.
pub(crate) trait Lendable {
    /// The type with a lifetime.
    type With<'a>;
}

/// Call for one agent.
pub(crate) struct OneCall;

/// Call for many agents.
pub(crate) struct ManyCall;

impl Lendable for OneCall {
    type With<'a> = Call<'a>;
}

impl Lendable for ManyCall {
    type With<'a> = Batch<'a>;
}

/// Place for a call that is going on. It is empty before, afterwards, and while the call is in use.
pub(crate) struct Lent<L: Lendable>(Cell<Option<NonNull<L::With<'static>>>>);

impl<L: Lendable> Lent<L> {
    pub(crate) fn empty() -> Self {
        Self(Cell::new(None))
    }

    /// Does work during which the call can be used.
    pub(crate) fn during<'a, R>(&self, call: &mut L::With<'a>, work: impl FnOnce() -> R) -> R {
        /// Empties the place, also if the work panics.
        struct Emptied<'l, L: Lendable>(&'l Lent<L>);

        impl<L: Lendable> Drop for Emptied<'_, L> {
            fn drop(&mut self) {
                self.0.0.set(None);
            }
        }

        self.0.set(Some(NonNull::from(call).cast()));
        let _emptied = Emptied(self);
        work()
    }

    /// Uses the call. Fails if no call is going on, or if the call is in use already.
    pub(crate) fn with<R>(&self, work: impl for<'a> FnOnce(&mut L::With<'a>) -> PyResult<R>) -> PyResult<R> {
        /// Puts the call back, also if the work panics.
        struct Returned<'l, L: Lendable>(&'l Lent<L>, NonNull<L::With<'static>>);

        impl<L: Lendable> Drop for Returned<'_, L> {
            fn drop(&mut self) {
                self.0.0.set(Some(self.1));
            }
        }

        let Some(mut call) = self.0.take() else {
            return Err(ErrorClass::Busy.because("the call has ended, or is in use"));
        };
        let _returned = Returned(self, call);
        // SAFETY: `during` has a unique borrow of the call, which lasts until the place is emptied.
        // The place was not empty, so that borrow goes on. The place is empty now, so there is no
        // other reference. The place is not sent to other threads, so `during` does not end
        // meanwhile. The work is generic over the lifetime, so the work cannot keep or exchange
        // references of the call.
        work(unsafe { call.as_mut() })
    }
}
