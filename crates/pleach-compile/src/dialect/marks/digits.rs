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

#[cfg(test)]
mod tests {
    use super::few;

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
}
