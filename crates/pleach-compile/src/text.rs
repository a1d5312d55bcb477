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

    /// The symbol for these bytes, if there is one.
    fn find(&self, text: &[u8]) -> Option<Sym> {
        let same = |id: &u32| slice(&self.bytes, &self.ends, *id) == text;
        self.table.find(self.hasher.hash_one(text), same).map(|id| Sym(*id))
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

/// Names that are the same whatever the case of their letters. Its symbols are numbers in their order, from 0.
#[derive(Debug, Default)]
pub(crate) struct Folded(Interner);

impl Folded {
    /// The symbol for a name.
    pub(crate) fn intern(&mut self, name: &[u8]) -> Sym {
        folded(name, |lower| self.0.intern(lower))
    }

    /// The symbol for a name, if there is one.
    pub(crate) fn find(&self, name: &[u8]) -> Option<Sym> {
        folded(name, |lower| self.0.find(lower))
    }
}

/// What comes of a name in lower case.
fn folded<T>(name: &[u8], then: impl FnOnce(&[u8]) -> T) -> T {
    let mut room = [0; 64];
    let Some(lower) = room.get_mut(..name.len()) else { return then(&name.to_ascii_lowercase()) };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    then(lower)
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], id: u32) -> &'a [u8] {
    let start = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &bytes[start as usize..ends[id as usize] as usize]
}
