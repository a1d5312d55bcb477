//! Routines of all kinds of nodes.
//!
//! A tick asks the pre-conditions, runs the code of the kind, and leaves by one of four ways:
//! failure, success, running or skipped. Behind them stand the post-conditions and the store of the
//! status. `controls`, `parallels`, `branches`, `decorators`, `looping`, `timing`, `leaves`,
//! `board`, `host`, `test_node` and `nav2` have the code of the kinds, `driver` the tree around all
//! nodes.

mod board;
mod branches;
mod controls;
mod decorators;
mod driver;
mod host;
mod leaves;
mod looping;
mod nav2;
mod parallels;
mod test_node;
mod timing;

use super::code::{Builder, FAILED, IDLE, Label, List, RUNS, SUCCEEDED, Way};
use super::entries::{CODE, Entries, Port, place_of};
use super::hosts::Registry;
use super::instance::Condition;
use super::kinds::{Item, Memory, PortType, Rule, Version};
use super::scripts::{Scripts, Value};
use super::slots::Slots;
use super::{Refused, refused};
use crate::ast::{Binary, ExprIndex, SlotKind};
use crate::codes;
use crate::routine::{Operation, Routine};
use crate::source::Span;
pub(super) use driver::driver;
use hashbrown::HashMap;
pub(super) use host::slot_kind;
pub(super) use timing::Timer;

/// Data that all nodes of a program share.
pub(super) struct Shared<'c, 's, 'a> {
    pub(super) builder: &'c mut Builder<'s, 'a>,
    pub(super) entries: &'c Entries,
    pub(super) registry: &'c Registry,
    pub(super) slots: Slots,
    /// Variable of the wake-up flag.
    pub(super) wake: u32,
    pub(super) timers: Vec<Timer>,
    /// Variable that counts the timers that have begun, if several of them halt nodes: then their
    /// order matters.
    pub(super) begun: Option<u32>,
    /// Calls of the host's nodes.
    pub(super) calls: HashMap<usize, u32>,
    /// Bytes of queues in entries, counted for each loop.
    pub(super) queues: usize,
}

/// Code of a node under construction.
struct Writer<'w, 'c, 's, 'a> {
    shared: &'w mut Shared<'c, 's, 'a>,
    node: usize,
    list: List,
    fault: Label,
    /// Labels of failure, success, running and skipped.
    ways: [Label; 4],
    /// Variables that a halt makes zero again.
    cleared: Vec<(u32, SlotKind)>,
    /// Moments that a halt ends.
    stopped: Vec<u32>,
}

/// Returns the routine of a node.
pub(super) fn routine(shared: &mut Shared<'_, '_, '_>, node: usize) -> Result<Routine, Refused> {
    let mut writer = Writer::new(shared, node);
    writer.tick()?;
    let Writer { list, cleared, stopped, .. } = writer;
    let tick = list.finish();
    let mut writer = Writer::new(shared, node);
    (writer.cleared, writer.stopped) = (cleared, stopped);
    writer.halt()?;
    Ok(Routine { tick, halt: writer.list.finish() })
}

impl<'w, 'c, 's, 'a> Writer<'w, 'c, 's, 'a> {
    fn new(shared: &'w mut Shared<'c, 's, 'a>, node: usize) -> Self {
        let mut list = List::default();
        let fault = list.label();
        let ways = [(); 4].map(|()| list.label());
        Self { shared, node, list, fault, ways, cleared: Vec::new(), stopped: Vec::new() }
    }

    fn tick(&mut self) -> Result<(), Refused> {
        self.preconditions()?;
        self.body()?;
        self.leave(Way::Failure)?;
        self.leave(Way::Success)?;
        self.list.bind(self.way(Way::Running));
        if !self.begins_running() {
            self.store(RUNS);
        }
        self.list.end(Way::Running);
        self.list.bind(self.way(Way::Skipped));
        self.list.end(Way::Skipped);
        self.list.bind(self.fault);
        self.list.push(Operation::Fault);
        Ok(())
    }

