//! How things come out, and in words.

use core::fmt;

/// Status of an action or of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It cannot be done.
    Failure,
    /// It is done.
    Success,
    /// It goes on; ask again next tick.
    Running,
    /// A status outside the three, by its number. Only dialects that know such statuses give it a meaning.
    Other(i32),
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
    /// The tree's status.
    Status(Status),
    /// The tick could not be ended. The agent's frame is as it was at that moment; whether to tick it again, reset it or
    /// despawn it is the host's choice.
    Fault(Fault),
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
    /// A loop began again more often than a tick allows.
    Fuel,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Panic => "the host panicked",
            Self::Fuel => "a loop began again too often",
        })
    }
}
