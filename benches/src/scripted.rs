//! Trees from files, with leaves that cost next to nothing: what is timed is the tree.
//!
//! Each action draws a status (6 of 16 failure, 3 success, 7 running), each query looks an answer up in a table of 64
//! numbers that changes every other frame; which of them is the agent's, its argument says. Before each frame, one of eight
//! agents gets an event of the program or another truth, so that trees which go by changes have something to do.

use crate::linking::link;
use crate::system::{Counts, Named, Role, System, engines};
use pleach::engine::Engine;
use pleach::{
    Agent, Args, Batch, Call, Crowd, Event, EventTarget, Function, Host, Image, Status, Value, Variable,
};
use pleach_compile::manifest::{Manifest, Type};
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, dialect};
use pleach_image::format::{ImportRow, import_kind};
use pleach_image::splitmix::mix;
use std::path::Path;

/// Milliseconds of game time between frames.
const FRAME_MS: i64 = 16;
/// Answers of a query; a power of two.
const ANSWERS: usize = 64;
/// One of so many agents is told something before a frame.
const TOLD: u64 = 8;

/// The statuses that actions draw.
const STATUSES: [Status; 16] = {
    let mut statuses = [Status::Running; 16];
    let mut at = 0;
    while at < 9 {
        statuses[at] = if at < 6 { Status::Failure } else { Status::Success };
        at += 1;
    }
    statuses
};

/// A compiled tree, and what is known of its queries.
#[derive(Debug)]
pub struct Tree {
    name: String,
    image: Image,
    manifest: Manifest,
}

impl Tree {
    /// Reads and compiles a tree; files of its folder with the same extension may be included. A file `game.manifest`
    /// beside it takes the place of the dialect's manifest.
    ///
    /// # Errors
    /// What cannot be read, or the first error of the tree.
    pub fn load(path: &Path) -> Result<Self, String> {
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        let text =
            |part: Option<&std::ffi::OsStr>| part.and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        let (name, extension) = (text(path.file_stem()), text(path.extension()));
        let dialect =
            dialect_of(path, &extension).ok_or_else(|| format!("{}: of no dialect", path.display()))?;
        let (folder, mut texts) = (path.parent().unwrap_or(Path::new(".")), Texts::new(&extension));
        for file in std::fs::read_dir(folder).map_err(told)? {
            let file = file.map_err(told)?.path();
            if text(file.extension()) == extension {
                texts.add(text(file.file_name()), std::fs::read(&file).map_err(told)?);
            }
        }
        let manifest = match std::fs::read_to_string(folder.join("game.manifest")) {
            Ok(text) => Manifest::parse(&text).0,
            Err(_) => dialect.own_manifest(),
        };
        let request = Request { dialect, manifest: &manifest, entries: &[name], debug: false };
        let done = Compiler::default().compile(&texts, request);
        let bytes =
            done.image.ok_or_else(|| format!("{}: {:?}", path.display(), done.diagnostics.list().first()))?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let entry = image.entries().first().ok_or("no tree to start")?;
        Ok(Self { name: image.name(entry.name).to_owned(), image, manifest })
    }

    /// The name of the tree.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A system for each engine, its agents at their beginning.
    #[must_use]
    pub fn systems(&self, agents: usize) -> Vec<Named> {
        let named = |(name, engine)| Named::new(name, Role::Engine, Scripted::new(self, agents, engine));
        engines().map(named).collect()
    }
}

fn dialect_of(path: &Path, extension: &str) -> Option<&'static dyn dialect::Dialect> {
    if extension != "xml" {
        return dialect::by_extension(extension);
    }
    let text = std::fs::read_to_string(path).ok()?;
    let first = |dialect: &&&'static dyn dialect::Dialect| {
        dialect.root_elements().iter().any(|root| text.contains(&format!("<{root}")))
    };
    dialect::DIALECTS.iter().find(first).copied()
}

/// The names and answers of leaves.
#[derive(Debug)]
struct Leaves {
    /// Names of functions, by number: actions and queries have numbers of their own.
    names: [Vec<String>; 2],
    /// For each query, below what its answers are, 0 for numbers between 0 and 1.
    below: Vec<u32>,
    answers: Vec<[f64; ANSWERS]>,
    /// For each agent what it draws statuses by, and what it finds its answers by.
    draws: Vec<u32>,
    slots: Vec<u32>,
    calls: u64,
    digest: u64,
}

impl Leaves {
    fn new(tree: &Tree, agents: usize) -> Self {
        let names = [Function::Action, Function::Query].map(|kind| names(&tree.image, kind));
        let below = |name: &String| match tree.manifest.query(name).and_then(|query| query.answers) {
            Some(Type::Bool) => 2,
            Some(Type::Float) => 0,
            _ => 24,
        };
        let below: Vec<u32> = names[1].iter().map(below).collect();
        let answers = vec![[0.0; ANSWERS]; below.len()];
        let draws = (0..agents as u64).map(|agent| mix(agent) as u32 | 1).collect();
        let slots = (0..agents as u64).map(|agent| (mix(agent << 32 | 1) % ANSWERS as u64) as u32).collect();
        Self { names, below, answers, draws, slots, calls: 0, digest: 0 }
    }

