//! Names that places.pleach and the game share.
//!
//! Written by `pleach bindgen`, so do not change it: write it again when names have changed.

#![allow(dead_code, unreachable_pub, reason = "a game need not use all names, nor hand them on")]
#![allow(clippy::single_match, reason = "a host may have a single function")]

/// Trees that agents can run.
pub mod trees {
    /// `places`
    pub const PLACES: &str = "places";
}

/// Actions of agents.
pub mod actions {
    /// `find(out at: vec2)`
    pub const FIND: &str = "find";
    /// `go(to: vec3, speed: float)`
    pub const GO: &str = "go";
}

/// Queries of conditions.
pub mod queries {
    /// `threat(near: vec2) -> vec3`
    pub const THREAT: &str = "threat";
}

/// Variables of agents.
pub mod variables {
    /// `f32`
    pub const AT_X: &str = "at.x";
    /// `f32`
    pub const AT_Y: &str = "at.y";
    /// `f32`
    pub const AT_Z: &str = "at.z";
    /// `f32`
    pub const FOUND_X: &str = "found.x";
    /// `f32`
    pub const FOUND_Y: &str = "found.y";
}

/// Variables of groups and the world.
pub mod shared {
    /// Of the world.
    pub const GOAL_X: &str = "goal.x";
    /// Of the world.
    pub const GOAL_Y: &str = "goal.y";
}

/// Places of out arguments, for `Call::give`.
pub mod outs {
    /// `at.x` of `find`.
    pub const FIND_AT_X: usize = 0;
    /// `at.y` of `find`.
    pub const FIND_AT_Y: usize = 1;
}

/// Variables and events of agents and groups, by their numbers in one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    /// Variable `at.x`: `f32`.
    pub at_x: ::pleach::Variable,
    /// Variable `at.y`: `f32`.
    pub at_y: ::pleach::Variable,
    /// Variable `at.z`: `f32`.
    pub at_z: ::pleach::Variable,
    /// Variable `found.x`: `f32`.
    pub found_x: ::pleach::Variable,
    /// Variable `found.y`: `f32`.
    pub found_y: ::pleach::Variable,
    /// Variable `goal.x` of the world.
    pub goal_x: ::pleach::SharedVariable,
    /// Variable `goal.y` of the world.
    pub goal_y: ::pleach::SharedVariable,
}

impl Ids {
    /// Finds all of them in a program: after it was linked, and after each reload.
    ///
    /// # Errors
    /// All names that are not there, and variables that have another type now.
    pub fn of(program: &::pleach::Program) -> Result<Self, ::pleach::program::LookupError> {
        let mut names = ::pleach::program::Lookup::new(program);
        names.tree("places");
        let ids = Self {
            at_x: names.variable::<f32>("at.x"),
            at_y: names.variable::<f32>("at.y"),
            at_z: names.variable::<f32>("at.z"),
            found_x: names.variable::<f32>("found.x"),
            found_y: names.variable::<f32>("found.y"),
            goal_x: names.shared("goal.x"),
            goal_y: names.shared("goal.y"),
        };
        names.end(ids)
    }
}

