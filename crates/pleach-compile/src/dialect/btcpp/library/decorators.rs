//! Decorators without a clock.

use super::branches::Flag;
use super::{
    Binary, CODE, ExprIndex, IDLE, Item, Label, Operation, Port, PortType, RUNS, Refused, SlotKind, Way,
    Writer,
};

/// Statuses that a port can name.
const STATUSES: [&str; 5] = ["SUCCESS", "FAILURE", "RUNNING", "SKIPPED", "IDLE"];

impl Writer<'_, '_, '_, '_> {
    /// Returns the only child.
    pub(super) fn child(&self) -> usize {
        self.node + 1
    }

    /// A decorator that makes ways of the failure, success, running and skipping of its child.
    pub(super) fn mapped(&mut self, ways: [Way; 4]) {
        self.store(RUNS);
        self.completes(ways, &[]);
    }

    /// Ticks the child, and makes ways of its failure, success, running and skipping. When the
    /// child has completed, it is reset behind the operations.
    pub(super) fn completes(&mut self, ways: [Way; 4], ended: &[Operation]) {
        let [failed, succeeded] = [(); 2].map(|()| self.list.label());
        self.tick_child(self.child(), [failed, succeeded, self.way(ways[2]), self.way(ways[3])]);
        for (label, way) in [(failed, ways[0]), (succeeded, ways[1])] {
            self.list.bind(label);
            ended.iter().for_each(|it| self.list.push(*it));
            self.reset(self.child());
            self.jump(way);
        }
    }

    pub(super) fn subtree(&mut self) {
        let begun = self.list.label();
        self.if_active(begun);
        self.store(RUNS);
        self.list.bind(begun);
        self.completes(Way::ALL, &[]);
    }

    /// Repeats a child that succeeds; with the flag, a child that fails.
    pub(super) fn repeat(&mut self, retry: bool, yields: bool) -> Result<(), Refused> {
        let name = if retry { "num_attempts" } else { "num_cycles" };
        let (done, broken) = if retry { (Way::Failure, Way::Success) } else { (Way::Success, Way::Failure) };
        let count = self.cleared(SlotKind::I32);
        let [was_idle, most] = [SlotKind::Bit, SlotKind::F64].map(|kind| self.variable(kind));
        let port = self.number_port(name, PortType::Int)?;
        self.list.push(Operation::Set(most, port));
        self.store(RUNS);
        let [over, again, other, skipped] = [(); 4].map(|()| self.list.label());
        // With yields, only a child that ran is begun again in the same tick.
        let times = if yields { 1 } else { self.times(name)? };
        self.list.push(Operation::Loop(times));
        let more = self.more(count, most);
        self.list.unless(more, over);
        let idle = self.shared.builder.status_in(self.child(), IDLE, IDLE);
        self.list.push(Operation::Set(was_idle, idle));
        let ended = if retry { [again, other] } else { [other, again] };
        self.tick_child(self.child(), [ended[0], ended[1], self.way(Way::Running), skipped]);
        self.list.bind(again);
        self.add_to(count, 1.0);
        // Version 3, which does not yield, reads the port once a tick.
        if retry && yields {
            self.read_number(most, name, PortType::Int)?;
        }
        self.reset(self.child());
        let at_once = self.list.label();
        self.list.unless(more, over);
        if yields {
            let was_idle = self.read(was_idle);
            self.list.unless(was_idle, at_once);
            self.wake();
            self.jump(Way::Running);
        }
        self.list.bind(at_once);
        self.list.push(Operation::Again);
        self.list.jump(self.fault);
        self.list.bind(other);
        self.set_number(count, 0.0);
        self.reset(self.child());
        self.jump(broken);
        self.list.bind(skipped);
        self.reset(self.child());
        self.jump(Way::Skipped);
        self.list.bind(over);
        self.set_number(count, 0.0);
        self.jump(done);
        Ok(())
    }

    /// Returns the condition that a child is repeated.
    fn more(&mut self, count: u32, most: u32) -> ExprIndex {
        let builder = &mut self.shared.builder;
        let (done, limit, endless) = (builder.read(count), builder.read(most), builder.number(-1.0));
        let less = builder.binary(Binary::Less, done, limit);
        let endless = builder.binary(Binary::Equal, limit, endless);
        builder.binary(Binary::Or, less, endless)
    }

    pub(super) fn run_once(&mut self) -> Result<(), Refused> {
        let [ran, succeeded] = [(); 2].map(|()| self.variable(SlotKind::Bit));
        let again = self.list.label();
        self.if_set(ran, again);
        self.store(RUNS);
        let [good, bad] = [self.list.label(), self.list.label()];
        self.tick_child(self.child(), [bad, good, self.way(Way::Running), self.way(Way::Skipped)]);
        for (label, is, way) in [(good, true, Way::Success), (bad, false, Way::Failure)] {
            self.list.bind(label);
            self.reset(self.child());
            self.set_bit(ran, true);
            self.set_bit(succeeded, is);
            self.jump(way);
        }
        self.list.bind(again);
        match self.flag("then_skip")? {
            Flag::Always(true) => self.jump(Way::Skipped),
            Flag::Always(false) => {}
            Flag::Entry(truth) => {
                let kept = self.list.label();
                self.list.unless(truth, kept);
                self.jump(Way::Skipped);
                self.list.bind(kept);
            }
        }
        let succeeded = self.read(succeeded);
        self.list.unless(succeeded, self.way(Way::Failure));
        self.jump(Way::Success);
        Ok(())
    }

