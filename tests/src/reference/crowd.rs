//! Several agents in one world, tick by tick.

use super::frame::{Frame, Position, number};
use super::{Halt, Host, Reference, World};
use pleach_compile::internals::ir::{Event, Kind, Limiter, Module, NodeIndex, Outcome, Slot, SlotKind};

/// Target of an event that the host raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// One agent.
    Agent(usize),
    /// Agents of a group.
    Group(u32),
    /// All agents.
    All,
}

/// Agents of one module.
#[derive(Clone, Debug)]
pub struct Crowd<'m> {
    module: &'m Module,
    /// State of each agent between ticks.
    pub frames: Vec<Frame>,
    /// Group of each agent.
    groups: Vec<u32>,
    /// Block that each agent runs; `None` after the agent is despawned.
    blocks: Vec<Option<u32>>,
    /// State that agents share.
    pub world: World<'m>,
}

impl<'m> Crowd<'m> {
    /// Creates one agent for each element of `groups`, all with one entry. Returns `None` if there
    /// is no such entry.
    #[must_use]
    pub fn new(module: &'m Module, groups: &[u32], entry: &str, seed: u64) -> Option<Self> {
        Some(Self {
            module,
            frames: vec![Frame::new(module); groups.len()],
            groups: groups.to_vec(),
            blocks: vec![Some(block(module, entry)?); groups.len()],
            world: World::new(module, seed),
        })
    }

    /// Ticks all agents, then does the work at the end of a tick. Despawned agents fail.
    pub fn tick(&mut self, now: i64, host: &mut dyn Host) -> Vec<Outcome> {
        self.frames.iter_mut().for_each(|frame| frame.set_time(now));
        let blocks = self.blocks.clone();
        let run = |(agent, block): (usize, &Option<u32>)| {
            block.map_or(Outcome::Failure, |block| self.run(agent, block, now, host))
        };
        let outcomes = blocks.iter().enumerate().map(run).collect();
        self.world.put_together();
        let raised = self.world.take_raised();
        for event in 0..self.module.events.len() {
            let all = raised.contains(&(event, None));
            self.happen(event, now, host, |_, group| all || raised.contains(&(event, Some(group))));
        }
        self.world.put_together();
        self.module.limiters.iter().for_each(|limiter| self.grant(limiter));
        self.world.tick += 1;
        outcomes
    }

    fn run(&mut self, agent: usize, block: u32, now: i64, host: &mut dyn Host) -> Outcome {
        let (frame, group) = (&mut self.frames[agent], self.groups[agent]);
        Reference::new(self.module).tick_in(&mut self.world, (agent as u32, group), frame, block, now, host)
    }

    /// Delivers an event to the agents that it concerns.
    fn happen(&mut self, event: usize, now: i64, host: &mut dyn Host, concerns: impl Fn(usize, u32) -> bool) {
        let block = self.module.events[event].handler;
        for agent in 0..self.frames.len() {
            if self.blocks[agent].is_some() && concerns(agent, self.groups[agent]) {
                self.run(agent, block, now, host);
            }
        }
    }

