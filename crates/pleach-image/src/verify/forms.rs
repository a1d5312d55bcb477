//! Quick check of conditions.
//!
//! A condition is valid depending on its operations, on the targets of its jumps (both are its
//! *form*), and on the validity of its other operands. Authors use few forms. So the forms that
//! were found valid are stored, each with the ranges of its operands. A condition of a stored form
//! is not checked operation by operation: all lanes of all its words are compared at once, see
//! [`crate::isa::spans`].
//!
//! A condition has no form here if it is longer than [`LONGEST`], or has an operand whose valid
//! values are not a range.

use crate::isa::operand::Shape;
use crate::isa::spans::Spans;
use crate::isa::stack::{StackOperand, StackWord};
use alloc::vec::Vec;

/// Number of words of the longest condition that is stored.
const LONGEST: usize = 16;
/// Maximum number of stored forms: the indices that a place can hold besides "none".
const MOST: usize = 255;
/// Number of places, a power of two. It is much larger than the number of forms, so that few forms
/// share a place.
const PLACES: usize = 1024;

/// Number of lanes of the longest condition: an operation and an operand for each word.
const LANES: usize = 2 * LONGEST;

/// Weights of the lanes for each number of words, from which a place is computed. They are odd
/// multiples of one constant. Operands have weight zero.
static WEIGHTS: [[u16; LANES]; LONGEST + 1] = {
    // No condition has zero words. This row prevents the optimizer from finding that every other
    // lane is zero in all rows: it would gather the rest one by one instead of multiplying whole
    // vectors.
    let mut weights = [[1; LANES]; LONGEST + 1];
    let mut words = 1;
    while words <= LONGEST {
        let mut lane = 0;
        while lane < LANES {
            let weighs = lane % 2 == 0 && lane < 2 * words;
            weights[words][lane] = if weighs { (lane as u16 + 1).wrapping_mul(0x1e35) } else { 0 };
            lane += 1;
        }
        words += 1;
    }
    weights
};

/// Forms that were found valid.
#[derive(Debug)]
pub(super) struct Forms {
    /// Index of the form at each place.
    places: [u8; PLACES],
    /// Forms. Index 0 stands for "none".
    forms: Vec<Form>,
}

/// Form: number of words, ranges of their lanes, and type of the result.
#[derive(Debug)]
struct Form {
    spans: Spans<LANES>,
    count: usize,
    gives: u8,
}

impl Form {
    /// Creates the form of a valid condition. Any other condition within the same ranges is valid
    /// too.
    fn of(words: &[StackWord], shape: &Shape, gives: u8) -> Option<Self> {
        let mut spans = Spans::ANY;
        for (at, word) in words.iter().enumerate() {
            let (exact, operand) = (|value: u64| value..value + 1, word.op()?.operand());
            let is_exact = matches!(operand, StackOperand::Target | StackOperand::Depth);
            let sure = if is_exact { exact(word.a.into()) } else { operand.sure(shape) };
            spans.set(2 * at, exact(word.op.into()))?;
            spans.set(2 * at + 1, sure)?;
        }
        Some(Self { spans, count: words.len(), gives })
    }
}

impl Default for Forms {
    fn default() -> Self {
        let mut this = Self { places: [0; PLACES], forms: Vec::new() };
        this.clear();
        this
    }
}

impl Forms {
    /// Forgets all forms.
    pub(super) fn clear(&mut self) {
        self.places.fill(0);
        self.forms.clear();
        self.put(Form { spans: Spans::ANY, count: 0, gives: 0 });
    }

    /// Returns the type of the result of the condition at the start of `code`, if the condition is
    /// known to be valid. `count` is its number of words.
    #[inline]
    pub(super) fn gives(&self, code: &[StackWord], count: usize) -> Option<u8> {
        let (lanes, place) = place(code, count)?;
        let form = self.forms.get(usize::from(self.places[place]))?;
        (form.spans.hold(lanes) && form.count == count).then_some(form.gives)
    }

    /// Stores the form of a valid condition.
    #[cold]
    pub(super) fn add(&mut self, code: &[StackWord], count: usize, shape: &Shape, gives: u8) {
        let Some((_, place)) = place(code, count).filter(|_| self.forms.len() <= MOST) else { return };
        if let Some(form) = Form::of(&code[..count], shape, gives) {
            self.places[place] = self.put(form);
        }
    }

