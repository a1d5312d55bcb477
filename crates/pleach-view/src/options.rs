//! Options of a view, and the first message to a page, which lists the allowed commands.

use crate::command::{CHANGING, CLOCK, LOOKING};
use crate::editing::EDITING;
use crate::messages::{Hello, text};
use crate::scene::Scene;
use std::sync::Arc;

/// Version of the protocol.
const PROTOCOL: u32 = 1;

/// Options of a view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Ticks a second if the view keeps the clock; 0 for as fast as possible.
    ///
    /// Pages can then pause and step the crowd, and the host asks [`View::due`](crate::View::due).
    /// If `None`, the host decides when it ticks.
    pub clock: Option<f64>,
    /// True for a recording, see [`View::replay`](crate::View::replay).
    pub recording: bool,
    /// If true, lists and counts all agents from the first tick, even if no page is connected.
    /// `spec/view.md` describes the cost.
    pub history: bool,
    /// If true, other pages can show the page in a frame, as editors do. Such a page needs the
    /// address with the token.
    pub framed: bool,
    /// If true, pages can send commands of editing, which the host carries out, see
    /// [`View::edit_requests`](crate::View::edit_requests).
    pub editing: bool,
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
            can.extend(EDITING.iter().filter(|_| self.editing));
        }
        let version = env!("CARGO_PKG_VERSION");
        text("hello", &Hello { protocol: PROTOCOL, version, title: &scene.title, mode, can })
    }
}
