//! Controls of the library.

use super::node::{Base, Behavior, Status, Walk};

/// Time for which a sequence keeps its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// While a child runs.
    Running,
    /// Also after a failure and after a halt.
    Always,
}

/// Children one after the other, while they end with one status.
#[derive(Debug)]
pub(super) struct Sequence {
    /// Status that goes on to the next child, and is the status behind the last one.
    next: Status,
    memory: Memory,
    /// True if the node waits for the next tick after a child that was idle.
    yields: bool,
    place: usize,
    skipped: usize,
}

impl Sequence {
    pub(super) fn new(next: Status, memory: Memory, yields: bool) -> Self {
        Self { next, memory, yields, place: 0, skipped: 0 }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Sequence {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if base.status == Status::Idle {
            self.skipped = 0;
        }
        base.status = Status::Running;
        let count = base.children.len();
        while let Some(child) = base.children.get_mut(self.place) {
            let was_idle = child.base.status == Status::Idle;
            let status = child.execute(walk);
            if status == Status::Running {
                return status;
            }
            if status != self.next && status != Status::Skipped {
                if self.memory == Memory::Running {
                    self.place = 0;
                }
                base.children[self.place..].iter_mut().for_each(|child| child.reset(walk));
                return status;
            }
            self.place += 1;
            if status == Status::Skipped {
                self.skipped += 1;
            } else if self.yields && was_idle && self.place < count {
                return Status::Running;
            }
        }
        base.reset_children(walk);
        self.place = 0;
        let all_skipped = core::mem::take(&mut self.skipped) == count;
        if all_skipped { Status::Skipped } else { self.next }
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        self.skipped = 0;
        if self.memory == Memory::Running {
            self.place = 0;
        }
    }
}

/// All children at each tick, while they end with one status.
#[derive(Debug)]
pub(super) struct Reactive {
    /// Status that goes on to the next child, and is the status behind the last one.
    pub(super) next: Status,
}

impl<const TRACE: bool> Behavior<TRACE> for Reactive {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        let mut all_skipped = true;
        for index in 0..base.children.len() {
            match base.children[index].execute(walk) {
                Status::Running => {
                    let others = base.children.iter_mut().enumerate();
                    others.filter(|(other, _)| *other != index).for_each(|(_, child)| child.reset(walk));
                    return Status::Running;
                }
                Status::Skipped => base.children[index].reset(walk),
                status if status == self.next => all_skipped = false,
                status => {
                    base.reset_children(walk);
                    return status;
                }
            }
        }
        base.reset_children(walk);
        if all_skipped { Status::Skipped } else { self.next }
    }
}

/// Children side by side, until enough have succeeded or failed.
#[derive(Debug)]
pub(super) struct Parallel {
    /// Numbers of children that must succeed, and fail.
    needed: [usize; 2],
    /// True if a child that is skipped counts as one that has succeeded.
    counts_skipped: bool,
    /// Numbers of children that have succeeded, and failed.
    ended: [usize; 2],
}

impl Parallel {
    pub(super) fn new(needed: [usize; 2], counts_skipped: bool) -> Self {
        Self { needed, counts_skipped, ended: [0; 2] }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Parallel {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        let (count, mut skipped) = (base.children.len(), 0);
        for index in 0..count {
            let child = &mut base.children[index];
            if !child.base.status.is_completed() {
                match child.execute(walk) {
                    Status::Success => self.ended[0] += 1,
                    Status::Failure => self.ended[1] += 1,
                    Status::Skipped => skipped += 1,
                    _ => {}
                }
            }
            let ([succeeded, failed], [needed, most]) = (self.ended, self.needed);
            let passed = succeeded + if self.counts_skipped { skipped } else { 0 };
            let status = if passed >= needed {
                Status::Success
            } else if count - failed < needed || failed == most {
                Status::Failure
            } else {
                continue;
            };
            self.halt(base, walk);
            return status;
        }
        if skipped == count { Status::Skipped } else { Status::Running }
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        self.ended = [0; 2];
    }
}
