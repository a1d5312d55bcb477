//! The engines that cases are run on, behind one seam.
//!
//! An [`Engine`] makes a module runnable; the [`Crowd`] it gives back holds some agents of it. What the agents ask of
//! the world comes back through [`World`], which the dialect of the case implements once for all engines. An engine
//! more is a file here and a line in [`ENGINES`].

mod reference;
mod scalar;

use pleach_compile::ir::{Module, NodeIndex, Outcome};

/// All engines, in the order of their report lines.
pub const ENGINES: &[&dyn Engine] = &[&reference::ReferenceEngine, &scalar::ScalarEngine];

/// Something that can run a module.
pub trait Engine: Sync {
    /// Its name in report lines.
    fn name(&self) -> &'static str;
    /// A crowd of this many agents, just spawned; or why the engine cannot run the module.
    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Result<Box<dyn Crowd + 'm>, String>;
}

/// Some agents of one module.
pub trait Crowd {
    /// Runs an entry (index in [`Module::entries`]) once for one agent; or the fault it ended with.
    fn tick(
        &mut self,
        agent: usize,
        entry: usize,
        now: i64,
        world: &mut dyn World,
    ) -> Result<Outcome, String>;
    /// Resets the agent's behavior.
    fn reset(&mut self, agent: usize);
    /// Sets a flag of the agent by name. Modules without that flag have no use for it.
    fn set_flag(&mut self, agent: usize, name: &str, value: bool);
    /// The agent's running set, in the order of insertion.
    fn running(&self, agent: usize) -> Vec<NodeIndex>;
}

/// The host's side of a case.
pub trait World {
    /// Lets an agent act.
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome;
    /// Answers an agent's question.
    fn query(&mut self, agent: usize, call: &Call<'_>) -> f64;
}

/// A host function, called with arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Its canonical name.
    pub name: &'a [u8],
    /// Its arguments.
    pub args: &'a [Arg<'a>],
    /// For actions: whether this was not the running action before.
    pub fresh: bool,
    /// The node that calls, if the engine knows.
    pub node: Option<NodeIndex>,
}

/// An argument, free of any engine's symbols.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arg<'a> {
    /// An integer.
    Int(i32),
    /// A float.
    Float(f32),
    /// A string of bytes.
    Text(&'a [u8]),
}
