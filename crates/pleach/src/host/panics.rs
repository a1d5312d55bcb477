//! Panics of the host.
//!
//! The standard library can catch them, and then they are the fault of the agents that asked.
//! Without it there is no way to: a panic is what the game's panic handler makes of it.

/// The host has panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panicked;

/// Does work in which the host is asked. What it leaves half done is the caller's to mend.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(work)).map_err(over)
}

/// Drops what was thrown. That may panic as well; what is thrown then is left
/// alone, or there might be no end.
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

/// The host has panicked before, and what is run again shall come to the same. Nobody is told of it
/// once more. Without the standard library that cannot be had, and this does nothing.
pub(crate) fn again() {
    #[cfg(feature = "std")]
    std::panic::resume_unwind(alloc::boxed::Box::new(()));
}
