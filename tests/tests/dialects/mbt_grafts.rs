//! Modular trees change while agents run: a subtree is grafted onto an agent, and a new program
//! replaces the old one.

use pleach::graft::{AlreadyGrafted, Graftable, Grafts};
use pleach::host::LogKind;
use pleach::state::ReloadPolicy;
use pleach::{AccessError, Agent, Call, Crowd, EventTarget, Function, Halt, Host, Image, Program, Status};
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use std::path::Path;

fn example(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples/mbt").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn image(name: &str, text: &str) -> Image {
    let (manifest, _) = Manifest::parse(&example("game.manifest"));
    let entries = &[name.to_owned()];
    let done = compile(
        &Texts::of(name, "xml", text),
        Request { dialect: &Mbt, manifest: &manifest, entries, debug: true },
    );
    assert!(done.diagnostics.list().is_empty(), "{:?}", done.diagnostics.list());
    Image::copy(&done.image.expect("an image")).expect("a valid one")
}

const NAMES: [&str; 3] = ["Animate", "Move", "Communicate"];

/// Host that records actions with their agents.
#[derive(Debug, Default)]
struct Game {
    done: Vec<String>,
    succeed: Vec<&'static str>,
    fail: Vec<&'static str>,
}

impl Host for Game {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        NAMES.iter().position(|it| *it == name).map(|it| it as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let name = NAMES[call.function as usize];
        if call.fresh {
            self.done.push(format!("{} {name}", call.agent.index()));
        }
        match name {
            name if self.succeed.contains(&name) => Status::Success,
            name if self.fail.contains(&name) => Status::Failure,
            _ => Status::Running,
        }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.done.push(format!("{} -{}", call.agent.index(), NAMES[call.function as usize]));
    }

    fn log(&mut self, agent: Agent, _: u32, _: LogKind, text: &[u8]) {
        self.done.push(format!("{} \"{}\"", agent.index(), String::from_utf8_lossy(text)));
    }
}

/// Agents at their posts.
struct Posts {
    crowd: Crowd,
    agents: Vec<Agent>,
    host: Grafts<Game>,
    errand: Graftable,
    now: i64,
}

impl Posts {
    fn new(agents: usize) -> Self {
        let mut host = Grafts::new(Game::default());
        let program = Program::link(&image("post", &example("post.xml")), &host).expect("the host has all");
        let errand = host.tree(&image("errand", &example("errand.xml"))).expect("the game has all");
        let mut crowd = Crowd::new(&program);
        let agents = (0..agents).map(|_| crowd.spawn("post").expect("the tree")).collect();
        Self { crowd, agents, host, errand, now: 0 }
    }

    fn event(&mut self, agent: usize, name: &str) {
        let event = self.crowd.program().event(name).expect("the tree names the event");
        let to = EventTarget::Agent(self.agents[agent]);
        self.crowd.raise(event, to, self.now, &mut self.host).expect("the agent is there");
    }

    fn send(&mut self, agent: usize) {
        self.host.request(self.agents[agent], self.errand).expect("it has nothing to do");
        self.event(agent, "OnGraftRequested");
    }

    #[track_caller]
    fn tick(&mut self, expected: &[&str]) {
        self.now += 100_000;
        let tally = self.crowd.tick(self.now, &mut self.host);
        assert_eq!(tally.running as usize, self.crowd.len());
        assert_eq!(std::mem::take(&mut self.host.host.done), expected);
    }

    #[track_caller]
    fn ended(&mut self, agent: usize, status: Option<Status>) {
        assert_eq!(self.host.take_ended(), [(self.agents[agent], status)]);
    }
}

#[test]
fn a_grafted_tree_is_one_with_its_agent() {
    let mut posts = Posts::new(3);
    posts.tick(&["0 Animate", "1 Animate", "2 Animate"]);
    posts.send(1);
    assert_eq!(posts.host.request(posts.agents[1], posts.errand), Err(AlreadyGrafted));
    posts.tick(&["1 -Animate", "1 \"on my way\"", "1 Move"]);
    posts.host.host.succeed = vec!["Move", "Communicate"];
    posts.tick(&[]);
    // The event sets the agent's variable, and reaches the errand, whose condition reads this
    // variable.
    posts.event(1, "OnEnemySeen");
    posts.tick(&["1 Communicate"]);
    posts.ended(1, Some(Status::Success));
    // The leaf stays running for the next tree.
    posts.tick(&[]);
    posts.event(1, "OnGraftCanceled");
    posts.tick(&["1 Animate"]);
}

#[test]
fn a_grafted_tree_that_fails_lets_its_leaf_fail() {
    let mut posts = Posts::new(2);
    posts.host.host.fail = vec!["Move"];
    posts.tick(&["0 Animate", "1 Animate"]);
    posts.send(0);
    posts.tick(&["0 -Animate", "0 \"on my way\"", "0 Move"]);
    posts.ended(0, Some(Status::Failure));
    posts.tick(&["0 Animate"]);
}

#[test]
fn a_grafted_tree_ends_with_its_leaf() {
    let mut posts = Posts::new(2);
    posts.tick(&["0 Animate", "1 Animate"]);
    posts.send(0);
    posts.send(1);
    let begin = ["0 -Animate", "0 \"on my way\"", "0 Move", "1 -Animate", "1 \"on my way\"", "1 Move"];
    posts.tick(&begin);
    posts.event(0, "OnGraftCanceled");
    posts.tick(&["0 -Move", "0 Animate"]);
    posts.ended(0, None);
    posts.crowd.despawn(posts.agents[1], posts.now, &mut posts.host).expect("it was there");
    assert_eq!(posts.host.host.done, ["1 -Move"]);
    posts.ended(1, None);
    // A tree that is taken away is halted, too. The leaf waits for another tree.
    posts.host.host.done.clear();
    posts.send(0);
    posts.tick(&["0 -Animate", "0 \"on my way\"", "0 Move"]);
    posts.host.cancel(posts.agents[0], posts.now);
    posts.tick(&["0 -Move"]);
    posts.ended(0, None);
}

