//! The reference interpreter: a simple walk over the tree.
//!
//! It runs directly on the [`Module`], with one recursive function for each kind of node, and
//! without layout, bytecode or optimizations. The other engines are correct if they behave like it.
//! It trusts the module, so an invalid module panics. It needs stack in proportion to the depth of
//! the tree, so run it in a thread with a large stack.
//!
//! ```
//! # use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
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

mod crowd;
mod expression;
pub mod forest;
mod frame;
mod hooks;
mod leaves;
mod reacting;
mod resume;
mod routine;
mod rules;
mod selecting;
mod world;

pub use crowd::{Crowd, Whom};
pub use frame::{Frame, Position};
pub use rules::{RanAway, rule_named};
pub use world::World;

use leaves::call;
use pleach_compile::internals::ast::{Role, Value};
use pleach_compile::internals::ir::{
    self, Amount, Cooling, EXITS, Kind, Memory, Module, NodeIndex, Outcome, Policy, SUCCESS, Scope, SlotKind,
    Start, Step, To,
};
use pleach_compile::internals::text::Sym;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Call of a host function at one place in a tree.
#[derive(Clone, Debug)]
pub struct Call<'m> {
    /// Index of the calling agent in the crowd.
    pub agent: u32,
    /// Action node; for a query, the node whose condition asks.
    pub node: NodeIndex,
    /// Name by which the function is linked.
    pub name: &'m [u8],
    /// Arguments, with variables replaced by their values.
    pub args: Vec<Value>,
}

/// Reason why a running action is halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Another leaf replaces it, or a node around it has ended.
    Interrupted,
    /// The agent's behavior was reset.
    Reset,
    /// The agent was switched to another tree.
    Switched,
    /// The agent was despawned.
    Despawned,
    /// For a node around a child: the child has ended.
    Ended,
}

/// Kind of a text in an agent's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// Message of a node that exists to write it.
    Message,
    /// A node begins.
    Start,
    /// A node has succeeded.
    Success,
    /// A node has failed.
    Failure,
}

/// Error of a loop that was repeated more often than a tick allows. The tick ends there, and the
/// state stays as it was at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Node of the loop.
    pub node: NodeIndex,
}

/// Questions of the interpreter to the host. The frame is an argument because a host may change its
/// agent's flags at any time.
pub trait Host {
    /// Runs an action for the agent. `fresh` is true if this action was not the running one before
    /// the call.
    fn act(&mut self, frame: &mut Frame, call: &Call<'_>, fresh: bool) -> Outcome;
    /// Gives a value by an out argument of the action that has just answered, by its place among
    /// the arguments.
    fn give(&mut self, _call: &Call<'_>, _place: usize) -> Option<f64> {
        None
    }
    /// Answers a query. Any number but zero is true.
    fn query(&mut self, frame: &mut Frame, call: &Call<'_>) -> f64;
    /// Returns true if the action exists for the agent, in dialects in which it may not.
    fn knows(&mut self, _call: &Call<'_>) -> bool {
        true
    }
    /// Reports that a running action is halted. Only actions that replace the running node can be
    /// interrupted.
    fn halt(&mut self, _frame: &mut Frame, _call: &Call<'_>, _why: Halt) {}
    /// Reports that an agent is interrupted at a node, which is not executed.
    fn stopped(&mut self, _agent: u32, _node: NodeIndex) {}
    /// Reports a text for an agent's log.
    fn log(&mut self, _agent: u32, _kind: LogKind, _text: &[u8]) {}
    /// Reports that the status that a node keeps has changed.
    fn changed(&mut self, _agent: u32, _node: NodeIndex, _from: u8, _to: u8) {}
    /// Reports every node that ends for an agent, in order. These reports are the trace of a tick.
    fn ended(&mut self, _agent: u32, _node: NodeIndex, _outcome: Outcome) {}
}

/// Interpreter of one module.
#[derive(Clone, Copy)]
pub struct Reference<'m> {
    module: &'m Module,
    capacity: usize,
}

impl<'m> Reference<'m> {
    /// Creates an interpreter of this module.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let capacity = match module.running.map(|slot| module.slots[slot as usize].kind) {
            Some(SlotKind::NodeSet(capacity)) => capacity.into(),
            _ => 0,
        };
        Self { module, capacity }
    }

    /// Runs a block once for a single agent. `now` is in the dialect's unit of time.
    pub fn tick(&self, frame: &mut Frame, block: u32, now: i64, host: &mut dyn Host) -> Outcome {
        self.tick_in(&mut World::new(self.module, 0), (0, 0), frame, block, now, host)
    }

