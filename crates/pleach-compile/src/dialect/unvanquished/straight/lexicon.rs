//! Names that come again and again.

use super::lanes;
use crate::dialect::unvanquished::lexer::{MAX_TOKEN, name_length};
use crate::text::{Interner, Sym};

/// How many names [`Lexicon`] remembers; a power of two.
const RECENT: usize = 1024;

/// Names that were met lately, with their symbols: a shorter way than the interner's.
///
/// A name of less than sixteen bytes, filled up with zeros, is two numbers, so that finding it is a comparison.
pub(super) struct Lexicon {
    recent: Box<[((u64, u64), Sym); RECENT]>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self { recent: Box::new([((0, 0), Sym(0)); RECENT]) }
    }
}

impl Lexicon {
    /// The name that the text begins with, and its length.
    #[inline]
    pub(super) fn name(&mut self, text: &[u8], names: &mut Interner) -> Option<(Sym, usize)> {
        if text.first()?.is_ascii_digit() {
            return None;
        }
        match lanes::short_word(text) {
            Some((_, 0)) => None,
            Some((key, length)) => Some((self.symbol(key, text.get(..length)?, names), length)),
            None => long(text, names),
        }
    }

    #[inline]
    fn symbol(&mut self, key: (u64, u64), name: &[u8], names: &mut Interner) -> Sym {
        let mixed = (key.0 ^ key.1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = &mut self.recent[(mixed >> 32) as usize % RECENT];
        if entry.0 != key {
            *entry = (key, names.intern(name));
        }
        entry.1
    }
}

/// A name that is long, or at the end of the text.
#[cold]
fn long(text: &[u8], names: &mut Interner) -> Option<(Sym, usize)> {
    let length = name_length(text);
    (0 < length && length < MAX_TOKEN).then(|| (names.intern(&text[..length]), length))
}
