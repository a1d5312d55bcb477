//! What a crowd does with its host: told before, and when it is done.

use crate::agents::Agent;
use crate::crowd::To;
use crate::world::Event;
use core::ops::Range;

/// Something that a crowd begins or has done.
#[derive(Clone, Debug)]
pub enum Step<'a> {
    /// It begins with what is told next, which concerns one agent and what all share, if an agent is named. The host may have
    /// changed anything since it was told last.
    Begin(Option<Agent>),
    /// Agents of these chunks have been ticked.
    Ticked(Range<usize>),
    /// An event has happened that agents raised.
    Happened(Event),
    /// A tick has ended.
    Ended,
    /// The host has raised an event.
    Raised(Event, To),
    /// An agent has been despawned.
    Despawned(Agent),
    /// An agent has been reset.
    Reset(Agent),
    /// An agent has been switched to another tree, if there was room.
    Switched(Agent, &'a str),
    /// One agent has been ticked.
    TickedAgent(Agent),
    /// An agent has run another tree once.
    TickedEntry(Agent, &'a str),
}
