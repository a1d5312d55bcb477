//! Unvanquished `.bt`: the bots' language of a shooter of the id Tech 3 family.
//!
//! The language looks like a C program with macros: free text, braces, `#define`. Its meaning is
//! that of one implementation, with all its quirks, and trees have been written for that
//! implementation for years. So the rule here is: a text that loads there loads here, as the same
//! tree. A text that fails there fails here, with a place and a reason. If the original silently
//! does something unexpected, the compiler does the same, with a warning. If the original crashes,
//! there is an error. The whole language is specified in `spec/dialects/unvanquished.md`.
//!
//! ```text
//! selector
//! {
//!     condition healScore > 0.5 { action heal }
//!     behavior subroutine_repair
//!     action roam
//! }
//! ```
//!
//! `lexer` cuts bytes into tokens. `preprocess` makes one list of the tokens of a file.
//! `parser` makes nodes of the list. `loader` reads the trees that a tree includes. The
//! `vocabulary` has the meaning of the nodes.

mod lexer;
mod loader;
mod number;
mod parser;
mod preprocess;
mod token;
mod vocabulary;
mod words;

use super::Dialect;
use crate::ast;
use crate::lower::Vocabulary;
use crate::session::Session;
use token::{Lexeme, Token};

/// The most children of a list.
const MAX_CHILDREN: u32 = 20;

/// The dialect.
pub struct Unvanquished;

impl Dialect for Unvanquished {
    fn name(&self) -> &'static str {
        "unvanquished"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bt"]
    }

    fn manifest(&self) -> &'static str {
        include_str!("unvanquished.manifest")
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        session.in_arena(|session, arena| loader::load(session, entries, arena))
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}

/// Returns a token's text: that of numbers without suffix, that of computed numbers without sign.
fn spelling(session: &Session<'_>, token: &Token) -> Vec<u8> {
    match token.lexeme {
        Lexeme::Name(sym) | Lexeme::Text(sym) | Lexeme::Literal(sym) => session.names.bytes(sym).to_vec(),
        Lexeme::Punct(punct) => punct.spelling().as_bytes().to_vec(),
        Lexeme::Number(number) if number.written => {
            let text = session.sources.text(token.span);
            text[..number::measure(text).digits].to_vec()
        }
        Lexeme::Number(number) if number.integral => number.int.unsigned_abs().to_string().into_bytes(),
        Lexeme::Number(number) => format!("{:.2}", number.float.abs()).into_bytes(),
    }
}

/// Returns a token for a message.
fn quoted(session: &Session<'_>, token: &Token) -> String {
    let text = spelling(session, token);
    let text = String::from_utf8_lossy(&text);
    if matches!(token.lexeme, Lexeme::Text(_)) { format!("`\"{text}\"`") } else { format!("`{text}`") }
}
