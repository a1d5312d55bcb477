//! Decorators of the library, and leaves without the game.

use super::node::{Base, Behavior, Status, Walk};

/// Child whose statuses are replaced.
#[derive(Debug)]
pub(super) struct Mapped {
    pub(super) failure: Status,
    pub(super) success: Status,
    pub(super) skipped: Status,
}

impl<const TRACE: bool> Behavior<TRACE> for Mapped {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        match base.tick_child(walk) {
            Status::Failure => self.failure,
            Status::Success => self.success,
            Status::Skipped => self.skipped,
            status => status,
        }
    }
}

/// Child that is repeated while it ends with one status.
#[derive(Debug)]
pub(super) struct Repeat {
    again: Status,
    /// Number of times; -1 for no end.
    times: i64,
    count: i64,
}

impl Repeat {
    pub(super) fn new(again: Status, times: i64) -> Self {
        Self { again, times, count: 0 }
    }

    fn has_more(&self) -> bool {
        self.count < self.times || self.times == -1
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Repeat {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        while self.has_more() {
            let was_idle = base.child().base.status == Status::Idle;
            let status = base.child().execute(walk);
            if status == Status::Running {
                return status;
            }
            base.child().reset(walk);
            if status == Status::Skipped {
                return status;
            }
            if status != self.again {
                self.count = 0;
                return status;
            }
            self.count += 1;
            if self.has_more() && was_idle {
                return Status::Running;
            }
        }
        self.count = 0;
        self.again
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        self.count = 0;
    }
}

/// Time that has to pass before the child.
#[derive(Debug)]
pub(super) struct Delay {
    /// Milliseconds.
    length: i64,
    /// Time at which the node has begun.
    since: Option<i64>,
}

impl Delay {
    pub(super) fn new(length: i64) -> Self {
        Self { length, since: None }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Delay {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        let Some(since) = self.since else {
            self.since = Some(walk.now);
            base.status = Status::Running;
            return Status::Running;
        };
        if walk.now - since < self.length {
            return Status::Running;
        }
        let status = base.tick_child(walk);
        if status.is_completed() {
            self.since = None;
        }
        status
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        self.since = None;
    }
}

/// Child that is halted when some time has passed.
#[derive(Debug)]
pub(super) struct Timeout {
    /// Milliseconds; 0 for no end.
    length: i64,
    /// True while the node has begun.
    has_begun: bool,
    /// Time at which the timer fires.
    due: Option<i64>,
    has_fired: bool,
}

impl Timeout {
    pub(super) fn new(length: i64) -> Self {
        Self { length, has_begun: false, due: None, has_fired: false }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Timeout {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if !self.has_begun {
            (self.has_begun, self.has_fired) = (true, false);
            base.status = Status::Running;
            self.due = (self.length > 0).then(|| walk.now + self.length);
        }
        if core::mem::take(&mut self.has_fired) {
            self.has_begun = false;
            return Status::Failure;
        }
        let status = base.tick_child(walk);
        if status.is_completed() {
            (self.has_begun, self.due) = (false, None);
        }
        status
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        (self.has_begun, self.has_fired, self.due) = (false, false, None);
    }

    fn fire(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        if self.due.is_some_and(|due| walk.now >= due) {
            self.due = None;
            if base.child().base.status == Status::Running {
                base.child().reset(walk);
                self.has_fired = true;
            }
        }
    }
}

/// Root of a subtree.
#[derive(Debug)]
pub(super) struct SubTree;

impl<const TRACE: bool> Behavior<TRACE> for SubTree {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if base.status == Status::Idle {
            base.status = Status::Running;
        }
        base.tick_child(walk)
    }
}

/// Leaf with one status.
#[derive(Debug)]
pub(super) struct Always(pub(super) Status);

impl<const TRACE: bool> Behavior<TRACE> for Always {
    fn tick(&mut self, _: &mut Base<TRACE>, _: &mut Walk<'_, TRACE>) -> Status {
        self.0
    }
}

/// Leaf that waits.
#[derive(Debug)]
pub(super) struct Sleep {
    /// Milliseconds.
    length: i64,
    due: i64,
}

impl Sleep {
    pub(super) fn new(length: i64) -> Self {
        Self { length, due: 0 }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Sleep {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        match base.status {
            Status::Idle if self.length > 0 => {
                self.due = walk.now + self.length;
                Status::Running
            }
            Status::Running if walk.now < self.due => Status::Running,
            Status::Idle | Status::Running => Status::Success,
            completed => completed,
        }
    }
}
