//! Ends of nodes.
//!
//! Nodes of dialects with a running set remember: on running and on success they change the set, in
//! *stubs* that stand on the way out. And with debug information it is written down which nodes end
//! where.

use super::emitter::{Emitter, Task};
use crate::ir::{FAILURE, Memory, NodeIndex, OTHER, RUNNING, SUCCESS};
use pleach_image::assemble::{Exits, Label};
use pleach_image::format::DebugEnd;
use pleach_image::isa::{Op, Word};

impl Emitter<'_> {
    /// Returns the exits for the code inside a node. On these exits the node ends. If the node
    /// changes the running set, the exits for running and success lead through stubs, which are put
    /// off until the code inside the node is emitted.
    pub(super) fn wrap(&mut self, node: NodeIndex, out: Exits) -> Exits {
        let memory = self.module.nodes[node as usize].memory;
        let Some(set) = self.set.filter(|_| memory != Memory::None) else {
            return self.ends(node, out, &[FAILURE, SUCCESS, RUNNING, OTHER]);
        };
        let inner = self.ends(node, out, &[FAILURE, OTHER]);
        let [mark, wipe] = [Op::Mark, Op::WipeIf].map(|op| Word::new(op).with_a(set).with_b(self.id(node)));
        let mark = mark.with_x((memory == Memory::Exclusive).into());
        // The stub for running stands first. Success, the more frequent way to what follows, falls
        // through.
        let success = self.put_off_stub(node, SUCCESS, wipe, out);
        let running = self.put_off_stub(node, RUNNING, mark, out);
        inner.with(RUNNING, running).with(SUCCESS, success)
    }

    fn put_off_stub(&mut self, node: NodeIndex, status: usize, word: Word, out: Exits) -> Label {
        let label = self.asm.label();
        self.tasks.push(Task::Stub { node, status: status as u8, label, word, out: out.at(status) });
        label
    }

    /// Emits a stub: an instruction on the way on which a node ends with a status.
    pub(super) fn stub(&mut self, node: NodeIndex, status: usize, label: Label, word: Word, out: Label) {
        self.owner(node);
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
    pub(super) fn end(&mut self, node: NodeIndex, status: usize, out: Label) -> Label {
        if !self.debug {
            return out;
        }
        let next = self.asm.ends(out);
        self.parts.debug_ends.push(DebugEnd { node: node as u16 + 1, status: status as u16, next });
        self.asm.through(out, self.parts.debug_ends.len() as u32)
    }
}
