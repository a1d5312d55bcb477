//! Quick check of blocks.
//!
//! A processor cannot predict the order of instructions in code. So the sweeps here treat all
//! instructions alike, by one table, and branch only if something is wrong. There is one sweep over
//! the words ([`Sweep::words`]), one over the few words that need more, and one over the reached
//! words. They accept nothing that [`super::code`] refuses. They refuse more (see
//! [`crate::isa::spans`]), and do not tell the reason.

use super::switches::Switches;
use super::{Rule, fill};
use crate::isa::operand::{Runs, Shape};
use crate::isa::spans::Spans;
use crate::isa::{Flow, Op, Word};
use alloc::vec::Vec;

/// Properties of all words with one number. Fills a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Row {
    /// Ranges of the fields.
    spans: Spans<8>,
    /// All ones if control can go to the word `t` words ahead, else zero.
    target: usize,
    /// Properties of the word and requirements on the next word: [`DATA`], [`NEXT`], [`NEXT_DATA`].
    part: u8,
    /// 1 if the word has other targets, else 0.
    more: u8,
    /// All ones if the instruction runs block `a`, else zero.
    callee: usize,
}

/// Example of a call. An instruction that runs a block has exits and names the block in `a`.
const CALL: Word = Word::new(Op::Call).with_a(u16::MAX);

/// Bit of a word that control must reach.
const REACHED: u8 = 2;
/// Bit of a word that belongs to the word before it.
const OWNED: u8 = 1;
/// Data word, which control must not reach. An instruction has neither bit.
const DATA: u8 = OWNED + REACHED;
/// Shift from a requirement on the next word to the bit that it is compared with.
const SHIFT: u32 = 4;
/// Control can go to the next word.
const NEXT: u8 = REACHED << SHIFT;
/// The next word is data.
const NEXT_DATA: u8 = OWNED << SHIFT;

impl Row {
    /// Returns the row for a number that is no instruction.
    const fn none(number: u8) -> Self {
        Self { spans: Spans::none(number), target: 0, part: 0, more: 0, callee: 0 }
    }

    fn of(op: Op, shape: &Shape) -> Self {
        let flow = op.flow();
        let is_call = flow == Flow::Exits && op.operand(CALL, Runs::Block) == Some(CALL.a.into());
        debug_assert_eq!(op.runs(Runs::Block), is_call, "calls are only followed where there are exits");
        Self {
            // Loops are left to the precise check.
            spans: if matches!(op, Op::Loop | Op::Again) { Spans::none(op as u8) } else { op.spans(shape) },
            target: if matches!(flow, Flow::Branch | Flow::Jump | Flow::Exits) { usize::MAX } else { 0 },
            part: match flow {
                Flow::Next | Flow::Branch | Flow::Switch => NEXT,
                Flow::Exits => NEXT_DATA,
                Flow::Data => DATA,
                Flow::Jump | Flow::End | Flow::Again => 0,
            },
            more: u8::from(matches!(flow, Flow::Data | Flow::Switch)),
            callee: if is_call { usize::MAX } else { 0 },
        }
    }
}

/// Memory that the sweeps of one image leave to those of the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    parts: Vec<u8>,
    reached: Vec<u8>,
    more: Vec<u32>,
}

/// Tables and scratch memory of the sweeps, created once for all blocks.
pub(super) struct Sweep<'s> {
    /// Rows by number.
    rows: [Row; 256],
    /// Properties of each word of a block.
    parts: &'s mut [u8],
    /// [`REACHED`] for each word that is a target, else 0. The first word is always reached, so
    /// words without a target write to it.
    reached: &'s mut [u8],
    /// Indices of the words that need more.
    more: &'s mut [u32],
}

impl<'s> Sweep<'s> {
    /// Creates sweeps for blocks of at most `largest` words.
    pub(super) fn new(shape: &Shape, largest: usize, scratch: &'s mut Scratch) -> Result<Self, Rule> {
        let mut rows = core::array::from_fn(|number| Row::none(number as u8));
        for op in Op::ALL {
            rows[*op as usize] = Row::of(*op, shape);
        }
        let Scratch { parts, reached, more } = scratch;
        let (parts, reached) = (fill(parts, largest, 0)?, fill(reached, largest, 0)?);
        Ok(Self { rows, parts, reached, more: fill(more, largest, 0)? })
    }

    /// Returns the nesting depth of the calls of a block if the block is certainly valid. `depths`
    /// is that of [`super::code`].
    pub(super) fn depth(
        &mut self,
        words: &[Word],
        shape: &Shape,
        depths: &[u32],
        switches: &mut Switches<'_>,
    ) -> Option<u32> {
        for op in Op::ALL.iter().filter(|op| op.runs(Runs::Block)) {
            self.rows[*op as usize].spans = op.spans(shape);
        }
        let more = self.words(words)?;
        let depth = self.more(words, more, shape, depths, switches)?;
        self.settled(words.len()).then_some(depth)
    }

    /// Checks fields and follows targets in `t`. Returns the number of words that need more.
    // A function of its own, so that its loop has all registers.
    #[inline(never)]
    fn words(&mut self, words: &[Word]) -> Option<usize> {
        let (parts, more) = (&mut self.parts[..words.len()], &mut self.more[..words.len()]);
        let reached = &mut self.reached[..words.len()];
        reached.fill(0);
        let (mut excess, mut count) = ([0; 8], 0);
        for (at, (word, part)) in words.iter().zip(parts).enumerate() {
            let row = &self.rows[usize::from(word.op)];
            let mut lanes = [0; 8];
            lanes[..4].copy_from_slice(bytemuck::cast_ref::<_, [u16; 4]>(word));
            row.spans.add_excess(&lanes, &mut excess);
            *reached.get_mut((at + usize::from(word.t)) & row.target)? = REACHED;
            *part = row.part;
            *more.get_mut(count)? = at as u32;
            count += usize::from(row.more);
        }
        (excess == [0; 8]).then_some(count)
    }

