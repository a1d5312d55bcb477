//! Directives: the words behind a `#`.
//!
//! A directive's name must stand on the line of its `#`, and its operands end with the line.
//! In a part that is skipped, `#define`, `#undef` and `#include` do nothing, but the rest of
//! the directives are obeyed as everywhere: a condition there is still evaluated, and
//! `#error` still ends the file.

use super::{
    Branch, Code, Conditional, Lexeme, MAX_INCLUDE_DEPTH, OriginKind, Preprocessor, Punct, Span, Sym, Token,
    codes,
};
use crate::diagnostic::Diagnostic;
use crate::source::{Found, SourceId};

/// The longest path that is not cut, in bytes.
pub(in crate::dialect::unvanquished) const MAX_PATH: usize = 63;

impl Preprocessor<'_, '_, '_> {
    /// Obeys the directive after a `#`.
    pub(super) fn directive(&mut self, hash: Token) -> Option<()> {
        let token = self.on_line_of(hash, codes::STRAY_HASH)?;
        let at = Token { span: hash.span.to(token.span), ..token };
        let name = self.spelling(&token);
        match name.as_slice() {
            b"if" => self.begin_if(at),
            b"ifdef" => self.ifdef(at, true),
            b"ifndef" => self.ifdef(at, false),
            b"elif" => self.elif(at),
            b"else" => self.otherwise(at),
            b"endif" => self.endif(at),
            b"include" => self.include(at),
            b"define" => self.define(at),
            b"undef" => self.undef(at),
            b"error" => self.error_directive(at),
            b"pragma" => self.pragma(at),
            b"line" => self.stop(codes::UNSUPPORTED_DIRECTIVE, at.span, "`#line` is not supported"),
            b"eval" | b"evalfloat" => self.undefined_value(at),
            _ => self.unknown_directive(at, &name),
        }
    }

    /// Returns the word behind a sign, which must stand on its line.
    pub(super) fn on_line_of(&mut self, sign: Token, code: Code) -> Option<Token> {
        let next = self.raw();
        let Some(token) = next.filter(|token| token.lines == 0) else {
            self.unread.extend(next);
            let message = format!("`{}` at the end of a line", self.shown(&sign));
            return self.stop(code, sign.span, message);
        };
        Some(token)
    }

    /// Returns the name that a directive needs on its line, and its place.
    pub(super) fn operand(&mut self, at: Token, directive: &str, code: Code) -> Option<(Sym, Span)> {
        match self.line() {
            Some(Token { lexeme: Lexeme::Name(name), span, .. }) => Some((name, span)),
            Some(token) => {
                self.unread.push(token);
                let message = format!("`{directive}` needs a name, not `{}`", self.shown(&token));
                self.stop(code, token.span, message)
            }
            None => self.stop(code, at.span, format!("`{directive}` without a name")),
        }
    }

    fn unknown_directive(&mut self, at: Token, name: &[u8]) -> Option<()> {
        let message = format!("`#{}` is no directive", String::from_utf8_lossy(name));
        self.stop(codes::UNKNOWN_DIRECTIVE, at.span, message)
    }

    /// `#eval` has no value that could be relied on in the original.
    fn undefined_value(&mut self, at: Token) -> Option<()> {
        let message = "what `#eval` and `#evalfloat` give is undefined; use `$evalint` or `$evalfloat`";
        self.stop(codes::UNDEFINED_VALUE, at.span, message)
    }

    fn error_directive(&mut self, at: Token) -> Option<()> {
        let text = self.raw().map(|token| self.shown(&token)).unwrap_or_default();
        self.stop(codes::ERROR_DIRECTIVE, at.span, format!("`#error`: {text}"))
    }

    fn pragma(&mut self, at: Token) -> Option<()> {
        self.warn(codes::PRAGMA, at.span, "`#pragma` does nothing");
        while self.line().is_some() {}
        Some(())
    }

    fn begin_if(&mut self, at: Token) -> Option<()> {
        let holds = self.condition(at)?;
        self.open_conditional(Branch::If, !holds, false, at.span);
        Some(())
    }

    fn ifdef(&mut self, at: Token, wanted: bool) -> Option<()> {
        let directive = if wanted { "#ifdef" } else { "#ifndef" };
        let (name, _) = self.operand(at, directive, codes::BAD_CONDITION)?;
        let defined = self.shared.macros.find(name).is_some();
        self.open_conditional(Branch::If, defined != wanted, false, at.span);
        Some(())
    }

    /// `#elif` looks at its own condition only, not at whether an earlier part was taken.
    fn elif(&mut self, at: Token) -> Option<()> {
        let open = self.reopen(at)?;
        let holds = self.condition(at)?;
        if holds && open.taken {
            self.note_taken(at.span, &open);
        }
        self.open_conditional(Branch::Elif, !holds, open.taken, at.span);
        Some(())
    }

    /// `#else` takes its part when the part right before it was skipped.
    fn otherwise(&mut self, at: Token) -> Option<()> {
        let open = self.reopen(at)?;
        if open.skips && open.taken {
            self.note_taken(at.span, &open);
        }
        self.open_conditional(Branch::Else, !open.skips, open.taken, at.span);
        Some(())
    }

    fn note_taken(&mut self, at: Span, open: &Conditional) {
        let message = "this part is read although an earlier part of the same conditional was";
        let finding = Diagnostic::new(codes::SECOND_BRANCH, at, message)
            .help("`#elif` and `#else` only look at the part right before them; nest them instead")
            .related(open.at, "the part before begins here");
        self.session.diagnostics.push(finding);
    }

    /// Closes the part before an `#elif` or `#else`.
    fn reopen(&mut self, at: Token) -> Option<Conditional> {
        let open = self.close_innermost();
        match open.filter(|open| open.branch != Branch::Else) {
            Some(open) => Some(open),
            None => self.misplaced(at),
        }
    }

    fn endif(&mut self, at: Token) -> Option<()> {
        if self.close_innermost().is_some() { Some(()) } else { self.misplaced(at) }
    }

    fn close_innermost(&mut self) -> Option<Conditional> {
        let script = self.scripts.last()?.number;
        self.close_conditional(script)
    }

    fn misplaced<T>(&mut self, at: Token) -> Option<T> {
        let message = "there is no conditional part in this file that this could belong to";
        self.stop(codes::MISPLACED_CONDITIONAL, at.span, message)
    }

    /// `#include "path"`, `#include <path>`
    fn include(&mut self, at: Token) -> Option<()> {
        if self.skipping > 0 {
            return Some(());
        }
        let path = self.raw().filter(|token| token.lines == 0).and_then(|token| match token.lexeme {
            Lexeme::Text(text) => Some(self.quoted_path(text)),
            Lexeme::Punct(Punct::Less) => Some(self.bracketed_path()),
            _ => None,
        });
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return self.stop(codes::BAD_INCLUDE, at.span, "`#include` without a path in quotes or `<…>`");
        };
        if self.scripts.iter().any(|script| script.path.eq_ignore_ascii_case(&path)) {
            let message =
                format!("`{}` includes itself here, which is ignored", String::from_utf8_lossy(&path));
            self.warn(codes::RECURSIVE_INCLUDE, at.span, message);
            return Some(());
        }
        if self.scripts.len() > MAX_INCLUDE_DEPTH {
            return self.stop(codes::DEEP_INCLUDE, at.span, "files include each other more than 64 deep");
        }
        let source = self.included(&path, at.span)?;
        let size = self.session.sources.get(source).text.len();
        self.splice(size / 16 + 1, at.span)?;
        let origin = self.origin(OriginKind::Include, String::from_utf8_lossy(&path).into(), at.span);
        self.open(source, path.into(), origin);
        Some(())
    }

    fn quoted_path(&mut self, text: Sym) -> Vec<u8> {
        let stripped = self.without_quotes(text);
        single_separators(self.session.names.bytes(stripped).to_vec())
    }

    /// Returns the spellings of the tokens up to `>`, put together: spaces do not
    /// count, and a long path is cut.
    fn bracketed_path(&mut self) -> Vec<u8> {
        let mut path = Vec::new();
        while let Some(token) = self.raw() {
            if token.lines > 0 {
                self.unread.push(token);
                break;
            }
            if token.is(Punct::Greater) {
                break;
            }
            path.extend(self.spelling(&token));
            path.truncate(MAX_PATH);
        }
        single_separators(path)
    }

    /// Returns the file at this path; each is read only once.
    fn included(&mut self, path: &[u8], at: Span) -> Option<SourceId> {
        if let Some(source) = self.shared.included.get(path) {
            return Some(*source);
        }
        let library = self.session.library;
        let text = String::from_utf8_lossy(path);
        let cut = String::from_utf8_lossy(&path[..path.len().min(MAX_PATH)]);
        let Some(Found { name, text }) = library.include(&text).or_else(|| library.include(&cut)) else {
            let finding = Diagnostic::new(codes::INCLUDE_NOT_FOUND, at, format!("there is no file `{text}`"));
            return self.end_with(finding.help("paths begin at the game's root: `bots/name.bt`"));
        };
        let source = self.session.sources.add(name, text);
        self.shared.included.insert(path.to_vec(), source);
        Some(source)
    }
}

/// Returns the path without repeated separators.
fn single_separators(mut path: Vec<u8>) -> Vec<u8> {
    let separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let mut kept: Vec<u8> = Vec::with_capacity(path.len());
    for byte in path.drain(..) {
        if separator(&byte) && kept.last().is_some_and(separator) {
            kept.pop();
        }
        kept.push(byte);
    }
    kept
}
