//! Timers of a bot, for versions that keep them themselves.

/// Times at which timers are due again, in milliseconds of game time; zero at the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timers([i32; 6]);

/// Warns that ammunition runs out.
pub const WARNING: usize = 0;
/// Says something unkind.
pub const GLOAT: usize = 1;
/// Runs away.
pub const FLEE: usize = 2;
/// Throws a grenade.
pub const GRENADE_THROW: usize = 3;
/// Goes to a building site.
pub const SITE: usize = 4;
/// Calls the others.
pub const RUSH_CALL: usize = 5;

impl Timers {
    /// Returns true if the timer's child may be tried.
    #[inline(always)]
    #[must_use]
    pub fn is_due(&self, timer: usize, now: i32) -> bool {
        now > self.0[timer]
    }

    /// The child has failed: no other try for `duration`.
    #[inline(always)]
    pub fn arm(&mut self, timer: usize, now: i32, duration: i32) {
        self.0[timer] = now.saturating_add(duration);
    }
}