    /// Follows exits and switches. Returns the nesting depth of calls.
    fn more(
        &mut self,
        words: &[Word],
        count: usize,
        shape: &Shape,
        depths: &[u32],
        switches: &mut Switches<'_>,
    ) -> Option<u32> {
        let reached = &mut self.reached[..words.len()];
        let mut depth = 0;
        for at in self.more[..count].iter().map(|at| *at as usize) {
            let word = words[at];
            if word.op == Op::Switch as u8 {
                for case in switches.next(word.a, shape.tables)? {
                    let target = Some(usize::from(case.target)).filter(|target| *target > 0)?;
                    *reached.get_mut(at + target)? = REACHED;
                }
                continue;
            }
            let whose = at.checked_sub(1)?;
            for target in [word.a, word.b, word.t] {
                *reached.get_mut(whose + usize::from(target))? = REACHED;
            }
            // Few instructions with exits are calls, but too many for a branch.
            let whose = words[whose];
            let call = (usize::from(whose.a) + 1) & self.rows[usize::from(whose.op)].callee;
            depth = depth.max(*depths.get(call)?);
        }
        Some(depth)
    }

    /// Returns true if control reaches every instruction of a block, no data word and nothing
    /// behind the last word, and every data word follows its instruction.
    fn settled(&self, len: usize) -> bool {
        let (parts, reached) = (&self.parts[..len], &self.reached[..len]);
        let Some(last) = parts.last() else { return false };
        // The first word is not data and the last word needs none: the sweep over exits has already
        // failed otherwise.
        let mut wrong = last & NEXT;
        for ((part, before), reached) in parts[1..].iter().zip(parts).zip(&reached[1..]) {
            let next = before >> SHIFT;
            wrong |= (part ^ next) & OWNED;
            wrong |= !(part ^ (reached | next)) & REACHED;
        }
        wrong == 0
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::format::{CaseRow, TableRow, import_kind, slot_kind};
    use crate::isa::kinds::Kinds;
    use crate::verify::tables::given;
    use alloc::vec;

    /// Returns the shape of a program with an earlier block, two nodes, an action, and slots of the
    /// given kinds.
    pub(in crate::verify) fn shape(slots: &[u32]) -> Shape {
        Shape {
            block: 1,
            conditions: Kinds::new(Vec::new()),
            constants: 0,
            nodes: 2,
            flags: 0,
            sites: Kinds::new(vec![import_kind::ACTION as u8]),
            slots: Kinds::new(slots.iter().map(|kind| *kind as u8).collect()),
            variables: Kinds::new(slots.iter().map(|kind| given(*kind)).collect()),
            shared: Kinds::new(Vec::new()),
            tables: 0,
            parallels: 0,
            events: 0,
            limiters: 0,
            gates: 0,
            texts: 0,
            cursor: false,
        }
    }

    fn depth(words: &[Word], slots: &[u32]) -> Option<u32> {
        let shape = shape(slots);
        let mut switches = Switches { tables: &[], cases: &[] };
        let mut scratch = Scratch::default();
        let mut sweep = Sweep::new(&shape, words.len(), &mut scratch).expect("there is memory");
        sweep.depth(words, &shape, &[0, 5], &mut switches)
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
    fn a_switch_takes_the_next_table() {
        let mut shape = shape(&[slot_kind::NODE]);
        shape.tables = 1;
        let code = [Word::new(Op::Switch), Word::new(Op::Return), Word::new(Op::Return)];
        let depth = |target| {
            let cases = [CaseRow { low: 1, high: 1, target, reserved: 0 }];
            let mut switches = Switches { tables: &[TableRow { first: 0, count: 1 }], cases: &cases };
            let mut scratch = Scratch::default();
            let mut sweep = Sweep::new(&shape, code.len(), &mut scratch).expect("there is memory");
            [0, 1].map(|_| sweep.depth(&code, &shape, &[0, 5], &mut switches))
        };
        assert_eq!([0, 2, 3].map(depth), [[None; 2], [Some(0), None], [None; 2]]);
        // A `switch` without cases continues at the next word, even at the end of the block.
        let mut switches = Switches { tables: &[TableRow { first: 0, count: 0 }], cases: &[] };
        let mut scratch = Scratch::default();
        let mut sweep = Sweep::new(&shape, 1, &mut scratch).expect("there is memory");
        assert_eq!(sweep.depth(&code[..1], &shape, &[0, 5], &mut switches), None);
    }

    #[test]
    fn an_instruction_in_the_place_of_exits_gets_a_second_look() {
        let jump = Word::new(Op::JumpBit).with_a(1).with_t(2);
        let call = Word::new(Op::Call).with_t(2);
        let code = [jump, call, Word::new(Op::Return), Word::new(Op::Return)];
        // The word behind the call is reached, but not by the call.
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
            // Without `jbit` the exits before it lead into the exits behind it, or out of the
            // block.
            assert_eq!(depth(&without, &[slot_kind::NODE, slot_kind::BIT]), None, "{at}");
        }
    }
}
