//! Clock of the view: decides when a crowd is ticked.

use std::time::{Duration, Instant};

/// Maximum number of ticks of one step command.
pub(crate) const MOST_STEPS: i64 = 10_000;
/// Maximum rate in ticks a second.
pub(crate) const MOST_RATE: f64 = 1_000.0;

#[derive(Debug)]
pub(crate) struct Clock {
    paused: bool,
    /// Ticks a second; 0 for as fast as possible.
    rate: f64,
    /// Time at which the next tick is due.
    next: Instant,
    /// Ticks left before the clock pauses again. Negative ticks go back.
    steps: i64,
}

impl Clock {
    pub(crate) fn new(rate: f64) -> Self {
        Self { paused: false, rate, next: Instant::now(), steps: 0 }
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    pub(crate) fn pause(&mut self) {
        (self.paused, self.steps) = (true, 0);
    }

    pub(crate) fn resume(&mut self) {
        (self.paused, self.steps, self.next) = (false, 0, Instant::now());
    }

    pub(crate) fn set_rate(&mut self, rate: f64) {
        (self.rate, self.next) = (rate, Instant::now());
    }

    pub(crate) fn step(&mut self, ticks: i64) {
        (self.paused, self.steps) = (true, ticks);
    }

    /// Returns the time until the next tick is due; `None` if the clock is paused.
    pub(crate) fn until(&self) -> Option<Duration> {
        if self.steps != 0 {
            return Some(Duration::ZERO);
        }
        (!self.paused).then(|| self.next.saturating_duration_since(Instant::now()))
    }

    /// Takes a tick if one is due. Returns the direction: 1, or -1 for back.
    pub(crate) fn due(&mut self) -> Option<i64> {
        if self.steps != 0 {
            let step = self.steps.signum();
            self.steps -= step;
            return Some(step);
        }
        if self.until() != Some(Duration::ZERO) {
            return None;
        }
        let period = if self.rate > 0.0 { Duration::from_secs_f64(1.0 / self.rate) } else { Duration::ZERO };
        // At most one missed tick is caught up.
        self.next = (self.next + period).max(Instant::now().checked_sub(period).unwrap_or(self.next));
        Some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_in_a_pause() {
        let mut clock = Clock::new(0.0);
        assert_eq!(clock.due(), Some(1));
        clock.step(-2);
        assert_eq!([clock.due(), clock.due(), clock.due()], [Some(-1), Some(-1), None]);
        clock.resume();
        assert_eq!(clock.due(), Some(1));
        clock.pause();
        assert_eq!((clock.due(), clock.until()), (None, None));
    }

    #[test]
    fn a_rate_spreads_ticks() {
        // One tick in ten minutes, so the second tick is not due.
        let mut clock = Clock::new(1.0 / 600.0);
        assert_eq!([clock.due(), clock.due()], [Some(1), None]);
        assert!(clock.until().is_some_and(|until| until > Duration::from_secs(60)));
    }
}
