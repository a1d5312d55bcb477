//! Host calls, and the meaning of a node in a position.

use crate::values::Argument;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::isa::Op;

/// Stands for a function that the host lacks, and may.
pub(crate) const MISSING: u32 = u32::MAX;

/// A host call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) function: u32,
    pub(crate) arguments: Arguments,
}

/// Arguments of a host call. Most calls have one argument or none, and these need no range of a
/// table that would have to be checked for each call. Several arguments stay in the table: sites
/// may share them, so copies could take any amount of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arguments {
    /// No argument, or one that is a constant.
    Few(Option<Argument>),
    /// Several constants: `count` of the program's arguments, from index `first` on.
    Several { first: u32, count: u16 },
    /// Arguments of which at least one is a variable, like [`Arguments::Several`]. `variables` are
    /// the first of them among all variables of the table, and their number.
    Variable { first: u32, count: u16, variables: (u32, u16) },
}

impl Arguments {
    /// Returns the arguments in the table, with variables in place of their values.
    #[inline]
    pub(crate) fn of<'a>(&'a self, table: &'a [Argument]) -> &'a [Argument] {
        match self {
            Self::Few(argument) => argument.as_slice(),
            Self::Several { first, count } | Self::Variable { first, count, .. } => {
                &table[*first as usize..][..usize::from(*count)]
            }
        }
    }
}

/// Meaning of a node in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Nothing that the host must be told of.
    Nothing,
    /// The action of this site.
    Action(u16),
    /// This parallel, with positions of its own.
    Parallel(u16),
}

/// Returns the meaning of each node in a position.
pub(crate) fn held<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Held> {
    let mut held = vec![Held::Nothing; image.meta().nodes as usize + 1];
    for word in image.code() {
        if matches!(word.op(), Some(Op::Act | Op::ActExclusive | Op::Select | Op::Stop)) {
            held[usize::from(word.b)] = Held::Action(word.a);
        }
    }
    for (index, parallel) in image.parallels().iter().enumerate() {
        held[usize::from(parallel.node)] = Held::Parallel(index as u16);
    }
    held
}

/// A node whose branches run side by side, each with a position of its own.
#[derive(Clone, Debug)]
pub(crate) struct Parallel {
    /// Column of the first branch's position; the others follow.
    pub(crate) branches: Box<[u32]>,
    /// Columns of all positions in it, in the order in which they are halted.
    pub(crate) positions: Box<[u32]>,
    pub(crate) succeed: u16,
    pub(crate) fail: u16,
}
