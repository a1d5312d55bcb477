//! Names and strings, each stored once and known by a number.

use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::borrow::Cow;

/// Most bytes of a piece of source text in a message.
const MAX_CITED: usize = 100;

/// Cuts a piece of source text for a message. A cut piece ends in `…`.
pub(crate) fn cited(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_CITED {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(MAX_CITED)]))
}

/// A string of bytes known to an [`Interner`]. Equal symbols are equal strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// A set of byte strings.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    bytes: Vec<u8>,
    places: Vec<(u32, u32)>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interner {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
        self.table.clear();
    }

    /// Returns the symbol for these bytes.
    pub fn intern(&mut self, text: &[u8]) -> Sym {
        let Self { bytes, places, table, hasher } = self;
        let hash = hash(hasher, text);
        let same = |id: &u32| slice(bytes, places, *id) == text;
        if let Some(id) = table.find(hash, same) {
            return Sym(*id);
        }
        let (id, start) = (places.len() as u32, bytes.len() as u32);
        bytes.extend_from_slice(text);
        places.push((start, bytes.len() as u32));
        table.insert_unique(hash, id, |id| self::hash(hasher, slice(bytes, places, *id)));
        Sym(id)
    }

    /// Returns the symbol for these bytes, if there is one.
    fn find(&self, text: &[u8]) -> Option<Sym> {
        let same = |id: &u32| slice(&self.bytes, &self.places, *id) == text;
        self.table.find(hash(&self.hasher, text), same).map(|id| Sym(*id))
    }

    /// Returns the bytes of a symbol.
    pub fn bytes(&self, sym: Sym) -> &[u8] {
        slice(&self.bytes, &self.places, sym.0)
    }

    /// Returns the symbol as text; bytes that are not UTF-8 are replaced.
    pub fn text(&self, sym: Sym) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(sym))
    }

    /// Returns the symbol for a message: as [`Self::text`], cut if it is long.
    pub fn cited(&self, sym: Sym) -> Cow<'_, str> {
        cited_bytes(self.bytes(sym))
    }
}

/// Cuts a piece of source text for a message, as [`cited`]. Bytes that are not UTF-8 are replaced.
pub(crate) fn cited_bytes(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes.get(..MAX_CITED + 4).unwrap_or(bytes)) {
        Cow::Borrowed(text) => cited(text),
        Cow::Owned(text) => cited(&text).into_owned().into(),
    }
}

/// Names that are the same whatever the case of their letters. Its symbols are
/// numbers in their order, from 0.
#[derive(Debug, Default)]
pub(crate) struct Folded(Interner);

impl Folded {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the symbol for a name.
    pub(crate) fn intern(&mut self, name: &[u8]) -> Sym {
        folded(name, |lower| self.0.intern(lower))
    }

    /// Returns the symbol for a name, if there is one.
    pub(crate) fn find(&self, name: &[u8]) -> Option<Sym> {
        folded(name, |lower| self.0.find(lower))
    }
}

/// Passes a name in lower case to a function. Names of up to 64 bytes need no memory.
fn folded<T>(name: &[u8], then: impl FnOnce(&[u8]) -> T) -> T {
    let mut room = [0; 64];
    let Some(lower) = room.get_mut(..name.len()) else { return then(&name.to_ascii_lowercase()) };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    then(lower)
}

/// Returns the hash of the bytes alone: texts are not parts of anything here,
/// so their lengths need no mark.
#[inline]
fn hash(hasher: &DefaultHashBuilder, text: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(text);
    state.finish()
}

fn slice<'a>(bytes: &'a [u8], places: &[(u32, u32)], id: u32) -> &'a [u8] {
    let (start, end) = places[id as usize];
    &bytes[start as usize..end as usize]
}
