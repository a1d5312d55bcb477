//! Trials of arbitrary bytes.
//!
//! An image is either refused or runs within its bounds. A source becomes diagnostics or such an
//! image. "Runs" stands for everything that a program and its tools do: it is linked to a host with
//! every function and to one without any, agents are spawned and ticked, and the listing is
//! printed. Every failure is a panic, so these functions serve the tests, the fuzz targets and the
//! replay of fuzzing results.

use crate::own;
use pleach::forest::{ForestHost, Forests, PropertyDepth, TreeOperation, TreeSelector};
use pleach::watch::Watch;
use pleach::{
    Agent, Call, Crowd, Event, EventTarget, Fault, Function, Host, Image, Outcome, Program, Status,
};
use pleach_compile::dialect::{self, Dialect};
use pleach_compile::internals::dialects::Bst;
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compilation, Compiler, Request, compile};
use pleach_image::format::{HEADER_BYTES, seal};
use pleach_image::listing;
use std::sync::LazyLock;

/// Limits on bounds and on the size of agents. Larger programs are not run, like in a host that
/// refuses them.
const MOST_WORK: u64 = 100_000;
const MOST_BYTES: f64 = 2048.0;
/// Numbers of agents: a few, or enough for the engine to tick them together.
const AGENTS: [usize; 2] = [3, 18];
const TICKS: i64 = 5;
/// Maximum product of trees and nodes of forests that are played. Each tree has an agent and hooks
/// of its own.
const MOST_FACES: usize = 100_000;

/// Result of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The verifier refused the image, or it is too large to run.
    Refused,
    /// The image ran and kept its guarantees.
    Ran,
}

/// Tries bytes as an image: as they are and, if they are refused, with a corrected length and
/// checksum.
pub fn image(bytes: &[u8]) {
    if run(bytes) == Verdict::Refused {
        run(&repaired(bytes));
    }
}

/// Returns the bytes with a header that passes the first checks.
#[must_use]
pub fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().max(HEADER_BYTES).next_multiple_of(8), 0);
    seal(&mut bytes);
    bytes
}

/// Runs an image if the verifier accepts it and its bound is small.
pub fn run(bytes: &[u8]) -> Verdict {
    run_within(bytes, MOST_WORK)
}

/// Runs an image if the verifier accepts it and a tick takes at most so many instructions.
pub fn run_within(bytes: &[u8], most_work: u64) -> Verdict {
    let Ok(image) = Image::copy(bytes) else { return Verdict::Refused };
    let _ = Program::link(&image, &Nobody).map_err(|error| error.to_string());
    let program = Program::link(&image, &Anybody::default()).expect("this host has every function");
    if program.bounds().instructions > most_work || program.bytes_per_agent() > MOST_BYTES {
        return Verdict::Refused;
    }
    let mut listing = String::new();
    listing::write(&image, &|_, _| None, &mut listing).expect("a string takes all");
    // The checksum decides the number of agents, because ticking many together takes longer.
    let agents = AGENTS[usize::from(bytes[36].is_multiple_of(8))];
    let names = image.events().iter().map(|event| image.name(event.name));
    let events: Vec<_> = names.filter_map(|name| program.event(name)).take(4).collect();
    for entry in program.entries().take(4) {
        live(&program, entry, agents, &events);
    }
    if image.forest_trees().len() * image.faces().len() <= MOST_FACES {
        operate(&program);
    }
    Verdict::Ran
}

