//! The engines that cases are run on, behind one interface.
//!
//! An [`Engine`] makes a module runnable. It returns a [`Crowd`], which holds some agents of
//! the module, each ticked by itself. A [`Society`] holds agents that are ticked together,
//! because they share variables and raise events for each other. Their calls go to a
//! [`World`], which the form of the case implements once for all engines. A further engine is
//! a file here and a line in [`ENGINES`].

mod batch;
#[expect(unsafe_code, reason = "calls functions as C does")]
mod capi;
mod grove;
mod reference;
mod reference_walker;
pub(crate) mod scalar;
mod scalar_walker;
pub mod walker;

pub use crate::reference::{Halt, LogKind, Whom};
pub use grove::Grove;

use crate::general::general;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
use walker::Walkers;

/// All engines, in the order of their report lines.
pub const ENGINES: &[&dyn Engine] =
    &[&reference::ReferenceEngine, &scalar::ScalarEngine, &batch::BatchEngine, &capi::CEngine];

/// Agents of a module, or the reason why an engine cannot run the module.
pub type Made<T> = Result<Box<T>, String>;

/// Result of a tick, or the fault it ended with.
pub type Ticked<T> = Result<T, String>;

/// Fault of a tick that neither ends by itself nor by a panic of the host: too many rounds of a
/// loop, or an exception of the library that a dialect is from.
pub const FAULT: &str = "the tick ended with a fault: Fuel";

/// Something that can run a module.
pub trait Engine: Sync {
    /// Its name in report lines.
    fn name(&self) -> &'static str;
    /// Returns a crowd of this many agents, just spawned; or why the engine cannot run the module.
    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Crowd + 'm>;
    /// Agents that share a world, just spawned; or why the engine cannot run the module.
    fn settle<'m>(&self, module: &'m Module, settlers: &Settlers<'_>) -> Made<dyn Society + 'm>;
    /// Agents of the first entry that are at a rule, just spawned; or why the
    /// engine cannot run the module.
    fn walk<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Walkers + 'm>;
    /// Returns the forests of the module, with no tree loaded, or the reason why
    /// the engine cannot run them.
    fn plant<'m>(&self, module: &'m Module) -> Made<dyn Grove + 'm>;
}

/// Agents of a society when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Settlers<'a> {
    /// The group of each agent.
    pub groups: &'a [u32],
    /// The entry that all run.
    pub entry: &'a str,
    /// Seed of all draws.
    pub seed: u64,
    /// Result of every draw, in place of a random one.
    pub chance: Option<f64>,
}

/// Agents that share a world.
pub trait Society {
    /// Ticks all agents; or the fault it ended with. Agents that are gone fail.
    fn tick(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<Outcome>>;
    /// Ticks all agents, each with a watcher if the engine has watchers.
    fn tick_watched(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<Outcome>> {
        self.tick(now, world)
    }
    /// An agent goes.
    fn despawn(&mut self, agent: usize, now: i64, world: &mut dyn World);
    /// Resets an agent's behavior.
    fn reset(&mut self, agent: usize, now: i64, world: &mut dyn World);
    /// Lets an agent run another entry, which must exist.
    fn switch(&mut self, agent: usize, entry: &str, now: i64, world: &mut dyn World);
    /// Raises an event, which must exist.
    fn raise(&mut self, event: &str, whom: Whom, now: i64, world: &mut dyn World);
    /// Returns the value of a variable of the agent, its group or the world. A boolean is 1 or 0.
    fn get(&self, agent: usize, name: &str) -> Option<f64>;
    /// Writes a variable, which must exist.
    fn set(&mut self, agent: usize, name: &str, value: f64);
}

/// Some agents of one module.
pub trait Crowd {
    /// Runs an entry (index in [`Module::entries`]) once for one agent; or the fault it ended with.
    fn tick(&mut self, agent: usize, entry: usize, now: i64, world: &mut dyn World) -> Ticked<Outcome>;
    /// Resets the agent's behavior.
    fn reset(&mut self, agent: usize);
    /// Sets a flag of the agent by name. Modules without that flag have no use for it.
    fn set_flag(&mut self, agent: usize, name: &str, value: bool);
    /// Returns the agent's running set, in the order of insertion.
    fn running(&self, agent: usize) -> Vec<NodeIndex>;
}

/// The host's side of a case.
pub trait World {
    /// Lets an agent act.
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome;
    /// Gives a value by an out argument of an action that has just answered, by its place among the
    /// arguments.
    fn give(&mut self, _agent: usize, _call: &Call<'_>, _place: usize) -> Option<f64> {
        None
    }
    /// Answers an agent's question.
    fn query(&mut self, agent: usize, call: &Call<'_>) -> f64;
    /// Notes that a node has ended in an agent's tick, on engines that report it.
    fn ended(&mut self, _agent: usize, _node: NodeIndex, _outcome: Outcome) {}
    /// Notes that the status that a node keeps has changed, on engines that report it.
    fn changed(&mut self, _agent: usize, _node: NodeIndex, _from: u8, _to: u8) {}
    /// Notes that an agent's action is halted.
    fn halt(&mut self, _agent: usize, _call: &Call<'_>, _why: Halt) {}
    /// Notes a text that is written to an agent's log.
    fn log(&mut self, _agent: usize, _kind: LogKind, _text: &[u8]) {}
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
    /// A 64-bit integer or an entity.
    Int64(i64),
    /// A 64-bit float.
    Double(f64),
    /// A string of bytes.
    Text(&'a [u8]),
    /// An out argument.
    Out,
}

impl Arg<'_> {
    /// Returns an argument in the notation of the cases: integers plain, floats as C's `%.9g` with
    /// an `f` behind, 64-bit integers with an `l` behind, doubles as `%.17g`, strings as in JSON.
    #[must_use]
    pub fn written(&self, text: impl Fn(&[u8]) -> String) -> String {
        match *self {
            Self::Int(int) => int.to_string(),
            Self::Float(float) => general(float.into(), 9) + "f",
            Self::Int64(int) => format!("{int}l"),
            Self::Double(double) => general(double, 17),
            Self::Out => "out".to_owned(),
            Self::Text(bytes) => serde_json::Value::String(text(bytes)).to_string(),
        }
    }
}

impl Call<'_> {
    /// Returns the function with its arguments; without parentheses if there is nothing in them.
    #[must_use]
    pub fn written(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let args: Vec<_> = self.args.iter().map(|arg| arg.written(text)).collect();
        let name = text(self.name);
        if args.is_empty() { name } else { format!("{name}({})", args.join(",")) }
    }
}
