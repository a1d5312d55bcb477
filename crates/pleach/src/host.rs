//! The border to the game: what it is asked, and what it answers.

use crate::agents::Agent;
use crate::args::Args;
use crate::cell::{AccessError, Cell};
use crate::chunk::Chunk;
use crate::crowd::variables::column_of;
use crate::frame::{Frame, Variable};
use crate::rules::{JumpError, Rule, RunAway};
use crate::status::Status;

/// Why a running action is not going on.
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

/// What a text in an agent's log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// What a node is there to say.
    Message,
    /// That a node begins.
    Start,
    /// That a node has succeeded.
    Success,
    /// That a node has failed.
    Failure,
}

/// Which kind of function a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Gives a status.
    Action,
    /// Gives a number.
    Query,
}

/// A call of a host function for one agent.
#[derive(Debug)]
pub struct Call<'a> {
    /// Who asks.
    pub agent: Agent,
    /// The number that [`Host::resolve`] gave for the function's name.
    pub function: u32,
    /// Its arguments.
    pub args: Args<'a>,
    /// Which node asks: an id that names a place in the tree. 0 for queries.
    pub node: u32,
    /// For actions: whether it begins now, rather than going on from an earlier tick.
    pub fresh: bool,
    /// The time of the tick, in the unit of the host.
    pub now: i64,
    pub(crate) frame: &'a Frame,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lane: u8,
}

impl Call<'_> {
    /// A variable of the agent that asks.
    ///
    /// # Errors
    /// If the program has no such variable, or it has another type.
    pub fn get<T: Cell>(&self, variable: Variable) -> Result<T, AccessError> {
        let column = column_of::<T>(self.frame, variable)?;
        Ok(T::of(self.chunk.read(column, self.lane)))
    }

    /// What the node that asks has for itself, as its manifest says: bytes that are zero when it begins, and stay until it
    /// ends. Empty if it has nothing.
    pub fn data(&mut self) -> &mut [u8] {
        let rows = &self.frame.data;
        let row = rows.binary_search_by_key(&self.node, |(node, _)| u32::from(*node));
        row.map_or(&mut [], |row| self.chunk.data_mut(rows[row].1, self.lane))
    }

    /// Sets a variable of the agent that asks. The tree sees it from its next instruction on.
    ///
    /// # Errors
    /// As [`Call::get`].
    pub fn set<T: Cell>(&mut self, variable: Variable, value: T) -> Result<(), AccessError> {
        let column = column_of::<T>(self.frame, variable)?;
        self.chunk.assign(self.frame, column, self.lane, value.bits());
        Ok(())
    }

    /// The rule that the agent is at; `None` if it is at none.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        self.frame.rules.as_ref()?.current(self.chunk, self.lane)
    }

    /// Sends the agent that asks to a rule. When the call has ended, the agent goes on there: in the same tick, but in the
    /// next one if the call is one of an action that runs. Any other status of the action comes to nothing.
    ///
    /// # Errors
    /// If the agent's tree does not have the rule. The agent stays where it is.
    pub fn jump(&mut self, rule: Rule) -> Result<(), JumpError> {
        let rules = self.frame.rules.as_ref().ok_or(JumpError::NoRules)?;
        rules.jump(self.chunk, self.lane, rule)
    }

    /// The same, by the rule's id.
    ///
    /// # Errors
    /// As [`Call::jump`].
    pub fn jump_to(&mut self, id: &str) -> Result<(), JumpError> {
        let rules = self.frame.rules.as_ref().ok_or(JumpError::NoRules)?;
        rules.jump_to(self.chunk, self.lane, id)
    }
}

/// A call of one host function for many agents of a chunk, at the same place of the tree.
#[derive(Debug)]
pub struct Batch<'a> {
    /// See [`Call::function`].
    pub function: u32,
    /// The arguments, the same for all.
    pub args: Args<'a>,
    /// See [`Call::node`].
    pub node: u32,
    /// See [`Call::now`].
    pub now: i64,
    /// The agents, with whether each begins now.
    pub agents: &'a [(Agent, bool)],
    pub(crate) frame: &'a Frame,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lanes: &'a [u8],
}

