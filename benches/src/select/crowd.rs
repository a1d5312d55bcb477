//! The tree on pleach.

use super::SOLDIER;
use super::game::{BEHAVIORS, Game, SIGNALS, Told};
use crate::linking::link;
use crate::system::{Counts, System};
use pleach::engine::Engine;
use pleach::{Agent, Call, Crowd, Event, Function, Halt, Host, Image, Status};
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, dialect};

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let behavior = BEHAVIORS.iter().position(|behavior| *behavior == name);
        behavior.filter(|_| function == Function::Action).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.begin(call.agent.index(), call.function as u8);
        Status::Running
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.end(call.agent.index(), call.function as u8);
    }
}

fn image() -> Image {
    let library = Texts::of(SOLDIER, "xml", include_str!("../../trees/soldier.xml"));
    let (dialect, entries) = (dialect::by_name("bst").expect("the dialect exists"), [SOLDIER.to_owned()]);
    let request = Request { dialect, manifest: &Manifest::default(), entries: &entries, debug: false };
    let done = Compiler::default().compile(&library, request);
    let bytes = done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics.list().first()));
    Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Soldiers of a game, as a crowd.
#[derive(Debug)]
pub struct Soldiers {
    game: Game,
    crowd: Crowd,
    agents: Vec<Agent>,
    signals: [Event; SIGNALS.len()],
    now: i64,
    /// Signals of this frame, by the handles that a game has for its agents.
    told: Vec<(Agent, Event)>,
}

impl Soldiers {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(agents: usize, per_mille: u32, engine: Engine) -> Self {
        let image = image();
        let game = Game::new(agents, per_mille);
        let program = link(&image, &game);
        let signals = SIGNALS.map(|name| program.event(name).expect("the tree hears all signals"));
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let spawn = |_| crowd.spawn(SOLDIER).unwrap_or_else(|error| panic!("{error}"));
        let agents = (0..agents).map(spawn).collect();
        Self { game, crowd, agents, signals, now: 0, told: Vec::new() }
    }
}

impl System for Soldiers {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = i64::from(frame);
        self.game.advance(frame);
        let Self { game, agents, signals, told, .. } = self;
        told.clear();
        let of = |it: &Told| (agents[it.agent as usize], signals[usize::from(it.signal)]);
        told.extend(game.told().iter().map(of));
    }

    fn tick(&mut self) -> Counts {
        let Self { game, crowd, now, told, .. } = self;
        crowd.raise_each(told, *now, game).expect("no agent is ever removed");
        let tally = crowd.tick(*now, game);
        assert_eq!((tally.other, tally.faults), (0, 0), "nothing goes wrong here");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}
