//! From tokens to the words in their order, see [`super::syntax`].
//!
//! The parser looks at one token and keeps its own stacks: of open blocks, of pending operators,
//! and of files that wait for files that they include. After an error it continues where the next
//! node or declaration can begin, and assumes the most probable meaning. So one run reports as many
//! errors as possible, and none twice.

mod block;
mod braces;
mod enumeration;
mod expression;
mod item;
mod local;
mod node;
mod policy;
mod tunable;

use super::lexer::{Cursor, Lexeme, Token, token};
use super::names::{Meaning, Names, report_twice};
use super::syntax::{Code, Kind, Local, Mode, Node, Op, Program, Reading, Type};
use super::words::{Keyword, Word};
use crate::ast::{Scope, SlotKind};
use crate::codes;
use crate::diagnostic::{Code as DiagnosticCode, Diagnostic};
use crate::session::Session;
use crate::source::{Found, SourceId, Span};
use crate::text::{Sym, cited_bytes};
use block::Shape;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use std::sync::Arc;

/// A parser, with the file that it is in.
pub(super) struct Parser<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) program: Program<'s>,
    pub(super) names: Names<'s>,
    reading: Reading,
    token: Token,
    /// End of the token before.
    last: u32,
    /// Files that wait for the one they include, and their next token.
    waiting: ArenaVec<'s, (Reading, Token)>,
    /// Files by the symbol of the name that the library gives them.
    files: ArenaVec<'s, Option<SourceId>>,
    /// By word, the parameter of the current tree, plus one.
    params: ArenaVec<'s, u32>,
    /// Number of parameters of the current tree.
    bound: u32,
    locals: ArenaVec<'s, Local>,
    /// The first variable that is declared in a block of the current tree.
    misplaced: Option<Span>,
    blocks: ArenaVec<'s, block::Block>,
    pending: ArenaVec<'s, expression::Pending>,
    /// Number of pending brackets.
    brackets: usize,
}

impl<'s, 'a> Parser<'s, 'a> {
    /// A parser that has read nothing yet.
    pub(super) fn new(session: &'s mut Session<'a>, arena: &'s Bump) -> Self {
        Keyword::intern(&mut session.names);
        let cursor = Cursor::new(SourceId(0), b"", session);
        Self {
            session,
            program: Program::new(arena),
            names: Names::new(arena),
            reading: Reading { cursor, text: Arc::default(), folder: String::new() },
            token: Token { lexeme: Lexeme::End, value: 0, start: 0, end: 0 },
            last: 0,
            waiting: ArenaVec::new_in(arena),
            files: ArenaVec::new_in(arena),
            params: ArenaVec::new_in(arena),
            bound: 0,
            locals: ArenaVec::new_in(arena),
            misplaced: None,
            blocks: ArenaVec::new_in(arena),
            pending: ArenaVec::new_in(arena),
            brackets: 0,
        }
    }

    /// Reads the file of an entry, if there is one.
    pub(super) fn entry(&mut self, entry: &str) -> Option<SourceId> {
        let found = crate::dialect::entry(self.session, entry)?;
        Some(self.read(found))
    }

    /// Reads a file and all that it includes, unless it has been read before.
    pub(super) fn read(&mut self, found: Found) -> SourceId {
        if let Some(source) = *self.file(&found.name) {
            return source;
        }
        let source = self.open(found, String::new());
        loop {
            self.items();
            let Some((reading, token)) = self.waiting.pop() else { return source };
            (self.reading, self.token) = (reading, token);
        }
    }

    /// The file of a name, if it has been read.
    fn file(&mut self, name: &str) -> &mut Option<SourceId> {
        let index = self.session.names.intern(name.as_bytes()).0 as usize;
        self.files.resize(self.files.len().max(index + 1), None);
        &mut self.files[index]
    }

    /// Makes a file the one that is read.
    fn open(&mut self, Found { name, text }: Found, folder: String) -> SourceId {
        let source = SourceId(self.session.sources.files().len() as u32);
        *self.file(&name) = Some(source);
        self.session.sources.add(name, text);
        let text = self.session.sources.get(source).text.clone();
        let cursor = Cursor::new(source, &text, self.session);
        self.program.reserve(text.len());
        self.reading = Reading { cursor, text, folder };
        self.last = 0;
        self.advance();
        source
    }

