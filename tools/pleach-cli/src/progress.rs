//! A bar on the terminal for what takes longer than a second.

use crate::output::{is_terminal, say_styled};
use std::time::{Duration, Instant};

/// What takes less is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(100);
const WIDTH: u64 = 40;

/// A bar that shows itself if the work takes long, and only to people.
pub(crate) struct Progress {
    total: u64,
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Work of so many steps begins.
    pub(crate) fn new(total: u64) -> Self {
        Self { total, next: is_terminal().then(|| Instant::now() + PATIENCE), shown: false }
    }

    /// So many steps are done.
    pub(crate) fn at(&mut self, done: u64) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + PERIOD);
        self.shown = true;
        say_styled(&bar(done, self.total));
    }
}

/// The bar goes away when the work is done.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            say_styled("\r\x1b[K");
        }
    }
}

fn bar(done: u64, total: u64) -> String {
    let total = total.max(1);
    let full = (done.min(total) * WIDTH / total) as usize;
    format!("\r[{:<width$}] {:>3} %", "#".repeat(full), done.min(total) * 100 / total, width = WIDTH as usize)
}

#[cfg(test)]
mod tests {
    #[test]
    fn bars_fill() {
        assert_eq!(super::bar(0, 4), format!("\r[{}]   0 %", " ".repeat(40)));
        assert_eq!(super::bar(4, 4), format!("\r[{}] 100 %", "#".repeat(40)));
    }
}
