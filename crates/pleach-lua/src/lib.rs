//! Nodes with pieces of Lua: `ExecuteLua`, `AssertLua`, `LuaGate`, `LuaWrapper`.
//!
//! Trees of CryEngine and Lumberyard hold code in their attributes. [`WithLua`] stands in front of a game's own host: it
//! runs these four nodes on Lua 5.4 and hands everything else on. All code is compiled once, before a program is linked.
//!
//! | node | when | what comes of it |
//! |---|---|---|
//! | `ExecuteLua` | once | success, even if the code fails |
//! | `AssertLua` | once | success if the code gives `true` |
//! | `LuaGate` | when it begins | lets its child begin if the code gives `true`, else fails |
//! | `LuaWrapper` | `onEnter` when it begins, `onExit` when its child has ended or is halted | what the child comes to; fails if `onEnter` does |
//!
//! While code runs, the global `entity` is a table of the agent's own, which the game can fill ([`WithLua::entity`]). What
//! goes wrong in code is noted with the place of its node (`WithLua::errors`).
//!
//! Code cannot do harm: a call ends after so many instructions, and all code together has so much memory ([`Limits`]). There
//! is no way to files or other programs; and what could go on without being counted, or catch the end of its time, is not
//! there: patterns of strings, `pcall`, coroutines, finalizers, `load`. Nor is chance, since ticks are to be repeatable.
//!
//! ```no_run
//! # fn play(image: pleach::Image, game: pleach::Bindings<()>) {
//! use pleach::{Crowd, Program};
//! use pleach_lua::{Limits, WithLua};
//!
//! let mut host = WithLua::new(&image, game, Limits::default()).unwrap();
//! let program = Program::link(&image, &host).unwrap();
//! let mut crowd = Crowd::new(&program);
//! let agent = crowd.spawn("monster").unwrap();
//! host.entity(agent).unwrap().set("health", 80).unwrap();
//! crowd.tick(0, &mut host);
//! for error in host.take_errors() {
//!     eprintln!("{error}");
//! }
//! # }
//! ```

mod machine;

use machine::Machine;
pub use mlua;
use pleach::host::Effect;
use pleach::{Agent, Batch, Call, Function, Halt, Host, Image, Status};
use pleach_image::isa::Op;
use std::collections::HashMap;
use std::fmt;

/// The nodes, in the order of their numbers.
const NODES: [&str; 4] = ["ExecuteLua", "AssertLua", "LuaGate", "LuaWrapper"];
/// The number of the first of them; those of the game's functions are below.
const FIRST: u32 = u32::MAX - 4;
/// Most errors that are kept until somebody takes them.
const MOST_ERRORS: usize = 100;

/// What code may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions of a call, counted in thousands.
    pub instructions: u32,
    /// Bytes of memory that all code has together.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instructions: 1_000_000, memory: 64 << 20 }
    }
}

/// Code that is wrong, or went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Whose code it was; none if it was not run.
    pub agent: Option<Agent>,
    /// The place of the node, as `file:line`, if the image says.
    pub place: Option<String>,
    /// What Lua says.
    pub message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(out, "{place}: {}", self.message),
            None => out.write_str(&self.message),
        }
    }
}

impl std::error::Error for ScriptError {}

/// A host with Lua.
#[derive(Debug)]
pub struct WithLua<H> {
    /// The game's own host.
    pub host: H,
    machine: Machine,
    /// The places of nodes with code.
    places: HashMap<u32, String>,
    errors: Vec<ScriptError>,
}

impl<H: Host> WithLua<H> {
    /// Compiles all code of an image.
    ///
    /// # Errors
    /// All code that is not Lua; or that Lua itself could not be made ready.
    pub fn new(image: &Image, host: H, limits: Limits) -> Result<Self, Vec<ScriptError>> {
        let unready =
            |error: mlua::Error| vec![ScriptError { agent: None, place: None, message: error.to_string() }];
        let machine = Machine::new(limits).map_err(unready)?;
        let mut this = Self { host, machine, places: HashMap::new(), errors: Vec::new() };
        for word in image.code() {
            if let Some(Op::ActExclusive | Op::Act | Op::Open) = word.op() {
                this.compile(image, word.a, word.b.into());
            }
        }
        if this.errors.is_empty() { Ok(this) } else { Err(this.errors) }
    }