    /// Goes on with the next token.
    #[inline]
    fn advance(&mut self) {
        self.last = self.token.end;
        self.token = self.reading.cursor.next(&self.reading.text, self.session);
    }

    /// Returns true if the token is this one.
    #[inline]
    fn stands(&self, lexeme: Lexeme) -> bool {
        self.token.lexeme == lexeme
    }

    /// Goes on behind the token if it is this one.
    #[inline]
    fn take(&mut self, lexeme: Lexeme) -> bool {
        let stands = self.stands(lexeme);
        if stands {
            self.advance();
        }
        stands
    }

    /// The token as a keyword, of the kind that is a name elsewhere too.
    #[inline]
    fn keyword(&self) -> Option<Keyword> {
        if self.stands(Lexeme::Word) { Keyword::of(self.token.value) } else { None }
    }

    /// Goes on behind the token if it is this keyword.
    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let stands = self.keyword() == Some(keyword);
        if stands {
            self.advance();
        }
        stands
    }

    /// Returns the kind of the token after the next, without its value.
    fn peek(&self) -> Lexeme {
        token(&self.reading.text, self.token.end as usize).0
    }

    /// The place of the token; at the end of the file the place of the last one.
    fn here(&self) -> Span {
        match self.token.lexeme {
            Lexeme::End => self.span(self.last, self.last),
            _ => self.span(self.token.start, self.token.end),
        }
    }

    /// A piece of the file.
    fn span(&self, start: u32, end: u32) -> Span {
        self.reading.cursor.span(start as usize, end as usize)
    }

    /// The token for a message.
    fn shown(&self) -> String {
        if self.stands(Lexeme::End) {
            return "the end of the file".to_owned();
        }
        let text = &self.reading.text[self.token.start as usize..self.token.end as usize];
        format!("`{}`", cited_bytes(text))
    }

    fn name_of(&self, word: Word) -> String {
        self.session.names.cited(Sym(word)).into_owned()
    }

    fn report(&mut self, finding: Diagnostic) {
        self.session.diagnostics.push(finding);
    }

    fn error(&mut self, code: DiagnosticCode, at: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(code, Some(at), message).help(help));
    }

    /// Skips the token, which must be this one. Otherwise reports that `missing` is
    /// missing, and does not move.
    fn expect(&mut self, lexeme: Lexeme, missing: &str, help: &str) -> bool {
        if self.take(lexeme) {
            return true;
        }
        self.missing(missing, help);
        false
    }

    /// Reports that something is missing before the token.
    #[cold]
    fn missing(&mut self, missing: &str, help: &str) {
        let finding = self.is_missing(missing).help(help);
        self.report(finding);
    }

    /// Returns the finding that something is missing before the token.
    fn is_missing(&self, missing: &str) -> Diagnostic {
        let ended = self.stands(Lexeme::End);
        let code = if ended { codes::UNEXPECTED_END } else { codes::EXPECTED };
        let message = format!("{missing} is missing before {}", self.shown());
        Diagnostic::new(code, Some(self.here()), message)
    }

    /// A name: `what` says of what.
    fn name(&mut self, what: &str) -> Option<(Word, Span)> {
        let at = self.here();
        match self.keyword() {
            Some(keyword) if keyword.is_reserved() => {
                if keyword.begins_item_only() && !self.is_named() {
                    self.missing(&format!("the name of {what}"), "names have letters, digits and `_`");
                    return None;
                }
                let message =
                    format!("`{}` is a word of the language, {what} cannot be called so", keyword.text());
                let help = format!("choose another name, such as `{}_`", keyword.text());
                self.error(codes::RESERVED_WORD, at, message, help);
            }
            None if !self.stands(Lexeme::Word) => {
                self.missing(&format!("the name of {what}"), "names have letters, digits and `_`");
                return None;
            }
            _ => {}
        }
        let word = self.token.value;
        self.advance();
        Some((word, at))
    }

    /// Returns true if the next token is one that follows names.
    fn is_named(&self) -> bool {
        use Lexeme::{Assign, Colon, Open, OpenBrace};
        matches!(self.peek(), Colon | Assign | Open | OpenBrace)
    }
}
