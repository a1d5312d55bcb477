//! Nodes with pieces of Lua: `ExecuteLua`, `AssertLua`, `LuaGate`, `LuaWrapper`.
//!
//! Trees of CryEngine and Lumberyard hold code in their attributes. [`WithLua`] wraps a game's own
//! host. It runs these four nodes on Lua 5.4 and passes all other calls on. All code is compiled
//! once, before a program is linked.
//!
//! | node | runs its code | status |
//! |---|---|---|
//! | `ExecuteLua` | once | success, even if the code fails |
//! | `AssertLua` | once | success if the code returns `true`, else failure |
//! | `LuaGate` | when it begins | that of its child if the code returns `true`, else failure |
//! | `LuaWrapper` | `onEnter` when it begins, `onExit` when its child ends | see below |
//!
//! A `LuaWrapper` has the status of its child, or fails if `onEnter` fails. `onExit` also runs if
//! the child is halted.
//!
//! While code runs, the global `entity` is a table that belongs to the agent. The game can fill it
//! ([`WithLua::entity`]). Errors of code are recorded with the place of the node
//! ([`WithLua::take_errors`]).
//!
//! Code cannot do harm. Each call ends after a maximum number of instructions, and all code
//! together has a maximum amount of memory ([`Limits`]). Code has no access to files or other
//! programs. Functions that could run without being counted, or catch the end of their time, are
//! missing: patterns of strings, `pcall`, coroutines, finalizers, `load`. Random numbers are
//! missing too, because ticks must be repeatable.
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

/// Names of the nodes, in the order of their numbers.
const NODES: [&str; 4] = ["ExecuteLua", "AssertLua", "LuaGate", "LuaWrapper"];
/// Number of the first node. The numbers of the game's functions are smaller.
const FIRST: u32 = u32::MAX - 4;
/// Maximum number of errors that are kept until [`WithLua::take_errors`] is called.
const MOST_ERRORS: usize = 100;

/// Limits of the resources that code may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of instructions of a call. They are counted in steps of 1,000.
    pub instructions: u32,
    /// Maximum number of bytes of memory for all code together.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instructions: 1_000_000, memory: 64 << 20 }
    }
}

/// Error of code, found when it was compiled or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Agent that the code ran for; `None` if the code could not be compiled.
    pub agent: Option<Agent>,
    /// Place of the node as `file:line`, if the image has debug information.
    pub place: Option<String>,
    /// Message of Lua.
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

/// Host that runs nodes with Lua and passes all other calls to the game's host.
#[derive(Debug)]
pub struct WithLua<H> {
    /// Host of the game.
    pub host: H,
    machine: Machine,
    /// Places of nodes with code.
    places: HashMap<u32, String>,
    errors: Vec<ScriptError>,
}

impl<H: Host> WithLua<H> {
    /// Compiles all code of an image.
    ///
    /// # Errors
    /// Returns the errors of all code that is not valid Lua, or the error of Lua if it could not be
    /// initialized.
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

    /// Returns the table that is `entity` while code of this agent runs.
    ///
    /// # Errors
    /// If there is no memory left for the table.
    pub fn entity(&mut self, agent: Agent) -> mlua::Result<mlua::Table> {
        self.machine.entity(agent)
    }

    /// Releases the table of an agent that no longer exists.
    pub fn forget(&mut self, agent: Agent) {
        self.machine.forget(agent);
    }

    /// Returns the Lua state, so that the game can add functions for code to call.
    pub fn lua(&self) -> &mlua::Lua {
        self.machine.lua()
    }

    /// Returns the errors since the last call. At most 100 are kept; later ones are dropped.
    pub fn take_errors(&mut self) -> Vec<ScriptError> {
        std::mem::take(&mut self.errors)
    }

    fn note(&mut self, agent: Option<Agent>, node: u32, error: &mlua::Error) {
        if self.errors.len() < MOST_ERRORS {
            let place = self.places.get(&node).cloned();
            self.errors.push(ScriptError { agent, place, message: error.to_string() });
        }
    }

    /// Runs an argument of a call as code. Returns `Some(true)` if the code returned `true`, and
    /// `None` if it failed.
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

    /// All code shares globals, so the order of agents matters.
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
            // Of the four nodes, only a wrapper runs code when it ends.
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
