//! The border to the game: what it is asked, and what it answers.

pub(crate) mod around;
mod bindings;
pub(crate) mod call;
pub(crate) mod hook;
pub(crate) mod panics;
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
    /// Something else began in its place, or a node that watches over it ended it.
    Interrupted,
    /// Of a node of the host around a child: the child has ended.
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
    /// Gives a status.
    Action,
    /// Gives a number.
    Query,
}

/// Dependence of an answer within a tick, and the state that the answer may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Depends on the agent's variables and arguments, and changes nothing.
    Pure,
    /// Depends on what was there before the tick and on the agent's own earlier calls, and changes only what concerns that
    /// agent.
    #[default]
    Own,
    /// Depends on what other agents have asked for in this tick. A program with such a function runs agent by agent, see
    /// [`crate::engine::TickOrder`].
    World,
}

/// The game, as trees see it.
///
/// Implement it, or bind closures by name with [`crate::Bindings`]. Within a tick, what it answers for an agent may
/// depend on that agent's earlier calls, not on other agents' calls of the same tick: the order of agents is not
/// promised, that of an agent's own calls is. For functions that break this, [`Host::effect`] says so.
pub trait Host {
    /// The number for a function's name, which calls then carry; `None`, or [`u32::MAX`], if there is no such function. Asked
    /// once for each name, when a program is linked.
    fn resolve(&self, function: Function, name: &str) -> Option<u32>;

    /// Names of functions of this kind, for suggestions when one is unknown.
    fn names(&self, _function: Function) -> Vec<String> {
        Vec::new()
    }

    /// Returns the dependence of a function's answers. Asked once for each function, when a program
    /// is linked.
    fn effect(&self, _kind: Function, _function: u32) -> Effect {
        Effect::Own
    }

    /// The type of a column that has the answers of a query, if there is one: then it is not asked, but read there. Looked up
    /// once for each query, when a program is linked; it concerns calls without arguments.
    ///
    /// The column is that of the program's variable of the query's name. If the program declares none, its agents get one,
    /// which [`crate::Program::variable`] finds. Keeping the values right is the host's business, by [`crate::Crowd::columns_mut`].
    fn column(&self, _query: u32) -> Option<Type> {
        None
    }

    /// Whether there is a function for this agent, by its number. In dialects where a tree may name what a host does not have,
    /// an action that is not there fails; a query that is not there should answer 0.
    fn knows(&mut self, _function: Function, _number: u32, _agent: Agent) -> bool {
        true
    }

    /// More rules have run in a tick than may: the tick is a fault, and this is what became of it.
    fn ran_away(&mut self, _run: &RunawayTick<'_>) {}

    /// Acts for one agent. A node around a child is asked once, when it begins: running lets the child begin.
    fn act(&mut self, call: &mut Call<'_>) -> Status;

    /// Answers a question about one agent.
    fn query(&mut self, call: &mut Call<'_>) -> f64;

    /// An action that was running will not go on; or a node around a child, which has ended or will not go on.
    /// `call.function` and `call.args` are those of the action or node.
    fn halt(&mut self, _call: &mut Call<'_>, _reason: Halt) {}

    /// Says in words what an action is about, or a node around a child, that was just asked to act: for those who watch the
    /// agent. Nobody is asked for what nobody reads, and what is written has no effect.
    fn describe(&mut self, _call: &mut Call<'_>, _out: &mut dyn fmt::Write) {}

    /// A tree writes a text to the log of an agent. `node` is the id of the node that does.
    fn log(&mut self, _agent: Agent, _node: u32, _kind: LogKind, _text: &[u8]) {}

    /// Acts for many agents of whom all get the same answer. `None`, with nothing done, lets [`Host::act_all`] be asked instead, as
    /// the default does. The batch engine asks this first: where an answer for each is neither written down nor looked at, a
    /// call of a short action takes little more than the action.
    fn act_alike(&mut self, _batch: &mut Batch<'_>) -> Option<Status> {
        None
    }

    /// Acts for many agents: `out` has a place for each, [`Status::Failure`] at first. The default asks one by one. The
    /// scalar engine has one agent at a time and calls [`Host::act`]; this is what the batch engine calls, which has many.
    /// A panic is the fault of all agents of the call.
    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        batch.each(out, |call| self.act(call));
    }

    /// Answers for many agents: `out` has a place for each. The default asks one by one. See [`Host::act_all`].
    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| self.query(call));
    }
}
