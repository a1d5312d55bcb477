//! Runs expressions over columns: the operations of the scalar engine,
//! each for all lanes of a chunk.

use super::columns::{bit_lanes, byte_lanes, half_lanes, moment_lanes, word_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use crate::code::batch::ops::Apart;
use crate::code::calc::{Calc, Range};
use crate::layout::LANES;
use crate::values::Kind;

impl<L: Lanes> Sweep<'_, L> {
    /// Computes a part of an expression for some lanes; others may get anything. The
    /// lowest operand has its value.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, range: Range, lanes: Mask) {
        self.apart(Apart::Evaluate(range), lanes);
    }

    /// Does the operations of an expression.
    #[inline(always)]
    pub(super) fn operations(&mut self, range: Range, mut lanes: Mask) {
        let code = self.parts.expressions.get(range);
        self.scratch.stack.clear();
        for (at, calc) in code.iter().enumerate() {
            lanes = self.scratch.stack.merge(at, lanes);
            lanes = self.operation(at, *calc, lanes);
        }
        self.scratch.stack.merge(code.len(), lanes);
    }

    /// Returns the lanes for which the value is true.
    #[inline(always)]
    pub(super) fn truth(&self) -> Mask {
        self.scratch.stack.lowest().truths()
    }

    /// Computes an expression. Returns the lanes in which it has not failed,
    /// and those for which it is true.
    #[inline(always)]
    pub(super) fn truths(&mut self, condition: u16, lanes: Mask) -> (Mask, Mask) {
        self.evaluate(self.parts.expressions.ranges[usize::from(condition)], lanes);
        (lanes.without(self.faulted), self.truth())
    }

    /// Computes an expression, and hands on its value for each lane in which it has not failed.
    #[inline(always)]
    pub(super) fn each_number(&mut self, expression: u16, lanes: Mask, each: impl Fn(&mut Self, u8, f64)) {
        self.each_entry(expression, lanes, |sweep, lane, entry| each(sweep, lane, f64::from_bits(entry)));
    }

    /// Computes an expression, and hands on its value for each lane in which it has not failed: a
    /// word, or the bits of a double.
    #[inline(always)]
    pub(super) fn each_entry(&mut self, expression: u16, lanes: Mask, each: impl Fn(&mut Self, u8, u64)) {
        self.evaluate(self.parts.expressions.ranges[usize::from(expression)], lanes);
        lanes.without(self.faulted).for_each(|lane| {
            let entry = self.scratch.stack.lowest().entry(lane);
            each(self, lane, entry);
        });
    }

    /// Does an operation. Returns the lanes that go on. This is the table of all operations, so it
    /// is longer than other functions.
    #[inline(always)]
    fn operation(&mut self, at: usize, calc: Calc, lanes: Mask) -> Mask {
        let stack = &mut self.scratch.stack;
        match calc {
            Calc::Number | Calc::End => {}
            Calc::Push(number) => stack.push().fill(number),
            Calc::PushWord(word) => stack.push_words().fill(word),
            Calc::Not => {
                let truths = stack.pop_truth();
                stack.push_truth(!truths);
            }
            Calc::Truth => {
                let truths = stack.pop_truth();
                stack.push_truth(truths);
            }
            Calc::And { skip } => return stack.decide(at + usize::from(skip), false, lanes),
            Calc::Or { skip } => return stack.decide(at + usize::from(skip), true, lanes),
            Calc::Compare(relation) => stack.compare(self.lanes, relation),
            Calc::Unary(op) => stack.unary(op),
            Calc::Binary(op) => stack.binary(op),
            Calc::CompareWords(relation) => stack.compare_words(self.lanes, relation),
            Calc::UnaryWord(op) => stack.unary_word(op),
            Calc::BinaryWord(op) => stack.binary_word(op),
            Calc::Ternary(op) => stack.ternary(op),
            Calc::Ramp => stack.ramp(),
            Calc::Nip => stack.nip(),
            Calc::Copy { above } => stack.copy(above.into()),
            Calc::Order => stack.order(&self.world.texts),
            Calc::Spelled(spelling) => stack.spelled(&self.world.texts, spelling),
            Calc::Load { kind: Kind::Bit, column } => stack.push_truth(Mask(*bit_lanes(self.chunk, column))),
            Calc::Load { kind, column } => self.load(kind, column),
            Calc::Shared { shared } => match self.world.entry_of_all(shared) {
                Some(entry) => stack.push_words().fill(entry),
                None => self.push_each(|sweep, lane| sweep.world.entry(shared, sweep.chunk.group(lane))),
            },
            Calc::SharedBit { shared } => {
                stack.push_truth(Mask::ALL.filter(|lane| self.world.bit(shared, self.chunk.group(lane))));
            }
            Calc::Now => stack.push().fill(self.now.clamp(i32::MIN.into(), i32::MAX.into()) as f64),
            Calc::Draw { draw } => self.push_each(|sweep, lane| {
                let rounds = sweep.scratch.rounds[usize::from(lane)];
                sweep.world.draw(sweep.chunk.agent(lane).index() as u32, draw, rounds).to_bits()
            }),
            Calc::Query { site } => {
                self.answer(lanes, site);
                return lanes.without(self.faulted);
            }
            Calc::Ask { site } => {
                for column in self.parts.outs(site) {
                    lanes.for_each(|lane| self.chunk.write(column, lane, 0));
                }
                if lanes.any() {
                    self.query(lanes, site);
                }
                return lanes.without(self.faulted);
            }
            Calc::Since { column } => {
                self.push_each(|sweep, lane| sweep.chunk.since(column, lane, sweep.now).to_bits());
            }
            Calc::Noted { column } => {
                let noted = self.moments(column, |moment| moment != 0);
                self.scratch.stack.push_truth(noted);
            }
            Calc::Reached { column } => {
                let now = self.now;
                let reached = self.moments(column, |moment| moment >= 0 && now >= moment);
                self.scratch.stack.push_truth(reached);
            }
        }
        lanes
    }

    /// Pushes an entry of each lane: a word, or the bits of a double.
    #[inline(always)]
    fn push_each(&mut self, entry: impl Fn(&Self, u8) -> u64) {
        let mut entries = [0; LANES];
        for (lane, it) in entries.iter_mut().enumerate() {
            *it = entry(self, lane as u8);
        }
        self.scratch.stack.push_words().copy_from_slice(&entries);
    }

    /// Asks the host. Pushes its answers.
    #[inline(always)]
    fn answer(&mut self, lanes: Mask, site: u16) {
        let is_answered = lanes.any() && self.query(lanes, site);
        let numbers = self.scratch.stack.push();
        let asked = &self.scratch.asked;
        let count = if is_answered { asked.count } else { 0 };
        for (lane, answer) in asked.lanes[..count].iter().zip(&*asked.answers) {
            numbers[usize::from(*lane)] = *answer;
        }
    }

    #[inline(always)]
    fn load(&mut self, kind: Kind, column: u32) {
        if kind.is_wide() {
            let entries: &[u64] = bytemuck::cast_slice(moment_lanes(self.chunk, column));
            return self.scratch.stack.push_words().copy_from_slice(entries);
        }
        let numbers = self.scratch.stack.push();
        macro_rules! widen {
            ($lanes:ident, |$narrow:ident| $wide:expr) => {
                for (number, $narrow) in numbers.iter_mut().zip($lanes(self.chunk, column)) {
                    *number = $wide;
                }
            };
        }
        match kind {
            Kind::I8 => widen!(byte_lanes, |byte| (*byte as i8).into()),
            Kind::U8 | Kind::Bit => widen!(byte_lanes, |byte| (*byte).into()),
            Kind::I16 => widen!(half_lanes, |half| (*half as i16).into()),
            Kind::U16 | Kind::Node | Kind::Set => widen!(half_lanes, |half| (*half).into()),
            Kind::I32 | Kind::Time | Kind::Text => widen!(word_lanes, |word| (*word as i32).into()),
            Kind::F32 => widen!(word_lanes, |word| f32::from_bits(*word).into()),
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment | Kind::Data => {}
        }
    }
}
