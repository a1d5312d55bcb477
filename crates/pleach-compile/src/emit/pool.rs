//! Numbers, each kept once.

/// Finds the constants of an image by their bits.
///
/// A program has at most 65,536, and mostly asks for those it has asked for before. So the table is a power of two of
/// indices with room to spare, and a place that is taken is followed by the next: a look-up is a product and a comparison.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Indices of constants plus one; 0 where there is none.
    places: Vec<u32>,
    /// How far a product is shifted to give a place.
    shift: u32,
}

impl Pool {
    /// Forgets all constants, and makes room for so many.
    pub(super) fn clear(&mut self, most: usize) {
        let places = (most + 2).next_power_of_two();
        self.shift = u64::BITS - places.ilog2();
        self.places.clear();
        self.places.resize(places, 0);
    }

    /// The index of a constant, which is added if it is new. There may not be more than there is room for.
    #[inline(always)]
    pub(super) fn index(&mut self, constants: &mut Vec<u64>, bits: u64) -> usize {
        // The bits of small integers end in zeros, and those of their products too: they tell at the high end.
        let mut at = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            let place = &mut self.places[at];
            match (*place as usize).checked_sub(1) {
                Some(index) if constants[index] == bits => return index,
                Some(_) => at = (at + 1) & (self.places.len() - 1),
                None => {
                    constants.push(bits);
                    *place = constants.len() as u32;
                    return constants.len() - 1;
                }
            }
        }
    }
}
