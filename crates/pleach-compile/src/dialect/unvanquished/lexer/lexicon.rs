//! Names that come again and again.

use crate::text::{Interner, Sym};

/// How many names [`Lexicon`] remembers; a power of two.
const RECENT: usize = 1024;

/// Names that were met lately, with their symbols: a shorter way than the interner's.
///
/// A name of less than sixteen bytes, filled up with zeros, is one number, so that finding it is one comparison.
pub(in crate::dialect::unvanquished) struct Lexicon {
    recent: Vec<(u128, Sym)>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self { recent: vec![(0, Sym(0)); RECENT] }
    }
}

impl Lexicon {
    /// The symbol of a name, of which `key` is the number.
    pub(super) fn symbol(&mut self, key: u128, name: &[u8], names: &mut Interner) -> Sym {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = &mut self.recent[(mixed >> 32) as usize % RECENT];
        if entry.0 != key {
            *entry = (key, names.intern(name));
        }
        entry.1
    }
}
