//! Random modular behavior trees: texts with every node of the dialect, and a host that answers without reason.
//!
//! Few of these trees do anything sensible, but all are valid: names are declared, children are as many as they must be.
//! [`fight`] lets all engines run a tree for some agents, which are disturbed between ticks: variables are set, events come,
//! agents are reset and go.

mod tree;

use super::sides::{self, Names};
use crate::random::Case;
use pleach_compile::dialect::Dialect;
use pleach_compile::dialect::mbt::Mbt;
use pleach_compile::ir::Module;
use pleach_compile::manifest::Manifest;
use pleach_compile::session::Session;
use pleach_compile::texts::Texts;

pub(super) use tree::condition;
pub use tree::{EVENTS, VARIABLES, text};

/// The name of the tree.
pub const TREE: &str = "tree";

/// What the host has.
const HOST: &str = "action Act(name: text) hears data 5\ndecorator Around(name: text) hears data 300";

/// Runs the tree of a case on all engines; the first difference, in words, if there is one.
///
/// # Errors
/// If engines differ.
pub fn fight(case: &Case) -> Result<(), String> {
    fight_for(case, sides::TICKS)
}

/// The same for so many ticks.
///
/// # Errors
/// If engines differ.
pub fn fight_for(case: &Case, ticks: u64) -> Result<(), String> {
    let names = Names { tree: TREE, variables: &VARIABLES, events: &EVENTS };
    sides::fight(&module(&text(case))?, names, case, ticks)
}

/// Compiles a text; or tells what is wrong.
///
/// # Errors
/// If it is not valid.
pub fn module(text: &str) -> Result<Module, String> {
    let (manifest, _) = Manifest::parse(HOST);
    let library = Texts::of(TREE, "xml", text);
    let mut session = Session::new(&library, &manifest);
    let module = pleach_compile::module(&mut session, &Mbt as &dyn Dialect, &[TREE.to_owned()]);
    module.ok_or_else(|| format!("{:?}", session.diagnostics.list()))
}
