//! Host with one broken callback.
//!
//! It wraps another host, and panics when a callback of one kind is called the n-th time for one
//! agent. It records the agents whose callback panicked. In a call for several agents, these are
//! all of them.

use pleach::host::{LogKind, RunawayTick};
use pleach::{Agent, Batch, Call, Function, Halt, Host, Status};
use std::collections::BTreeSet;

/// Callback that is called while agents run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callback {
    /// [`Host::act`].
    Act,
    /// [`Host::query`].
    Query,
    /// [`Host::act_all`].
    ActAll,
    /// [`Host::query_all`].
    QueryAll,
    /// [`Host::halt`].
    Halt,
    /// [`Host::log`].
    Log,
    /// [`Host::knows`].
    Knows,
    /// [`Host::ran_away`].
    RanAway,
}

impl Callback {
    /// All callbacks.
    pub const ALL: [Self; 8] = [
        Self::Act,
        Self::Query,
        Self::ActAll,
        Self::QueryAll,
        Self::Halt,
        Self::Log,
        Self::Knows,
        Self::RanAway,
    ];
}

/// Payload of a broken callback's panic, which panics itself when it is dropped.
struct Thrown;

impl Drop for Thrown {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new(()));
    }
}

/// Host that wraps another one.
#[derive(Clone, Debug)]
pub struct Fragile<H> {
    /// Wrapped host.
    pub host: H,
    /// Broken callback, its agent, and the number of calls that succeed before.
    pub broken: Option<(Callback, usize, u32)>,
    /// Agents whose callback has panicked.
    pub hurt: BTreeSet<Agent>,
    /// Agents of the current call for several agents.
    together: Vec<Agent>,
}

impl<H> Fragile<H> {
    /// Creates a host without a broken callback.
    pub fn sound(host: H) -> Self {
        Self { host, broken: None, hurt: BTreeSet::new(), together: Vec::new() }
    }

    /// Begins a callback for an agent.
    fn begins(&mut self, callback: Callback, agent: Agent) {
        let Some((broken, whose, left)) = &mut self.broken else { return };
        if *broken != callback || agent.index() != *whose {
            return;
        }
        if *left > 0 {
            *left -= 1;
            return;
        }
        self.broken = None;
        self.hurt.insert(agent);
        self.hurt.extend(self.together.drain(..));
        std::panic::panic_any(Thrown);
    }

    /// Begins a callback for several agents.
    fn begins_for_all(&mut self, callback: Callback, agents: impl Iterator<Item = Agent>) {
        self.together = agents.collect();
        for agent in self.together.clone() {
            self.begins(callback, agent);
        }
    }
}

impl<H: Host> pleach::host::HostLayer for Fragile<H> {
    type Inner = H;

    fn inner(&self) -> &H {
        &self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.begins(Callback::Knows, agent);
        self.host.knows(function, number, agent)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        self.begins(Callback::RanAway, run.agent);
        self.host.ran_away(run);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.begins(Callback::Act, call.agent);
        self.host.act(call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.begins(Callback::Query, call.agent);
        self.host.query(call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.begins(Callback::Halt, call.agent);
        self.host.halt(call, reason);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.begins(Callback::Log, agent);
        self.host.log(agent, node, kind, text);
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        self.begins_for_all(Callback::ActAll, batch.agents());
        for (index, out) in out.iter_mut().enumerate() {
            *out = batch.call(index).map_or(Status::Failure, |mut call| Host::act(self, &mut call));
        }
        self.together.clear();
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.begins_for_all(Callback::QueryAll, batch.agents());
        for (index, out) in out.iter_mut().enumerate() {
            *out = batch.call(index).map_or(0.0, |mut call| Host::query(self, &mut call));
        }
        self.together.clear();
    }
}
