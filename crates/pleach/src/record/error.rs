//! What is wrong with a recording.

use core::fmt;

/// Kind of the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordingFault {
    /// The bytes are no recording.
    Magic,
    /// The version of the format is not known.
    Version,
    /// A length or a count is more than there is.
    Length,
    /// What is recorded is not of the image that is with it.
    Image,
    /// A block is damaged: its hash differs.
    Damaged,
    /// A block has more in it than its bytes.
    Spent,
    /// A step is not known.
    Step,
    /// An agent is not there.
    Agent,
    /// A tree, an event, a group, a slot or a rule is not there.
    Name,
    /// A snapshot is not one of the program.
    Snapshot,
    /// What was replayed is not what was recorded.
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

/// A recording cannot be read, or not from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// Kind of the fault.
    pub fault: RecordingFault,
    /// Number of ticks that have been replayed.
    pub tick: u64,
    /// The byte of the recording.
    pub at: usize,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (after {} ticks, at byte {})", self.fault.text(), self.tick, self.at)
    }
}

impl core::error::Error for RecordingError {}
