//! Strings and their escapes.
//!
//! An escape can produce a byte of value zero, and an unknown escape always does. Such a byte ends
//! the text of the string, but reading continues to the closing quote.

use super::{Finding, MAX_TOKEN, Reader};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::dialect::unvanquished::token::Lexeme;

impl Reader<'_, '_> {
    /// A string with its quotes, and all that follow it with nothing but space between.
    #[inline(never)]
    pub(super) fn string(&mut self, quote: u8) -> Result<Lexeme, Finding> {
        let start = self.cursor.at;
        let mut content = bumpalo::vec![in self.arena; quote];
        self.cursor.at += 1;
        loop {
            if content.len() >= MAX_TOKEN - 2 {
                return Err(self.too_long(self.cursor.at - start, "string"));
            }
            match self.text.get(self.cursor.at).copied() {
                Some(b'\\') => content.push(self.escape()),
                Some(byte) if byte == quote => {
                    self.cursor.at += 1;
                    if !self.joins(quote) {
                        break;
                    }
                }
                Some(byte) if byte != b'\n' => {
                    self.cursor.at += 1;
                    content.push(byte);
                }
                _ => return Err(self.unclosed_string(start)),
            }
        }
        match content.iter().position(|byte| *byte == 0) {
            Some(end) => content.truncate(end),
            None => content.push(quote),
        }
        let sym = self.session.names.intern(&content);
        Ok(if quote == b'"' { Lexeme::Text(sym) } else { Lexeme::Literal(sym) })
    }

    /// Enters the next string if it has this quote and only space stands before
    /// it. Returns true if it does.
    fn joins(&mut self, quote: u8) -> bool {
        let after = self.cursor.at;
        self.space(0, false);
        let joins = self.text.get(self.cursor.at) == Some(&quote);
        self.cursor.at = if joins { self.cursor.at + 1 } else { after };
        joins
    }

    /// Returns the byte that an escape stands for.
    fn escape(&mut self) -> u8 {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let letter = self.text.get(self.cursor.at).copied().unwrap_or_default();
        let value = match letter {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'b' => 8,
            b'f' => 12,
            b'a' => 7,
            b'\\' | b'\'' | b'"' | b'?' => letter,
            b'x' => {
                self.cursor.at += 1;
                return self.code(start, 16);
            }
            b'0'..=b'9' => return self.code(start, 10),
            _ => {
                let span = self.cursor.span(start, (self.cursor.at + 1).min(self.text.len()));
                let message = "this escape is unknown, and cuts the string off here";
                let help = "for a backslash, write `\\\\`";
                self.session.report(codes::UNKNOWN_ESCAPE, span, message, help);
                return 0;
            }
        };
        self.cursor.at += 1;
        value
    }

    /// Returns the byte with this code. In base 16 all letters are digits, up to `z` for 35.
    fn code(&mut self, start: usize, base: i32) -> u8 {
        let mut value = 0_i32;
        let radix = if base == 16 { 36 } else { 10 };
        while let Some(digit) =
            self.text.get(self.cursor.at).and_then(|byte| char::from(*byte).to_digit(radix))
        {
            value = value.wrapping_mul(base).wrapping_add(digit as i32);
            self.cursor.at += 1;
        }
        if value > 255 {
            let span = self.cursor.span(start, self.cursor.at);
            let message = "this escape is above 255, and counts as 255";
            self.session.diagnostics.push(Diagnostic::new(codes::LARGE_ESCAPE, span, message));
        }
        if value > 255 { 255 } else { value as u8 }
    }

    fn unclosed_string(&self, start: usize) -> Finding {
        let span = self.cursor.span(start, self.cursor.at);
        let message = "this string has no closing quote on its line";
        Box::new(Diagnostic::new(codes::UNCLOSED_STRING, span, message))
    }
}
