//! From files to one list of tokens: macros, includes, conditional parts.
//!
//! The preprocessor is that of a family of games from 1999. It does not work on lines: it reads
//! tokens, and a `#` anywhere among them begins a directive. Tokens come from three sources, in
//! this order: tokens that were put back (the expansion of a macro is put back as a whole and read
//! again), the innermost open file, and the files that included it.
//!
//! An error ends the list and has no other effect, because the tree may be complete by then.
//! So a finding of this stage is a warning. The parser is told of it, because the cut-off
//! rest may be what it misses.
//!
//! The original expands without a limit. Here the text that macros and includes bring is limited
//! in length and nesting, so that no input makes the compiler hang or run out of memory. A limit
//! that is reached is an error.

mod condition;
mod define;
mod directive;
mod enums;
mod evaluate;
mod macros;

use super::lexer::{Cursor, MAX_TOKEN};
use super::number::Number;
use super::token::{Lexeme, Punct, Token};
use super::words::{Keyword, Words};
use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::session::Session;
use crate::source::{Origin, OriginId, OriginKind, SourceId, Sources, Span};
use crate::text::Sym;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::sync::Arc;

pub(super) use directive::MAX_PATH;
use macros::Macros;

/// Maximum number of tokens that macros and included files bring into one compilation. With this
/// number, a compilation takes 70 to 140 MB at the peak, mostly for lists that double to grow.
const MAX_SPLICED: usize = 1 << 19;
/// Deepest nesting of expansions.
const MAX_EXPANSION_DEPTH: u16 = 1000;
/// Deepest nesting of includes.
const MAX_INCLUDE_DEPTH: usize = 64;
/// Deepest nesting of constructs that read tokens (`enum` in `enum`).
const MAX_NESTING: usize = 16;
/// Most expansions that are recorded for messages. Later ones have the place of their definition.
const MAX_ORIGINS: usize = 1 << 16;

/// State that the files of one compilation share.
pub(super) struct Shared<'s> {
    arena: &'s Bump,
    /// Macros; those of a file are gone when its tokens are read.
    macros: Macros<'s>,
    included: HashMap<Vec<u8>, SourceId>,
    spliced: usize,
    depths: ArenaVec<'s, u16>,
    /// Tokens that are put back; empty between files.
    unread: ArenaVec<'s, Token>,
}

impl<'s> Shared<'s> {
    /// With the symbols of the session's manifest as macros.
    pub(super) fn new(session: &mut Session<'_>, arena: &'s Bump) -> Self {
        let (macros, included) = (Macros::new(session, arena), HashMap::new());
        let (depths, unread) = (ArenaVec::new_in(arena), ArenaVec::new_in(arena));
        Self { arena, macros, included, spliced: 0, depths, unread }
    }

    /// Records that some text takes effect at `at`, unless too much is recorded already.
    fn origin(&mut self, sources: &mut Sources, kind: OriginKind, name: Arc<str>, at: Span) -> OriginId {
        if self.depths.len() >= MAX_ORIGINS {
            return OriginId::NONE;
        }
        let depth = self.depth(at.origin) + 1;
        let origin = sources.add_origin(Origin { kind, name, at });
        self.depths.resize(origin.0 as usize, depth);
        origin
    }

    fn depth(&self, origin: OriginId) -> u16 {
        let before = (origin.0 as usize).checked_sub(1);
        before.and_then(|index| self.depths.get(index)).copied().unwrap_or_default()
    }
}

/// An open file.
struct Script<'s> {
    cursor: Cursor,
    text: Arc<[u8]>,
    /// The path it was opened by.
    path: Cow<'s, [u8]>,
    /// Tells scripts apart: no two have the same number.
    number: u32,
}

/// Directive that began an open conditional part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    If,
    Elif,
    Else,
}

