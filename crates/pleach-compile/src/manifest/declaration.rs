//! One line of a manifest.

use super::params::{function, ty};
use super::{Entry, Function, Symbol, name};

/// Declaration on a line of a manifest.
pub(super) enum Declaration {
    /// An empty line or a comment.
    Nothing,
    /// `manifest NAME`
    Manifest(String),
    /// `action …` or `decorator …`
    Action(Function),
    /// `query …`
    Query(Function),
    /// `symbol …`
    Symbol(Symbol),
    /// `entry …`
    Entry(Entry),
}

/// Kinds of things that have names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Action,
    Query,
    Symbol,
    Entry,
}

impl Kind {
    /// Returns the word for messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Query => "query",
            Self::Symbol => "symbol",
            Self::Entry => "entry",
        }
    }
}

impl Declaration {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (line, doc) = line.split_once('#').unwrap_or((line, ""));
        let (line, doc) = (line.trim(), doc.trim());
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => Ok(Self::Nothing),
            "manifest" => name(rest).map(Self::Manifest),
            "action" | "decorator" => function(rest, doc, word).map(Self::Action),
            "query" => function(rest, doc, word).map(Self::Query),
            "symbol" => symbol(rest).map(Self::Symbol),
            "entry" => entry(rest).map(Self::Entry),
            _ => Err(format!(
                "`{word}` begins no declaration; `action`, `decorator`, `query`, `symbol`, `entry` and `manifest` do"
            )),
        }
    }
}

/// Reads `NAME = NUMBER`.
fn symbol(text: &str) -> Result<Symbol, String> {
    let (left, right) = text.split_once('=').ok_or("a symbol is declared as `symbol NAME = NUMBER`")?;
    let value = right.trim().parse();
    let value = value.map_err(|_| format!("`{}` is no 32-bit integer", right.trim()))?;
    Ok(Symbol { name: name(left.trim())?, value })
}

/// Reads `NAME: TYPE`.
fn entry(text: &str) -> Result<Entry, String> {
    let (left, right) = text.split_once(':').ok_or("an entry is declared as `entry NAME: TYPE`")?;
    Ok(Entry { name: name(left.trim())?, ty: ty(right.trim())? })
}
