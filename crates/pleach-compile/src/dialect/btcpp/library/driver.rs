//! The tree around all nodes: timers, requests of the host, ticks.

use super::timing::Timer;
use super::{Binary, IDLE, Label, List, Operation, RUNS, Refused, SUCCEEDED, Shared, SlotKind, Way};
use crate::ast::{Expr, ExprIndex};
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
/// Most times that a tree ticks again at once.
const MOST: u16 = u16::MAX;

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

/// Lets timers fire that are due.
fn fire(shared: &mut Shared<'_, '_, '_>, list: &mut List) {
    for Timer { node, moment, length, fired, halts } in shared.timers.clone() {
        let next = list.label();
        let builder = &mut shared.builder;
        let since = builder.file.expr(Expr::Since(moment));
        let length = builder.read(length);
        let due: ExprIndex = builder.binary(Binary::GreaterEqual, since, length);
        list.unless(due, next);
        list.push(Operation::Note(moment, false));
        if halts {
            let child = node + 1;
            let running = builder.status_in(child, RUNS, RUNS);
            list.unless(running, next);
            list.push(Operation::Halt(child as u32 + 1));
            builder.store(list, child, IDLE);
        }
        builder.set_bit(list, fired, true);
        builder.set_bit(list, shared.wake, true);
        list.bind(next);
    }
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

/// Ticks the outermost node, perhaps several times.
fn ticks(shared: &mut Shared<'_, '_, '_>, list: &mut List, request: u32) {
    list.push(Operation::Loop(MOST));
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
