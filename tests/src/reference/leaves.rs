//! Leaves of the host: their calls, and what an answer does to the position.

use super::{Call, Frame, Position, Tick};
use pleach_compile::internals::ast::{NO_VARIABLE, Value};
use pleach_compile::internals::ir::{self, Module, NodeIndex, Outcome, SlotKind};

impl Tick<'_, '_> {
    pub(super) fn action(
        &mut self,
        node: NodeIndex,
        site: u32,
        gate: Option<u16>,
        exclusive: bool,
    ) -> Outcome {
        if exclusive && self.stopped(node) {
            return Outcome::Running;
        }
        let shut = gate.is_some_and(|bit| self.frame.bits[usize::from(bit)]);
        if shut {
            return self.acted(node, Outcome::Failure, exclusive);
        }
        let outcome = self.act(node, site, exclusive);
        self.acted(node, outcome, exclusive)
    }

    /// Updates the position after the answer of an action.
    pub(super) fn acted(&mut self, node: NodeIndex, outcome: Outcome, exclusive: bool) -> Outcome {
        match outcome {
            Outcome::Running => self.put(Position::At(node)),
            Outcome::Other(_) if !exclusive => {}
            _ if self.at() == Position::At(node) => self.put(Position::Nothing),
            _ => {}
        }
        outcome
    }

    pub(super) fn act(&mut self, node: NodeIndex, site: u32, exclusive: bool) -> Outcome {
        let fresh = self.at() != Position::At(node);
        if exclusive {
            self.take_place(node);
        }
        self.perform_call(node, site, fresh)
    }

    /// Asks the host to act, and takes the values that it gives by out arguments.
    pub(super) fn perform_call(&mut self, node: NodeIndex, site: u32, fresh: bool) -> Outcome {
        let call = call(self.module, self.frame, self.agent, node, site);
        let outcome = self.host.act(self.frame, &call, fresh);
        let ir::Site { args: (first, count), .. } = self.module.sites[site as usize];
        let args = &self.module.args[first as usize..(first + count) as usize];
        for (place, arg) in args.iter().enumerate() {
            if let Value::Out(slot, given) = *arg
                && let Some(number) = self.host.give(&call, place)
            {
                let slot = slot as usize;
                self.frame.put(slot, self.module.slots[slot].kind, number);
                if given != NO_VARIABLE {
                    self.frame.bits[given as usize] = true;
                }
            }
        }
        outcome
    }

    /// Calls an action and ignores its answer.
    pub(super) fn tell(&mut self, node: NodeIndex, site: u32) -> Outcome {
        let call = call(self.module, self.frame, self.agent, node, site);
        self.host.act(self.frame, &call, true);
        Outcome::Success
    }
}

/// Returns the call of a site, with the current values of its arguments.
pub(super) fn call<'m>(
    module: &'m Module,
    frame: &Frame,
    agent: u32,
    node: NodeIndex,
    site: u32,
) -> Call<'m> {
    let ir::Site { import, args: (first, count) } = module.sites[site as usize];
    let name = module.names.bytes(module.imports[import as usize].name);
    let args = &module.args[first as usize..(first + count) as usize];
    let args = args.iter().map(|arg| argument(module, frame, *arg)).collect();
    Call { agent, node, name, args }
}

/// Returns the current value of an argument that is a variable.
fn argument(module: &Module, frame: &Frame, arg: Value) -> Value {
    let Value::Variable(slot) = arg else { return arg };
    let slot = slot as usize;
    match module.slots[slot].kind {
        SlotKind::Bit => Value::Int(frame.bits[slot].into()),
        SlotKind::F32 => Value::Float(frame.numbers[slot] as f32),
        SlotKind::F64 => Value::Double(frame.numbers[slot].to_bits().into()),
        SlotKind::Text => {
            let index = frame.numbers[slot] as usize;
            let text = module.texts.get(index).or(module.texts.first());
            text.map_or(Value::Int(0), |text| Value::Text(*text))
        }
        // The reference tells no entity from an integer.
        SlotKind::I64 | SlotKind::Entity => Value::Int64(frame.words[slot].into()),
        _ => Value::Int(frame.numbers[slot] as i32),
    }
}