    /// Runs a block like [`Self::tick`], for a tree that may have a loop without end.
    pub fn attempt(
        &self,
        frame: &mut Frame,
        block: u32,
        now: i64,
        host: &mut dyn Host,
    ) -> Result<Outcome, Spent> {
        let tick = AssertUnwindSafe(|| self.tick(frame, block, now, host));
        catch_unwind(tick).map_err(|why| match why.downcast() {
            Ok(spent) => *spent,
            Err(other) => resume_unwind(other),
        })
    }

    /// Runs a block once for an agent of a group in a world. `who` has the numbers of agent and
    /// group.
    pub(crate) fn tick_in(
        &self,
        world: &mut World<'m>,
        who: (u32, u32),
        frame: &mut Frame,
        block: u32,
        now: i64,
        host: &mut dyn Host,
    ) -> Outcome {
        let ir::Block { root, role, .. } = self.module.blocks[block as usize];
        if let (Role::Main, Some(changes)) = (role, self.module.changes) {
            let live = core::mem::take(&mut frame.bits[usize::from(changes.live)]);
            frame.bits[usize::from(changes.before)] = live;
        }
        self.begin(world, who, frame, now, host).run(root)
    }

    /// Halts everything that runs.
    pub(crate) fn halt(
        &self,
        world: &mut World<'m>,
        who: (u32, u32),
        frame: &mut Frame,
        now: i64,
        host: &mut dyn Host,
        why: Halt,
    ) {
        let mut tick = self.begin(world, who, frame, now, host);
        tick.halt(tick.position, 0, why);
        tick.halt_running(why);
    }

    fn begin<'a>(
        &self,
        world: &'a mut World<'m>,
        (agent, group): (u32, u32),
        frame: &'a mut Frame,
        now: i64,
        host: &'a mut dyn Host,
    ) -> Tick<'m, 'a> {
        let Self { module, capacity } = *self;
        frame.set_time(now);
        let position = module.current.unwrap_or_default();
        let (rounds, ran_away, selects) = (0, None, false);
        Tick {
            module,
            capacity,
            world,
            agent,
            group,
            frame,
            position,
            now,
            host,
            rounds,
            ran_away,
            named: Vec::new(),
            selects,
        }
    }
}

/// Tick in progress.
struct Tick<'m, 'a> {
    module: &'m Module,
    capacity: usize,
    world: &'a mut World<'m>,
    agent: u32,
    group: u32,
    frame: &'a mut Frame,
    /// Slot of the position of the branch that is being ticked.
    position: u16,
    now: i64,
    host: &'a mut dyn Host,
    /// Number of times that children were repeated at once.
    rounds: u32,
    /// Set if more rules have run than allowed.
    ran_away: Option<RanAway>,
    /// Named values of the expression that is evaluated: each with its expression.
    named: Vec<(u32, f64)>,
    /// True while a tree is evaluated to select a leaf. Nothing continues at its old place in it.
    selects: bool,
}

impl Tick<'_, '_> {
    /// Ticks a node. This is the table of all kinds of nodes, so it is longer than other functions.
    fn run(&mut self, node: NodeIndex) -> Outcome {
        let ir::Node { kind, memory, .. } = self.module.nodes[node as usize];
        let outcome = match kind {
            Kind::Tree => self.child(node).unwrap_or(Outcome::Failure),
            Kind::Composite(policy, start) => self.composite(node, policy, start),
            Kind::Map(table) => {
                map(self.module.maps[table as usize], self.child(node).unwrap_or(Outcome::Failure))
            }
            Kind::Guard(condition) => self.guard(node, condition),
            Kind::While(condition) => self.monitored(node, condition),
            Kind::Cooldown { slot, duration, rule } => self.cooldown(node, slot.into(), duration, rule),
            Kind::Timeout { slot, duration } => self.timeout(node, slot.into(), duration),
            Kind::Again { again, times, spent, broken, eager } => {
                let last = [spent, broken].map(resume::ended);
                self.again(node, resume::ended(again), times, last, eager)
            }
            Kind::Once(slot, _) => self.once(node, slot.into()),
            Kind::Limit(limiter) => self.limited(node, limiter.into()),
            Kind::Choose { by, reactive } => self.choose(node, by, reactive),
            Kind::Parallel { columns, succeed, fail, early } => {
                self.parallel(node, columns, ([succeed, fail], early))
            }
            Kind::Perform { site, outcome } => self.perform(node, site, outcome),
            Kind::Filter { enter, leave, times } => self.filter(node, enter, leave, times),
            Kind::Action { site, gate, exclusive } => self.action(node, site, gate, exclusive),
            Kind::Set(slot, expr) => self.set(node, slot.into(), expr),
            Kind::Take { given, to, value } if self.frame.bits[usize::from(given)] => {
                self.set(node, to.into(), value)
            }
            Kind::Take { .. } => Outcome::Success,
            Kind::Share(shared, how, expr) => self.share(node, shared, how, expr),
            Kind::Wait { timer, length } => self.wait(node, timer.into(), length),
            Kind::Constant(outcome) => self.constant(node, outcome),
            Kind::Until(condition) => self.until(node, condition),
            Kind::Priority(first) => self.priority(node, first),
            Kind::Machine(slot) => self.machine(node, slot.into()),
            Kind::Emit(block) => self.emit(node, block),
            Kind::Within(other) => self.within(node, other),
            Kind::Start(slot, length) => self.start(node, slot.into(), length),
            Kind::Note(slot, on) => self.note(slot.into(), on),
            Kind::Wrap(site) => self.wrap(node, site),
            Kind::Admit(gate) => self.admit(node, gate),
            Kind::Cleanup => self.cleanup(node),
            Kind::Every { slot, first, interval } => self.every(node, slot.into(), first, interval),
            Kind::Instant(site) => self.instant(node, site),
            Kind::Shuffle { goes_on, done, left, scores, .. } => {
                self.shuffle(node, resume::ended(goes_on), [done, left].map(usize::from), scores)
            }
            Kind::Log(text) => self.message(text),
            Kind::Tell(site) => self.tell(node, site),
            Kind::Logged(logs) => self.logged(node, logs),
            Kind::Raise(event, scope) => self.raise(event, scope),
            Kind::Steps => self.steps(node),
            Kind::Routine(routine) => self.routine(node, routine),
            Kind::Rule(_) => unreachable!("rules are run by the node around them"),
            Kind::Selection(condition) => self.selection(node, condition),
            Kind::Select(site) => self.select(node, site),
            Kind::Chain(chain) => self.chain(node, &self.module.chains[chain as usize]),
            Kind::Call(block) => self.run(self.module.blocks[block as usize].root),
        };
        self.remember(self.module.identity(node), memory, outcome);
        self.host.ended(self.agent, node, outcome);
        outcome
    }

