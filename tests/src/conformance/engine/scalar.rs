//! The scalar engine of the runtime, by the whole way: image, verifier, linking, crowd.

use super::grove::{Grove, Planted};
use super::walker::Walkers;
use super::{Arg, Engine, Made, Settlers, Ticked, Whom, World, scalar_walker};
use pleach::host::LogKind;
use pleach::values::TunableScope;
use pleach::watch::Watch;
use pleach::{
    Agent, Call, Event, EventTarget, Function, Group, Halt, Host, Image, Outcome, Program, Status, Value,
};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{self, Module, NodeIndex};
use std::collections::BTreeMap;

/// See [`pleach::Crowd`].
pub(super) struct ScalarEngine;

impl Engine for ScalarEngine {
    fn name(&self) -> &'static str {
        "scalar"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn super::Crowd + 'm> {
        Ok(Box::new(Agents::new(module, agents, pleach::engine::Engine::Scalar)?))
    }

    fn settle<'m>(&self, module: &'m Module, settlers: &Settlers<'_>) -> Made<dyn super::Society + 'm> {
        let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        Ok(Box::new(Society::new(&image, settlers)?.on(pleach::engine::Engine::Scalar)))
    }

    fn walk<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Walkers + 'm> {
        Ok(Box::new(scalar_walker::Agents::new(module, agents, pleach::engine::Engine::Scalar)?))
    }

    fn plant<'m>(&self, module: &'m Module) -> Made<dyn Grove + 'm> {
        Ok(Box::new(Planted::new(module, pleach::engine::Engine::Scalar)?))
    }
}

/// Returns the image as a program, and the functions that it names, in the order of their numbers.
pub(super) fn link(image: &Image) -> Result<(Program, Vec<String>), String> {
    let names: Vec<_> = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
    let program = Program::link(image, &Caller { names: &names, world: None });
    Ok((program.map_err(|error| error.to_string())?, names))
}

pub(super) struct Agents {
    crowd: pleach::Crowd,
    names: Vec<String>,
    entries: Vec<String>,
    agents: Vec<Agent>,
}

impl Agents {
    /// Agents of a module, just spawned, on an engine of the runtime.
    pub(super) fn new(
        module: &Module,
        agents: usize,
        engine: pleach::engine::Engine,
    ) -> Result<Self, String> {
        let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let (program, names) = link(&image)?;
        let entries: Vec<String> = program.entries().map(str::to_owned).collect();
        let mut crowd = pleach::Crowd::new(&program).with_engine(engine);
        let first = entries.first().ok_or("the image has no entry")?;
        let agents: Result<_, _> = (0..agents).map(|_| crowd.spawn(first)).collect();
        let agents = agents.map_err(|error| error.to_string())?;
        Ok(Self { crowd, names, entries, agents })
    }
}

impl super::Crowd for Agents {
    fn tick(&mut self, agent: usize, entry: usize, now: i64, world: &mut dyn World) -> Ticked<ir::Outcome> {
        let mut host = Caller { names: &self.names, world: Some(world) };
        let entry = &self.entries[entry];
        let outcome = self.crowd.tick_entry(self.agents[agent], entry, now, &mut host);
        came_to(Some(outcome.map_err(|error| error.to_string())?))
    }

    fn reset(&mut self, agent: usize) {
        let mut host = Caller { names: &self.names, world: None };
        let reset = self.crowd.reset(self.agents[agent], 0, &mut host);
        assert_eq!(reset, Ok(()), "agents of a case are never despawned");
    }

    fn set_flag(&mut self, agent: usize, name: &str, value: bool) {
        if let Some(variable) = self.crowd.program().variable(name) {
            let set = self.crowd.set(self.agents[agent], variable, value);
            assert_eq!(set, Ok(()), "agents of a case are never despawned");
        }
    }

    fn running(&self, agent: usize) -> Vec<NodeIndex> {
        let running = self.crowd.inspect().running_set(self.agents[agent]);
        running.unwrap_or_default().iter().map(|id| NodeIndex::from(*id) - 1).collect()
    }
}

/// Returns the result of a tick.
fn came_to(outcome: Option<Outcome>) -> Ticked<ir::Outcome> {
    match outcome {
        Some(Outcome::Status(status)) => Ok(lower(status)),
        Some(Outcome::Fault(why)) => Err(format!("the tick ended with a fault: {why:?}")),
        None => Err("the agent was not ticked".to_owned()),
    }
}

/// Agents that share a world.
pub(crate) struct Society {
    crowd: pleach::Crowd,
    names: Vec<String>,
    /// Each agent with its group.
    agents: Vec<(Agent, Group)>,
    /// Groups by their numbers in the case.
    groups: BTreeMap<u32, Group>,
}

