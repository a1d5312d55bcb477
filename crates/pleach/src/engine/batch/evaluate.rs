//! Runs expressions over columns.

use super::columns::{bit_lanes, byte_lanes, compare, half_lanes, word_lanes};
use super::lanes::{Job, Lanes};
use super::mask::Mask;
use super::scratch::Entries;
use super::sweep::Sweep;
use crate::code::batch::BatchCode;
use crate::code::batch::expression::{Expression, Lane, LaneType};
use crate::code::calc::{Binary, Unary};
use crate::code::relation::Relation;
use crate::layout::{Column, LANES};
use crate::values::{Kind, stored};
use pleach_image::float::bits32;

/// An expression to be computed for some lanes. Others may get anything.
struct Evaluate<'a, 'b, L> {
    sweep: &'b mut Sweep<'a, L>,
    expression: u32,
    lanes: Mask,
}

impl<L: Lanes> Job for Evaluate<'_, '_, L> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { sweep, expression, mut lanes } = self;
        let code: &BatchCode = sweep.code;
        let Expression { first, end, .. } = code.expressions.rows[expression as usize];
        sweep.scratch.entries.kept.clear();
        for op in &code.expressions.code[first as usize..end as usize] {
            sweep.operation(*op, &mut lanes);
        }
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Computes an expression. The lowest entry has its value.
    #[inline(never)]
    pub(super) fn evaluate(&mut self, expression: u32, lanes: Mask) {
        self.lanes.run(Evaluate { sweep: self, expression, lanes });
    }

    fn type_of(&self, expression: u32) -> LaneType {
        self.code.expressions.rows[expression as usize].ty
    }

    /// Where the value is true.
    #[inline(always)]
    pub(super) fn truth(&self, expression: u32) -> Mask {
        let entries = &self.scratch.entries;
        match self.type_of(expression) {
            LaneType::Truth => entries.truths[0],
            from => entries.is_true(0, from),
        }
    }

    /// The value as a number.
    #[inline(always)]
    pub(super) fn number(&self, expression: u32, lane: u8) -> f64 {
        let (entries, lane) = (&self.scratch.entries, lane);
        let word = || entries.words[0][usize::from(lane)];
        match self.type_of(expression) {
            LaneType::Truth => entries.truths[0].has(lane).into(),
            LaneType::Int => (word() as i32).into(),
            LaneType::Float => f32::from_bits(word()).into(),
            LaneType::Real => entries.reals[0][usize::from(lane)],
        }
    }

    /// Puts the value into a column.
    pub(super) fn store(&mut self, expression: u32, lanes: Mask, kind: Kind, column: u32) {
        match (self.type_of(expression), kind) {
            (LaneType::Int, Kind::I32 | Kind::Time) => self.store_words(lanes, column, |word| word),
            (LaneType::Float, Kind::F32) => {
                self.store_words(lanes, column, |word| bits32(f32::from_bits(word)));
            }
            _ => lanes.for_each(|lane| {
                let bits = stored(kind, self.number(expression, lane));
                self.chunk.write(Column { kind, first: column, stride: 1 }, lane, bits);
            }),
        }
    }

    /// Puts the words of the lowest entry into a column, each as the function gives it.
    #[inline(always)]
    fn store_words(&mut self, lanes: Mask, column: u32, stored: impl Fn(u32) -> u32) {
        let (words, column) = (&self.scratch.entries.words[0], word_lanes(self.chunk, column));
        for (lane, (word, value)) in column.iter_mut().zip(words).enumerate() {
            let wanted = lanes.0[lane / 64] >> (lane % 64) & 1 != 0;
            *word = if wanted { stored(*value) } else { *word };
        }
    }

    /// One operation. The lanes it is for may become fewer, and more again.
    #[inline(always)]
    fn operation(&mut self, op: Lane, lanes: &mut Mask) {
        let entries = &mut self.scratch.entries;
        match op {
            Lane::Truth { at, value } => entries.truths[usize::from(at)] = Mask::all(value),
            Lane::Int { at, value } => entries.words[usize::from(at)].fill(value as u32),
            Lane::Float { at, value } => entries.words[usize::from(at)].fill(value.to_bits()),
            Lane::Real { at, value } => entries.reals[usize::from(at)].fill(value),
            Lane::LoadBit { at, column } => {
                entries.truths[usize::from(at)] = Mask(*bit_lanes(self.chunk, column));
            }
            Lane::Load { at, kind, column } => self.load(at, kind, column),
            Lane::Shared { at, shared } => {
                for (lane, real) in entries.reals[usize::from(at)].iter_mut().enumerate() {
                    *real = self.world.number(shared, self.chunk.group(lane as u8));
                }
            }
            Lane::SharedBit { at, shared } => {
                entries.truths[usize::from(at)] =
                    Mask::ALL.filter(|lane| self.world.bit(shared, self.chunk.group(lane)));
            }
            Lane::Now { at } => {
                let now = self.now.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                entries.words[usize::from(at)].fill(now as u32);
            }
            Lane::Draw { at, draw } => self.draw(at, *lanes, draw),
            Lane::Query { at, site } => {
                self.answer(at, *lanes, site);
                *lanes = lanes.without(self.faulted);
            }
            Lane::Since { at, column } => self.since(at, column),
            Lane::Noted { at, column } => {
                let noted = self.moments(column, |moment| moment != 0);
                self.scratch.entries.truths[usize::from(at)] = noted;
            }
            Lane::Reached { at, column } => {
                let now = self.now;
                let reached = self.moments(column, |moment| moment >= 0 && now >= moment);
                self.scratch.entries.truths[usize::from(at)] = reached;
            }
            Lane::Keep { at, or } => *lanes = entries.keep(usize::from(at), *lanes, or),
            Lane::Merge { at, or } => *lanes = entries.merge(usize::from(at), *lanes, or),
            Lane::Not { at } => entries.truths[usize::from(at)] = !entries.truths[usize::from(at)],
            Lane::IsTrue { at, from } => {
                entries.truths[usize::from(at)] = entries.is_true(usize::from(at), from);
            }
            Lane::Number { at } => entries.number(usize::from(at)),
            Lane::Convert { at, from, to } => entries.convert(usize::from(at), from, to),
            Lane::Compare { at, ty, relation } => entries.compare(usize::from(at), ty, relation),
            Lane::Unary { at, op } => entries.unary(usize::from(at), op),
            Lane::Binary { at, ty, op } => entries.binary(usize::from(at), ty, op),
        }
    }

    /// Draws a number for each of some lanes.
    #[inline(always)]
    fn draw(&mut self, at: u8, lanes: Mask, draw: u16) {
        let words = &mut self.scratch.entries.words[usize::from(at)];
        lanes.for_each(|lane| {
            let rounds = self.scratch.rounds[usize::from(lane)];
            let drawn = self.world.draw(self.chunk.agent(lane).index() as u32, draw, rounds);
            words[usize::from(lane)] = (drawn as f32).to_bits();
        });
    }

    /// Asks a query for some lanes. If the host panics, there are no answers.
    #[inline(always)]
    fn answer(&mut self, at: u8, lanes: Mask, site: u16) {
        if lanes.any() && self.query(lanes, site) {
            let asked = &self.scratch.asked;
            let reals = &mut self.scratch.entries.reals[usize::from(at)];
            for (lane, answer) in asked.lanes[..asked.count].iter().zip(&*asked.answers) {
                reals[usize::from(*lane)] = *answer;
            }
        }
    }

    #[inline(always)]
    fn load(&mut self, at: u8, kind: Kind, column: u32) {
        let entry = &mut self.scratch.entries.words[usize::from(at)];
        macro_rules! widen {
            ($lanes:ident, |$narrow:ident| $wide:expr) => {
                for (word, $narrow) in entry.iter_mut().zip($lanes(self.chunk, column)) {
                    *word = $wide;
                }
            };
        }
        match kind {
            Kind::I8 => widen!(byte_lanes, |byte| i32::from(*byte as i8) as u32),
            Kind::U8 | Kind::Bit => widen!(byte_lanes, |byte| u32::from(*byte)),
            Kind::I16 => widen!(half_lanes, |half| i32::from(*half as i16) as u32),
            Kind::U16 | Kind::Node | Kind::Set => widen!(half_lanes, |half| u32::from(*half)),
            // Nothing loads these.
            Kind::Moment | Kind::Data => {}
            Kind::I32 | Kind::F32 | Kind::Time => *entry = *word_lanes(self.chunk, column),
        }
    }
}

