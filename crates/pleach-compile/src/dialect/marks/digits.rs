//! Short numbers.

/// The most digits that are looked at together. A float has room for so many.
pub(in super::super) const FEW: usize = 7;

/// The value of a text's first bytes, if they are few and all of them are decimal digits.
///
/// All digits are looked at together: as the upper bytes of a word, below which come zeros.
#[inline(always)]
pub(in super::super) fn few(text: &[u8], length: usize) -> Option<u32> {
    const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);
    const ABOVE_NINE: u64 = u64::from_ne_bytes([0x80 - 10; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    if !(1..=FEW).contains(&length) {
        return None;
    }
    let digits = (u64::from_le_bytes(*text.first_chunk()?) ^ ZEROS) << (64 - 8 * length);
    if (digits.wrapping_add(ABOVE_NINE) | digits) & HIGH != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours * 10_000 + (fours >> 32)) as u32)
}

/// Powers of ten that a float can hold, as far as [`with_places`] needs them.
const TENS: [f32; FEW + 1] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// The float that is nearest to a number of few digits, so many of them behind its dot.
#[inline(always)]
pub(in super::super) fn with_places(whole: u32, fraction: u32, places: usize) -> f32 {
    // All digits together fit a float as they are, so only the quotient is rounded.
    let digits = whole as f32 * TENS[places] + fraction as f32;
    digits / TENS[places]
}

/// The parts of a number whose first bytes are few digits with a dot between them: what is before the dot, what is behind
/// it, and how many digits that are.
#[inline(always)]
pub(in super::super) fn parts(text: &[u8], length: usize) -> Option<(u32, u32, usize)> {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const DOTS: u64 = u64::from_ne_bytes([b'.'; 8]);
    let others = u64::from_le_bytes(*text.first_chunk()?) ^ DOTS;
    // The lowest of these bits is that of the first dot.
    let dots = others.wrapping_sub(LOW) & !others & (LOW << 7);
    let before = dots.trailing_zeros() as usize / 8;
    let behind = length.checked_sub(before + 1)?;
    if before + behind > FEW {
        return None;
    }
    Some((few(text, before)?, few(text.get(before + 1..)?, behind)?, behind))
}

#[cfg(test)]
mod tests {
    use super::{few, parts};

    #[test]
    fn few_digits_are_told_from_other_bytes() {
        for byte in 0..=255_u8 {
            for place in 0..7 {
                let mut text = *b"1234567x";
                text[place] = byte;
                let value = byte
                    .is_ascii_digit()
                    .then(|| text[..7].iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')));
                assert_eq!(few(&text, 7), value, "{text:?}");
            }
        }
        let values =
            [None, Some(9), Some(98), Some(987), Some(9876), Some(98_765), Some(987_654), Some(9_876_543)];
        for (length, value) in values.into_iter().enumerate() {
            assert_eq!(few(b"98765432", length), value);
        }
        assert_eq!((few(b"98765432", 8), few(b"9876543", 7)), (None, None));
    }

    #[test]
    fn parts_are_digits_with_one_dot_between_them() {
        let of = |text: &str| parts(format!("{text}{:9}", "").as_bytes(), text.len());
        assert_eq!(
            (of("0.5"), of("123.4567"), of("7.007")),
            (Some((0, 5, 1)), Some((123, 4567, 4)), Some((7, 7, 3)))
        );
        for text in ["12", ".5", "5.", "1.2.3", "1..2", "1234.5678", "1.2345678", "1a.5", "1.a", "."] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
