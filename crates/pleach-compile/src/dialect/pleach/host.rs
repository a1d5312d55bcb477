//! Declarations of a manifest, which replace those of the text.

use super::names::{Meaning, Names};
use super::syntax::{Function, Param, Type};
use super::words::Word;
use crate::manifest::{self, Manifest};
use crate::text::{Interner, Sym};
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

/// Importer of functions and symbols from the manifest: of those that the text names, and of those
/// that hide functions of the language.
pub(super) struct Host<'h, 'p> {
    pub(super) manifest: &'h Manifest,
    pub(super) interner: &'h mut Interner,
    pub(super) names: &'h mut Names<'p>,
    pub(super) actions: &'h mut ArenaVec<'p, Function<'p>>,
    pub(super) queries: &'h mut ArenaVec<'p, Function<'p>>,
}

impl Host<'_, '_> {
    /// Returns the query or symbol with this name.
    #[cold]
    pub(super) fn value(&mut self, word: Word) -> Meaning {
        let name = self.interner.bytes(Sym(word));
        let symbol = self.manifest.symbols.iter().find(|symbol| symbol.name.as_bytes() == name);
        let query = self.manifest.queries.iter().find(|query| query.name.as_bytes() == name);
        let meaning = match (query, symbol) {
            (Some(query), _) => {
                self.queries.push(declared(self.queries.bump(), query, self.interner));
                Meaning::Query(self.queries.len() as u32 - 1)
            }
            (None, Some(symbol)) => Meaning::Symbol(symbol.value),
            (None, None) => return Meaning::Nothing,
        };
        self.names.row(word).value = meaning;
        meaning
    }

    /// Returns the action with this name: its index.
    #[cold]
    pub(super) fn action(&mut self, word: Word) -> Option<u32> {
        let name = self.interner.bytes(Sym(word));
        let action = self.manifest.actions.iter().find(|action| action.name.as_bytes() == name)?;
        self.actions.push(declared(self.actions.bump(), action, self.interner));
        let index = self.actions.len() as u32 - 1;
        self.names.row(word).action = Some(index);
        Some(index)
    }
}

/// Returns a function that a manifest declares.
pub(super) fn declared<'p>(
    arena: &'p Bump,
    function: &manifest::Function,
    names: &mut Interner,
) -> Function<'p> {
    let params = function.params.iter().map(|param| Param {
        name: names.intern(param.name.as_bytes()),
        ty: param.ty,
        optional: param.optional,
        out: param.out,
    });
    let params = arena.alloc_slice_fill_iter(params);
    let answers = function.answers.unwrap_or(Type::Bool);
    Function { name: names.intern(function.name.as_bytes()), span: None, params, answers }
}
