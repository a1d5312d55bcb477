//! Ends of nodes.
//!
//! Nodes of dialects with a running set remember: on running and on success they change the set, in
//! *stubs* that stand on the way out. And with debug information it is written down which nodes end
//! where.

use super::{Emitter, Exits, FAILURE, Label, NodeIndex, OTHER, Op, RUNNING, SUCCESS, Task, Word};
use crate::ir::Memory;
use pleach_image::format::DebugEnd;

impl Emitter<'_> {
    /// Returns the exits for the code inside a node. On these exits the node ends. If the node
    /// changes the running set, the exits for running and success lead through stubs, which are put
    /// off until the code inside the node is emitted.
    pub(super) fn wrap(&mut self, node: NodeIndex, out: Exits) -> Exits {
        let memory = self.module.nodes[node as usize].memory;
        if self.set.is_none() || memory == Memory::None {
            return self.ends(node, out, &[FAILURE, SUCCESS, RUNNING, OTHER]);
        }
        let inner = self.ends(node, out, &[FAILURE, OTHER]);
        let labels = [self.asm.label(), self.asm.label()];
        self.tasks.push(Task::Remember(node, labels, [out.at(RUNNING), out.at(SUCCESS)]));
        inner.with(RUNNING, labels[0]).with(SUCCESS, labels[1])
    }

    /// Emits the stubs of a node, which begin at the labels and lead to `out`. The stub
    /// for running comes first. The stub for success, which is more frequent, falls
    /// through to the code that follows.
    pub(super) fn remember(&mut self, node: NodeIndex, labels: [Label; 2], out: [Label; 2]) {
        self.owner(node);
        let (set, id) = (self.set.unwrap_or_default(), self.id(node));
        let wipes = self.module.nodes[node as usize].memory == Memory::Exclusive;
        let mark = Word::new(Op::Mark).with_x(wipes.into()).with_a(set).with_b(id);
        self.stub(node, RUNNING, labels[0], mark, out[0]);
        self.stub(node, SUCCESS, labels[1], Word::new(Op::WipeIf).with_a(set).with_b(id), out[1]);
    }

    /// Emits an instruction on the way on which a node ends with a status. The way begins at
    /// `label`.
    #[inline(always)]
    fn stub(&mut self, node: NodeIndex, status: usize, label: Label, word: Word, out: Label) {
        self.asm.bind(label);
        if self.asm.reachable() {
            let to = self.end(node, status, out);
            self.asm.effect(word, to);
        }
    }

    /// Marks the exits for some statuses as ways on which a node ends.
    #[inline(always)]
    fn ends(&mut self, node: NodeIndex, out: Exits, statuses: &[usize]) -> Exits {
        if !self.debug {
            return out;
        }
        statuses
            .iter()
            .fold(out, |exits, status| exits.with(*status, self.end(node, *status, out.at(*status))))
    }

    /// Marks a label as a way on which a node ends. Without debug information, returns the label
    /// itself.
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
