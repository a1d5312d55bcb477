//! Stores of agents: chunks of columns, handles, and what agents share.

pub(crate) mod agents;
pub(crate) mod chunk;
pub(crate) mod columns;
pub(crate) mod lines;
pub(crate) mod notes;
mod rules;
pub(crate) mod world;

pub(crate) use agents::{Agents, GONE, Place};
pub(crate) use chunk::{Chunk, Pace, of_bits};
pub(crate) use lines::filled;
pub(crate) use notes::Notes;
pub(crate) use rules::Saved;
pub use rules::{RuleError, RunawayTick};
pub(crate) use world::World;