impl Entries {
    /// Lets lanes wait for which an operand of `&&` or `||` decides. Returns all others.
    #[inline(always)]
    fn keep(&mut self, at: usize, lanes: Mask, or: bool) -> Mask {
        let goes_on = lanes & self.truths[at].is(!or);
        self.kept.push(lanes.without(goes_on));
        goes_on
    }

    /// Ends an `&&` or `||`. Returns its lanes and those that have waited.
    #[inline(always)]
    fn merge(&mut self, at: usize, lanes: Mask, or: bool) -> Mask {
        let kept = self.kept.pop().unwrap_or_default();
        self.truths[at] = self.truths[at] & lanes | if or { kept } else { Mask::NONE };
        lanes | kept
    }

    /// Makes a truth the integer 1 or 0.
    #[inline(always)]
    fn number(&mut self, at: usize) {
        let truths = self.truths[at];
        for (lane, word) in self.words[at].iter_mut().enumerate() {
            *word = (truths.0[lane / 64] >> (lane % 64)) as u32 & 1;
        }
    }

    /// Where a number is not zero.
    #[inline(always)]
    fn is_true(&self, at: usize, from: LaneType) -> Mask {
        let zeros = |word: &u32| *word;
        match from {
            LaneType::Truth => self.truths[at],
            LaneType::Int => compare(&self.words[at], &[0; LANES], Relation::Ne, zeros),
            LaneType::Float => {
                compare(&self.words[at], &[0; LANES], Relation::Ne, |word| f32::from_bits(*word))
            }
            LaneType::Real => compare(&self.reals[at], &[0.0; LANES], Relation::Ne, |real| *real),
        }
    }