    fn body(&mut self) -> Result<(), Refused> {
        match self.rule() {
            Rule::Sequence { fallback, yields, memory } => self.sequence(fallback, yields, memory),
            Rule::Reactive { fallback } => self.reactive(fallback),
            Rule::Parallel => return self.parallel(),
            Rule::OldParallel => return self.old_parallel(),
            Rule::ParallelAll => return self.parallel_all(),
            Rule::IfThenElse => self.if_then_else(),
            Rule::WhileDoElse { three } => self.while_do_else(three),
            Rule::Switch(cases) => return self.switch(cases.into()),
            Rule::TryCatch => return self.try_catch(),
            Rule::Inverter => self.mapped([Way::Success, Way::Failure, Way::Running, Way::Skipped]),
            Rule::Force(success) => {
                let way = if success == 1 { Way::Success } else { Way::Failure };
                self.mapped([way, way, Way::Running, Way::Skipped]);
            }
            Rule::KeepRunningUntilFailure => {
                self.mapped([Way::Failure, Way::Running, Way::Running, Way::Running]);
            }
            Rule::SubTree => self.subtree(),
            Rule::Repeat { retry, yields } => return self.repeat(retry, yields),
            Rule::RunOnce => return self.run_once(),
            Rule::Delay => return self.delay(),
            Rule::Timeout => return self.timeout(),
            Rule::Precondition => return self.precondition(),
            Rule::Check(item) => return self.check(item),
            Rule::Loop(item) => return self.looping(item),
            Rule::Updated { waits } => self.updated(waits),
            Rule::Always(success) => {
                self.jump(if success == 1 { Way::Success } else { Way::Failure });
            }
            Rule::Test(rule) => return self.test_node(rule),
            Rule::Script => return self.script_leaf(),
            Rule::ScriptCondition => return self.script_condition(),
            Rule::SetBlackboard => return self.set_blackboard(),
            Rule::UnsetBlackboard => return self.unset_blackboard(),
            Rule::Sleep => return self.sleep(),
            Rule::WasEntryUpdated => self.was_updated(),
            Rule::Pipeline => self.pipeline(),
            Rule::Nonblocking => self.nonblocking(),
            Rule::Recovery => return self.recovery(),
            Rule::RoundRobin => return self.round_robin(),
            Rule::RateController => return self.rate_controller(),
            Rule::SingleTrigger => self.single_trigger(),
            Rule::Persistent => return self.persistent(),
            Rule::GoalUpdatedController => self.goal_updated_controller(),
            Rule::Asked { always } => return self.asked(always),
            Rule::Host(leaf) => return self.host(leaf),
        }
        Ok(())
    }

    /// Returns true for kinds of nodes whose code has always stored that the node runs when it
    /// comes to the way out for running.
    fn begins_running(&self) -> bool {
        use Rule::{Force, Inverter, KeepRunningUntilFailure, RateController, Reactive, Recovery};
        use Rule::{Repeat, RoundRobin, Sequence, SingleTrigger};
        matches!(self.rule(), Sequence { .. } | Reactive { .. } | Recovery | RoundRobin | Repeat { .. })
            || matches!(self.rule(), Inverter | Force(_) | KeepRunningUntilFailure)
            || matches!(self.rule(), RateController | SingleTrigger)
    }

    /// Ends with a completed status: post-conditions, the store, and the reset of a decorator's
    /// child.
    fn leave(&mut self, way: Way) -> Result<(), Refused> {
        self.list.bind(self.way(way));
        let (own, status) = match way {
            Way::Success => (Condition::OnSuccess, SUCCEEDED),
            _ => (Condition::OnFailure, FAILED),
        };
        self.script(place_of(own))?;
        self.script(place_of(Condition::Post))?;
        self.store(status);
        if self.leaves_child() {
            self.reset_completed();
        }
        self.list.end(way);
        Ok(())
    }

