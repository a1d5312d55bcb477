//! Handles: names for agents that stay valid while agents move, and are refused when they are gone.

use bytemuck::{Pod, Zeroable};

/// Handle of an agent of a crowd. If the agent is gone, methods refuse the handle with
/// [`StaleAgent`], even if another agent has taken the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct Agent {
    pub(crate) index: u32,
    /// Generation of the agent's row, plus one, so that no agent is all zeros.
    pub(crate) generation: u32,
}

impl Agent {
    pub(crate) fn new(index: u32, generation: u32) -> Self {
        Self { index, generation: generation.wrapping_add(1) }
    }

    /// Returns the handle as a number that is never 0, for languages and files without handles. The
    /// lower half is the index. In memory, an `Agent` is this number.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// Returns the handle with this number. Numbers that no handle has are handles of agents that
    /// are gone.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }

    /// Handle that stands for no agent.
    pub(crate) const NOBODY: Self = Self { index: u32::MAX, generation: 0 };

    /// Returns the index of the agent: a number below the largest number of agents that the crowd
    /// has had at once. For tables of the game.
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
