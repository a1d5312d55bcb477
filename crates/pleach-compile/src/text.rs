//! Names and strings, each stored once and known by a number.

use core::hash::BuildHasher;
use hashbrown::{DefaultHashBuilder, HashTable};

/// A string of bytes known to an [`Interner`]. Equal symbols are equal strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// A set of byte strings.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interner {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// The symbol for these bytes.
    pub fn intern(&mut self, text: &[u8]) -> Sym {
        let Self { bytes, ends, table, hasher } = self;
        let hash = hasher.hash_one(text);
        let same = |id: &u32| slice(bytes, ends, *id) == text;
        if let Some(id) = table.find(hash, same) {
            return Sym(*id);
        }
        let id = ends.len() as u32;
        bytes.extend_from_slice(text);
        ends.push(bytes.len() as u32);
        table.insert_unique(hash, id, |id| hasher.hash_one(slice(bytes, ends, *id)));
        Sym(id)
    }

    /// The bytes of a symbol.
    #[must_use]
    pub fn bytes(&self, sym: Sym) -> &[u8] {
        slice(&self.bytes, &self.ends, sym.0)
    }

    /// The symbol as text; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self, sym: Sym) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(sym))
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], id: u32) -> &'a [u8] {
    let start = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &bytes[start as usize..ends[id as usize] as usize]
}
