//! Nodes that keep a status of their own.

use super::{Halt, Spent, Tick, call};
use pleach_compile::internals::ir::{FAILURE, Kind, NodeIndex, Operation, Outcome, RUNNING, SUCCESS};

impl Tick<'_, '_> {
    pub(super) fn routine(&mut self, node: NodeIndex, routine: u32) -> Outcome {
        let module = self.module;
        let outcome = self.operations(node, &module.routines[routine as usize].tick);
        outcome.expect("the tick of a node ends with a status")
    }

    /// Halts a node.
    fn halt_node(&mut self, node: NodeIndex) {
        let module = self.module;
        if let Kind::Routine(routine) = module.nodes[node as usize].kind {
            self.operations(node, &module.routines[routine as usize].halt);
        }
    }

    /// Tells the host of all actions that run by the statuses that nodes keep.
    pub(super) fn halt_running(&mut self, why: Halt) {
        let Some((first, status)) = self.module.statuses else { return };
        for (node, slot) in (first..self.module.nodes.len() as NodeIndex).zip(usize::from(status)..) {
            let Kind::Routine(routine) = self.module.nodes[node as usize].kind else { continue };
            let halt = &self.module.routines[routine as usize].halt;
            let stop =
                halt.iter().find_map(|it| if let Operation::Stop(site) = it { Some(*site) } else { None });
            if let Some(site) = stop.filter(|_| self.frame.numbers[slot] == 1.0) {
                let call = call(self.module, self.frame, self.agent, node, site);
                self.host.halt(self.frame, &call, why);
            }
        }
    }

    /// Runs operations. Returns the status with which the tick of the node ends.
    fn operations(&mut self, node: NodeIndex, list: &[Operation]) -> Option<Outcome> {
        let (mut at, mut head, mut left) = (0, 0, 0);
        // The number of a status other than failure, success and running that came last.
        let mut other = 0;
        let exit = |outcome: Outcome, other: &mut i32| {
            if let Outcome::Other(number) = outcome {
                *other = number;
            }
            outcome.exit()
        };
        while let Some(operation) = list.get(at) {
            at += 1;
            match *operation {
                Operation::Jump(to) => at = to as usize,
                Operation::Unless(condition, to) if !self.holds(node, condition) => at = to as usize,
                Operation::Unless(..) => {}
                Operation::IfOther(number, to) if other == number => at = to as usize,
                Operation::IfOther(..) => {}
                Operation::Set(slot, expr) => self.keep(node, slot as usize, expr),
                Operation::Note(slot, on) => _ = self.note(slot as usize, on),
                Operation::Tick(distance, to) => {
                    let outcome = self.run(node + distance);
                    at = to[exit(outcome, &mut other)] as usize;
                }
                Operation::Halt(distance) => self.halt_node(node + distance),
                Operation::Act { call: site, fresh, to } => {
                    let outcome = self.perform_call(node, site, fresh);
                    at = to[exit(outcome, &mut other)] as usize;
                }
                Operation::Stop(site) => {
                    let call = call(self.module, self.frame, self.agent, node, site);
                    self.host.halt(self.frame, &call, Halt::Interrupted);
                }
                Operation::Loop(times) => (head, left) = (at, times),
                Operation::Again if left > 0 => (at, left) = (head, left - 1),
                Operation::Again => {}
                Operation::End(FAILURE) => return Some(Outcome::Failure),
                Operation::End(SUCCESS) => return Some(Outcome::Success),
                Operation::End(RUNNING) => return Some(Outcome::Running),
                Operation::End(_) => return Some(Outcome::Other(other)),
                Operation::EndOther(number) => return Some(Outcome::Other(number)),
                Operation::Fault => std::panic::resume_unwind(Box::new(Spent { node })),
            }
        }
        None
    }

    /// Writes a slot. Reports it if the slot is the status of a node.
    fn keep(&mut self, node: NodeIndex, slot: usize, expr: u32) {
        let before = self.frame.numbers[slot];
        self.set(node, slot, expr);
        let after = self.frame.numbers[slot];
        if let Some((first, status)) = self.module.statuses
            && let Some(index) = slot.checked_sub(status.into())
            && before != after
            && first as usize + index < self.module.nodes.len()
        {
            let node = first + index as u32;
            self.host.changed(self.agent, node, before as u8, after as u8);
        }
    }
}
