//! The tree around all nodes: timers, requests of the host, ticks.

use super::timing::Timer;
use super::{Binary, IDLE, Label, List, Operation, RUNS, Refused, Rule, SUCCEEDED, Shared, SlotKind, Way};
use crate::ast::{Expr, ExprIndex, Math};
use crate::dialect::btcpp::code::SKIPPED;
use crate::routine::Routine;

/// Name of the variable by which the host says what a tick is.
const REQUEST: &str = "@request";
/// Value of [`REQUEST`]: ticks again while a tick runs and the wake-up flag is set.
const ONCE: f64 = 1.0;
/// Value of [`REQUEST`]: halts the tree.
const HALT: f64 = 2.0;
/// Value of [`REQUEST`]: only lets timers fire.
const TIMERS: f64 = 3.0;

/// Returns the routine around all nodes.
pub(in super::super) fn driver(shared: &mut Shared<'_, '_, '_>) -> Result<Routine, Refused> {
    let span = shared.builder.program.nodes[0].span;
    let name = shared.builder.session.names.intern(REQUEST.as_bytes());
    let request = shared.builder.named(name, SlotKind::U8, span);
    let mut list = List::default();
    fire(shared, &mut list);
    let [no_halt, tick] = [list.label(), list.label()];
    let halts = shared.builder.equals(request, HALT);
    list.unless(halts, no_halt);
    halt_all(shared, &mut list);
    list.end(Way::Success);
    list.bind(no_halt);
    let timers = shared.builder.equals(request, TIMERS);
    list.unless(timers, tick);
    status(shared, &mut list);
    list.bind(tick);
    ticks(shared, &mut list, request);
    Ok(Routine { tick: list.finish(), halt: Vec::new() })
}

/// Lets timers fire that are due: those that halt nodes in the order of their deadlines.
fn fire(shared: &mut Shared<'_, '_, '_>, list: &mut List) {
    let (halting, plain): (Vec<_>, Vec<_>) = shared.timers.iter().copied().partition(|it| it.halts);
    if halting.len() > 1 {
        first_due(shared, list, &halting);
    } else {
        halting.iter().for_each(|timer| fire_if_due(shared, list, timer));
    }
    plain.iter().for_each(|timer| fire_if_due(shared, list, timer));
}

fn fire_if_due(shared: &mut Shared<'_, '_, '_>, list: &mut List, timer: &Timer) {
    let next = list.label();
    let late = lateness(shared, timer);
    let builder = &mut shared.builder;
    let zero = builder.number(0.0);
    let due = builder.binary(Binary::GreaterEqual, late, zero);
    list.unless(due, next);
    fire_now(shared, list, timer);
    list.bind(next);
}

/// Returns the time since a timer was due; no number if it has not begun.
fn lateness(shared: &mut Shared<'_, '_, '_>, timer: &Timer) -> ExprIndex {
    let builder = &mut shared.builder;
    let since = builder.file.expr(Expr::Since(timer.moment));
    let length = builder.read(timer.length);
    builder.math(Math::Subtract, since, length)
}

/// Lets a timer fire.
fn fire_now(shared: &mut Shared<'_, '_, '_>, list: &mut List, timer: &Timer) {
    let end = list.label();
    let builder = &mut shared.builder;
    list.push(Operation::Note(timer.moment, false));
    if timer.halts {
        let child = timer.node + 1;
        let running = builder.status_in(child, RUNS, RUNS);
        list.unless(running, end);
        list.push(Operation::Halt(child as u32 + 1));
        builder.store(list, child, IDLE);
    }
    builder.set_bit(list, timer.fired, true);
    builder.set_bit(list, shared.wake, true);
    list.bind(end);
}

