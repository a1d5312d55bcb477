//! Which word it is, guessed by its first bytes.
//!
//! To look a word up, one must know where it ends, and then where its place in a table is. If what comes next depends on
//! the word, a processor waits for all of that in turn. But there are few words in a text, and what stands behind them
//! is often the same. So the bytes at hand tell at once which word it will be, namely the one it was before; whether it
//! is can be seen later, while nobody waits for it.

/// How many guesses there are.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 10;
/// How many bytes count: so many that most words differ, and so few that what follows rarely matters.
const COUNTED: u32 = 6;

/// Numbers by the bytes where words begin: of the word that was found there before, whatever the number means.
pub(in super::super) struct Guesses(Box<[u32; PLACES]>);

impl Default for Guesses {
    /// All are 0.
    fn default() -> Self {
        Self(Box::new([0; PLACES]))
    }
}

impl Guesses {
    /// The guess for a word that begins with these bytes, or has more behind it.
    #[inline(always)]
    pub(in super::super) fn at(&mut self, begin: &[u8; 8]) -> &mut u32 {
        let counted = u64::from_le_bytes(*begin) << (u64::BITS - 8 * COUNTED);
        let place = counted.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACE_BITS);
        &mut self.0[place as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_do_not_count_make_no_difference() {
        let mut guesses = Guesses::default();
        *guesses.at(b"health <") = 7;
        assert_eq!(
            [b"health >", b"health\n\t", b"healths ", b"heal(1) "].map(|it| *guesses.at(it)),
            [7, 7, 7, 0]
        );
    }
}
