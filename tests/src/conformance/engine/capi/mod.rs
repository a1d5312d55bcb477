//! The runtime through its C API: the functions that C calls, with callbacks that C would have.
//!
//! Nothing of the Rust interface is used behind the image's bytes. Functions of the host are bound
//! in all forms by turns: for one agent, for many, and both.

mod answers;
mod crowd;
mod grove;
mod link;
mod walker;

use super::grove::Grove;
use super::walker::Walkers;
use super::{Engine, Made, Settlers};
use pleach_compile::internals::ir::Module;

/// Calls a function of the C API.
macro_rules! c {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: arguments are pointers to existing data of the right size, and callbacks of this
        // module, as the contract asks.
        unsafe { pleach_capi::$function($($argument),*) }
    }};
}
use c;

/// See `pleach.h`.
pub(super) struct CEngine;

impl Engine for CEngine {
    fn name(&self) -> &'static str {
        "capi"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn super::Crowd + 'm> {
        Ok(Box::new(crowd::Agents::new(module, agents)?))
    }

    fn settle<'m>(&self, module: &'m Module, settlers: &Settlers<'_>) -> Made<dyn super::Society + 'm> {
        Ok(Box::new(crowd::Society::new(module, settlers)?))
    }

    fn walk<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Walkers + 'm> {
        Ok(Box::new(walker::Agents::new(module, agents)?))
    }

    fn plant<'m>(&self, module: &'m Module) -> Made<dyn Grove + 'm> {
        Ok(Box::new(grove::Planted::new(module)?))
    }
}
