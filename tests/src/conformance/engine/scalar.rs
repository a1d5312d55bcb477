//! The scalar engine of the runtime, by the whole way: image, verifier, linking, crowd.

use super::{Arg, Engine, World};
use pleach::{Agent, Call, Function, Host, Image, Outcome, Program, Status, Value};
use pleach_compile::emit;
use pleach_compile::ir::{self, Module, NodeIndex};

/// See [`pleach::Crowd`].
pub(super) struct ScalarEngine;

impl Engine for ScalarEngine {
    fn name(&self) -> &'static str {
        "scalar"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Result<Box<dyn super::Crowd + 'm>, String> {
        let bytes = emit::emit(module, "unvanquished", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let names: Vec<_> = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        let program = Program::link(&image, &Caller { names: &names, agent: 0, world: None });
        let program = program.map_err(|error| error.to_string())?;
        let entries: Vec<String> = program.entries().map(str::to_owned).collect();
        let mut crowd = pleach::Crowd::new(&program);
        let first = entries.first().ok_or("the image has no entry")?;
        let agents: Result<_, _> = (0..agents).map(|_| crowd.spawn(first)).collect();
        let agents = agents.map_err(|error| error.to_string())?;
        Ok(Box::new(Agents { crowd, names, entries, agents }))
    }
}

struct Agents {
    crowd: pleach::Crowd,
    /// The functions that the image names, in its order.
    names: Vec<String>,
    entries: Vec<String>,
    agents: Vec<Agent>,
}

impl super::Crowd for Agents {
    fn tick(
        &mut self,
        agent: usize,
        entry: usize,
        now: i64,
        world: &mut dyn World,
    ) -> Result<ir::Outcome, String> {
        let mut host = Caller { names: &self.names, agent, world: Some(world) };
        let entry = &self.entries[entry];
        let outcome = self.crowd.tick_entry(self.agents[agent], entry, now, &mut host);
        match outcome.map_err(|error| error.to_string())? {
            Outcome::Status(status) => Ok(lower(status)),
            Outcome::Fault => Err("the tick ended with a fault".to_owned()),
        }
    }

    fn reset(&mut self, agent: usize) {
        let mut host = Caller { names: &self.names, agent, world: None };
        let reset = self.crowd.reset(self.agents[agent], 0, &mut host);
        assert_eq!(reset, Ok(()), "agents of a case are never despawned");
    }

    fn set_flag(&mut self, agent: usize, name: &str, value: bool) {
        if let Some(variable) = self.crowd.program().variable(name) {
            let set = self.crowd.set_bit(self.agents[agent], variable, value);
            assert_eq!(set, Ok(()), "agents of a case are never despawned");
        }
    }

    fn running(&self, agent: usize) -> Vec<NodeIndex> {
        let running = self.crowd.running_set(self.agents[agent]);
        running.unwrap_or_default().iter().map(|id| NodeIndex::from(*id) - 1).collect()
    }
}

/// Hands one agent's calls on to the world. A function's number is its place among the names.
struct Caller<'a> {
    names: &'a [String],
    agent: usize,
    /// None while there is nothing to call.
    world: Option<&'a mut dyn World>,
}

impl Caller<'_> {
    fn ask<T>(
        &mut self,
        call: &Call<'_>,
        ask: impl FnOnce(&mut dyn World, usize, &super::Call<'_>) -> T,
    ) -> T {
        let args: Vec<_> = call.args.iter().map(arg).collect();
        let name = self.names[call.function as usize].as_bytes();
        let node = call.node.checked_sub(1);
        let world = self.world.as_deref_mut().expect("functions are called in ticks");
        ask(world, self.agent, &super::Call { name, args: &args, fresh: call.fresh, node })
    }
}

impl Host for Caller<'_> {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        raise(self.ask(call, |world, agent, call| world.act(agent, call)))
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.ask(call, |world, agent, call| world.query(agent, call))
    }
}

fn arg(value: Value<'_>) -> Arg<'_> {
    match value {
        Value::Int(int) => Arg::Int(int),
        Value::Float(float) => Arg::Float(float),
        Value::Text(text) => Arg::Text(text),
    }
}

fn lower(status: Status) -> ir::Outcome {
    match status {
        Status::Failure => ir::Outcome::Failure,
        Status::Success => ir::Outcome::Success,
        Status::Running => ir::Outcome::Running,
        Status::Other(number) => ir::Outcome::Other(number),
    }
}

fn raise(outcome: ir::Outcome) -> Status {
    match outcome {
        ir::Outcome::Failure => Status::Failure,
        ir::Outcome::Success => Status::Success,
        ir::Outcome::Running => Status::Running,
        ir::Outcome::Other(number) => Status::Other(number),
    }
}
