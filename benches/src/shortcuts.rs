//! What each shortcut of the engines is worth: the same tree with all shortcuts and with all but one, measured in turns.

use crate::linking::with_shortcuts;
use crate::measure::Runner;
use crate::system::Named;
use pleach::{Shortcut, Shortcuts};

/// A system for one engine, made anew for each set of shortcuts.
pub type Make<'a> = &'a dyn Fn() -> Named;

/// How many times as long a tick takes without a shortcut.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// The shortcut that is left out.
    pub shortcut: Shortcut,
    /// Time without the shortcut, divided by the time with all.
    pub ratio: f64,
}

/// Measures a system with all shortcuts, and without each of these: nanoseconds of an agent's tick with all, and the ratios.
#[must_use]
pub fn worths(
    make: Make<'_>,
    shortcuts: &[Shortcut],
    measure: impl FnOnce(Vec<Named>) -> Vec<Runner>,
) -> (f64, Vec<Worth>) {
    let all = core::iter::once(Shortcuts::ALL);
    let sets = all.chain(shortcuts.iter().map(|shortcut| Shortcuts::ALL.without(*shortcut)));
    let runners = measure(sets.map(|set| with_shortcuts(set, make)).collect());
    let with_all = runners[0].nanos();
    let worth = |(shortcut, without): (&Shortcut, &Runner)| Worth {
        shortcut: *shortcut,
        ratio: without.nanos() / with_all,
    };
    (with_all, shortcuts.iter().zip(&runners[1..]).map(worth).collect())
}
