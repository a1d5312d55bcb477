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

    /// Returns the instruction that writes the value of an expression to a slot.
    pub(super) fn set(&self, slot: u16, expr: u32) -> Word {
        let row = self.module.slots[usize::from(slot)];
        let notes = self.module.changes.is_some() && row.name.is_some();
        let word = Word::new(match row.kind {
            SlotKind::Bit if notes => Op::SetVariable,
            SlotKind::Bit => Op::SetBit,
            kind if kind.is_word() => Op::SetWord,
            _ => Op::Set,
        });
        word.with_a(self.conditions[expr as usize]).with_b(self.place(slot))
    }

    /// A leaf that writes something.
    pub(super) fn write(&mut self, node: NodeIndex, out: Label) {
        let word = match self.module.nodes[node as usize].kind {
            Kind::Set(slot, expr) => self.set(slot, expr),
            Kind::Take { given, to, value } => {
                self.asm.branch(Word::new(Op::JumpBit).with_a(self.place(given)), out);
                self.set(to, value)
            }
            Kind::Share(shared, way, expr) => {
                let word = match self.module.shared[usize::from(shared)].kind {
                    SlotKind::Bit => Word::new(Op::ShareBit),
                    kind if kind.is_word() => Word::new(Op::ShareWord).with_x(way as u8),
                    _ => Word::new(Op::Share).with_x(way as u8),
                };
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
