//! Where the tokens of a text begin, for front ends that make nodes of bytes at once.
//!
//! What decides where the next token begins should be known soon, since all that comes after waits for it. So the places
//! are found beforehand, for the whole text, by [`lanes`], and reading on is no more than going to the next place. A token
//! is a word, a string, or any other byte that is no white space. Comments have no places.

pub(super) mod digits;
pub(super) mod guesses;
pub(super) mod lanes;
mod processor;

use core::marker::PhantomData;
use core::ops::Range;
use lanes::{Block, LANES};
use processor::{Processor, Work};

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

/// Where tokens begin, and which bytes belong to words.
#[derive(Default)]
pub(super) struct Marks {
    /// Where each token begins, and behind them the end of the text; then room.
    places: Vec<u32>,
    /// How many places there are.
    count: usize,
    /// By blocks, with one of no words at the end.
    rows: Vec<Row>,
    /// Whether any byte is odd.
    odd: bool,
}

/// What there is in a block.
struct Row {
    /// Which bytes belong to words.
    words: u64,
    /// How many tokens begin before it.
    before: u32,
}

impl Marks {
    /// Marks a text, if all its strings and comments end; tells whether any of its bytes is odd.
    pub(super) fn mark<S: Script>(&mut self, bytes: &[u8]) -> Option<bool> {
        processor::best(Marking::<S> { marks: self, bytes, script: PhantomData })
    }

    /// The same with the instructions of whoever calls it, so all that it does for each block is inlined.
    #[inline(always)]
    fn all<S: Script>(&mut self, bytes: &[u8], processor: impl Processor) -> Option<bool> {
        self.odd = false;
        self.count = 0;
        self.rows.clear();
        let mut hidden = Hidden { bytes, start: 0, end: 0 };
        let (blocks, rest) = bytes.as_chunks();
        let mut within = 0;
        for block in blocks {
            processor::expect_more(block);
            within = self.block::<S>(block, within, &mut hidden, processor)?;
        }
        let mut last = [b' '; LANES];
        last[..rest.len()].copy_from_slice(rest);
        self.block::<S>(&last, within, &mut hidden, processor)?;
        self.rows.push(Row { words: 0, before: self.count as u32 });
        self.room().fill(bytes.len() as u32);
        Some(self.odd)
    }

    /// Where tokens begin, in order; behind them is the end of the text, more than once.
    #[inline(always)]
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The first token that does not begin before some byte: its index.
    pub(super) fn token_from(&self, byte: usize) -> usize {
        let before = self.rows.get(byte / LANES).map_or(self.count, |row| row.before as usize);
        let within = self.places[before..self.count].iter();
        before + within.take_while(|place| (**place as usize) < byte).count()
    }

    /// How long the word is that begins at some byte, if it is one of less than sixty-four bytes. Else 0 or 64.
    #[inline(always)]
    pub(super) fn length(&self, start: usize) -> usize {
        let (block, lane) = (start / LANES, start % LANES);
        let Some([low, high]) = self.rows.get(block..block + 2) else { return 0 };
        let words = (u128::from(high.words) << LANES | u128::from(low.words)) >> lane;
        (words as u64).trailing_ones() as usize
    }

    /// Marks a block. `within` is 1 if the block before ends in a word; it gives the same of this one.
    #[inline(always)]
    fn block<S: Script>(
        &mut self,
        bytes: &[u8; LANES],
        within: u64,
        hidden: &mut Hidden<'_>,
        processor: impl Processor,
    ) -> Option<u64> {
        let Block { words, solid } = Block::of(bytes, S::part_of_word);
        let start = self.rows.len() * LANES;
        let mut begins = solid & !(words & (words << 1 | within));
        if lanes::any(bytes, |byte| S::may_hide(byte) | S::is_odd(byte)) | (hidden.end > start) {
            self.odd |= lanes::any(bytes, S::is_odd);
            begins &= !hidden.within::<S>(start, bytes)?;
        }
        self.rows.push(Row { words, before: self.count as u32 });
        processor.write_bits(begins, start as u32, self.room());
        self.count += begins.count_ones() as usize;
        Some(words >> (LANES - 1))
    }

    /// Room for the places of a block, behind all others.
    #[inline(always)]
    fn room(&mut self) -> &mut [u32; LANES] {
        if self.places.len() < self.count + LANES {
            self.grow();
        }
        let Some(room) = self.places[self.count..].first_chunk_mut() else { unreachable!("it has grown") };
        room
    }

    #[cold]
    fn grow(&mut self) {
        self.places.resize(2 * (self.count + LANES), 0);
    }
}

/// A text that is to be marked.
struct Marking<'m, S> {
    marks: &'m mut Marks,
    bytes: &'m [u8],
    script: PhantomData<S>,
}

impl<S: Script> Work for Marking<'_, S> {
    type Result = Option<bool>;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> Self::Result {
        self.marks.all::<S>(self.bytes, processor)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Words are digits, `#` hides the rest of a line, and `!` is odd.
    struct Digits;

    impl Script for Digits {
        fn part_of_word(byte: u8) -> bool {
            byte.is_ascii_digit()
        }

        fn is_odd(byte: u8) -> bool {
            byte == b'!'
        }

        fn may_hide(byte: u8) -> bool {
            byte == b'#'
        }

        fn hidden(text: &[u8], at: usize) -> Option<Option<Range<usize>>> {
            Some(Some(at..at + text[at..].iter().position(|byte| *byte == b'\n')?))
        }
    }

    /// Marks a text: whether it is odd, where its tokens begin, and how long a word is at each of them.
    #[derive(Clone)]
    struct Told<'t>(&'t [u8]);

    impl Work for Told<'_> {
        type Result = Option<(bool, Vec<u32>, Vec<usize>)>;

        #[inline(always)]
        fn run<P: Processor>(self, processor: P) -> Self::Result {
            let mut marks = Marks::default();
            let odd = marks.all::<Digits>(self.0, processor)?;
            let places = marks.places()[..marks.count].to_vec();
            let lengths = places.iter().map(|place| marks.length(*place as usize)).collect();
            for (index, place) in places.iter().enumerate() {
                assert_eq!(marks.token_from(*place as usize), index);
            }
            assert!(marks.places()[marks.count..][..LANES].iter().all(|end| *end as usize == self.0.len()));
            Some((odd, places, lengths))
        }
    }

    /// The same, byte by byte.
    fn told(text: &[u8]) -> Option<(bool, Vec<u32>, Vec<usize>)> {
        let (mut places, mut at) = (Vec::new(), 0);
        while at < text.len() {
            if text[at] == b'#' {
                at += text[at..].iter().position(|byte| *byte == b'\n')?;
            }
            let length = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if length > 0 || !text[at].is_ascii_whitespace() {
                places.push((at as u32, length));
            }
            at += length.max(1);
        }
        let (places, lengths) = places.into_iter().unzip();
        Some((text.contains(&b'!'), places, lengths))
    }

    #[test]
    fn every_processor_marks_alike() {
        let pieces: [&[u8]; 8] = [b" ", b"7", b"1234567", b"+", b"\n", b" # 1 +\n", b"((((", b"          "];
        let mut seed = 1_u64;
        let mut next = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % most
        };
        for _ in 0..500 {
            let mut text: Vec<u8> = (0..next(150)).flat_map(|_| pieces[next(8) as usize]).copied().collect();
            if next(10) == 0 {
                text.push([b'!', b'#'][next(2) as usize]);
            }
            for result in processor::each(&Told(&text)) {
                assert_eq!(result, told(&text), "{}", String::from_utf8_lossy(&text));
            }
        }
    }
}
