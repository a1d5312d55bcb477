//! Looking at sixteen bytes at once.
//!
//! Spaces and names make up most of a text, and both are too short to be worth a loop that is predicted wrong at its end.
//! So sixteen bytes are looked at together, each in its own lane of two words, without a branch, and the first lane of
//! interest is found by counting zeros. What decides where the next thing begins should be known soon, since all that
//! comes after waits for it: so these are short chains of additions, in which no sum carries from one byte into the
//! next.

/// How many bytes are looked at together.
const LANES: usize = 16;

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bit of each byte.
const HIGH: u64 = each(0x80);

/// The first lane of two words in which the highest bit is set, or more than there are.
#[inline]
fn first(low: u64, high: u64) -> usize {
    let (lanes, before) = if low == 0 { (high, 8) } else { (low, 0) };
    before + lanes.trailing_zeros() as usize / 8
}

/// The two words that the text begins with.
#[inline]
fn words(text: &[u8]) -> Option<(u64, u64)> {
    let bytes = u128::from_le_bytes(*text.first_chunk()?);
    Some((bytes as u64, (bytes >> 64) as u64))
}

/// The highest bit of each of eight bytes that is no white space, as those from 33 to 127 are not.
#[inline]
const fn solid(bytes: u64) -> u64 {
    ((bytes & !HIGH) + each(0x80 - 33)) & !bytes & HIGH
}

/// The highest bit of each of eight bytes that is no letter, digit or underscore.
#[inline]
const fn foreign(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let folded = low | each(0x20);
    let letter = (folded + each(0x80 - b'a')) & !(folded + each(0x7f - b'z'));
    let digit = (low + each(0x80 - b'0')) & !(low + each(0x7f - b'9'));
    let other = (low ^ each(b'_')) + each(0x7f);
    (!(letter | digit) & other | bytes) & HIGH
}

/// How many bytes of white space the text begins with.
#[inline]
pub(super) fn spaces(text: &[u8]) -> usize {
    match words(text).map(|(low, high)| first(solid(low), solid(high))) {
        Some(lane) if lane < LANES => lane,
        _ => text.iter().take_while(|byte| !(33..128).contains(*byte)).count(),
    }
}

/// For each number of bytes, those at the beginning of sixteen.
static KEPT: [(u64, u64); LANES] = {
    let mut kept = [(0, 0); LANES];
    let mut length = 0;
    while length < LANES {
        let mask = (1_u128 << (8 * length)) - 1;
        kept[length] = (mask as u64, (mask >> 64) as u64);
        length += 1;
    }
    kept
};

/// The sixteen bytes that the text begins with, cut after the letters, digits and underscores at their beginning and
/// filled with zeros, and how many those are. `None` if the text is shorter, or if all are.
#[inline]
pub(super) fn short_word(text: &[u8]) -> Option<((u64, u64), usize)> {
    let (low, high) = words(text)?;
    let length = first(foreign(low), foreign(high));
    let kept = KEPT.get(length)?;
    Some(((low & kept.0, high & kept.1), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_apart() {
        for byte in 0..=255_u8 {
            let at_end = u64::from_le_bytes([b' ', b' ', b' ', b' ', b' ', b' ', b' ', byte]);
            assert_eq!(solid(at_end) != 0, (33..128).contains(&byte), "{byte}");
            let word = byte == b'_' || byte.is_ascii_alphanumeric();
            assert_eq!(
                foreign(u64::from_le_bytes([b'a', b'Z', b'_', b'0', b'9', b'z', b'A', byte])) != 0,
                !word,
                "{byte}"
            );
        }
    }

    #[test]
    fn spaces_are_counted() {
        for length in 0..40 {
            let text = [&b" \t\n\x80"[..]; 10].concat();
            let text = [&text[..length], b"x "].concat();
            assert_eq!(spaces(&text), length);
        }
        assert_eq!(spaces(b"   "), 3);
    }

    #[test]
    fn short_words_are_cut_out() {
        for length in 0..15 {
            let text = [&b"abcdefghijklmnop"[..length], b"{bcdefghijklmnopqr"].concat();
            let (word, found) = short_word(&text).expect("short");
            assert_eq!(found, length);
            let word = [word.0.to_le_bytes(), word.1.to_le_bytes()].concat();
            assert_eq!(word[..length], text[..length]);
            assert!(word[length..].iter().all(|byte| *byte == 0));
        }
        assert!(short_word(b"abcdefghijklmnopq").is_none());
        assert!(short_word(b"abc").is_none());
    }
}
