//! Tables of an image about its agents: the slots of their frames, their rules, their forests.

pub(crate) mod forests;
mod frame;
mod members;
pub(crate) mod paths;
mod rules;

pub(crate) use frame::{BIT_WORDS, Column, Frame, LANES, Sizes, Slot, alike};
pub(crate) use members::ValueNames;
pub(crate) use rules::Rules;
