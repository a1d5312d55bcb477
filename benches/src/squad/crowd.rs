//! The tree on pleach.

use super::SQUAD;
use super::game::{BEHAVIORS, FRAME, Game, place_of};
use crate::linking::link;
use crate::system::{Counts, System};
use crate::trees;
use pleach::engine::Engine;
use pleach::{Agent, Batch, Call, Crowd, EntityId, Function, Halt, Host, Image, Program, Status, Variable};
use pleach_compile::Compiler;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

/// Number of the action that looks for enemies: behind those of the behaviors.
const FIND: u32 = BEHAVIORS.len() as u32;

/// The game as a host of trees.
#[derive(Debug)]
struct Ground {
    game: Game,
    /// Variables for the enemy and its place.
    enemy: Option<(Variable, [Variable; 2])>,
}

impl Ground {
    fn find(&mut self, call: &mut Call<'_>) -> Status {
        let Some(found) = self.game.find(call.agent.index(), call.args.float(0)) else {
            return Status::Failure;
        };
        let given = call
            .give(1, EntityId(found.who))
            .and_then(|()| call.give(2, found.place[0]))
            .and_then(|()| call.give(3, found.place[1]));
        given.expect("the tree takes an enemy and its place");
        Status::Success
    }

    fn columns<'b>(&self, batch: &'b Batch<'_>) -> Option<(&'b [EntityId], [&'b [f32]; 2])> {
        let (enemy, [x, y]) = self.enemy?;
        Some((batch.column(enemy).ok()?, [batch.column(x).ok()?, batch.column(y).ok()?]))
    }
}

impl Host for Ground {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let known = BEHAVIORS.iter().chain(&["findEnemy"]).position(|known| *known == name);
        known.filter(|_| function == Function::Action).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.function == FIND {
            return self.find(call);
        }
        let (behavior, agent) = (call.function as usize, call.agent.index());
        if call.fresh {
            self.game.begin(behavior, 1);
        }
        match behavior {
            0 => self.game.patrol(agent),
            1 => self.game.approach(agent, call.args.float(0), call.args.float(1)),
            _ if self.game.attack(agent, call.args.entity(0).0) => return Status::Success,
            _ => {}
        }
        Status::Running
    }

    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        match batch.function {
            0 => batch.agents().for_each(|agent| self.game.patrol(agent.index())),
            1 => {
                let (_, [x, y]) = self.columns(batch)?;
                for (agent, lane) in batch.agents().zip(batch.lanes()) {
                    let lane = usize::from(*lane);
                    self.game.approach(agent.index(), x[lane], y[lane]);
                }
            }
            _ => return None,
        }
        self.game.begin(batch.function as usize, batch.begins() as u64);
        Some(Status::Running)
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if batch.function == FIND {
            return batch.each(out, |call| self.find(call));
        }
        self.game.begin(batch.function as usize, batch.begins() as u64);
        let Some((enemy, _)) = self.columns(batch) else { return };
        for ((agent, lane), out) in batch.agents().zip(batch.lanes()).zip(out) {
            let is_beaten = self.game.attack(agent.index(), enemy[usize::from(*lane)].0);
            *out = if is_beaten { Status::Success } else { Status::Running };
        }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.game.end(call.function as usize);
    }
}

/// Returns the tree, linked to a host.
fn program(host: &dyn Host) -> Program {
    let library = Texts::of(SQUAD, "pleach", include_str!("../../trees/squad.pleach"));
    let entries = [SQUAD.to_owned()];
    let bytes = trees::bytes(&mut Compiler::default(), &library, &Manifest::default(), &entries, false);
    link(&Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}")), host)
}

/// Squad as a crowd.
#[derive(Debug)]
pub struct Squad {
    ground: Ground,
    crowd: Crowd,
    agents: Vec<Agent>,
    place: [Variable; 2],
    now: i64,
}

impl Squad {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(agents: usize, engine: Engine) -> Self {
        let mut ground = Ground { game: Game::new(agents), enemy: None };
        let program = program(&ground);
        let variable = |name| program.variable(name).expect("the tree declares the variable");
        ground.enemy = Some((variable("enemy"), ["enemyX", "enemyY"].map(variable)));
        let place = ["x", "y"].map(variable);
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let spawn = |_| crowd.spawn(SQUAD).unwrap_or_else(|error| panic!("{error}"));
        let agents = (0..agents).map(spawn).collect();
        Self { ground, crowd, agents, place, now: 0 }
    }

    /// Returns the game around the agents.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.ground.game
    }

    /// Returns true if the batch engine can run the tree.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.crowd.program().is_swept()
    }
}

impl System for Squad {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = i64::from(frame) * FRAME;
        self.ground.game.advance(frame);
        for agent in &self.agents {
            for (variable, value) in self.place.into_iter().zip(place_of(agent.index(), frame)) {
                self.crowd.set(*agent, variable, value).expect("no agent is ever removed");
            }
        }
    }

    fn tick(&mut self) -> Counts {
        let tally = self.crowd.tick(self.now, &mut self.ground);
        assert_eq!((tally.other, tally.faults), (0, 0), "nothing goes wrong here");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.ground.game.digest()
    }
}
