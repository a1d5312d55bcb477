//! The example files of behavior selection trees share blocks, and give each kind of agent its own
//! behavior.

use pleach::engine::{Engine, Vectors};
use pleach::{AccessError, Agent, Call, Crowd, EventTarget, Function, Halt, Host, Image, Program, Status};
use pleach_compile::internals::dialects::{BLOCKED, Bst};
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile};
use pleach_image::splitmix::mix;
use std::collections::BTreeSet;

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../../../spec/examples/bst/", $name)))),*] };
}

fn compiled(tree: &str, manifest: &str) -> Compilation {
    let (manifest, problems) = Manifest::parse(manifest);
    assert!(problems.is_empty(), "{problems:?}");
    let entries = [tree.to_owned()];
    let files = files!["alien.xml" "grunt.xml" "sentry.xml" "shared/senses.xml" "shared/watch.xml"];
    let examples = files.into_iter().fold(Texts::new("xml"), |texts, (path, text)| texts.with(path, text));
    compile(&examples, Request { dialect: &Bst, manifest: &manifest, entries: &entries, debug: true })
}

/// Game that gives agents the behaviors that their trees select.
#[derive(Default)]
struct Game {
    names: Vec<String>,
    /// Behavior of each agent, by its index; empty if it has none.
    behaviors: Vec<String>,
    /// Calls in order.
    heard: Vec<String>,
    /// Index of the agent for which the game panics.
    touchy: Option<usize>,
}

impl Game {
    fn name(&self, call: &Call<'_>) -> String {
        assert_ne!(self.touchy, Some(call.agent.index()), "a touchy game");
        self.names[call.function as usize].clone()
    }
}

impl Host for Game {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let (name, agent) = (self.name(call), call.agent.index());
        self.heard.push(format!("+{name}"));
        self.behaviors.resize(self.behaviors.len().max(agent + 1), String::new());
        self.behaviors[agent] = name;
        Status::Success
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.heard.push(format!("-{}", self.name(call)));
        self.behaviors[call.agent.index()].clear();
    }
}

struct Scene {
    crowd: Crowd,
    game: Game,
    agents: Vec<Agent>,
}

impl Scene {
    fn new(tree: &str, agents: usize) -> Self {
        let manifest = include_str!("../../../spec/examples/bst/game.manifest");
        Self::of(compiled(tree, manifest), Engine::Auto, agents)
    }

    fn of(done: Compilation, engine: Engine, agents: usize) -> Self {
        assert!(done.diagnostics.list().is_empty(), "{:?}", done.diagnostics.list());
        let image = Image::copy(&done.image.expect("no errors")).expect("the verifier lets it pass");
        let names = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        let game = Game { names, ..Game::default() };
        let program = Program::link(&image, &game).expect("the game has all behaviors");
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let entry = program.entries().next().expect("a tree").to_owned();
        let agents = (0..agents).map(|_| crowd.spawn(&entry).expect("there is room")).collect();
        Self { crowd, game, agents }
    }

    /// Raises a signal and ticks. Returns the calls.
    fn signal(&mut self, name: &str, to: EventTarget) -> String {
        let event = self.crowd.program().event(name).expect("the tree knows the signal");
        self.crowd.raise(event, to, 0, &mut self.game).expect("agents and groups are there");
        self.tick()
    }

    fn tick(&mut self) -> String {
        self.crowd.tick(0, &mut self.game);
        core::mem::take(&mut self.game.heard).join(" ")
    }
}

#[test]
fn grunts_and_aliens_share_their_watch() {
    for (tree, kind) in [("Grunt", "Grunt"), ("alien", "Alien")] {
        let mut scene = Scene::new(tree, 1);
        assert_eq!(scene.tick(), format!("+{kind}Idle"));
        assert_eq!(scene.tick(), "");
        assert_eq!(scene.signal("OnNoise", EventTarget::All), format!("-{kind}Idle +{kind}Search"));
        assert_eq!(scene.signal("OnEnemySeen", EventTarget::All), format!("-{kind}Search +{kind}Attack"));
        assert_eq!(scene.signal("OnEnemyLost", EventTarget::All), format!("-{kind}Attack +{kind}Search"));
        assert_eq!(scene.signal("OnCalm", EventTarget::All), format!("-{kind}Search +{kind}Idle"));
    }
}