/// Runs the life of a crowd: spawn, tick, events, save and restore, reset, tick again, despawn.
fn live(program: &Program, entry: &str, population: usize, events: &[Event]) {
    let (mut crowd, mut host) = (Crowd::new(program), Anybody::default());
    let mut state = Vec::new();
    let agents: Vec<Agent> =
        (0..population).map(|_| crowd.spawn(entry).expect("the entry is there")).collect();
    for now in 0..TICKS {
        host.calls = 0;
        let tally = crowd.tick(now * 1000, &mut host);
        let panicked = |agent: &Agent| crowd.outcome(*agent) == Ok(Some(Outcome::Fault(Fault::Panic)));
        let ended = tally.total() == population as u32 && !agents.iter().any(panicked);
        assert!(ended, "an agent of {entry:?} did not come to an end");
        // An event that an agent raised is delivered in the same tick, and may ask the host, too:
        // once for each agent and event.
        let asked = if events.is_empty() { program.bounds().host_calls } else { u64::MAX };
        let most = asked.saturating_mul(population as u64);
        assert!(host.calls <= most, "{entry:?} asked {} times, bound {most}", host.calls);
        let agent = agents[now as usize % population];
        if let Some(event) = events.get(now as usize) {
            crowd.raise(*event, EventTarget::All, now * 1000, &mut host).expect("the event is the program's");
        }
        watched(&mut crowd, agent, now * 1000 + 500, &mut host);
        if now == TICKS / 2 {
            asleep(&mut crowd, &agents, now * 1000 + 600, &mut host);
        }
        walk(&mut crowd, agent);
        crowd.snapshot(&mut state);
        crowd.migrate(&state).expect("what is running can be taken over");
        crowd.reset(agent, now, &mut host).expect("the agent is there");
    }
    for agent in agents {
        crowd.despawn(agent, TICKS, &mut host).expect("the agent is there");
    }
}

/// Ticks every other agent while the agents in neighboring lanes sleep. The sleeping agents must
/// not change.
fn asleep(crowd: &mut Crowd, agents: &[Agent], now: i64, host: &mut Anybody) {
    let sleepers: Vec<Agent> = agents.iter().copied().skip(agents.len() % 2).step_by(2).collect();
    let states = |crowd: &Crowd| -> Vec<Vec<u8>> {
        let state = |agent: &Agent| {
            let mut state = Vec::new();
            crowd.save_agent(*agent, &mut state).expect("the agent is there");
            state
        };
        sleepers.iter().map(state).collect()
    };
    sleepers.iter().for_each(|agent| crowd.sleep(*agent).expect("the agent is there"));
    let before = states(crowd);
    // Writes to shared variables and events take effect after all parts have been ticked.
    crowd.parts(1).for_each(|mut part| _ = part.tick(now, host));
    assert!(before == states(crowd), "an agent has written to another");
    crowd.end_tick(now, host);
    sleepers.iter().for_each(|agent| crowd.wake(*agent).expect("the agent is there"));
}

/// Plays forests, if the program has them.
fn operate(program: &Program) {
    let (Ok(mut forests), mut host) = (Forests::new(program), Anybody::default()) else { return };
    let orders = forests.orders();
    for what in [
        TreeOperation::Load,
        TreeOperation::PLAY,
        TreeOperation::PAUSE,
        TreeOperation::Resume,
        TreeOperation::Destroy,
    ] {
        orders.give(what, TreeSelector::All).expect("there are forests");
        forests.update(0, &mut host);
        let all = forests.properties(PropertyDepth::Node);
        let exist = all.forests.iter().any(|it| it.exists);
        assert_eq!(exist, what != TreeOperation::Destroy && all.forests.iter().any(|it| it.tree_count > 0));
    }
}

/// Sends an agent elsewhere and restores its rule, if it is at a rule.
fn walk(crowd: &mut Crowd, agent: Agent) {
    let mut saved = Vec::new();
    if crowd.rules().save(agent, &mut saved).is_err() {
        return;
    }
    let rule = crowd.rules().current(agent).expect("the agent is there");
    if let Some(rule) = rule {
        let _ = crowd.rules_mut().jump(agent, rule);
    }
    let _ = crowd.rules_mut().lose(agent);
    let _ = crowd.rules_mut().restore(agent, &saved);
}

/// Ticks an agent once more and counts its steps.
fn watched(crowd: &mut Crowd, agent: Agent, now: i64, host: &mut Anybody) {
    let mut steps = Steps(0);
    let outcome = crowd.tick_agent(agent, now, host, &mut steps).expect("the agent is there");
    assert_ne!(outcome, Outcome::Fault(Fault::Panic));
    let most = crowd.program().bounds().instructions;
    assert!(steps.0 <= most, "{} instructions, bound {most}", steps.0);
}

