//! Faults of recordings.

use crate::values::named;
use core::fmt;

named! {
    /// Kind of the fault.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RecordingFault {
        /// The bytes do not begin as a recording.
        Magic = "these bytes are no recording",
        /// The version of the format is not known.
        Version = "the version of the format is not known",
        /// A length or a count exceeds the size of the recording.
        Length = "a length is more than there is",
        /// The recording does not fit the image that it contains.
        Image = "what is recorded is not of this image",
        /// A block is damaged: its hash differs.
        Damaged = "a block is damaged",
        /// A block ends within a step.
        Spent = "a block has more in it than its bytes",
        /// A step has an unknown kind.
        Step = "a step is not known",
        /// An agent does not exist.
        Agent = "an agent is not there",
        /// A tree, an event, a group, a slot or a rule does not exist.
        Name = "a tree, event, group, slot or rule is not there",
        /// A snapshot does not fit the program.
        Snapshot = "a snapshot is not one of the program",
        /// The replayed run differs from the recorded run.
        Diverged = "what was replayed is not what was recorded",
    }
    /// Returns a description in one line.
    pub fn meaning
}

impl RecordingFault {
    /// Returns the fault as an error unless a condition holds.
    pub(super) fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
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
        write!(out, "{} (after {} ticks, at byte {})", self.fault.meaning(), self.tick, self.at)
    }
}

impl core::error::Error for RecordingError {}
