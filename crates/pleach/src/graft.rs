//! Trees that are brought to an agent while it runs, at the node `Graft`.
//!
//! A tree of CryEngine or Lumberyard can leave a place open for a tree that a mission or a cutscene
//! brings. [`Grafts`] is a layer around a host that implements the node `Graft`. For the program,
//! the node is a leaf like any other. Here the leaf owns a second agent, which runs the tree that
//! was brought. The second agent is ticked when the leaf is ticked, and ends when the leaf is
//! halted. Both trees act for one agent: variables of the same name and type are shared, all calls
//! of the host have the outer agent's handle, and events are passed on to the grafted tree.
//!
//! ```no_run
//! # fn play(guard: pleach::Image, errand: pleach::Image, game: pleach::Bindings<()>) {
//! use pleach::{Crowd, EventTarget, Program, graft::Grafts};
//! let mut host = Grafts::new(game);
//! let program = Program::link(&guard, &host).unwrap();
//! let errand = host.tree(&errand).unwrap();
//! let mut crowd = Crowd::new(&program);
//! let agent = crowd.spawn("guard").unwrap();
//! host.request(agent, errand).unwrap();
//! // So that the tree comes to its `Graft`; what runs there from then on is the errand.
//! let requested = program.event("OnGraftRequested").unwrap();
//! crowd.raise(requested, EventTarget::Agent(agent), 0, &mut host).unwrap();
//! crowd.tick(0, &mut host);
//! for (agent, status) in host.take_ended() {
//!     println!("{agent:?}: {status:?}");
//! }
//! # }
//! ```
//!
//! The leaf runs as long as there is nothing to do, and goes on when a tree has succeeded, for the
//! next one; it fails when a tree fails. A grafted tree has no `Graft` itself. The host must know
//! that handles of variables belong to one program: a function that both trees use finds its
//! variables by the node that asks, or has none.

use crate::crowd::Crowd;
use crate::host::{Batch, Call, Effect, Function, Halt, Host, LogKind, around};
use crate::layout::{Column, alike};
use crate::program::{LinkError, Program};
use crate::store::RunawayTick;
use crate::values::{Agent, Outcome, Status};
use alloc::vec::Vec;
use hashbrown::HashMap;
use pleach_image::Image;

/// The node, and the function that tells it of events.
const NODE: [(&str, u32); 2] = [("Graft", GRAFT), ("Graft.OnEvent", EVENT)];
const GRAFT: u32 = u32::MAX - 5;
const EVENT: u32 = u32::MAX - 4;

fn is_own(function: u32) -> bool {
    [GRAFT, EVENT].contains(&function)
}

/// Tree that can be grafted, made by [`Grafts::tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Graftable(usize);

/// Error: the agent already has a grafted tree, which runs or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyGrafted;

impl core::fmt::Display for AlreadyGrafted {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("the agent has a grafted tree already")
    }
}

impl core::error::Error for AlreadyGrafted {}

/// Host layer with the node `Graft`.
#[derive(Debug)]
pub struct Grafts<H> {
    /// Host of the game.
    pub host: H,
    trees: Vec<GraftTree>,
    grafts: HashMap<Agent, Graft>,
    ended: Vec<(Agent, Option<Status>)>,
}

/// The agents that run a grafted tree.
#[derive(Debug)]
struct GraftTree {
    crowd: Crowd,
    /// The time of the tick that is not over yet.
    now: Option<i64>,
}

/// A tree that was brought to an agent.
#[derive(Debug)]
struct Graft {
    tree: usize,
    /// The agent that runs it, once the leaf has begun it.
    inner: Option<Agent>,
    /// The columns of variables that both have: the outer agent's and the inner one's.
    shared: Vec<(Column, Column)>,
}

impl<H: Host> Grafts<H> {
    /// Returns the layer around a host, without any trees.
    pub fn new(host: H) -> Self {
        Self { host, trees: Vec::new(), grafts: HashMap::new(), ended: Vec::new() }
    }

    /// Links the first tree of an image, so that it can be grafted.
    ///
    /// # Errors
    /// If the host lacks functions; the error lists all.
    pub fn tree<D: AsRef<[u8]>>(&mut self, image: &Image<D>) -> Result<Graftable, LinkError> {
        let program = Program::link(image, &self.host)?;
        self.trees.push(GraftTree { crowd: Crowd::new(&program), now: None });
        Ok(Graftable(self.trees.len() - 1))
    }

    /// Assigns a tree to an agent. The tree begins when the agent's `Graft` node is ticked next.
    ///
    /// # Errors
    /// If the agent has one already, be it that it runs or waits.
    pub fn request(&mut self, agent: Agent, tree: Graftable) -> Result<(), AlreadyGrafted> {
        if self.grafts.contains_key(&agent) {
            return Err(AlreadyGrafted);
        }
        self.grafts.insert(agent, Graft { tree: tree.0, inner: None, shared: Vec::new() });
        Ok(())
    }

    /// Takes the grafted tree away from an agent. Actions that run in the tree are halted.
    pub fn cancel(&mut self, agent: Agent, now: i64) {
        self.end(agent, now, None);
    }

    /// Returns the agents whose grafted trees have ended since the last call, with the statuses of
    /// these trees. There is no status if the `Graft` node was halted or the tree taken away.
    pub fn take_ended(&mut self) -> Vec<(Agent, Option<Status>)> {
        core::mem::take(&mut self.ended)
    }

