//! The engines that run programs.
//!
//! Linking decodes an image into steps: [`plain`] makes one of each word, [`fuse`] fewer and faster ones; [`calc`] and
//! [`branch`] do the same for conditions, [`ladder`] for long chains of tests. [`scalar`] runs the steps of one agent, with
//! what concerns the host in [`leaf`] and [`wrap`] and expressions in [`evaluate`]. [`sweep`] ticks the agents of a chunk, in [`lists`]
//! as far as no host is needed, or one by one ([`alone`]).

pub(crate) mod alone;
pub(crate) mod batch;
mod branch;
pub(crate) mod calc;
mod evaluate;
pub(crate) mod fuse;
mod ladder;
pub(crate) mod leaf;
mod lists;
pub(crate) mod plain;
mod relation;
pub(crate) mod rules;
pub(crate) mod scalar;
pub(crate) mod shortcuts;
pub(crate) mod step;
pub(crate) mod sweep;
mod table;
pub(crate) mod walk;
pub(crate) mod wrap;

pub(crate) use crate::watch::{Sight, Watch};

/// What ticks the agents of a crowd. All come to the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Chunk by chunk what is faster for its number of agents.
    #[default]
    Auto,
    /// One agent after the other.
    Scalar,
    /// All agents of a chunk at once, by vectors not wider than these.
    Batch(batch::Vectors),
}
