//! Editing as the host sees it: commands that arrive, answers, and messages about the texts.

use crate::desk::View;
use crate::editing::{EditMessage, EditRequest};
use crate::messages::{answer_with, text};
use crate::outbox::Slot;
use serde::Serialize;

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
