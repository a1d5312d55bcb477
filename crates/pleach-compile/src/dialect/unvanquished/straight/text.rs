//! A text and where its tokens begin.
//!
//! What decides where the next token begins should be known soon, since all that comes after waits for it. So the places
//! are found beforehand, for the whole text, by [`super::lanes`], and reading on is no more than going to the next place. A
//! token is a word (letters, digits, underscores and dots that stand together), a string, or any other byte that is no
//! white space. Comments have no places.

use super::Keyword;
use super::lanes::{Block, LANES};
use crate::ast::Binary;
use core::ops::Range;

/// How many places there are behind the last token; all are the end of the text.
const BEHIND: usize = 2;

/// Where tokens begin, and which bytes belong to words.
#[derive(Default)]
pub(super) struct Marks {
    /// Where each token begins; some more places stand behind them.
    places: Vec<u32>,
    /// How many tokens there are.
    count: usize,
    /// Which bytes belong to words, by blocks, with one block of none at the end.
    words: Vec<u64>,
}

impl Marks {
    /// Marks a text, if all its strings and comments end.
    fn mark(&mut self, bytes: &[u8]) -> Option<()> {
        self.count = 0;
        self.words.clear();
        let mut hidden = Hidden::new(bytes)?;
        let (blocks, rest) = bytes.as_chunks();
        let mut within = 0;
        for block in blocks {
            within = self.block(block, within, &mut hidden)?;
        }
        let mut last = [b' '; LANES];
        last[..rest.len()].copy_from_slice(rest);
        self.block(&last, within, &mut hidden)?;
        self.words.push(0);
        self.places[self.count..][..BEHIND].fill(bytes.len() as u32);
        Some(())
    }

    /// Marks a block. `within` is 1 if the block before ends in a word; it gives the same of this one.
    #[inline]
    fn block(&mut self, bytes: &[u8; LANES], within: u64, hidden: &mut Hidden<'_>) -> Option<u64> {
        let Block { words, solid } = Block::of(bytes);
        let start = self.words.len() * LANES;
        let mut begins = solid & !(words & (words << 1 | within));
        if hidden.start < start + LANES {
            begins &= !hidden.within(start)?;
        }
        self.words.push(words);
        self.add(start as u32, begins);
        Some(words >> (LANES - 1))
    }

    /// Adds the places of a block, a bit each.
    #[inline]
    fn add(&mut self, start: u32, mut begins: u64) {
        if self.places.len() < self.count + LANES + BEHIND {
            self.places.resize(2 * self.count + 16 * LANES, 0);
        }
        let places = &mut self.places[self.count..][..LANES];
        let mut count = 0;
        while begins != 0 {
            places[count % LANES] = start | begins.trailing_zeros();
            begins &= begins - 1;
            count += 1;
        }
        self.count += count;
    }
}

/// Bytes without places of their own: the next comment, or the next string without its first byte.
struct Hidden<'t> {
    bytes: &'t [u8],
    start: usize,
    end: usize,
}

impl<'t> Hidden<'t> {
    fn new(bytes: &'t [u8]) -> Option<Self> {
        let mut hidden = Self { bytes, start: 0, end: 0 };
        hidden.go_on()?;
        Some(hidden)
    }

    /// Goes to the next; at last to the end of the text.
    fn go_on(&mut self) -> Option<()> {
        let rest = &self.bytes[self.end..];
        let Some(at) = memchr::memchr3(b'/', b'"', b'\'', rest) else {
            (self.start, self.end) = (usize::MAX, self.bytes.len());
            return Some(());
        };
        let (skipped, length) = match &rest[at..] {
            [b'/', b'/', comment @ ..] => (0, 2 + memchr::memchr(b'\n', comment).unwrap_or(comment.len())),
            [b'/', b'*', comment @ ..] => (0, 4 + comment.windows(2).position(|pair| pair == b"*/")?),
            [b'"', string @ ..] => (1, 1 + memchr::memchr(b'"', string)?),
            _ => return None,
        };
        self.start = self.end + at + skipped;
        self.end = self.start + length;
        Some(())
    }

    /// The hidden bytes of a block, a bit each.
    #[cold]
    fn within(&mut self, start: usize) -> Option<u64> {
        let below =
            |place: usize| 1_u64.checked_shl(place.saturating_sub(start) as u32).map_or(!0, |bit| bit - 1);
        let mut lanes = 0;
        while self.start < start + LANES {
            lanes |= below(self.end) & !below(self.start);
            if self.end > start + LANES {
                break;
            }
            self.go_on()?;
        }
        Some(lanes)
    }
}

/// A text that is read from its beginning to its end.
pub(super) struct Text<'t> {
    bytes: &'t [u8],
    places: &'t [u32],
    words: &'t [u64],
    /// Index of the next token.
    at: usize,
    /// Where the next token begins.
    start: usize,
    /// The first byte of the next token, or 0 at the end.
    first: u8,
}