    #[inline(always)]
    fn convert(&mut self, at: usize, from: LaneType, to: LaneType) {
        let (words, reals) = (&mut self.words[at], &mut self.reals[at]);
        match (from, to) {
            (LaneType::Int, LaneType::Float) => {
                words.iter_mut().for_each(|word| *word = (*word as i32 as f32).to_bits());
            }
            (LaneType::Float, LaneType::Int) => {
                words.iter_mut().for_each(|word| *word = f32::from_bits(*word) as i32 as u32);
            }
            (LaneType::Int, _) => {
                reals.iter_mut().zip(words).for_each(|(real, word)| *real = (*word as i32).into());
            }
            (LaneType::Float, _) => {
                let pairs = reals.iter_mut().zip(words);
                pairs.for_each(|(real, word)| *real = f32::from_bits(*word).into());
            }
            (_, LaneType::Int) => {
                words.iter_mut().zip(reals).for_each(|(word, real)| *word = *real as i32 as u32);
            }
            _ => {
                words.iter_mut().zip(reals).for_each(|(word, real)| *word = (*real as f32).to_bits());
            }
        }
    }

    #[inline(always)]
    fn compare(&mut self, at: usize, ty: LaneType, relation: Relation) {
        let (words, reals) = (&self.words, &self.reals);
        self.truths[at] = match ty {
            LaneType::Int => compare(&words[at], &words[at + 1], relation, |word| *word as i32),
            LaneType::Float => compare(&words[at], &words[at + 1], relation, |word| f32::from_bits(*word)),
            _ => compare(&reals[at], &reals[at + 1], relation, |real| *real),
        };
    }

    #[inline(always)]
    fn unary(&mut self, at: usize, op: Unary) {
        let of_int = |word: &mut u32, op: fn(i32) -> i32| *word = op(*word as i32) as u32;
        let of_float = |word: &mut u32, op: fn(f32) -> f32| *word = op(f32::from_bits(*word)).to_bits();
        let words = self.words[at].iter_mut();
        match op {
            Unary::NegInt => words.for_each(|word| of_int(word, i32::wrapping_neg)),
            Unary::AbsInt => words.for_each(|word| of_int(word, i32::wrapping_abs)),
            Unary::NegFloat => words.for_each(|word| of_float(word, |number| -number)),
            Unary::AbsFloat => words.for_each(|word| of_float(word, f32::abs)),
            // Conversions of their own.
            Unary::Int | Unary::Float => {}
        }
    }

