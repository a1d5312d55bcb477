//! Handles: names for agents that stay valid while agents move, and are refused when they are gone.

use bytemuck::{Pod, Zeroable};

/// An agent of a crowd. A handle outlives its agent: used afterwards, it is refused as [`StaleAgent`], even if the place
/// has been taken by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct Agent {
    pub(crate) index: u32,
    /// That of its row and one, so that no agent is all zeros.
    pub(crate) generation: u32,
}

impl Agent {
    pub(crate) fn new(index: u32, generation: u32) -> Self {
        Self { index, generation: generation.wrapping_add(1) }
    }

    /// The handle as a number, never 0, for languages and files that know no handles: the index in the lower half. In memory an
    /// `Agent` is this number.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// The handle of this number. Any other number is that of an agent that is gone.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }

    /// What stands where there is no agent.
    pub(crate) const NOBODY: Self = Self { index: u32::MAX, generation: 0 };

    /// A number below the greatest number of agents the crowd has had at once: an index for the game's own tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Error: the agent is gone. (A handle of another crowd may name an agent of this one: keep them
/// apart.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleAgent;

impl core::fmt::Display for StaleAgent {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("the agent is gone")
    }
}

impl core::error::Error for StaleAgent {}
