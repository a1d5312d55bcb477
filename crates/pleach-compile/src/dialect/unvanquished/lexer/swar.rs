//! Looking at many bytes at once.
//!
//! Spaces and names make up most of a text, and both are too short to be worth a loop that is predicted wrong at its end.
//! So eight or sixteen bytes are loaded as one number, and arithmetic on all of them finds the first byte of interest.
//! No sum below carries from one byte into the next, since all summands are below 128.

/// Eight bytes, each of this value.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

const LOW: u64 = each(0x7f);
const HIGH: u64 = each(0x80);

/// The highest bit of each byte that is at least `least`, of bytes below 128.
const fn at_least(bytes: u64, least: u8) -> u64 {
    (bytes + each(0x80 - least)) & HIGH
}

/// The highest bit of each byte from 33 to 127: all that is not white space.
const fn solid(bytes: u64) -> u64 {
    at_least(bytes & LOW, 33) & !bytes
}

/// The highest bit of each letter, digit and underscore.
const fn wordly(bytes: u64) -> u64 {
    let low = bytes & LOW;
    let folded = low | each(0x20);
    let letter = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
    let digit = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let underscore = !at_least(low ^ each(b'_'), 1);
    (letter | digit | underscore) & HIGH & !bytes
}

/// How many bytes of white space the text begins with.
#[inline]
pub(super) fn spaces(text: &[u8]) -> usize {
    let mut count = 0;
    while let Some(bytes) = text.get(count..).and_then(<[u8]>::first_chunk) {
        let solid = solid(u64::from_le_bytes(*bytes));
        if solid != 0 {
            return count + solid.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    let rest = text.get(count..).unwrap_or_default();
    count + rest.iter().take_while(|byte| !(33..128).contains(*byte)).count()
}

/// The sixteen bytes that the text begins with, cut after the letters, digits and underscores at their beginning and
/// filled with zeros, and how many those are. `None` if the text is shorter, or if all are.
#[inline]
pub(super) fn short_word(text: &[u8]) -> Option<(u128, usize)> {
    let bytes = u128::from_le_bytes(*text.first_chunk()?);
    let words = u128::from(wordly(bytes as u64)) | u128::from(wordly((bytes >> 64) as u64)) << 64;
    let ends = !words & (u128::from(HIGH) << 64 | u128::from(HIGH));
    if ends == 0 {
        return None;
    }
    let first_bit = (ends & ends.wrapping_neg()) >> 7;
    Some((bytes & (first_bit - 1), ends.trailing_zeros() as usize / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_apart() {
        for byte in 0..=255_u8 {
            let at_end = [byte; 8];
            assert_eq!(solid(u64::from_le_bytes(at_end)) != 0, (33..128).contains(&byte), "{byte}");
            let word = byte == b'_' || byte.is_ascii_alphanumeric();
            assert_eq!(wordly(u64::from_le_bytes(at_end)), if word { HIGH } else { 0 }, "{byte}");
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
            assert_eq!(word.to_le_bytes()[..length], text[..length]);
            assert!(word.to_le_bytes()[length..].iter().all(|byte| *byte == 0));
        }
        assert!(short_word(b"abcdefghijklmnopq").is_none());
        assert!(short_word(b"abc").is_none());
    }
}
