//! Nodes with nothing inside.

use super::{Emitter, Exits, FAILURE, Kind, Label, NodeIndex, Op, RUNNING, SlotKind, Word, log_kind};

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

    /// Emits a leaf that is one instruction with four exits. With a gate, which is a bit slot, the
    /// leaf fails without the instruction while the bit is set.
    pub(super) fn leave(&mut self, node: NodeIndex, word: Word, gate: Option<u16>, out: Exits) {
        let shut = gate.map(|gate| {
            let shut = self.asm.label();
            self.asm.branch(Word::new(Op::JumpBit).with_a(gate).with_x(1), shut);
            shut
        });
        let inner = self.wrap(node, out);
        self.asm.exits(word, inner);
        if let Some(shut) = shut {
            self.asm.bind(shut);
            self.asm.effect(self.position(Op::Leave).with_b(self.id(node)), inner.at(FAILURE));
        }
    }

    /// Returns a call. There are not more blocks than nodes, so a block always fits.
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
