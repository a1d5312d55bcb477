//! Lanes of x86-64 processors.
//!
//! A value of these types says that the processor has what its code needs: it is only made where
//! the processor was asked. All unsafe code of the crate is in this folder. It is calls of such
//! code, and loads and stores of vectors in arrays of 64 lanes.

#![allow(unsafe_code)]

/// Methods that look numbers up in a table of endings by a function for this processor, if the
/// table has fewer endings than the function can read.
macro_rules! look_up {
    ($($name:ident: $of:ident by $by:ident below $most:tt;)*) => {
        $(
            #[inline(always)]
            fn $name(self, column: &mut [$of; LANES], numbers: &[u8; LANES], table: &EndingTable<$of>) -> bool {
                let fits = table.endings < $most;
                if fits {
                    // SAFETY: the processor has been asked, or there were no `self`.
                    unsafe { $by(column, numbers, table) }
                }
                fits
            }
        )*
    };
}

mod avx2;
mod avx512;

use super::{Gathered, Job, Lanes, bytes};
use crate::code::batch::endings::{ENDINGS, EndingTable};
use crate::layout::{BIT_WORDS, LANES};
use core::arch::x86_64::{_pdep_u64, _pext_u64};

/// Vectors of 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx2(());

/// Vectors of 64 bytes, with masks.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx512 {
    /// True if the processor has VBMI2, which moves bytes together.
    compress: bool,
}

/// True if this processor has all of these features. Without the standard library, true if the
/// build is compiled for them.
macro_rules! has {
    ($($feature:tt),*) => {{
        #[cfg(feature = "std")]
        let has = [$(std::arch::is_x86_feature_detected!($feature)),*];
        #[cfg(not(feature = "std"))]
        let has = [$(cfg!(target_feature = $feature)),*];
        !has.contains(&false)
    }};
}

impl Avx2 {
    /// If this processor has them.
    pub(in super::super) fn of_this_processor() -> Option<Self> {
        has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt").then_some(Self(()))
    }
}

impl Avx512 {
    /// If this processor has them.
    pub(in super::super) fn of_this_processor() -> Option<Self> {
        Avx2::of_this_processor()?;
        let has = has!("avx512f", "avx512bw", "avx512dq", "avx512vl");
        has.then(|| Self { compress: has!("avx512vbmi2") })
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<J: Job>(job: J) -> J::Out {
    job.run()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn with_avx512<J: Job>(job: J) -> J::Out {
    job.run()
}

/// See [`Lanes::gather`]: a few lanes of a word one by one, others eight at a time. Their numbers
/// are bytes side by side, of which those wanted are moved together.
#[inline]
#[target_feature(enable = "bmi2,popcnt")]
fn gather(lanes: [u64; BIT_WORDS], into: &mut Gathered) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const FEW: u32 = 16;
    let mut at = 0;
    for (index, mut lanes) in lanes.into_iter().enumerate() {
        if lanes.count_ones() <= FEW {
            while lanes != 0 {
                into[at % LANES] = 64 * index as u8 + lanes.trailing_zeros() as u8;
                (at, lanes) = (at + 1, lanes & (lanes - 1));
            }
        }
        let mut numbers = 0x0706_0504_0302_0100 + ONES * (64 * index as u64);
        while lanes != 0 {
            let wanted = _pdep_u64(lanes, ONES) * 0xff;
            let Some(places) = into[at..].first_chunk_mut() else { return };
            *places = _pext_u64(numbers, wanted).to_le_bytes();
            at += (lanes & 0xff).count_ones() as usize;
            (lanes, numbers) = (lanes >> 8, numbers.wrapping_add(8 * ONES));
        }
    }
}
