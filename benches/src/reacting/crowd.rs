//! The trees on pleach.

use super::game::{BEHAVIORS, Change, Game, VARIABLES};
use crate::linking::link;
use crate::system::{Counts, System};
use pleach::engine::Engine;
use pleach::{
    Agent, Batch, Bindings, Call, Crowd, Event, EventTarget, Function, Halt, Host, Image, Program, Status,
    Variable,
};
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, dialect};

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let behavior = BEHAVIORS.iter().position(|behavior| *behavior == name);
        behavior.filter(|_| function == Function::Action).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let behavior = call.function as u8;
        if call.fresh {
            self.begin(behavior, 1);
        }
        Game::act(self, behavior, core::iter::once(call.agent.index()));
        Status::Running
    }

    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        let behavior = batch.function as u8;
        self.begin(behavior, batch.begins() as u64);
        Game::act(self, behavior, batch.agents().map(Agent::index));
        Some(Status::Running)
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.end(call.function as u8);
    }
}

/// Returns a tree of the folder, whose leaves are the watchmen's behaviors.
fn image(name: &str, text: &str) -> Image {
    let library = Texts::of(name, "xml", text);
    let (dialect, entries) = (dialect::by_name("mbt").expect("the dialect exists"), [name.to_owned()]);
    let leaves: String = BEHAVIORS.iter().map(|behavior| format!("action {behavior}()\n")).collect();
    let (manifest, _) = Manifest::parse(&leaves);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let done = Compiler::default().compile(&library, request);
    let bytes = done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics.list().first()));
    Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a crowd with this number of agents of a tree.
fn crowd(name: &str, program: &Program, agents: usize, engine: Engine) -> (Crowd, Vec<Agent>) {
    let mut crowd = Crowd::new(program).with_engine(engine);
    let agents = (0..agents).map(|_| crowd.spawn(name).unwrap_or_else(|error| panic!("{error}"))).collect();
    (crowd, agents)
}

/// Watchmen as a crowd.
#[derive(Debug)]
pub struct Watchmen {
    game: Game,
    crowd: Crowd,
    agents: Vec<Agent>,
    variables: [Variable; VARIABLES.len()],
    now: i64,
}

impl Watchmen {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(agents: usize, per_mille: u32, engine: Engine) -> Self {
        let game = Game::new(agents, per_mille);
        let image = image("watchman", include_str!("../../trees/watchman.xml"));
        let program = link(&image, &game);
        let variables = VARIABLES.map(|name| program.variable(name).expect("the tree declares all"));
        let (crowd, agents) = crowd("watchman", &program, agents, engine);
        Self { game, crowd, agents, variables, now: 0 }
    }

    /// Returns the game around the agents.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns true if the batch engine can run the tree.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.crowd.program().is_swept()
    }
}

impl System for Watchmen {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame.into();
        self.game.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        let Self { game, crowd, agents, variables, now } = self;
        for Change { agent, variable, value } in game.changes() {
            let (agent, variable) = (agents[*agent as usize], variables[usize::from(*variable)]);
            crowd.set(agent, variable, *value).expect("no agent is ever removed");
        }
        let tally = crowd.tick(*now, game);
        assert_eq!((tally.other, tally.faults), (0, 0), "nothing goes wrong here");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}

/// Returns true if there is an alarm at a time, and false if it is over. Some alarms come twice.
#[must_use]
pub fn is_alarm(now: i64) -> bool {
    now % 3 != 0
}

/// Returns a number made of two.
#[must_use]
pub fn mix(sum: u64, number: u64) -> u64 {
    (sum ^ number).wrapping_mul(0x100_0000_01b3).rotate_left(23)
}

/// Sleepers as a crowd.
pub struct Sleepers {
    crowd: Crowd,
    agents: Vec<Agent>,
    events: [Event; 2],
    variables: [Variable; 2],
    host: Bindings<()>,
    now: i64,
}

impl core::fmt::Debug for Sleepers {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Sleepers").field("crowd", &self.crowd).finish_non_exhaustive()
    }
}

impl Sleepers {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(agents: usize, engine: Engine) -> Self {
        let host = Bindings::new(());
        let image = image("alarm", include_str!("../../trees/alarm.xml"));
        let program = link(&image, &host);
        let events = ["OnCalm", "OnAlarm"].map(|name| program.event(name).expect("the tree hears it"));
        let variables =
            ["Alarmed", "Warned"].map(|name| program.variable(name).expect("the tree declares it"));
        let (crowd, agents) = crowd("alarm", &program, agents, engine);
        Self { crowd, agents, events, variables, host, now: 0 }
    }
}

impl System for Sleepers {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame.into();
        self.crowd.tick(self.now, &mut self.host);
    }

    fn tick(&mut self) -> Counts {
        let Self { crowd, events, host, now, .. } = self;
        let event = events[usize::from(is_alarm(*now))];
        crowd.raise(event, EventTarget::All, *now, host).expect("the event is there");
        Counts::default()
    }

    fn digest(&self) -> u64 {
        let so = |agent: &Agent, index: usize| {
            u64::from(self.crowd.get::<bool>(*agent, self.variables[index]).unwrap_or_default())
        };
        self.agents.iter().fold(0, |sum, agent| mix(sum, so(agent, 0) | so(agent, 1) << 1))
    }
}
