//! The trait of nodes that keep a status.

use crate::scripted::leaves::{Leaves, Slot};
use core::fmt::Debug;
use std::panic::resume_unwind;

/// Status of a node. A node never keeps `Skipped`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Idle,
    Running,
    Success,
    Failure,
    Skipped,
}

impl Status {
    /// Returns true for success and failure.
    pub(super) fn is_completed(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }
}

/// Tick of an agent under way.
pub(super) struct Walk<'a, const TRACE: bool> {
    pub(super) agent: usize,
    pub(super) leaves: &'a mut Leaves<TRACE>,
    /// Entries of all blackboards of the agent.
    pub(super) board: &'a mut [Slot],
    /// Room for the arguments of a call.
    pub(super) arguments: &'a mut Vec<Slot>,
    pub(super) now: i64,
}

/// Payload of the unwinding that cuts a tick short, as an exception of the library does.
pub(super) struct CutShort;

impl<const TRACE: bool> Walk<'_, TRACE> {
    /// Cuts the tick short. Nodes stay as they are.
    pub(super) fn cut_short(&self) -> ! {
        resume_unwind(Box::new(CutShort))
    }
}

/// Behavior of a node.
pub(super) trait Behavior<const TRACE: bool>: Debug {
    /// Ticks the node. Returns its status, which the caller stores.
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status;

    /// Halts what runs in the node, and forgets.
    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
    }

    /// Lets the node's timer fire if it is due.
    fn fire(&mut self, _base: &mut Base<TRACE>, _walk: &mut Walk<'_, TRACE>) {}
}

/// Data that every node has.
#[derive(Debug)]
pub(super) struct Base<const TRACE: bool> {
    pub(super) status: Status,
    pub(super) children: Vec<Node<TRACE>>,
}

impl<const TRACE: bool> Base<TRACE> {
    /// Resets all children, in order.
    pub(super) fn reset_children(&mut self, walk: &mut Walk<'_, TRACE>) {
        self.children.iter_mut().for_each(|child| child.reset(walk));
    }

    /// Resets all children and makes the node idle. Returns a status.
    pub(super) fn start_over(&mut self, status: Status, walk: &mut Walk<'_, TRACE>) -> Status {
        self.reset_children(walk);
        self.status = Status::Idle;
        status
    }

    /// Returns the only child.
    pub(super) fn child(&mut self) -> &mut Node<TRACE> {
        &mut self.children[0]
    }

    /// Ticks the only child, and resets it if it has completed.
    pub(super) fn tick_child(&mut self, walk: &mut Walk<'_, TRACE>) -> Status {
        let status = self.child().execute(walk);
        self.reset_completed(walk);
        status
    }

    /// Resets the only child if it has completed.
    pub(super) fn reset_completed(&mut self, walk: &mut Walk<'_, TRACE>) {
        if self.child().base.status.is_completed() {
            self.child().reset(walk);
        }
    }
}

/// Node of an agent's tree.
#[derive(Debug)]
pub(super) struct Node<const TRACE: bool> {
    pub(super) base: Base<TRACE>,
    behavior: Box<dyn Behavior<TRACE>>,
}

impl<const TRACE: bool> Node<TRACE> {
    /// Returns a node that is idle.
    pub(super) fn new(children: Vec<Self>, behavior: Box<dyn Behavior<TRACE>>) -> Self {
        Self { base: Base { status: Status::Idle, children }, behavior }
    }

    /// Ticks the node, and stores its status.
    pub(super) fn execute(&mut self, walk: &mut Walk<'_, TRACE>) -> Status {
        let status = self.behavior.tick(&mut self.base, walk);
        if status != Status::Skipped {
            self.base.status = status;
        }
        status
    }

    /// Halts the node if it runs, and makes it idle.
    pub(super) fn reset(&mut self, walk: &mut Walk<'_, TRACE>) {
        if self.base.status == Status::Running {
            self.behavior.halt(&mut self.base, walk);
        }
        self.base.status = Status::Idle;
    }

    /// Lets the timers of the node and of the nodes inside fire that are due.
    pub(super) fn fire(&mut self, walk: &mut Walk<'_, TRACE>) {
        self.base.children.iter_mut().for_each(|child| child.fire(walk));
        self.behavior.fire(&mut self.base, walk);
    }
}
