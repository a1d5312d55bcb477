//! Controls that tick all their children.

use super::controls::counter;
use super::{Binary, PortType, RUNS, Refused, SlotKind, Way, Writer};
use crate::ast::{ExprIndex, Math};
use crate::routine::Operation;

/// Variables of a parallel.
struct Counts {
    /// For each child, true if it has completed.
    done: Vec<u32>,
    succeeded: u32,
    failed: u32,
    skipped: u32,
}

impl Writer<'_, '_, '_, '_> {
    /// Returns a threshold: a negative one counts from the number of children.
    fn threshold(&mut self, port: ExprIndex, count: f64) -> ExprIndex {
        let result = self.variable(SlotKind::F64);
        self.list.push(Operation::Set(result, port));
        let kept = self.list.label();
        let builder = &mut self.shared.builder;
        let (read, zero) = (builder.read(result), builder.number(0.0));
        let negative = builder.binary(Binary::Less, read, zero);
        self.list.unless(negative, kept);
        let more = builder.number(count + 1.0);
        let sum = builder.math(Math::Add, read, more);
        let limited = builder.math(Math::Max, sum, zero);
        if self.is_old() {
            // Version 3 takes a sum below 0 for a very large number.
            let fits = self.shared.builder.binary(Binary::GreaterEqual, sum, zero);
            self.list.unless(fits, self.fault);
        }
        self.list.push(Operation::Set(result, limited));
        self.list.bind(kept);
        let builder = &mut self.shared.builder;
        let most = builder.number(count);
        let fits = builder.binary(Binary::LessEqual, read, most);
        self.list.unless(fits, self.fault);
        read
    }

    fn counts(&mut self) -> Counts {
        let count = self.children().len();
        let done = (0..count).map(|_| self.cleared(SlotKind::Bit)).collect();
        let [succeeded, failed] = [(); 2].map(|()| self.cleared(counter(count + 1)));
        Counts { done, succeeded, failed, skipped: self.variable(counter(count + 1)) }
    }

    fn forget(&mut self, counts: &Counts) {
        for done in &counts.done {
            self.set_bit(*done, false);
        }
        self.set_number(counts.succeeded, 0.0);
        self.set_number(counts.failed, 0.0);
    }

    /// Ticks a child that has not completed, and counts its status.
    fn counted(&mut self, counts: &Counts, index: usize, child: usize) {
        let after = self.list.label();
        self.if_set(counts.done[index], after);
        let [failed, succeeded, skipped] = [(); 3].map(|()| self.list.label());
        self.tick_child(child, [failed, succeeded, after, skipped]);
        for (label, counter) in [(failed, counts.failed), (succeeded, counts.succeeded)] {
            self.list.bind(label);
            self.set_bit(counts.done[index], true);
            self.add_to(counter, 1.0);
            self.list.jump(after);
        }
        self.list.bind(skipped);
        self.add_to(counts.skipped, 1.0);
        self.list.bind(after);
    }

    pub(super) fn parallel(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let count = children.len() as f64;
        let ports = ["success_count", "failure_count"];
        let [success, failure] =
            [self.number_port(ports[0], PortType::Int)?, self.number_port(ports[1], PortType::Int)?];
        let builder = &mut self.shared.builder;
        let zero = builder.number(0.0);
        // The children may change the entry of the port.
        let negative = builder.binary(Binary::Less, success, zero);
        let counts_skips = self.variable(SlotKind::Bit);
        self.list.push(Operation::Set(counts_skips, negative));
        let counts_skips = self.read(counts_skips);
        let [required, broken] = [success, failure].map(|port| self.threshold(port, count));
        let counts = self.counts();
        self.set_number(counts.skipped, 0.0);
        self.store(RUNS);
        let [enough, failed] = self.decisions(&counts, counts_skips, required, broken, count);
        let [win, lose] = [self.list.label(), self.list.label()];
        for (index, child) in children.iter().enumerate() {
            self.counted(&counts, index, *child);
            for (decided, to) in [(enough, win), (failed, lose)] {
                let undecided = self.shared.builder.not(decided);
                self.list.unless(undecided, to);
            }
        }
        let all = self.equals(counts.skipped, count);
        self.list.unless(all, self.way(Way::Running));
        self.jump(Way::Skipped);
        for (label, way) in [(win, Way::Success), (lose, Way::Failure)] {
            self.list.bind(label);
            self.forget(&counts);
            self.reset_all();
            self.jump(way);
        }
        Ok(())
    }