    #[inline(always)]
    fn binary(&mut self, at: usize, ty: LaneType, op: Binary) {
        macro_rules! ints {
            (|$first:ident, $second:ident| $value:expr) => {
                self.words(at, |first, second| {
                    let ($first, $second) = (first as i32, second as i32);
                    let value: i32 = $value;
                    value as u32
                })
            };
        }
        macro_rules! floats {
            (|$first:ident, $second:ident| $value:expr) => {
                self.words(at, |first, second| {
                    let ($first, $second) = (f32::from_bits(first), f32::from_bits(second));
                    ($value).to_bits()
                })
            };
        }
        match (op, ty) {
            (Binary::AddInt, _) => ints!(|first, second| first.wrapping_add(second)),
            (Binary::SubInt, _) => ints!(|first, second| first.wrapping_sub(second)),
            (Binary::MulInt, _) => ints!(|first, second| first.wrapping_mul(second)),
            (Binary::DivInt, _) => {
                ints!(|first, second| if second == 0 { 0 } else { first.wrapping_div(second) })
            }
            (Binary::RemInt, _) => {
                ints!(|first, second| if second == 0 { 0 } else { first.wrapping_rem(second) })
            }
            (Binary::AddFloat, _) => floats!(|first, second| first + second),
            (Binary::SubFloat, _) => floats!(|first, second| first - second),
            (Binary::MulFloat, _) => floats!(|first, second| first * second),
            (Binary::DivFloat, _) => floats!(|first, second| first / second),
            (Binary::Min, LaneType::Int) => ints!(|first, second| first.min(second)),
            (Binary::Max, LaneType::Int) => ints!(|first, second| first.max(second)),
            (Binary::Min, LaneType::Float) => {
                floats!(|first, second| if second < first || first.is_nan() { second } else { first })
            }
            (Binary::Max, LaneType::Float) => {
                floats!(|first, second| if second > first || first.is_nan() { second } else { first })
            }
            (Binary::Min | Binary::Max, _) => {
                if let Ok([first, second]) = self.reals.get_disjoint_mut([at, at + 1]) {
                    first.iter_mut().zip(second).for_each(|(first, second)| {
                        *first = op.apply(*first, *second);
                    });
                }
            }
        }
    }