impl Society {
    /// Agents of an image, just spawned.
    pub(crate) fn new(image: &Image, settlers: &Settlers<'_>) -> Result<Self, String> {
        let (program, names) = link(image)?;
        let mut crowd = pleach::Crowd::new(&program).with_seed(settlers.seed);
        if let Some(chance) = settlers.chance {
            crowd = crowd.with_fixed_chance(chance);
        }
        let groups = BTreeMap::from([(0, Group::default())]);
        let mut society = Self { crowd, names, agents: Vec::new(), groups };
        settlers.groups.iter().try_for_each(|group| society.spawn(settlers.entry, *group))?;
        Ok(society)
    }

    /// Returns the same agents on another engine of the runtime.
    pub(super) fn on(self, engine: pleach::engine::Engine) -> Self {
        Self { crowd: self.crowd.with_engine(engine), ..self }
    }

    /// Ticks the agents one by one, each with a watcher, and passes the watchers on.
    pub(crate) fn tick_watched<W: Watch>(
        &mut self,
        now: i64,
        world: &mut dyn World,
        watch: &mut W,
        mut look: impl FnMut(&mut W, usize, &mut dyn World) -> Result<(), String>,
    ) -> Ticked<Vec<ir::Outcome>> {
        let mut outcomes = Vec::new();
        for (index, (agent, _)) in self.agents.iter().enumerate() {
            let mut host = Caller { names: &self.names, world: Some(world) };
            let outcome = match self.crowd.tick_agent(*agent, now, &mut host, watch) {
                Ok(outcome) => came_to(Some(outcome)),
                Err(pleach::StaleAgent) => Ok(ir::Outcome::Failure),
            };
            // A tick that ends with a fault has been watched, too.
            look(watch, index, world)?;
            outcomes.push(outcome?);
        }
        self.crowd.end_tick(now, &mut Caller { names: &self.names, world: Some(world) });
        Ok(outcomes)
    }

    fn spawn(&mut self, entry: &str, number: u32) -> Result<(), String> {
        let agent = self.crowd.spawn(entry).map_err(|error| error.to_string())?;
        let group = self.group(number).map_err(|error| error.to_string())?;
        self.crowd.join(agent, group).map_err(|error| error.to_string())?;
        self.agents.push((agent, group));
        Ok(())
    }

    fn group(&mut self, number: u32) -> Result<Group, pleach::AccessError> {
        if let Some(group) = self.groups.get(&number) {
            return Ok(*group);
        }
        let group = self.crowd.add_group()?;
        self.groups.insert(number, group);
        Ok(group)
    }
}