#[test]
fn hurt_aliens_flee_and_heal() {
    let mut scene = Scene::new("Alien", 1);
    assert_eq!(scene.signal("OnEnemySeen", EventTarget::All), "+AlienAttack");
    assert_eq!(scene.signal("OnNestReached", EventTarget::All), "");
    assert_eq!(scene.signal("OnDamage", EventTarget::All), "-AlienAttack +AlienFlee");
    assert_eq!(scene.signal("OnCalm", EventTarget::All), "");
    assert_eq!(scene.signal("OnNestReached", EventTarget::All), "-AlienFlee +AlienHeal");
    assert_eq!(scene.signal("OnHealed", EventTarget::All), "-AlienHeal +AlienIdle");
}

#[test]
fn signals_come_to_one_to_a_group_and_to_all() {
    let mut scene = Scene::new("Grunt", 4);
    scene.tick();
    let group = scene.crowd.add_group().expect("there is room");
    for agent in &scene.agents[1..3] {
        scene.crowd.join(*agent, group).expect("agent and group are there");
    }
    scene.signal("OnNoise", EventTarget::Agent(scene.agents[0]));
    assert_eq!(scene.game.behaviors, ["GruntSearch", "GruntIdle", "GruntIdle", "GruntIdle"]);
    scene.signal("OnEnemySeen", EventTarget::Group(group));
    assert_eq!(scene.game.behaviors, ["GruntSearch", "GruntAttack", "GruntAttack", "GruntIdle"]);
    scene.signal("OnNoise", EventTarget::All);
    assert_eq!(scene.game.behaviors, ["GruntSearch", "GruntAttack", "GruntAttack", "GruntSearch"]);
}

#[test]
fn hosts_set_variables_and_keep_trees_from_selecting() {
    let mut scene = Scene::new("sentry", 1);
    assert_eq!(scene.tick(), "+StandWatch");
    let alarm = scene.crowd.program().variable("Alarm").expect("the tree declares it");
    let blocked = scene.crowd.program().variable(BLOCKED).expect("every tree has it");
    scene.crowd.set(scene.agents[0], blocked, 1_u8).expect("the agent is there");
    scene.crowd.set(scene.agents[0], alarm, true).expect("the agent is there");
    assert_eq!(scene.tick(), "");
    scene.crowd.set(scene.agents[0], blocked, 0_u8).expect("the agent is there");
    assert_eq!(scene.tick(), "-StandWatch +RunToGate");
}

#[test]
fn behaviors_that_the_manifest_lacks_are_told() {
    let done = compiled("Grunt", "action GruntIdle()\naction GruntSearches()\naction GruntAttack()");
    let [finding] = done.diagnostics.list() else { panic!("{:?}", done.diagnostics.list()) };
    assert_eq!((finding.code.id, finding.help.as_deref()), ("E0402", Some("did you mean `GruntSearches`?")));
}

/// Tree with leaves that depend on truths alone, and one leaf that a state machine reaches.
const SCOUT: &str = r#"<SelectionTree name="scout" type="BehaviorSelectionTree">
  <Variables>
    <Variable name="Seen"/> <Variable name="Armed" default="true"/> <Variable name="Hurt"/> <Variable name="Lost"/> <Variable name="Dark"/>
  </Variables>
  <SignalVariables>
    <Signal name="OnSeen" variable="Seen" value="!Dark"/>
    <Signal name="OnCalm" variable="Seen" value="false"/>
    <Signal name="OnHurt" variable="Lost" value="Hurt and !Armed"/>
    <Signal name="OnHurt" variable="Hurt" value="true"/>
    <Signal name="OnFight" variable="Armed" value="!Armed"/>
    <Signal name="OnNight" variable="Dark" value="!Dark"/>
    <Signal name="OnHealed" variable="Hurt" value="false"/>
  </SignalVariables>
  <Priority name="Root">
    <Leaf name="Shoot" condition="Seen and Armed and !Hurt"/>
    <Leaf name="Flee" condition="Seen and (Hurt or !Armed)"/>
    <Leaf name="Light" condition="Dark and !Hurt"/>
    <Leaf name="Bandage" condition="Hurt and !Lost"/>
    <StateMachine name="Way" condition="Lost">
      <State name="Seek"> <Transition state="Call" condition="Dark"/> <Leaf name="Seek"/> </State>
      <State name="Call"> <Transition state="Seek" condition="!Dark"/> <Leaf name="Call"/> </State>
    </StateMachine>
    <Leaf name="Walk" condition="Armed"/>
  </Priority>
