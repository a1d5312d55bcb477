//! `#define`, `#undef`, and the expansion of macros.

use super::macros::{Body, Macro};
use super::{
    Lexeme, MAX_EXPANSION_DEPTH, MAX_TOKEN, Number, OriginKind, Preprocessor, Punct, Span, Sym, Token, codes,
};
use crate::source::OriginId;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::HashSet;

/// The most parameters a macro may have to be usable.
const MAX_PARAMETERS: usize = 128;

impl Preprocessor<'_, '_, '_> {
    /// `#define NAME tokens`, `#define NAME(parameters) tokens`
    pub(super) fn define(&mut self, hash: Token) -> Option<()> {
        if self.skipping > 0 {
            return Some(());
        }
        let (name, at) = self.operand(hash, "#define", codes::BAD_DEFINE)?;
        self.note_redefinition(name, at);
        let index = self.shared.macros.define(name, Body::Tokens(&[]));
        let Some(mut first) = self.line() else { return Some(()) };
        if first.is(Punct::Open) && !first.spaced {
            self.parameters(index, at)?;
            let Some(next) = self.line() else { return Some(()) };
            first = next;
        }
        self.body(index, name, first)
    }

    fn note_redefinition(&mut self, name: Sym, at: Span) {
        if self.shared.macros.find(name).is_some() {
            let message = format!("`{}` was already defined; this definition replaces it", self.name(name));
            self.warn(codes::REDEFINITION, at, message);
        }
    }

    fn name(&self, name: Sym) -> String {
        self.session.names.text(name).into_owned()
    }

    /// The parameters, after the opening parenthesis.
    ///
    /// The token after the parenthesis is read like any other of the file, macros expanded,
    /// and may stand on another line.
    fn parameters(&mut self, index: usize, at: Span) -> Option<()> {
        if let Some(token) = self.read() {
            if token.is(Punct::Close) {
                return Some(());
            }
            self.unread.push(token);
        }
        let (mut parameters, mut known) = (ArenaVec::new_in(self.shared.arena), HashSet::new());
        loop {
            let Some(Token { lexeme: Lexeme::Name(name), .. }) = self.line() else {
                return self.stop(codes::BAD_DEFINE, at, "a parameter of this macro is not a name");
            };
            if !known.insert(name) {
                return self.stop(codes::BAD_DEFINE, at, "two parameters of this macro have the same name");
            }
            parameters.push(name);
            match self.line().map(|token| token.lexeme) {
                Some(Lexeme::Punct(Punct::Close)) => {
                    self.shared.macros.list[index].parameters = parameters.into_bump_slice();
                    return Some(());
                }
                Some(Lexeme::Punct(Punct::Comma)) => {}
                _ => return self.stop(codes::BAD_DEFINE, at, "the parameters of this macro are not closed"),
            }
        }
    }

    /// The rest of the line. The macro's own name in it is left out.
    fn body(&mut self, index: usize, name: Sym, first: Token) -> Option<()> {
        let mut list = ArenaVec::new_in(self.shared.arena);
        let mut next = Some(first);
        while let Some(token) = next {
            if token.lexeme == Lexeme::Name(name) {
                let message = format!("`{}` in its own definition is left out", self.name(name));
                self.warn(codes::SELF_REFERENCE, token.span, message);
            } else {
                list.push(token.detached());
            }
            next = self.line();
        }
        let misplaced =
            [list.first(), list.last()].into_iter().flatten().find(|end| end.is(Punct::Merge)).copied();
        self.shared.macros.list[index].body = Body::Tokens(list.into_bump_slice());
        match misplaced {
            Some(merge) => self.stop(codes::BAD_DEFINE, merge.span, "`##` needs something on both sides"),
            None => Some(()),
        }
    }

    /// Makes a name stand for an integer, as `enum` does.
    pub(super) fn define_integer(&mut self, name: Sym, at: Span, value: i32) {
        self.note_redefinition(name, at);
        self.shared.macros.define(name, Body::Integer(value));
    }

    /// `#undef NAME`
    pub(super) fn undef(&mut self, hash: Token) -> Option<()> {
        if self.skipping > 0 {
            return Some(());
        }
        let (name, _) = self.operand(hash, "#undef", codes::BAD_DEFINE)?;
        if self.shared.macros.find(name).is_some() {
            self.shared.macros.set(name, 0);
        }
        Some(())
    }

    /// Puts back the tokens of a macro.
    pub(super) fn expand(&mut self, index: usize, at: Token) -> Option<()> {
        let arguments = self.arguments(index, at)?;
        if let Body::Integer(value) = self.shared.macros.list[index].body {
            self.push_integer(value, at);
            return Some(());
        }
        let needed = self.expanded_length(index, &arguments);
        self.splice(needed + 1, at.span)?;
        let origin = self.macro_origin(index, at)?;
        let first = self.unread.len();
        self.substitute(index, &arguments, origin);
        if self.merge(first).is_none() {
            self.unread.truncate(first);
            return None;
        }
        if self.unread.len() == first {
            let message = "this macro stands for nothing, which ends the file here";
            return self.stop(codes::EMPTY_MACRO, at.span, message);
        }
        self.unread[first..].reverse();
        Some(())
    }

    /// An integer has no text of its own: its tokens stand where the name does.
    fn push_integer(&mut self, value: i32, at: Token) {
        let size = i64::from(value).abs();
        self.push_number(Number::computed(size, size as f64, true), value < 0, at);
    }

    /// Puts back a number that takes the place of a token, with a sign before it if it is negative.
    pub(super) fn push_number(&mut self, number: Number, negative: bool, at: Token) {
        let token = Token { lexeme: Lexeme::Number(number), ..at.detached() };
        self.unread.push(token);
        if negative {
            self.unread.push(Token { lexeme: Lexeme::Punct(Punct::Minus), ..token });
        }
    }

    fn macro_origin(&mut self, index: usize, at: Token) -> Option<OriginId> {
        if self.shared.depth(at.span.origin) >= MAX_EXPANSION_DEPTH {
            let message = "macros expand to each other without end";
            return self.stop(codes::ENDLESS_MACRO, at.span, message);
        }
        let shown = self.shared.macros.list[index].shown(&self.session.names);
        Some(self.origin(OriginKind::Macro, shown, at.span))
    }

    fn expanded_length(&self, index: usize, arguments: &[Vec<Token>]) -> usize {
        let Macro { parameters, body, .. } = &self.shared.macros.list[index];
        let Body::Tokens(list) = body else { return 1 };
        if arguments.is_empty() {
            return list.len();
        }
        let length = |token: &Token| parameter(parameters, token).map_or(1, |which| arguments[which].len());
        list.iter().map(length).fold(0, usize::saturating_add)
    }

    /// Puts back the body with arguments in place of parameters, the first token deepest.
    fn substitute(&mut self, index: usize, arguments: &[Vec<Token>], origin: OriginId) {
        let Macro { parameters, body: Body::Tokens(list), .. } = self.shared.macros.list[index] else {
            return;
        };
        let placed = |token: &Token| Token { span: Span { origin, ..token.span }, ..*token };
        let mut body = list.iter().peekable();
        while let Some(token) = body.next() {
            if let Some(which) = parameter(parameters, token) {
                self.unread.extend_from_slice(&arguments[which]);
            } else if !token.is(Punct::Hash) {
                self.unread.push(placed(token));
            } else if let Some(which) = body.peek().and_then(|next| parameter(parameters, next)) {
                body.next();
                let lexeme = self.stringized(&arguments[which]);
                self.unread.push(Token { lexeme, ..placed(token) });
            } else {
                self.warn(codes::STRAY_STRINGIZE, token.span, "`#` without a parameter after it is left out");
            }
        }
    }

    /// Returns the spellings of tokens, put together as a string.
    fn stringized(&mut self, tokens: &[Token]) -> Lexeme {
        let mut text = vec![b'"'];
        for token in tokens.iter().take(MAX_TOKEN) {
            text.extend(self.spelling(token));
        }
        text.push(b'"');
        text.truncate(MAX_TOKEN - 1);
        Lexeme::Text(self.session.names.intern(&text))
    }

    /// Carries out each `##` among the tokens that have been put back from `first`
    /// on, in the order of the text.
    fn merge(&mut self, first: usize) -> Option<()> {
        let (mut kept, mut at) = (first, first);
        while let Some(token) = self.unread.get(at).copied() {
            at += 1;
            match self.unread.get(at).copied() {
                Some(right) if token.is(Punct::Merge) && kept > first => {
                    let left = self.unread[kept - 1];
                    self.unread[kept - 1].lexeme = self.merged(&left, &right)?;
                    at += 1;
                }
                _ => {
                    self.unread[kept] = token;
                    kept += 1;
                }
            }
        }
        self.unread.truncate(kept);
        Some(())
    }

    /// Two tokens as one: a name and a name or number, or two strings.
    fn merged(&mut self, left: &Token, right: &Token) -> Option<Lexeme> {
        let mut text = match (left.lexeme, right.lexeme) {
            (Lexeme::Name(_), Lexeme::Name(_) | Lexeme::Number(_)) => {
                [self.spelling(left), self.spelling(right)].concat()
            }
            (Lexeme::Text(left), Lexeme::Text(right)) => self.joined(left, right),
            _ => {
                let message = format!("`##` cannot join `{}` and `{}`", self.shown(left), self.shown(right));
                return self.stop(codes::BAD_MERGE, left.span, message);
            }
        };
        text.truncate(MAX_TOKEN - 1);
        self.splice(text.len() / 16, left.span)?;
        let sym = self.session.names.intern(&text);
        Some(if matches!(left.lexeme, Lexeme::Name(_)) { Lexeme::Name(sym) } else { Lexeme::Text(sym) })
    }

    /// Reads a macro's arguments; none if it has no parameters.
    ///
    /// Parentheses in an argument are counted but an opening one is dropped, and the one that
    /// closes the outermost of them closes the list, too.
    fn arguments(&mut self, index: usize, at: Token) -> Option<Vec<Vec<Token>>> {
        let expected = self.shared.macros.list[index].parameters.len();
        if expected == 0 {
            return Some(Vec::new());
        }
        self.open_arguments(expected, at)?;
        let mut arguments = vec![Vec::new(); expected];
        let (mut current, mut depth) = (0, 0_usize);
        loop {
            let Some(token) = self.raw() else {
                let message = "the arguments of this macro are not closed";
                return self.stop(codes::BAD_MACRO_USE, at.span, message);
            };
            match token.lexeme {
                Lexeme::Punct(Punct::Comma) if depth == 0 => {
                    current += 1;
                    if current == expected {
                        let message = format!("this macro takes no more than {}", counted(expected));
                        return self.stop(codes::BAD_MACRO_USE, at.span, message);
                    }
                    continue;
                }
                Lexeme::Punct(Punct::Open) => {
                    depth += 1;
                    continue;
                }
                Lexeme::Punct(Punct::Close) if depth <= 1 => break,
                Lexeme::Punct(Punct::Close) => depth -= 1,
                _ => {}
            }
            arguments[current].push(token);
        }
        if arguments.last().is_some_and(Vec::is_empty) {
            let message = format!("this macro takes {}; those missing stand for nothing", counted(expected));
            self.warn(codes::MISSING_ARGUMENT, at.span, message);
        }
        Some(arguments)
    }

    fn open_arguments(&mut self, expected: usize, at: Token) -> Option<()> {
        let opening = self.raw();
        if expected > MAX_PARAMETERS {
            let message = "a macro with more than 128 parameters is no use";
            return self.stop(codes::BAD_MACRO_USE, at.span, message);
        }
        if opening.is_some_and(|token| token.is(Punct::Open)) {
            return Some(());
        }
        self.unread.extend(opening);
        let message = "this macro has parameters, but no arguments follow";
        self.stop(codes::BAD_MACRO_USE, at.span, message)
    }
}

fn counted(arguments: usize) -> String {
    if arguments == 1 { "one argument".to_owned() } else { format!("{arguments} arguments") }
}

/// Returns the index of the parameter that a token of a body names.
fn parameter(parameters: &[Sym], token: &Token) -> Option<usize> {
    let Lexeme::Name(name) = token.lexeme else { return None };
    parameters.iter().position(|parameter| *parameter == name)
}
