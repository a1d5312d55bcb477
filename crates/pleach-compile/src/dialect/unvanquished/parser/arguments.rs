//! Argument lists.
//!
//! A list holds numbers and strings. Commas mean nothing, and a sign makes the next number
//! negative, however many there are. The list ends at the parenthesis that pairs with its first,
//! where a string counts by its first byte: so `say( ")" )` has no argument.
//!
//! What takes no arguments at least takes wrong ones without complaint, as if none were there.

use super::{Diagnostic, Parser, Punct, Span, Type, Value, codes, did_you_mean, quoted};
use crate::diagnostic::Code;
use crate::dialect::unvanquished::token::{Lexeme, Token};
use crate::manifest::{Function, Param};

/// Function, decorator or keyword that takes arguments.
pub(super) struct Taker<'m> {
    name: &'m str,
    least: usize,
    most: usize,
    params: &'m [Param],
    at: Span,
}

impl<'m> Taker<'m> {
    /// A function of the host, named by this token.
    pub(super) fn function(function: &'m Function, at: Span) -> Self {
        let (least, most) = (function.min_args(), function.max_args());
        Self { name: &function.name, least, most, params: &function.params, at }
    }

    /// Something that takes just this many.
    pub(super) fn exactly(name: &'m str, arity: usize, at: Span) -> Self {
        Self { name, least: arity, most: arity, params: &[], at }
    }

    /// Returns the number of arguments that it takes, in words.
    fn arity(&self) -> String {
        match (self.least, self.most) {
            (0, 0) => "no arguments".to_owned(),
            (1, 1) => "one argument".to_owned(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        }
    }
}

impl Parser<'_, '_, '_> {
    /// The arguments after a name: their range in the file, or `None` if they are wrong.
    pub(super) fn arguments(&mut self, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let none = (self.file.args.len() as u32, 0);
        match self.room.tokens.get(self.state.at) {
            Some(token) if token.is(Punct::Open) => self.list(token.span, taker),
            Some(token) if taker.least == 0 && self.parenthesis(token) != Some(Punct::Open) => Some(none),
            Some(token) if self.spells(token, Punct::Open) => self.list(token.span, taker),
            next => self.no_list(next.copied(), taker),
        }
    }

    /// Reports that a list should stand where there is something else or nothing.
    #[cold]
    fn no_list(&mut self, next: Option<Token>, taker: &Taker<'_>) -> Option<(u32, u32)> {
        if let Some(token) = next {
            let message = format!("`{}` needs `(` before {}", taker.name, quoted(self.session, &token));
            let finding = Diagnostic::new(codes::EXPECTED, token.span, message)
                .help(format!("it takes {}", taker.arity()));
            self.error(finding);
        } else {
            let message = format!("`{}` cannot be the last word of a file without parentheses", taker.name);
            let finding = Diagnostic::new(codes::BARE_AT_END, taker.at, message);
            let inside = if taker.most == 0 { "" } else { "…" };
            self.disorder(finding.help(format!("write `{}({inside})`", taker.name)));
        }
        None
    }

    /// The list that begins with the parenthesis at hand.
    fn list(&mut self, at: Span, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let first = self.file.args.len();
        if let Some(close) = self.plain_list() {
            self.state.at = close + 1;
            return self.counted(first, taker);
        }
        match self.closing(self.state.at) {
            Some(close) => self.enclosed(close, taker),
            None => self.unclosed(at, taker),
        }
    }

    /// A list without end. What needs no arguments takes none, and reading goes on inside.
    fn unclosed(&mut self, at: Span, taker: &Taker<'_>) -> Option<(u32, u32)> {
        self.state.at += 1;
        let code = self.code(taker, codes::UNCLOSED_ARGUMENTS);
        let finding = Diagnostic::new(code, at, "this `(` is never closed");
        let args = self.wrong(self.with_cut(finding), taker);
        if args.is_none() {
            self.state.disordered = true;
            self.recover();
        }
        args
    }

    /// The error's code, or that of the warning which takes its place.
    fn code(&self, taker: &Taker<'_>, error: Code) -> Code {
        if taker.least == 0 { codes::IGNORED_ARGUMENTS } else { error }
    }

    /// Arguments that are wrong: an error, or no arguments at all.
    fn wrong(&mut self, finding: Diagnostic, taker: &Taker<'_>) -> Option<(u32, u32)> {
        if taker.least > 0 {
            self.error(finding);
            return None;
        }
        let help = format!("`{}` needs no arguments; what stands here is ignored", taker.name);
        self.session.diagnostics.push(finding.help(help));
        Some((self.file.args.len() as u32, 0))
    }

    /// The tokens between the parenthesis at hand and the one that closes it.
    fn enclosed(&mut self, close: usize, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let inside = self.state.at + 1..close;
        self.state.at = close + 1;
        let first = self.file.args.len();
        let mut negative = false;
        for token in self.room.tokens.get(inside).unwrap_or_default() {
            if !argument(token, &mut negative, &mut self.file.args) {
                let token = *token;
                self.file.args.truncate(first);
                return self.no_argument(token, taker);
            }
        }
        self.counted(first, taker)
    }

    /// A list in which nothing is wrong: where it ends. Its arguments are in
    /// the file then, and else not.
    fn plain_list(&mut self) -> Option<usize> {
        let (args, session) = (&mut self.file.args, &*self.session);
        let first = args.len();
        let mut negative = false;
        for (index, token) in self.room.tokens.iter().enumerate().skip(self.state.at + 1) {
            match token.lexeme {
                Lexeme::Punct(Punct::Close) => return Some(index),
                Lexeme::Text(sym) if matches!(session.names.bytes(sym), [b'(' | b')', ..]) => break,
                _ if argument(token, &mut negative, args) => {}
                _ => break,
            }
        }
        args.truncate(first);
        None
    }