</SelectionTree>"#;
const SIGNALS: [&str; 6] = ["OnSeen", "OnCalm", "OnHurt", "OnFight", "OnNight", "OnHealed"];

/// Creates scouts on an engine. Simple scouts have no state machine, and always select a leaf.
fn scouts(engine: Engine, agents: usize, simple: bool) -> Scene {
    let machine = SCOUT.find("<StateMachine").expect("it has one");
    let short = format!(r#"{}<Leaf name="Walk"/></Priority></SelectionTree>"#, &SCOUT[..machine]);
    let text = if simple { &short } else { SCOUT };
    let (library, entries) = (Texts::of("scout", "xml", text), ["scout".to_owned()]);
    let manifest = Manifest::default();
    let request = Request { dialect: &Bst, manifest: &manifest, entries: &entries, debug: false };
    Scene::of(compile(&library, request), engine, agents)
}

/// Raises signals for few of many agents in most ticks. With simple scouts the game sometimes
/// panics for one agent. With the others the tree sometimes selects nothing.
fn few_of_many(simple: bool) -> (usize, u32) {
    let engines = [Engine::Scalar, Engine::Auto].into_iter().chain(Vectors::all().map(Engine::Batch));
    let mut scenes: Vec<Scene> = engines.map(|engine| scouts(engine, 600, simple)).collect();
    let (mut selected, mut faults) = (BTreeSet::new(), 0);
    for tick in 0..300_usize {
        let many = tick % 20 == 0;
        let roll = |salt: usize, below: usize| mix((tick * 1000 + salt) as u64) as usize % below;
        let mut results = Vec::new();
        for Scene { crowd, game, agents } in &mut scenes {
            // A panic in a call for several agents is a fault of all of them.
            game.touchy = (simple && !many).then(|| roll(0, 600));
            let program = crowd.program().clone();
            let event = |salt: usize| program.event(SIGNALS[roll(salt + 500, 6)]).expect("the tree knows it");
            let told = 0..if many { 400 } else { 12 };
            let events: Vec<_> = told.map(|salt| (agents[roll(salt, 600)], event(salt))).collect();
            crowd.raise_each(&events, 0, game).expect("all agents are there");
            let blocked = program.variable(BLOCKED).expect("every tree has it");
            let blocks = u8::from(!simple && tick % 4 == 0);
            crowd.set(agents[roll(5, 600)], blocked, blocks).expect("the agent is there");
            let tally = crowd.tick(0, game);
            game.heard.clear();
            let carried = agents.iter().map(|agent| (crowd.outcome(*agent), crowd.inspect().frame(*agent)));
            results.push((tally, game.behaviors.clone(), carried.collect::<Vec<_>>()));
        }
        assert!(results.iter().all(|result| *result == results[0]), "tick {tick}");
        let (tally, behaviors, _) = results.swap_remove(0);
        selected.extend(behaviors);
        faults += tally.faults;
    }
    (selected.len(), faults)
}

#[test]
fn few_of_many_select_the_same_on_all_engines() {
    // All leaves, and no leaf.
    assert_eq!(few_of_many(false), (8, 0));
}

#[test]
fn a_panic_for_one_of_few_is_the_fault_of_that_one() {
    let (selected, faults) = few_of_many(true);
    assert_eq!(selected, 5);
    assert!(faults > 20, "{faults}");
}

#[test]
fn agents_that_are_gone_do_not_keep_events_from_others() {
    let mut scene = scouts(Engine::Auto, 3, true);
    assert_eq!(scene.tick(), "+Walk +Walk +Walk");
    let (crowd, game) = (&mut scene.crowd, &mut scene.game);
    let [night, fight] = ["OnNight", "OnFight"].map(|name| crowd.program().event(name).expect("it is known"));
    crowd.despawn(scene.agents[1], 0, game).expect("it is there");
    game.heard.clear();
    let events = [(0, fight), (1, night), (2, night), (0, fight), (0, night)];
    let events = events.map(|(index, event)| (scene.agents[index], event));
    assert_eq!(crowd.raise_each(&events, 0, game), Err(AccessError::Stale));
    assert_eq!(scene.tick(), "-Walk +Light -Walk +Light");
    let behaviors: Vec<_> =
        scene.agents.iter().map(|agent| &scene.game.behaviors[agent.index()][..]).collect();
    assert_eq!(behaviors, ["Light", "", "Light"]);
}