/// Lets the timer fire that was due first, again and again. Of two that were due at the same time,
/// the first is the one that began first.
fn first_due(shared: &mut Shared<'_, '_, '_>, list: &mut List, timers: &[Timer]) {
    let span = shared.builder.program.nodes[0].span;
    let kinds = [SlotKind::I32, SlotKind::F64, SlotKind::I32];
    let [chosen, most, order] = kinds.map(|kind| shared.builder.variable(kind, span));
    let over = list.label();
    list.push(Operation::Loop(timers.len().min(usize::from(u16::MAX)) as u16));
    shared.builder.set_number(list, chosen, 0.0);
    shared.builder.set_number(list, most, 0.0);
    for (number, timer) in (1_u16..).zip(timers) {
        let other = list.label();
        let late = lateness(shared, timer);
        let builder = &mut shared.builder;
        let (best, place) = (builder.read(most), builder.read(timer.order.unwrap_or_default()));
        let known = builder.read(order);
        let due = builder.binary(Binary::GreaterEqual, late, best);
        list.unless(due, other);
        let none = builder.equals(chosen, 0.0);
        let later = builder.binary(Binary::Greater, late, best);
        let earlier = builder.binary(Binary::Less, place, known);
        let better = builder.binary(Binary::Or, later, earlier);
        let better = builder.binary(Binary::Or, none, better);
        list.unless(better, other);
        list.push(Operation::Set(most, late));
        list.push(Operation::Set(order, place));
        builder.set_number(list, chosen, f64::from(number));
        list.bind(other);
    }
    let none = shared.builder.equals(chosen, 0.0);
    let some = shared.builder.not(none);
    list.unless(some, over);
    for (number, timer) in (1_u16..).zip(timers) {
        let other = list.label();
        let this = shared.builder.equals(chosen, f64::from(number));
        list.unless(this, other);
        fire_now(shared, list, timer);
        list.bind(other);
    }
    list.push(Operation::Again);
    list.bind(over);
}

/// Halts the outermost node, and then every node.
fn halt_all(shared: &mut Shared<'_, '_, '_>, list: &mut List) {
    list.push(Operation::Halt(1));
    for node in 0..shared.builder.program.nodes.len() {
        list.push(Operation::Halt(node as u32 + 1));
    }
    shared.builder.store(list, 0, IDLE);
}

/// Ends with the status of the outermost node; idle counts as failure.
fn status(shared: &mut Shared<'_, '_, '_>, list: &mut List) {
    for (status, way) in [(RUNS, Way::Running), (SUCCEEDED, Way::Success)] {
        let next = list.label();
        let is = shared.builder.status_in(0, status, status);
        list.unless(is, next);
        list.end(way);
        list.bind(next);
    }
    list.end(Way::Failure);
}

/// Returns true if a node can set the wake-up flag while it is ticked.
fn wakes(shared: &Shared<'_, '_, '_>) -> bool {
    shared.builder.program.nodes.iter().any(|node| match node.rule {
        Rule::Sequence { yields, .. } | Rule::Repeat { yields, .. } => yields,
        _ => node.host.is_some_and(|host| shared.registry.hosts[host].wake.is_some()),
    })
}

/// Ticks the outermost node, perhaps several times.
fn ticks(shared: &mut Shared<'_, '_, '_>, list: &mut List, request: u32) {
    // A flag that is set before the tick makes one more tick.
    list.push(Operation::Loop(if wakes(shared) { u16::MAX } else { 1 }));
    let [failed, succeeded, runs, rests, skipped]: [Label; 5] = [(); 5].map(|()| list.label());
    list.tick(1, [failed, succeeded, runs, skipped]);
    list.bind(runs);
    let builder = &mut shared.builder;
    let once = builder.equals(request, ONCE);
    list.unless(once, rests);
    let woken = builder.read(shared.wake);
    list.unless(woken, rests);
    builder.set_bit(list, shared.wake, false);
    list.push(Operation::Again);
    list.push(Operation::Fault);
    list.bind(rests);
    list.end(Way::Running);
    for (label, way) in [(failed, Way::Failure), (succeeded, Way::Success)] {
        list.bind(label);
        shared.builder.store(list, 0, IDLE);
        list.end(way);
    }
    list.bind(skipped);
    list.push(Operation::EndOther(SKIPPED));
}
