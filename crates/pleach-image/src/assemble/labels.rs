//! What becomes of labels.

use super::Out;
use crate::format::DebugEdge;
use alloc::vec::Vec;

/// A place in the block that is being assembled, or a way to it on which nodes end ([`super::Assembler::through`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub(super) u32);

/// Labels that were made together.
#[derive(Clone, Copy, Debug)]
pub struct Labels(u32);

impl Labels {
    /// One of them, from 0.
    #[must_use]
    #[inline]
    pub fn at(self, index: usize) -> Label {
        Label(self.0 + index as u32)
    }
}

/// What became of a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Nothing leads there yet.
    Unused,
    /// Something leads there.
    Used,
    /// It is at this word.
    At(u32),
    /// At its word stood a jump, so it is where that leads.
    Alias(Label),
    /// It is another, on the way to which nodes end: index in the list of these.
    Through(u32),
}

/// The labels of a block.
#[derive(Debug, Default)]
pub(super) struct Places {
    labels: Vec<Place>,
    /// Where labels lead on the way to which nodes end, and the row of the debug ends plus one.
    through: Vec<(Label, u32)>,
}

impl Places {
    /// A block begins.
    pub(super) fn clear(&mut self) {
        self.labels.clear();
        self.through.clear();
    }

    #[inline]
    pub(super) fn label(&mut self, place: Place) -> Label {
        self.labels.push(place);
        Label(self.labels.len() as u32 - 1)
    }

    #[inline]
    pub(super) fn pair(&mut self) -> Labels {
        let first = self.labels.len() as u32;
        self.labels.extend_from_slice(&[Place::Unused; 2]);
        Labels(first)
    }

    pub(super) fn labels(&mut self, count: usize) -> Labels {
        let first = self.labels.len() as u32;
        self.labels.resize(self.labels.len() + count, Place::Unused);
        Labels(first)
    }

    pub(super) fn through(&mut self, label: Label, ends: u32) -> Label {
        let (to, _) = self.lead(label);
        self.through.push((to, ends));
        self.label(Place::Through(self.through.len() as u32 - 1))
    }

    /// Where a label leads, and what ends on the way.
    #[inline]
    pub(super) fn lead(&self, label: Label) -> (Label, u32) {
        match self.labels[label.0 as usize] {
            Place::Through(index) => self.through[index as usize],
            _ => (label, 0),
        }
    }

    /// Something leads to a label.
    #[inline]
    pub(super) fn need(&mut self, label: Label) {
        self.labels[label.0 as usize] = Place::Used;
    }

    #[inline]
    pub(super) fn is_needed(&self, label: Label) -> bool {
        matches!(self.labels[label.0 as usize], Place::Used)
    }

    /// A way out of one of the instructions that begin with the word `first` leads to a label; gives it without what ends
    /// on the way, which is written down.
    #[inline(always)]
    pub(super) fn way(&mut self, edges: &mut Vec<DebugEdge>, first: usize, out: Out) -> Label {
        let place = &mut self.labels[out.to.0 as usize];
        if let Place::Through(index) = *place {
            return self.edge(edges, DebugEdge::way(first + out.word, out.exit), index);
        }
        *place = Place::Used;
        out.to
    }

    /// Writes down what ends on a way out of a word, and gives where it leads.
    #[cold]
    fn edge(&mut self, edges: &mut Vec<DebugEdge>, way: u32, through: u32) -> Label {
        let (to, ends) = self.through[through as usize];
        edges.push(DebugEdge { way, ends });
        self.need(to);
        to
    }

    /// A label is at this word, if anything leads there. Tells whether it does.
    #[inline(always)]
    pub(super) fn arrive(&mut self, label: Label, word: usize) -> bool {
        let place = &mut self.labels[label.0 as usize];
        let needed = matches!(place, Place::Used);
        if needed {
            *place = Place::At(word as u32);
        }
        needed
    }

    /// Two labels are at this word and the next one, if something leads to both. Tells whether it does.
    #[inline(always)]
    pub(super) fn arrive_pair(&mut self, labels: Labels, word: usize) -> bool {
        let [one, other] = &mut self.labels[labels.0 as usize..][..2] else { return false };
        let needed = matches!((&*one, &*other), (Place::Used, Place::Used));
        if needed {
            (*one, *other) = (Place::At(word as u32), Place::At(word as u32 + 1));
        }
        needed
    }

    /// At a label stands a jump.
    pub(super) fn alias(&mut self, label: Label, to: Label) {
        self.labels[label.0 as usize] = Place::Alias(to);
        self.need(to);
    }

    /// The word that a label is at.
    #[inline(always)]
    pub(super) fn find(&mut self, label: Label) -> u32 {
        match self.labels[label.0 as usize] {
            Place::At(place) => place,
            _ => self.resolve(label),
        }
    }

    /// The word at the end of a chain of aliases, which becomes short.
    fn resolve(&mut self, label: Label) -> u32 {
        let mut last = label;
        while let Place::Alias(to) = self.labels[last.0 as usize] {
            last = to;
        }
        let Place::At(place) = self.labels[last.0 as usize] else {
            unreachable!("a label that is used was not bound before the end of its block");
        };
        let mut step = label;
        while let Place::Alias(to) = self.labels[step.0 as usize] {
            self.labels[step.0 as usize] = Place::At(place);
            step = to;
        }
        place
    }
}
