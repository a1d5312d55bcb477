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
#[repr(align(16))]
struct Way {
    /// All ones if `t` is a target, else zero.
    target: u16,
    /// What becomes of the next word by it: [`INSTRUCTION`] if control may go there, [`DATA`] if it is data, else zero.
    next: u8,
    /// What it may be: [`INSTRUCTION`] or [`DATA`].
    is: u8,
    /// What is added up: how many words need more (exits words, calls and switches), and from [`SURPLUS`] on, how many more
    /// instructions have exits than there are exits words.
    count: u64,
}

/// One instruction that has exits.
const SURPLUS: u64 = 1 << 32;

/// An instruction that control can reach.
const INSTRUCTION: u8 = 1;
/// The exits of an instruction.
const DATA: u8 = 2;

/// By number.
static WAYS: [Way; 256] = {
    let none = Way { target: 0, next: 0, is: 0, count: 0 };
    let (mut ways, mut index) = ([none; 256], 0);
    while index < Op::ALL.len() {
        let op = Op::ALL[index];
        ways[op as usize] = Way {
            target: if matches!(op.flow(), Flow::Branch | Flow::Jump | Flow::Exits | Flow::Again) {
                u16::MAX
            } else {
                0
            },
            next: match op.flow() {
                Flow::Next | Flow::Branch | Flow::Switch => INSTRUCTION,
                Flow::Exits => DATA,
                Flow::Jump | Flow::End | Flow::Again | Flow::Data => 0,
            },
            is: if matches!(op.flow(), Flow::Data) { DATA } else { INSTRUCTION },
            count: match op.flow() {
                Flow::Data => 0_u64.wrapping_sub(SURPLUS) + 1,
                Flow::Exits => SURPLUS + op.runs(Runs::Block) as u64,
                Flow::Switch => 1,
                _ => op.runs(Runs::Block) as u64,
            },
        };
        index += 1;
    }
    ways
};

/// What sweeps need, made once for all blocks.
pub(super) struct Sweep {
    /// By number, the words whose fields surely hold.
    spans: [Spans; 256],
    /// What each word of a block is found to be: [`INSTRUCTION`], [`DATA`], or zero. One more for behind the last.
    found: Vec<u8>,
    /// Where the words are that need more, last first.
    more: Vec<u32>,
}

impl Sweep {
    /// For blocks of at most so many words.
    pub(super) fn new(shape: &Shape, largest: usize) -> Self {
        let mut spans = core::array::from_fn(|number| Spans::none(number as u8));
        for op in Op::ALL {
            // Loops need a look of their own.
            if !matches!(op, Op::Loop | Op::Again) {
                spans[*op as usize] = op.spans(shape);
            }
        }
        Self { spans, found: vec![0; largest + 1], more: vec![0; largest] }
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
        let (depth, data) = self.more(words, count, shape, depths, switches)?;
        let (found, behind) = self.found[..=words.len()].split_at(words.len());
        // No word is found to be more than it is, so nothing makes up for one that is not reached.
        let sum: usize = found.iter().map(|found| usize::from(*found)).sum();
        (sum == words.len() + data * usize::from(DATA - INSTRUCTION) && behind == [0]).then_some(depth)
    }

    /// Follows next words and targets in `t`. Tells how many words need more.
    fn flow(&mut self, words: &[Word]) -> Option<usize> {
        let (found, more) = (&mut self.found[..=words.len()], &mut self.more[..words.len()]);
        let mut count = 0_u64;
        // Whatever comes behind the last word shows.
        let mut is = u8::MAX;
        // Backward, so that a word is only marked when it has been settled how control comes to it from the word before.
        // What has no target marks itself first.
        for (at, word) in words.iter().enumerate().rev() {
            let way = &WAYS[usize::from(word.op)];
            found[at + 1] = way.next & is;
            *found.get_mut(at + usize::from(word.t & way.target))? = INSTRUCTION;
            is = way.is;
            more[count as u32 as usize] = at as u32;
            count = count.wrapping_add(way.count);
        }
        found[0] = INSTRUCTION & is;
        // Without surplus, as each exits word that is found to be one comes behind an instruction that has exits, each such
        // instruction comes before one.
        (count < SURPLUS).then_some(count as usize)
    }

    /// Follows exits, calls and switches. Tells how deep calls nest, and how many words are data.
    fn more(
        &mut self,
        words: &[Word],
        count: usize,
        shape: &Shape,
        depths: &[u32],
        switches: &mut Switches<'_>,
    ) -> Option<(u32, usize)> {
        let found = &mut self.found[..=words.len()];
        let (mut depth, mut data) = (0, 0);
        for at in self.more[..count].iter().rev().map(|at| *at as usize) {
            let word = words[at];
            if word.op == Op::Switch as u8 {
                for case in switches.next(word.a, shape.tables)? {
                    let target = Some(usize::from(case.target)).filter(|target| *target > 0)?;
                    *found.get_mut(at + target)? = INSTRUCTION;
                }
                continue;
            }
            if word.op != Op::Exits as u8 {
                let callee = word.op().and_then(|op| op.operand(word, Runs::Block))?;
                depth = depth.max(depths.get(callee as usize)? + 1);
                continue;
            }
            for target in [word.a, word.b, word.t] {
                *found.get_mut(at.checked_sub(1)? + usize::from(target))? = INSTRUCTION;
            }
            data += 1;
        }
        Some((depth, data))
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
            gates: 0,
            texts: 0,
            cursor: false,
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
    fn an_instruction_in_the_place_of_exits_gets_a_second_look() {
        let jump = Word::new(Op::JumpBit).with_a(1).with_t(2);
        let call = Word::new(Op::Call).with_t(2);
        let code = [jump, call, Word::new(Op::Return), Word::new(Op::Return)];
        // The word behind the call is reached, but not from there.
        assert_eq!(depth(&code, &[slot_kind::NODE, slot_kind::BIT]), None);
        assert_eq!(depth(&[jump, code[3], code[3]], &[slot_kind::NODE, slot_kind::BIT]), Some(0));
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
