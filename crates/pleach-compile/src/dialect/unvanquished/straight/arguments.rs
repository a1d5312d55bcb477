//! Argument lists without anything to be said about them.

use super::{Callee, Standing, Straight};
use crate::ast::{Arg, Value};
use crate::dialect::unvanquished::lexer::MAX_TOKEN;
use crate::dialect::unvanquished::number::negated;
use crate::source::Span;
use crate::text::Sym;
use core::ops::Range;

impl Straight<'_, '_> {
    /// Reads the arguments after a name; how many there are. They are added at the end of the file's.
    #[inline]
    pub(super) fn arguments(&mut self, callee: &Callee) -> Option<u32> {
        match self.text.first()? {
            b'(' => self.list(callee),
            // Strings count by their first byte, which may be that of a list.
            b'"' | b'\'' => None,
            _ => (callee.least == 0).then_some(0),
        }
    }

    fn list(&mut self, callee: &Callee) -> Option<u32> {
        self.text.pass()?;
        let mut count = 0;
        loop {
            match self.text.first()? {
                b')' => break,
                b',' => self.text.pass()?,
                first => {
                    self.argument(first)?;
                    let argument = self.file.args.last()?;
                    if callee.converts(argument.value, count) {
                        return None;
                    }
                    count += 1;
                }
            }
        }
        self.text.pass()?;
        (u32::from(callee.least)..=u32::from(callee.most)).contains(&count).then_some(count)
    }

    /// Reads the argument with this first byte.
    #[inline(always)]
    pub(super) fn argument(&mut self, first: u8) -> Option<()> {
        match first {
            b'0'..=b'9' => {
                let (value, place) = self.literal()?;
                self.give(value, self.span(place));
            }
            b'"' => self.string()?,
            b'-' => self.negative()?,
            _ => {
                let (name, place) = self.name()?;
                match name.standing {
                    Standing::Number(value) => self.give(Value::Int(value), self.span(place)),
                    _ => self.give_defined(name.sym, place)?,
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn give(&mut self, value: Value, span: Span) {
        self.file.args.push(Arg { name: None, value, span });
    }

    #[inline(never)]
    fn give_defined(&mut self, name: Sym, place: Range<u32>) -> Option<()> {
        let (value, span) = self.defined(name, place)?;
        self.give(value, span);
        Some(())
    }

    #[inline(never)]
    fn negative(&mut self) -> Option<()> {
        self.text.step(1, 1)?;
        let (value, place) = self.literal()?;
        self.give(negated(value), self.span(place));
        Some(())
    }

    /// A string without escapes, with punctuation after it that keeps it apart from all others.
    #[inline(never)]
    fn string(&mut self) -> Option<()> {
        let rest = self.text.rest().get(1..)?;
        let length = rest.iter().take(MAX_TOKEN - 3).position(|byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
        let content = &rest[..length];
        if rest[length] != b'"' || matches!(content, [b'(' | b')', ..]) {
            return None;
        }
        let place = self.text.pass_word(length + 2)?;
        if !matches!(self.text.first()?, b',' | b')') {
            return None;
        }
        let content = self.session.names.intern(content);
        self.give(Value::Text(content), self.span(place));
        Some(())
    }
}
