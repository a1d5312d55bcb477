//! How nodes end.
//!
//! Nodes of dialects with a running set remember: on running and on success they change the set, in *stubs* that stand on
//! the way out. And with debug information it is written down which nodes end where.

use super::emitter::{Emitter, Remember, Task};
use crate::ir::{FAILURE, Memory, NodeIndex, OTHER, RUNNING, SUCCESS};
use pleach_image::assemble::{Exits, Label, Out};
use pleach_image::format::DebugEnd;
use pleach_image::isa::{Op, Word};

impl Emitter<'_> {
    /// The exits for what is inside a node: they end the node, and pass by what it remembers, which is put off until what is
    /// inside is emitted.
    #[inline(always)]
    pub(super) fn wrap(&mut self, node: NodeIndex, out: Exits) -> Exits {
        let remembers = self.remembers(node);
        let inner = self.plain(node, remembers, out);
        if !remembers {
            return inner;
        }
        let labels = self.asm.pair();
        let remember = Remember { node, labels, running: out.at(RUNNING), success: out.at(SUCCESS) };
        self.tasks.push(Task::Remember(remember));
        inner.with(RUNNING, labels.at(0)).with(SUCCESS, labels.at(1))
    }

    pub(super) fn remembers(&self, node: NodeIndex) -> bool {
        self.module.nodes[node as usize].memory != Memory::None && self.set.is_some()
    }

    /// The exits of a node on which it ends and does nothing else: not success and running if it remembers.
    #[inline(always)]
    pub(super) fn plain(&mut self, node: NodeIndex, remembers: bool, out: Exits) -> Exits {
        if !self.debug {
            return out;
        }
        let mut inner = out;
        for status in [FAILURE, SUCCESS, RUNNING, OTHER] {
            if !remembers || matches!(status, FAILURE | OTHER) {
                inner = inner.with(status, self.end(node, status, out.at(status)));
            }
        }
        inner
    }

    /// What a node with this id does on running and on success, on the way out.
    #[inline(always)]
    pub(super) fn stubs(&self, node: NodeIndex, id: u16) -> [Word; 2] {
        let wipes = self.module.nodes[node as usize].memory == Memory::Exclusive;
        let set = self.set.unwrap_or_default();
        let mark = Word::new(Op::Mark).with_x(wipes.into()).with_a(set).with_b(id);
        [mark, Word::new(Op::WipeIf).with_a(set).with_b(id)]
    }

    /// Running first, so that success, the more frequent way to what follows, falls through.
    pub(super) fn remember(&mut self, remember: Remember) {
        let Remember { node, labels, running, success } = remember;
        self.owner(node);
        // A call does not come here: it is one instruction, with stubs at once.
        let [mark, wipe] = self.stubs(node, node as u16 + 1);
        if self.asm.bind_pair(labels) {
            let running = self.end(node, RUNNING, running);
            let success = self.end(node, SUCCESS, success);
            return self.asm.run([mark, wipe], [Out::target(0, running), Out::target(1, success)]);
        }
        self.asm.bind(labels.at(0));
        self.stub(node, RUNNING, mark, running);
        self.asm.bind(labels.at(1));
        self.stub(node, SUCCESS, wipe, success);
    }

    /// Where a node ends on running and on success.
    #[inline(always)]
    pub(super) fn ends(&mut self, node: NodeIndex, out: Exits) -> [Label; 2] {
        let running = self.end(node, RUNNING, out.at(RUNNING));
        [running, self.end(node, SUCCESS, out.at(SUCCESS))]
    }

    fn stub(&mut self, node: NodeIndex, status: usize, word: Word, out: Label) {
        if self.asm.reachable() {
            let to = self.end(node, status, out);
            self.asm.effect(word, to);
        }
    }

    /// The label as a way on which a node ends; the label itself without debug information.
    #[inline(always)]
    pub(super) fn end(&mut self, node: NodeIndex, status: usize, out: Label) -> Label {
        if self.debug { self.through(node, status, out) } else { out }
    }

    fn through(&mut self, node: NodeIndex, status: usize, out: Label) -> Label {
        let next = self.asm.ends(out);
        self.parts.debug_ends.push(DebugEnd { node: node as u16 + 1, status: status as u16, next });
        self.asm.through(out, self.parts.debug_ends.len() as u32)
    }
}
