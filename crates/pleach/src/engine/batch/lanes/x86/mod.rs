//! Lanes of x86-64 processors.
//!
//! A value of these types says that the processor has what its code needs: it is only made where the processor was asked.
//! All unsafe code of the crate is in this folder. It is calls of such code, and loads and stores of vectors in arrays of 64
//! lanes.

#![allow(unsafe_code)]

mod avx2;
mod avx512;

use super::{Bytes, Halves, Job, Lanes, Words};
use crate::engine::batch::code::{How, Link};
use crate::engine::batch::ending::{ENDINGS, Table};
use crate::engine::step::Span;
use crate::frame::LANES;

/// Vectors of 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx2(());

/// Vectors of 64 bytes, with masks.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx512(());

impl Avx2 {
    /// If this processor has them.
    pub(in super::super) fn of_this_processor() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

impl Avx512 {
    /// If this processor has them.
    pub(in super::super) fn of_this_processor() -> Option<Self> {
        let has = Avx2::of_this_processor().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has.then_some(Self(()))
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
