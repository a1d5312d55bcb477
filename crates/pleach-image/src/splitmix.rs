//! Mixing function of SplitMix64, for hashes and pseudorandom numbers.
//!
//! Source: G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA
//! 2014, with the shifts and factors of D. Stafford's variant 13. `spec/dialects/pleach.md` defines
//! the random draws of agents by [`mix`].

/// 2^64 divided by the golden ratio, rounded to an odd number. SplitMix64 calls it gamma.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns a number in which every bit depends on every bit of the argument.
#[inline]
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(GAMMA);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Compares the first numbers for seed 0 and seed 1234567 with the output of the published
/// implementation.
#[test]
fn numbers_are_those_of_the_published_generator() {
    let numbers = [0, 1].map(|step: u64| mix(step.wrapping_mul(GAMMA)));
    assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
}
