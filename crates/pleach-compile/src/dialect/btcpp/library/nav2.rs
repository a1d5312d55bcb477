//! Controls and decorators of Nav2, and decorators of the host.

use super::controls::counter;
use super::{Binary, IDLE, Label, Operation, Port, PortType, RUNS, Refused, SlotKind, Value, Way, Writer};
use crate::ast::{Expr, ExprIndex, Math};
use crate::dialect::btcpp::code::SKIPPED;
use crate::dialect::btcpp::values::truth;

/// Answer of the host to a decorator: the node succeeds without its child.
const SUCCESS_WITHOUT_CHILD: i32 = 2;

impl Writer<'_, '_, '_, '_> {
    /// Ticks all children before the last one that ran, and goes on behind it when it succeeds.
    pub(super) fn pipeline(&mut self) {
        let children = self.children();
        let last = self.cleared(counter(children.len()));
        let skips = self.variable(counter(children.len() + 1));
        let stops = self.list.label();
        self.set_number(skips, 0.0);
        for (index, child) in children.iter().enumerate() {
            let [running, skipped, next] = [(); 3].map(|()| self.list.label());
            self.tick_child(*child, [stops, next, running, skipped]);
            self.list.bind(running);
            let builder = &mut self.shared.builder;
            let (before, this) = (builder.read(last), builder.number(index as f64));
            let reached = builder.binary(Binary::LessEqual, before, this);
            self.list.unless(reached, next);
            self.set_number(last, index as f64);
            self.jump(Way::Running);
            self.list.bind(skipped);
            self.add_to(skips, 1.0);
            self.list.bind(next);
        }
        self.end_of_children(last, skips, Way::Success);
        self.list.bind(stops);
        self.reset_all();
        self.set_number(last, 0.0);
        self.jump(Way::Failure);
    }

    /// Ticks all children at each tick until all have succeeded in one tick.
    pub(super) fn nonblocking(&mut self) {
        let children = self.children();
        let runs = self.variable(SlotKind::Bit);
        let stops = self.list.label();
        self.set_bit(runs, false);
        for child in &children {
            let [running, next] = [(); 2].map(|()| self.list.label());
            self.tick_child(*child, [stops, next, running, self.fault]);
            self.list.bind(running);
            self.set_bit(runs, true);
            self.list.bind(next);
        }
        let over = self.list.label();
        let read = self.read(runs);
        self.list.unless(read, over);
        self.jump(Way::Running);
        self.list.bind(over);
        self.reset_all();
        self.jump(Way::Success);
        self.list.bind(stops);
        self.reset_all();
        self.jump(Way::Failure);
    }

    /// Resets all children and the node itself.
    fn start_over(&mut self, variables: &[u32], way: Way) {
        self.reset_all();
        self.store(IDLE);
        variables.iter().for_each(|it| self.set_number(*it, 0.0));
        self.jump(way);
    }

    /// Ticks the second child when the first fails, and then the first again.
    pub(super) fn recovery(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let &[first, second] = &*children else {
            self.list.jump(self.fault);
            return Ok(());
        };
        let (tries, place) = (self.cleared(SlotKind::I32), self.cleared(SlotKind::U8));
        let most = self.retries()?;
        self.store(RUNS);
        let [recovers, failed, good, skipped, over] = [(); 5].map(|()| self.list.label());
        self.list.push(Operation::Loop(self.times("number_of_retries")?));
        let builder = &mut self.shared.builder;
        let done = builder.read(tries);
        let fits = builder.binary(Binary::LessEqual, done, most);
        let more = builder.binary(Binary::Less, done, most);
        self.list.unless(fits, over);
        self.if_equal(place, 1.0, recovers);
        self.tick_child(first, [failed, good, self.way(Way::Running), skipped]);
        self.list.bind(failed);
        self.list.unless(more, over);
        self.reset(first);
        self.set_number(place, 1.0);
        self.list.bind(recovers);
        let [recovered, passed_over] = [(); 2].map(|()| self.list.label());
        self.tick_child(second, [over, recovered, self.way(Way::Running), passed_over]);
        self.list.bind(recovered);
        self.reset(second);
        self.add_to(tries, 1.0);
        self.set_number(place, 0.0);
        self.list.push(Operation::Again);
        self.list.jump(self.fault);
        self.list.bind(passed_over);
        self.set_number(place, 0.0);
        self.reset(second);
        self.jump(Way::Failure);
        for (label, way) in [(good, Way::Success), (skipped, Way::Skipped), (over, Way::Failure)] {
            self.list.bind(label);
            self.start_over(&[tries, place], way);
        }
        Ok(())
    }

