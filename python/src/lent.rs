//! Calls that Python may use as long as they last.
//!
//! A call of the runtime borrows a chunk of a crowd, and Python objects cannot have lifetimes. So a
//! Python object gets a [`Lent`], which holds the call while a function of the host runs. When the
//! function has returned, the object is empty, and each use of it is an error. Python may hand the
//! object to any thread, so the object knows its own thread and refuses others.

#![expect(unsafe_code, reason = "a call is lent to an object of Python without its lifetime")]

use crate::batches::Batches;
use crate::errors::ErrorClass;
use pleach::Call;
use pyo3::prelude::*;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread::{self, ThreadId};

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
    type With<'a> = Batches<'a>;
}

/// Place for a call that is going on. It is empty before, afterwards, and while the call is in use.
pub(crate) struct Lent<L: Lendable> {
    /// Call; null if the place is empty. Only the thread of the call changes the pointer, so it
    /// needs no ordering.
    call: AtomicPtr<L::With<'static>>,
    /// Thread of the call.
    owner: ThreadId,
}

impl<L: Lendable> Lent<L> {
    /// Returns an empty place for calls of this thread.
    pub(crate) fn empty() -> Self {
        Self { call: AtomicPtr::new(ptr::null_mut()), owner: thread::current().id() }
    }

    fn put(&self, call: *mut L::With<'static>) {
        self.call.store(call, Ordering::Relaxed);
    }

    /// Does work during which the call can be used in this thread, which must be that of the place.
    pub(crate) fn during<'a, R>(&self, call: &mut L::With<'a>, work: impl FnOnce() -> R) -> R {
        /// Empties the place, also if the work panics.
        struct Emptied<'l, L: Lendable>(&'l Lent<L>);

        impl<L: Lendable> Drop for Emptied<'_, L> {
            fn drop(&mut self) {
                self.0.put(ptr::null_mut());
            }
        }

        assert_eq!(self.owner, thread::current().id(), "a call is lent in the thread of its place");
        self.put(ptr::from_mut(call).cast());
        let _emptied = Emptied(self);
        work()
    }

    /// Uses the call. Fails in another thread, if no call is going on, or if the call is in use
    /// already.
    pub(crate) fn with<R>(&self, work: impl for<'a> FnOnce(&mut L::With<'a>) -> PyResult<R>) -> PyResult<R> {
        /// Puts the call back, also if the work panics.
        struct Returned<'l, L: Lendable>(&'l Lent<L>, NonNull<L::With<'static>>);

        impl<L: Lendable> Drop for Returned<'_, L> {
            fn drop(&mut self) {
                self.0.put(self.1.as_ptr());
            }
        }

        if thread::current().id() != self.owner {
            return Err(ErrorClass::Busy.because("the call belongs to another thread"));
        }
        let Some(mut call) = NonNull::new(self.call.swap(ptr::null_mut(), Ordering::Relaxed)) else {
            return Err(ErrorClass::Busy.because("the call has ended, or is in use"));
        };
        let _returned = Returned(self, call);
        // SAFETY: `during` has a unique borrow of the call, which lasts until the place is emptied.
        // The place was not empty, so that borrow goes on. The place is empty now, so there is no
        // other reference. This is the thread of the place, in which `during` does its work, so
        // `during` does not end meanwhile. The work is generic over the lifetime, so the work
        // cannot keep or exchange references of the call.
        work(unsafe { call.as_mut() })
    }
}
