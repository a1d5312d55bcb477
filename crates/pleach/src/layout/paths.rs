//! Running sets by number.
//!
//! The running set of most trees is a path: a leaf and the nodes around it, up to a node that does
//! not run with them. When a program is linked, [`crate::code::running`] finds all paths that its
//! trees can leave in the set, and gives each a number. Then a column of numbers replaces the lists
//! of the frame, and a test of the set is a test of this column. A list that is not a path, for
//! example one from another build, stays a list.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Stands in the column of numbers for an agent whose set is the list in its frame.
pub(crate) const LISTED: u16 = u16::MAX;

/// The sets that trees of a program can leave, by number.
#[derive(Clone, Debug)]
pub(crate) struct RunningPaths {
    /// Column of the numbers among the halves of a chunk, behind those of all slots.
    pub(crate) column: u32,
    /// First column of the lists.
    pub(crate) first: u32,
    pub(crate) stride: u16,
    /// For each entry, true if the sets of its agents have numbers.
    pub(crate) entries: Box<[bool]>,
    /// The sets in the order of their numbers, each as in a frame: count,
    /// nodes, zeros. The first is empty.
    lists: Box<[u16]>,
}

impl RunningPaths {
    /// Makes the table of paths, which begin with the leaf and are in order by [`order`].
    pub(crate) fn new(
        column: u32,
        (first, stride): (u32, u16),
        entries: Box<[bool]>,
        paths: &[Vec<u16>],
    ) -> Self {
        let width = usize::from(stride);
        let mut lists = alloc::vec![0; width * (paths.len() + 1)];
        for (list, path) in lists.chunks_exact_mut(width).skip(1).zip(paths) {
            list[0] = path.len() as u16;
            list[1..=path.len()].copy_from_slice(path);
        }
        Self { column, first, stride, entries, lists: lists.into() }
    }

    /// Returns the set that a number stands for, as a frame holds it.
    #[inline]
    pub(crate) fn list(&self, number: u16) -> &[u16] {
        let stride = usize::from(self.stride);
        &self.lists[usize::from(number) * stride..][..stride]
    }

    /// Returns the number of a set; `None` if it is no path.
    pub(crate) fn find(&self, set: &[u16]) -> Option<u16> {
        let (mut low, mut high) = (0, self.lists.len() / usize::from(self.stride));
        while low < high {
            let middle = low.midpoint(high);
            match order(held(self.list(middle as u16)), held(set)) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle as u16),
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Returns the nodes of a set as a frame holds it.
pub(crate) fn held(set: &[u16]) -> &[u16] {
    &set[1..=usize::from(set[0])]
}

/// Returns the order of paths: by their nodes from the outermost inward. So all paths through a
/// node that has one place follow one another.
pub(crate) fn order(first: &[u16], second: &[u16]) -> Ordering {
    first.iter().rev().cmp(second.iter().rev())
}