    fn end(&mut self, agent: Agent, now: i64, status: Option<Status>) {
        let Some(graft) = self.grafts.remove(&agent) else { return };
        if let Some(inner) = graft.inner {
            let mut inside = Inside { host: &mut self.host, agent };
            // Only this host despawns these agents.
            let _ = self.trees[graft.tree].crowd.despawn(inner, now, &mut inside);
        }
        self.ended.push((agent, status));
    }

    /// Does something with the inner agent, between taking over the variables and giving them back.
    fn inside<T>(
        &mut self,
        call: &mut Call<'_>,
        work: impl FnOnce(&mut Crowd, Agent, &mut Inside<'_, H>) -> T,
    ) -> Option<T> {
        let Self { host, trees, grafts, .. } = self;
        let graft = grafts.get_mut(&call.agent)?;
        let (crowd, inner) = (&mut trees[graft.tree].crowd, graft.inner?);
        let (chunk, frame, lane) = crowd.place_of(inner).ok()?;
        for (outer, own) in &graft.shared {
            chunk.assign(frame, *own, lane, call.chunk.read(*outer, call.lane));
        }
        let done = work(crowd, inner, &mut Inside { host, agent: call.agent });
        let (chunk, _, lane) = crowd.place_of(inner).ok()?;
        for (outer, own) in &graft.shared {
            call.chunk.note_variable(call.frame, *outer, &[call.lane]);
            call.chunk.assign(call.frame, *outer, call.lane, chunk.read(*own, lane));
        }
        Some(done)
    }

    /// Lets an agent run the tree that waits, if one does.
    fn begin(&mut self, call: &Call<'_>) -> Option<()> {
        let graft = self.grafts.get_mut(&call.agent).filter(|graft| graft.inner.is_none())?;
        let crowd = &mut self.trees[graft.tree].crowd;
        let inner = crowd.spawn_entry(0).ok()?;
        graft.shared = alike(call.frame, &crowd.program().parts.frame);
        graft.inner = Some(inner);
        Some(())
    }

    /// Notes the time of the tick. If it is another time, the last tick is over.
    fn keep_time(&mut self, agent: Agent, now: i64) {
        let Self { host, trees, grafts, .. } = self;
        let Some(tree) = grafts.get(&agent).and_then(|graft| trees.get_mut(graft.tree)) else { return };
        if tree.now.replace(now).is_some_and(|before| before != now) {
            tree.crowd.end_tick(now, &mut Inside { host, agent });
        }
    }

    fn tick(&mut self, call: &mut Call<'_>) -> Status {
        let (agent, now) = (call.agent, call.now);
        if !self.grafts.contains_key(&agent) {
            return Status::Running;
        }
        self.begin(call);
        self.keep_time(agent, now);
        let ticked = self.inside(call, |crowd, inner, host| crowd.tick_agent(inner, now, host, &mut ()));
        let status = match ticked {
            Some(Ok(Outcome::Status(Status::Success))) => Status::Success,
            Some(Ok(Outcome::Status(Status::Running))) => return Status::Running,
            _ => Status::Failure,
        };
        self.end(agent, now, Some(status));
        if status == Status::Success { Status::Running } else { Status::Failure }
    }

    /// Passes an event on to the grafted tree, if that tree has it.
    fn hear(&mut self, call: &mut Call<'_>) {
        let (event, now) = (call.args.text(0).into_owned(), call.now);
        let Ok(event) = core::str::from_utf8(&event) else { return };
        self.inside(call, |crowd, inner, host| {
            if let Some(event) = crowd.program().event(event) {
                // The agent and the event exist.
                let _ = crowd.raise(event, crate::EventTarget::Agent(inner), now, host);
            }
        });
    }
}

/// The host as grafted trees see it: all that they ask is asked for the outer agent.
struct Inside<'a, H> {
    host: &'a mut H,
    agent: Agent,
}

impl<H: Host> Host for Inside<'_, H> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.host.resolve(function, name)
    }

    fn knows(&mut self, function: Function, number: u32, _: Agent) -> bool {
        self.host.knows(function, number, self.agent)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        self.host.ran_away(run);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        call.agent = self.agent;
        self.host.act(call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        call.agent = self.agent;
        self.host.query(call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        call.agent = self.agent;
        self.host.halt(call, reason);
    }

    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn core::fmt::Write) {
        call.agent = self.agent;
        self.host.describe(call, out);
    }

    fn log(&mut self, _: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.host.log(self.agent, node, kind, text);
    }
}

impl<H: Host> around::HostLayer for Grafts<H> {
    type Inner = H;

    fn inner(&self) -> &H {
        &self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let own = NODE.iter().find(|(own, _)| *own == name && function == Function::Action);
        let host = || self.host.resolve(function, name).filter(|number| !is_own(*number));
        own.map(|(_, number)| *number).or_else(host)
    }

    /// Returns `World` for the node `Graft`: the functions that a grafted tree calls are not known
    /// when the program is linked.
    fn effect(&self, kind: Function, function: u32) -> Effect {
        if is_own(function) { Effect::World } else { self.host.effect(kind, function) }
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        is_own(number) || self.host.knows(function, number, agent)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        match call.function {
            GRAFT => self.tick(call),
            EVENT => {
                self.hear(call);
                Status::Success
            }
            _ => self.host.act(call),
        }
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        match call.function {
            GRAFT => self.end(call.agent, call.now, None),
            EVENT => {}
            _ => self.host.halt(call, reason),
        }
    }

    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn core::fmt::Write) {
        if !is_own(call.function) {
            self.host.describe(call, out);
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if !is_own(batch.function) {
            return self.host.act_all(batch, out);
        }
        batch.each(out, |call| Host::act(self, call));
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.host.query_all(batch, out);
    }
}