    /// The lower of two entries becomes what a function makes of both.
    #[inline(always)]
    fn words(&mut self, at: usize, value: impl Fn(u32, u32) -> u32) {
        if let Ok([first, second]) = self.words.get_disjoint_mut([at, at + 1]) {
            first.iter_mut().zip(second).for_each(|(first, second)| *first = value(*first, *second));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{boxed::Box, vec, vec::Vec};

    /// Two entries, of which the first lanes hold these.
    fn entries(words: [&[u32]; 2], reals: [&[f64]; 2]) -> Entries {
        let (mut all_words, mut all_reals) = ([[0; LANES]; 2], [[0.0; LANES]; 2]);
        all_words.iter_mut().zip(words).for_each(|(all, some)| all[..some.len()].copy_from_slice(some));
        all_reals.iter_mut().zip(reals).for_each(|(all, some)| all[..some.len()].copy_from_slice(some));
        let truths = vec![Mask([0b1010, 0, 0, 0]); 2].into();
        Entries { truths, words: Box::new(all_words), reals: Box::new(all_reals), kept: Vec::new() }
    }

    #[test]
    fn what_is_not_zero_is_true() {
        let floats = [0.0, -0.0, 1e-40, f32::NAN].map(f32::to_bits);
        let entries = entries([&[0, 1, 0, u32::MAX], &floats], [&[0.0, -0.0, f64::NAN, 5e-324], &[]]);
        let truth = |at, ty| entries.is_true(at, ty).0[0];
        assert_eq!(
            [truth(0, LaneType::Truth), truth(0, LaneType::Int), truth(0, LaneType::Real)],
            [0b1010, 0b1010, 0b1100]
        );
        assert_eq!(truth(1, LaneType::Float), 0b1100);
    }

    #[test]
    fn numbers_become_what_comes_nearest() {
        let ints = [-7, i32::MAX, 16_777_217].map(|int: i32| int as u32);
        let reals = [-7.9, 1e300, f64::NAN];
        let converted = |from, to| {
            let mut entries = entries([&ints, &[]], [&reals, &[]]);
            entries.convert(0, from, to);
            let ([a, b, c], reals) =
                (entries.words[0].first_chunk().expect("three").map(|word: u32| word), entries.reals[0]);
            ([a, b, c], [reals[0], reals[1], reals[2]])
        };
        let floats = [-7.0, 2_147_483_648.0, 16_777_216.0].map(f32::to_bits);
        assert_eq!(converted(LaneType::Int, LaneType::Float).0, floats);
        assert_eq!(converted(LaneType::Int, LaneType::Real).1, [-7.0, 2_147_483_647.0, 16_777_217.0]);
        assert_eq!(converted(LaneType::Real, LaneType::Int).0, [-7, i32::MAX, 0].map(|int| int as u32));
        assert_eq!(
            converted(LaneType::Real, LaneType::Float).0[..2],
            [-7.9_f32, f32::INFINITY].map(f32::to_bits)
        );
        let mut entries = entries([&[2.75_f32.to_bits(), (-1e20_f32).to_bits()], &[]], [&[], &[]]);
        entries.convert(0, LaneType::Float, LaneType::Real);
        assert_eq!(entries.reals[0][..2], [2.75, (-1e20_f32).into()]);
        entries.convert(0, LaneType::Float, LaneType::Int);
        assert_eq!(entries.words[0][..2], [2, i32::MIN as u32]);
    }

    #[test]
    fn numbers_are_compared_as_what_they_are() {
        let words = [[1_u32, u32::MAX, 5], [2, 1, 5]];
        let mut entries = entries([&words[0], &words[1]], [&[0.5, f64::NAN, 1.0], &[0.25, 1.0, 1.0]]);
        let mut less = |ty, relation| {
            entries.compare(0, ty, relation);
            entries.truths[0].0[0] & 0b111
        };
        assert_eq!(less(LaneType::Int, Relation::Lt), 0b011);
        // As floats, all ones are a NaN.
        assert_eq!(less(LaneType::Float, Relation::Lt), 0b001);
        assert_eq!(less(LaneType::Real, Relation::Gt), 0b001);
        assert_eq!(less(LaneType::Real, Relation::Eq), 0b100);
    }

    #[test]
    fn two_entries_become_what_an_operation_makes_of_them() {
        let ints = [7, -7, i32::MIN, 5].map(|int: i32| int as u32);
        let others = [4, 4, -1, 0].map(|int: i32| int as u32);
        let of_ints = |op| {
            let mut entries = entries([&ints, &others], [&[], &[]]);
            entries.binary(0, LaneType::Int, op);
            core::array::from_fn(|lane| entries.words[0][lane] as i32)
        };
        assert_eq!(of_ints(Binary::AddInt), [11, -3, i32::MAX, 5]);
        assert_eq!(of_ints(Binary::SubInt), [3, -11, i32::MIN + 1, 5]);
        assert_eq!(of_ints(Binary::MulInt), [28, -28, i32::MIN, 0]);
        assert_eq!(of_ints(Binary::DivInt), [1, -1, i32::MIN, 0]);
        assert_eq!(of_ints(Binary::RemInt), [3, -3, 0, 0]);
        assert_eq!(of_ints(Binary::Min), [4, -7, i32::MIN, 0]);
        assert_eq!(of_ints(Binary::Max), [7, 4, -1, 5]);
        let (floats, seconds) = ([1.5, f32::NAN, 3.0, 2.0], [0.5, 2.0, f32::NAN, 4.0]);
        for op in
            [Binary::AddFloat, Binary::SubFloat, Binary::MulFloat, Binary::DivFloat, Binary::Min, Binary::Max]
        {
            let mut entries = entries([&floats.map(f32::to_bits), &seconds.map(f32::to_bits)], [&[], &[]]);
            entries.binary(0, LaneType::Float, op);
            for (lane, (first, second)) in floats.into_iter().zip(seconds).enumerate() {
                let (found, expected) = (
                    f64::from(f32::from_bits(entries.words[0][lane])),
                    op.apply(first.into(), second.into()),
                );
                assert!(found == expected || found.is_nan() && expected.is_nan(), "{op:?} {first} {second}");
            }
        }
        let unary = |op, number: u32| {
            let mut entries = entries([&[number], &[]], [&[], &[]]);
            entries.unary(0, op);
            entries.words[0][0]
        };
        let (minus, float) = (-5_i32 as u32, (-2.5_f32).to_bits());
        assert_eq!(
            [unary(Unary::NegInt, minus), unary(Unary::AbsInt, minus), unary(Unary::NegInt, 5)],
            [5, 5, minus]
        );
        assert_eq!([unary(Unary::NegFloat, float), unary(Unary::AbsFloat, float)], [2.5_f32.to_bits(); 2]);
        assert_eq!([unary(Unary::Int, minus), unary(Unary::Float, float)], [minus, float]);
    }
}