/// The actions and queries of the trees, as methods of the game. [`Functions`] makes a host of
/// the game.
pub trait Game {
    /// See [`::pleach::Host::halt`].
    fn on_halt(&mut self, _call: &mut ::pleach::Call<'_>, _reason: ::pleach::Halt) {}

    /// See [`::pleach::Host::log`].
    fn on_log(&mut self, _agent: ::pleach::Agent, _node: u32, _kind: ::pleach::host::LogKind, _text: &[u8]) {}

    /// See [`::pleach::Host::ran_away`].
    fn on_run_away(&mut self, _run: &::pleach::host::RunawayTick<'_>) {}

    /// See [`::pleach::Host::effect`].
    fn effect_of(&self, _kind: ::pleach::Function, _name: &str) -> ::pleach::host::Effect {
        ::pleach::host::Effect::Own
    }

    /// See [`::pleach::Host::column`].
    fn column_of(&self, _query: &str) -> Option<::pleach::values::Type> {
        None
    }

    /// See [`::pleach::Host::knows`].
    fn knows(&mut self, _kind: ::pleach::Function, _name: &str, _agent: ::pleach::Agent) -> bool {
        true
    }

    /// Action `find(out at: vec2)`.
    fn find(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn find_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| self.find(call));
    }

    /// Action `go(to: vec3, speed: float)`.
    fn go(&mut self, call: &mut ::pleach::Call<'_>, to_x: f32, to_y: f32, to_z: f32, speed: f32) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn go_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| { let to_x = call.args.float(0); let to_y = call.args.float(1); let to_z = call.args.float(2); let speed = call.args.float(3); self.go(call, to_x, to_y, to_z, speed) });
    }

    /// Query `threat(near: vec2) -> vec3`.
    fn threat(&mut self, call: &mut ::pleach::Call<'_>, near_x: f32, near_y: f32) -> [f32; 3];

    /// Answers for many agents, see [`::pleach::Host::query_all`].
    fn threat_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| { let answer = { let near_x = call.args.float(0); let near_y = call.args.float(1); self.threat(call, near_x, near_y) }; let first = call.args.len().saturating_sub(3); for (part, number) in answer.into_iter().enumerate() { let _ = call.give(first + part, number); } 0.0 });
    }
}

const ACTIONS: &[&str] = &[
    "find",
    "go",
];

const QUERIES: &[&str] = &[
    "threat",
];

fn names_of(kind: ::pleach::Function) -> &'static [&'static str] {
    match kind {
        ::pleach::Function::Action => ACTIONS,
        ::pleach::Function::Query => QUERIES,
    }
}

extern crate alloc;

/// A game as a host.
#[derive(Clone, Debug, Default)]
pub struct Functions<G>(pub G);

impl<G: Game> ::pleach::Host for Functions<G> {
    fn resolve(&self, kind: ::pleach::Function, name: &str) -> Option<u32> {
        names_of(kind).binary_search(&name).ok().map(|number| number as u32)
    }

    fn names(&self, kind: ::pleach::Function) -> alloc::vec::Vec<alloc::string::String> {
        names_of(kind).iter().map(|&name| name.into()).collect()
    }

    fn effect(&self, kind: ::pleach::Function, function: u32) -> ::pleach::host::Effect {
        let name = names_of(kind).get(function as usize);
        name.map_or(::pleach::host::Effect::Own, |name| self.0.effect_of(kind, name))
    }

    fn column(&self, query: u32) -> Option<::pleach::values::Type> {
        self.0.column_of(QUERIES.get(query as usize)?)
    }

    fn knows(&mut self, kind: ::pleach::Function, number: u32, agent: ::pleach::Agent) -> bool {
        let name = names_of(kind).get(number as usize);
        name.is_some_and(|name| self.0.knows(kind, name, agent))
    }

    fn halt(&mut self, call: &mut ::pleach::Call<'_>, reason: ::pleach::Halt) {
        self.0.on_halt(call, reason);
    }

    fn log(&mut self, agent: ::pleach::Agent, node: u32, kind: ::pleach::host::LogKind, text: &[u8]) {
        self.0.on_log(agent, node, kind, text);
    }

    fn ran_away(&mut self, run: &::pleach::host::RunawayTick<'_>) {
        self.0.on_run_away(run);
    }

    fn act(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status {
        match call.function {
            0 => self.0.find(call),
            1 => { let to_x = call.args.float(0); let to_y = call.args.float(1); let to_z = call.args.float(2); let speed = call.args.float(3); self.0.go(call, to_x, to_y, to_z, speed) },
            _ => ::pleach::Status::Failure,
        }
    }

    fn query(&mut self, call: &mut ::pleach::Call<'_>) -> f64 {
        match call.function {
            0 => { let answer = { let near_x = call.args.float(0); let near_y = call.args.float(1); self.0.threat(call, near_x, near_y) }; let first = call.args.len().saturating_sub(3); for (part, number) in answer.into_iter().enumerate() { let _ = call.give(first + part, number); } 0.0 },
            _ => 0.0,
        }
    }

    fn act_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        match batch.function {
            0 => self.0.find_all(batch, out),
            1 => self.0.go_all(batch, out),
            _ => (),
        }
    }

    fn query_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        match batch.function {
            0 => self.0.threat_all(batch, out),
            _ => (),
        }
    }
}
