//! The strings section.

use super::{BySym, Module, StrRef, Sym};

/// The strings section under construction.
pub(super) struct Strings<'m> {
    module: &'m Module,
    bytes: &'m mut Vec<u8>,
    known: &'m mut BySym<StrRef>,
}

impl<'m> Strings<'m> {
    /// An empty section in memory that was kept.
    pub(super) fn within(module: &'m Module, bytes: &'m mut Vec<u8>, known: &'m mut BySym<StrRef>) -> Self {
        known.clear();
        Self { module, bytes, known }
    }

    /// A text, written once more.
    pub(super) fn add(&mut self, text: &[u8]) -> StrRef {
        add_text(self.bytes, text)
    }

    /// A symbol's string, written once.
    pub(super) fn sym(&mut self, sym: Sym) -> StrRef {
        let Self { module, bytes, known } = self;
        known.get(sym, || add_text(bytes, module.names.bytes(sym)))
    }

    /// A symbol as a name: UTF-8, not empty.
    pub(super) fn name(&mut self, sym: Sym) -> StrRef {
        match core::str::from_utf8(self.module.names.bytes(sym)) {
            Ok(text) if !text.is_empty() => self.sym(sym),
            _ => self.add(format!("?{}", self.module.names.text(sym)).as_bytes()),
        }
    }

    /// A symbol as the name of a function, which may be empty.
    pub(super) fn function(&mut self, sym: Sym) -> StrRef {
        if self.module.names.bytes(sym).is_empty() { StrRef::default() } else { self.name(sym) }
    }
}

fn add_text(bytes: &mut Vec<u8>, text: &[u8]) -> StrRef {
    let start = bytes.len() as u32;
    bytes.extend_from_slice(text);
    StrRef { start, len: text.len() as u32 }
}
