//! Faults of recordings.

use core::fmt;

/// Kind of the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordingFault {
    /// The bytes do not begin as a recording.
    Magic,
    /// The version of the format is not known.
    Version,
    /// A length or a count exceeds the size of the recording.
    Length,
    /// The recording does not fit the image that it contains.
    Image,
    /// A block is damaged: its hash differs.
    Damaged,
    /// A block ends within a step.
    Spent,
    /// A step has an unknown kind.
    Step,
    /// An agent does not exist.
    Agent,
    /// A tree, an event, a group, a slot or a rule does not exist.
    Name,
    /// A snapshot does not fit the program.
    Snapshot,
    /// The replayed run differs from the recorded run.
    Diverged,
}

impl RecordingFault {
    fn text(self) -> &'static str {
        match self {
            Self::Magic => "these bytes are no recording",
            Self::Version => "the version of the format is not known",
            Self::Length => "a length is more than there is",
            Self::Image => "what is recorded is not of this image",
            Self::Damaged => "a block is damaged",
            Self::Spent => "a block has more in it than its bytes",
            Self::Step => "a step is not known",
            Self::Agent => "an agent is not there",
            Self::Name => "a tree, event, group, slot or rule is not there",
            Self::Snapshot => "a snapshot is not one of the program",
            Self::Diverged => "what was replayed is not what was recorded",
        }
    }
}

/// Error: a recording cannot be read from this place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// Kind of the fault.
    pub fault: RecordingFault,
    /// Number of ticks that have been replayed.
    pub tick: u64,
    /// Offset of the fault in the recording, in bytes.
    pub at: usize,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (after {} ticks, at byte {})", self.fault.text(), self.tick, self.at)
    }
}

impl core::error::Error for RecordingError {}
