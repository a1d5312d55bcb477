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
use crate::frame::{BIT_WORDS, Frame, Kind};
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
