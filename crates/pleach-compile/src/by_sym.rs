//! Table of values that are found once for each name.

use crate::text::Sym;

/// Values by symbol. Symbols are small numbers, so a table serves better than a hash map.
#[derive(Debug, Default)]
pub(crate) struct BySym<T>(Vec<Option<T>>);

impl<T: Copy> BySym<T> {
    /// Forgets all values but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The value of a symbol, if there is one.
    pub(crate) fn known(&self, sym: Sym) -> Option<T> {
        self.0.get(sym.0 as usize).copied().flatten()
    }

    /// Sets the value of a symbol.
    pub(crate) fn set(&mut self, sym: Sym, value: T) {
        *self.place(sym) = Some(value);
    }

    /// The value of a symbol, made when it is first asked for.
    pub(crate) fn get(&mut self, sym: Sym, make: impl FnOnce() -> T) -> T {
        *self.place(sym).get_or_insert_with(make)
    }

    fn place(&mut self, sym: Sym) -> &mut Option<T> {
        let index = sym.0 as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, None);
        }
        &mut self.0[index]
    }
}
