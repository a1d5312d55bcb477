//! Code of the batch engine: steps for masks of lanes, made of the plain
//! steps when a program is linked.

pub(crate) mod endings;
pub(crate) mod lower;
pub(crate) mod ops;

use crate::code::put::Put;
use alloc::vec::Vec;
use endings::Endings;
use ops::{BatchStep, Cases, Chain, EXITS, Wait};

/// A program for sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchCode {
    pub(crate) steps: Vec<BatchStep>,
    /// The first step of each block.
    pub(crate) blocks: Vec<u32>,
    /// Labels of steps with four exits: failure, success, running, other.
    pub(crate) exits: Vec<[u32; EXITS]>,
    pub(crate) cases: Vec<Cases>,
    pub(crate) waits: Vec<Wait>,
    pub(crate) puts: Vec<Put>,
    pub(crate) chains: Vec<Chain>,
    /// For each block, its endings.
    pub(crate) endings: Vec<Endings>,
    pub(crate) labels: usize,
    /// True if children are chosen by scores.
    pub(crate) rates: bool,
    /// True if agents are at rules, so that all loops are those around rules.
    pub(crate) of_rules: bool,
    /// True if random numbers are drawn, which depend on how often a lane's loops have begun again.
    pub(crate) draws: bool,
}
