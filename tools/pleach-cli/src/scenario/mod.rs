//! Runs of the tests that authors of trees write.

pub(crate) mod junit;
pub(crate) mod play;
