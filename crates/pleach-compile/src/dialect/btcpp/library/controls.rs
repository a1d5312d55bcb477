//! Controls that tick their children one after the other.

use super::{IDLE, Label, Memory, RUNS, SlotKind, Way, Writer};
use crate::routine::Operation;

/// Returns the kind of a variable that counts children.
pub(super) fn counter(children: usize) -> SlotKind {
    if children < 256 { SlotKind::U8 } else { SlotKind::I32 }
}

impl Writer<'_, '_, '_, '_> {
    pub(super) fn labels(&mut self, count: usize) -> Vec<Label> {
        (0..count).map(|_| self.list.label()).collect()
    }

    /// A sequence; a fallback if the flag is set.
    pub(super) fn sequence(&mut self, fallback: bool, yields: bool, memory: Memory) {
        let children = self.children();
        let count = children.len();
        let place = match memory {
            Memory::Running | Memory::Broken => self.cleared(counter(count)),
            Memory::Always => self.variable(counter(count)),
        };
        let skips = self.cleared(counter(count + 1));
        let was_idle = yields.then(|| self.variable(SlotKind::Bit));
        let begun = self.list.label();
        self.if_active(begun);
        self.set_number(skips, 0.0);
        self.list.bind(begun);
        self.store(RUNS);
        let entries = self.labels(count + 1);
        for (index, entry) in entries.iter().enumerate().take(count).skip(1) {
            self.if_equal(place, index as f64, *entry);
        }
        let broken = self.labels(count + 1);
        for (index, child) in children.iter().enumerate() {
            let [passed, skipped] = [self.list.label(), self.list.label()];
            self.list.bind(entries[index]);
            if let Some(was_idle) = was_idle {
                let idle = self.shared.builder.status_in(*child, IDLE, IDLE);
                self.list.push(Operation::Set(was_idle, idle));
            }
            let from = if memory == Memory::Running { 0 } else { index };
            let [stops, running] = [broken[from], self.way(Way::Running)];
            let ended = if fallback { [passed, stops] } else { [stops, passed] };
            self.tick_child(*child, [ended[0], ended[1], running, skipped]);
            self.list.bind(skipped);
            self.set_number(place, index as f64 + 1.0);
            self.add_to(skips, 1.0);
            self.list.jump(entries[index + 1]);
            self.list.bind(passed);
            self.set_number(place, index as f64 + 1.0);
            if let Some(was_idle) = was_idle.filter(|_| index + 1 < count) {
                let was_idle = self.read(was_idle);
                self.list.unless(was_idle, entries[index + 1]);
                self.wake();
                self.jump(Way::Running);
            } else {
                self.list.jump(entries[index + 1]);
            }
        }
        self.list.bind(entries[count]);
        self.end_of_children(place, skips, if fallback { Way::Failure } else { Way::Success });
        for (entry, child) in broken.iter().zip(&children) {
            self.list.bind(*entry);
            self.reset(*child);
        }
        self.list.bind(broken[count]);
        if memory == Memory::Running {
            self.set_number(place, 0.0);
        }
        self.jump(if fallback { Way::Success } else { Way::Failure });
    }

    /// Ends behind the last child: skipped if all children were.
    pub(super) fn end_of_children(&mut self, place: u32, skips: u32, last: Way) {
        let count = self.children().len();
        self.reset_all();
        self.set_number(place, 0.0);
        self.end_unless_skipped(skips, count, last);
    }

    pub(super) fn end_unless_skipped(&mut self, skips: u32, count: usize, last: Way) {
        let some = self.list.label();
        let all = self.equals(skips, count as f64);
        self.list.unless(all, some);
        self.set_number(skips, 0.0);
        self.jump(Way::Skipped);
        self.list.bind(some);
        self.set_number(skips, 0.0);
        self.jump(last);
    }

    /// A reactive sequence; a reactive fallback if the flag is set.
    pub(super) fn reactive(&mut self, fallback: bool) {
        let children = self.children();
        let some = self.variable(SlotKind::Bit);
        let runner = self.variable(counter(children.len()));
        self.set_bit(some, false);
        self.store(RUNS);
        let [stops, runs] = [self.list.label(), self.list.label()];
        for (index, child) in children.iter().enumerate() {
            let [passed, skipped, running, next] = [(); 4].map(|()| self.list.label());
            let ended = if fallback { [passed, stops] } else { [stops, passed] };
            self.tick_child(*child, [ended[0], ended[1], running, skipped]);
            self.list.bind(running);
            self.set_number(runner, index as f64);
            self.list.jump(runs);
            self.list.bind(skipped);
            self.reset(*child);
            self.list.jump(next);
            self.list.bind(passed);
            self.set_bit(some, true);
            self.list.bind(next);
        }
        self.reset_all();
        let some = self.read(some);
        self.list.unless(some, self.way(Way::Skipped));
        self.jump(if fallback { Way::Failure } else { Way::Success });
        self.list.bind(runs);
        for (index, child) in children.iter().enumerate() {
            let kept = self.list.label();
            self.if_equal(runner, index as f64, kept);
            self.reset(*child);
            self.list.bind(kept);
        }
        self.jump(Way::Running);
        self.list.bind(stops);
        self.reset_all();
        self.jump(if fallback { Way::Success } else { Way::Failure });
    }
}
