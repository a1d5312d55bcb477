//! Memory of a sweep, sized once for a program.

use super::lanes::Gathered;
use super::mask::Mask;
use super::stack::Stack;
use super::trails::Trails;
use crate::code::batch::BatchCode;
use crate::code::batch::ops::{CHAIN_COLUMNS, EXITS};
use crate::engine::parts::Parts;
use crate::layout::LANES;
use crate::values::Status;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

/// Memory of a sweep. Between sweeps no lane is pending.
#[derive(Clone, Debug)]
pub(crate) struct BatchScratch {
    /// For each label, the lanes that continue there.
    pub(super) pending: Box<[Mask]>,
    /// For each flag, the lanes for which it is set.
    pub(super) flags: Box<[Mask]>,
    pub(super) callers: Vec<Caller>,
    /// For each register of loops, the step at which its loop continues, and how often it may still
    /// begin again.
    pub(super) loops: Box<[(usize, u16)]>,
    /// Number of times that a lane's loops have begun again.
    pub(super) rounds: Box<[u32; LANES]>,
    /// The numbers of the endings by which lanes have ended, 0 for none.
    pub(super) numbers: Box<Aligned<[u8; LANES]>>,
    /// The statuses outside the three.
    pub(super) others: Box<[i32; LANES]>,
    /// The best scores so far, and whose they are.
    pub(super) best: Box<[f64; LANES]>,
    pub(super) choices: Box<[u16; LANES]>,
    /// The rules that have run.
    pub(super) trails: Trails,
    /// The words of few lanes side by side, for each column of a chain.
    pub(super) side: Box<[[u32; 64]; CHAIN_COLUMNS]>,
    pub(super) stack: Stack,
    pub(super) asked: Asked,
}

/// Value that begins with a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// A block that waits for another one to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    /// The step that calls.
    pub(super) at: usize,
    /// The lanes that have left it already.
    pub(super) exits: [Mask; EXITS],
}

/// Lanes and answers of a host call.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The lanes in order. The first `count` are valid.
    pub(super) lanes: Box<Gathered>,
    pub(super) count: usize,
    /// For each of these lanes, its status.
    pub(super) statuses: Box<[Status; LANES]>,
    /// The exit for each status.
    pub(super) exits: Box<[u8; LANES]>,
    pub(super) answers: Box<[f64; LANES]>,
}

impl BatchScratch {
    pub(crate) fn new(parts: &Parts, code: &BatchCode) -> Self {
        Self {
            pending: vec![Mask::NONE; code.labels].into(),
            flags: vec![Mask::NONE; parts.flags].into(),
            callers: Vec::with_capacity(parts.call_depth),
            loops: vec![(0, 0); parts.plain.registers()].into(),
            rounds: Box::new([0; LANES]),
            numbers: Box::new(Aligned([0; LANES])),
            others: Box::new([0; LANES]),
            best: Box::new([0.0; LANES]),
            choices: Box::new([0; LANES]),
            trails: Trails::new(0),
            side: Box::new([[0; 64]; CHAIN_COLUMNS]),
            stack: Stack::new(parts.stack_depth),
            asked: Asked {
                lanes: Box::new([0; size_of::<Gathered>()]),
                count: 0,
                statuses: Box::new([Status::Failure; LANES]),
                exits: Box::new([0; LANES]),
                answers: Box::new([0.0; LANES]),
            },
        }
    }
}
