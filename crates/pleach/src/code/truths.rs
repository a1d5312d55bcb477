//! Truths that are put by truths: what most events do.
//!
//! An event is a block like any other, and running a block for one agent takes longer than all that most of them do: they put a
//! constant, or what a few truths of the agent come to, into a truth. Where an event does nothing else, its conditions become
//! tables when the program is linked, and happen for 64 agents as fast as for one: with a bit for each, a value is an *or* of
//! *and*s.
//!
//! ```text
//!   dying := hurt and !covered        hurt covered -> dying      64 lanes: dying = hurt & !covered
//!                                       0     0        0
//!                                       1     0        1
//!                                       0     1        0
//!                                       1     1        0
//! ```

use super::calc::{Calc, Expressions};
use super::step::{Code, Step};
use crate::layout::{BIT_WORDS, Frame};
use crate::values::Kind;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Most truths that a value can be made of: a table is a word.
const INPUTS: usize = 6;

/// A truth is put.
#[derive(Clone, Debug)]
struct Rule {
    column: u32,
    /// Column of the bits that say that something has changed, if that counts.
    changes: Option<u32>,
    inputs: Box<[u32]>,
    /// For each way that the inputs can be, the first of them as the lowest bit of its number, the value.
    table: u64,
}

/// One or two constants, as most events put them, so that no jump depends on which event it is. One alone is put twice.
#[derive(Clone, Copy, Debug)]
struct Pair {
    columns: [u32; 2],
    /// All bits or none.
    values: [u64; 2],
    changes: u32,
}

/// Truths that are put one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Truths {
    rules: Box<[Rule]>,
    /// The same, if it is no more than that.
    pair: Option<Pair>,
}

impl Truths {
    /// What a block does, if it is no more than that.
    pub(crate) fn of(plain: &Code, calcs: &Expressions, frame: &Frame, block: u32) -> Option<Self> {
        let mut at = plain.blocks[block as usize] as usize;
        let mut rules = Vec::new();
        loop {
            let (condition, column, changes) = match plain.steps[at] {
                Step::SetBit { condition, column, target } if target as usize == at + 1 => {
                    (condition, column, None)
                }
                Step::SetVariable { condition, column, target } if target as usize == at + 1 => {
                    (condition, column, frame.changes)
                }
                Step::Return { .. } => return Some(Self { pair: pair(&rules), rules: rules.into() }),
                _ => return None,
            };
            let words = calcs.get(calcs.ranges[usize::from(condition)]);
            let inputs = inputs(words)?;
            let mut table = 0;
            for way in 0..1 << inputs.len() {
                table |= u64::from(value(words, &inputs, way)?) << way;
            }
            rules.push(Rule { column, changes, inputs, table });
            at += 1;
        }
    }

    /// Puts the truths of some lanes.
    pub(crate) fn put(&self, bits: &mut [u64], lanes: [u64; BIT_WORDS]) {
        for (word, lanes) in lanes.into_iter().enumerate().filter(|(_, lanes)| *lanes != 0) {
            self.put_word(bits, word, lanes);
        }
    }

    /// Puts the truths of some lanes of a word.
    #[inline]
    pub(crate) fn put_word(&self, bits: &mut [u64], word: usize, lanes: u64) {
        if let Some(Pair { columns, values, changes }) = self.pair {
            let mut changed = 0;
            for (column, value) in columns.into_iter().zip(values) {
                let place = &mut bits[column as usize + word];
                let before = *place;
                *place = before & !lanes | value & lanes;
                changed |= *place ^ before;
            }
            bits[changes as usize + word] |= changed;
            return;
        }
        for Rule { column, changes, inputs, table } in &self.rules {
            let mut value = 0;
            for way in 0..1_u64 << inputs.len() {
                let all = inputs.iter().enumerate().fold(u64::MAX, |all, (index, input)| {
                    let input = bits[*input as usize + word];
                    all & if way >> index & 1 != 0 { input } else { !input }
                });
                value |= if table >> way & 1 != 0 { all } else { 0 };
            }
            let place = &mut bits[*column as usize + word];
            let before = *place;
            *place = before & !lanes | value & lanes;
            let changed = *place ^ before;
            if let Some(changes) = changes {
                bits[*changes as usize + word] |= changed;
            }
        }
    }
}

