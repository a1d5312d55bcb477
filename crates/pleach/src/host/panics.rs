//! Panics of the host.
//!
//! The standard library can catch them, and then they are the fault of the agents that asked.
//! Without it there is no way to: a panic is what the game's panic handler makes of it.

/// The host has panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panicked;

/// Does work in which the host is called. If the host panics, the caller must finish the work.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(work)).map_err(over)
}

/// Drops the payload of a panic. That may panic as well. The second payload is not dropped,
/// because there might be no end.
#[cfg(feature = "std")]
#[cold]
fn over(thrown: alloc::boxed::Box<dyn core::any::Any + Send>) -> Panicked {
    let dropped = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| drop(thrown)));
    dropped.unwrap_or_else(core::mem::forget);
    Panicked
}

/// Does work in which the host is asked.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    Ok(work())
}

/// Panics again where the host has panicked in an earlier run, so that the result is the
/// same. The panic is not reported again. Without the standard library this is impossible,
/// and the function does nothing.
pub(crate) fn again() {
    #[cfg(feature = "std")]
    std::panic::resume_unwind(alloc::boxed::Box::new(()));
}
