//! Crowds of the golden images do the same as ever, on every engine.
//!
//! `tests/golden/format-1.0/` of the repository holds small images, each with its source and its
//! listing. `runs.txt` has a line for each image:
//!
//! * the number of agents of its crowd;
//! * a hash of all that the agents carry and the host hears in a life with spawns, resets, events,
//!   jumps, snapshots, reloads and panics;
//! * the most agents for which the batch engine asks at once, and how often it asks for several.
//!
//! So this crate can be tested by itself, without a compiler, and in seconds. Tests that compare
//! with a reference prove that the hashes are *right*.
//! `PLEACH_BLESS=1 cargo test -p pleach --test golden` writes the hashes.

use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::host::{LogKind, RunawayTick};
use pleach::state::ReloadPolicy;
use pleach::watch::Watch;
use pleach::{
    Agent, Batch, Call, Crowd, EventTarget, Function, Group, Halt, Host, Image, Program, Status, Value,
};
use pleach_image::splitmix;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const TICKS: u64 = 33;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/format-1.0")
}

/// Returns the programs by name.
fn programs() -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder()).expect("the folder is there");
    let folders = files.map(|file| file.expect("a file").path()).filter(|path| path.is_dir());
    let read = |path: PathBuf| {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        (name, std::fs::read(path.join("image.plc")).expect("it can be read"))
    };
    folders.map(read).collect()
}

/// Returns a hash of both numbers.
fn mix(sum: u64, value: u64) -> u64 {
    splitmix::mix(sum ^ value)
}

/// A host that answers by who asks what and how often, and notes what it hears, for each agent.
#[derive(Default)]
struct Game {
    tick: u64,
    ids: Vec<String>,
    heard: Vec<u64>,
    asked: Vec<u64>,
    /// Largest number of agents in one call, and number of calls with several agents.
    most: usize,
    often: usize,
}

impl Game {
    fn hear(&mut self, agent: Agent, what: impl IntoIterator<Item = u64>) -> u64 {
        let index = agent.index();
        if self.heard.len() <= index {
            self.heard.resize(index + 1, 0);
            self.asked.resize(index + 1, 0);
        }
        self.heard[index] = what.into_iter().fold(self.heard[index], mix);
        self.asked[index] += 1;
        // Answers stay the same for a while.
        [index as u64, self.tick / 4, self.asked[index]].into_iter().fold(self.heard[index] % 7, mix)
    }

    fn called(&mut self, call: &mut Call<'_>, kind: u64) -> u64 {
        let own: Vec<_> = call.data().iter().map(|byte| u64::from(*byte)).collect();
        let what = [kind, call.function.into(), call.node.into(), call.fresh.into(), call.now as u64];
        let args = call.args.iter().flat_map(|arg| match arg {
            Value::Int(int) => vec![1, int as u64],
            Value::Float(float) => vec![2, if float.is_nan() { 0 } else { u64::from(float.to_bits()) }],
            Value::Int64(int) => vec![3, int as u64],
            Value::Double(double) => vec![4, if double.is_nan() { 0 } else { double.to_bits() }],
            Value::Entity(entity) => vec![5, entity.0],
            Value::Text(text) => text.iter().map(|byte| u64::from(*byte)).collect(),
        });
        let answer = self.hear(call.agent, what.into_iter().chain(args).chain(own));
        call.data().iter_mut().rev().for_each(|byte| *byte = byte.wrapping_mul(3) ^ answer as u8);
        if !self.ids.is_empty() && answer.is_multiple_of(16) {
            // The tree may not have it.
            let _ = call.jump_to(&self.ids[answer as usize / 16 % self.ids.len()]);
        }
        answer / 256
    }
}

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        Some(name.bytes().fold(u64::from(function == Function::Action), |sum, byte| mix(sum, byte.into()))
            as u32)
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        !self.hear(agent, [8, number.into()]).is_multiple_of(8)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        match self.called(call, 1) % 8 {
            0..=2 => Status::Running,
            3 | 4 => Status::Success,
            5 | 6 => Status::Failure,
            _ => Status::Other(7),
        }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let numbers = [0.0, 1.0, 2.0, -1.0, 0.5, 100.0, -3e9, f64::NAN];
        numbers[self.called(call, 2) as usize % numbers.len()]
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        (self.most, self.often) = (self.most.max(batch.len()), self.often + 1);
        batch.each(out, |call| self.act(call));
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        (self.most, self.often) = (self.most.max(batch.len()), self.often + 1);
        batch.each(out, |call| self.query(call));
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let answer = self.called(call, 3 + reason as u64);
        assert!(!answer.is_multiple_of(64), "a host may panic");
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.hear(agent, [node.into(), kind as u64, text.len() as u64]);
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let rules: Vec<u64> = run.rules().map(|rule| rule.node().into()).collect();
        self.hear(run.agent, rules);
    }
}

