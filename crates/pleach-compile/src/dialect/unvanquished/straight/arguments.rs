//! Argument lists without anything to be said about them.

use super::{Callee, Straight};
use crate::ast::{Arg, Value};
use crate::dialect::unvanquished::lexer::MAX_TOKEN;
use crate::dialect::unvanquished::parser::becomes;
use crate::manifest::Param;
use crate::source::Span;

impl Straight<'_, '_> {
    /// The arguments after a name, as a range in the file.
    #[inline]
    pub(super) fn arguments(&mut self, callee: Callee, params: &[Param]) -> Option<(u32, u32)> {
        let first = self.file.args.len();
        match self.text.first()? {
            b'(' => self.list(callee, params, first),
            // Strings count by their first byte, which may be that of a list.
            b'"' | b'\'' => None,
            _ => (callee.least == 0).then_some((first as u32, 0)),
        }
    }

    fn list(&mut self, callee: Callee, params: &[Param], first: usize) -> Option<(u32, u32)> {
        self.text.pass(1)?;
        loop {
            match self.text.first()? {
                b')' => break,
                b',' => self.text.pass(1)?,
                _ => {
                    let (value, span) = self.argument()?;
                    self.file.args.push(Arg { name: None, value, span });
                }
            }
        }
        self.text.pass(1)?;
        let given = &self.file.args[first..];
        let count = given.len();
        let converted = given.iter().zip(params).any(|(arg, param)| becomes(arg.value, param.ty).is_some());
        if count < usize::from(callee.least) || count > usize::from(callee.most) || converted {
            return None;
        }
        Some((first as u32, count as u32))
    }

    #[inline]
    fn argument(&mut self) -> Option<(Value, Span)> {
        let negative = match self.text.first()? {
            b'"' => return self.string(),
            b'-' if self.text.second()?.is_ascii_digit() => {
                self.text.pass(1)?;
                true
            }
            _ => false,
        };
        let (number, span) = self.number()?;
        Some((number.boxed(negative), span))
    }

    /// A string without escapes, with punctuation after it that keeps it apart from all others.
    fn string(&mut self) -> Option<(Value, Span)> {
        let rest = self.text.rest().get(1..)?;
        let length = rest.iter().take(MAX_TOKEN - 3).position(|byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
        let content = &rest[..length];
        if rest[length] != b'"' || matches!(content, [b'(' | b')', ..]) {
            return None;
        }
        let span = self.span(length + 2);
        self.text.pass(length + 2)?;
        if !matches!(self.text.first()?, b',' | b')') {
            return None;
        }
        Some((Value::Text(self.session.names.intern(content)), span))
    }
}
