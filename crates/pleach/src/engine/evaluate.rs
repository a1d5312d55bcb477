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
        // The last entry is not in memory. All `top` entries before it are, behind a place without
        // meaning: the one that the first push puts down.
        let (mut at, mut top, mut entry) = (0, 0, 0);
        while let Some(calc) = code.get(at) {
            at += 1;
            let number = f64::from_bits(entry);
            match *calc {
                Calc::Number | Calc::End => {}
                Calc::Ask { site } => self.ask_for_slots(site),
                Calc::Not => entry = (1.0 - number).to_bits(),
                Calc::Truth => entry = f64::from(number != 0.0).to_bits(),
                Calc::Unary(op) => entry = op.apply(number).to_bits(),
                Calc::UnaryWord(op) => entry = op.apply(entry),
                Calc::Compare(relation) => {
                    let first = self.popped(&mut top);
                    entry = f64::from(relation.holds(f64::from_bits(first), number)).to_bits();
                }
                Calc::Binary(op) => {
                    let first = self.popped(&mut top);
                    entry = op.apply(f64::from_bits(first), number).to_bits();
                }
                Calc::CompareWords(relation) => {
                    let first = self.popped(&mut top);
                    entry = f64::from(relation.holds(first as i64, entry as i64)).to_bits();
                }
                Calc::BinaryWord(op) => entry = op.apply(self.popped(&mut top), entry),
                Calc::Order => {
                    let first = self.popped(&mut top);
                    entry = self.world.texts.order(f64::from_bits(first), number).to_bits();
                }
                Calc::Spelled(spelling) => entry = self.world.texts.spelled(number, spelling).to_bits(),
                Calc::Ramp => {
                    let [high, low, y] = [(); 3].map(|()| f64::from_bits(self.popped(&mut top)));
                    let x = f64::from_bits(self.scratch.stack[top - 1]);
                    entry = ramp(x, y, low, high, number).to_bits();
                }
                Calc::Nip => _ = self.popped(&mut top),
                Calc::Copy { above } => {
                    let above = usize::from(above);
                    let copy = if above == 0 { entry } else { self.scratch.stack[top - above] };
                    self.push(&mut top, entry);
                    entry = copy;
                }
                Calc::Ternary(op) => {
                    let [second, first] = [(); 2].map(|()| f64::from_bits(self.popped(&mut top)));
                    entry = op.apply(first, second, number).to_bits();
                }
                Calc::And { skip } | Calc::Or { skip } => {
                    let is_or = matches!(calc, Calc::Or { .. });
                    let decides = (number != 0.0) == is_or;
                    if decides && !planted::is(Bug::LostShortCircuit) {
                        at += usize::from(skip) - 1;
                    } else {
                        entry = self.popped(&mut top);
                    }
                }
                push => {
                    let value = self.pushed(push);
                    self.push(&mut top, entry);
                    entry = value;
                }
            }
        }
        entry
    }

    /// Returns the last entry in memory, which is taken away.
    #[inline(always)]
    fn popped(&self, top: &mut usize) -> u64 {
        *top -= 1;
        self.scratch.stack[*top]
    }

    /// Puts an entry down.
    #[inline(always)]
    fn push(&mut self, top: &mut usize, entry: u64) {
        self.scratch.stack[*top] = entry;
        *top += 1;
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
