//! The stack machine for expressions that are no steps of their own.

use super::scalar::Run;
use super::watch::Mode;
use crate::code::calc::Calc;
use crate::host::Host;
use crate::layout::Column;
use crate::planted::{self, Bug};
use crate::values::{Kind, entry_of};
use pleach_image::functions::ramp;

impl<H: Host + ?Sized, W: Mode> Run<'_, H, W> {
    pub(crate) fn truth(&mut self, condition: u16) -> bool {
        self.number(condition) != 0.0
    }

    pub(crate) fn number(&mut self, expression: u16) -> f64 {
        f64::from_bits(self.entry(expression))
    }

    /// Returns the value of an expression: a word, or the bits of a double.
    pub(crate) fn entry(&mut self, expression: u16) -> u64 {
        let range = self.parts.expressions.ranges[usize::from(expression)];
        self.value(range.first, range.end)
    }

    /// Runs operations of the stack machine, and returns the value on the stack: a word, or the
    /// bits of a double. A boolean is 1 or 0.
    ///
    /// This is the table of all operations, so it is longer than other functions.
    #[inline(never)]
    pub(crate) fn value(&mut self, first: u32, end: u32) -> u64 {
        let code = &self.parts.expressions.code[first as usize..end as usize];
        let (mut at, mut top) = (0, 0);
        while let Some(calc) = code.get(at) {
            at += 1;
            match *calc {
                Calc::Number | Calc::End => {}
                Calc::Ask { site } => self.ask_for_slots(site),
                Calc::Not => self.unary(top, |number| 1.0 - number),
                Calc::Truth => self.unary(top, |number| f64::from(number != 0.0)),
                Calc::Unary(op) => self.unary(top, |number| op.apply(number)),
                Calc::UnaryWord(op) => self.scratch.stack[top - 1] = op.apply(self.scratch.stack[top - 1]),
                Calc::Compare(relation) => {
                    top -= 1;
                    self.binary(top, |first, second| f64::from(relation.holds(first, second)));
                }
                Calc::Binary(op) => {
                    top -= 1;
                    self.binary(top, |first, second| op.apply(first, second));
                }
                Calc::CompareWords(relation) => {
                    top -= 1;
                    let [first, second] = self.words(top);
                    let holds = relation.holds(first as i64, second as i64);
                    self.scratch.stack[top - 1] = f64::from(holds).to_bits();
                }
                Calc::BinaryWord(op) => {
                    top -= 1;
                    let [first, second] = self.words(top);
                    self.scratch.stack[top - 1] = op.apply(first, second);
                }
                Calc::Order => {
                    top -= 1;
                    let [first, second] = self.words(top).map(f64::from_bits);
                    self.scratch.stack[top - 1] = self.world.texts.order(first, second).to_bits();
                }
                Calc::Spelled(spelling) => {
                    let text = f64::from_bits(self.scratch.stack[top - 1]);
                    self.scratch.stack[top - 1] = self.world.texts.spelled(text, spelling).to_bits();
                }
                Calc::Ramp => {
                    top -= 3;
                    if let [x, y, low, high, to] = self.scratch.stack[top - 2..top + 3] {
                        let [x, y, low, high, to] = [x, y, low, high, to].map(f64::from_bits);
                        self.scratch.stack[top - 1] = ramp(x, y, low, high, to).to_bits();
                    }
                }
                Calc::Nip => {
                    top -= 1;
                    self.scratch.stack[top - 1] = self.scratch.stack[top];
                }
                Calc::Copy { above } => {
                    self.scratch.stack[top] = self.scratch.stack[top - 1 - usize::from(above)];
                    top += 1;
                }
                Calc::Ternary(op) => {
                    top -= 2;
                    let [_, third] = self.words(top + 1);
                    self.binary(top, |first, second| op.apply(first, second, f64::from_bits(third)));
                }
                Calc::And { skip } | Calc::Or { skip } => {
                    let is_or = matches!(calc, Calc::Or { .. });
                    let decides = (f64::from_bits(self.scratch.stack[top - 1]) != 0.0) == is_or;
                    if decides && !planted::is(Bug::LostShortCircuit) {
                        at += usize::from(skip) - 1;
                    } else {
                        top -= 1;
                    }
                }
                push => {
                    let value = self.pushed(push);
                    self.scratch.stack[top] = value;
                    top += 1;
                }
            }
        }
        self.scratch.stack.first().copied().unwrap_or(0)
    }

    /// Returns the entry below `top` and the one at `top`.
    #[inline(always)]
    fn words(&self, top: usize) -> [u64; 2] {
        [self.scratch.stack[top - 1], self.scratch.stack[top]]
    }

    /// Replaces the number below `top`.
    #[inline(always)]
    fn unary(&mut self, top: usize, op: impl Fn(f64) -> f64) {
        let entry = &mut self.scratch.stack[top - 1];
        *entry = op(f64::from_bits(*entry)).to_bits();
    }

    /// Replaces the number below `top` by a result of it and the one at `top`.
    #[inline(always)]
    fn binary(&mut self, top: usize, op: impl Fn(f64, f64) -> f64) {
        let [first, second] = self.words(top).map(f64::from_bits);
        self.scratch.stack[top - 1] = op(first, second).to_bits();
    }

    /// Returns the value that an operation pushes.
    #[inline]
    fn pushed(&mut self, calc: Calc) -> u64 {
        let number = match calc {
            Calc::Push(number) => number,
            Calc::PushWord(word) => return word,
            Calc::Query { site } => self.query(site),
            Calc::Load { kind: Kind::Bit, column } => self.chunk.bit(column, self.lane).into(),
            Calc::Load { kind, column } => {
                let column = Column { kind, first: column, stride: 1 };
                return entry_of(kind, self.chunk.read(column, self.lane));
            }
            Calc::Shared { shared } => return self.world.entry(shared, self.chunk.group(self.lane)),
            Calc::SharedBit { shared } => self.world.bit(shared, self.chunk.group(self.lane)).into(),
            Calc::Now => self.now.clamp(i32::MIN.into(), i32::MAX.into()) as f64,
            Calc::Draw { draw } => {
                let agent = self.chunk.agent(self.lane).index() as u32;
                self.world.draw(agent, draw, self.rounds)
            }
            Calc::Since { column } => self.chunk.since(column, self.lane, self.now),
            Calc::Noted { column } => f64::from(self.chunk.moment(column, self.lane) != 0),
            Calc::Reached { column } => {
                let moment = self.chunk.moment(column, self.lane);
                f64::from(moment >= 0 && self.now >= moment)
            }
            _ => 0.0,
        };
        number.to_bits()
    }
}