impl super::Society for Society {
    fn tick(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<ir::Outcome>> {
        self.crowd.tick(now, &mut Caller { names: &self.names, world: Some(world) });
        let outcome = |(agent, _): &(Agent, Group)| match self.crowd.outcome(*agent) {
            Ok(outcome) => came_to(outcome),
            Err(pleach::StaleAgent) => Ok(ir::Outcome::Failure),
        };
        self.agents.iter().map(outcome).collect()
    }

    fn tick_watched(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<ir::Outcome>> {
        let tell = |changes: &mut Changes, agent: usize, world: &mut dyn World| {
            for (node, from, to) in changes.0.drain(..) {
                world.changed(agent, node, from, to);
            }
            Ok(())
        };
        Self::tick_watched(self, now, world, &mut Changes::default(), tell)
    }

    fn despawn(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        let mut host = Caller { names: &self.names, world: Some(world) };
        self.crowd.despawn(self.agents[agent].0, now, &mut host).expect("the agent is there");
    }

    fn reset(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        let mut host = Caller { names: &self.names, world: Some(world) };
        self.crowd.reset(self.agents[agent].0, now, &mut host).expect("the agent is there");
    }

    fn switch(&mut self, agent: usize, entry: &str, now: i64, world: &mut dyn World) {
        let mut host = Caller { names: &self.names, world: Some(world) };
        self.crowd.switch(self.agents[agent].0, entry, now, &mut host).expect("agent and entry are there");
    }

    fn raise(&mut self, event: &str, whom: Whom, now: i64, world: &mut dyn World) {
        let event: Event = self.crowd.program().event(event).expect("the event is there");
        let to = match whom {
            Whom::Agent(agent) => EventTarget::Agent(self.agents[agent].0),
            Whom::Group(number) => EventTarget::Group(self.group(number).expect("groups of a case are few")),
            Whom::All => EventTarget::All,
        };
        let mut host = Caller { names: &self.names, world: Some(world) };
        self.crowd.raise(event, to, now, &mut host).expect("agent and group are there");
    }

    fn get(&self, agent: usize, name: &str) -> Option<f64> {
        let (agent, group) = self.agents[agent];
        let program = self.crowd.program();
        match program.variable(name) {
            Some(variable) => self.crowd.number(agent, variable).ok(),
            None => match program.shared(name) {
                Some(variable) => self.crowd.shared(variable, group).ok(),
                None => self.crowd.tuned(name).or_else(|_| self.crowd.tuned_agent(agent, name)).ok(),
            },
        }
    }

    fn set(&mut self, agent: usize, name: &str, value: f64) {
        let (agent, group) = self.agents[agent];
        let tunables = self.crowd.program().tunables();
        if let Some(scope) = tunables.iter().find(|it| *it.name == *name).map(|it| it.scope) {
            let tuned = match scope {
                TunableScope::Crowd => self.crowd.tune(name, value),
                TunableScope::Agent => self.crowd.tune_agent(agent, name, value),
            };
            return tuned.expect("the value is in its range");
        }
        let (own, shared) = (self.crowd.program().variable(name), self.crowd.program().shared(name));
        let set = match (own, shared) {
            (Some(variable), _) => self.crowd.set_number(agent, variable, value),
            (None, Some(variable)) => self.crowd.set_shared(variable, group, value),
            (None, None) => Err(pleach::AccessError::NoVariable),
        };
        set.expect("agent and variable are there");
    }
}

/// Watcher that notes the changes of the statuses of nodes.
#[derive(Default)]
struct Changes(Vec<(NodeIndex, u8, u8)>);

impl Watch for Changes {
    fn changed(&mut self, node: u32, from: u8, to: u8) {
        self.0.push((node - 1, from, to));
    }
}

/// Hands agents' calls on to the world. A function's number is its place among the names.
struct Caller<'a> {
    names: &'a [String],
    /// None while there is nothing to call.
    world: Option<&'a mut dyn World>,
}

impl Caller<'_> {
    fn ask<T>(
        &mut self,
        call: &Call<'_>,
        ask: impl FnOnce(&mut dyn World, usize, &super::Call<'_>) -> T,
    ) -> T {
        let args: Vec<_> = (0..call.args.len()).map(|index| arg_at(call, index)).collect();
        let name = self.names[call.function as usize].as_bytes();
        let node = call.node.checked_sub(1);
        let world = self.world.as_deref_mut().expect("functions are called in ticks");
        ask(world, call.agent.index(), &super::Call { name, args: &args, fresh: call.fresh, node })
    }
}

impl Host for Caller<'_> {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let outcome = self.ask(call, |world, agent, call| world.act(agent, call));
        for place in (0..call.args.len()).filter(|place| call.args.is_out(*place)).collect::<Vec<_>>() {
            let given = self.ask(call, |world, agent, call| world.give(agent, call, place));
            if let Some(number) = given {
                call.give_number(place, number).expect("it is an out argument");
            }
        }
        raise(outcome)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let answer = self.ask(call, |world, agent, call| world.query(agent, call));
        // Some queries give their answers by out arguments. Of a vector, the last part is the
        // answer, and each part before it one more than the next.
        let places = (0..call.args.len()).rev().take_while(|place| call.args.is_out(*place));
        for (more, place) in places.collect::<Vec<_>>().into_iter().enumerate() {
            call.give_number(place, answer + more as f64).expect("it is an out argument");
        }
        answer
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let reason = match reason {
            Halt::Interrupted => super::Halt::Interrupted,
            Halt::Reset => super::Halt::Reset,
            Halt::Switched => super::Halt::Switched,
            Halt::Despawned => super::Halt::Despawned,
            Halt::Ended => super::Halt::Ended,
        };
        if self.world.is_some() {
            self.ask(call, |world, agent, call| world.halt(agent, call, reason));
        }
    }

    fn log(&mut self, agent: Agent, _: u32, kind: LogKind, text: &[u8]) {
        let kind = match kind {
            LogKind::Message => super::LogKind::Message,
            LogKind::Start => super::LogKind::Start,
            LogKind::Success => super::LogKind::Success,
            LogKind::Failure => super::LogKind::Failure,
        };
        if let Some(world) = self.world.as_deref_mut() {
            world.log(agent.index(), kind, text);
        }
    }
}

fn arg_at<'a>(call: &Call<'a>, index: usize) -> Arg<'a> {
    if call.args.is_out(index) { Arg::Out } else { call.args.get(index).map_or(Arg::Int(0), arg) }
}

pub(super) fn arg(value: Value<'_>) -> Arg<'_> {
    match value {
        Value::Int(int) => Arg::Int(int),
        Value::Float(float) => Arg::Float(float),
        Value::Int64(int) => Arg::Int64(int),
        Value::Double(double) => Arg::Double(double),
        Value::Entity(entity) => Arg::Int64(entity.0 as i64),
        Value::Text(text) => Arg::Text(text),
    }
}

pub(super) fn lower(status: Status) -> ir::Outcome {
    match status {
        Status::Failure => ir::Outcome::Failure,
        Status::Success => ir::Outcome::Success,
        Status::Running => ir::Outcome::Running,
        Status::Other(number) => ir::Outcome::Other(number),
    }
}

pub(super) fn raise(outcome: ir::Outcome) -> Status {
    match outcome {
        ir::Outcome::Failure => Status::Failure,
        ir::Outcome::Success => Status::Success,
        ir::Outcome::Running => Status::Running,
        ir::Outcome::Other(number) => Status::Other(number),
    }
}
