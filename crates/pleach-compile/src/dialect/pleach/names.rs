//! Meanings of names.
//!
//! Variables, constants, queries and the functions of the language share one space of names,
//! because expressions use all of them. Actions, trees and events have one space each, because the
//! word before the name tells which is meant. All files of a compilation share these spaces. A name
//! is a row of a table, found by its number.

use super::syntax::{Function, Type};
use super::words::{Keyword, Word};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::text::{Interner, Sym};
use bumpalo::Bump;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};

/// Meaning of a name in an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Not declared.
    #[default]
    Nothing,
    /// Index in [`super::syntax::Program::variables`].
    Variable(u32),
    /// Index in [`super::syntax::Program::constants`].
    Constant(u32),
    /// Index in [`super::syntax::Program::queries`].
    Query(u32),
    /// An integer of the manifest.
    Symbol(i32),
    /// Member of one enum: index in [`super::syntax::Program::members`].
    Member(u32),
    /// Member of several enums. The first of them has this index.
    SharedMember(u32),
    /// A function of the language.
    Function(Keyword),
}

/// Everything that a word can stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) value: Meaning,
    /// Index in [`super::syntax::Program::actions`].
    pub(super) action: Option<u32>,
    /// Index in [`super::syntax::Program::trees`].
    pub(super) tree: Option<u32>,
    /// Index in [`super::syntax::Program::events`].
    pub(super) event: Option<u32>,
    /// Index in [`super::syntax::Program::enums`].
    pub(super) ty: Option<u32>,
}

/// A row for each word.
#[derive(Debug)]
pub(super) struct Names<'p> {
    rows: ArenaVec<'p, Row>,
}

impl<'p> Names<'p> {
    /// Returns the names of the language itself.
    pub(super) fn new(arena: &'p Bump) -> Self {
        let keyword = |keyword: &Keyword| Row {
            value: if keyword.is_function() { Meaning::Function(*keyword) } else { Meaning::Nothing },
            ..Row::default()
        };
        Self { rows: Keyword::ALL.iter().map(keyword).collect_in(arena) }
    }

    /// Returns the meanings of a word.
    #[inline]
    pub(super) fn get(&self, word: Word) -> Row {
        self.rows.get(word as usize).copied().unwrap_or_default()
    }

    /// The row of a word, to be filled.
    pub(super) fn row(&mut self, word: Word) -> &mut Row {
        let index = word as usize;
        if index >= self.rows.len() {
            self.rows.resize(index + 1, Row::default());
        }
        &mut self.rows[index]
    }

    /// The words that stand for something of a kind; `None` for each other word.
    pub(super) fn known<'n>(
        &'n self,
        interner: &'n Interner,
        is: impl Fn(&Row) -> bool + 'n,
    ) -> impl Iterator<Item = Option<&'n str>> + 'n {
        let text = |word| core::str::from_utf8(interner.bytes(Sym(word))).ok();
        (0..).zip(&self.rows).map(move |(word, row)| is(row).then(|| text(word)).flatten())
    }
}

/// Returns true if two declarations of a function are the same.
pub(super) fn same(one: &Function<'_>, other: &Function<'_>) -> bool {
    fn types(function: &Function<'_>) -> impl Iterator<Item = (Type, bool)> {
        function.params.iter().map(|param| (param.ty, param.optional))
    }
    one.answers == other.answers && types(one).eq(types(other))
}

/// Reports a second declaration of a name.
#[cold]
pub(super) fn report_twice(diagnostics: &mut Diagnostics, what: &str, at: Span, first: Option<(&str, Span)>) {
    let message = format!("{what} is declared twice");
    let finding =
        Diagnostic::new(codes::DECLARED_TWICE, Some(at), message).help("give one of them another name");
    let (kind, span) = first.unzip();
    let finding = finding.related(span, format!("first declared here, as {}", kind.unwrap_or_default()));
    diagnostics.push(finding);
}
