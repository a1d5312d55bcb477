//! The engines that run programs.
//!
//! [`scalar`] runs one agent at a time; [`condition`] holds the conditions in the form they run in.

pub(crate) mod condition;
pub(crate) mod scalar;

use crate::status::Status;

/// Somebody who watches an agent tick. All methods do nothing by default, and watching changes no result.
pub trait Watch {
    /// Whether anything is watched; if not, the engine is compiled without the calls.
    #[doc(hidden)]
    const ON: bool = true;

    /// An action was asked: node, site, whether it began now, and its answer.
    fn acted(&mut self, _node: u32, _site: u32, _fresh: bool, _status: Status) {}

    /// A query was asked: site and answer.
    fn asked(&mut self, _site: u32, _answer: f64) {}

    /// An instruction of the image, any but `return`, was left by an exit. Which nodes end there,
    /// [`pleach_image::Image::debug_ends`] says.
    fn left(&mut self, _word: u32, _exit: u32) {}
}

/// Nobody watches.
impl Watch for () {
    const ON: bool = false;
}
