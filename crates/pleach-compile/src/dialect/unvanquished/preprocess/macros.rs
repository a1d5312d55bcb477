//! The macros that there are.
//!
//! All questions about a name are answered by tables with a row for each symbol, since they are asked for every name of
//! a file. What a file defines or undefines is written down, and taken back when the next file begins.

use crate::dialect::unvanquished::number::Number;
use crate::dialect::unvanquished::token::{Lexeme, Token};
use crate::manifest::Manifest;
use crate::source::Span;
use crate::text::{Interner, Sym};
use std::sync::Arc;

/// What a macro stands for.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// An integer: a symbol of the manifest or a name of an `enum`.
    Integer(i32),
    /// Tokens.
    Tokens {
        /// The tokens.
        list: Vec<Token>,
        /// None of them is `#` or `##`.
        plain: bool,
    },
}

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    /// Its name.
    pub(super) name: Sym,
    /// The name for messages, when it was first expanded.
    pub(super) shown: Option<Arc<str>>,
    /// Names that its arguments stand in for.
    pub(super) parameters: Vec<Sym>,
    /// What it stands for.
    pub(super) body: Body,
}

impl Macro {
    /// The name for messages.
    pub(super) fn shown(&mut self, names: &Interner) -> Arc<str> {
        self.shown.get_or_insert_with(|| names.text(self.name).into()).clone()
    }

    /// The number that it stands for and where that is written, if it is one number.
    pub(super) fn number(&self) -> Option<(Number, Span)> {
        match &self.body {
            Body::Tokens { list, .. } if self.parameters.is_empty() => match list.as_slice() {
                [Token { lexeme: Lexeme::Number(number), span, .. }] => Some((*number, *span)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What becomes of a name where nothing is skipped.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect::unvanquished) enum Standing {
    /// Not known yet.
    Unknown,
    /// It goes to the parser.
    Word,
    /// It stands for a number, which is not negative.
    Number(i32),
    /// Something that takes more: a macro with a body, a negative number, `enum`.
    Special,
}

/// Which names are macros.
#[derive(Debug, Default)]
pub(in crate::dialect::unvanquished) struct Macros {
    /// All that were defined, by the manifest and by the file.
    pub(super) list: Vec<Macro>,
    /// By symbol: index in `list` plus one, or zero.
    slots: Vec<u32>,
    /// By symbol: what is found out about it since its slot has changed.
    standings: Vec<Standing>,
    /// Those in `list` that the manifest brings.
    lasting: usize,
    /// Symbols whose slot the file has changed, and what it was.
    changed: Vec<(Sym, u32)>,
}

impl Macros {
    /// The symbols of a manifest.
    pub(super) fn new(manifest: &Manifest, names: &mut Interner) -> Self {
        let mut macros = Self::default();
        for symbol in &manifest.symbols {
            macros.define(names.intern(symbol.name.as_bytes()), Body::Integer(symbol.value));
        }
        macros.lasting = macros.list.len();
        macros.changed.clear();
        macros
    }

    /// The macro of this name.
    #[inline]
    pub(in crate::dialect::unvanquished) fn find(&self, name: Sym) -> Option<usize> {
        (self.slots.get(name.0 as usize).copied().unwrap_or_default() as usize).checked_sub(1)
    }

    /// What becomes of a name where nothing is skipped.
    #[inline]
    pub(in crate::dialect::unvanquished) fn standing(
        &mut self,
        name: Sym,
        is_enum: impl FnOnce() -> bool,
    ) -> Standing {
        match self.standings.get(name.0 as usize) {
            Some(Standing::Unknown) | None => self.find_standing(name, is_enum()),
            Some(standing) => *standing,
        }
    }

    #[cold]
    fn find_standing(&mut self, name: Sym, is_enum: bool) -> Standing {
        let standing = match self.find(name).map(|found| &self.list[found].body) {
            _ if is_enum => Standing::Special,
            None => Standing::Word,
            Some(Body::Integer(value)) if *value >= 0 => Standing::Number(*value),
            Some(_) => Standing::Special,
        };
        self.stand(name, standing);
        standing
    }

    fn stand(&mut self, name: Sym, standing: Standing) {
        let index = name.0 as usize;
        if index >= self.standings.len() {
            self.standings.resize(index + 1, Standing::Unknown);
        }
        self.standings[index] = standing;
    }

    /// Takes back all that the file has defined or undefined.
    pub(in crate::dialect::unvanquished) fn forget_file(&mut self) {
        while let Some((name, before)) = self.changed.pop() {
            self.slots[name.0 as usize] = before;
            self.stand(name, Standing::Unknown);
        }
        self.list.truncate(self.lasting);
    }

    /// Makes a name that of a macro, by its index plus one, or of none.
    pub(super) fn set(&mut self, name: Sym, slot: u32) {
        let index = name.0 as usize;
        if index >= self.slots.len() {
            self.slots.resize(index + 1, 0);
        }
        self.changed.push((name, self.slots[index]));
        self.slots[index] = slot;
        self.stand(name, Standing::Unknown);
    }

    /// Adds a macro without parameters; gives its index.
    pub(super) fn define(&mut self, name: Sym, body: Body) -> usize {
        self.list.push(Macro { name, shown: None, parameters: Vec::new(), body });
        self.set(name, self.list.len() as u32);
        self.list.len() - 1
    }

    /// Adds a macro that stands for one token.
    pub(in crate::dialect::unvanquished) fn define_token(&mut self, name: Sym, token: Token) {
        self.define(name, Body::Tokens { list: vec![token], plain: true });
    }
}
