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

/// Action at the end of a node around a child.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// The host is told, by a site.
    Host(u16),
    /// A place is given back.
    Gate(u16),
    /// A block of writes is run.
    Block(u16),
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
        // Rows plus one, those farther inside on top: nodes ascend, so a later row that
        // holds a node is farther inside.
        let mut open: Vec<u16> = Vec::new();
        for (node, around) in (0..).zip(&mut around) {
            while open.pop_if(|row| rows[usize::from(*row) - 1].last < node).is_some() {}
            if let Some(row) = image.wrappers().get(rows.len()).filter(|row| row.node == node) {
                let &WrapperRow { last, position, kind, index: what, .. } = row;
                let what = match kind {
                    wrapper_kind::HOST => What::Host(what),
                    wrapper_kind::GATE => What::Gate(what),
                    _ => What::Block(what),
                };
                let column = frame.slots[usize::from(position)].column.first;
                rows.push(Wrapper { node, last, column, what, outer: open.last().copied().unwrap_or(0) });
                open.push(rows.len() as u16);
            }
            *around = open.last().copied().unwrap_or(0);
        }
        Self { rows: rows.into(), around: around.into() }
    }

    /// Returns true if there are nodes around a node.
    #[inline]
    pub(crate) fn surround(&self, node: u16) -> bool {
        self.around.get(usize::from(node)).is_some_and(|row| *row != 0)
    }

    pub(crate) fn find(&self, row: u16) -> Option<Wrapper> {
        self.rows.get(usize::from(row).wrapping_sub(1)).copied()
    }
}
