//! The examples of modular behavior trees show the described behavior, for a group of agents.

use pleach::host::LogKind;
use pleach::watch::{LogHistory, RecentNodes};
use pleach::{Agent, Call, Crowd, EventTarget, Function, Halt, Host, Image, Outcome, Program, Status};
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use std::path::Path;

/// Number of time units in a second.
const SECOND: i64 = 100_000;

struct Examples;

impl Library for Examples {
    fn tree(&self, name: &str) -> Option<Found> {
        let text = read(&format!("{name}.xml"));
        Some(Found { name: format!("{name}.xml"), text: text.into_bytes().into() })
    }

    fn include(&self, _: &str) -> Option<Found> {
        None
    }
}

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples/mbt").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the image of an example without findings.
fn image(example: &str) -> Image {
    let (manifest, problems) = Manifest::parse(&read("game.manifest"));
    assert_eq!(problems, []);
    let entries = &[example.to_owned()];
    let done = compile(&Examples, Request { dialect: &Mbt, manifest: &manifest, entries, debug: true });
    assert!(done.diagnostics.list().is_empty(), "{:?}", done.diagnostics.list());
    Image::copy(&done.image.expect("an image")).expect("a valid one")
}

/// Host that records actions with their agents, and answers from lists.
#[derive(Default)]
struct Game {
    names: Vec<String>,
    done: Vec<String>,
    /// Actions that succeed. Those of `fail` fail, and all others are running.
    succeed: Vec<&'static str>,
    fail: Vec<&'static str>,
}

impl Game {
    /// Returns the records since the last time.
    fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.done)
    }
}

impl Host for Game {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|it| it == name).map(|it| it as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let name = &self.names[call.function as usize];
        if call.fresh {
            self.done.push(format!("{} {name}", call.agent.index()));
        }
        match name {
            name if self.succeed.contains(&&**name) => Status::Success,
            name if self.fail.contains(&&**name) => Status::Failure,
            _ => Status::Running,
        }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.done.push(format!("{} -{}", call.agent.index(), self.names[call.function as usize]));
    }

    fn log(&mut self, agent: Agent, _: u32, _: LogKind, text: &[u8]) {
        self.done.push(format!("{} \"{}\"", agent.index(), String::from_utf8_lossy(text)));
    }
}

/// Agents of an example.
struct Stage {
    crowd: Crowd,
    agents: Vec<Agent>,
    game: Game,
    now: i64,
}

impl Stage {
    fn new(example: &str, agents: usize) -> Self {
        let image = image(example);
        let names = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        let game = Game { names, ..Game::default() };
        let program = Program::link(&image, &game).expect("the game has all");
        let mut crowd = Crowd::new(&program);
        let agents = (0..agents).map(|_| crowd.spawn(example).expect("the tree")).collect();
        Self { crowd, agents, game, now: 0 }
    }

    /// Ticks all agents after some seconds, and checks the records.
    #[track_caller]
    fn tick(&mut self, seconds: i64, expected: &[&str]) {
        self.now += seconds * SECOND;
        let tally = self.crowd.tick(self.now, &mut self.game);
        assert_eq!(tally.running as usize, self.crowd.len(), "all trees go on: {tally:?}");
        assert_eq!(self.game.heard(), expected);
    }

    fn event(&mut self, agent: usize, name: &str) {
        let event = self.crowd.program().event(name).expect("the tree names the event");
        self.crowd
            .raise(event, EventTarget::Agent(self.agents[agent]), self.now, &mut self.game)
            .expect("the agent is there");
    }
}

#[test]
fn what_has_ended_is_told_with_its_line() {
    let text = "<BehaviorTree>\n<Root>\n<Sequence>\n<Wait duration='0'/>\n<Selector _failureLog='no'>\n<Fail/>\n<Move/>\n\
        </Selector>\n</Sequence>\n</Root>\n</BehaviorTree>";
    let (manifest, _) = Manifest::parse("action Move()");
    let entries = &["tree".to_owned()];
    let done = compile(
        &Texts::of("tree", "xml", text),
        Request { dialect: &Mbt, manifest: &manifest, entries, debug: true },
    );
    let image = Image::copy(&done.image.expect("an image")).expect("a valid one");
    let mut game = Game { names: vec!["Move".to_owned()], fail: vec!["Move"], ..Game::default() };
    let program = Program::link(&image, &game).expect("the game has all");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("tree").expect("the tree");
    let mut recent = RecentNodes::new(&image);
    let outcome = crowd.tick_agent(agent, 0, &mut game, &mut recent).expect("the agent is there");
    assert_eq!(outcome, Outcome::Status(Status::Failure));
    assert_eq!(recent.to_string(), "(4) Wait. (6) Fail. (7) Move. (5) Selector. (3) Sequence.");
}

#[test]
fn the_last_texts_of_a_log_are_kept() {
    let image = image("chase");
    let game = Game { names: vec!["ChasePlayer".to_owned(), "TauntPlayer".to_owned()], ..Game::default() };
    let mut crowd = Crowd::new(&Program::link(&image, &game).expect("the game has all"));
    let (agent, other) = (crowd.spawn("chase").expect("the tree"), crowd.spawn("chase").expect("the tree"));
    let mut history = LogHistory::default();
    (0..30).for_each(|number| history.add(agent, format!("{number}").as_bytes()));
    assert_eq!(
        (history.of(agent).len(), history.of(agent).next(), history.of(other).len()),
        (20, Some("10"), 0)
    );
    history.forget(agent);
    assert_eq!(history.of(agent).len(), 0);
}