    /// Returns true for decorators whose child may be completed when they end.
    fn leaves_child(&self) -> bool {
        matches!(
            self.rule(),
            Rule::Updated { .. }
                | Rule::RateController
                | Rule::SingleTrigger
                | Rule::GoalUpdatedController
                | Rule::Asked { .. }
        )
    }

    /// Makes the status of a child that has completed idle.
    fn reset_completed(&mut self) {
        let child = self.node + 1;
        let kept = self.list.label();
        let completed = self.shared.builder.status_in(child, SUCCEEDED, FAILED);
        self.list.unless(completed, kept);
        self.shared.builder.store(&mut self.list, child, IDLE);
        self.list.bind(kept);
    }

    /// Asks the pre-conditions.
    fn preconditions(&mut self) -> Result<(), Refused> {
        use Condition::{FailureIf, SkipIf, SuccessIf, While};
        let has = |it: Condition| self.shared.builder.program.nodes[self.node].condition(it).is_some();
        let asked = [FailureIf, SuccessIf, SkipIf, While].into_iter().any(has);
        if !asked {
            return Ok(());
        }
        let monitored = has(While);
        let [begun, body] = [self.list.label(), self.list.label()];
        self.if_active(begun);
        for (condition, way) in [(FailureIf, Way::Failure), (SuccessIf, Way::Success), (SkipIf, Way::Skipped)]
        {
            let next = self.list.label();
            if let Some(truth) = self.condition(place_of(condition))? {
                self.list.unless(truth, next);
                self.jump(way);
            }
            self.list.bind(next);
        }
        if let Some(truth) = self.condition(place_of(While))? {
            self.list.unless(truth, self.way(Way::Skipped));
        }
        self.list.jump(body);
        self.list.bind(begun);
        if monitored {
            let running = self.status_in(RUNS, RUNS);
            self.list.unless(running, body);
            let stop = self.list.label();
            if let Some(truth) = self.condition(place_of(While))? {
                self.list.unless(truth, stop);
            }
            self.list.jump(body);
            self.list.bind(stop);
            self.list.push(Operation::Halt(0));
            self.jump(Way::Skipped);
        }
        self.list.bind(body);
        Ok(())
    }

    /// Halts the node.
    fn halt(&mut self) -> Result<(), Refused> {
        self.halt_body()?;
        for moment in core::mem::take(&mut self.stopped) {
            self.list.push(Operation::Note(moment, false));
        }
        for (variable, kind) in core::mem::take(&mut self.cleared) {
            self.clear(variable, kind);
        }
        self.store(IDLE);
        self.script(place_of(Condition::OnHalted))?;
        let end = self.list.label();
        if self.shared.builder.program.nodes[self.node].condition(Condition::OnHalted).is_some() {
            self.list.jump(end);
            self.list.bind(self.fault);
            self.list.push(Operation::Fault);
        }
        self.list.bind(end);
        Ok(())
    }

    fn halt_body(&mut self) -> Result<(), Refused> {
        match self.rule() {
            Rule::Host(leaf) => self.halt_host(leaf),
            Rule::TryCatch => return self.halt_try_catch(),
            _ => self.reset_all(),
        }
        Ok(())
    }

    fn clear(&mut self, variable: u32, kind: SlotKind) {
        if kind == SlotKind::Bit {
            self.set_bit(variable, false);
        } else {
            self.set_number(variable, 0.0);
        }
    }

    /// Returns true in a program of version 3.
    fn is_old(&self) -> bool {
        self.shared.registry.version == Version::Three
    }

    fn rule(&self) -> Rule {
        self.shared.builder.program.nodes[self.node].rule
    }

    fn span(&self) -> Span {
        self.shared.builder.program.nodes[self.node].span
    }

    fn way(&self, way: Way) -> Label {
        self.ways[way as usize]
    }

    fn jump(&mut self, way: Way) {
        self.list.jump(self.way(way));
    }

    fn children(&self) -> Vec<usize> {
        self.shared.builder.program.children(self.node)
    }

    fn store(&mut self, status: u8) {
        self.shared.builder.store(&mut self.list, self.node, status);
    }

