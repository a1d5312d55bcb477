//! Known macros.
//!
//! Every name of a file is looked up here, so the lookup uses tables with a row for each symbol.
//! The definitions of a file are noted, and undone when the next file begins.

use super::{Sym, Token};
use crate::session::Session;
use crate::text::Interner;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use std::sync::Arc;

/// Replacement of a macro.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'s> {
    /// An integer: a symbol of the manifest or a name of an `enum`.
    Integer(i32),
    /// Tokens.
    Tokens(&'s [Token]),
}

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro<'s> {
    /// Its name.
    pub(super) name: Sym,
    /// The name for messages, when it was first expanded.
    pub(super) shown: Option<Arc<str>>,
    /// Names that its arguments stand in for.
    pub(super) parameters: &'s [Sym],
    /// Replacement.
    pub(super) body: Body<'s>,
}

impl Macro<'_> {
    /// Returns the name for messages.
    pub(super) fn shown(&mut self, names: &Interner) -> Arc<str> {
        self.shown.get_or_insert_with(|| names.text(self.name).into()).clone()
    }
}

/// Table of all macros, by name.
#[derive(Debug)]
pub(super) struct Macros<'s> {
    /// All that were defined, by the manifest and by the file.
    pub(super) list: ArenaVec<'s, Macro<'s>>,
    /// By symbol: index in `list` plus one, or zero.
    slots: ArenaVec<'s, u32>,
    /// Those in `list` that the manifest brings.
    lasting: usize,
    /// Symbols whose slot the file has changed, with the old slot.
    changed: ArenaVec<'s, (Sym, u32)>,
}

impl<'s> Macros<'s> {
    /// Returns the symbols of the session's manifest.
    pub(super) fn new(session: &mut Session<'_>, arena: &'s Bump) -> Self {
        let (list, slots) = (ArenaVec::new_in(arena), ArenaVec::new_in(arena));
        let mut macros = Self { list, slots, lasting: 0, changed: ArenaVec::new_in(arena) };
        for symbol in &session.manifest.symbols {
            macros.define(session.names.intern(symbol.name.as_bytes()), Body::Integer(symbol.value));
        }
        macros.lasting = macros.list.len();
        macros.changed.clear();
        macros
    }

    /// Returns the macro of this name.
    #[inline]
    pub(super) fn find(&self, name: Sym) -> Option<usize> {
        (self.slots.get(name.0 as usize).copied().unwrap_or_default() as usize).checked_sub(1)
    }

    /// Takes back all that the file has defined or undefined.
    pub(super) fn forget_file(&mut self) {
        while let Some((name, before)) = self.changed.pop() {
            self.slots[name.0 as usize] = before;
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
    }

    /// Adds a macro without parameters; gives its index.
    pub(super) fn define(&mut self, name: Sym, body: Body<'s>) -> usize {
        self.list.push(Macro { name, shown: None, parameters: &[], body });
        self.set(name, self.list.len() as u32);
        self.list.len() - 1
    }
}
