//! The stack machine for expressions that are no steps of their own.

use super::Watch;
use super::scalar::Run;
use crate::code::calc::{Calc, between};
use crate::host::Host;
use crate::planted::{self, Bug};
use crate::values::Kind;

impl<H: Host + ?Sized, W: Watch> Run<'_, H, W> {
    pub(crate) fn truth(&mut self, condition: u16) -> bool {
        self.number(condition) != 0.0
    }

    pub(crate) fn number(&mut self, expression: u16) -> f64 {
        let range = self.parts.expressions.ranges[usize::from(expression)];
        self.value(range.first, range.end)
    }

    /// Runs operations of the stack machine, and returns the value on the
    /// stack. A boolean is 1 or 0.
    #[inline(never)]
    pub(crate) fn value(&mut self, first: u32, end: u32) -> f64 {
        let code = &self.parts.expressions.code[first as usize..end as usize];
        let (mut at, mut top) = (0, 0);
        while let Some(calc) = code.get(at) {
            at += 1;
            match *calc {
                Calc::Number | Calc::End => {}
                Calc::Not => self.scratch.stack[top - 1] = 1.0 - self.scratch.stack[top - 1],
                Calc::Truth => {
                    self.scratch.stack[top - 1] = f64::from(self.scratch.stack[top - 1] != 0.0);
                }
                Calc::Unary(op) => self.scratch.stack[top - 1] = op.apply(self.scratch.stack[top - 1]),
                Calc::Compare(relation) => {
                    top -= 1;
                    let (first, second) = (self.scratch.stack[top - 1], self.scratch.stack[top]);
                    self.scratch.stack[top - 1] = f64::from(relation.holds(first, second));
                }
                Calc::Binary(op) => {
                    top -= 1;
                    let (first, second) = (self.scratch.stack[top - 1], self.scratch.stack[top]);
                    self.scratch.stack[top - 1] = op.apply(first, second);
                }
                Calc::Between => {
                    top -= 2;
                    let operands = &mut self.scratch.stack[top - 1..];
                    operands[0] = between(operands[0], operands[1], operands[2]);
                }
                Calc::And { skip } | Calc::Or { skip } => {
                    let is_or = matches!(calc, Calc::Or { .. });
                    let decides = (self.scratch.stack[top - 1] != 0.0) == is_or;
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
        self.scratch.stack.first().copied().unwrap_or(0.0)
    }

    /// Returns the value that an operation pushes.
    #[inline]
    fn pushed(&mut self, calc: Calc) -> f64 {
        match calc {
            Calc::Push(number) => number,
            Calc::Query { site } => self.query(site),
            Calc::Load { kind: Kind::Bit, column } => self.chunk.bit(column, self.lane).into(),
            Calc::Load { kind, column } => self.load(kind, column),
            Calc::Shared { shared } => self.world.number(shared, self.chunk.group(self.lane)),
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
        }
    }
}
