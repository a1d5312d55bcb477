//! The reference interpreter as an engine.

use super::{Arg, Call, Crowd, Engine, World};
use crate::reference::{self, Frame, Host, Reference};
use pleach_compile::ast::Value;
use pleach_compile::ir::{Module, NodeIndex, Outcome};

/// See [`crate::reference`].
pub(super) struct ReferenceEngine;

impl Engine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Result<Box<dyn Crowd + 'm>, String> {
        Ok(Box::new(Frames { module, frames: vec![Frame::new(module); agents] }))
    }
}

struct Frames<'m> {
    module: &'m Module,
    frames: Vec<Frame>,
}

impl Crowd for Frames<'_> {
    fn tick(
        &mut self,
        agent: usize,
        entry: usize,
        now: i64,
        world: &mut dyn World,
    ) -> Result<Outcome, String> {
        let mut caller = Caller { module: self.module, agent, world };
        let block = self.module.entries[entry];
        Ok(Reference::new(self.module).tick(&mut self.frames[agent], block, now, &mut caller))
    }

    fn reset(&mut self, agent: usize) {
        self.frames[agent].reset(self.module);
    }

    fn set_flag(&mut self, agent: usize, name: &str, value: bool) {
        let named = |slot: &pleach_compile::ir::Slot| {
            slot.name.is_some_and(|it| self.module.names.bytes(it) == name.as_bytes())
        };
        if let Some(index) = self.module.slots.iter().position(named) {
            self.frames[agent].bits[index] = value;
        }
    }

    fn running(&self, agent: usize) -> Vec<NodeIndex> {
        self.frames[agent].running.clone()
    }
}

/// Hands one agent's calls on to the world.
struct Caller<'a> {
    module: &'a Module,
    agent: usize,
    world: &'a mut dyn World,
}

impl Host for Caller<'_> {
    fn act(&mut self, _: &mut Frame, call: &reference::Call<'_>, fresh: bool) -> Outcome {
        let args = args(self.module, call.args);
        self.world.act(self.agent, &Call { name: call.name, args: &args, fresh, node: Some(call.node) })
    }

    fn query(&mut self, _: &mut Frame, call: &reference::Call<'_>) -> f64 {
        let args = args(self.module, call.args);
        self.world
            .query(self.agent, &Call { name: call.name, args: &args, fresh: false, node: Some(call.node) })
    }
}

fn args<'m>(module: &'m Module, values: &[Value]) -> Vec<Arg<'m>> {
    let arg = |value: &Value| match *value {
        Value::Int(int) => Arg::Int(int),
        Value::Float(float) => Arg::Float(float),
        Value::Text(text) => Arg::Text(module.names.bytes(text)),
        Value::Variable(_) | Value::Expression(_) => Arg::Int(0),
    };
    values.iter().map(arg).collect()
}
