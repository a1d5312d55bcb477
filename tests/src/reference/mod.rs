//! The reference interpreter: a tree, walked the way its meaning is told.
//!
//! It runs straight on the [`Module`], one recursive function per kind of node, with no layout, no bytecode and no
//! cleverness; the other engines are right when they do what it does. It trusts the module, so an ill-formed one
//! panics, and it needs stack in proportion to the depth of the tree: give it a thread that has some.
//!
//! ```
//! # use pleach_compile::ir::{Module, NodeIndex, Outcome};
//! # use pleach_tests::reference::{Call, Frame, Host, Reference};
//! struct Idle;
//! impl Host for Idle {
//!     fn act(&mut self, _: &mut Frame, _: &Call<'_>, _fresh: bool) -> Outcome {
//!         Outcome::Running
//!     }
//!     fn query(&mut self, _: &mut Frame, _: &Call<'_>) -> f64 {
//!         0.0
//!     }
//! }
//! fn think(module: &Module, frame: &mut Frame, now: i64) -> Outcome {
//!     Reference::new(module).tick(frame, module.entries[0], now, &mut Idle)
//! }
//! ```

mod condition;

use pleach_compile::ast::Value;
use pleach_compile::ir::{
    self, EXITS, FAILURE, Kind, Memory, Module, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS,
    SlotKind, Start, Step, To,
};

/// All that an agent remembers between ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The running set, in the order of insertion.
    pub running: Vec<NodeIndex>,
    /// The action that is running.
    pub current: Option<NodeIndex>,
    /// Points in time, by slot; zero for slots that hold something else.
    pub times: Vec<i32>,
    /// Flags, by slot; false for slots that hold something else.
    pub bits: Vec<bool>,
}

impl Frame {
    /// The frame of an agent that has just been spawned.
    #[must_use]
    pub fn new(module: &Module) -> Self {
        let slots = module.slots.len();
        Self { running: Vec::new(), current: None, times: vec![0; slots], bits: vec![false; slots] }
    }

    /// Clears what a reset of the agent's behavior clears: the slots marked so.
    pub fn reset(&mut self, module: &Module) {
        for (index, slot) in module.slots.iter().enumerate().filter(|(_, slot)| slot.reset) {
            match slot.kind {
                SlotKind::Bit => self.bits[index] = false,
                SlotKind::Node => self.current = None,
                SlotKind::Time => self.times[index] = 0,
                SlotKind::NodeSet(_) => self.running.clear(),
            }
        }
    }
}

/// A host function, called from one place in a tree.
#[derive(Clone, Copy, Debug)]
pub struct Call<'m> {
    /// The action node; for a query, the node whose condition asks.
    pub node: NodeIndex,
    /// The name the function is linked by.
    pub name: &'m [u8],
    /// Its arguments.
    pub args: &'m [Value],
}

/// What the interpreter asks of the world. The frame is there because a host may change its agent's flags at any time.
pub trait Host {
    /// Lets the agent act. `fresh` says that this action was not the running one before the call.
    fn act(&mut self, frame: &mut Frame, call: &Call<'_>, fresh: bool) -> Outcome;
    /// Answers a question; truth is any number but zero.
    fn query(&mut self, frame: &mut Frame, call: &Call<'_>) -> f64;
    /// Hears of every node that ends, in that order. The whole of it is the trace of a tick.
    fn ended(&mut self, _node: NodeIndex, _outcome: Outcome) {}
}

/// The interpreter of one module.
#[derive(Clone, Copy)]
pub struct Reference<'m> {
    module: &'m Module,
    capacity: usize,
}

impl<'m> Reference<'m> {
    /// An interpreter of this module.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let capacity = match module.running.map(|slot| module.slots[slot as usize].kind) {
            Some(SlotKind::NodeSet(capacity)) => capacity.into(),
            _ => 0,
        };
        Self { module, capacity }
    }

    /// Runs a block once for one agent. `now` is in the dialect's unit of time.
    pub fn tick(&self, frame: &mut Frame, block: u32, now: i64, host: &mut dyn Host) -> Outcome {
        let Self { module, capacity } = *self;
        let root = module.blocks[block as usize].root;
        Tick { module, capacity, frame, now, host }.run(root)
    }
}

/// One tick under way.
struct Tick<'m, 'a> {
    module: &'m Module,
    capacity: usize,
    frame: &'a mut Frame,
    now: i64,
    host: &'a mut dyn Host,
}

