//! Whether a block is right, told quickly.
//!
//! Code is a mixture of instructions in no order that a processor could predict. So the sweeps here do the same for
//! all of them, by tables, and branch only where something is wrong: one over the fields ([`hold`]), one over the flow
//! of control, one over the few words that need more, and one over what was reached. They let nothing pass that
//! [`super::code`] refuses, refuse more (see [`crate::isa::spans`]), and do not tell what is wrong.

use super::code::Switches;
use crate::isa::operand::{Runs, Shape};
use crate::isa::spans::{Spans, hold};
use crate::isa::{Flow, Op, Word};

/// The flow of control after an instruction, so that it can be followed without asking which it is.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Way {
    /// All ones if `t` is a target, else zero.
    target: u16,
    /// 1 if control may go to the next word.
    next: bool,
    /// 1 if an exits word follows.
    exits: bool,
    /// 1 if it is an exits word.
    data: bool,
    /// 1 if it is one of the few that need more: exits words, calls and switches.
    more: bool,
}

/// By number.
static WAYS: [Way; 256] = {
    let none = Way { target: 0, next: false, exits: false, data: false, more: false };
    let (mut ways, mut index) = ([none; 256], 0);
    while index < Op::ALL.len() {
        let op = Op::ALL[index];
        let data = matches!(op.flow(), Flow::Data);
        ways[op as usize] = Way {
            target: if matches!(op.flow(), Flow::Branch | Flow::Jump | Flow::Exits) { u16::MAX } else { 0 },
            next: matches!(op.flow(), Flow::Next | Flow::Branch | Flow::Switch),
            exits: matches!(op.flow(), Flow::Exits),
            data,
            more: data || op.runs(Runs::Block) || matches!(op.flow(), Flow::Switch),
        };
        index += 1;
    }
    ways
};

/// What goes before the first word of a block.
static START: Way = Way { target: 0, next: true, exits: false, data: false, more: false };

/// What sweeps need, made once for all blocks.
pub(super) struct Sweep {
    /// By number, the words whose fields surely hold.
    spans: [Spans; 256],
    /// Which words of a block control can reach.
    reached: Vec<bool>,
    /// Where the words are that need more, last first.
    more: Vec<u32>,
}

impl Sweep {
    /// For blocks of at most so many words.
    pub(super) fn new(shape: &Shape, largest: usize) -> Self {
        let mut spans = core::array::from_fn(|number| Spans::none(number as u8));
        for op in Op::ALL {
            spans[*op as usize] = op.spans(shape);
        }
        Self { spans, reached: vec![false; largest], more: vec![0; largest] }
    }

    /// How deep the calls of a block nest, if it is surely right. `depths` are those of the blocks before it.
    pub(super) fn depth(
        &mut self,
        words: &[Word],
        shape: &Shape,
        depths: &[u32],
        switches: &mut Switches<'_>,
    ) -> Option<u32> {
        for op in Op::ALL.iter().filter(|op| op.runs(Runs::Block)) {
            self.spans[*op as usize] = op.spans(shape);
        }
        if !hold(bytemuck::cast_slice(words), &self.spans) {
            return None;
        }
        let count = self.flow(words)?;
        let depth = self.more(words, count, shape, depths, switches)?;
        let reached = self.reached[..words.len()].iter().fold(true, |all, reached| all & reached);
        reached.then_some(depth)
    }

    /// Follows next words and targets in `t`. Tells how many words need more.
    fn flow(&mut self, words: &[Word]) -> Option<usize> {
        let (reached, more) = (&mut self.reached[..words.len()], &mut self.more[..words.len()]);
        let (mut count, mut wrong) = (0, false);
        let mut mark = |at: usize, way: &Way, before: &Way| {
            // Backward, so that a word is only marked when it has been settled how control comes to it from the word
            // before. What has no target marks itself first.
            *reached.get_mut(at + usize::from(words[at].t & way.target))? = true;
            reached[at] = before.next;
            more[count] = at as u32;
            count += usize::from(way.more);
            wrong |= way.data != before.exits;
            Some(())
        };
        let mut way = &WAYS[usize::from(words.last()?.op)];
        let open = way.next | way.exits;
        for (at, before) in words[..words.len() - 1].iter().enumerate().rev() {
            let before = &WAYS[usize::from(before.op)];
            mark(at + 1, way, before)?;
            way = before;
        }
        mark(0, way, &START)?;
        (!open && !wrong).then_some(count)
    }

