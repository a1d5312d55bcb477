//! Nodes that depend on events, timestamps and changes, and the end of nodes around a child.

use super::frame::Position;
use super::{Halt, LogKind, Tick, call};
use pleach_compile::internals::ir::{Kind, NodeIndex, Outcome, Scope};

impl Tick<'_, '_> {
    pub(super) fn until(&mut self, node: NodeIndex, condition: u32) -> Outcome {
        if !self.holds(node, condition) {
            self.take_place(node);
            return Outcome::Running;
        }
        self.leave(node);
        Outcome::Success
    }

    /// Clears the position if it holds the node.
    fn leave(&mut self, node: NodeIndex) {
        if self.at() == Position::At(node) {
            self.put(Position::Nothing);
        }
    }

    pub(super) fn priority(&mut self, node: NodeIndex, first: u32) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let current = children.iter().copied().find(|child| self.active(*child));
        let changed = self.module.changes.is_some_and(|changes| {
            [changes.live, changes.before].iter().any(|slot| self.frame.bits[usize::from(*slot)])
        });
        let chosen = match current {
            Some(child) if !changed => Some(child),
            _ => {
                let mut tests = (first..).zip(&children);
                let chosen = tests.find(|(test, _)| {
                    let condition = self.module.tests[*test as usize];
                    self.holds(node, condition)
                });
                chosen.map(|(_, child)| *child)
            }
        };
        if chosen != current {
            self.halt_inside(node);
        }
        chosen.map_or(Outcome::Failure, |child| self.run(child))
    }

    pub(super) fn machine(&mut self, node: NodeIndex, slot: usize) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let current = children.iter().copied().find(|child| self.active(*child));
        // A machine that begins has no pending transition.
        let next = if current.is_some() { self.frame.numbers[slot] as usize } else { 0 };
        self.frame.numbers[slot] = 0.0;
        let child = match (next, current) {
            (0, Some(child)) => child,
            (0, None) => children[0],
            (number, _) => {
                self.halt_inside(node);
                children[number - 2]
            }
        };
        self.run(child)
    }

    pub(super) fn emit(&mut self, node: NodeIndex, block: u32) -> Outcome {
        self.take_place(node);
        self.run(self.module.blocks[block as usize].root);
        self.leave(node);
        Outcome::Success
    }

    /// Checks if something runs in a node of another block.
    pub(super) fn within(&mut self, node: NodeIndex, other: NodeIndex) -> Outcome {
        let position = super::crowd::position_of(self.module, other);
        let end = self.module.nodes[other as usize].end;
        match self.frame.positions[position] {
            Position::At(at) if (other..end).contains(&at) => self.child(node).unwrap_or(Outcome::Success),
            _ => Outcome::Failure,
        }
    }

    pub(super) fn start(&mut self, node: NodeIndex, slot: usize, length: u32) -> Outcome {
        let length = self.number(node, length) as i64;
        self.frame.moments[slot] = self.now.saturating_add(length);
        Outcome::Success
    }

    pub(super) fn note(&mut self, slot: usize, on: bool) -> Outcome {
        let moment = &mut self.frame.moments[slot];
        *moment = match (on, *moment) {
            (true, _) => self.now.max(0).saturating_add(2),
            (false, 0) => 0,
            (false, _) => 1,
        };
        Outcome::Success
    }

    pub(super) fn wrap(&mut self, node: NodeIndex, site: u32) -> Outcome {
        if !self.active(node) {
            let call = call(self.module, self.frame, self.agent, node, site);
            let answer = self.host.act(self.frame, &call, true);
            if answer != Outcome::Running {
                return answer;
            }
        }
        let outcome = self.only_child(node);
        if outcome != Outcome::Running {
            self.close(node, Halt::Ended);
        }
        outcome
    }

    pub(super) fn admit(&mut self, node: NodeIndex, gate: u16) -> Outcome {
        if !self.active(node) && !self.enter(gate) {
            return Outcome::Failure;
        }
        let outcome = self.only_child(node);
        if outcome != Outcome::Running {
            self.close(node, Halt::Ended);
        }
        outcome
    }

    /// Takes a place behind a gate. Returns true if one was free.
    fn enter(&mut self, gate: u16) -> bool {
        let row = self.module.gates[usize::from(gate)];
        let among = if row.scope == Scope::Group { self.group } else { 0 };
        // Gates that share a bit share their places.
        let inside = self.world.inside.entry((row.inside, among)).or_default();
        if inside.len() >= row.places as usize {
            return false;
        }
        inside.insert(self.agent);
        true
    }

    /// Ends a node around a child: reports it to the host, or gives back a place.
    pub(super) fn close(&mut self, node: NodeIndex, why: Halt) {
        match self.module.nodes[node as usize].kind {
            Kind::Wrap(site) => {
                let call = call(self.module, self.frame, self.agent, node, site);
                self.host.halt(self.frame, &call, why);
            }
            Kind::Admit(gate) => {
                let row = self.module.gates[usize::from(gate)];
                let among = if row.scope == Scope::Group { self.group } else { 0 };
                self.world.inside.entry((row.inside, among)).or_default().remove(&self.agent);
            }
            Kind::Cleanup => {
                self.run(node + 1);
            }
            _ => {}
        }
    }

    pub(super) fn cleanup(&mut self, node: NodeIndex) -> Outcome {
        let child = self.module.children(node).nth(1);
        let outcome = child.map_or(Outcome::Failure, |child| self.run(child));
        if outcome != Outcome::Running {
            self.run(node + 1);
        }
        outcome
    }

    pub(super) fn logged(&mut self, node: NodeIndex, logs: u32) -> Outcome {
        let [start, success, failure] = self.module.logs[logs as usize];
        if !self.active(node) {
            self.log(start, LogKind::Start);
        }
        let outcome = self.only_child(node);
        match outcome {
            Outcome::Success => self.log(success, LogKind::Success),
            Outcome::Failure => self.log(failure, LogKind::Failure),
            _ => {}
        }
        outcome
    }

    pub(super) fn log(&mut self, text: Option<pleach_compile::internals::text::Sym>, kind: LogKind) {
        if let Some(text) = text {
            self.host.log(self.agent, kind, self.module.names.bytes(text));
        }
    }
}