/// A grafted tree writes variables of its agent.
#[test]
fn what_a_grafted_tree_writes_is_its_agents() {
    let text = "<BehaviorTree><Variables><Variable name='TargetVisible'/></Variables>\
        <SignalVariables><Signal name='E' variable='TargetVisible' value='true'/></SignalVariables>\
        <Root><Sequence><SendEvent name='E'/><Halt/></Sequence></Root></BehaviorTree>";
    let mut posts = Posts::new(1);
    posts.errand = posts.host.tree(&image("send", text)).expect("the game has all");
    posts.tick(&["0 Animate"]);
    posts.send(0);
    posts.tick(&["0 -Animate"]);
    let variable = posts.crowd.program().variable("TargetVisible").expect("it is declared");
    assert_eq!(posts.crowd.get(posts.agents[0], variable), Ok(true));
}

const BEFORE: &str = "<BehaviorTree><Variables><Variable name='Alert'/><Variable name='Old'/></Variables>\
    <SignalVariables><Signal name='E' variable='Alert' value='!Alert'/></SignalVariables>\
    <Root><Priority><Case condition='Alert'><Move/></Case><Case><Animate name='Stand'/></Case></Priority></Root></BehaviorTree>";
const AFTER: &str = "<BehaviorTree><Variables><Variable name='New' default='true'/><Variable name='Alert'/></Variables>\
    <SignalVariables><Signal name='E' variable='Alert' value='true'/></SignalVariables>\
    <Root><Sequence><IfCondition condition='Alert and New'><Communicate name='Hey'/></IfCondition><Halt/></Sequence></Root></BehaviorTree>";

#[test]
fn a_changed_tree_takes_the_place_of_the_old_one() {
    let mut game = Game { succeed: vec!["Communicate"], ..Game::default() };
    let old = Program::link(&image("tree", BEFORE), &game).expect("the game has all");
    let mut crowd = Crowd::new(&old);
    // More agents than a chunk holds.
    let agents: Vec<Agent> = (0..600).map(|_| crowd.spawn("tree").expect("the tree")).collect();
    let (gone, asleep) = (agents[5], agents[9]);
    crowd.despawn(gone, 0, &mut game).expect("it was there");
    crowd.sleep(asleep).expect("it is there");
    let group = crowd.add_group().expect("there is room");
    let event = old.event("E").expect("the tree names it");
    for agent in agents.iter().filter(|agent| agent.index().is_multiple_of(2)) {
        crowd.join(*agent, group).expect("it is there");
    }
    crowd.raise(event, EventTarget::Group(group), 0, &mut game).expect("the group is there");
    crowd.tick(0, &mut game);
    game.done.clear();

    let new = Program::link(&image("tree", AFTER), &game).expect("the game has all");
    crowd.reload(&new, ReloadPolicy::Variables, 1, &mut game).expect("the tree is there");
    assert_eq!((crowd.len(), game.done.len()), (599, 598), "all that ran is halted");
    assert!(game.done.iter().all(|it| it.contains(" -")));
    game.done.clear();
    let tally = crowd.tick(1, &mut game);
    assert_eq!((tally.running + tally.failure, tally.faults), (598, 0));
    let [alert, fresh] = ["Alert", "New"].map(|name| new.variable(name).expect("it is declared"));
    for agent in &agents {
        let is_there = *agent != gone;
        let even = agent.index().is_multiple_of(2);
        assert_eq!(crowd.get(*agent, alert).ok(), is_there.then_some(even), "{agent:?}");
        assert_eq!(crowd.get(*agent, fresh).ok(), is_there.then_some(true), "{agent:?}");
        assert_eq!(game.done.contains(&format!("{} Communicate", agent.index())), even && *agent != asleep);
    }
    assert_eq!(crowd.get::<bool>(gone, alert), Err(AccessError::Stale));
    assert_eq!(crowd.sleeps(asleep), Ok(true));
    // Groups are unchanged, and new agents take the places of despawned ones.
    crowd
        .raise(new.event("E").expect("the tree names it"), EventTarget::Group(group), 2, &mut game)
        .expect("as before");
    let spawned = crowd.spawn("tree").expect("the tree");
    assert_eq!((spawned.index(), spawned == gone), (gone.index(), false));
    assert_eq!(crowd.get(spawned, alert), Ok(false));
}

#[test]
fn a_program_without_the_tree_is_refused() {
    let mut game = Game::default();
    let old = Program::link(&image("tree", BEFORE), &game).expect("the game has all");
    let new = Program::link(&image("other", AFTER), &game).expect("the game has all");
    let mut crowd = Crowd::new(&old);
    let agent = crowd.spawn("tree").expect("the tree");
    crowd.tick(0, &mut game);
    let refused =
        crowd.reload(&new, ReloadPolicy::Variables, 1, &mut game).expect_err("nobody can run its tree");
    assert!(refused.to_string().contains("`tree`"), "{refused}");
    assert_eq!((crowd.tick(1, &mut game).running, game.done.len()), (1, 1));
    crowd.despawn(agent, 1, &mut game).expect("it is there");
    crowd.reload(&new, ReloadPolicy::Variables, 1, &mut game).expect("nobody runs the tree");
    assert!(crowd.spawn("other").is_ok());
}