    /// Follows exits, calls and switches. Tells how deep calls nest.
    fn more(
        &mut self,
        words: &[Word],
        count: usize,
        shape: &Shape,
        depths: &[u32],
        switches: &mut Switches<'_>,
    ) -> Option<u32> {
        let reached = &mut self.reached[..words.len()];
        let (mut depth, mut wrong) = (0, false);
        for at in self.more[..count].iter().rev().map(|at| *at as usize) {
            let word = words[at];
            if word.op == Op::Switch as u8 {
                for case in switches.next(word.a, shape.tables)? {
                    *reached.get_mut(at + usize::from(case.target))? = true;
                    wrong |= case.target == 0;
                }
                continue;
            }
            if !WAYS[usize::from(word.op)].data {
                let callee = word.op().and_then(|op| op.operand(word, Runs::Block))?;
                depth = depth.max(depths.get(callee as usize)? + 1);
                continue;
            }
            for target in [word.a, word.b, word.t] {
                *reached.get_mut(at - 1 + usize::from(target))? = true;
            }
            wrong |= reached[at];
            reached[at] = true;
        }
        (!wrong).then_some(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{import_kind, slot_kind};
    use crate::isa::kinds::Kinds;

    fn depth(words: &[Word], slots: &[u32]) -> Option<u32> {
        let shape = Shape {
            block: 1,
            conditions: Kinds::new(Vec::new()),
            constants: 0,
            nodes: 2,
            flags: 0,
            sites: Kinds::new(vec![import_kind::ACTION as u8]),
            slots: Kinds::new(slots.iter().map(|kind| *kind as u8).collect()),
            variables: Kinds::new(Vec::new()),
            shared: Kinds::new(Vec::new()),
            tables: 0,
            parallels: 0,
            events: 0,
            limiters: 0,
        };
        let mut switches = Switches { tables: &[], cases: &[] };
        Sweep::new(&shape, words.len()).depth(words, &shape, &[4], &mut switches)
    }

    const EXITS: Word = Word::new(Op::Exits).with_a(2).with_b(2).with_t(3);
    const CODE: [Word; 6] = [
        Word::new(Op::Call).with_t(3),
        EXITS,
        Word::new(Op::JumpBit).with_a(1).with_t(1),
        Word::new(Op::Act).with_b(2).with_t(2),
        Word::new(Op::Exits).with_a(2).with_b(2).with_t(2),
        Word::new(Op::Return),
    ];

    #[test]
    fn what_is_right_needs_no_second_look() {
        assert_eq!(depth(&CODE, &[slot_kind::NODE, slot_kind::BIT]), Some(5));
    }

    #[test]
    fn slots_that_do_not_lie_together_get_one() {
        let slots = [slot_kind::NODE, slot_kind::BIT, slot_kind::TIME, slot_kind::BIT];
        let code =
            |slot| CODE.map(|word| if word.op == Op::JumpBit as u8 { word.with_a(slot) } else { word });
        assert_eq!([1, 3].map(|slot| depth(&code(slot), &slots)), [Some(5), None]);
    }

    #[test]
    fn no_word_can_be_left_out() {
        for at in 0..CODE.len() {
            let without: Vec<_> = [&CODE[..at], &CODE[at + 1..]].concat();
            // Without `jbit` the exits before it lead into the exits behind it, or are too long.
            assert_eq!(depth(&without, &[slot_kind::NODE, slot_kind::BIT]), None, "{at}");
        }
    }
}