    /// Returns the number of retries, which is unsigned. If the port cannot be read, the number is
    /// the one before, at first 1.
    fn retries(&mut self) -> Result<ExprIndex, Refused> {
        let most = self.variable(SlotKind::F64);
        self.shared.builder.file.variables[most as usize].init = 1_f64.to_bits();
        self.read_number(most, "number_of_retries", PortType::Unsigned)?;
        Ok(self.read(most))
    }

    /// Ticks its children one after the other from the place that stands in an entry, which stays
    /// when the node is halted.
    pub(super) fn persistent(&mut self) -> Result<(), Refused> {
        const PLACE: &str = "current_child_idx";
        let children = self.children();
        let place = self.variable(SlotKind::F64);
        let port = self.number_port(PLACE, PortType::Int)?;
        self.list.push(Operation::Set(place, port));
        self.store(RUNS);
        let builder = &mut self.shared.builder;
        let (at, none, count) =
            (builder.read(place), builder.number(0.0), builder.number(children.len() as f64));
        let at_one = builder.binary(Binary::GreaterEqual, at, none);
        let inside = builder.binary(Binary::Less, at, count);
        self.list.unless(at_one, self.fault);
        let (entries, failed) = (self.labels(children.len() + 1), self.list.label());
        self.list.unless(inside, entries[children.len()]);
        for (index, entry) in entries.iter().enumerate().take(children.len()).skip(1) {
            self.if_equal(place, index as f64, *entry);
        }
        for (index, child) in children.iter().enumerate() {
            let passed = self.list.label();
            self.list.bind(entries[index]);
            self.tick_child(*child, [failed, passed, self.way(Way::Running), passed]);
            self.list.bind(passed);
            self.put(PLACE, index as i64 + 1)?;
        }
        for (label, way) in [(entries[children.len()], Way::Success), (failed, Way::Failure)] {
            self.list.bind(label);
            self.reset_all();
            self.put(PLACE, 0)?;
            self.jump(way);
        }
        Ok(())
    }

    /// Writes a number to the entry of a port, if it is connected with one.
    fn put(&mut self, port: &str, number: i64) -> Result<(), Refused> {
        let Port::Entry(entry) = self.port(port) else { return Ok(()) };
        let number = Value::Int(self.shared.builder.word(number));
        self.scripts().store(entry, &number)
    }

    /// Ticks its child at once, while it runs, and when a goal has changed.
    pub(super) fn goal_updated_controller(&mut self) {
        let updated = self.variable(SlotKind::Bit);
        let [begun, enter] = [(); 2].map(|()| self.list.label());
        self.if_active(begun);
        self.set_bit(updated, true);
        self.list.bind(begun);
        for port in ["goals", "goal"] {
            self.note_change(port, updated);
        }
        self.store(RUNS);
        self.if_set(updated, enter);
        self.if_child_runs(enter);
        self.jump(Way::Running);
        self.list.bind(enter);
        self.set_bit(updated, false);
        let ways = Way::ALL.map(|way| self.way(way));
        self.tick_child(self.child(), ways);
    }

