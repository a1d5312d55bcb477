//! The options of a view, and the first message to a page, which says what the page may ask for.

use crate::command::{CHANGING, CLOCK, LOOKING};
use crate::messages::{Hello, text};
use crate::scene::Scene;
use std::sync::Arc;

/// Version of the protocol.
const PROTOCOL: u32 = 1;

/// Options of a view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Ticks a second if the view keeps the clock; 0 for as many as can be.
    ///
    /// Pages can then pause and step the crowd, and the host asks [`View::due`](crate::View::due).
    /// Without it, the host ticks when it likes.
    pub clock: Option<f64>,
    /// True for a recording, see [`View::replay`](crate::View::replay).
    pub recording: bool,
    /// Lists and counts all agents from the first tick, though no page is connected.
    /// `spec/view.md` says what that costs.
    pub history: bool,
}

impl Options {
    /// Returns the first message to a page. `mode` is `live`, `recording` or `export`.
    pub(crate) fn hello(self, scene: &Scene, mode: &str) -> Arc<str> {
        let mut can = LOOKING.to_vec();
        if mode == "export" {
            can.truncate(2);
        } else {
            can.extend(self.clock.iter().flat_map(|_| CLOCK));
            can.extend(CHANGING.iter().filter(|_| !self.recording));
        }
        let version = env!("CARGO_PKG_VERSION");
        text("hello", &Hello { protocol: PROTOCOL, version, title: &scene.title, mode, can })
    }
}
