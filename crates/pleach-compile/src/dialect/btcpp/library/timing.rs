//! Nodes with timers.
//!
//! A timer notes when it began. Timers fire at the beginning of a tick, see `driver`; between ticks
//! nothing happens.

use super::{PortType, RUNS, Refused, SlotKind, Way, Writer};
use crate::ast::ExprIndex;
use crate::routine::Operation;

/// A timer.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Timer {
    /// The node that has it.
    pub(in super::super) node: usize,
    /// Variable of the moment at which it began.
    pub(in super::super) moment: u32,
    /// Variable of its length in milliseconds.
    pub(in super::super) length: u32,
    /// Variable that is set when it fires.
    pub(in super::super) fired: u32,
    /// True if the child of the node is halted when it fires, and only if it runs.
    pub(in super::super) halts: bool,
    /// Variable of its place in the order in which timers began, if that order matters.
    pub(in super::super) order: Option<u32>,
}

impl Writer<'_, '_, '_, '_> {
    /// Returns a new timer. A halt stops it.
    pub(super) fn timer(&mut self, halts: bool) -> Timer {
        let moment = self.variable(SlotKind::Moment);
        let length = self.variable(SlotKind::F64);
        let fired = self.cleared(SlotKind::Bit);
        self.stopped.push(moment);
        let order = (halts && self.shared.begun.is_some()).then(|| self.variable(SlotKind::I32));
        let timer = Timer { node: self.node, moment, length, fired, halts, order };
        self.shared.timers.push(timer);
        timer
    }

    pub(super) fn start(&mut self, timer: Timer, length: ExprIndex) {
        self.list.push(Operation::Set(timer.length, length));
        self.list.push(Operation::Note(timer.moment, true));
        self.set_bit(timer.fired, false);
        if let (Some(order), Some(begun)) = (timer.order, self.shared.begun) {
            self.add_to(begun, 1.0);
            let begun = self.read(begun);
            self.list.push(Operation::Set(order, begun));
        }
    }

    pub(super) fn delay(&mut self) -> Result<(), Refused> {
        let timer = self.timer(false);
        let started = self.cleared(SlotKind::Bit);
        let length = self.number_port("delay_msec", PortType::Unsigned)?;
        let begun = self.list.label();
        self.if_set(started, begun);
        self.start(timer, length);
        self.set_bit(started, true);
        self.store(RUNS);
        self.list.bind(begun);
        let over = self.read(timer.fired);
        self.list.unless(over, self.way(Way::Running));
        self.ended(timer, started);
        Ok(())
    }

    pub(super) fn timeout(&mut self) -> Result<(), Refused> {
        let timer = self.timer(true);
        let started = self.cleared(SlotKind::Bit);
        let [begun, endless] = [self.list.label(), self.list.label()];
        let length = self.number_port("msec", PortType::Unsigned)?;
        self.if_set(started, begun);
        self.set_bit(timer.fired, false);
        self.set_bit(started, true);
        self.store(RUNS);
        let builder = &mut self.shared.builder;
        let zero = builder.number(0.0);
        let some = builder.binary(crate::ast::Binary::Greater, length, zero);
        self.list.unless(some, endless);
        self.start(timer, length);
        self.list.bind(endless);
        self.list.bind(begun);
        let in_time = self.list.label();
        let fired = self.read(timer.fired);
        self.list.unless(fired, in_time);
        self.set_bit(timer.fired, false);
        self.set_bit(started, false);
        self.jump(Way::Failure);
        self.list.bind(in_time);
        self.ended(timer, started);
        Ok(())
    }

    /// Ticks the child. When it has completed, the node begins anew the next time.
    fn ended(&mut self, timer: Timer, started: u32) {
        let begins = Operation::Set(started, self.shared.builder.truth(false));
        self.completes(Way::ALL, &[Operation::Note(timer.moment, false), begins]);
    }

    pub(super) fn sleep(&mut self) -> Result<(), Refused> {
        let timer = self.timer(false);
        self.kept_status();
        let begun = self.list.label();
        self.if_active(begun);
        let length = self.number_port("msec", PortType::Unsigned)?;
        let builder = &mut self.shared.builder;
        let zero = builder.number(0.0);
        let some = builder.binary(crate::ast::Binary::Greater, length, zero);
        self.list.unless(some, self.way(Way::Success));
        self.start(timer, length);
        self.jump(Way::Running);
        self.list.bind(begun);
        let over = self.read(timer.fired);
        self.list.unless(over, self.way(Way::Running));
        self.jump(Way::Success);
        Ok(())
    }
}
