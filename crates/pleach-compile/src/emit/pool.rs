//! Numbers, each kept once.

use pleach_image::splitmix::GAMMA;

/// How many places the table has at first: enough for the constants of a usual program.
const PLACES: usize = 1024;

/// Finds the constants of an image by their bits.
///
/// A program mostly asks for those it has asked for before. So the table is a power of two of indices, at most half of them
/// taken, and a place that is taken is followed by the next: a look-up is a product and a comparison.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Indices of constants plus one; 0 where there is none.
    places: Vec<u32>,
    /// How far a product is shifted to give a place.
    shift: u32,
}

impl Pool {
    /// Forgets all constants.
    pub(super) fn clear(&mut self) {
        self.resize(PLACES);
    }

    fn resize(&mut self, places: usize) {
        self.shift = u64::BITS - places.ilog2();
        self.places.clear();
        self.places.resize(places, 0);
    }

    /// The index of a constant, which is added if it is new.
    #[inline(always)]
    pub(super) fn index(&mut self, constants: &mut Vec<u64>, bits: u64) -> usize {
        let mut at = self.place(bits);
        loop {
            match (self.places[at] as usize).checked_sub(1) {
                Some(index) if constants[index] == bits => return index,
                Some(_) => at = self.behind(at),
                None => return self.add(constants, bits, at),
            }
        }
    }

    /// Where to look for a constant. The bits of small integers end in zeros, and those of their products too: they tell at
    /// the high end.
    #[inline(always)]
    fn place(&self, bits: u64) -> usize {
        (bits.wrapping_mul(GAMMA) >> self.shift) as usize
    }

    #[inline(always)]
    fn behind(&self, at: usize) -> usize {
        (at + 1) & (self.places.len() - 1)
    }

    #[inline(never)]
    fn add(&mut self, constants: &mut Vec<u64>, bits: u64, at: usize) -> usize {
        constants.push(bits);
        self.places[at] = constants.len() as u32;
        if 2 * constants.len() > self.places.len() {
            self.resize(2 * self.places.len());
            (1..).zip(&*constants).for_each(|(index, bits)| self.insert(index, *bits));
        }
        constants.len() - 1
    }

    fn insert(&mut self, index: u32, bits: u64) {
        let mut at = self.place(bits);
        while self.places[at] != 0 {
            at = self.behind(at);
        }
        self.places[at] = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_their_places_in_a_table_that_grows() {
        let (mut pool, mut constants) = (Pool::default(), Vec::new());
        pool.clear();
        let bits: Vec<_> = (0..3 * PLACES).map(|number| (number as f64).to_bits()).collect();
        let first: Vec<_> = bits.iter().map(|bits| pool.index(&mut constants, *bits)).collect();
        let again: Vec<_> = bits.iter().map(|bits| pool.index(&mut constants, *bits)).collect();
        assert_eq!(first, (0..bits.len()).collect::<Vec<_>>());
        assert_eq!((again, &constants), (first, &bits));
    }
}
