//! Nodes around a child that somebody must hear of when they end.
//!
//! A node of the host, or one that limits agents, is left in one of two ways: its child ends, and an instruction says so; or
//! what runs inside is halted, and whoever halts it goes from the leaf outward through the nodes around it.

use super::Watch;
use super::scalar::Run;
use crate::frame::Frame;
use crate::host::{Halt, Host};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::format::{WrapperRow, wrapper_kind};

/// A node around a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapper {
    pub(crate) node: u16,
    last: u16,
    /// Column of the position that it goes by.
    column: u32,
    what: What,
    /// The next one outward, plus one; 0 if there is none.
    outer: u16,
}

/// What is done when it ends.
#[derive(Clone, Copy, Debug)]
enum What {
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
    around: Box<[u16]>,
}

impl Wrappers {
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Self {
        let mut rows: Vec<Wrapper> = Vec::new();
        let mut around =
            vec![0; if image.wrappers().is_empty() { 0 } else { image.meta().nodes as usize + 1 }];
        // Rows plus one, those farther inside on top: nodes ascend, so a later row that holds a node is farther inside.
        let mut open: Vec<u16> = Vec::new();
        for (node, around) in (0..).zip(&mut around) {
            open.truncate(
                open.iter().rposition(|row| rows[usize::from(*row) - 1].last >= node).map_or(0, |it| it + 1),
            );
            if let Some(row) = image.wrappers().get(rows.len()).filter(|row| row.node == node) {
                let &WrapperRow { last, position, kind, index: what, .. } = row;
                let what = if kind == wrapper_kind::HOST { What::Host(what) } else { What::Gate(what) };
                let column = frame.slots[usize::from(position)].column.first;
                rows.push(Wrapper { node, last, column, what, outer: open.last().copied().unwrap_or(0) });
                open.push(rows.len() as u16);
            }
            *around = open.last().copied().unwrap_or(0);
        }
        Self { rows: rows.into(), around: around.into() }
    }

    /// Whether a node has any around it.
    #[inline]
    pub(crate) fn surround(&self, node: u16) -> bool {
        self.around.get(usize::from(node)).is_some_and(|row| *row != 0)
    }

    fn find(&self, row: u16) -> Option<Wrapper> {
        self.rows.get(usize::from(row).wrapping_sub(1)).copied()
    }
}

impl<H: Host + ?Sized, W: Watch> Run<'_, H, W> {
    /// Ends what is around a node that a position held, from the inside outward, if it begins at the node `low` or after it and
    /// does not hold the node `next` as well.
    pub(crate) fn unwrap_from(&mut self, column: u32, node: u16, low: u16, next: u16, reason: Halt) {
        let parts = self.parts;
        let mut row = parts.wrappers.around.get(usize::from(node)).copied().unwrap_or(0);
        while let Some(wrapper) = parts.wrappers.find(row) {
            let goes_on = (wrapper.node..=wrapper.last).contains(&next);
            if wrapper.column != column || wrapper.node < low || goes_on {
                return;
            }
            match wrapper.what {
                What::Host(site) => self.tell(site, wrapper.node, reason),
                What::Gate(gate) => self.give_back(gate),
            }
            row = wrapper.outer;
        }
    }

    /// Whether there is a place behind a gate, which the agent takes.
    pub(crate) fn enter(&mut self, gate: u16) -> bool {
        let gate = self.parts.gates[usize::from(gate)];
        let is_inside = self.chunk.bit(gate.inside, self.lane);
        let entered = self.world.enter(&gate, self.chunk.group(self.lane), is_inside);
        if entered {
            self.chunk.set_bit(gate.inside, self.lane, true);
        }
        entered
    }

    /// The agent gives its place behind a gate back.
    pub(crate) fn give_back(&mut self, gate: u16) {
        let parts = self.parts;
        parts.gates[usize::from(gate)].leave(self.world, self.chunk, self.lane);
    }

    /// Asks the host whether a child begins: the exit by its answer.
    pub(crate) fn ask_wrapper(&mut self, site: u16, node: u16) -> u8 {
        let status = self.act_of(site, node, true);
        self.exit_of(status)
    }
}
