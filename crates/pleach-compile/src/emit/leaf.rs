//! Nodes with nothing inside.

use super::code::Emitter;
use super::scope_number;
use crate::ir::{FAILURE, How, Kind, NodeIndex, RUNNING, SUCCESS, SlotKind};
use pleach_image::assemble::{Exits, Label};
use pleach_image::format::{how, log_kind};
use pleach_image::isa::{Op, Word};

impl Emitter<'_> {
    pub(super) fn action(
        &mut self,
        node: NodeIndex,
        site: u32,
        gate: Option<u16>,
        exclusive: bool,
        out: Exits,
    ) {
        let op = if exclusive { Op::ActExclusive } else { Op::Act };
        let act = Word::new(op).with_x(self.scope.column).with_a(site as u16).with_b(self.id(node));
        if gate.is_none() {
            self.here(node, node + 1);
        }
        self.leave(node, act, gate.map(|gate| self.place(gate)), out);
    }

    /// A leaf that is one instruction with four exits, and what it remembers. With a gate, a bit slot that is set, it fails
    /// without the instruction. What its own ways lead to follows at once, so they need no labels:
    ///
    /// ```text
    ///     jbit gate -+
    ///  +- act        |    on running or success
    ///  |  leave    <-+    to the exit for failure
    ///  +> mark            to the exit for running
    ///  +> wipeif          to the exit for success
    /// ```
    pub(super) fn leave(&mut self, node: NodeIndex, word: Word, gate: Option<u16>, out: Exits) {
        let remembers = self.remembers(node);
        let inner = self.plain(node, remembers, out);
        if let Some(gate) = gate {
            self.asm.branch_near(Word::new(Op::JumpBit).with_a(gate).with_x(1), 3);
        }
        if remembers {
            let running = 2 + u16::from(gate.is_some());
            self.asm.exits_near(word, inner, running + 1, running);
        } else {
            self.asm.exits(word, inner);
        }
        if gate.is_some() {
            self.asm.arrive();
            let leave = Word::new(Op::Leave).with_x(self.scope.column).with_b(self.id(node));
            self.asm.effect(leave, inner.at(FAILURE));
        }
        if remembers {
            let [mark, wipe] = self.stubs(node);
            self.asm.arrive();
            self.stub(node, RUNNING, mark, out);
            self.asm.arrive();
            self.stub(node, SUCCESS, wipe, out);
        }
    }

    /// A call. There are not more blocks than nodes, so a block always fits.
    pub(super) fn call(&mut self, unit: u32) -> Word {
        self.depth = self.depth.max(self.depths[unit as usize] + 1);
        Word::new(Op::Call).with_a(unit as u16)
    }

    /// A leaf that writes something.
    pub(super) fn write(&mut self, node: NodeIndex, kind: Kind, out: Label) {
        let bit = |kind| kind == SlotKind::Bit;
        let word = match kind {
            Kind::Set(slot, expr) => {
                let row = self.module.slots[usize::from(slot)];
                let notes = self.module.changes.is_some() && row.name.is_some();
                let word = Word::new(match (bit(row.kind), notes) {
                    (true, true) => Op::SetVariable,
                    (true, false) => Op::SetBit,
                    (false, _) => Op::Set,
                });
                word.with_a(self.conditions[expr as usize]).with_b(self.place(slot))
            }
            Kind::Share(shared, way, expr) => {
                let is_bit = bit(self.module.shared[usize::from(shared)].kind);
                let word =
                    if is_bit { Word::new(Op::ShareBit) } else { Word::new(Op::Share).with_x(number(way)) };
                word.with_a(self.conditions[expr as usize]).with_b(shared)
            }
            Kind::Raise(event, scope) => Word::new(Op::Raise).with_x(scope_number(scope) as u8).with_a(event),
            Kind::Start(slot, expr) => {
                Word::new(Op::Start).with_a(self.conditions[expr as usize]).with_b(self.place(slot))
            }
            Kind::Note(slot, on) => Word::new(Op::Note).with_x(on.into()).with_a(self.place(slot)),
            Kind::Log(text) => self.log(node, log_kind::MESSAGE, text),
            _ => return,
        };
        self.asm.effect(word, out);
    }
}

/// The number of a way to write shared variables.
fn number(way: How) -> u8 {
    match way {
        How::Assign => how::ASSIGN,
        How::Add => how::ADD,
        How::Min => how::MIN,
        How::Max => how::MAX,
    }
}
