//! Programs that are linked with all of the engines' shortcuts, or without some of them.

use pleach::{Host, Image, Program, Shortcuts};
use std::cell::Cell;

thread_local! {
    static SHORTCUTS: Cell<Shortcuts> = const { Cell::new(Shortcuts::ALL) };
}

/// Links an image with the shortcuts that [`with_shortcuts`] has named.
///
/// # Panics
/// If the host lacks a function of the image.
#[must_use]
pub fn link(image: &Image, host: &dyn Host) -> Program {
    Program::link_with(image, host, SHORTCUTS.get()).unwrap_or_else(|error| panic!("{error}"))
}

/// Makes systems whose programs are linked with these shortcuts.
pub fn with_shortcuts<T>(shortcuts: Shortcuts, make: impl FnOnce() -> T) -> T {
    let before = SHORTCUTS.replace(shortcuts);
    let made = make();
    SHORTCUTS.set(before);
    made
}