/// Host with a node that receives events and counts them in its own bytes.
#[derive(Default)]
struct Counter {
    heard: Vec<String>,
    seen: Vec<Vec<u8>>,
}

impl Host for Counter {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(u32::from(name.ends_with(".OnEvent")))
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.function == 1 {
            self.heard.push(String::from_utf8_lossy(&call.args.text(0)).into_owned());
            return Status::Success;
        }
        let data = call.data();
        data[2] += 1;
        let count = data[2];
        self.seen.push(data.to_vec());
        if count == 3 { Status::Success } else { Status::Running }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

#[test]
fn nodes_of_the_host_have_data_and_hear_of_events() {
    let text = "<BehaviorTree><Root><Loop><Sequence><Count/><WaitForEvent name='E'/></Sequence></Loop></Root></BehaviorTree>";
    let (manifest, problems) = Manifest::parse("action Count() data 3 hears");
    assert_eq!(problems, []);
    let entries = &["tree".to_owned()];
    let done = compile(
        &Texts::of("tree", "xml", text),
        Request { dialect: &Mbt, manifest: &manifest, entries, debug: true },
    );
    let image = Image::copy(&done.image.expect("an image")).expect("a valid one");
    let mut host = Counter::default();
    let program = Program::link(&image, &host).expect("the host has all");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("tree").expect("the tree");
    let event = program.event("E").expect("the tree names it");
    crowd.raise(event, EventTarget::Agent(agent), 0, &mut host).expect("the agent is there");
    crowd.tick(0, &mut host);
    crowd.raise(event, EventTarget::Agent(agent), 0, &mut host).expect("the agent is there");
    crowd.tick(1, &mut host);
    crowd.tick(2, &mut host);
    // Now the tree waits for the event, and the node has ended. It receives nothing, and begins
    // anew with zero bytes.
    crowd.raise(event, EventTarget::Agent(agent), 0, &mut host).expect("the agent is there");
    crowd.tick(3, &mut host);
    assert_eq!(host.heard, ["E"]);
    assert_eq!(host.seen.iter().map(|it| it[2]).collect::<Vec<_>>(), [1, 2, 3, 1]);
    assert!(host.seen.iter().all(|it| it.len() == 3));
}

#[test]
fn one_chases_and_the_others_taunt() {
    let mut stage = Stage::new("chase", 3);
    stage.tick(0, &["0 \"after him\"", "0 ChasePlayer", "1 TauntPlayer", "2 TauntPlayer"]);
    stage.tick(1, &[]);
    // The agent that chased is gone. The first agent that finishes taunting takes its place.
    stage.crowd.despawn(stage.agents[0], stage.now, &mut stage.game).expect("it was there");
    assert_eq!(stage.game.heard(), ["0 -ChasePlayer"]);
    stage.game.succeed = vec!["TauntPlayer"];
    stage.tick(1, &["1 \"after him\"", "1 ChasePlayer", "2 TauntPlayer"]);
}

#[test]
fn what_is_seen_decides() {
    let mut stage = Stage::new("sight", 3);
    stage.event(1, "OnEnemySeen");
    stage.tick(0, &["0 Animate", "1 Move", "2 Animate"]);
    // No agent stops its action because of an event.
    stage.event(0, "OnEnemySeen");
    stage.event(1, "OnLostSightOfTarget");
    stage.tick(1, &[]);
    stage.game.succeed = vec!["Animate"];
    stage.tick(1, &["0 Move", "2 Animate"]);
}

#[test]
fn what_is_seen_interrupts() {
    let mut stage = Stage::new("reactions", 2);
    stage.tick(0, &["0 Animate", "1 Animate"]);
    stage.event(1, "OnEnemySeen");
    stage.tick(1, &["1 -Animate", "1 Move", "1 Communicate"]);
    stage.event(1, "OnLostSightOfTarget");
    stage.tick(1, &["1 -Move", "1 -Communicate", "1 Animate"]);
}

#[test]
fn wounds_and_losses_are_remembered() {
    let mut stage = Stage::new("revenge", 2);
    stage.event(0, "OnEnemyDamage");
    stage.tick(0, &["1 MoveConfidentlyTowardsTarget"]);
    stage.tick(5, &[]);
    stage.event(0, "GroupMemberDied");
    stage.tick(1, &["0 Crouched", "0 MoveCautiouslyTowardsTarget"]);
    stage.game.succeed = vec!["MoveCautiouslyTowardsTarget"];
    stage.tick(11, &["0 -Crouched", "0 MoveConfidentlyTowardsTarget"]);
}

#[test]
fn a_sentry_is_alarmed_for_a_while() {
    let mut stage = Stage::new("sentry", 2);
    stage.tick(0, &["0 Animate", "1 Animate"]);
    stage.event(0, "OnEnemySeen");
    stage.game.succeed = vec!["Communicate"];
    stage.tick(1, &["0 -Animate", "0 \"alarm\"", "0 Communicate"]);
    stage.tick(4, &[]);
    stage.event(0, "OnEnemySeen");
    stage.tick(8, &[]);
    stage.tick(1, &[]);
    stage.tick(1, &["0 Animate"]);
}
