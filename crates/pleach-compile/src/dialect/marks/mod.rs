//! Where the tokens of a text begin, for front ends that make nodes of bytes at once.
//!
//! What decides where the next token begins should be known soon, since all that comes after waits for it. So the places
//! are found beforehand, for the whole text, by [`lanes`], and reading on is no more than going to the next place. A token
//! is a word, a string, or any other byte that is no white space. Comments have no places.

pub(super) mod digits;
pub(super) mod guesses;
pub(super) mod lanes;

use core::ops::Range;
use lanes::{Block, LANES};

/// What the text of a dialect consists of.
pub(super) trait Script {
    /// Whether a byte belongs to words.
    fn part_of_word(byte: u8) -> bool;

    /// Whether a byte is something to be looked at, wherever it stands.
    fn is_odd(byte: u8) -> bool;

    /// Whether a comment or a string may begin with a byte.
    fn may_hide(byte: u8) -> bool;

    /// The bytes that have no places of their own because of such a byte: a comment, or a string without its first byte.
    /// `None` if they have no end, or what comes there is nothing to be looked at here.
    fn hidden(text: &[u8], at: usize) -> Option<Option<Range<usize>>>;
}

/// How many places there are behind the last token; all are the end of the text.
const BEHIND: usize = 2;

/// Where tokens begin, and which bytes belong to words.
#[derive(Default)]
pub(super) struct Marks {
    /// Where each token begins, and behind them the end of the text.
    places: Vec<u32>,
    /// Which bytes belong to words, by blocks, with one block of none at the end.
    words: Vec<u64>,
    /// Whether any byte is odd.
    odd: bool,
}

impl Marks {
    /// Marks a text, if all its strings and comments end; tells whether any of its bytes is odd.
    pub(super) fn mark<S: Script>(&mut self, bytes: &[u8]) -> Option<bool> {
        self.odd = false;
        self.places.clear();
        self.words.clear();
        let mut hidden = Hidden { bytes, start: 0, end: 0 };
        let (blocks, rest) = bytes.as_chunks();
        let mut within = 0;
        for block in blocks {
            within = self.block::<S>(block, within, &mut hidden)?;
        }
        let mut last = [b' '; LANES];
        last[..rest.len()].copy_from_slice(rest);
        self.block::<S>(&last, within, &mut hidden)?;
        self.words.push(0);
        self.places.extend([bytes.len() as u32; BEHIND]);
        Some(self.odd)
    }

    /// Where tokens begin, in order; the end of the text is there more than once.
    #[inline(always)]
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// How long the word is that begins at some byte, if it is one of less than sixty-four bytes. Else 0 or 64.
    #[inline(always)]
    pub(super) fn length(&self, start: usize) -> usize {
        let (block, lane) = (start / LANES, start % LANES);
        let Some(high) = self.words.get(block + 1) else { return 0 };
        let words = (u128::from(*high) << LANES | u128::from(self.words[block])) >> lane;
        (words as u64).trailing_ones() as usize
    }

    /// Marks a block. `within` is 1 if the block before ends in a word; it gives the same of this one.
    #[inline]
    fn block<S: Script>(&mut self, bytes: &[u8; LANES], within: u64, hidden: &mut Hidden<'_>) -> Option<u64> {
        let Block { words, solid } = Block::of(bytes, S::part_of_word);
        let start = self.words.len() * LANES;
        let mut begins = solid & !(words & (words << 1 | within));
        if lanes::any(bytes, |byte| S::may_hide(byte) | S::is_odd(byte)) | (hidden.end > start) {
            self.odd |= lanes::any(bytes, S::is_odd);
            begins &= !hidden.within::<S>(start, bytes)?;
        }
        self.words.push(words);
        self.add(start as u32, begins);
        Some(words >> (LANES - 1))
    }

    /// Adds the places of a block, a bit each. Eight are written at a time, since how many there are nobody can foresee; what is
    /// too much is taken back.
    #[inline]
    fn add(&mut self, start: u32, mut begins: u64) {
        let count = self.places.len() + begins.count_ones() as usize;
        self.places.reserve(LANES);
        while begins != 0 {
            self.places.extend_from_slice(&[(); 8].map(|()| {
                let place = start | begins.trailing_zeros();
                begins &= begins.wrapping_sub(1);
                place
            }));
        }
        self.places.truncate(count);
    }
}

/// The last bytes without places of their own.
struct Hidden<'t> {
    bytes: &'t [u8],
    start: usize,
    end: usize,
}

impl Hidden<'_> {
    /// The hidden bytes of a block, a bit each.
    #[cold]
    fn within<S: Script>(&mut self, start: usize, block: &[u8; LANES]) -> Option<u64> {
        let below =
            |place: usize| 1_u64.checked_shl(place.saturating_sub(start) as u32).map_or(!0, |bit| bit - 1);
        let mut hidden = below(self.end) & !below(self.start);
        let mut open = lanes::lanes(block, S::may_hide) & !below(self.end);
        while open != 0 {
            let at = start + open.trailing_zeros() as usize;
            open &= open - 1;
            if let Some(range) = S::hidden(self.bytes, at)? {
                (self.start, self.end) = (range.start, range.end);
                hidden |= below(self.end) & !below(self.start);
                open &= !below(self.end);
            }
        }
        Some(hidden)
    }
}