/// Counter of the instructions that are left. Instructions that end a block or a tick are not
/// counted.
#[derive(Debug, Default)]
pub struct Steps(pub u64);

impl Watch for Steps {
    fn left(&mut self, _word: u32, _exit: u32) {
        self.0 += 1;
    }
}

/// Tries bytes as a file of Drag\[en\]gine rules, which may use itself as a part.
pub fn debt_text(bytes: &[u8]) {
    compiled(&debt_compilation(bytes));
}

/// Compiles bytes as a file of Drag\[en\]gine rules. Every file that it asks for is the file
/// itself, or one with an action.
#[must_use]
pub fn debt_compilation(bytes: &[u8]) -> Compilation {
    struct Itself<'a>(&'a [u8]);
    impl Library for Itself<'_> {
        fn tree(&self, _: &str) -> Option<Found> {
            Some(Found { name: "main.debt".to_owned(), text: self.0.into() })
        }

        fn include(&self, path: &str) -> Option<Found> {
            let leaf = &b"<behaviorTree><action name='a'/></behaviorTree>"[..];
            let text = if path.ends_with("leaf.debt") { leaf } else { self.0 };
            Some(Found { name: path.to_owned(), text: text.into() })
        }
    }
    let dialect = dialect::by_name("dragengine").expect("the compiler knows the dialect");
    let (manifest, entries) = (dialect.own_manifest(), ["main".to_owned()]);
    compile(&Itself(bytes), Request { dialect, manifest: &manifest, entries: &entries, debug: true })
}

/// Tries bytes as the source of an Unvanquished tree, which may include itself.
pub fn source_text(bytes: &[u8]) {
    compiled(&self::compilation(&[("main", bytes)]));
}

/// Tries bytes as a file of pleach's own language, which may include itself.
pub fn own_text(bytes: &[u8]) {
    let dialect = own::dialect();
    let (entries, manifest) = (["main".to_owned()], Manifest::default());
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: true };
    compiled(&compile(&Shelf { trees: &[("main", bytes)], extension: "pleach" }, request));
    let format = |text: &[u8]| pleach_edit::format("main.pleach", text).ok();
    if let Some(text) = format(bytes) {
        assert_eq!(format(text.as_bytes()).as_ref(), Some(&text), "formatting twice changes something");
    }
}

/// Tries bytes as the text of a modular behavior tree.
pub fn mbt_text(bytes: &[u8]) {
    static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| (&Mbt as &dyn Dialect).own_manifest());
    let entries = ["main".to_owned()];
    let request = Request { dialect: &Mbt, manifest: &MANIFEST, entries: &entries, debug: true };
    compiled(&compile(&Shelf { trees: &[("main", bytes)], extension: "xml" }, request));
}

/// Tries bytes as the text of a tree of BehaviorTree.CPP, which may include itself, strictly and
/// leniently.
pub fn btcpp_text(bytes: &[u8]) {
    const LEAVES: &str = include_str!("../conformance/btcpp/leaves.manifest");
    static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| Manifest::parse(LEAVES).0);
    let entries = ["main".to_owned()];
    let request = Request { dialect: &BtCpp, manifest: &MANIFEST, entries: &entries, debug: true };
    let shelf = Shelf { trees: &[("main", bytes)], extension: "xml" };
    for lenient in [false, true] {
        compiled(&Compiler::default().lenient(lenient).compile(&shelf, request));
    }
}

