//! Random modular behavior trees: texts with every node of the dialect, and a host with
//! pseudorandom answers.
//!
//! Few of these trees do anything sensible, but all are valid: names are declared, and the numbers
//! of children are right. [`fight`] lets all engines run a tree for several agents, with changes
//! between ticks: variables are set, events are raised, agents are reset and despawned.

mod tree;

use super::sides::{self, Names};
use crate::random::Case;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

pub(super) use tree::condition;
pub use tree::{EVENTS, VARIABLES, text};

/// Name of the tree.
pub const TREE: &str = "tree";

/// Declarations of the host's functions.
const HOST: &str = "action Act(name: text) hears data 5\ndecorator Around(name: text) hears data 300";

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
    let names = Names::of(TREE, &VARIABLES, &EVENTS);
    sides::fight(&module(&text(case))?, names, case, ticks).map(drop)
}

/// Compiles a text.
///
/// # Errors
/// If the text is not valid.
pub fn module(text: &str) -> Result<Module, String> {
    let (manifest, _) = Manifest::parse(HOST);
    let library = Texts::of(TREE, "xml", text);
    let mut session = Session::new(&library, &manifest);
    let module = pleach_compile::internals::module(&mut session, &Mbt as &dyn Dialect, &[TREE.to_owned()]);
    module.ok_or_else(|| format!("{:?}", session.diagnostics.list()))
}