fn pair(rules: &[Rule]) -> Option<Pair> {
    let (first, last) = (rules.first()?, rules.last()?);
    let fits = |rule: &Rule| rule.inputs.is_empty() && rule.changes.is_some();
    let value = |rule: &Rule| if rule.table != 0 { u64::MAX } else { 0 };
    (rules.len() <= 2 && rules.iter().all(fits)).then_some(Pair {
        columns: [first.column, last.column],
        values: [value(first), value(last)],
        changes: first.changes?,
    })
}

/// The truths that a value is made of; `None` if there are too many, or others than an agent's own.
fn inputs(words: &[Calc]) -> Option<Box<[u32]>> {
    let mut inputs = Vec::new();
    for word in words {
        match *word {
            Calc::Load { kind: Kind::Bit, column } if inputs.contains(&column) => {}
            Calc::Load { kind: Kind::Bit, column } => inputs.push(column),
            Calc::Push(_)
            | Calc::Not
            | Calc::Truth
            | Calc::Number
            | Calc::Compare(_)
            | Calc::And { .. }
            | Calc::Or { .. }
            | Calc::End => {}
            _ => return None,
        }
    }
    (inputs.len() <= INPUTS).then(|| inputs.into())
}

/// The value for inputs that are the bits of a number.
fn value(words: &[Calc], inputs: &[u32], way: u64) -> Option<bool> {
    let mut stack = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        match *word {
            Calc::Push(number) => stack.push(number),
            Calc::Load { column, .. } => {
                let index = inputs.iter().position(|input| *input == column)?;
                stack.push((way >> index & 1) as f64);
            }
            Calc::Not => *stack.last_mut()? = 1.0 - *stack.last()?,
            Calc::Truth => *stack.last_mut()? = f64::from(*stack.last()? != 0.0),
            Calc::Compare(relation) => {
                let second = stack.pop()?;
                *stack.last_mut()? = f64::from(relation.holds(*stack.last()?, second));
            }
            Calc::And { skip } | Calc::Or { skip } => {
                if (*stack.last()? != 0.0) == matches!(word, Calc::Or { .. }) {
                    at += usize::from(skip) - 1;
                } else {
                    stack.pop();
                }
            }
            _ => {}
        }
    }
    stack.first().map(|value| *value != 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::calc::Range;
    use super::super::relation::Relation;
    use super::*;
    use alloc::{vec, vec::Vec};
    use pleach_image::isa::SUCCESS;

    const A: u32 = 0;
    const B: u32 = 4;
    const C: u32 = 8;
    const OUT: u32 = 12;
    const OTHER: u32 = 16;
    const CHANGES: u32 = 20;
    /// Each way that three truths can be, eight times.
    const WAYS: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const BEFORE: u64 = 0x1234_5678_9abc_def0;
    const LANES: u64 = 0xffff_ff00;

    fn load(column: u32) -> Calc {
        Calc::Load { kind: Kind::Bit, column }
    }

    /// A block that puts values into columns, of which `OUT` counts as a change.
    fn block(values: &[(u32, &[Calc])]) -> Option<Truths> {
        let (mut plain, mut calcs) = (Code { blocks: vec![0], ..Code::default() }, Expressions::default());
        for (index, (column, words)) in values.iter().enumerate() {
            let first = calcs.code.len() as u32;
            calcs.code.extend(*words);
            calcs.ranges.push(Range { first, end: calcs.code.len() as u32 });
            let (condition, column, target) = (index as u16, *column, index as u32 + 1);
            plain.steps.push(match column {
                OUT => Step::SetVariable { condition, column, target },
                _ => Step::SetBit { condition, column, target },
            });
        }
        plain.steps.push(Step::Return { exit: SUCCESS });
        Truths::of(&plain, &calcs, &Frame { changes: Some(CHANGES), ..Frame::default() }, 0)
    }

    #[test]
    fn what_goes_elsewhere_is_no_more_than_that() {
        let calcs = Expressions { code: vec![load(A)], ranges: vec![Range { first: 0, end: 1 }] };
        let (condition, end) = (0, Step::Return { exit: SUCCESS });
        for target in [1, 2] {
            let sets = [
                Step::SetBit { condition, column: OTHER, target },
                Step::SetVariable { condition, column: OUT, target },
            ];
            for set in sets {
                let plain = Code { steps: vec![set, end, end], blocks: vec![0], ..Code::default() };
                assert_eq!(Truths::of(&plain, &calcs, &Frame::default(), 0).is_some(), target == 1);
            }
        }
    }

    /// What becomes of the columns of the second word, for some lanes.
    fn put(truths: &Truths) -> [u64; 3] {
        let mut bits: Vec<u64> = vec![0; CHANGES as usize + BIT_WORDS];
        for (column, value) in [A, B, C, OUT, OTHER].into_iter().zip(WAYS.into_iter().chain([BEFORE; 2])) {
            bits[column as usize + 1] = value;
        }
        truths.put(&mut bits, [0, LANES, 0, 0]);
        [OUT, OTHER, CHANGES].map(|column| bits[column as usize + 1])
    }

    fn after(value: u64) -> u64 {
        BEFORE & !LANES | value & LANES
    }

    #[test]
    fn a_value_of_few_truths_is_put_for_many_lanes() {
        let [a, b, c] = WAYS;
        let both = [
            load(A),
            Calc::And { skip: 3 },
            load(B),
            Calc::Not,
            Calc::Or { skip: 4 },
            load(B),
            load(C),
            Calc::Compare(Relation::Eq),
        ];
        let more = [
            load(C),
            Calc::Push(1.0),
            Calc::Compare(Relation::Lt),
            Calc::Truth,
            Calc::Or { skip: 2 },
            load(A),
        ];
        let truths = block(&[(OUT, &both), (OTHER, &more)]).expect("they are few");
        let first = after(a & !b | !(b ^ c));
        assert_eq!(put(&truths), [first, after(!c | a), first ^ BEFORE]);
        let truths = block(&[(OTHER, &both)]).expect("they are few");
        assert_eq!(put(&truths), [BEFORE, first, 0]);
    }

    #[test]
    fn constants_are_put_two_at_a_time() {
        let [yes, no] = [1.0, 0.0].map(|number| [Calc::Push(number)]);
        for (values, expected) in [
            (vec![(OUT, &yes[..])], [after(u64::MAX), BEFORE, after(u64::MAX) ^ BEFORE]),
            (vec![(OUT, &no[..])], [after(0), BEFORE, after(0) ^ BEFORE]),
            (vec![(OUT, &no[..]), (OUT, &yes[..])], [after(u64::MAX), BEFORE, LANES]),
        ] {
            let mut truths = block(&values).expect("they are constants");
            assert!(truths.pair.is_some());
            assert_eq!(put(&truths), expected);
            // One by one, the same.
            truths.pair = None;
            assert_eq!(put(&truths), expected);
        }
        for values in [
            vec![(OTHER, &yes[..])],
            vec![(OUT, &yes), (OTHER, &yes)],
            vec![(OUT, &yes), (OUT, &[load(A)])],
            vec![(OUT, &yes); 3],
        ] {
            assert!(block(&values).expect("they are truths").pair.is_none());
        }
    }

    #[test]
    fn other_blocks_are_left_to_the_engines() {
        assert!(block(&[(OUT, &[Calc::Query { site: 0 }])]).is_none());
        let seven: Vec<Calc> = (0..7).map(|number| load(4 * number)).collect();
        assert!(block(&[(OUT, &seven)]).is_none());
        assert!(block(&[(OUT, &seven[..6])]).is_some());
        assert!(block(&[]).is_some_and(|truths| truths.rules.is_empty()));
    }
}