    fn advance(&mut self, frame: u32) {
        if !frame.is_multiple_of(2) {
            return;
        }
        for (query, (answers, below)) in self.answers.iter_mut().zip(&self.below).enumerate() {
            for (slot, answer) in answers.iter_mut().enumerate() {
                let draw = mix(u64::from(frame) << 32 | (query * ANSWERS + slot) as u64) >> 40;
                *answer = match below {
                    0 => draw as f64 / f64::from(1 << 24),
                    below => (draw % u64::from(*below)) as f64,
                };
            }
        }
    }

    #[inline]
    fn status(&mut self, agent: usize) -> Status {
        let draw = &mut self.draws[agent];
        *draw ^= *draw << 13;
        *draw ^= *draw >> 17;
        *draw ^= *draw << 5;
        STATUSES[*draw as usize % STATUSES.len()]
    }

    #[inline]
    fn answer(&self, query: u32, agent: usize, argument: u32) -> f64 {
        self.answers[query as usize][(self.slots[agent] ^ argument) as usize % ANSWERS]
    }
}

fn names(image: &Image, kind: Function) -> Vec<String> {
    let kind = if kind == Function::Action { import_kind::ACTION } else { import_kind::QUERY };
    let wanted = |row: &&ImportRow| row.kind & !import_kind::OPTIONAL == kind;
    image.imports().iter().filter(wanted).map(|row| image.name(row.name).to_owned()).collect()
}

/// What the first argument comes to.
#[inline]
fn argument(args: &Args<'_>) -> u32 {
    match args.iter().next() {
        Some(Value::Int(number)) => (number as u32).wrapping_mul(7),
        Some(Value::Float(number)) => (number as i32 as u32).wrapping_mul(7),
        Some(Value::Text(text)) => text.len() as u32,
        None => 0,
    }
}

impl Host for Leaves {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let names = &self.names[usize::from(function == Function::Query)];
        names.iter().position(|known| known == name).map(|index| index as u32)
    }

    #[inline]
    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.calls += 1;
        self.status(call.agent.index())
    }

    #[inline]
    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.calls += 1;
        self.answer(call.function, call.agent.index(), argument(&call.args))
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        self.calls += out.len() as u64;
        for (agent, out) in batch.agents().map(Agent::index).zip(out) {
            *out = self.status(agent);
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.calls += out.len() as u64;
        let (query, argument) = (batch.function, argument(&batch.args));
        for (agent, out) in batch.agents().map(Agent::index).zip(out) {
            *out = self.answer(query, agent, argument);
        }
    }
}

/// Agents of a tree with scripted leaves.
#[derive(Debug)]
pub struct Scripted {
    crowd: Crowd,
    leaves: Leaves,
    agents: Vec<Agent>,
    events: Vec<Event>,
    truths: Vec<Variable>,
    now: i64,
}

impl Scripted {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not link.
    #[must_use]
    pub fn new(tree: &Tree, agents: usize, engine: Engine) -> Self {
        let leaves = Leaves::new(tree, agents);
        let program = link(&tree.image, &leaves);
        let image = &tree.image;
        let events = image.events().iter().filter_map(|row| program.event(image.name(row.name))).collect();
        let slots = image.slots().iter().filter_map(|row| program.variable(image.name(row.name)));
        let is_truth =
            |variable: &Variable| program.type_of(*variable) == Some(pleach::values::Type::of::<bool>());
        let truths = slots.filter(is_truth).collect();
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let spawn = |_| crowd.spawn(&tree.name).unwrap_or_else(|error| panic!("{error}"));
        let agents = (0..agents).map(spawn).collect();
        Self { crowd, leaves, agents, events, truths, now: 0 }
    }

    /// Leaf calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.leaves.calls
    }
}

impl System for Scripted {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        let Self { crowd, leaves, agents, events, truths, now } = self;
        *now = 1000 + FRAME_MS * i64::from(frame);
        leaves.advance(frame);
        for (index, agent) in agents.iter().enumerate() {
            let draw = mix(u64::from(frame) << 32 | index as u64 | 1 << 63);
            if !draw.is_multiple_of(TOLD) {
                continue;
            }
            let draw = draw / TOLD;
            let pick = |count: usize| (draw >> 8) as usize % count;
            if !events.is_empty() {
                let event = events[pick(events.len())];
                crowd
                    .raise(event, EventTarget::Agent(*agent), *now, leaves)
                    .unwrap_or_else(|error| panic!("{error}"));
            } else if !truths.is_empty() {
                let truth = truths[pick(truths.len())];
                crowd.set(*agent, truth, draw & 1 != 0).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }

    fn tick(&mut self) -> Counts {
        let tally = self.crowd.tick(self.now, &mut self.leaves);
        self.leaves.digest =
            mix(self.leaves.digest ^ u64::from(tally.running) << 32 ^ u64::from(tally.success));
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.leaves.draws.iter().fold(self.leaves.digest, |digest, draw| mix(digest ^ u64::from(*draw)))
    }
}
