//! Numbers in texts.

pub(super) use pleach_image::spelling::{integer, real};
