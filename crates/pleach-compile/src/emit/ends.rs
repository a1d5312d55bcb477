//! How nodes end.
//!
//! Nodes of dialects with a running set remember: on running and on success they change the set, in *stubs* that stand on
//! the way out. And with debug information it is written down which nodes end where.

use super::code::Emitter;
use crate::ir::{FAILURE, Memory, NodeIndex, OTHER, RUNNING, SUCCESS};
use pleach_image::assemble::{Exits, Label, Labels};
use pleach_image::format::DebugEnd;
use pleach_image::isa::{Op, Word};

/// What a node remembers when it ends.
pub(super) struct Remember {
    node: NodeIndex,
    /// The exits from inside on running and on success.
    labels: Labels,
    /// Where these lead.
    out: Exits,
}

impl Emitter<'_> {
    /// The exits for what is inside a node: they end the node, and pass by what it remembers.
    pub(super) fn wrap(&mut self, node: NodeIndex, out: Exits) -> (Exits, Option<Remember>) {
        let remembers = self.remembers(node);
        let inner = self.plain(node, remembers, out);
        if !remembers {
            return (inner, None);
        }
        let labels = self.asm.labels(2);
        let inner = inner.with(RUNNING, labels.at(0)).with(SUCCESS, labels.at(1));
        (inner, Some(Remember { node, labels, out }))
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
        let statuses = [FAILURE, SUCCESS, RUNNING, OTHER].into_iter();
        let plain = statuses.filter(|status| !(remembers && matches!(*status, SUCCESS | RUNNING)));
        plain.fold(out, |inner, status| inner.with(status, self.end(node, status, out.at(status))))
    }

    /// What a node does on running and on success, on the way out.
    #[inline(always)]
    pub(super) fn stubs(&self, node: NodeIndex) -> [Word; 2] {
        let wipes = self.module.nodes[node as usize].memory == Memory::Exclusive;
        let (set, id) = (self.set.unwrap_or_default(), self.id(node));
        let mark = Word::new(Op::Mark).with_x(wipes.into()).with_a(set).with_b(id);
        [mark, Word::new(Op::WipeIf).with_a(set).with_b(id)]
    }

    /// Running first, so that success, the more frequent way to what follows, falls through.
    pub(super) fn remember(&mut self, remember: &Remember) {
        let Remember { node, labels, out } = *remember;
        self.owner(node);
        let [mark, wipe] = self.stubs(node);
        self.asm.bind(labels.at(0));
        self.stub(node, RUNNING, mark, out);
        self.asm.bind(labels.at(1));
        self.stub(node, SUCCESS, wipe, out);
    }

    #[inline(always)]
    pub(super) fn stub(&mut self, node: NodeIndex, status: usize, word: Word, out: Exits) {
        if self.asm.reachable() {
            let to = self.end(node, status, out.at(status));
            self.asm.effect(word, to);
        }
    }

    /// The label as a way on which a node ends; the label itself without debug information.
    pub(super) fn end(&mut self, node: NodeIndex, status: usize, out: Label) -> Label {
        if !self.debug {
            return out;
        }
        let next = self.asm.ends(out);
        self.parts.debug_ends.push(DebugEnd { node: node as u16 + 1, status: status as u16, next });
        self.asm.through(out, self.parts.debug_ends.len() as u32)
    }
}