impl Batch<'_> {
    /// The call for the agent at `index` of [`Batch::agents`]; `None` behind the last.
    pub fn call(&mut self, index: usize) -> Option<Call<'_>> {
        let (agent, fresh) = *self.agents.get(index)?;
        let lane = *self.lanes.get(index)?;
        let Self { function, args, node, now, frame, .. } = *self;
        Some(Call { agent, function, args, node, fresh, now, frame, chunk: self.chunk, lane })
    }
}

/// The game, as trees see it.
///
/// Implement it, or bind closures by name with [`crate::Bindings`]. Within a tick, what it answers for an agent may
/// depend on that agent's earlier calls, not on other agents' calls of the same tick: the order of agents is not
/// promised, that of an agent's own calls is.
pub trait Host {
    /// The number for a function's name, which calls then carry; `None` if there is no such function. Asked once for
    /// each name, when a program is linked.
    fn resolve(&self, function: Function, name: &str) -> Option<u32>;

    /// Names of functions of this kind, for suggestions when one is unknown.
    fn names(&self, _function: Function) -> Vec<String> {
        Vec::new()
    }

    /// Whether there is a function for this agent, by its number. In dialects where a tree may name what a host does not have,
    /// an action that is not there fails; a query that is not there should answer 0.
    fn knows(&mut self, _function: Function, _number: u32, _agent: Agent) -> bool {
        true
    }

    /// More rules have run in a tick than may: the tick is a fault, and this is what became of it.
    fn ran_away(&mut self, _run: &RunAway<'_>) {}

    /// Acts for one agent. A node around a child is asked once, when it begins: running lets the child begin.
    fn act(&mut self, call: &mut Call<'_>) -> Status;

    /// Answers a question about one agent.
    fn query(&mut self, call: &mut Call<'_>) -> f64;

    /// An action that was running will not go on; or a node around a child, which has ended or will not go on.
    /// `call.function` and `call.args` are those of the action or node.
    fn halt(&mut self, _call: &mut Call<'_>, _reason: Halt) {}

    /// A tree writes a text to the log of an agent. `node` is the id of the node that does.
    fn log(&mut self, _agent: Agent, _node: u32, _kind: LogKind, _text: &[u8]) {}

    /// Acts for many agents: `out` has a place for each. The default asks one by one. The scalar engine has one agent at
    /// a time and calls [`Host::act`]; this is the form for an engine that has many.
    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        for (index, out) in out.iter_mut().enumerate() {
            if let Some(mut call) = batch.call(index) {
                *out = self.act(&mut call);
            }
        }
    }

    /// Answers for many agents: `out` has a place for each. The default asks one by one. See [`Host::act_all`].
    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        for (index, out) in out.iter_mut().enumerate() {
            if let Some(mut call) = batch.call(index) {
                *out = self.query(&mut call);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Agents, Place};

    /// Answers with what it is asked: fresh agents succeed, even indices answer 1.
    struct Echo;

    impl Host for Echo {
        fn resolve(&self, _: Function, _: &str) -> Option<u32> {
            Some(0)
        }

        fn act(&mut self, call: &mut Call<'_>) -> Status {
            if call.fresh { Status::Success } else { Status::Other(call.now as i32) }
        }

        fn query(&mut self, call: &mut Call<'_>) -> f64 {
            f64::from(call.agent.index().is_multiple_of(2))
        }
    }

    #[test]
    fn many_agents_are_asked_one_by_one() {
        let frame = Frame::default();
        let mut chunk = Chunk::new(&frame, 0);
        let mut table = Agents::default();
        let agents: Vec<_> = (0..3)
            .map(|lane| (table.add(Place { chunk: 0, lane }).expect("there is room"), lane != 1))
            .collect();
        let args = Args { values: &[], strings: &[] };
        let (agents, lanes) = (&agents[..], &[0, 1, 2][..]);
        let mut batch =
            Batch { function: 0, args, node: 1, now: 7, agents, frame: &frame, chunk: &mut chunk, lanes };
        let mut statuses = [Status::Failure; 3];
        Echo.act_all(&mut batch, &mut statuses);
        assert_eq!(statuses, [Status::Success, Status::Other(7), Status::Success]);
        let mut answers = [0.5; 4];
        Echo.query_all(&mut batch, &mut answers);
        assert_eq!(answers, [1.0, 0.0, 1.0, 0.5]);
        assert!(batch.call(3).is_none());
    }
}
