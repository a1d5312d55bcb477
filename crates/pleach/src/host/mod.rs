//! The game, as trees see it: the trait [`Host`], closures in its
//! place, calls, layers around hosts.

pub(crate) mod arguments;
pub(crate) mod around;
mod bindings;
pub(crate) mod call;
pub(crate) mod hook;
pub(crate) mod panics;
#[doc(hidden)]
pub mod ready;

pub use around::HostLayer;
pub use bindings::Bindings;
pub use call::{Batch, Call};
pub(crate) use hook::{ForestHost, Hook, HookKind};

pub use crate::store::RunawayTick;

use crate::values::{Agent, Status, Type};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Reason why a running action does not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Halt {
    /// The agent's behavior was reset.
    Reset,
    /// The agent was switched to another tree.
    Switched,
    /// The agent was despawned.
    Despawned,
    /// Another action began in its place, or a node that watches over it ended it.
    Interrupted,
    /// The child of a node of the host has ended.
    Ended,
}

/// Kind of a text in an agent's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// Message of a log node.
    Message,
    /// Start of a node.
    Start,
    /// Success of a node.
    Success,
    /// Failure of a node.
    Failure,
}

/// Kind of a function of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Function that returns a status.
    Action,
    /// Function that returns a number.
    Query,
}

/// Effect of a function of the host: the data on which its answer depends within a tick, and the
/// data that it may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Depends on the agent's variables and arguments, and changes nothing.
    Pure,
    /// Depends also on the state before the tick and on the agent's own earlier calls, and changes
    /// only state of that agent.
    #[default]
    Own,
    /// Depends also on the calls of other agents in this tick. A program with such a function runs
    /// agent by agent, see [`TickOrder`](crate::engine::TickOrder).
    World,
}

/// The game, as trees see it.
///
/// Implement it, or bind closures by name with [`Bindings`]. Within a tick, what
/// it answers for an agent may depend on that agent's earlier calls, not on other agents' calls of
/// the same tick: the order of agents is not promised, that of an agent's own calls is. For
/// functions that break this, [`Host::effect`] says so.
pub trait Host {
    /// Returns the number of a function, by its name. Calls carry this number. `None` or
    /// [`u32::MAX`] means that there is no such function. Called once for each name, when a program
    /// is linked.
    fn resolve(&self, function: Function, name: &str) -> Option<u32>;

    /// Returns the names of all functions of a kind, for suggestions in errors.
    fn names(&self, _function: Function) -> Vec<String> {
        Vec::new()
    }

    /// Returns the dependence of a function's answers. Asked once for each function, when a program
    /// is linked.
    fn effect(&self, _kind: Function, _function: u32) -> Effect {
        Effect::Own
    }

    /// Returns the type of the column that has the answers of a query; `None` if the query is to be
    /// called. The tree then reads the column instead of calling the query. Asked once for each
    /// query, when a program is linked, and used for calls without arguments.
    ///
    /// The column is that of the program's variable of the query's name. If the program declares
    /// none, its agents get one, which [`Program::variable`](crate::Program::variable) finds.
    /// Keeping the values right is the host's business, by
    /// [`Crowd::columns_mut`](crate::Crowd::columns_mut).
    fn column(&self, _query: u32) -> Option<Type> {
        None
    }

    /// Returns true if the host has a function for this agent. In dialects whose trees may name
    /// functions that a host lacks, a missing action fails, and a missing query should answer 0.
    fn knows(&mut self, _function: Function, _number: u32, _agent: Agent) -> bool {
        true
    }

    /// Hears that an agent's tick was cut short, because more rules ran than the step limit allows.
    fn ran_away(&mut self, _run: &RunawayTick<'_>) {}

    /// Performs an action for one agent. A node of the host around a child is asked once, when it
    /// begins; [`Status::Running`] lets the child begin.
    fn act(&mut self, call: &mut Call<'_>) -> Status;

    /// Answers a query for one agent. For a query that is asked for a boolean, 0 is false, and any
    /// other number is true.
    fn query(&mut self, call: &mut Call<'_>) -> f64;

    /// Hears that a running action does not continue, or that a node of the host around a child has
    /// ended or does not continue. `call.function` and `call.args` are those of the action or node.
    fn halt(&mut self, _call: &mut Call<'_>, _reason: Halt) {}

    /// Writes a description of the action or node that was just asked, for observers of the agent.
    /// Called only if an observer reads it. The text has no effect on the run.
    fn describe(&mut self, _call: &mut Call<'_>, _out: &mut dyn fmt::Write) {}

    /// Hears that a tree writes a text to the log of an agent. `node` is the id of the node.
    fn log(&mut self, _agent: Agent, _node: u32, _kind: LogKind, _text: &[u8]) {}

    /// Performs an action for many agents that all get the same answer. If this returns `None` and
    /// does nothing, as by default, [`Host::act_all`] is called instead. The batch engine calls
    /// this first: one answer for all agents costs less than one for each.
    fn act_alike(&mut self, _batch: &mut Batch<'_>) -> Option<Status> {
        None
    }

    /// Performs an action for many agents. `out[i]` is the answer for
    /// [`batch.agent(i)`](Batch::agent), at first [`Status::Failure`]. The default calls
    /// [`Host::act`] for each agent. Only the batch engine calls this, and
    /// [`Engine::Auto`](crate::engine::Engine::Auto) chooses an engine for each chunk: so it
    /// must do what [`Host::act`] does for each agent. A host that only has functions for
    /// many agents makes a batch of a call by [`Call::alone`]. If this panics, the ticks of
    /// all its agents end with a fault.
    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        batch.each(out, |call| self.act(call));
    }

    /// Answers a query for many agents. `out[i]` is the answer for
    /// [`batch.agent(i)`](Batch::agent), at first 0. The default calls [`Host::query`] for each
    /// agent. See [`Host::act_all`].
    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| self.query(call));
    }
}