    /// A parallel of version 3: it does not store that it runs, and counts completed children anew
    /// at each tick, up to the one that decides.
    pub(super) fn old_parallel(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let count = children.len() as f64;
        let [success, failure] = [
            self.number_port("success_threshold", PortType::Int)?,
            self.number_port("failure_threshold", PortType::Int)?,
        ];
        let [required, broken] = [success, failure].map(|port| self.threshold(port, count));
        let done: Vec<_> = children.iter().map(|_| self.cleared(SlotKind::Bit)).collect();
        let good: Vec<_> = children.iter().map(|_| self.cleared(SlotKind::Bit)).collect();
        let [succeeded, failed] = [(); 2].map(|()| self.variable(counter(children.len() + 1)));
        self.set_number(succeeded, 0.0);
        self.set_number(failed, 0.0);
        let [win, lose] = [self.list.label(), self.list.label()];
        let builder = &mut self.shared.builder;
        let [won, lost, all] = [builder.read(succeeded), builder.read(failed), builder.number(count)];
        let differs = builder.binary(Binary::NotEqual, won, required);
        let left = builder.math(Math::Subtract, all, required);
        let possible = builder.binary(Binary::LessEqual, lost, left);
        let unbroken = builder.binary(Binary::NotEqual, lost, broken);
        for (index, child) in children.iter().enumerate() {
            let [known, yes, no, next] = [(); 4].map(|()| self.list.label());
            self.if_set(done[index], known);
            self.tick_child(*child, [no, yes, next, self.fault]);
            self.list.bind(known);
            let known_good = self.read(good[index]);
            self.list.unless(known_good, no);
            self.list.bind(yes);
            self.set_bit(done[index], true);
            self.set_bit(good[index], true);
            self.add_to(succeeded, 1.0);
            self.list.unless(differs, win);
            self.list.jump(next);
            self.list.bind(no);
            self.set_bit(done[index], true);
            self.set_bit(good[index], false);
            self.add_to(failed, 1.0);
            self.list.unless(possible, lose);
            self.list.unless(unbroken, lose);
            self.list.bind(next);
        }
        self.jump(Way::Running);
        for (label, way) in [(win, Way::Success), (lose, Way::Failure)] {
            self.list.bind(label);
            done.iter().for_each(|it| self.set_bit(*it, false));
            self.reset_all();
            self.jump(way);
        }
        Ok(())
    }

    /// Returns the conditions under which a parallel has succeeded and failed.
    fn decisions(
        &mut self,
        counts: &Counts,
        counts_skips: ExprIndex,
        required: ExprIndex,
        broken: ExprIndex,
        count: f64,
    ) -> [ExprIndex; 2] {
        let builder = &mut self.shared.builder;
        let [succeeded, failed, skipped] =
            [counts.succeeded, counts.failed, counts.skipped].map(|it| builder.read(it));
        let plain = builder.binary(Binary::GreaterEqual, succeeded, required);
        let sum = builder.math(Math::Add, succeeded, skipped);
        let with_skips = builder.binary(Binary::GreaterEqual, sum, required);
        let with_skips = builder.binary(Binary::And, counts_skips, with_skips);
        let enough = builder.binary(Binary::Or, plain, with_skips);
        let count = builder.number(count);
        let left = builder.math(Math::Subtract, count, failed);
        let too_few = builder.binary(Binary::Less, left, required);
        let reached = builder.binary(Binary::Equal, failed, broken);
        [enough, builder.binary(Binary::Or, too_few, reached)]
    }

    pub(super) fn parallel_all(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let count = children.len() as f64;
        let port = self.number_port("max_failures", PortType::Int)?;
        let most = self.threshold(port, count);
        let counts = self.counts();
        self.set_number(counts.skipped, 0.0);
        self.store(RUNS);
        for (index, child) in children.iter().enumerate() {
            self.counted(&counts, index, *child);
        }
        let [some, end] = [self.list.label(), self.list.label()];
        let all = self.equals(counts.skipped, count);
        self.list.unless(all, some);
        self.jump(Way::Skipped);
        self.list.bind(some);
        let builder = &mut self.shared.builder;
        let [succeeded, failed, skipped] =
            [counts.succeeded, counts.failed, counts.skipped].map(|it| builder.read(it));
        let sum = builder.math(Math::Add, succeeded, failed);
        let sum = builder.math(Math::Add, sum, skipped);
        let number = builder.number(count);
        let over = builder.binary(Binary::GreaterEqual, sum, number);
        let good = builder.binary(Binary::Less, failed, most);
        self.list.unless(over, self.way(Way::Running));
        let result = self.variable(SlotKind::Bit);
        self.list.push(Operation::Set(result, good));
        self.list.bind(end);
        self.reset_all();
        self.forget(&counts);
        let result = self.read(result);
        self.list.unless(result, self.way(Way::Failure));
        self.jump(Way::Success);
        Ok(())
    }
}