    /// Sets a variable if the entry of a port has another value than when this was asked before.
    fn note_change(&mut self, port: &str, updated: u32) {
        let Port::Entry(entry) = self.port(port) else { return };
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry);
        let kind = self.shared.builder.file.variables[row.value as usize].kind;
        let [changed, same] = [(); 2].map(|()| self.list.label());
        let pairs = [(row.has, SlotKind::Bit), (row.value, kind)].map(|(now, kind)| {
            let before = self.variable(kind);
            let equal = self.equal_variables(now, before, kind);
            self.list.unless(equal, changed);
            (now, before)
        });
        self.list.jump(same);
        self.list.bind(changed);
        for (now, before) in pairs {
            let now = self.read(now);
            self.list.push(Operation::Set(before, now));
        }
        self.set_bit(updated, true);
        self.list.bind(same);
    }

    /// Returns the condition that two variables of a kind are equal.
    fn equal_variables(&mut self, one: u32, other: u32, kind: SlotKind) -> ExprIndex {
        let [one, other] = [one, other].map(|it| self.read(it));
        let file = &mut self.shared.builder.file;
        match kind {
            SlotKind::I64 | SlotKind::Entity => file.expr(Expr::CompareWords(Binary::Equal, one, other)),
            SlotKind::Bit => {
                let [one, other] = [one, other].map(|it| file.expr(Expr::FromTruth(it)));
                self.shared.builder.binary(Binary::Equal, one, other)
            }
            _ => self.shared.builder.binary(Binary::Equal, one, other),
        }
    }

    /// Ticks its children one after the other, and goes on at the next one the next time.
    pub(super) fn round_robin(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let count = children.len();
        let wraps = match self.port("wrap_around") {
            Port::Literal(text) => truth(&text.text) == Some(true),
            Port::Missing => false,
            Port::Entry(_) => {
                return Err(self.not_carried("`wrap_around` stands in an entry", "write `true` or `false`"));
            }
        };
        let [place, failures] = [(); 2].map(|()| self.cleared(counter(count + 1)));
        let skips = self.variable(counter(count + 1));
        self.store(RUNS);
        self.set_number(skips, 0.0);
        // Each time that the loop begins again, one more child has failed or was skipped.
        self.list.push(Operation::Loop(count as u16));
        let [failed, good, skipped, more, over] = [(); 5].map(|()| self.list.label());
        let builder = &mut self.shared.builder;
        let (bad, passed, all) = (builder.read(failures), builder.read(skips), builder.number(count as f64));
        let sum = builder.math(Math::Add, bad, passed);
        let left = builder.binary(Binary::Less, sum, all);
        self.list.unless(left, over);
        let entries = self.labels(count);
        for (index, entry) in entries.iter().enumerate().skip(1) {
            self.if_equal(place, index as f64, *entry);
        }
        for (entry, child) in entries.iter().zip(&children) {
            self.list.bind(*entry);
            self.tick_child(*child, [failed, good, self.way(Way::Running), skipped]);
        }
        for (label, counter) in [(failed, failures), (skipped, skips)] {
            self.list.bind(label);
            self.add_to(counter, 1.0);
            self.advance(place, count, wraps, over);
            self.list.jump(more);
        }
        self.list.bind(more);
        self.list.push(Operation::Again);
        self.list.jump(self.fault);
        self.list.bind(good);
        self.advance(place, count, wraps, over);
        self.set_number(failures, 0.0);
        self.reset_all();
        self.jump(Way::Success);
        self.list.bind(over);
        let some = self.list.label();
        let all = self.equals(skips, count as f64);
        self.list.unless(all, some);
        self.start_over(&[place, failures], Way::Skipped);
        self.list.bind(some);
        self.start_over(&[place, failures], Way::Failure);
        Ok(())
    }

    /// Comes to the next child. Behind the last one it is the first one, or the node ends.
    fn advance(&mut self, place: u32, count: usize, wraps: bool, over: Label) {
        let inside = self.list.label();
        self.add_to(place, 1.0);
        let behind = self.equals(place, count as f64);
        self.list.unless(behind, inside);
        if wraps {
            self.set_number(place, 0.0);
        } else {
            self.list.jump(over);
        }
        self.list.bind(inside);
    }

    /// Ticks its child at once, while it runs, and when some time has passed.
    pub(super) fn rate_controller(&mut self) -> Result<(), Refused> {
        let (first, moment) = (self.variable(SlotKind::Bit), self.variable(SlotKind::Moment));
        let period = self.variable(SlotKind::F64);
        let [begun, enter] = [(); 2].map(|()| self.list.label());
        self.if_active(begun);
        let hertz = self.rate()?;
        let builder = &mut self.shared.builder;
        let one = builder.number(1.0);
        let length = builder.math(Math::Divide, one, hertz);
        self.list.push(Operation::Set(period, length));
        self.list.push(Operation::Note(moment, true));
        self.set_bit(first, true);
        self.list.bind(begun);
        self.store(RUNS);
        self.if_set(first, enter);
        self.if_child_runs(enter);
        let builder = &mut self.shared.builder;
        let since = builder.file.expr(Expr::Since(moment));
        let thousand = builder.number(1000.0);
        let seconds = builder.math(Math::Divide, since, thousand);
        let seconds = builder.file.expr(Expr::ToFloat(seconds));
        let length = builder.read(period);
        let due = builder.binary(Binary::GreaterEqual, seconds, length);
        self.list.unless(due, self.way(Way::Running));
        self.list.bind(enter);
        self.set_bit(first, false);
        let good = self.list.label();
        let ways = [Way::Failure, Way::Running, Way::Skipped].map(|way| self.way(way));
        self.tick_child(self.child(), [ways[0], good, ways[1], ways[2]]);
        self.list.bind(good);
        self.list.push(Operation::Note(moment, true));
        self.jump(Way::Success);
        Ok(())
    }

    /// Returns the rate of the node. It is 1 if its entry cannot be read.
    fn rate(&mut self) -> Result<ExprIndex, Refused> {
        let rate = self.variable(SlotKind::F64);
        self.set_number(rate, 1.0);
        self.read_number(rate, "hz", PortType::Double)?;
        Ok(self.read(rate))
    }

    fn if_child_runs(&mut self, to: Label) {
        let builder = &mut self.shared.builder;
        let runs = builder.status_in(self.node + 1, RUNS, RUNS);
        let not = builder.not(runs);
        self.list.unless(not, to);
    }

    /// Ticks its child until the child has completed, and fails afterwards.
    pub(super) fn single_trigger(&mut self) {
        let first = self.variable(SlotKind::Bit);
        let begun = self.list.label();
        self.if_active(begun);
        self.set_bit(first, true);
        self.list.bind(begun);
        self.store(RUNS);
        let open = self.read(first);
        self.list.unless(open, self.way(Way::Failure));
        let [bad, good] = [(); 2].map(|()| self.list.label());
        self.tick_child(self.child(), [bad, good, self.way(Way::Running), self.way(Way::Skipped)]);
        for (label, way) in [(bad, Way::Failure), (good, Way::Success)] {
            self.list.bind(label);
            self.set_bit(first, false);
            self.jump(way);
        }
    }

    /// A decorator of the host: the host says if the child is ticked. With the flag it is asked
    /// also while the child runs.
    pub(super) fn asked(&mut self, always: bool) -> Result<(), Refused> {
        let [open, other] = [(); 2].map(|()| self.list.label());
        if !always {
            self.if_child_runs(open);
        }
        let active = self.status_in(RUNS, super::FAILED);
        self.ask(Some(active), [self.way(Way::Failure), open, self.way(Way::Running), other])?;
        self.list.bind(other);
        self.list.if_other(SKIPPED, self.way(Way::Skipped));
        self.list.if_other(SUCCESS_WITHOUT_CHILD, self.way(Way::Success));
        self.list.jump(self.fault);
        self.list.bind(open);
        let ways = Way::ALL.map(|way| self.way(way));
        self.tick_child(self.child(), ways);
        Ok(())
    }
}
