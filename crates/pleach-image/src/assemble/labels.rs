//! Labels of the block under construction, and the words that they stand for.

use alloc::vec::Vec;

/// Position in the block that is being assembled, or a way to a position on which nodes end
/// ([`super::Assembler::through`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub(super) u32);

/// Consecutive labels that were created together.
#[derive(Clone, Copy, Debug)]
pub struct Labels(u32);

impl Labels {
    /// Returns one of the labels, counted from 0.
    #[must_use]
    #[inline]
    pub fn at(self, index: usize) -> Label {
        Label(self.0 + index as u32)
    }
}

/// Bit of a label that is a way to another label, on which nodes end. The other bits are its index
/// in `Places::through`. Such a label has no state.
const THROUGH: u32 = 1 << 31;

/// State of a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// No instruction leads to the label yet.
    Unused,
    /// At least one instruction leads to the label.
    Used,
    /// The label is bound to the word with this index.
    At(u32),
    /// The label is bound to a jump and therefore equals the label that the jump leads to.
    Alias(Label),
}

/// Labels of a block.
#[derive(Debug, Default)]
pub(super) struct Places {
    labels: Vec<Place>,
    /// Target of each way on which nodes end, with the row of the debug ends plus one.
    through: Vec<(Label, u32)>,
}

impl Places {
    /// Forgets all labels, for the next block.
    pub(super) fn clear(&mut self) {
        self.labels.clear();
        self.through.clear();
    }

    #[inline]
    pub(super) fn label(&mut self, place: Place) -> Label {
        self.labels.push(place);
        Label(self.labels.len() as u32 - 1)
    }

    pub(super) fn labels(&mut self, count: usize) -> Labels {
        let first = self.labels.len() as u32;
        self.labels.resize(self.labels.len() + count, Place::Unused);
        Labels(first)
    }

    #[inline]
    pub(super) fn through(&mut self, label: Label, ends: u32) -> Label {
        let (to, _) = self.lead(label);
        self.through.push((to, ends));
        Label(THROUGH | (self.through.len() as u32 - 1))
    }

    /// Returns the target of a label, and the row of the debug ends plus one for the nodes that end
    /// on the way (0 if none).
    #[inline]
    pub(super) fn lead(&self, label: Label) -> (Label, u32) {
        if label.0 & THROUGH == 0 { (label, 0) } else { self.through[(label.0 & !THROUGH) as usize] }
    }

    /// Records that an instruction leads to a label.
    #[inline]
    pub(super) fn need(&mut self, label: Label) {
        self.labels[label.0 as usize] = Place::Used;
    }

    #[inline]
    pub(super) fn is_needed(&self, label: Label) -> bool {
        matches!(self.labels[label.0 as usize], Place::Used)
    }

    /// Binds a label to a word if any instruction leads to the label. Returns true if it was bound.
    #[inline(always)]
    pub(super) fn arrive(&mut self, label: Label, word: usize) -> bool {
        let place = &mut self.labels[label.0 as usize];
        let needed = matches!(place, Place::Used);
        if needed {
            *place = Place::At(word as u32);
        }
        needed
    }

    /// Makes a label an alias of `to`, because a jump stands at the label.
    pub(super) fn alias(&mut self, label: Label, to: Label) {
        self.labels[label.0 as usize] = Place::Alias(to);
        self.need(to);
    }

    /// Returns the word that a label is bound to.
    #[inline(always)]
    pub(super) fn find(&mut self, label: Label) -> u32 {
        match self.labels[label.0 as usize] {
            Place::At(place) => place,
            _ => self.resolve(label),
        }
    }

    /// Returns the word at the end of a chain of aliases, and binds every label of the chain to
    /// that word.
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
