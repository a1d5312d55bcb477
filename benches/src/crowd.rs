//! The bot on pleach: trees from text, a crowd, and the world as its host.

use crate::leaves::{ACTIONS, QUERIES};
use crate::linking::link;
use crate::system::{Counts, Status, System};
use crate::trees;
use crate::world::World;
use pleach::engine::Engine;
use pleach::{Batch, Call, Crowd, Function, Host};

impl<const TRACE: bool> Host for World<TRACE> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let index = match function {
            Function::Action => ACTIONS.iter().position(|action| action.name == name),
            Function::Query => QUERIES.iter().position(|query| query.name == name),
        };
        index.map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> pleach::Status {
        status(World::act(self, call.agent.index(), call.function as usize, call.args.int(0)))
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        World::query(self, call.agent.index(), call.function as usize, call.args.int(0))
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [pleach::Status]) {
        let (action, arg) = (batch.function as usize, batch.args.int(0));
        let agents = batch.agents().map(pleach::Agent::index);
        World::act_all(self, agents, action, arg, out, status);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let (query, arg) = (batch.function as usize, batch.args.int(0));
        World::query_all(self, batch.agents().map(pleach::Agent::index), query, arg, out);
    }
}

#[inline(always)]
fn status(status: Status) -> pleach::Status {
    match status {
        Status::Failure => pleach::Status::Failure,
        Status::Success => pleach::Status::Success,
        Status::Running => pleach::Status::Running,
    }
}

/// The bots of a world, as a crowd.
#[derive(Debug)]
pub struct Bots<const TRACE: bool> {
    world: World<TRACE>,
    crowd: Crowd,
}

impl<const TRACE: bool> Bots<TRACE> {
    /// Bots at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(agents: usize, effort: u32, engine: Engine) -> Self {
        let world = World::new(agents, effort);
        let program = link(&trees::bot_image(), &world);
        let mut crowd = Crowd::new(&program).with_engine(engine);
        for _ in 0..agents {
            crowd.spawn(trees::BOT).unwrap_or_else(|error| panic!("{error}"));
        }
        Self { world, crowd }
    }
}

impl<const TRACE: bool> System for Bots<TRACE> {
    fn agents(&self) -> usize {
        self.world.agents()
    }

    fn advance(&mut self, frame: u32) {
        self.world.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        let tally = self.crowd.tick(i64::from(self.world.now()), &mut self.world);
        assert_eq!((tally.other, tally.faults), (0, 0), "the bot's leaves give three statuses");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.world.digest()
    }
}
