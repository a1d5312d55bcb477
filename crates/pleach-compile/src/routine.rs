//! Code of nodes that keep a status of their own between ticks.
//!
//! The behavior of such a node is a short list of operations, so that a dialect with many kinds of
//! node brings lists, and the later stages know one kind of node. Operations go forward, except
//! [`Operation::Again`].

/// Number of exits of a node: failure, success, running, any other status.
const EXITS: usize = 4;

/// Index of an operation in its list. The number of operations stands for the end of the list.
pub type Target = u32;

/// Code of a node that keeps a status of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routine {
    /// Operations of a tick of the node. The last one that is reached is [`Operation::End`] or
    /// [`Operation::Fault`].
    pub tick: Vec<Operation>,
    /// Operations that halt the node. They end behind the last one.
    pub halt: Vec<Operation>,
}

/// Most operations of a halt that stands at each place where the node is halted.
const SHORT: usize = 3;

impl Routine {
    /// Returns true if the halt stands at each place where the node is halted.
    pub(crate) fn has_short_halt(&self) -> bool {
        let inside = |it: &Operation| matches!(it, Operation::Halt(_) | Operation::Tick(..));
        self.halt.len() <= SHORT && !self.halt.iter().any(inside)
    }

    /// Returns true if the routine has a loop.
    pub(crate) fn has_loop(&self) -> bool {
        self.tick.iter().any(|operation| matches!(operation, Operation::Loop(_)))
    }

    /// Returns the sites of the routine.
    pub(crate) fn sites(&self) -> impl Iterator<Item = &u32> {
        self.tick.iter().chain(&self.halt).filter_map(|operation| match operation {
            Operation::Act { call, .. } | Operation::Stop(call) => Some(call),
            _ => None,
        })
    }
}

/// Operation of a [`Routine`]. Other nodes are named by their distance in pre-order from the node
/// of the routine, variables by their index in the file, in a module by their index in
/// [`slots`](crate::ir::Module::slots).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// Goes on at the target.
    Jump(Target),
    /// Goes on at the target unless the condition is true: index of an expression.
    Unless(u32, Target),
    /// Goes on at the target if the other status has this number.
    IfOther(i32, Target),
    /// Writes the value of an expression to a variable.
    Set(u32, u32),
    /// Notes the time in a variable of kind [`Moment`](crate::ast::SlotKind::Moment), or notes that
    /// the moment is over.
    Note(u32, bool),
    /// Ticks another node, and goes on at the target of its exit.
    Tick(u32, [Target; EXITS]),
    /// Halts another node.
    Halt(u32),
    /// Asks the host to act, and goes on at the target of the answer.
    Act {
        /// Index in [`File::calls`](crate::ast::File::calls); in a module, of a site.
        call: u32,
        /// True if the action begins.
        fresh: bool,
        /// Targets by exit.
        to: [Target; EXITS],
    },
    /// Tells the host that the action of a call is halted.
    Stop(u32),
    /// Begins a loop. Loops do not stand in each other.
    Loop(u16),
    /// Goes on behind the loop, as often as the loop allows, else at the next operation.
    Again,
    /// Ends the tick of the node with an exit.
    End(usize),
    /// Sets the other status, and ends the tick of the node with it.
    EndOther(i32),
    /// Ends the agent's tick with a fault.
    Fault,
}

impl Operation {
    /// Changes all targets.
    pub(crate) fn map_targets(&mut self, map: impl Fn(Target) -> Target) {
        match self {
            Self::Jump(to) | Self::Unless(_, to) | Self::IfOther(_, to) => *to = map(*to),
            Self::Tick(_, to) | Self::Act { to, .. } => *to = to.map(map),
            Self::Set(..)
            | Self::Note(..)
            | Self::Halt(_)
            | Self::Stop(_)
            | Self::Loop(_)
            | Self::Again
            | Self::End(_)
            | Self::EndOther(_)
            | Self::Fault => {}
        }
    }

    /// Returns the distance of the node that the operation ticks.
    pub(crate) fn ticks(&self) -> Option<u32> {
        if let Self::Tick(distance, _) = self { Some(*distance) } else { None }
    }
}
