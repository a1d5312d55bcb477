//! Names that come again and again.

use super::text::Bt;
use super::{Standing, Sym, Word};
use crate::dialect::marks::Script;
use crate::dialect::marks::guesses::Guesses;
use crate::dialect::unvanquished::lexer::{MAX_TOKEN, name_length};

/// Places for names; a power of two.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 10;
/// How many names are remembered at most: so few that most find their own place free.
const MOST: usize = PLACES / 2;
/// How long the names are that are remembered.
const LONGEST: usize = 32;

/// What is known of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its symbol.
    pub(super) sym: Sym,
    /// What becomes of it.
    pub(super) standing: Standing,
    /// What it means.
    pub(super) word: Word,
}

/// A name of at most [`LONGEST`] bytes, filled up with zeros.
type Key = [u64; LONGEST / 8];

/// A name, which takes up a line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Name {
    key: Key,
    known: Known,
}

impl Name {
    /// Stands where there is no name.
    const FREE: Self = {
        let word = Word { keyword: None, action: None, query: None, decorator: None };
        Self { key: [!0; LONGEST / 8], known: Known { sym: Sym(0), standing: Standing::Unknown, word } }
    };

    fn is_free(&self) -> bool {
        self.key[0] == !0
    }
}

/// Names that were met, with all that is known of them: a shorter way than by interner and tables.
///
/// A short name, filled up with zeros, is a few numbers, so that finding it is a comparison. What a file defines is not
/// remembered longer than the file.
pub(super) struct Lexicon {
    /// By hash, or the next that was free.
    names: Box<[Name; PLACES]>,
    /// How many there are.
    count: usize,
    /// Places of those that the file has defined.
    defined: Vec<usize>,
    /// Places by the first bytes.
    guesses: Guesses,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            names: Box::new([Name::FREE; PLACES]),
            count: 0,
            defined: Vec::new(),
            guesses: Guesses::default(),
        }
    }
}

impl Lexicon {
    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        self.names.fill(Name::FREE);
        self.count = 0;
        self.defined.clear();
    }

    /// What is known of the name of this length that the text begins with, if it is remembered.
    #[inline(always)]
    pub(super) fn find(&mut self, text: Option<&[u8; LONGEST]>, length: usize) -> Option<&Known> {
        let text = text?;
        let key = key(text, length)?;
        let guess = *self.guesses.at(text.first_chunk()?) as usize % PLACES;
        if self.names[guess].key == key {
            return Some(&self.names[guess].known);
        }
        self.look_up(text, key)
    }

    #[inline(never)]
    fn look_up(&mut self, text: &[u8; LONGEST], key: Key) -> Option<&Known> {
        let place = self.place(key, hash(key));
        *self.guesses.at(text.first_chunk()?) = place as u32;
        let there = &self.names[place];
        (!there.is_free()).then_some(&there.known)
    }

    /// Where a name stands, or will stand; not before a place.
    fn place(&self, key: Key, mut place: usize) -> usize {
        while self.names[place].key != key && !self.names[place].is_free() {
            place = (place + 1) % PLACES;
        }
        place
    }

    /// Remembers a name that is no macro of a file, if there is room.
    pub(super) fn add(&mut self, name: &[u8], known: Known) {
        if self.count == MOST || name.len() > LONGEST {
            return;
        }
        let mut text = [0; LONGEST];
        text[..name.len()].copy_from_slice(name);
        let Some(key) = key(&text, name.len()) else { return };
        let place = self.place(key, hash(key));
        if self.names[place].is_free() {
            self.names[place] = Name { key, known };
            self.count += 1;
        }
    }

    /// Makes a name, which was no macro, one of the file.
    pub(super) fn define(&mut self, text: Option<&[u8; LONGEST]>, length: usize) {
        let Some(key) = text.and_then(|text| key(text, length)) else { return };
        let place = self.place(key, hash(key));
        if !self.names[place].is_free() {
            self.names[place].known.standing = Standing::Special;
            self.defined.push(place);
        }
    }

    /// Forgets what the file has defined.
    pub(super) fn forget_file(&mut self) {
        for place in self.defined.drain(..) {
            self.names[place].known.standing = Standing::Word;
        }
    }
}

/// For each length, the bytes that a name has.
static KEPT: [Key; LONGEST + 1] = {
    let mut kept = [[0; LONGEST / 8]; LONGEST + 1];
    let mut length = 0;
    while length <= LONGEST {
        let mut byte = 0;
        while byte < length {
            kept[length][byte / 8] |= 0xff << (byte % 8 * 8);
            byte += 1;
        }
        length += 1;
    }
    kept
};

/// `None` if the name is long.
#[inline(always)]
fn key(text: &[u8; LONGEST], length: usize) -> Option<Key> {
    let kept = KEPT.get(length)?;
    let (eights, _) = text.as_chunks();
    Some(core::array::from_fn(|at| u64::from_le_bytes(eights[at]) & kept[at]))
}

/// Names that differ only behind their sixteenth byte are few.
#[inline(always)]
fn hash(key: Key) -> usize {
    let mixed = (key[0] ^ key[1].rotate_left(7)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - PLACE_BITS)) as usize
}

/// The name that the text begins with, if it is one.
pub(super) fn spelling(text: &[u8]) -> Option<&[u8]> {
    let length = name_length(text);
    if length == 0 || length >= MAX_TOKEN || text[0].is_ascii_digit() {
        return None;
    }
    let odd = text.get(length).is_some_and(|next| Bt::part_of_word(*next));
    (!odd).then_some(&text[..length])
}
