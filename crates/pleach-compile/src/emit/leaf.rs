//! Nodes with nothing inside.

use super::emitter::Emitter;
use crate::ir::{FAILURE, Kind, NodeIndex, OTHER, RUNNING, SUCCESS, SlotKind};
use pleach_image::assemble::{Exits, Label, Out};
use pleach_image::format::log_kind;
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
        let act = Word::new(op).with_x(self.scope.column).with_a(site as u16).with_b(node as u16 + 1);
        self.fresh_data(node);
        if gate.is_none() {
            self.here(node, node + 1);
        }
        if exclusive {
            let running = self.end(node, RUNNING, out.at(RUNNING));
            self.stop(node, running);
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
    #[inline]
    pub(super) fn leave(&mut self, node: NodeIndex, word: Word, gate: Option<u16>, out: Exits) {
        if gate.is_some() || self.remembers(node) {
            return self.leave_by_stubs(node, word, gate, out);
        }
        let inner = self.plain(node, false, out);
        self.asm.exits(word, inner);
    }

    /// As [`Self::leave`], with a gate or something to remember.
    fn leave_by_stubs(&mut self, node: NodeIndex, word: Word, gate: Option<u16>, out: Exits) {
        let (remembers, id) = (self.remembers(node), self.id(node));
        let inner = self.plain(node, remembers, out);
        let jump = |gate| Word::new(Op::JumpBit).with_a(gate).with_x(1).with_t(3);
        let exits = |success, running| Word::new(Op::Exits).with_a(success).with_b(running).with_t(1);
        let leave = Word::new(Op::Leave).with_x(self.scope.column).with_b(id);
        let exit = |status| Out::exit(usize::from(gate.is_some()), status, inner.at(status));
        let (failed, other) = (exit(FAILURE), exit(OTHER));
        let shut = Out::target(3, inner.at(FAILURE));
        if let (Some(gate), false) = (gate, remembers) {
            let outs = [failed, exit(SUCCESS), exit(RUNNING), other, shut];
            return self.asm.run([jump(gate), word, exits(1, 1), leave], outs);
        }
        let ([mark, wipe], [running, success]) = (self.stubs(node, id), self.ends(node, out));
        if let Some(gate) = gate {
            let outs = [failed, other, shut, Out::target(4, running), Out::target(5, success)];
            return self.asm.run([jump(gate), word, exits(4, 3), leave, mark, wipe], outs);
        }
        let outs = [failed, other, Out::target(2, running), Out::target(3, success)];
        self.asm.run([word, exits(3, 2), mark, wipe], outs);
    }

    /// A call. There are not more blocks than nodes, so a block always fits.
    pub(super) fn call(&mut self, unit: u32) -> Word {
        self.depth = self.depth.max(self.depths[unit as usize] + 1);
        Word::new(Op::Call).with_a(unit as u16)
    }

    /// A leaf that writes something.
    pub(super) fn write(&mut self, node: NodeIndex, out: Label) {
        let bit = |kind| kind == SlotKind::Bit;
        let word = match self.module.nodes[node as usize].kind {
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
                    if is_bit { Word::new(Op::ShareBit) } else { Word::new(Op::Share).with_x(way as u8) };
                word.with_a(self.conditions[expr as usize]).with_b(shared)
            }
            Kind::Raise(event, scope) => Word::new(Op::Raise).with_x(scope as u8).with_a(event),
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
