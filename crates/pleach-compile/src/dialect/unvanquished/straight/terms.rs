//! Names and numbers.

use super::lexicon::{self, Known};
use super::{Keyword, Standing, Straight, text};
use crate::ast::Value;
use crate::dialect::unvanquished::number::{self, Number};
use crate::dialect::unvanquished::token::{Lexeme, Token};
use crate::source::Span;
use crate::text::Sym;
use core::ops::Range;

impl Straight<'_, '_> {
    /// A name, with what is known of it, and where it stands.
    #[inline(always)]
    pub(super) fn name(&mut self) -> Option<(Known, Range<u32>)> {
        let length = self.text.length();
        let known = match self.lexicon.find(self.text.ahead(), length) {
            Some(known) => *known,
            None => self.learn()?,
        };
        Some((known, self.text.pass_word(length)?))
    }

    /// Finds out about the name that comes next, if it is one.
    #[cold]
    #[inline(never)]
    fn learn(&mut self) -> Option<Known> {
        let name = lexicon::spelling(self.text.rest())?;
        let sym = self.session.names.intern(name);
        let word = self.words.look_up(name);
        let standing = self.shared.macros.standing(sym, || word.keyword == Some(Keyword::Enum));
        let known = Known { sym, standing, word };
        // A file's macro is forgotten with the file.
        if !matches!(standing, Standing::Special) {
            self.lexicon.add(name, known);
        }
        Some(known)
    }

    /// A name that is no macro.
    #[inline(always)]
    pub(super) fn word(&mut self) -> Option<(Known, Range<u32>)> {
        self.name().filter(|(known, _)| matches!(known.standing, Standing::Word))
    }

    /// A number in digits, and where it stands.
    #[inline(always)]
    pub(super) fn literal(&mut self) -> Option<(Value, Range<u32>)> {
        let length = self.text.length();
        let value = number::plain_value(self.text.rest(), length)?;
        Some((value, self.text.pass_word(length)?))
    }

    /// The number that a name was defined as, and where that is written.
    #[inline]
    pub(super) fn defined(&mut self, name: Sym, place: Range<u32>) -> Option<(Value, Span)> {
        let at = self.span(place);
        let (number, span) = self.shared.number(self.session, name, at)?;
        Some((number.boxed(false), span))
    }

    /// `#define NAME number`, alone on its line.
    pub(super) fn define(&mut self) -> Option<()> {
        const BEGIN: &[u8] = b"#define";
        let rest = self.text.rest().strip_prefix(BEGIN)?;
        self.text.step(2, BEGIN.len() + text::gap(rest)?)?;
        let (name, name_length) = (self.text.rest(), self.text.length());
        let known = match self.lexicon.find(self.text.ahead(), name_length) {
            Some(known) => *known,
            None => self.learn()?,
        };
        if known.word.keyword.is_some() || !matches!(known.standing, Standing::Word) {
            return None;
        }
        self.text.step(1, name_length + text::gap(name.get(name_length..)?)?)?;
        let (rest, length) = (self.text.rest(), self.text.length());
        let number = number::plain(rest, length)?;
        if !matches!(rest.get(length..)?, [b'\n', ..] | [b'\r', b'\n', ..]) {
            return None;
        }
        let start = self.text.position();
        let span = self.span(start..start + length as u32);
        let lexeme = Lexeme::Number(Number { written: true, ..number });
        let token = Token { lexeme, span, lines: 0, spaced: false };
        self.shared.macros.define_token(known.sym, token);
        self.lexicon.define(name.first_chunk(), name_length);
        self.text.pass()
    }
}