impl Tick<'_, '_> {
    fn run(&mut self, node: NodeIndex) -> Outcome {
        let ir::Node { kind, memory, .. } = self.module.nodes[node as usize];
        let outcome = match kind {
            Kind::Tree => self.child(node).unwrap_or(Outcome::Failure),
            Kind::Composite(policy, start) => self.composite(node, policy, start),
            Kind::Map(to) => map(to, self.child(node).unwrap_or(Outcome::Failure)),
            Kind::Guard(condition) => self.guard(node, condition),
            Kind::Cooldown { slot, duration } => self.cooldown(node, slot.into(), duration),
            Kind::Action { site, gate } => self.action(node, site, gate),
            Kind::Call(block) => self.run(self.module.blocks[block as usize].root),
        };
        self.remember(self.module.identity(node), memory, outcome);
        self.host.ended(node, outcome);
        outcome
    }

    /// The status of the first child, if there is one.
    fn child(&mut self, node: NodeIndex) -> Option<Outcome> {
        let child = self.module.children(node).next()?;
        Some(self.run(child))
    }

    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let mut running = false;
        for child in &children[self.first(&children, start)..] {
            let outcome = self.run(*child);
            match policy.on[exit(outcome)] {
                Step::Next => {}
                Step::NextRunning => running = true,
                Step::End => return outcome,
            }
        }
        match (running, policy.last) {
            (true, _) => Outcome::Running,
            (false, SUCCESS) => Outcome::Success,
            (false, _) => Outcome::Failure,
        }
    }

    /// Where among its children a composite begins.
    fn first(&self, children: &[NodeIndex], start: Start) -> usize {
        let member = |child: &NodeIndex| self.frame.running.contains(&self.module.identity(*child));
        match start {
            Start::First => 0,
            Start::HighestMember => children.iter().rposition(member).unwrap_or(0),
        }
    }

    fn guard(&mut self, node: NodeIndex, condition: u32) -> Outcome {
        if self.holds(node, condition) {
            self.child(node).unwrap_or(Outcome::Success)
        } else {
            Outcome::Failure
        }
    }

    fn cooldown(&mut self, node: NodeIndex, slot: usize, duration: i32) -> Outcome {
        if self.now <= i64::from(self.frame.times[slot]) {
            return Outcome::Failure;
        }
        let outcome = self.child(node).unwrap_or(Outcome::Failure);
        if outcome == Outcome::Failure {
            let until = self.now.saturating_add(duration.into());
            self.frame.times[slot] = until.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        }
        outcome
    }

    fn action(&mut self, node: NodeIndex, site: u32, gate: Option<u16>) -> Outcome {
        let shut = gate.is_some_and(|bit| self.frame.bits[usize::from(bit)]);
        let outcome = if shut { Outcome::Failure } else { self.act(node, site) };
        match outcome {
            Outcome::Running => self.frame.current = Some(node),
            Outcome::Success | Outcome::Failure if self.frame.current == Some(node) => {
                self.frame.current = None;
            }
            _ => {}
        }
        outcome
    }

    fn act(&mut self, node: NodeIndex, site: u32) -> Outcome {
        let fresh = self.frame.current != Some(node);
        let call = call(self.module, node, site);
        self.host.act(self.frame, &call, fresh)
    }

    /// What the end of a node does to the running set.
    fn remember(&mut self, identity: NodeIndex, memory: Memory, outcome: Outcome) {
        let running = &mut self.frame.running;
        match (memory, outcome) {
            (Memory::Member | Memory::Exclusive, Outcome::Success) if running.contains(&identity) => {
                running.clear();
            }
            (Memory::Member | Memory::Exclusive, Outcome::Running) => {
                if memory == Memory::Exclusive {
                    running.clear();
                }
                if !running.contains(&identity) && running.len() < self.capacity {
                    running.push(identity);
                }
            }
            _ => {}
        }
    }
}

/// The place in a table that a status has.
fn exit(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Failure => FAILURE,
        Outcome::Success => SUCCESS,
        Outcome::Running => RUNNING,
        Outcome::Other(_) => OTHER,
    }
}

fn map(to: [To; EXITS], outcome: Outcome) -> Outcome {
    match to[exit(outcome)] {
        To::Same => outcome,
        To::Status(other) => other,
    }
}

fn call(module: &Module, node: NodeIndex, site: u32) -> Call<'_> {
    let ir::Site { import, args: (first, count) } = module.sites[site as usize];
    let name = module.names.bytes(module.imports[import as usize].name);
    let args = &module.args[first as usize..(first + count) as usize];
    Call { node, name, args }
}
