//! Random behavior selection trees: texts with every node of the dialect.
//!
//! [`fight`] lets all engines select for several agents, with changes between ticks. [`traces`]
//! compares more for one agent: every node that ends, and so if the tree was evaluated.

mod trace;
mod tree;

use super::mbt::{EVENTS, TREE, VARIABLES};
use super::sides::{self, Names};
use crate::random::Case;
use pleach_compile::internals::dialects::{BLOCKED, Bst};
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::Sources;
use pleach_compile::texts::Texts;

pub use trace::traces;
pub use tree::text;

/// Variables that the host sets.
pub const SETS: [&str; 4] = [VARIABLES[0], VARIABLES[1], VARIABLES[2], BLOCKED];

/// Runs the tree of a case on all engines.
///
/// # Errors
/// With the first difference between engines.
pub fn fight(case: &Case) -> Result<(), String> {
    fight_for(case, sides::TICKS)
}

/// Runs the tree of a case on all engines for a number of ticks.
///
/// # Errors
/// With the first difference between engines.
pub fn fight_for(case: &Case, ticks: u64) -> Result<(), String> {
    let (module, _) = module(&text(case))?;
    sides::fight(&module, Names::of(TREE, &SETS, &EVENTS), case, ticks).map(drop)
}

/// Compiles a text.
///
/// # Errors
/// If the text is not valid.
pub fn module(text: &str) -> Result<(Module, Sources), String> {
    let (manifest, library) = (Manifest::default(), Texts::of(TREE, "xml", text));
    let mut session = Session::new(&library, &manifest);
    match pleach_compile::internals::module(&mut session, &Bst, &[TREE.to_owned()]) {
        Some(module) => Ok((module, session.sources)),
        None => Err(format!("{:?}", session.diagnostics.list())),
    }
}
