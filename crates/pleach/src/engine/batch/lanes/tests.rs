//! All lanes do what one lane does.

use super::*;
use alloc::vec::Vec;
use quickcheck::{Arbitrary, Gen};

/// Returns quickcheck's numbers for a seed, among which the least and the greatest are frequent.
pub(in super::super) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut chance = Gen::from_size_and_seed(1, seed);
    move || u64::arbitrary(&mut chance)
}

/// Does something with each kind of lanes that this processor has.
macro_rules! on_all_lanes {
    ($check:expr) => {{
        $check($crate::engine::batch::lanes::Portable);
        #[cfg(target_arch = "x86_64")]
        {
            $crate::engine::batch::lanes::x86::Avx2::of_this_processor().into_iter().for_each($check);
            $crate::engine::batch::lanes::x86::Avx512::of_this_processor().into_iter().for_each($check);
        }
    }};
}
pub(in super::super) use on_all_lanes;

const SOME: u64 = 0xf00f_1234_5678_9abd;

fn masks_are_right(lanes: impl Lanes) {
    let mut random = random(2);
    for some in [0, 1, SOME, !SOME, 1 << 63, u64::MAX].into_iter().chain((0..64).map(|lane| 1 << lane)) {
        let is = |lane: usize| some >> lane & 1 != 0;
        assert_eq!(lanes.spread(some).map(|byte| byte >> 7), core::array::from_fn(|lane| is(lane).into()));
        assert_eq!([lanes.bits::<u8>(is), lanes.bits::<u16>(is), lanes.bits::<u32>(is)], [some; 3]);
        let (bits, mut place) = (random(), 0);
        let mut expected = 0;
        for lane in (0..64).filter(|lane| is(*lane)) {
            expected |= (bits >> place & 1) << lane;
            place += 1;
        }
        assert_eq!(lanes.deposit(bits, some), expected);
        let mut list: Gathered = [0; LANES + 64];
        lanes.gather([some, 0, !some, 5], &mut list);
        let words = [(0, some), (128, !some), (192, 5)];
        let expected: Vec<u8> = words
            .into_iter()
            .flat_map(|(first, word)| {
                (0..64).filter(move |lane| word >> lane & 1 != 0).map(move |lane| first + lane)
            })
            .collect();
        assert_eq!(list[..expected.len()], expected);
    }
}

#[test]
fn all_lanes_do_what_one_lane_does() {
    on_all_lanes!(masks_are_right);
}