    /// Compiles the code of a node, if it has any.
    fn compile(&mut self, image: &Image, site: u16, node: u32) {
        let Some(row) = image.sites().get(usize::from(site)) else { return };
        let import = image.imports().get(usize::from(row.import));
        if !import.is_some_and(|import| NODES.contains(&image.name(import.name))) {
            return;
        }
        if let Some(debug) = image.debug_node(node) {
            self.places.insert(node, format!("{}:{}", image.debug_text(debug.file), debug.line));
        }
        let values = image.values().get(row.first as usize..).unwrap_or_default();
        for value in values.iter().take(row.count.into()) {
            let text = pleach_image::format::StrRef { start: value.bits, len: value.len };
            let place = self.places.get(&node).map_or("", String::as_str);
            if let Err(error) = self.machine.compile(image.text(text), place) {
                self.note(None, node, &error);
            }
        }
    }

    /// The table that is `entity` while code of this agent runs.
    ///
    /// # Errors
    /// If there is no memory left for it.
    pub fn entity(&mut self, agent: Agent) -> mlua::Result<mlua::Table> {
        self.machine.entity(agent)
    }

    /// Lets go of the table of an agent that is gone.
    pub fn forget(&mut self, agent: Agent) {
        self.machine.forget(agent);
    }

    /// Lua itself, to give code something to call.
    pub fn lua(&self) -> &mlua::Lua {
        self.machine.lua()
    }

    /// What went wrong since the last time: the first hundred.
    pub fn take_errors(&mut self) -> Vec<ScriptError> {
        std::mem::take(&mut self.errors)
    }

    fn note(&mut self, agent: Option<Agent>, node: u32, error: &mlua::Error) {
        if self.errors.len() < MOST_ERRORS {
            let place = self.places.get(&node).cloned();
            self.errors.push(ScriptError { agent, place, message: error.to_string() });
        }
    }

    /// Runs an argument of a call as code: whether it gave `true`; none if it failed.
    fn run(&mut self, call: &Call<'_>, argument: usize) -> Option<bool> {
        let code = call.args.text(argument);
        match self.machine.run(&code, call.agent) {
            Ok(truth) => Some(truth),
            Err(error) => {
                self.note(Some(call.agent), call.node, &error);
                None
            }
        }
    }

    fn node(&mut self, call: &Call<'_>) -> Status {
        let done = self.run(call, 0);
        let status = |is: bool, yes: Status| if is { yes } else { Status::Failure };
        match call.function - FIRST {
            0 => Status::Success,
            1 => status(done == Some(true), Status::Success),
            2 => status(done == Some(true), Status::Running),
            _ => status(done.is_some(), Status::Running),
        }
    }
}

impl<H: Host> pleach::host::HostLayer for WithLua<H> {
    type Inner = H;

    fn inner(&self) -> &H {
        &self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        match NODES.iter().position(|node| *node == name) {
            Some(index) if function == Function::Action => Some(FIRST + index as u32),
            _ => self.host.resolve(function, name).filter(|number| *number < FIRST),
        }
    }

    /// All code can reach what is global to it, so it matters which agent's comes first.
    fn effect(&self, kind: Function, function: u32) -> Effect {
        if function >= FIRST { Effect::World } else { self.host.effect(kind, function) }
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        number >= FIRST || self.host.knows(function, number, agent)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.function >= FIRST { self.node(call) } else { self.host.act(call) }
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        match call.function {
            // Of these, only a wrapper has something to do when it ends.
            FIRST.. => drop((call.function == FIRST + 3).then(|| self.run(call, 1))),
            _ => self.host.halt(call, reason),
        }
    }

    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn fmt::Write) {
        if call.function < FIRST {
            self.host.describe(call, out);
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if batch.function < FIRST {
            return self.host.act_all(batch, out);
        }
        batch.each(out, |call| self.node(call));
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.host.query_all(batch, out);
    }
}