struct Onlooker;

impl Watch for Onlooker {}

/// A crowd with its host.
struct Life {
    crowd: Crowd,
    game: Game,
    agents: Vec<Agent>,
    entries: Vec<String>,
    now: i64,
}

impl Life {
    fn new(image: &Image, engine: Engine, population: usize) -> Self {
        let ids = image.ids().iter().map(|row| image.name(row.name).to_owned()).collect();
        let game = Game { ids, ..Game::default() };
        let program = Program::link(image, &game).expect("this host has every function");
        let entries: Vec<String> = program.entries().map(str::to_owned).collect();
        let mut crowd = Crowd::new(&program).with_seed(5).with_engine(engine);
        let spawn = |index: usize| crowd.spawn(&entries[index % entries.len()]).expect("the entry is there");
        let agents = (0..population).map(spawn).collect();
        // Low enough for some to reach it.
        crowd.set_step_limit(NonZeroU16::new(4).expect("it is not zero"));
        Self { crowd, game, agents, entries, now: 0 }
    }

    /// Changes one of the agents between two ticks.
    fn meddle(&mut self, image: &Image, tick: u64) {
        let Self { crowd, game, agents, entries, now } = self;
        let at = tick as usize * 7 % agents.len();
        let (agent, entry) = (agents[at], &entries[tick as usize % entries.len()]);
        match tick % 11 {
            0 => crowd.reset(agent, *now, game).expect("it is there"),
            1 => _ = crowd.switch(agent, entry, *now, game),
            2 => {
                crowd.despawn(agent, *now, game).expect("it is there");
                agents[at] = crowd.spawn(entry).expect("the entry is there");
            }
            3 => crowd.sleep(agent).expect("it is there"),
            4 => agents.iter().for_each(|agent| crowd.wake(*agent).expect("it is there")),
            5 => {
                let names = image.slots().iter().filter(|slot| slot.name.len > 0);
                for name in names.map(|slot| image.name(slot.name)) {
                    let variable = crowd.program().variable(name);
                    variable.into_iter().for_each(|it| _ = crowd.set_number(agent, it, tick as f64));
                }
            }
            6 => {
                let group = crowd.add_group().unwrap_or_default();
                let _: Result<(), _> = crowd.join(agent, if tick > 12 { Group::default() } else { group });
            }
            7 => game.ids.iter().take(1).for_each(|id| _ = crowd.rules_mut().jump_to(agent, id)),
            8 => {
                let every = NonZeroU16::new(2 + tick as u16 / 9).expect("it is not zero");
                let whom = if tick.is_multiple_of(2) { EventTarget::All } else { EventTarget::Agent(agent) };
                crowd.set_pace(whom, every).expect("it is there");
            }
            9 => {
                let mut state = Vec::new();
                crowd.snapshot(&mut state);
                crowd.restore(&state).expect("what was saved can be restored");
            }
            _ => {
                let program = crowd.program().clone();
                let kept = crowd
                    .reload(&program, ReloadPolicy::Places, *now, game)
                    .expect("it is the same program")
                    .kept;
                assert_eq!(kept, agents.len());
            }
        }
    }

    /// A tick, in one of several ways; a hash of what came of it.
    fn tick(&mut self, image: &Image, tick: u64) -> u64 {
        self.now += [0, 1, 7, 50, 1000][tick as usize % 5];
        self.game.tick = tick;
        self.game.asked.fill(0);
        self.meddle(image, tick);
        let Self { crowd, game, agents, now, .. } = self;
        let events = image.events().iter().enumerate().filter(|_| tick % 3 == 1);
        for (number, row) in events.map(|(number, row)| (number + tick as usize / 3, row)) {
            let event = crowd.program().event(image.name(row.name)).expect("the event is there");
            let to = match number % 5 {
                0 | 3 => EventTarget::All,
                1 | 4 => EventTarget::Agent(agents[number % agents.len()]),
                _ => EventTarget::Group(Group::default()),
            };
            let _ = crowd.raise(event, to, *now, game);
        }
        let mut tallies = Vec::new();
        match tick % 6 {
            4 => {
                crowd.parts(2).for_each(|mut part| tallies.push(part.tick(*now, game)));
                crowd.end_tick(*now, game);
            }
            5 => tallies.extend(crowd.tick_watching(*now, game, agents[0], &mut Onlooker)),
            3 => {
                for agent in agents.iter().step_by(3) {
                    crowd.tick_agent(*agent, *now, game, &mut ()).expect("it is there");
                }
                tallies.push(crowd.tick(*now, game));
            }
            _ => tallies.push(crowd.tick(*now, game)),
        }
        let outcome = |agent: &Agent| crowd.outcome(*agent).expect("it is there");
        let outcomes: Vec<_> = agents.iter().map(outcome).collect();
        let ended = format!("{outcomes:?} {tallies:?}").into_bytes();
        game.heard.iter().copied().chain(ended.into_iter().map(u64::from)).fold(crowd.inspect().digest(), mix)
    }
}

