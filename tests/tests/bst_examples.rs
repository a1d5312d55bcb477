//! The examples of behavior selection trees share their blocks, and give each kind of agent behaviors of its own.

use pleach::{Agent, Call, Crowd, Function, Halt, Host, Image, Program, Status, To};
use pleach_compile::dialect::bst::{BLOCKED, Bst};
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile};

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../../spec/examples/bst/", $name)))),*] };
}

fn compiled(tree: &str, manifest: &str) -> Compilation {
    let (manifest, problems) = Manifest::parse(manifest);
    assert!(problems.is_empty(), "{problems:?}");
    let entries = [tree.to_owned()];
    let files = files!["alien.xml" "grunt.xml" "sentry.xml" "shared/senses.xml" "shared/watch.xml"];
    let examples = files.into_iter().fold(Texts::new("xml"), |texts, (path, text)| texts.with(path, text));
    compile(&examples, Request { dialect: &Bst, manifest: &manifest, entries: &entries, debug: true })
}

/// A game that gives agents the behaviors that their trees select.
#[derive(Default)]
struct Game {
    names: Vec<String>,
    /// The behavior of each agent, by its index; empty if it has none.
    behaviors: Vec<String>,
    /// What was heard, in order.
    heard: Vec<String>,
}

impl Game {
    fn name(&self, call: &Call<'_>) -> String {
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
        let manifest = include_str!("../../spec/examples/bst/game.manifest");
        let done = compiled(tree, manifest);
        assert!(done.diagnostics.list().is_empty(), "{:?}", done.diagnostics.list());
        let image = Image::copy(&done.image.expect("no errors")).expect("the verifier lets it pass");
        let names = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        let game = Game { names, ..Game::default() };
        let program = Program::link(&image, &game).expect("the game has all behaviors");
        let mut crowd = Crowd::new(&program);
        let entry = program.entries().next().expect("a tree").to_owned();
        let agents = (0..agents).map(|_| crowd.spawn(&entry).expect("there is room")).collect();
        Self { crowd, game, agents }
    }

    /// Raises a signal and ticks; what was heard.
    fn signal(&mut self, name: &str, to: To) -> String {
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
        assert_eq!(scene.signal("OnNoise", To::All), format!("-{kind}Idle +{kind}Search"));
        assert_eq!(scene.signal("OnEnemySeen", To::All), format!("-{kind}Search +{kind}Attack"));
        assert_eq!(scene.signal("OnEnemyLost", To::All), format!("-{kind}Attack +{kind}Search"));
        assert_eq!(scene.signal("OnCalm", To::All), format!("-{kind}Search +{kind}Idle"));
    }
}

#[test]
fn hurt_aliens_flee_and_heal() {
    let mut scene = Scene::new("Alien", 1);
    assert_eq!(scene.signal("OnEnemySeen", To::All), "+AlienAttack");
    assert_eq!(scene.signal("OnNestReached", To::All), "");
    assert_eq!(scene.signal("OnDamage", To::All), "-AlienAttack +AlienFlee");
    assert_eq!(scene.signal("OnCalm", To::All), "");
    assert_eq!(scene.signal("OnNestReached", To::All), "-AlienFlee +AlienHeal");
    assert_eq!(scene.signal("OnHealed", To::All), "-AlienHeal +AlienIdle");
}

#[test]
fn signals_come_to_one_to_a_group_and_to_all() {
    let mut scene = Scene::new("Grunt", 4);
    scene.tick();
    let group = scene.crowd.add_group().expect("there is room");
    for agent in &scene.agents[1..3] {
        scene.crowd.join(*agent, group).expect("agent and group are there");
    }
    scene.signal("OnNoise", To::Agent(scene.agents[0]));
    assert_eq!(scene.game.behaviors, ["GruntSearch", "GruntIdle", "GruntIdle", "GruntIdle"]);
    scene.signal("OnEnemySeen", To::Group(group));
    assert_eq!(scene.game.behaviors, ["GruntSearch", "GruntAttack", "GruntAttack", "GruntIdle"]);
    scene.signal("OnNoise", To::All);
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
