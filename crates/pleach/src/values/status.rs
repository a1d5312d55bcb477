//! Statuses, outcomes and faults.

use core::fmt;
use pleach_image::isa::{FAILURE, OTHER, RUNNING, SUCCESS};

/// End of a tick beside the four exits: a panic of the host.
pub(crate) const PANIC: u8 = 4;
/// End of a tick in which a loop has begun again too often.
pub(crate) const SPENT: u8 = 5;
/// No tick has ended yet.
pub(crate) const NEVER: u8 = 6;

/// Status of an action or of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The action or tree has failed.
    Failure,
    /// The action or tree has succeeded.
    Success,
    /// The action or tree continues in the next tick.
    Running,
    /// Status of the host with a number of its own. Only some dialects give it a meaning.
    Other(i32),
}

impl Status {
    /// Returns the exit that stands for the status, and the number of a status outside the three.
    #[inline(always)]
    pub(crate) fn exit(self) -> (u8, i32) {
        match self {
            Self::Failure => (FAILURE, 0),
            Self::Success => (SUCCESS, 0),
            Self::Running => (RUNNING, 0),
            Self::Other(number) => (OTHER, number),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure => out.write_str("failure"),
            Self::Success => out.write_str("success"),
            Self::Running => out.write_str("running"),
            Self::Other(number) => write!(out, "status {number}"),
        }
    }
}

/// Outcome of an agent's tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The tick has ended with this status.
    Status(Status),
    /// The tick was cut short. The agent's frame stays as it was at that moment. The host decides
    /// whether to tick, reset or despawn the agent.
    Fault(Fault),
}

impl Outcome {
    /// Returns the end that stands for the outcome, and the number of a status outside the three.
    pub(crate) fn end(self) -> (u8, i32) {
        match self {
            Self::Status(status) => status.exit(),
            Self::Fault(Fault::Panic) => (PANIC, 0),
            Self::Fault(Fault::Fuel) => (SPENT, 0),
        }
    }

    /// Returns the outcome that an end stands for. `other` is the number
    /// of a status outside the three.
    pub(crate) fn of(end: u8, other: i32) -> Option<Self> {
        Some(match end {
            FAILURE => Self::Status(Status::Failure),
            SUCCESS => Self::Status(Status::Success),
            RUNNING => Self::Status(Status::Running),
            OTHER => Self::Status(Status::Other(other)),
            PANIC => Self::Fault(Fault::Panic),
            SPENT => Self::Fault(Fault::Fuel),
            _ => return None,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => status.fmt(out),
            Self::Fault(fault) => write!(out, "fault: {fault}"),
        }
    }
}

/// Reason why a tick was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A function of the host panicked.
    Panic,
    /// A loop began again more often than a tick allows, or a node of BehaviorTree.CPP came to an
    /// error. A trace tells the node and the cause: `watch::TracedTick::fault`.
    Fuel,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Panic => "the host panicked",
            Self::Fuel => "a loop began again too often, or a node came to an error",
        })
    }
}
