//! Names that soldier.pleach and the game share.
//!
//! Written by `pleach bindgen`, so do not change it: write it again when names have changed.

#![allow(dead_code, unreachable_pub, reason = "a game need not use all names, nor hand them on")]
#![allow(clippy::single_match, reason = "a host may have a single function")]

/// Trees that agents can run.
pub mod trees {
    /// `soldier`
    pub const SOLDIER: &str = "soldier";
}

/// Actions of agents.
pub mod actions {
    /// `heal()`: takes a while
    pub const HEAL: &str = "heal";
    /// `loop()`
    pub const LOOP: &str = "loop";
    /// `moveTo(place: int, speed: number?)`: walks until it is there
    pub const MOVE_TO: &str = "moveTo";
    /// `move_to()`: another one, by nearly the same name
    pub const MOVE_TO_NAME: &str = "move_to";
}

/// Queries of conditions.
pub mod queries {
    /// `distance(place: int) -> float`: in metres
    pub const DISTANCE: &str = "distance";
    /// `loop() -> int`
    pub const LOOP: &str = "loop";
    /// `visible() -> bool`
    pub const VISIBLE: &str = "visible";
}

/// Variables of agents.
pub mod variables {
    /// `bool`
    pub const ALERT: &str = "alert";
    /// `i8`
    pub const CLASS: &str = "class";
    /// `f32`
    pub const HEALTH: &str = "health";
}

/// Variables of groups and the world.
pub mod shared {
    /// Of the world.
    pub const ALARM: &str = "alarm";
    /// Of the group.
    pub const TARGET: &str = "target";
}

/// Events that agents can be told of.
pub mod events {
    /// `class`
    pub const CLASS: &str = "class";
    /// `hit`
    pub const HIT: &str = "hit";
    /// `register`
    pub const REGISTER: &str = "register";
}

/// Constants of manifests and trees.
pub mod symbols {
    /// `BASE`
    pub const BASE: i32 = 1;
    /// `POST`
    pub const POST: i32 = 3;
    /// `WORST`
    pub const WORST: i32 = -2147483648;
}

/// Variables and events of agents and groups, by their numbers in one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    /// Variable `alert`: `bool`.
    pub alert: ::pleach::Variable,
    /// Variable `class`: `i8`.
    pub class: ::pleach::Variable,
    /// Variable `health`: `f32`.
    pub health: ::pleach::Variable,
    /// Variable `alarm` of the world.
    pub alarm: ::pleach::SharedVariable,
    /// Variable `target` of the group.
    pub target: ::pleach::SharedVariable,
    /// Event `class`.
    pub class_event: ::pleach::Event,
    /// Event `hit`.
    pub hit: ::pleach::Event,
    /// Event `register`.
    pub register: ::pleach::Event,
}

impl Ids {
    /// Finds all of them in a program: after it was linked, and after each reload.
    ///
    /// # Errors
    /// All names that are not there, and variables that have another type now.
    pub fn of(program: &::pleach::Program) -> Result<Self, ::pleach::program::LookupError> {
        let mut names = ::pleach::program::Lookup::new(program);
        names.tree("soldier");
        let ids = Self {
            alert: names.variable::<bool>("alert"),
            class: names.variable::<i8>("class"),
            health: names.variable::<f32>("health"),
            alarm: names.shared("alarm"),
            target: names.shared("target"),
            class_event: names.event("class"),
            hit: names.event("hit"),
            register: names.event("register"),
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

    /// Action `heal()`: takes a while.
    fn heal(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn heal_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| self.heal(call));
    }

    /// Action `loop()`.
    fn loop_(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn loop_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| self.loop_(call));
    }

    /// Action `moveTo(place: int, speed: number?)`: walks until it is there.
    fn move_to(&mut self, call: &mut ::pleach::Call<'_>, place: i32, speed: Option<f64>) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn move_to_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| { let place = call.args.int(0); let speed = (call.args.len() > 1).then(|| call.args.number(1)); self.move_to(call, place, speed) });
    }

    /// Action `move_to()`: another one, by nearly the same name.
    fn move_to_action(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn move_to_action_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| self.move_to_action(call));
    }

    /// Query `distance(place: int) -> float`: in metres.
    fn distance(&mut self, call: &mut ::pleach::Call<'_>, place: i32) -> f32;

    /// Answers for many agents, see [`::pleach::Host::query_all`].
    fn distance_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| f64::from({ let place = call.args.int(0); self.distance(call, place) }));
    }

    /// Query `loop() -> int`.
    fn loop_query(&mut self, call: &mut ::pleach::Call<'_>) -> i32;

    /// Answers for many agents, see [`::pleach::Host::query_all`].
    fn loop_query_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| f64::from(self.loop_query(call)));
    }

    /// Query `visible() -> bool`.
    fn visible(&mut self, call: &mut ::pleach::Call<'_>) -> bool;

    /// Answers for many agents, see [`::pleach::Host::query_all`].
    fn visible_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| f64::from(self.visible(call)));
    }
}

const ACTIONS: &[&str] = &[
    "heal",
    "loop",
    "moveTo",
    "move_to",
];

const QUERIES: &[&str] = &[
    "distance",
    "loop",
    "visible",
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
            0 => self.0.heal(call),
            1 => self.0.loop_(call),
            2 => { let place = call.args.int(0); let speed = (call.args.len() > 1).then(|| call.args.number(1)); self.0.move_to(call, place, speed) },
            3 => self.0.move_to_action(call),
            _ => ::pleach::Status::Failure,
        }
    }

    fn query(&mut self, call: &mut ::pleach::Call<'_>) -> f64 {
        match call.function {
            0 => f64::from({ let place = call.args.int(0); self.0.distance(call, place) }),
            1 => f64::from(self.0.loop_query(call)),
            2 => f64::from(self.0.visible(call)),
            _ => 0.0,
        }
    }

    fn act_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        match batch.function {
            0 => self.0.heal_all(batch, out),
            1 => self.0.loop_all(batch, out),
            2 => self.0.move_to_all(batch, out),
            3 => self.0.move_to_action_all(batch, out),
            _ => (),
        }
    }

    fn query_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        match batch.function {
            0 => self.0.distance_all(batch, out),
            1 => self.0.loop_query_all(batch, out),
            2 => self.0.visible_all(batch, out),
            _ => (),
        }
    }
}
