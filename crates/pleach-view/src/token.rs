//! Random words: the token in the page's address, and the nonce of each page.

use std::fmt::Write;
use std::io;

/// Returns 128 bits of the system's random numbers as 32 hexadecimal digits.
pub(crate) fn word() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let mut word = String::with_capacity(32);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(word, "{byte:02x}");
    }
    Ok(word)
}

/// Returns true if two words are equal. The time depends only on their lengths, not on the position
/// of a difference.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let different =
        one.bytes().zip(other.bytes()).fold(0, |different, (one, other)| different | (one ^ other));
    one.len() == other.len() && different == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_as_a_whole() {
        let word = word().expect("the system has random numbers");
        assert_eq!(word.len(), 32);
        assert!(is_same(&word, &word.clone()));
        assert!(!is_same(&word, &word[..31]) && !is_same(&word, "") && !is_same("", &word));
        let mut other = word.clone();
        let last = if other.pop() == Some('0') { '1' } else { '0' };
        other.push(last);
        assert!(!is_same(&word, &other));
    }
}