    /// Raises an event between ticks.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn raise(&mut self, event: &str, whom: Whom, now: i64, host: &mut dyn Host) {
        let named = |it: &Event| self.module.names.bytes(it.name) == event.as_bytes();
        let event = self.module.events.iter().position(named).expect("the event is declared");
        self.happen(event, now, host, |agent, group| match whom {
            Whom::Agent(one) => agent == one,
            Whom::Group(one) => group == one,
            Whom::All => true,
        });
        self.world.put_together();
    }

    /// Grants the free places of a limiter to agents that asked.
    fn grant(&mut self, limiter: &Limiter) {
        let end = self.module.nodes[limiter.node as usize].end;
        let position = position_of(self.module, limiter.node);
        let inside = |frame: &&Frame| matches!(frame.positions[position], Position::At(node) if (limiter.node..end).contains(&node));
        let mut free = i64::from(limiter.places) - self.frames.iter().filter(inside).count() as i64;
        for frame in &mut self.frames {
            let wants = core::mem::take(&mut frame.bits[usize::from(limiter.wants)]);
            let granted = wants && free > 0;
            frame.bits[usize::from(limiter.granted)] = granted;
            free -= i64::from(granted);
        }
    }

    /// Resets an agent to the beginning of its tree.
    pub fn reset(&mut self, agent: usize, now: i64, host: &mut dyn Host) {
        self.stop(agent, now, host, Halt::Reset);
    }

    /// Switches an agent to the beginning of another entry.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn switch(&mut self, agent: usize, entry: &str, now: i64, host: &mut dyn Host) {
        self.stop(agent, now, host, Halt::Switched);
        self.blocks[agent] = Some(block(self.module, entry).expect("the entry is there"));
    }

    /// Despawns an agent.
    pub fn despawn(&mut self, agent: usize, now: i64, host: &mut dyn Host) {
        self.stop(agent, now, host, Halt::Despawned);
        self.blocks[agent] = None;
    }

    fn stop(&mut self, agent: usize, now: i64, host: &mut dyn Host, why: Halt) {
        let (frame, group) = (&mut self.frames[agent], self.groups[agent]);
        Reference::new(self.module).halt(&mut self.world, (agent as u32, group), frame, now, host, why);
        frame.reset(self.module);
    }

    /// Returns the value of a variable of an agent, its group or the world. A boolean is 1 or 0.
    #[must_use]
    pub fn get(&self, agent: usize, name: &str) -> Option<f64> {
        if let Some(shared) = self.shared(name) {
            return Some(self.world.read(shared, self.groups[agent]));
        }
        let (slot, frame) = (self.slot(name)?, &self.frames[agent]);
        Some(match self.module.slots[slot].kind {
            SlotKind::Bit => f64::from(u8::from(frame.bits[slot])),
            kind if kind.is_word() => number(kind, frame.words[slot]),
            _ => frame.numbers[slot],
        })
    }

    /// Writes a variable on behalf of the host.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn set(&mut self, agent: usize, name: &str, value: f64) {
        if let Some(shared) = self.shared(name) {
            return self.world.set(shared, self.groups[agent], value);
        }
        let slot = self.slot(name).expect("the variable is declared");
        let (kind, frame) = (self.module.slots[slot].kind, &mut self.frames[agent]);
        if kind != SlotKind::Bit {
            return frame.put(slot, kind, value);
        }
        let before = core::mem::replace(&mut frame.bits[slot], value != 0.0);
        if let Some(changes) = self.module.changes {
            frame.bits[usize::from(changes.live)] |= before != (value != 0.0);
        }
    }

    fn shared(&self, name: &str) -> Option<usize> {
        let is_it = |shared: &pleach_compile::internals::ir::Shared| {
            self.module.names.bytes(shared.name) == name.as_bytes()
        };
        self.module.shared.iter().position(is_it)
    }

    fn slot(&self, name: &str) -> Option<usize> {
        let is_it = |slot: &Slot| slot.name.is_some_and(|it| self.module.names.bytes(it) == name.as_bytes());
        self.module.slots.iter().position(is_it)
    }
}

/// Returns the block of an entry.
fn block(module: &Module, entry: &str) -> Option<u32> {
    let named = |block: &&u32| {
        let name = module.blocks[**block as usize].name;
        module.names.bytes(name) == entry.as_bytes()
    };
    module.entries.iter().find(named).copied()
}

/// Returns the slot of the position that a node runs by: that of the innermost branch around it, or
/// the tree's.
pub(super) fn position_of(module: &Module, node: NodeIndex) -> usize {
    let inside = |(index, _): &(usize, &pleach_compile::internals::ir::Node)| (*index as NodeIndex) < node;
    let around = module.nodes.iter().enumerate().take_while(inside).filter(|(_, it)| node < it.end);
    let mut position = module.current.unwrap_or_default();
    for (index, parent) in around {
        if let Kind::Parallel { columns, .. } = parent.kind {
            let children = module.children(index as NodeIndex);
            position = columns + children.take_while(|child| *child <= node).count() as u16 - 1;
        }
    }
    position.into()
}
