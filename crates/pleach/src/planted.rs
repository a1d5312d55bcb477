//! Bugs that tests plant in the engines, to see that they are found and that
//! the counterexample is small.
//!
//! Only a build with `--cfg pleach_planted` in `RUSTFLAGS` can have a bug. It is no feature, which
//! another package might switch on. In all other builds [`is`] is false when compiled, and nothing
//! is left of the places that ask.

/// A bug.
#[cfg_attr(not(pleach_planted), expect(unreachable_pub, reason = "only builds that can have bugs export it"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// An action's failure leaves by the exit of its success.
    SwappedExit,
    /// A timer is due a millisecond late.
    LateTimer,
    /// The host is not told that a running action is halted.
    ForgottenHalt,
    /// The mask of the lanes that end by an exit keeps them for the next tick.
    StaleMask,
    /// The right side of `&&` and `||` is evaluated although the left side decides.
    LostShortCircuit,
    /// A parallel needs one more branch than its count.
    ParallelCount,
    /// A state is restored without the flags of agents.
    DroppedSlot,
    /// A count of ticks ends one tick early.
    ShortCount,
    /// A limiter lets every agent in.
    OpenLimit,
    /// Of equal scores, the last one is the best.
    TiedScores,
}

#[cfg(pleach_planted)]
impl Bug {
    /// All bugs.
    pub const ALL: [Self; 10] = [
        Self::SwappedExit,
        Self::LateTimer,
        Self::ForgottenHalt,
        Self::StaleMask,
        Self::LostShortCircuit,
        Self::ParallelCount,
        Self::DroppedSlot,
        Self::ShortCount,
        Self::OpenLimit,
        Self::TiedScores,
    ];
}

/// Returns true if the engines have this bug.
#[cfg(not(pleach_planted))]
#[inline(always)]
pub(crate) const fn is(_: Bug) -> bool {
    false
}

#[cfg(pleach_planted)]
pub(crate) use planting::is;
#[cfg(pleach_planted)]
pub use planting::with;

#[cfg(pleach_planted)]
mod planting {
    use super::Bug;
    use core::cell::Cell;

    std::thread_local! {
        static PLANTED: Cell<Option<Bug>> = const { Cell::new(None) };
    }

    /// Runs `work` on this thread while the engines have a bug.
    pub fn with<T>(bug: Bug, work: impl FnOnce() -> T) -> T {
        /// Takes the bug out, whatever happens.
        struct Mended;
        impl Drop for Mended {
            fn drop(&mut self) {
                PLANTED.set(None);
            }
        }
        PLANTED.set(Some(bug));
        let _mended = Mended;
        work()
    }

    /// Returns true if the engines have this bug.
    pub(crate) fn is(bug: Bug) -> bool {
        PLANTED.get() == Some(bug)
    }
}
