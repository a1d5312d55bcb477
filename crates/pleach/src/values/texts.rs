//! Texts that variables hold by their numbers.
//!
//! A program begins with the texts of its image. A crowd adds those that its host interns. Texts
//! are never removed, so a number stands for the same bytes for as long as its crowd lives.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use pleach_image::format::StrRef;
use pleach_image::spelling::Spelling;
pub use pleach_image::verify::MAX_TEXT;

/// Number of texts that a host can intern in a crowd.
pub const MAX_INTERNED: usize = 1 << 16;

/// Reason why a text could not be interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InternError {
    /// The text has this many bytes, more than [`MAX_TEXT`].
    TooLong(usize),
    /// The host has interned [`MAX_INTERNED`] texts in this crowd.
    TooMany,
}

impl fmt::Display for InternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => write!(out, "the text has {bytes} bytes, and can have {MAX_TEXT}"),
            Self::TooMany => write!(out, "the crowd has {MAX_INTERNED} interned texts, and can have no more"),
        }
    }
}

impl core::error::Error for InternError {}

/// Texts by number.
#[derive(Clone, Debug)]
pub(crate) struct TextTable {
    /// The strings of the image, and behind them the texts that the host has interned.
    bytes: Vec<u8>,
    rows: Vec<StrRef>,
    /// Numbers of the texts that variables can hold, in the order of their bytes.
    sorted: Vec<u32>,
    /// Number of texts of the image.
    own: usize,
}

impl TextTable {
    /// No texts.
    #[cfg(test)]
    pub(crate) const EMPTY: Self = Self { bytes: Vec::new(), rows: Vec::new(), sorted: Vec::new(), own: 0 };

    /// Returns the table of an image, by its strings and the places of its texts in them.
    pub(crate) fn new(bytes: Vec<u8>, rows: Vec<StrRef>) -> Self {
        let own = rows.len();
        let mut it = Self { bytes, rows, sorted: Vec::new(), own };
        // Longer texts are for logs alone.
        let mut sorted: Vec<_> =
            (0..).zip(&it.rows).filter(|(_, row)| row.len as usize <= MAX_TEXT).collect();
        sorted.sort_by_key(|(_, row)| it.at(**row));
        it.sorted = sorted.into_iter().map(|(number, _)| number).collect();
        it
    }

    /// Returns the bytes at a place. Rule V0206: every place of an image is inside its strings.
    pub(crate) fn at(&self, StrRef { start, len }: StrRef) -> &[u8] {
        &self.bytes[start as usize..][..len as usize]
    }

    /// Returns the place of a text; an empty place for a number of no text.
    pub(crate) fn place(&self, number: u32) -> StrRef {
        self.rows.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns the bytes of a text; no bytes for a number of no text.
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.at(self.place(number))
    }

    /// Returns the number of texts.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the texts that the host has interned, in order.
    pub(crate) fn interned(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.rows[self.own..].iter().map(|row| self.at(*row))
    }

    /// Returns the place of a text among the sorted ones, or the place that it would have.
    fn search(&self, text: &[u8]) -> Result<usize, usize> {
        self.sorted.binary_search_by(|number| self.get(*number).cmp(text))
    }

    /// Returns true if a number is that of a text.
    pub(crate) fn has(&self, number: u32, text: &[u8]) -> bool {
        (number as usize) < self.rows.len() && self.get(number) == text
    }

    /// Returns the number of a text, which it gets if it has none. Only then the table is copied,
    /// if it is shared.
    pub(crate) fn intern(table: &mut Arc<Self>, text: &[u8]) -> Result<u32, InternError> {
        match table.search(text) {
            Ok(at) => Ok(table.sorted[at]),
            Err(_) if text.len() > MAX_TEXT => Err(InternError::TooLong(text.len())),
            Err(at) => Arc::make_mut(table).add(at, text),
        }
    }

    /// Adds a text at its place among the sorted ones.
    fn add(&mut self, place: usize, text: &[u8]) -> Result<u32, InternError> {
        let start = u32::try_from(self.bytes.len()).map_err(|_| InternError::TooMany)?;
        if self.rows.len() - self.own == MAX_INTERNED {
            return Err(InternError::TooMany);
        }
        let number = self.rows.len() as u32;
        self.bytes.extend_from_slice(text);
        self.rows.push(StrRef { start, len: text.len() as u32 });
        self.sorted.insert(place, number);
        Ok(number)
    }

    /// Returns -1, 0 or 1: the order of the bytes of two texts, by their numbers. A number of no
    /// text is behind all texts.
    pub(crate) fn order(&self, first: f64, second: f64) -> f64 {
        let number = |text: f64| Some(text as usize).filter(|it| text >= 0.0 && *it < self.rows.len());
        let bytes = |number: usize| {
            let text = self.at(self.rows[number]);
            &text[..text.len().min(MAX_TEXT)]
        };
        let by_number = first.total_cmp(&second);
        let order = match (number(first), number(second)) {
            _ if by_number.is_eq() => Ordering::Equal,
            (Some(first), Some(second)) => bytes(first).cmp(bytes(second)).then(by_number),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => by_number,
        };
        f64::from(order as i8)
    }

    /// Returns the number that a text spells, by the number of the text; NaN if it spells none.
    pub(crate) fn spelled(&self, text: f64, spelling: Spelling) -> f64 {
        let number = Some(text as usize).filter(|it| text >= 0.0 && *it < self.rows.len());
        number.map_or(f64::NAN, |number| spelling.number(self.at(self.rows[number])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_one_number_each_and_the_order_of_their_bytes() {
        let row = |start, len| StrRef { start, len };
        let table = TextTable::new(b"bazbar".to_vec(), [row(0, 0), row(0, 3), row(3, 3)].to_vec());
        let mut table = Arc::new(table);
        let mut intern = |text: &str| TextTable::intern(&mut table, text.as_bytes());
        assert_eq!(["", "baz", "bar"].map(&mut intern), [Ok(0), Ok(1), Ok(2)]);
        assert_eq!(["bat", "bat"].map(intern), [Ok(3), Ok(3)]);
        assert_eq!([table.get(3), table.get(1), table.get(9)], [&b"bat"[..], b"baz", b""]);
        assert_eq!(table.interned().collect::<Vec<_>>(), [b"bat"]);
        let pairs = [(1.0, 2.0, 1.0), (3.0, 1.0, -1.0), (0.0, 2.0, -1.0), (2.0, 2.0, 0.0)];
        let beyond = [(1.0, 9.0, -1.0), (-1.0, 0.0, 1.0), (9.0, 8.0, 1.0), (9.0, 9.0, 0.0)];
        for (first, second, order) in pairs.into_iter().chain(beyond) {
            assert_eq!(table.order(first, second), order, "{first} {second}");
        }
    }

    #[test]
    fn texts_are_bounded() {
        let mut table = Arc::new(TextTable::EMPTY);
        let mut intern = |text: &[u8]| TextTable::intern(&mut table, text);
        assert_eq!(intern(&[b'a'; MAX_TEXT + 1]), Err(InternError::TooLong(MAX_TEXT + 1)));
        for text in 0..MAX_INTERNED as u32 {
            assert_eq!(intern(&text.to_be_bytes()), Ok(text));
        }
        assert_eq!(intern(b"one more"), Err(InternError::TooMany));
        assert_eq!(intern(&7_u32.to_be_bytes()), Ok(7));
    }
}
