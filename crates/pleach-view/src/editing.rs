//! Commands by which pages edit trees. The view passes them on; the host carries them out, because
//! it has the texts and the compiler.

use crate::desk::View;
use crate::messages::{answer_with, text};
use crate::outbox::Slot;
use serde::Serialize;

/// Names of the commands of editing, see `spec/view.md`.
pub(crate) const EDITING: [&str; 8] = ["edit", "text", "undo", "redo", "save", "take", "keep", "form"];

/// Command of a page that edits trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRequest {
    /// Number of the page.
    pub(crate) peer: u64,
    /// Number that the answer repeats.
    pub(crate) id: Option<u64>,
    /// The command, a JSON object with the name of the command in the field `do`.
    pub json: String,
}

/// Kind of a message about the edited texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditMessage {
    /// The texts and their states.
    Sources,
    /// Words and names that can be written.
    Palette,
}

impl View {
    /// Returns the commands of editing that have arrived, and removes them from the queue. Each
    /// must get an answer by [`View::respond`]. There are none unless
    /// [`Options::editing`](crate::Options::editing) is set.
    pub fn edit_requests(&mut self) -> Vec<EditRequest> {
        self.hub.take_edits()
    }

    /// Answers a command of editing. `details` is an object whose fields become fields of the
    /// answer. A page that has gone gets nothing.
    pub fn respond(&self, request: &EditRequest, done: Result<(), String>, details: &impl Serialize) {
        let peer = self.hub.peers().into_iter().find(|peer| peer.id == request.peer);
        if let Some(peer) = peer.filter(|_| request.id.is_some()) {
            peer.outbox.answer(answer_with(request.id, done, details));
        }
    }

    /// Sends a message about the edited texts to all pages, and to each page that connects later.
    pub fn announce(&self, kind: EditMessage, fields: &impl Serialize) {
        match kind {
            EditMessage::Sources => self.hub.announce(Slot::Sources, &text("sources", fields)),
            EditMessage::Palette => self.hub.announce(Slot::Palette, &text("palette", fields)),
        }
    }

    /// Returns the number of the program that pages are shown. It grows with each reload.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }
}
