//! Variables of each agent, variables that agents share, and types whose values have names.

use super::{Enum, NodeIndex, Scope, SlotKind};
use crate::text::Sym;

/// State of agents that are at a rule, besides the rule itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The bit slot that says whether the rule has been run since the agent came there.
    pub ran: u16,
    /// Largest number of rules that run in a tick.
    pub limit: u16,
}

/// A slot of an agent's frame.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Type of the slot.
    pub kind: SlotKind,
    /// The name by which hosts reach it; none for the machine's own.
    pub name: Option<Sym>,
    /// Initial value: a boolean, an integer, the bits of a float, or the index of a text in
    /// [`Module::texts`](super::Module::texts). Zero if the slot is no variable.
    pub init: u64,
    /// If true, a reset of the agent's behavior clears the slot.
    pub reset: bool,
    /// The node it belongs to, for slots of a node.
    pub node: Option<NodeIndex>,
}

/// A variable of a group or the world.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    /// The name by which hosts reach it.
    pub name: Sym,
    /// Type of the variable: a bit or a number.
    pub kind: SlotKind,
    /// Whose it is.
    pub scope: Scope,
    /// Initial value, in the form of [`Slot::init`].
    pub init: u64,
}

/// Limit of the number of agents inside a node at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limiter {
    /// Largest number of agents inside.
    pub places: u32,
    /// The node: an agent is inside while something runs in its subtree.
    pub node: NodeIndex,
    /// Bit slot: true for agents that want to enter.
    pub wants: u16,
    /// Bit slot: true for agents that may enter next.
    pub granted: u16,
}

/// Interruption of agents within a tick. While the bit is set, no composite and no node that holds
/// a position begins or continues: the agent is put at the node, and the node runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// The bit: index in [`Module::slots`](super::Module::slots).
    pub bit: u16,
    /// The first node at which an agent was interrupted: index in
    /// [`Module::slots`](super::Module::slots), of kind [`SlotKind::NodeSet`] for one. The driver
    /// that interrupts agents empties it.
    pub first: u16,
}

/// Limit of the number of agents inside some nodes at a time. Agents are let in at once or not at
/// all.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Largest number of agents inside.
    pub places: u32,
    /// Among whom they are counted.
    pub scope: Scope,
    /// Bit slot: true for agents that are inside.
    pub inside: u16,
}

/// Notes that variables have changed: slots of kind [`SlotKind::Bit`].
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    /// A variable of the agent with a name, of kind [`SlotKind::Bit`], has been given another
    /// value.
    pub live: u16,
    /// Value of `live` when the tick began. `live` was then set to false.
    pub before: u16,
}

/// The enums of a program.
#[derive(Clone, Debug, Default)]
pub struct Enums {
    /// Types whose values have names.
    pub list: Vec<Enum>,
    /// Members of these types: names and numbers.
    pub members: Vec<(Sym, i32)>,
    /// Everything that has one of these types, with the index in `list`.
    pub typed: Vec<(Typed, u32)>,
}

impl Enums {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        clear!(self => list members typed);
    }
}

/// Variable that games change within a range, and trees do not set.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The slot or shared variable.
    pub variable: Typed,
    /// True if the value is a duration in units of time.
    pub is_duration: bool,
    /// Least and greatest value, as bits of a variable.
    pub range: (u32, u32),
}

/// Something whose values are those of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typed {
    /// Index in [`super::Module::slots`].
    Slot(u16),
    /// Index in [`super::Module::shared`].
    Shared(u16),
    /// Parameter of a host function: index in [`super::Module::imports`], and its number.
    Parameter(u32, u32),
    /// Answer of a query: index in [`super::Module::imports`].
    Answer(u32),
}