    /// Writes a text to the log.
    fn message(&mut self, text: Sym) -> Outcome {
        self.log(Some(text), LogKind::Message);
        Outcome::Success
    }

    fn raise(&mut self, event: u16, scope: Scope) -> Outcome {
        self.world.raise(event.into(), scope, self.group);
        Outcome::Success
    }

    /// Returns the status of the first child, if there is one.
    fn child(&mut self, node: NodeIndex) -> Option<Outcome> {
        let child = self.module.children(node).next()?;
        Some(self.run(child))
    }

    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start) -> Outcome {
        if start == Start::Resume {
            if self.runs(node) {
                self.put(Position::Nothing);
            }
            if !self.active(node) && self.stopped(node) {
                return Outcome::Running;
            }
        }
        let children: Vec<_> = self.module.children(node).collect();
        let outcome = self.one_after_the_other(&children, policy, start);
        if start == Start::Reactive && outcome != Outcome::Running {
            self.halt_inside(node);
        }
        outcome
    }

    fn one_after_the_other(&mut self, children: &[NodeIndex], policy: Policy, start: Start) -> Outcome {
        let mut running = false;
        for child in &children[self.first(children, start)..] {
            let outcome = self.run(*child);
            match policy.on[outcome.exit()] {
                Step::Next => {}
                Step::NextRunning => running = true,
                Step::End => return outcome,
            }
        }
        match (running, policy.last.into()) {
            (true, _) => Outcome::Running,
            (false, SUCCESS) => Outcome::Success,
            (false, _) => Outcome::Failure,
        }
    }

    /// Returns the index of the child at which a composite begins.
    fn first(&mut self, children: &[NodeIndex], start: Start) -> usize {
        let found = match start {
            Start::First | Start::Reactive => None,
            Start::HighestMember => {
                let member = |child: &NodeIndex| self.frame.running.contains(&self.module.identity(*child));
                children.iter().rposition(member)
            }
            Start::Resume => children.iter().position(|child| self.active(*child)),
        };
        found.unwrap_or(0)
    }

    fn guard(&mut self, node: NodeIndex, condition: u32) -> Outcome {
        if !self.selects && self.active(node) || self.holds(node, condition) {
            self.child(node).unwrap_or(Outcome::Success)
        } else {
            Outcome::Failure
        }
    }

    fn cooldown(&mut self, node: NodeIndex, slot: usize, duration: Amount, rule: Cooling) -> Outcome {
        let (now, since) = (i128::from(self.now), self.frame.times[slot]);
        let over = if rule.reached { now >= since } else { now > since };
        if !self.active(node) && !over {
            return Outcome::Failure;
        }
        let outcome = self.child(node).unwrap_or(Outcome::Failure);
        if rule.arms[outcome.exit()] {
            self.arm(node, slot, duration);
        }
        outcome
    }

    /// Updates the running set after the end of a node.
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

fn map(to: [To; EXITS], outcome: Outcome) -> Outcome {
    match to[outcome.exit()] {
        To::Same => outcome,
        To::Status(other) => other,
    }
}
