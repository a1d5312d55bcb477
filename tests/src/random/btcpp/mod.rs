//! Random trees of BehaviorTree.CPP: texts of both versions with all nodes of the library, and a
//! host with pseudorandom answers.
//!
//! All trees are valid. Entries have values before scripts read them, and most children that the
//! library must not skip cannot be skipped. Not made: several files and models, names of symbols,
//! most ports of controls and decorators that stand in entries, loops without an end, and halts of
//! the whole tree other than by the variable `@request`.

mod tree;

use super::sides::{self, Names};
use super::witness::Census;
use crate::random::Case;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

pub use tree::{nodes, text};

/// Name of the tree.
const TREE: &str = "Main";
/// Declarations of the host's leaves.
const HOST: &str = "action Act(name: text, out wake: bool)\naction Do(name: text) condition\n\
    action Read(value: int) condition\naction Long(value: int64) condition\n\
    action Say(value: text) condition\naction Maybe(value: text, value_given: bool) condition\n\
    action Give(name: text, out value: double) condition\n\
    decorator Around(name: text)\nentry z: double";
/// Variables that hosts change: what a tick is, the wake-up flag, and entries.
pub const VARIABLES: [&str; 5] = ["@request", "@wake", "x", "z", "z?"];
const NAMES: Names = Names {
    tree: TREE,
    variables: &VARIABLES,
    request: Some("@request"),
    events: &["none"],
    skips: true,
    may_fault: true,
};

/// Numbers of trees by the ends of their runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    /// Number of trees that ran to their last tick.
    pub whole: u64,
    /// Number of trees that an exception of the library ended, on all engines.
    pub faults: u64,
}

/// Runs the tree of a case on all engines, and counts its end.
///
/// # Errors
/// With the first difference between engines.
pub fn fight(case: &Case, ends: &mut Ends) -> Result<(), String> {
    let whole = sides::fight(&module(&text(case))?, NAMES, case, sides::TICKS)?;
    *(if whole { &mut ends.whole } else { &mut ends.faults }) += 1;
    Ok(())
}

/// Runs the tree of a case on all engines for a number of ticks.
///
/// # Errors
/// With the first difference between engines.
pub fn fight_for(case: &Case, ticks: u64) -> Result<(), String> {
    sides::fight(&module(&text(case))?, NAMES, case, ticks).map(drop)
}

/// Runs the tree of a case for one watched agent, and counts its instructions.
///
/// # Errors
/// If the tree is not valid.
pub fn count(case: &Case, census: &mut Census) -> Result<(), String> {
    sides::count(&module(&text(case))?, NAMES, case, census)
}

/// Compiles a text.
///
/// # Errors
/// If the text is not valid.
pub fn module(text: &str) -> Result<Module, String> {
    let (manifest, problems) = Manifest::parse(HOST);
    assert!(problems.is_empty(), "{problems:?}");
    let library = Texts::of("main", "xml", text);
    let mut session = Session::new(&library, &manifest);
    let module =
        pleach_compile::internals::module(&mut session, &BtCpp as &dyn Dialect, &["main".to_owned()]);
    module.ok_or_else(|| format!("{text}\n{:?}", session.diagnostics.list()))
}
