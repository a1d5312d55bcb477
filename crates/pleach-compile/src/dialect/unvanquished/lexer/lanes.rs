//! Looking at sixteen bytes at once.
//!
//! Spaces and names make up most of a text, and both are too short to be worth a loop that is predicted wrong at its end.
//! So sixteen bytes are looked at together, each in its own lane, without a branch, and the first lane of interest is
//! found by counting zeros. Compilers make vector instructions of it where that is shorter.

/// How many bytes are looked at together.
const LANES: usize = 16;

/// The first lane in which a bit is set, or [`LANES`].
#[inline]
fn first(lanes: [u8; LANES]) -> usize {
    u128::from_le_bytes(lanes).trailing_zeros() as usize / 8
}

/// The highest bit of each of eight bytes that is no white space, as those from 33 to 127 are not.
///
/// No sum carries from one byte into the next, since both summands are below 128.
#[inline]
const fn solid(bytes: u64) -> u64 {
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    ((bytes & each(0x7f)) + each(0x80 - 33)) & each(0x80) & !bytes
}

/// How many bytes of white space the text begins with.
#[inline]
pub(super) fn spaces(text: &[u8]) -> usize {
    let mut count = 0;
    while let Some(bytes) = text.get(count..).and_then(<[u8]>::first_chunk) {
        let bytes = u128::from_le_bytes(*bytes);
        let solid = u128::from(solid((bytes >> 64) as u64)) << 64 | u128::from(solid(bytes as u64));
        let lane = first(solid.to_le_bytes());
        count += lane;
        if lane < LANES {
            return count;
        }
    }
    let rest = text.get(count..).unwrap_or_default();
    count + rest.iter().take_while(|byte| !(33..128).contains(*byte)).count()
}

/// Whether a byte is a letter, a digit or an underscore.
#[inline]
fn wordly(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    letter | (byte.wrapping_sub(b'0') < 10) | (byte == b'_')
}

/// How many letters, digits and underscores come first. Not to be inlined: what callers know about single bytes keeps
/// compilers from looking at all together.
#[inline(never)]
fn word_length(bytes: &[u8; LANES]) -> usize {
    let mut others = [0; LANES];
    for (other, byte) in others.iter_mut().zip(bytes) {
        *other = if wordly(*byte) { 0 } else { 0xff };
    }
    first(others)
}

/// For each number of bytes, those at the beginning of sixteen.
static KEPT: [u128; LANES] = {
    let mut kept = [0; LANES];
    let mut length = 0;
    while length < LANES {
        kept[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    kept
};

/// The sixteen bytes that the text begins with, cut after the letters, digits and underscores at their beginning and
/// filled with zeros, and how many those are. `None` if the text is shorter, or if all are.
#[inline]
pub(super) fn short_word(text: &[u8]) -> Option<(u128, usize)> {
    let bytes = text.first_chunk()?;
    let length = word_length(bytes);
    let kept = KEPT.get(length)?;
    Some((u128::from_le_bytes(*bytes) & kept, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_apart() {
        for byte in 0..=255_u8 {
            let at_end = u64::from_le_bytes([b' ', b' ', b' ', b' ', b' ', b' ', b' ', byte]);
            assert_eq!(solid(at_end) != 0, (33..128).contains(&byte), "{byte}");
            assert_eq!(wordly(byte), byte == b'_' || byte.is_ascii_alphanumeric(), "{byte}");
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