    pub(super) fn precondition(&mut self) -> Result<(), Refused> {
        let open = self.variable(SlotKind::Bit);
        let [enter, shut] = [self.list.label(), self.list.label()];
        // The status is read at each tick, even if it is not needed.
        if !matches!(self.port("else"), Port::Literal(text) if STATUSES.contains(&&*text.text)) {
            let known = self.list.label();
            self.by_status("else", [known; 5])?;
            self.list.bind(known);
        }
        self.if_set(open, enter);
        if let Some(truth) = self.condition(CODE)? {
            self.list.unless(truth, shut);
        }
        self.list.bind(enter);
        self.set_bit(open, true);
        let ended = Operation::Set(open, self.shared.builder.truth(false));
        self.completes(Way::ALL, &[ended]);
        self.list.bind(shut);
        self.status_port("else")
    }

    /// Ticks its child while two values are equal. Otherwise, or if one of them cannot be read,
    /// halts the child.
    pub(super) fn check(&mut self, item: Item) -> Result<(), Refused> {
        let other = self.list.label();
        self.store(RUNS);
        let one = self.checked("value_A", item, other)?;
        let two = self.checked("value_B", item, other)?;
        let builder = &mut self.shared.builder;
        let equal = match item {
            Item::Double => builder.nearly(one, two),
            _ => builder.binary(Binary::Equal, one, two),
        };
        self.list.unless(equal, other);
        self.completes(Way::ALL, &[]);
        self.list.bind(other);
        self.reset(self.child());
        self.status_port("return_on_mismatch")
    }

    /// Returns a port that is compared, as a number or a text. Goes on at a label if the port
    /// cannot be read.
    fn checked(&mut self, name: &str, item: Item, unread: Label) -> Result<ExprIndex, Refused> {
        let value = self.port_value(name, item.ty(), unread)?;
        let mut scripts = self.scripts();
        Ok(if item == Item::Text { scripts.text_expr(&value) } else { scripts.number(&value) })
    }

    /// Ends with the status that a port names.
    pub(super) fn status_port(&mut self, name: &str) -> Result<(), Refused> {
        let ways = [Way::Success, Way::Failure, Way::Running, Way::Skipped].map(|way| self.way(way));
        let [success, failure, running, skipped] = ways;
        self.by_status(name, [success, failure, running, skipped, self.fault])
    }

    /// Goes on at the label of the status that a port names, in the order of [`STATUSES`]. Another
    /// text ends the tick with a fault.
    fn by_status(&mut self, name: &str, to: [Label; 5]) -> Result<(), Refused> {
        match self.port(name) {
            Port::Missing => self.list.jump(self.fault),
            Port::Literal(text) => {
                let found = STATUSES.into_iter().position(|it| it == text.text);
                // Version 3 fails by any other text, and does not skip.
                let found = if self.is_old() { found.filter(|it| *it != 3).or(Some(1)) } else { found };
                self.list.jump(found.map_or(self.fault, |it| to[it]));
            }
            Port::Entry(entry) => {
                let value = self.read_port(entry, PortType::Text, self.fault)?;
                let text = self.scripts().text_expr(&value);
                for (status, to) in STATUSES.into_iter().zip(to) {
                    let status = self.shared.builder.text(status);
                    let differs = self.shared.builder.binary(Binary::NotEqual, text, status);
                    self.list.unless(differs, to);
                }
                self.list.jump(self.fault);
            }
        }
        Ok(())
    }

    /// Ticks its child when an entry has been written.
    pub(super) fn updated(&mut self, waits: bool) {
        let runs = self.cleared(SlotKind::Bit);
        let known = self.variable(SlotKind::I32);
        let [enter, same] = [self.list.label(), self.list.label()];
        self.if_set(runs, enter);
        self.if_written(known, same);
        self.list.bind(enter);
        let [failed, succeeded, running, skipped] = [(); 4].map(|()| self.list.label());
        self.tick_child(self.child(), [failed, succeeded, running, skipped]);
        for (label, is, way) in [
            (failed, false, Way::Failure),
            (succeeded, false, Way::Success),
            (running, true, Way::Running),
            (skipped, false, Way::Skipped),
        ] {
            self.list.bind(label);
            self.set_bit(runs, is);
            self.jump(way);
        }
        self.list.bind(same);
        self.jump(if waits { Way::Running } else { Way::Skipped });
    }

    /// Remembers the number of writes of the entry. Goes on at a label if it is the same as before.
    pub(super) fn if_written(&mut self, known: u32, same: Label) {
        let Some(entry) = self.named_entry("entry") else {
            return self.list.jump(same);
        };
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry);
        let Some(sequence) = row.sequence else {
            return self.list.jump(same);
        };
        if self.shared.entries.list[entry].removed {
            let has = self.read(row.has);
            self.list.unless(has, same);
        }
        let builder = &mut self.shared.builder;
        let (before, now) = (builder.read(known), builder.read(sequence));
        let differs = builder.binary(Binary::NotEqual, before, now);
        self.list.unless(differs, same);
        self.list.push(Operation::Set(known, now));
    }

    /// Returns the entry that a port names, with or without braces.
    pub(super) fn named_entry(&self, name: &str) -> Option<usize> {
        let instance = &self.shared.builder.program.nodes[self.node];
        let text = &instance.ports.get(name)?.text;
        let key = crate::dialect::btcpp::entries::key_of(text, name).unwrap_or(text);
        self.shared.entries.known(&self.shared.builder.program, instance.scope, key)
    }
}
