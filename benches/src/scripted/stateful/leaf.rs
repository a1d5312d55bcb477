//! Leaves and decorators of the game.

use super::node::{Base, Behavior, Status, Walk};
use crate::scripted::leaves::Slot;

/// Value that a leaf of the game reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Constant(Slot),
    /// Value of an entry.
    Entry(usize),
    /// Value of an entry. Without a value, the tick of the agent is cut short.
    Needed(usize),
    /// No value: the tick of the agent is cut short.
    Unreadable,
    /// True if an entry has a value.
    HasValue(usize),
}

/// Entry that a leaf of the game writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub(super) place: usize,
    pub(super) entry: usize,
    /// Returns the value of the entry that stands for a number.
    pub(super) value: fn(u32) -> Slot,
}

/// Action of the game, and the entries that it reads and writes.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) function: u32,
    pub(super) sources: Vec<Source>,
    pub(super) outputs: Vec<Output>,
}

impl Site {
    /// Asks the game.
    fn ask<const TRACE: bool>(&self, walk: &mut Walk<'_, TRACE>) -> Status {
        walk.arguments.clear();
        for source in &self.sources {
            walk.arguments.push(match *source {
                Source::Constant(value) => value,
                Source::Entry(entry) => walk.board[entry],
                Source::Needed(entry) if walk.board[entry] != Slot::Nothing => walk.board[entry],
                Source::Needed(_) | Source::Unreadable => walk.cut_short(),
                Source::HasValue(entry) => Slot::Truth(walk.board[entry] != Slot::Nothing),
            });
        }
        walk.leaves.note_arguments(walk.agent, walk.arguments);
        let status = walk.leaves.status(self.function, walk.agent, 0);
        for Output { place, entry, value } in &self.outputs {
            walk.board[*entry] = value(walk.leaves.given(walk.agent, *place));
        }
        match status {
            pleach::Status::Success => Status::Success,
            pleach::Status::Running => Status::Running,
            pleach::Status::Failure | pleach::Status::Other(_) => Status::Failure,
        }
    }
}

/// Condition, or action that never runs: the game is asked at each tick.
#[derive(Debug)]
pub(super) struct Instant(pub(super) Site);

impl<const TRACE: bool> Behavior<TRACE> for Instant {
    fn tick(&mut self, _: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        self.0.ask(walk)
    }
}

/// Action that may run. When it has completed, it is not asked again before it is reset.
#[derive(Debug)]
pub(super) struct Lasting(pub(super) Site);

impl<const TRACE: bool> Behavior<TRACE> for Lasting {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if base.status.is_completed() { base.status } else { self.0.ask(walk) }
    }

    fn halt(&mut self, _: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        walk.leaves.halted(self.0.function, walk.agent);
    }
}

/// Decorator of the game: the game says if the child is ticked.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) site: Site,
    /// True if the game is asked also while the child runs.
    pub(super) always: bool,
}

impl<const TRACE: bool> Behavior<TRACE> for Asked {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        let mut status = Status::Success;
        if self.always || base.child().base.status != Status::Running {
            status = self.site.ask(walk);
        }
        if status == Status::Success {
            status = base.child().execute(walk);
        }
        if status.is_completed() {
            base.reset_completed(walk);
        }
        status
    }
}
