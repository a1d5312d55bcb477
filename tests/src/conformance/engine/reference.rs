//! The reference interpreter as an engine.

use super::walker::Walkers;
use super::{
    Arg, Call, Crowd, Engine, Grove, Halt, LogKind, Made, Settlers, Society, Ticked, Whom, World,
    reference_walker,
};
use crate::reference::{self, Frame, Host, Reference};
use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
use pleach_image::float::{bits32, bits64};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// See [`crate::reference`].
pub(super) struct ReferenceEngine;

impl Engine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Crowd + 'm> {
        Ok(Box::new(Frames { module, frames: vec![Frame::new(module); agents] }))
    }

    fn settle<'m>(&self, module: &'m Module, settlers: &Settlers<'_>) -> Made<dyn Society + 'm> {
        let Settlers { groups, entry, seed, chance } = *settlers;
        let mut crowd = reference::Crowd::new(module, groups, entry, seed).ok_or("there is no such entry")?;
        crowd.world.fixed = chance;
        Ok(Box::new(Settled { module, crowd }))
    }

    fn plant<'m>(&self, module: &'m Module) -> Made<dyn Grove + 'm> {
        Ok(Box::new(reference::forest::Forests::new(module)))
    }

    fn walk<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Walkers + 'm> {
        Ok(Box::new(reference_walker::Frames::new(module, agents)?))
    }
}

struct Frames<'m> {
    module: &'m Module,
    frames: Vec<Frame>,
}

impl Crowd for Frames<'_> {
    fn tick(&mut self, agent: usize, entry: usize, now: i64, world: &mut dyn World) -> Ticked<Outcome> {
        let mut caller = Caller { module: self.module, first: agent, world };
        let block = self.module.entries[entry];
        Ok(Reference::new(self.module).tick(&mut self.frames[agent], block, now, &mut caller))
    }

    fn reset(&mut self, agent: usize) {
        self.frames[agent].reset(self.module);
    }

    fn set_flag(&mut self, agent: usize, name: &str, value: bool) {
        let named = |slot: &pleach_compile::internals::ir::Slot| {
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

struct Settled<'m> {
    module: &'m Module,
    crowd: reference::Crowd<'m>,
}

impl Society for Settled<'_> {
    fn tick(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<Outcome>> {
        let mut caller = Caller { module: self.module, first: 0, world };
        let tick = AssertUnwindSafe(|| self.crowd.tick(now, &mut caller));
        catch_unwind(tick).map_err(|why| match why.downcast::<reference::Spent>() {
            Ok(_) => super::FAULT.to_owned(),
            Err(other) => resume_unwind(other),
        })
    }

    fn reset(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        self.crowd.reset(agent, now, &mut Caller { module: self.module, first: 0, world });
    }

    fn switch(&mut self, agent: usize, entry: &str, now: i64, world: &mut dyn World) {
        self.crowd.switch(agent, entry, now, &mut Caller { module: self.module, first: 0, world });
    }

    fn despawn(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        self.crowd.despawn(agent, now, &mut Caller { module: self.module, first: 0, world });
    }

    fn raise(&mut self, event: &str, whom: Whom, now: i64, world: &mut dyn World) {
        self.crowd.raise(event, whom, now, &mut Caller { module: self.module, first: 0, world });
    }

    fn get(&self, agent: usize, name: &str) -> Option<f64> {
        self.crowd.get(agent, name)
    }

    fn set(&mut self, agent: usize, name: &str, value: f64) {
        self.crowd.set(agent, name, value);
    }
}

/// Hands agents' calls on to the world.
struct Caller<'a> {
    module: &'a Module,
    /// The number of the agent that the interpreter calls 0.
    first: usize,
    world: &'a mut dyn World,
}

impl Caller<'_> {
    fn hand_on<T>(
        &mut self,
        call: &reference::Call<'_>,
        fresh: bool,
        to: impl FnOnce(&mut dyn World, usize, &Call<'_>) -> T,
    ) -> T {
        let args = args(self.module, &call.args);
        let agent = self.first + call.agent as usize;
        to(self.world, agent, &Call { name: call.name, args: &args, fresh, node: Some(call.node) })
    }
}

impl Host for Caller<'_> {
    fn act(&mut self, _: &mut Frame, call: &reference::Call<'_>, fresh: bool) -> Outcome {
        self.hand_on(call, fresh, |world, agent, call| world.act(agent, call))
    }

    fn give(&mut self, call: &reference::Call<'_>, place: usize) -> Option<f64> {
        self.hand_on(call, false, |world, agent, call| world.give(agent, call, place))
    }

    fn query(&mut self, _: &mut Frame, call: &reference::Call<'_>) -> f64 {
        self.hand_on(call, false, |world, agent, call| world.query(agent, call))
    }

    fn changed(&mut self, agent: u32, node: NodeIndex, from: u8, to: u8) {
        self.world.changed(self.first + agent as usize, node, from, to);
    }

    fn ended(&mut self, agent: u32, node: NodeIndex, outcome: Outcome) {
        self.world.ended(self.first + agent as usize, node, outcome);
    }

    fn halt(&mut self, _: &mut Frame, call: &reference::Call<'_>, why: Halt) {
        self.hand_on(call, false, |world, agent, call| world.halt(agent, call, why));
    }

    fn log(&mut self, agent: u32, kind: LogKind, text: &[u8]) {
        self.world.log(self.first + agent as usize, kind, text);
    }
}

pub(super) fn args<'m>(module: &'m Module, values: &[Value]) -> Vec<Arg<'m>> {
    let arg = |value: &Value| match *value {
        Value::Int(int) => Arg::Int(int),
        Value::Float(float) => Arg::Float(f32::from_bits(bits32(float))),
        Value::Text(text) => Arg::Text(module.names.bytes(text)),
        Value::Int64(wide) => Arg::Int64(wide.bits() as i64),
        Value::Double(wide) => Arg::Double(f64::from_bits(bits64(f64::from_bits(wide.bits())))),
        Value::Nobody => Arg::Int64(0),
        Value::Out(..) => Arg::Out,
        Value::Variable(_) | Value::Expression(_) => unreachable!("calls hold values"),
    };
    values.iter().map(arg).collect()
}
