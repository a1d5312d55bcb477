//! Agents that are at a rule, by the reference interpreter.

use super::reference::args;
use super::walker::{Guide, Stopped, Turn, Walkers, throw};
use crate::reference::{self, Frame, Host, RanAway, Reference, rule_named};
use pleach_compile::internals::ir::{Id, Module, NodeIndex, Outcome};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub(super) struct Frames<'m> {
    module: &'m Module,
    frames: Vec<Frame>,
    /// The block that all run, and its tree.
    block: u32,
    tree: NodeIndex,
}

impl<'m> Frames<'m> {
    pub(super) fn new(module: &'m Module, agents: usize) -> Result<Self, String> {
        let block = *module.entries.first().ok_or("the module has no entry")?;
        let tree = module.blocks[block as usize].root;
        Ok(Self { module, frames: vec![Frame::new(module); agents], block, tree })
    }

    fn name(&self, node: NodeIndex) -> Option<&'m [u8]> {
        let id = |id: &&Id| id.node == node;
        self.module.ids.iter().find(id).map(|id| self.module.names.bytes(id.name))
    }
}

impl Walkers for Frames<'_> {
    fn step(&mut self, agent: usize, guide: &mut dyn Guide) -> Result<Outcome, Stopped> {
        let mut host = Caller { module: self.module, tree: self.tree, agent, guide, threw: false };
        let (frame, block) = (&mut self.frames[agent], self.block);
        let step = || Reference::new(self.module).step(frame, block, 0, &mut host);
        match catch_unwind(AssertUnwindSafe(step)) {
            Ok(outcome) => outcome.map_err(|RanAway(rules)| Stopped::RanAway(rules)),
            Err(_) if host.threw => Err(Stopped::Threw),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn step_all(&mut self, guide: &mut dyn Guide) -> Vec<Result<Outcome, Stopped>> {
        (0..self.frames.len()).map(|agent| self.step(agent, guide)).collect()
    }

    fn rule(&self, agent: usize) -> Option<NodeIndex> {
        self.frames[agent].rule(self.module, self.tree)
    }

    fn first_run(&self, agent: usize) -> bool {
        self.frames[agent].first_run(self.module)
    }

    fn jump(&mut self, agent: usize, id: &str) -> bool {
        self.frames[agent].jump(self.module, self.tree, id)
    }

    fn lose(&mut self, agent: usize) {
        self.frames[agent].put_at(self.module, self.tree);
    }

    fn set_first_run(&mut self, agent: usize, first_run: bool) {
        self.frames[agent].set_first_run(self.module, first_run);
    }

    fn reset(&mut self, agent: usize) {
        self.frames[agent].reset(self.module);
    }

    /// A zero, flags, and the id behind its length.
    fn save(&self, agent: usize) -> Option<Vec<u8>> {
        let first_run = u8::from(self.first_run(agent)) * 2;
        let Some(rule) = self.rule(agent) else { return Some(vec![0, first_run]) };
        let id = self.name(rule)?;
        Some([&[0, first_run | 1, u8::try_from(id.len()).ok()?], id].concat())
    }

    fn restore(&mut self, agent: usize, saved: &[u8]) -> bool {
        let (flags, rule) = match saved {
            [0, flags @ (0 | 2)] => (*flags, None),
            [0, flags @ (1 | 3), length, id @ ..] if id.len() == usize::from(*length) => {
                let name = core::str::from_utf8(id).ok();
                let Some(rule) = name.and_then(|name| rule_named(self.module, self.tree, name)) else {
                    return false;
                };
                (*flags, Some(rule))
            }
            _ => return false,
        };
        let frame = &mut self.frames[agent];
        if let Some(rule) = rule {
            frame.put_at(self.module, rule);
        }
        frame.set_first_run(self.module, flags & 2 != 0);
        true
    }

    fn set_limit(&mut self, limit: u16) {
        self.frames.iter_mut().for_each(|frame| frame.limit = limit);
    }
}

/// Hands an agent's calls on, and sends it where the answers say.
struct Caller<'a> {
    module: &'a Module,
    tree: NodeIndex,
    agent: usize,
    guide: &'a mut dyn Guide,
    threw: bool,
}

impl Caller<'_> {
    fn turn<T>(&mut self, frame: &mut Frame, turn: Turn<T>) -> T {
        if let Some(id) = turn.jump
            && !frame.jump(self.module, self.tree, &id)
        {
            self.threw = true;
            throw();
        }
        turn.answer
    }
}

impl Host for Caller<'_> {
    fn act(&mut self, frame: &mut Frame, call: &reference::Call<'_>, fresh: bool) -> Outcome {
        let args = args(self.module, &call.args);
        let call = super::Call { name: call.name, args: &args, fresh, node: Some(call.node) };
        let turn = self.guide.act(self.agent, &call);
        self.turn(frame, turn)
    }

    fn query(&mut self, frame: &mut Frame, call: &reference::Call<'_>) -> f64 {
        let args = args(self.module, &call.args);
        let call = super::Call { name: call.name, args: &args, fresh: false, node: Some(call.node) };
        let turn = self.guide.query(self.agent, &call);
        f64::from(u8::from(self.turn(frame, turn)))
    }

    fn knows(&mut self, call: &reference::Call<'_>) -> bool {
        self.guide.knows(self.agent, call.name)
    }
}
