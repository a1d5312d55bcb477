//! Trees that select again after a change behave equally in a sweep and step by step, even with
//! hosts that end the running leaf, return invalid values or panic.

use pleach::engine::{Engine, Vectors};
use pleach::{Agent, Batch, Call, Crowd, Function, Halt, Host, Image, Outcome, Program, Status, Variable};
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use pleach_tests::random::draws::hash;
use std::collections::BTreeMap;

const ACTIONS: [&str; 4] = ["Flee", "Shoot", "Search", "Walk"];
const VARIABLES: [&str; 3] = ["Hurt", "Seen", "Heard"];

/// List of cases in a usual form.
const CASES: &str = r#"<Case condition="Hurt and !Seen"> <Flee/> </Case> <Case condition="Seen"> <Shoot/> </Case>
    <Case condition="Heard or Hurt"> <Search/> </Case> <Case> <Walk/> </Case>"#;

/// Trees with the cases alone, beside another node that the position can hold, in a loop, and in a
/// selector.
const TREES: [&str; 4] = [
    "<Priority> CASES </Priority>",
    "<Sequence> <Shoot/> <Priority> CASES </Priority> </Sequence>",
    "<Loop count=\"2\"> <Priority> CASES </Priority> </Loop>",
    "<Selector> <Priority> CASES </Priority> <Walk/> </Selector>",
];

fn image(tree: &str) -> Image {
    let variables: String = VARIABLES.iter().map(|name| format!("<Variable name=\"{name}\"/>")).collect();
    let tree = tree.replace("CASES", CASES);
    let text = format!("<BehaviorTree><Variables>{variables}</Variables><Root>{tree}</Root></BehaviorTree>");
    let actions: String = ACTIONS.iter().map(|name| format!("action {name}()\n")).collect();
    let (manifest, _) = Manifest::parse(&actions);
    let entries = &["main".to_owned()];
    let request = Request { dialect: &Mbt, manifest: &manifest, entries, debug: false };
    let done = compile(&Texts::of("main", "xml", &text), request);
    let bytes = done.image.unwrap_or_else(|| panic!("{tree}: {:?}", done.diagnostics.list()));
    Image::copy(&bytes).expect("it is right")
}

/// Returns a pseudorandom number.
fn mix(numbers: [u64; 3]) -> u64 {
    hash(numbers)
}

/// Behavior of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    /// All actions are running.
    Steady,
    /// Actions end sometimes, with any status.
    Fickle,
    /// Actions end sometimes, and all agents that call an action in a tick get one common answer in
    /// one call.
    Unanimous,
    /// Actions are running, but halting may panic.
    Unstoppable,
}

impl Mood {
    fn status(self, agent: usize, now: u64, action: u32) -> Status {
        let agent = if self == Self::Fickle { agent as u64 } else { 0 };
        let chance = mix([agent, now, action.into()]);
        match chance % 8 {
            _ if matches!(self, Self::Steady | Self::Unstoppable) => Status::Running,
            0 => Status::Failure,
            1 => Status::Success,
            2 => Status::Other(chance as i32),
            _ => Status::Running,
        }
    }
}

/// Host that records the calls for each agent.
struct Game {
    mood: Mood,
    now: u64,
    heard: BTreeMap<usize, Vec<(u64, u32, String)>>,
}

impl Game {
    fn hear(&mut self, call: &Call<'_>, what: String) {
        let agent = call.agent.index();
        self.heard.entry(agent).or_default().push((self.now, call.function, what));
    }
}

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let action = ACTIONS.iter().position(|it| *it == name).map(|it| it as u32);
        action.filter(|_| function == Function::Action)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.hear(call, format!("acts, fresh: {}", call.fresh));
        self.mood.status(call.agent.index(), self.now, call.function)
    }

    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        if self.mood != Mood::Unanimous {
            return None;
        }
        let mut answers = [Status::Running; 256];
        let answers = &mut answers[..batch.len()];
        batch.each(answers, |call| self.act(call));
        answers.first().copied()
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.hear(call, format!("{reason:?}"));
        let chance = mix([call.agent.index() as u64, self.now, call.function.into()]);
        assert!(self.mood != Mood::Unstoppable || !chance.is_multiple_of(3), "it goes on");
    }
}

/// Result of a tick for each agent: outcome, running nodes, and variables.
type Seen = Vec<(Option<Outcome>, Vec<u32>, Vec<bool>)>;

struct Run {
    crowd: Crowd,
    agents: Vec<Agent>,
    variables: [Variable; VARIABLES.len()],
    game: Game,
}

impl Run {
    fn new(image: &Image, mood: Mood, engine: Engine) -> Self {
        let game = Game { mood, now: 0, heard: BTreeMap::new() };
        let program = Program::link(image, &game).expect("all actions are there");
        assert!(program.is_swept());
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let agents = (0..290).map(|_| crowd.spawn("main").expect("there is room")).collect();
        let variables = VARIABLES.map(|name| program.variable(name).expect("it is declared"));
        Self { crowd, agents, variables, game }
    }

    /// Ticks after changing one variable of `changes` in 16 agents.
    fn tick(&mut self, now: u64, changes: u64) -> Seen {
        self.game.now = now;
        for agent in &self.agents {
            let chance = mix([now, agent.index() as u64, changes]);
            if chance % 16 < changes {
                let variable = self.variables[(chance >> 8) as usize % VARIABLES.len()];
                self.crowd.set(*agent, variable, chance >> 16 & 1 != 0).expect("a bool of an agent");
            }
        }
        self.crowd.tick(now as i64, &mut self.game);
        let seen = |agent: &Agent| {
            let outcome = self.crowd.outcome(*agent).expect("the agent is there");
            let places = self.crowd.inspect().active_nodes(*agent).expect("the agent is there").collect();
            let so = |variable| self.crowd.get(*agent, variable).expect("a bool of an agent");
            (outcome, places, self.variables.map(so).to_vec())
        };
        self.agents.iter().map(seen).collect()
    }
}

/// Runs a tree on the scalar engine and on another. Returns the number of calls.
fn agree(tree: &str, mood: Mood, changes: u64, engine: Engine) -> usize {
    let image = image(tree);
    let [mut scalar, mut other] = [Engine::Scalar, engine].map(|engine| Run::new(&image, mood, engine));
    for now in 0..30 {
        let (expected, found) = (scalar.tick(now, changes), other.tick(now, changes));
        let same = expected.iter().zip(&found).position(|(expected, found)| expected != found);
        let differs = same.map(|agent| (agent, &expected[agent], &found[agent]));
        assert_eq!(differs, None, "{tree} {mood:?} {engine:?}, tick {now}");
    }
    assert_eq!(scalar.game.heard, other.game.heard, "{tree} {mood:?} {engine:?}");
    scalar.game.heard.values().map(Vec::len).sum()
}

#[test]
fn engines_agree_on_what_is_noted_and_put_off() {
    for tree in TREES {
        for mood in [Mood::Steady, Mood::Fickle, Mood::Unanimous, Mood::Unstoppable] {
            for changes in [1, 12] {
                for vectors in Vectors::all() {
                    assert!(agree(tree, mood, changes, Engine::Batch(vectors)) > 5_000);
                }
            }
            agree(tree, mood, 3, Engine::Auto);
        }
    }
}
