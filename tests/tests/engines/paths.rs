//! Running sets that are numbers come to the same as lists, whatever an agent has been through.

use pleach::engine::{Engine, Vectors};
use pleach::watch::Watch;
use pleach::{Agent, Call, Crowd, Function, Host, Image, Program, Shortcut, Shortcuts, Status};
use pleach_image::splitmix::mix;
use pleach_tests::inline;

const AGENTS: usize = 70;

/// A class, branches that are cut off from what is around them, and a tree that is included twice.
const MAIN: &str = "selectClass { selector { spawnAs 1 spawnAs 2 } }
    selector {
        decorator return( STATUS_FAILURE ) { sequence { action equip action buy( 1 ) } }
        sequence { condition team == 1 action heal behavior shared action rush }
        decorator timer( 3 ) { selector { condition team == 2 { behavior shared } action flee } }
        sequence { decorator invert() { action repair } behavior shared }
        fallback { action roam action reload } }";
const SHARED: &str =
    "sequence { action fight selector { action evolve sequence { action say( \"a\" ) action jump } } }";

/// A tree with the same leaves but without paths: branches run side by side, and a status becomes
/// running.
const ASIDE: &str = "concurrent { sequence { action heal action rush }
    decorator mapStatus( STATUS_FAILURE, STATUS_RUNNING, STATUS_RUNNING ) { sequence { action buy( 1 ) action roam } }
    behavior shared }";

/// Host whose answers depend on a seed and on the calls of the agent so far.
#[derive(Default)]
struct Moody {
    calls: Vec<u64>,
}

impl Moody {
    fn draw(&mut self, agent: Agent, call: u64) -> u64 {
        self.calls.resize(AGENTS.max(agent.index() + 1), 0);
        let calls = &mut self.calls[agent.index()];
        *calls = mix(*calls ^ call ^ agent.index() as u64);
        *calls >> 32
    }
}

impl Host for Moody {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(mix(name.len() as u64 + u64::from(name.as_bytes()[0])) as u32 >> 1)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let what = u64::from(call.function) << 32 | u64::from(call.node) << 1 | u64::from(call.fresh);
        match self.draw(call.agent, what) % 8 {
            0 | 1 => Status::Failure,
            2 | 3 => Status::Success,
            _ => Status::Running,
        }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        (self.draw(call.agent, call.function.into()) % 3) as f64
    }
}

/// Watch that has nothing to say.
struct Silent;

impl Watch for Silent {}

/// A crowd with its game.
struct Side {
    program: Program,
    engine: Engine,
    crowd: Crowd,
    host: Moody,
    agents: Vec<Agent>,
}

impl Side {
    fn new(image: &Image, entries: &[&str], shortcuts: Shortcuts, engine: Engine) -> Self {
        let host = Moody::default();
        let program = Program::link_with(image, &host, shortcuts).expect("all functions are there");
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let entry = |index: usize| entries[index % entries.len()];
        let agents = (0..AGENTS).map(|index| crowd.spawn(entry(index)).expect("there is room")).collect();
        Self { program, engine, crowd, host, agents }
    }

    /// Does something to an agent, by a draw, and ticks all.
    fn go_on(&mut self, tick: i64, draw: u64) {
        let Self { program, engine, crowd, host, agents } = self;
        let agent = agents[(draw >> 8) as usize % AGENTS];
        match draw % 8 {
            0 | 1 => {
                let entry = ["main#class", "shared", "main"][(draw >> 40) as usize % 3];
                if crowd.tick_entry(agent, entry, tick, host).is_err() {
                    crowd.tick_agent(agent, tick, host, &mut ()).expect("it is there");
                }
            }
            2 => crowd.reset(agent, tick, host).expect("it is there"),
            3 => drop(crowd.tick_agent(agent, tick, host, &mut ()).expect("it is there")),
            4 => drop(crowd.tick_watching(tick, host, agent, &mut Silent).expect("it is there")),
            5 => {
                let mut state = Vec::new();
                crowd.snapshot(&mut state);
                *crowd = Crowd::new(program).with_engine(*engine);
                crowd.restore(&state).expect("it was just saved");
            }
            _ => {}
        }
        crowd.tick(tick, host);
    }

    fn sets(&self) -> Vec<Vec<u16>> {
        let set = |agent: &Agent| self.crowd.inspect().running_set(*agent).expect("it is there").to_vec();
        self.agents.iter().map(set).collect()
    }

    fn state(&mut self) -> Vec<u8> {
        let mut state = Vec::new();
        self.crowd.snapshot(&mut state);
        state
    }
}

/// Runs a program with and without numbers. Returns how many different sets were seen.
fn compared(main: &str, entries: &[&str]) -> usize {
    let image = inline::image(&[("main", main), ("shared", SHARED)], entries);
    let lists = Shortcuts::ALL.without(Shortcut::RunningPaths);
    let batch = Engine::Batch(Vectors::all().last().expect("there is one"));
    let mut sides = [
        Side::new(&image, entries, lists, Engine::Scalar),
        Side::new(&image, entries, Shortcuts::ALL, Engine::Scalar),
        Side::new(&image, entries, Shortcuts::ALL, batch),
        Side::new(&image, entries, lists, batch),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for tick in 0..600 {
        sides.iter_mut().for_each(|side| side.go_on(tick, mix(tick as u64)));
        let [first, others @ ..] = &mut sides;
        let (sets, state) = (first.sets(), first.state());
        for side in others {
            assert_eq!(side.sets(), sets, "{tick}");
            assert_eq!(side.host.calls, first.host.calls, "{tick}");
            let mut again = Crowd::new(&side.program);
            again.restore(&side.state()).expect("it was just saved");
            again.restore(&state).expect("it is one of the same image");
        }
        seen.extend(sets);
    }
    seen.len()
}

#[test]
fn numbers_and_lists_come_to_the_same() {
    for (main, least) in [(MAIN, 20), (ASIDE, 5)] {
        for entries in [&["main"][..], &["main", "shared"], &["shared", "main"]] {
            let seen = compared(main, entries);
            assert!(seen > least, "{entries:?}: {seen}");
        }
    }
}
