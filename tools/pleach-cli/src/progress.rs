//! Progress bar on a terminal for work of more than a second: the finished share and the remaining
//! time.

use crate::output::{is_terminal, say_styled};
use std::time::{Duration, Instant};

/// Time before a progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(100);
const WIDTH: u64 = 40;

/// Progress bar that appears only on a terminal, and only if the work takes long.
pub(crate) struct Progress {
    total: u64,
    begun: Instant,
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Starts work of the given number of steps.
    pub(crate) fn new(total: u64) -> Self {
        let begun = Instant::now();
        Self { total, begun, next: is_terminal().then(|| begun + PATIENCE), shown: false }
    }

    /// Returns a bar that never appears, for work that prints by itself.
    pub(crate) fn none() -> Self {
        Self { total: 0, begun: Instant::now(), next: None, shown: false }
    }

    /// Sets the number of finished steps.
    pub(crate) fn at(&mut self, done: u64) {
        self.tell(done, |_| String::new());
    }

    /// Sets the number of finished steps. If the bar is drawn now, `note` gets the time since the
    /// beginning and returns a text that stands behind the bar.
    pub(crate) fn tell(&mut self, done: u64, note: impl FnOnce(Duration) -> String) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + PERIOD);
        self.shown = true;
        let took = now - self.begun;
        say_styled(&bar(done, self.total, took, &note(took)));
    }
}

/// Removes the bar when the work has ended.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            say_styled("\r\x1b[K");
        }
    }
}

fn bar(done: u64, total: u64, took: Duration, note: &str) -> String {
    let total = total.max(1);
    let done = done.min(total);
    let full = (done * WIDTH / total) as usize;
    let rest = took.as_secs_f64() * (total - done) as f64 / done.max(1) as f64;
    let rest = if done == 0 { String::new() } else { format!(", {} left", duration(rest)) };
    let percent = done * 100 / total;
    format!("\r[{:<width$}] {percent:>3} %{rest}{note}\x1b[K", "#".repeat(full), width = WIDTH as usize)
}

/// Returns a duration in seconds in words, rounded up: `7 s`, `2 min 5 s`, `3 h 20 min`.
fn duration(seconds: f64) -> String {
    match seconds.ceil() as u64 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_and_tell_the_rest() {
        let bar = |done| bar(done, 4, Duration::from_secs(30), "");
        assert_eq!(bar(0), format!("\r[{}]   0 %\x1b[K", " ".repeat(40)));
        assert_eq!(bar(1), format!("\r[{:<40}]  25 %, 1 min 30 s left\x1b[K", "#".repeat(10)));
        assert_eq!(bar(4), format!("\r[{}] 100 %, 0 s left\x1b[K", "#".repeat(40)));
    }

    #[test]
    fn durations_are_told_in_two_units() {
        assert_eq!(
            [0.2, 59.5, 3599.0, 12_000.0].map(duration),
            ["1 s", "1 min 0 s", "59 min 59 s", "3 h 20 min"]
        );
    }
}
