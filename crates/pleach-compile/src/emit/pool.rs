//! Numbers, each kept once.

use core::hash::BuildHasher;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Finds the constants of an image by their bits.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Indices of constants.
    indices: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Pool {
    /// Forgets all constants but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.indices.clear();
    }

    /// Returns the index of a constant, which is added if it is new.
    #[inline(always)]
    pub(super) fn index(&mut self, constants: &mut Vec<u64>, bits: u64) -> usize {
        let hash = self.hasher.hash_one(bits);
        match self.indices.find(hash, |index| constants[*index as usize] == bits) {
            Some(index) => *index as usize,
            None => self.add(constants, bits, hash),
        }
    }

    #[inline(never)]
    fn add(&mut self, constants: &mut Vec<u64>, bits: u64, hash: u64) -> usize {
        let Self { indices, hasher } = self;
        let index = constants.len();
        constants.push(bits);
        indices.insert_unique(hash, index as u32, |index| hasher.hash_one(constants[*index as usize]));
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_their_indices_in_a_table_that_grows() {
        let (mut pool, mut constants) = (Pool::default(), Vec::new());
        let bits: Vec<_> = (0..3000).map(|number| f64::from(number).to_bits()).collect();
        let first: Vec<_> = bits.iter().map(|bits| pool.index(&mut constants, *bits)).collect();
        let again: Vec<_> = bits.iter().map(|bits| pool.index(&mut constants, *bits)).collect();
        assert_eq!(first, (0..bits.len()).collect::<Vec<_>>());
        assert_eq!((again, &constants), (first, &bits));
    }

    #[test]
    fn constants_of_the_program_before_are_forgotten() {
        let mut pool = Pool::default();
        let mut constants = Vec::new();
        assert_eq!([1, 2, 1].map(|bits| pool.index(&mut constants, bits)), [0, 1, 0]);
        pool.clear();
        assert_eq!(pool.index(&mut Vec::new(), 2), 0);
    }
}
