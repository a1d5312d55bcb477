//! Controls and decorators of Nav2.

use super::node::{Base, Behavior, Status, Walk};

/// All children up to the last one that ran, and the next one when that one succeeds.
#[derive(Debug, Default)]
pub(super) struct Pipeline {
    last: usize,
}

impl<const TRACE: bool> Behavior<TRACE> for Pipeline {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        let mut skipped = 0;
        for index in 0..base.children.len() {
            match base.children[index].execute(walk) {
                Status::Failure => {
                    self.halt(base, walk);
                    return Status::Failure;
                }
                Status::Running if index >= self.last => {
                    self.last = index;
                    return Status::Running;
                }
                Status::Skipped => skipped += 1,
                _ => {}
            }
        }
        self.halt(base, walk);
        if skipped == base.children.len() { Status::Skipped } else { Status::Success }
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        self.last = 0;
    }
}

/// First child, and when it fails the second one and the first one again.
#[derive(Debug)]
pub(super) struct Recovery {
    most: i64,
    tries: i64,
    recovers: bool,
}

impl Recovery {
    pub(super) fn new(most: i64) -> Self {
        Self { most, tries: 0, recovers: false }
    }

    fn end<const TRACE: bool>(
        &mut self,
        base: &mut Base<TRACE>,
        status: Status,
        walk: &mut Walk<'_, TRACE>,
    ) -> Status {
        (self.tries, self.recovers) = (0, false);
        base.start_over(status, walk)
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Recovery {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        while self.tries <= self.most {
            if !self.recovers {
                match base.children[0].execute(walk) {
                    Status::Running => return Status::Running,
                    Status::Failure if self.tries < self.most => {}
                    status => return self.end(base, status, walk),
                }
                base.children[0].reset(walk);
                self.recovers = true;
            }
            match base.children[1].execute(walk) {
                Status::Running => return Status::Running,
                Status::Success => self.tries += 1,
                Status::Skipped => {
                    base.children[1].reset(walk);
                    self.recovers = false;
                    return Status::Failure;
                }
                status => return self.end(base, status, walk),
            }
            base.children[1].reset(walk);
            self.recovers = false;
        }
        self.end(base, Status::Failure, walk)
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        (self.tries, self.recovers) = (0, false);
    }
}

/// One child after the other, a new one each time.
#[derive(Debug)]
pub(super) struct RoundRobin {
    wraps: bool,
    place: usize,
    failures: usize,
}

impl RoundRobin {
    pub(super) fn new(wraps: bool) -> Self {
        Self { wraps, place: 0, failures: 0 }
    }

    /// Comes to the next child. Returns false behind the last one.
    fn advance(&mut self, count: usize) -> bool {
        self.place += 1;
        if self.place == count && self.wraps {
            self.place = 0;
        }
        self.place < count
    }
}

impl<const TRACE: bool> Behavior<TRACE> for RoundRobin {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        base.status = Status::Running;
        let (count, mut skipped) = (base.children.len(), 0);
        while self.failures + skipped < count {
            let status = base.children[self.place].execute(walk);
            match status {
                Status::Running => return Status::Running,
                Status::Failure => self.failures += 1,
                Status::Skipped => skipped += 1,
                _ => {}
            }
            if !self.advance(count) {
                break;
            }
            if status == Status::Success {
                self.failures = 0;
                base.reset_children(walk);
                return Status::Success;
            }
        }
        (self.place, self.failures) = (0, 0);
        base.start_over(if skipped == count { Status::Skipped } else { Status::Failure }, walk)
    }

    fn halt(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) {
        base.reset_children(walk);
        (self.place, self.failures) = (0, 0);
    }
}

/// Child at once, while it runs, and when some time has passed.
#[derive(Debug)]
pub(super) struct RateController {
    /// Seconds between two ticks of the child.
    period: f64,
    since: i64,
    is_first: bool,
}

impl RateController {
    pub(super) fn new(hertz: f64) -> Self {
        Self { period: 1.0 / hertz, since: 0, is_first: false }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for RateController {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if base.status == Status::Idle {
            (self.since, self.is_first) = (walk.now, true);
        }
        base.status = Status::Running;
        let is_due = (walk.now - self.since) as f64 / 1000.0 >= self.period;
        if !self.is_first && !is_due && base.child().base.status != Status::Running {
            return Status::Running;
        }
        self.is_first = false;
        let status = base.tick_child(walk);
        if status == Status::Success {
            self.since = walk.now;
        }
        status
    }
}

/// Child until it has completed; then failure.
#[derive(Debug, Default)]
pub(super) struct SingleTrigger {
    is_over: bool,
}

impl<const TRACE: bool> Behavior<TRACE> for SingleTrigger {
    fn tick(&mut self, base: &mut Base<TRACE>, walk: &mut Walk<'_, TRACE>) -> Status {
        if base.status == Status::Idle {
            self.is_over = false;
        }
        base.status = Status::Running;
        if self.is_over {
            return Status::Failure;
        }
        let status = base.tick_child(walk);
        self.is_over = status.is_completed();
        status
    }
}