/// An open conditional part.
struct Conditional {
    branch: Branch,
    skips: bool,
    /// A part of this conditional was already read.
    taken: bool,
    /// Number of the script it stands in.
    script: u32,
    at: Span,
}

/// The preprocessor at work on one tree's file.
pub(super) struct Preprocessor<'p, 'a, 's> {
    session: &'p mut Session<'a>,
    words: &'p mut Words<'s>,
    shared: &'p mut Shared<'s>,
    scripts: ArenaVec<'s, Script<'s>>,
    opened: u32,
    unread: ArenaVec<'s, Token>,
    /// Strings that wait for the token that follows them.
    held: ArenaVec<'s, Token>,
    conditionals: Vec<Conditional>,
    /// Number of open conditional parts that are skipped.
    skipping: u32,
    nesting: usize,
    /// Number of semicolons that are dropped if they come next: one for each `enum` just read.
    semicolons: usize,
    /// Macros and includes have brought too much.
    exhausted: bool,
    cut: Option<Span>,
}

impl<'p, 'a, 's> Preprocessor<'p, 'a, 's> {
    /// Adds all tokens of a file that is known as `path` to directives; strings have no quotes.
    /// Returns what ended them before the end of the file, if something did.
    pub(super) fn run(
        session: &'p mut Session<'a>,
        words: &'p mut Words<'s>,
        shared: &'p mut Shared<'s>,
        tokens: &mut ArenaVec<'s, Token>,
        source: SourceId,
        path: &'s [u8],
    ) -> Option<Span> {
        let (scripts, held) = (ArenaVec::new_in(shared.arena), ArenaVec::new_in(shared.arena));
        let unread = core::mem::replace(&mut shared.unread, ArenaVec::new_in(shared.arena));
        let mut this = Self {
            session,
            words,
            shared,
            scripts,
            opened: 0,
            unread,
            held,
            conditionals: Vec::new(),
            skipping: 0,
            nesting: 0,
            semicolons: 0,
            exhausted: false,
            cut: None,
        };
        this.open(source, path.into(), OriginId::NONE);
        while let Some(mut token) = this.read() {
            if let Lexeme::Text(text) = &mut token.lexeme {
                *text = this.without_quotes(*text);
            }
            tokens.push(token);
            this.cut = None;
        }
        let Self { shared, mut unread, cut, .. } = this;
        unread.clear();
        shared.unread = unread;
        shared.macros.forget_file();
        cut
    }

    fn open(&mut self, source: SourceId, path: Cow<'s, [u8]>, origin: OriginId) {
        let text = self.session.sources.get(source).text.clone();
        let cursor = Cursor::new(source, &text, origin);
        if let Some(nul) = cursor.cut() {
            let message = "a NUL byte ends the file here; what follows is not read";
            self.warn(codes::NUL_BYTE, nul, message);
        }
        self.opened += 1;
        self.scripts.push(Script { cursor, text, path, number: self.opened });
    }

    /// Reports something that does not end the list.
    fn warn(&mut self, code: Code, at: Span, message: impl Into<String>) {
        self.session.diagnostics.push(Diagnostic::new(code, at, message));
    }

    /// Reports an error that ends the list. Always returns `None`, which ends it.
    fn stop<T>(&mut self, code: Code, at: Span, message: impl Into<String>) -> Option<T> {
        self.end_with(Diagnostic::new(code, at, message))
    }

    fn end_with<T>(&mut self, finding: Diagnostic) -> Option<T> {
        self.cut = finding.span;
        let finding =
            if finding.help.is_none() { finding.help("the rest of the file is ignored") } else { finding };
        self.session.diagnostics.push(finding);
        None
    }

    /// Counts tokens that macros and included files bring. If they are too many,
    /// nothing more is read of the file.
    fn splice(&mut self, tokens: usize, at: Span) -> Option<()> {
        self.shared.spliced = self.shared.spliced.saturating_add(tokens);
        if self.shared.spliced <= MAX_SPLICED {
            return Some(());
        }
        if core::mem::replace(&mut self.exhausted, true) {
            return None;
        }
        let message = format!("macros and included files bring more than {MAX_SPLICED} tokens");
        self.stop(codes::TOO_MUCH_TEXT, at, message)
    }

