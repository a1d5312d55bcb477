//! Nodes that keep a status of their own.
//!
//! Each operation becomes one instruction or two, in order. A node that is ticked stands inside the
//! code of the node that ticks it. A halt is a block that is called, unless it is very short.

use super::emitter::Place;
use super::{Emitter, Exits, Kind, NodeIndex, OTHER, Op, SUCCESS, Task, Word};
use crate::ir::{Operation, Target};
use pleach_image::assemble::Label;

impl Emitter<'_> {
    /// Emits the tick of a node.
    pub(super) fn routine(&mut self, node: NodeIndex, routine: u32, out: Exits) {
        let count = self.module.routines[routine as usize].tick.len();
        let labels = self.asm.labels(count + 1);
        self.tasks.push(Task::Operations(Place { node, halts: false, at: 0, labels, out, head: None }));
    }

    /// Emits the halt of a node, which goes on at a label.
    pub(super) fn halt_code(&mut self, node: NodeIndex, out: Label) {
        let count = self.list_of(node, true).len();
        let labels = self.asm.labels(count + 1);
        let out = Exits::new([out; 4]);
        self.operations(Place { node, halts: true, at: 0, labels, out, head: None });
    }

    fn list_of(&self, node: NodeIndex, halts: bool) -> &[Operation] {
        let Kind::Routine(routine) = self.module.nodes[node as usize].kind else { return &[] };
        let routine = &self.module.routines[routine as usize];
        if halts { &routine.halt } else { &routine.tick }
    }

    /// Emits operations up to the next one that ticks a node.
    pub(super) fn operations(&mut self, mut place: Place) {
        self.owner(place.node);
        while let Some(operation) = self.list_of(place.node, place.halts).get(place.at).copied() {
            self.asm.bind(place.labels.at(place.at));
            place.at += 1;
            match operation {
                Operation::Tick(distance, to) => {
                    self.tasks.push(Task::Operations(place));
                    self.tasks.push(Task::Node(place.node + distance, exits(&place, to)));
                    return;
                }
                Operation::Loop(times) => {
                    let register = self.plan.registers.of_node[place.node as usize];
                    place.head = Some(self.asm.head(register as u8, times));
                }
                _ => self.operation(&place, operation),
            }
        }
        self.asm.bind(place.labels.at(place.at));
        self.asm.jump(place.out.at(SUCCESS));
    }

    fn operation(&mut self, place: &Place, operation: Operation) {
        let label = |to: Target| place.labels.at(to as usize);
        match operation {
            Operation::Jump(to) => self.asm.jump(label(to)),
            Operation::Unless(expr, to) => self.asm.branch(self.cond(expr), label(to)),
            Operation::IfOther(number, to) => {
                self.asm.branch(Word::new(Op::JumpOther).with_ab(number), label(to));
            }
            Operation::Set(slot, expr) => {
                let word = self.set(slot as u16, expr);
                self.asm.then(word);
            }
            Operation::Note(slot, on) => {
                let word = Word::new(Op::Note).with_x(on.into()).with_a(self.place(slot as u16));
                self.asm.then(word);
            }
            Operation::Halt(distance) => self.halt_node(place.node + distance, place.node),
            Operation::Act { call, fresh, to } => {
                let word = Word::new(Op::Perform).with_x(fresh.into()).with_a(call as u16);
                self.asm.exits(word.with_b(place.node as u16 + 1), exits(place, to));
            }
            Operation::Stop(call) => {
                self.asm.then(Word::new(Op::Stop).with_a(call as u16).with_b(place.node as u16 + 1));
            }
            Operation::Again => {
                if let Some(head) = place.head {
                    self.asm.again(head, place.labels.at(place.at));
                }
            }
            Operation::End(exit) => self.asm.jump(place.out.at(exit)),
            Operation::EndOther(number) => {
                self.asm.effect(Word::new(Op::Other).with_ab(number), place.out.at(OTHER));
            }
            Operation::Fault => self.asm.fault(),
            Operation::Tick(..) | Operation::Loop(_) => {}
        }
    }

    /// Halts a node, by a call or in place.
    fn halt_node(&mut self, node: NodeIndex, by: NodeIndex) {
        let next = self.asm.label();
        match self.plan.halt_of(node) {
            Some(unit) => {
                let call = self.call(unit);
                self.asm.exits(call, Exits::new([next; 4]));
            }
            None => self.halt_code(node, next),
        }
        self.asm.bind(next);
        self.owner(by);
    }
}

/// Returns the exits for code that goes on at targets of a list.
fn exits(place: &Place, to: [Target; 4]) -> Exits {
    Exits::new(to.map(|to| place.labels.at(to as usize)))
}
