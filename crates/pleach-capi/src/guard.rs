//! Guards: one thread at a time, and no reentrance.
//!
//! A crowd is changed by one call at a time. A second call, from another thread or from a callback
//! of the first, is refused at once. After a panic the object can be read and freed, but no longer
//! changed.

use crate::status::{E_BUSY, E_POISONED, E_REENTRANT, Error};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Object that one thread at a time uses.
#[derive(Debug)]
pub(crate) struct Guarded<T> {
    /// Number of the thread that uses the object, or 0.
    owner: AtomicUsize,
    value: Mutex<T>,
}

impl<T> Guarded<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { owner: AtomicUsize::new(0), value: Mutex::new(value) }
    }

    /// Runs `work` with the object.
    pub(crate) fn write<R>(&self, work: impl FnOnce(&mut T) -> R) -> Result<R, Error> {
        match self.value.try_lock() {
            Ok(value) => Ok(self.work(value, work)),
            Err(TryLockError::WouldBlock) => Err(self.refusal()),
            Err(TryLockError::Poisoned(_)) => Err(E_POISONED.into()),
        }
    }

    /// Runs `work` with the object read-only, even if a panic has occurred.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&T) -> R) -> Result<R, Error> {
        match self.value.try_lock() {
            Ok(value) => Ok(self.work(value, |value| work(value))),
            Err(TryLockError::WouldBlock) => Err(self.refusal()),
            Err(TryLockError::Poisoned(poisoned)) => Ok(work(&poisoned.into_inner())),
        }
    }

    fn work<R>(&self, mut value: MutexGuard<'_, T>, work: impl FnOnce(&mut T) -> R) -> R {
        self.owner.store(here(), Ordering::Relaxed);
        let result = work(&mut value);
        self.owner.store(0, Ordering::Relaxed);
        result
    }

    /// If this thread is the owner, it reads the number that it has written itself. The number of
    /// another thread never equals its own.
    fn refusal(&self) -> Error {
        if self.owner.load(Ordering::Relaxed) == here() { E_REENTRANT.into() } else { E_BUSY.into() }
    }
}

/// Returns a number for this thread other than 0.
fn here() -> usize {
    thread_local! {
        static MARK: u8 = const { 0 };
    }
    MARK.with(|mark| (&raw const *mark).addr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn who_is_second_is_refused() {
        let guarded = Guarded::new(1);
        let outcome = guarded.write(|_| {
            let inside = guarded.write(|_| ()).expect_err("it is in use").status;
            let beside = std::thread::scope(|scope| {
                scope.spawn(|| guarded.read(|_| ()).expect_err("it is in use").status).join()
            });
            (inside, beside.ok())
        });
        assert_eq!(outcome.ok(), Some((E_REENTRANT, Some(E_BUSY))));
        assert!(guarded.write(|_| ()).is_ok(), "afterwards it is free");
    }

    #[test]
    fn what_a_panic_has_left_is_read_only() {
        let guarded = Guarded::new(1);
        let thrown =
            catch_unwind(AssertUnwindSafe(|| guarded.write(|_| std::panic::resume_unwind(Box::new(1)))));
        assert!(thrown.is_err());
        assert_eq!(guarded.write(|_| ()).expect_err("it is poisoned").status, E_POISONED);
        assert_eq!(guarded.read(|value| *value).ok(), Some(1));
    }
}