/// Tries bytes as files of Bt Engine, separated by zero bytes: a forest file or tree file, and then
/// the tree files `0.xml`, `1.xml` and so on. Every other path leads to the first file.
pub fn forest_text(bytes: &[u8]) {
    struct Files<'a>(Vec<&'a [u8]>);
    impl Library for Files<'_> {
        fn tree(&self, _: &str) -> Option<Found> {
            self.include("main.xml")
        }

        fn include(&self, path: &str) -> Option<Found> {
            let number = path.strip_suffix(".xml").and_then(|stem| stem.parse::<u16>().ok());
            let text = self.0.get(number.map_or(0, |number| usize::from(number) + 1))?;
            Some(Found { name: path.to_owned(), text: (*text).into() })
        }
    }
    let files = Files(bytes.split(|byte| *byte == 0).collect());
    let dialect = dialect::by_name("btengine").expect("the compiler knows the dialect");
    let (manifest, entries) = (dialect.own_manifest(), ["main".to_owned()]);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: true };
    compiled(&compile(&files, request));
}

/// Tries bytes as the text of a behavior selection tree, with blocks in a second file, strictly and
/// leniently.
pub fn bst_text(bytes: &[u8]) {
    struct Folder<'a>(&'a [u8]);
    impl Library for Folder<'_> {
        fn tree(&self, _: &str) -> Option<Found> {
            Some(Found { name: "tree.xml".to_owned(), text: self.0.into() })
        }

        fn include(&self, _: &str) -> Option<Found> {
            None
        }

        fn files(&self) -> Vec<Found> {
            let blocks = b"<Blocks><Block name='B'><Leaf name='L'/><Ref name='C'/></Block></Blocks>";
            let blocks = Found { name: "blocks.xml".to_owned(), text: blocks[..].into() };
            [blocks].into_iter().chain(self.tree("")).collect()
        }
    }
    let (manifest, entries) = (Manifest::default(), ["tree".to_owned()]);
    let request = Request { dialect: &Bst, manifest: &manifest, entries: &entries, debug: true };
    for lenient in [false, true] {
        compiled(&Compiler::default().lenient(lenient).compile(&Folder(bytes), request));
    }
}

/// Checks the result of a source: an image that runs, or errors.
fn compiled(compilation: &Compilation) {
    match &compilation.image {
        Some(image) => {
            Image::copy(image).expect("what the compiler makes, the verifier lets pass");
            run(image);
        }
        None => assert!(compilation.diagnostics.errors() > 0, "no image and no error"),
    }
}

/// Compiles `main` of these trees. Each tree may be included by its name.
#[must_use]
pub fn compilation(trees: &[(&str, &[u8])]) -> Compilation {
    static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| dialect().own_manifest());
    let entries = ["main".to_owned()];
    let request = Request { dialect: dialect(), manifest: &MANIFEST, entries: &entries, debug: true };
    compile(&Shelf { trees, extension: "bt" }, request)
}

fn dialect() -> &'static dyn Dialect {
    dialect::by_extension("bt").expect("the dialect is there")
}

/// Trees in memory. An included tree is found by its name with or without extension.
struct Shelf<'a> {
    trees: &'a [(&'a str, &'a [u8])],
    extension: &'static str,
}

impl Library for Shelf<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let (name, text) = self.trees.iter().find(|(known, _)| *known == name)?;
        Some(Found { name: format!("{name}.{}", self.extension), text: (*text).into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        let name = path.strip_suffix(self.extension).and_then(|path| path.strip_suffix('.'));
        self.tree(name.unwrap_or(path))
    }
}

/// Host with every function, which answers by the number of its calls.
#[derive(Debug, Default)]
pub struct Anybody {
    calls: u64,
}

impl ForestHost for Anybody {}

impl Host for Anybody {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(name.len() as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.calls += 1;
        let read = call.args.iter().len() as u64 + call.args.text(0).len() as u64;
        match (self.calls + read + u64::from(call.node)) % 4 {
            0 => Status::Failure,
            1 => Status::Success,
            2 => Status::Running,
            _ => Status::Other(call.node as i32),
        }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.calls += 1;
        [0.0, 1.0, f64::NAN, 2.0][(self.calls as usize + call.args.len()) % 4]
    }
}

/// Host without functions.
struct Nobody;

impl Host for Nobody {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn names(&self, _: Function) -> Vec<String> {
        vec!["act1".into(), "heal".into()]
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}
