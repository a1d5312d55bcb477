//! Nodes around a child, and which of them are around which node.

use crate::layout::Frame;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::format::{WrapperRow, wrapper_kind};

/// A node around a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapper {
    pub(crate) node: u16,
    pub(crate) last: u16,
    /// Column of the position that it goes by.
    pub(crate) column: u32,
    pub(crate) what: What,
    /// The next one outward, plus one; 0 if there is none.
    pub(crate) outer: u16,
}

/// What is done when it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// The host is told, by a site.
    Host(u16),
    /// A place is given back.
    Gate(u16),
}

/// All of them, and the innermost around each node.
#[derive(Debug)]
pub(crate) struct Wrappers {
    rows: Box<[Wrapper]>,
    /// By node, a row plus one; 0 if there is none. Empty if there are no rows.
    pub(crate) around: Box<[u16]>,
}

impl Wrappers {
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Self {
        let mut rows: Vec<Wrapper> = Vec::new();
        let mut around =
            vec![0; if image.wrappers().is_empty() { 0 } else { image.meta().nodes as usize + 1 }];
        for (index, row) in image.wrappers().iter().enumerate() {
            let &WrapperRow { node, last, position, kind, index: what, .. } = row;
            let what = if kind == wrapper_kind::HOST { What::Host(what) } else { What::Gate(what) };
            let column = frame.slots[usize::from(position)].column.first;
            rows.push(Wrapper { node, last, column, what, outer: around[usize::from(node)] });
            // Nodes ascend, so a later one that holds the same nodes is farther inside.
            around[usize::from(node)..=usize::from(last)].fill(index as u16 + 1);
        }
        Self { rows: rows.into(), around: around.into() }
    }

    /// Whether a node has any around it.
    #[inline]
    pub(crate) fn surround(&self, node: u16) -> bool {
        self.around.get(usize::from(node)).is_some_and(|row| *row != 0)
    }

    pub(crate) fn find(&self, row: u16) -> Option<Wrapper> {
        self.rows.get(usize::from(row).wrapping_sub(1)).copied()
    }
}