    /// Appends a form and returns its index. If there is no memory for it, the form is dropped, and
    /// the index is that of "none".
    fn put(&mut self, form: Form) -> u8 {
        if self.forms.try_reserve(1).is_err() {
            return 0;
        }
        self.forms.push(form);
        (self.forms.len() - 1) as u8
    }
}

/// Returns the lanes at the start of `code`, and the place of a condition of `count` words. No
/// branch depends on the values of the lanes.
#[inline]
fn place(code: &[StackWord], count: usize) -> Option<(&[u16; LANES], usize)> {
    let weights = WEIGHTS.get(count)?;
    let lanes = bytemuck::cast_slice::<_, u16>(code).first_chunk::<LANES>()?;
    let weighed = lanes.iter().zip(weights).map(|(lane, weight)| lane.wrapping_mul(*weight));
    Some((lanes, usize::from(weighed.fold(0, u16::wrapping_add) >> 4) % PLACES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::slot_kind;
    use crate::isa::StackOp;
    use crate::isa::operand::gives;
    use crate::verify::sweep::tests::shape;

    const TRUTH: u8 = gives::TRUTH as u8;
    const SLOTS: &[u32] = &[slot_kind::NODE, slot_kind::BIT, slot_kind::BIT, slot_kind::TIME];

    /// Returns a condition, followed by other code.
    fn followed(condition: &[StackWord], by: StackWord) -> Vec<StackWord> {
        let behind = core::iter::repeat_n(by, LONGEST);
        condition.iter().copied().chain(behind).collect()
    }

    fn both(slot: u16, target: u16) -> [StackWord; 4] {
        let bit = StackWord::new(StackOp::Bit, slot);
        [bit, StackWord::new(StackOp::And, target), bit, StackWord::new(StackOp::End, 0)]
    }

    #[test]
    fn a_form_is_known_by_its_operations_and_targets_and_nothing_behind() {
        let (not, end) = (StackWord::new(StackOp::Not, 0), StackWord::new(StackOp::End, 0));
        let mut forms = Forms::default();
        assert_eq!(forms.gives(&followed(&both(1, 2), not), 4), None);
        forms.add(&followed(&both(1, 2), not), 4, &shape(SLOTS), TRUTH);
        let gives = |condition: &[StackWord], by| forms.gives(&followed(condition, by), condition.len());
        assert_eq!(
            [0, 1, 2, 3].map(|slot| gives(&both(slot, 2), end)),
            [None, Some(TRUTH), Some(TRUTH), None]
        );
        assert_eq!([1, 3].map(|target| gives(&both(1, target), not)), [None; 2]);
        assert_eq!(gives(&both(1, 2)[..3], not), None);
        assert_eq!(gives(&followed(&both(1, 2), not)[..5], not), None);
        // Near the end of the code there are fewer words than the lanes of the longest condition.
        assert_eq!(forms.gives(&both(1, 2), 4), None);
    }

    #[test]
    fn long_conditions_are_of_no_form() {
        let mut forms = Forms::default();
        let code = followed(&[StackWord::new(StackOp::Not, 0); LONGEST], StackWord::new(StackOp::End, 0));
        for count in [LONGEST, LONGEST + 1] {
            forms.add(&code, count, &shape(SLOTS), TRUTH);
        }
        assert_eq!([LONGEST, LONGEST + 1].map(|count| forms.gives(&code, count)), [Some(TRUTH), None]);
    }

    /// Several forms share a place. None of them is taken for another.
    #[test]
    fn many_forms_are_told_apart() {
        let mut forms = Forms::default();
        let condition = |number: u32| -> Vec<StackWord> {
            let op = |bit: u32| if number >> bit & 1 == 0 { StackOp::Not } else { StackOp::Truth };
            followed(
                &[0, 1, 2, 3, 4, 5, 6, 7, 8].map(|bit| StackWord::new(op(bit), 0)),
                StackWord::new(StackOp::End, 0),
            )
        };
        for number in 0..512 {
            forms.add(&condition(number), 9, &shape(SLOTS), (number % 251) as u8);
        }
        let known = |number: &u32| {
            let gives = forms.gives(&condition(*number), 9);
            assert!(gives.is_none_or(|gives| gives == (*number % 251) as u8));
            gives.is_some()
        };
        let count = (0..512).filter(known).count();
        assert!((50..=MOST).contains(&count), "{count} are known");
    }
}