    /// The arguments that were added to the file, if they are as many as they should be.
    fn counted(&mut self, first: usize, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let count = self.file.args.len() - first;
        if !(taker.least..=taker.most).contains(&count) {
            self.file.args.truncate(first);
            return self.wrong_number(count, taker);
        }
        self.note_types(first, taker);
        Some((first as u32, count as u32))
    }

    /// Warns of arguments that are converted because another type is declared, perhaps to something
    /// that was not meant.
    fn note_types(&mut self, first: usize, taker: &Taker<'_>) {
        let mut places = Vec::new();
        for (index, (value, param)) in self.file.args[first..].iter().zip(taker.params).enumerate() {
            let Some(becomes) = becomes(*value, param.ty) else { continue };
            let (name, whose, ty) = (&param.name, taker.name, param.ty);
            let message = format!("`{name}` of `{whose}` is declared as {ty}; the value {becomes}");
            if places.is_empty() {
                places = self.places_of_arguments(self.file.args.len() - first);
            }
            let place = places.get(index).copied();
            let finding = Diagnostic::new(codes::ARGUMENT_TYPE, place, message);
            self.session.diagnostics.push(finding);
        }
    }

    /// Returns the places of the arguments of the list that has just been read.
    #[cold]
    fn places_of_arguments(&self, count: usize) -> Vec<Span> {
        let is_value = |token: &&Token| matches!(token.lexeme, Lexeme::Number(_) | Lexeme::Text(_));
        let values = self.room.tokens[..self.state.at - 1].iter().rev().filter(is_value);
        let mut places: Vec<_> = values.take(count).map(|token| token.span).collect();
        places.reverse();
        places
    }

    fn no_argument(&mut self, token: Token, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let message = format!("{} is no argument", quoted(self.session, &token));
        let code = self.code(taker, codes::BAD_ARGUMENT);
        let symbols = self.session.manifest.symbols.iter().map(|symbol| symbol.name.as_str());
        let advice = did_you_mean(self.session, &token, symbols);
        let advice = advice.unwrap_or_else(|| "arguments are numbers, strings and symbols".to_owned());
        self.wrong(Diagnostic::new(code, token.span, message).help(advice), taker)
    }

    fn wrong_number(&mut self, count: usize, taker: &Taker<'_>) -> Option<(u32, u32)> {
        let code = if count < taker.least { codes::TOO_FEW_ARGUMENTS } else { codes::TOO_MANY_ARGUMENTS };
        let are = if count == 1 { "is" } else { "are" };
        let message = format!("`{}` takes {}, but {count} {are} given", taker.name, taker.arity());
        self.wrong(Diagnostic::new(self.code(taker, code), Some(taker.at), message), taker)
    }

    /// The parenthesis that closes the one at this index.
    ///
    /// Most lists hold no parenthesis, so the next one is it; else all pairs
    /// of the file are found at once.
    fn closing(&mut self, open: usize) -> Option<usize> {
        let rest = self.room.tokens.get(open + 1..).unwrap_or_default();
        let parentheses = rest.iter().map(|token| self.parenthesis(token));
        match parentheses.enumerate().find_map(|(index, found)| Some((open + 1 + index, found?))) {
            Some((close, Punct::Close)) => return Some(close),
            None => return None,
            Some(_) => {}
        }
        if self.state.closing.is_none() {
            self.state.closing = Some(self.pairs());
        }
        let first = self.state.bases[0];
        let close = self.state.closing.as_ref().and_then(|closing| closing.get(open - first).copied());
        close.filter(|close| *close > 0).map(|close| first + close as usize)
    }

    /// For each token of the file the index of the parenthesis that closes it, or zero.
    fn pairs(&self) -> Vec<u32> {
        let tokens = &self.room.tokens[self.state.bases[0]..];
        let mut pairs = vec![0; tokens.len()];
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match self.parenthesis(token) {
                Some(Punct::Open) => open.push(index),
                Some(_) => {
                    if let Some(open) = open.pop() {
                        pairs[open] = index as u32;
                    }
                }
                None => {}
            }
        }
        pairs
    }

    /// Passes over the arguments of something unknown, if there are any.
    pub(super) fn skip_arguments(&mut self) {
        if self.stands(Punct::Open) {
            self.state.at = self.closing(self.state.at).unwrap_or(self.state.at) + 1;
        }
    }
}

/// Adds the argument that a token is, if it is one.
#[inline]
pub(super) fn argument(token: &Token, negative: &mut bool, args: &mut Vec<Value>) -> bool {
    let value = match token.lexeme {
        Lexeme::Number(number) => number.boxed(core::mem::take(negative)),
        Lexeme::Text(sym) => {
            *negative = false;
            Value::Text(sym)
        }
        Lexeme::Punct(Punct::Comma) => return true,
        Lexeme::Punct(punct) if punct.negates() => {
            *negative = true;
            return true;
        }
        _ => return false,
    };
    args.push(value);
    true
}

/// Returns the effect of passing a value to a parameter of another type; none if the types agree.
#[inline]
fn becomes(value: Value, declared: Type) -> Option<&'static str> {
    match (value, declared) {
        (Value::Text(_), Type::Bool | Type::Int | Type::Float | Type::Number) => Some("counts as 0"),
        (Value::Float(_), Type::Int | Type::Bool) => Some("is cut to an integer"),
        (Value::Int(_) | Value::Float(_), Type::Text) => Some("is written out as text"),
        _ => None,
    }
}