/// Returns the hash of a life, how many agents asked at once at most, and how often some did.
fn run(image: &Image, engine: Engine, population: usize) -> (u64, [usize; 2]) {
    let mut life = Life::new(image, engine, population);
    let hash = (0..TICKS).fold(0, |sum, tick| mix(sum, life.tick(image, tick)));
    (hash, [life.game.most, life.game.often])
}

#[test]
fn every_engine_comes_to_the_same_as_ever() {
    let path = folder().join("runs.txt");
    let blessed = std::env::var_os("PLEACH_BLESS").is_some();
    let known = std::fs::read_to_string(&path).expect("the file is there");
    let populations = known.lines().map(|line| {
        let mut words = line.split(' ');
        let name = words.next().expect("a line begins with a name");
        (name, words.next().expect("a population").parse().expect("a number"))
    });
    let populations: BTreeMap<&str, usize> = populations.collect();
    let mut runs = String::new();
    assert_eq!(Vectors::all().next(), Some(Vectors::Portable));
    // An interpreter such as Miri takes its time, so there some of them have to do.
    let all = programs().into_iter().enumerate().filter(|(index, _)| !cfg!(miri) || index % 16 == 5);
    for (index, (name, bytes)) in all {
        let image = Image::copy(&bytes).expect("the programs are sound");
        // More than a chunk has, unless the file says otherwise.
        let population = populations.get(&*name).copied().unwrap_or(300);
        let scalar = run(&image, Engine::Scalar, population).0;
        let batch: Vec<_> = Vectors::all().map(|it| run(&image, Engine::Batch(it), population)).collect();
        let [most, often] = batch[0].1;
        assert!(batch.iter().all(|life| *life == (scalar, [most, often])), "{name}: {scalar:x}, {batch:x?}");
        let run = format!("{name} {population} {scalar:016x} {most} {often}");
        assert!(blessed || known.lines().nth(index) == Some(&run), "{run}");
        runs += &(run + "\n");
    }
    if blessed {
        std::fs::write(path, &runs).expect("the file can be written");
    }
    assert!(cfg!(miri) || blessed || runs.lines().count() == known.lines().count());
}

/// The only agent of a crowd does not go the way of many. That of a part
/// does, and here the part is all.
#[test]
fn an_only_agent_is_ticked_as_one_of_many() {
    let mut alone = 0;
    for (name, bytes) in programs() {
        let image = Image::copy(&bytes).expect("the programs are sound");
        let [mut whole, mut part] = [(), ()].map(|()| Life::new(&image, Engine::Auto, 1));
        for tick in 0..2 * TICKS {
            for life in [&mut whole, &mut part] {
                life.now += tick as i64 % 3;
                life.game.tick = tick;
                // Later on it sleeps, has a pace and so on.
                if tick > TICKS {
                    life.meddle(&image, tick);
                }
            }
            let first = whole.crowd.tick(whole.now, &mut whole.game);
            let second: Vec<_> =
                part.crowd.parts(1).map(|mut it| it.tick(part.now, &mut part.game)).collect();
            part.crowd.end_tick(part.now, &mut part.game);
            assert_eq!([first][..], second, "{name} {tick}");
            let outcome = |life: &Life| life.crowd.outcome(life.agents[0]);
            assert_eq!(outcome(&whole), outcome(&part), "{name} {tick}");
            assert_eq!(whole.crowd.inspect().digest(), part.crowd.inspect().digest(), "{name} {tick}");
            assert_eq!(whole.game.heard, part.game.heard, "{name} {tick}");
            alone += first.total();
        }
    }
    assert!(alone > 1000, "{alone}");
}