impl<'t> Text<'t> {
    /// The beginning of a text.
    pub(super) fn new(bytes: &'t [u8], marks: &'t mut Marks) -> Option<Self> {
        // Which also brings the whole text into the cache, as fast as that can be.
        if memchr::memchr(0, bytes).is_some() {
            return None;
        }
        marks.mark(bytes)?;
        let places = &marks.places[..marks.count + BEHIND];
        let mut text = Self { bytes, places, words: &marks.words, at: 0, start: 0, first: 0 };
        text.go(0)?;
        Some(text)
    }

    /// Where the next token begins.
    #[inline]
    pub(super) fn position(&self) -> u32 {
        self.start as u32
    }

    /// What is left.
    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// The next bytes, if there are so many.
    #[inline(always)]
    pub(super) fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.bytes.get(self.start..)?.first_chunk()
    }

    /// The first byte of the next token; there is none at the end.
    #[inline]
    pub(super) fn first(&self) -> Option<u8> {
        (self.first != 0).then_some(self.first)
    }

    /// The byte after that.
    #[inline]
    pub(super) fn second(&self) -> Option<u8> {
        self.bytes.get(self.start + 1).copied()
    }

    /// How long the next token is, if it is a word of less than sixty-four bytes. Else 0 or 64.
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        let (block, lane) = (self.start / LANES, self.start % LANES);
        let Some(high) = self.words.get(block + 1) else { return 0 };
        let words = (u128::from(*high) << LANES | u128::from(self.words[block])) >> lane;
        (words as u64).trailing_ones() as usize
    }

    /// Passes over the next token.
    #[inline(always)]
    pub(super) fn pass(&mut self) -> Option<()> {
        self.go(self.at + 1)
    }

    /// Passes over a word of this length; where it stands.
    #[inline(always)]
    pub(super) fn pass_word(&mut self, length: usize) -> Option<Range<u32>> {
        let start = self.position();
        self.pass()?;
        Some(start..start + length as u32)
    }

    #[inline(always)]
    fn go(&mut self, at: usize) -> Option<()> {
        self.at = at;
        self.start = *self.places.get(at)? as usize;
        self.first = self.bytes.get(self.start).copied().unwrap_or_default();
        Some(())
    }

    /// Passes over some tokens, which must take up so many bytes with all that is between them and after them.
    pub(super) fn step(&mut self, tokens: usize, length: usize) -> Option<()> {
        let end = self.start + length;
        self.go(self.at + tokens)?;
        (self.start == end).then_some(())
    }

    /// Passes over a byte that must come next.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        if self.first == byte { self.pass() } else { None }
    }

    /// The keyword that comes next, in canonical spelling and with white space after it. Where the first letters tell which
    /// it may be, no time is lost by looking for its end.
    #[inline]
    pub(super) fn keyword(&self) -> Option<Keyword> {
        let begin: &[u8; 16] = self.ahead()?;
        match *begin {
            [b'a', ..] => is(begin, Keyword::Action),
            [b'b', ..] => is(begin, Keyword::Behavior),
            [b'c', b'o', b'n', b'd', ..] => is(begin, Keyword::Condition),
            [b'c', ..] => is(begin, Keyword::Concurrent),
            [b'd', ..] => is(begin, Keyword::Decorator),
            [b'f', ..] => is(begin, Keyword::Fallback),
            [b's', b'e', b'l', ..] => is(begin, Keyword::Selector),
            [b's', ..] => is(begin, Keyword::Sequence),
            _ => None,
        }
    }

    /// Passes over the binary operator that comes next, if one does that is not odd.
    #[inline(always)]
    pub(super) fn operator(&mut self) -> Option<Option<Binary>> {
        let Some(signs) = OPERATORS.get(usize::from(self.first)) else { return Some(None) };
        let second = self.second().unwrap_or_default();
        let after = usize::from(second == b'=') + 2 * usize::from(second == self.first);
        let Some((op, length)) = signs[after] else { return Some(None) };
        self.go(self.at + usize::from(length))?;
        Some(Some(op))
    }
}

/// The keyword, if it stands here with white space after it.
#[inline(always)]
fn is(begin: &[u8; 16], keyword: Keyword) -> Option<Keyword> {
    let spelling = keyword.spelling().as_bytes();
    (begin.starts_with(spelling) && begin[spelling.len()] <= b' ').then_some(keyword)
}

/// Binary operators and their lengths by their first byte and by what comes after it: something else, `=`, the same byte
/// again, or both.
static OPERATORS: [[Option<(Binary, u8)>; 4]; 128] = {
    let mut operators = [[None; 4]; 128];
    operators[b'<' as usize] = [Some((Binary::Less, 1)), Some((Binary::LessEqual, 2)), None, None];
    operators[b'>' as usize] = [Some((Binary::Greater, 1)), Some((Binary::GreaterEqual, 2)), None, None];
    operators[b'!' as usize][1] = Some((Binary::NotEqual, 2));
    operators[b'=' as usize][3] = Some((Binary::Equal, 2));
    operators[b'&' as usize][2] = Some((Binary::And, 2));
    operators[b'|' as usize][2] = Some((Binary::Or, 2));
    operators
};

/// How many blanks and tabs come first; there must be one.
pub(super) fn gap(text: &[u8]) -> Option<usize> {
    let length = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (length > 0).then_some(length)
}
