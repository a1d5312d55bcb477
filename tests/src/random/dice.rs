//! Random numbers without state that matters: the n-th number is a function of the seed and of n.

/// Mixes numbers into one, every bit of each into every bit of the result.
#[must_use]
pub fn hash<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0x6a09_e667_f3bc_c908, |state, number| mix(state ^ mix(number)))
}

/// The finalizer of SplitMix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Dice that fall the same way for the same seed.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    count: u64,
}

impl Dice {
    /// Dice for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }

    /// Any number.
    pub fn roll(&mut self) -> u64 {
        self.count += 1;
        hash([self.seed, self.count])
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit as u64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these; there is at least one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