    fn status_in(&mut self, first: u8, last: u8) -> ExprIndex {
        self.shared.builder.status_in(self.node, first, last)
    }

    fn tick_child(&mut self, child: usize, to: [Label; 4]) {
        self.list.tick((child - self.node) as u32, to);
    }

    fn reset(&mut self, child: usize) {
        self.shared.builder.reset(&mut self.list, self.node, child);
    }

    /// Resets all children, in order.
    fn reset_all(&mut self) {
        self.children().into_iter().for_each(|child| self.reset(child));
    }

    /// Returns a new variable. A halt makes it zero.
    fn cleared(&mut self, kind: SlotKind) -> u32 {
        let variable = self.variable(kind);
        self.cleared.push((variable, kind));
        variable
    }

    /// Returns a new variable, which a halt does not change.
    fn variable(&mut self, kind: SlotKind) -> u32 {
        let span = self.span();
        self.shared.builder.variable(kind, span)
    }

    fn set_number(&mut self, variable: u32, number: f64) {
        self.shared.builder.set_number(&mut self.list, variable, number);
    }

    fn set_bit(&mut self, variable: u32, is: bool) {
        self.shared.builder.set_bit(&mut self.list, variable, is);
    }

    fn add_to(&mut self, variable: u32, by: f64) {
        self.shared.builder.add_to(&mut self.list, variable, by);
    }

    fn read(&mut self, variable: u32) -> ExprIndex {
        self.shared.builder.read(variable)
    }

    fn equals(&mut self, variable: u32, number: f64) -> ExprIndex {
        self.shared.builder.equals(variable, number)
    }

    /// Goes on at a label if the node is not idle.
    fn if_active(&mut self, to: Label) {
        let idle = self.status_in(IDLE, IDLE);
        self.list.unless(idle, to);
    }

    /// Goes on at a label if a variable equals a number.
    fn if_equal(&mut self, variable: u32, number: f64, to: Label) {
        let builder = &mut self.shared.builder;
        let (left, right) = (builder.read(variable), builder.number(number));
        let differs = builder.binary(Binary::NotEqual, left, right);
        self.list.unless(differs, to);
    }

    /// Goes on at a label if a boolean is true.
    fn if_set(&mut self, variable: u32, to: Label) {
        let read = self.read(variable);
        let not = self.shared.builder.not(read);
        self.list.unless(not, to);
    }

    /// Sets the wake-up flag.
    fn wake(&mut self) {
        let wake = self.shared.wake;
        self.set_bit(wake, true);
    }

    /// Returns what compiles the scripts of the node.
    fn scripts(&mut self) -> Scripts<'_, 's, 'a> {
        let scope = self.shared.builder.program.nodes[self.node].scope;
        let span = self.span();
        Scripts {
            builder: self.shared.builder,
            list: &mut self.list,
            entries: self.shared.entries,
            slots: &mut self.shared.slots,
            scope,
            fault: self.fault,
            span,
        }
    }

    /// Runs the script of a place, if there is one.
    fn script(&mut self, place: usize) -> Result<(), Refused> {
        let entries = self.shared.entries;
        if let Some(script) = entries.scripts.get(&(self.node, place)) {
            self.scripts().run(script)?;
        }
        Ok(())
    }

    /// Returns the truth of the script of a place, if there is one.
    fn condition(&mut self, place: usize) -> Result<Option<ExprIndex>, Refused> {
        let entries = self.shared.entries;
        let script = entries.scripts.get(&(self.node, place));
        script.map(|script| self.scripts().condition(script)).transpose()
    }

    /// Returns a port of the node.
    fn port(&self, name: &str) -> Port {
        self.shared.entries.port(&self.shared.builder.program, self.shared.registry, self.node, name)
    }

    /// Returns a finding about a port that an image cannot carry.
    fn not_carried(&self, message: &str, help: &str) -> Refused {
        refused(codes::NOT_CARRIED, self.span(), message, help)
    }
}