    /// Records that the tokens to come take effect at `at`, see [`Shared::origin`].
    fn origin(&mut self, kind: OriginKind, name: Arc<str>, at: Span) -> OriginId {
        self.shared.origin(&mut self.session.sources, kind, name, at)
    }

    /// Returns the next token as it stands, whatever it is.
    fn raw(&mut self) -> Option<Token> {
        self.next()
    }

    /// Returns the next token, see [`Self::raw`]. This one is inlined into the loop that most
    /// tokens pass.
    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        if self.exhausted {
            return None;
        }
        if let Some(token) = self.unread.pop() {
            return Some(token);
        }
        let mut lines = 0;
        loop {
            let script = self.scripts.last_mut()?;
            match script.cursor.next(&script.text, lines, self.session, self.shared.arena) {
                Ok(Some(token)) => {
                    if self.scripts.len() > 1 {
                        self.splice(1, token.span)?;
                    }
                    return Some(token);
                }
                Ok(None) => {}
                Err(finding) => _ = self.end_with::<()>(*finding),
            }
            lines = self.close_script()?;
        }
    }

    /// Leaves an included file; gives the line ends that lay before its end.
    /// The tree's own file stays open.
    fn close_script(&mut self) -> Option<u8> {
        let script = self.scripts.last()?;
        let (number, cursor) = (script.number, script.cursor);
        if cursor.finished() {
            while let Some(open) = self.close_conditional(number) {
                self.warn(codes::MISSING_ENDIF, open.at, "this conditional part has no `#endif`");
            }
        }
        if self.scripts.len() == 1 {
            return None;
        }
        self.scripts.pop();
        Some(cursor.lines())
    }

    /// Ends the innermost conditional part, if it was opened in this script.
    fn close_conditional(&mut self, script: u32) -> Option<Conditional> {
        let open = self.conditionals.pop_if(|open| open.script == script)?;
        self.skipping -= u32::from(open.skips);
        Some(open)
    }

    fn open_conditional(&mut self, branch: Branch, skips: bool, taken: bool, at: Span) {
        let script = self.scripts.last().map_or(0, |script| script.number);
        self.skipping += u32::from(skips);
        self.conditionals.push(Conditional { branch, skips, taken: taken || !skips, script, at });
    }

    /// Returns the next token of the line that is being read; a backslash continues it.
    fn line(&mut self) -> Option<Token> {
        let mut allowed = 0;
        loop {
            let token = self.raw()?;
            if token.lines > allowed {
                self.unread.push(token);
                return None;
            }
            if !token.is(Punct::Backslash) {
                return Some(token);
            }
            allowed = 1;
        }
    }

    /// Returns the next token that the parser is to see: directives obeyed,
    /// macros expanded, strings joined.
    #[inline(always)]
    fn read(&mut self) -> Option<Token> {
        if self.nesting == MAX_NESTING {
            let at = self.here();
            return self.stop(codes::NESTED_TOO_DEEP, at, "directives stand too deep in each other");
        }
        self.nesting += 1;
        let token = match self.expanded() {
            Some(text @ Token { lexeme: Lexeme::Text(_), .. }) => self.join_strings(text),
            token => token,
        };
        self.nesting -= 1;
        token
    }

    /// Holds a string back until the next token is known. If that is a string, both are joined.
    ///
    /// Strings are joined even out of a part that is skipped. A string after which
    /// reading fails stands alone.
    fn join_strings(&mut self, first: Token) -> Option<Token> {
        let others = self.held.len();
        self.held.push(first);
        loop {
            let mut found = self.expanded();
            if let Some(token) = found
                && matches!(token.lexeme, Lexeme::Text(_))
            {
                self.held.push(token);
                continue;
            }
            loop {
                let Some(text) = self.held.pop() else { return found };
                found = self.follow(text, found);
                if self.held.len() == others {
                    return found;
                }
                if found.is_some() && self.skipping > 0 {
                    break;
                }
            }
        }
    }

    /// Returns the token that a string becomes, given the token that follows it.
    fn follow(&mut self, text: Token, next: Option<Token>) -> Option<Token> {
        let Some(next) = next else { return Some(text) };
        match (text.lexeme, next.lexeme) {
            (Lexeme::Text(left), Lexeme::Text(right)) => {
                let joined = self.joined(left, right);
                if joined.len() + 1 >= MAX_TOKEN {
                    return self.stop(codes::TOO_LONG, text.span, "strings joined to more than 1020 bytes");
                }
                self.splice(joined.len() / 16, text.span)?;
                Some(Token { lexeme: Lexeme::Text(self.session.names.intern(&joined)), ..text })
            }
            _ => {
                self.unread.push(next);
                Some(text)
            }
        }
    }

    /// Two strings as one: without the last byte of the left and the first of the
    /// right, which should be quotes.
    fn joined(&self, left: Sym, right: Sym) -> Vec<u8> {
        let (left, right) = (self.session.names.bytes(left), self.session.names.bytes(right));
        [left.split_last().map_or(left, |(_, rest)| rest), right.get(1..).unwrap_or_default()].concat()
    }

    /// Returns the next token that is no directive and no macro, and is not
    /// skipped unless it is a string.
    fn expanded(&mut self) -> Option<Token> {
        loop {
            let token = self.next()?;
            match token.lexeme {
                Lexeme::Punct(Punct::Hash | Punct::Merge) => self.directive(token)?,
                Lexeme::Punct(Punct::Dollar) => self.dollar(token)?,
                Lexeme::Text(_) => return self.seen(token),
                Lexeme::Punct(Punct::Semicolon) if self.semicolons > 0 && self.skipping == 0 => {
                    self.semicolons -= 1
                }
                Lexeme::Name(name) => {
                    if self.words.get(name, &self.session.names).keyword == Some(Keyword::Enum) {
                        self.enumeration(token)?;
                    } else if self.skipping == 0 {
                        match self.shared.macros.find(name) {
                            Some(found) => self.expand(found, token)?,
                            None => return self.seen(token),
                        }
                    }
                }
                _ if self.skipping == 0 => return self.seen(token),
                _ => {}
            }
        }
    }

    fn seen(&mut self, token: Token) -> Option<Token> {
        self.semicolons = 0;
        Some(token)
    }

    /// Returns the place that reading has reached.
    fn here(&self) -> Span {
        let token = self.unread.last().map(|token| token.span);
        let cursor = || self.scripts.last().map(|script| script.cursor.here());
        let nowhere = Span { source: SourceId(0), start: 0, end: 0, origin: OriginId::NONE };
        token.or_else(cursor).unwrap_or(nowhere)
    }

    /// One leading and one trailing quote are not part of a string's text.
    fn without_quotes(&mut self, text: Sym) -> Sym {
        let text = self.session.names.bytes(text);
        let text = text.strip_prefix(b"\"").unwrap_or(text);
        let mut bare = ArenaVec::new_in(self.shared.arena);
        bare.extend_from_slice_copy(text.strip_suffix(b"\"").unwrap_or(text));
        self.session.names.intern(&bare)
    }

    /// Returns a token as directives see its text: strings with their
    /// quotes, numbers without suffix.
    fn spelling(&self, token: &Token) -> Vec<u8> {
        super::spelling(self.session, token)
    }

    /// Returns a token's text for a message.
    fn shown(&self, token: &Token) -> String {
        String::from_utf8_lossy(&self.spelling(token)).into_owned()
    }
}
