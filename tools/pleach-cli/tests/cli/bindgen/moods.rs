//! Names that moods.pleach and the game share.
//!
//! Written by `pleach bindgen`, so do not change it: write it again when names have changed.

#![allow(dead_code, unreachable_pub, reason = "a game need not use all names, nor hand them on")]
#![allow(clippy::single_match, reason = "a host may have a single function")]

/// Trees that agents can run.
pub mod trees {
    /// `moods`
    pub const MOODS: &str = "moods";
}

/// Actions of agents.
pub mod actions {
    /// `show(mood: Mood, loud: bool, other: option)`
    pub const SHOW: &str = "show";
}

/// Queries of conditions.
pub mod queries {
    /// `moodOf(who: int) -> Mood`
    pub const MOOD_OF: &str = "moodOf";
}

/// Variables of agents.
pub mod variables {
    /// `i32`, a value of `Mood`
    pub const MOOD: &str = "mood";
}

/// Enum `Mood`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mood {
    /// `calm`
    Calm,
    /// `wary`
    Wary,
    /// `least`
    Least,
    /// `Other`
    OtherMember,
    /// `self_`
    Self_,
    /// `SELF`
    SelfMember,
    /// Number that no member has.
    Other(i32),
}

impl Mood {
    /// Returns the value that has a number.
    pub const fn of(number: i32) -> Self {
        match number {
            0 => Self::Calm,
            4 => Self::Wary,
            -2147483648 => Self::Least,
            -2147483647 => Self::OtherMember,
            -2147483646 => Self::Self_,
            -2147483645 => Self::SelfMember,
            _ => Self::Other(number),
        }
    }

    /// Returns the number of the value.
    pub const fn number(self) -> i32 {
        match self {
            Self::Calm => 0,
            Self::Wary => 4,
            Self::Least => -2147483648,
            Self::OtherMember => -2147483647,
            Self::Self_ => -2147483646,
            Self::SelfMember => -2147483645,
            Self::Other(number) => number,
        }
    }
}

/// Enum `option`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionEnum {
    /// `calm`
    Calm,
    /// Number that no member has.
    Other(i32),
}

impl OptionEnum {
    /// Returns the value that has a number.
    pub const fn of(number: i32) -> Self {
        match number {
            0 => Self::Calm,
            _ => Self::Other(number),
        }
    }

    /// Returns the number of the value.
    pub const fn number(self) -> i32 {
        match self {
            Self::Calm => 0,
            Self::Other(number) => number,
        }
    }
}

/// Constants of manifests and trees.
pub mod symbols {
    /// `LEAST`
    pub const LEAST: super::Mood = super::Mood::of(-2147483648);
    /// `START`
    pub const START: super::Mood = super::Mood::of(4);
}

/// Variables and events of agents and groups, by their numbers in one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    /// Variable `mood`: `i32`, a value of `Mood`.
    pub mood: ::pleach::Variable,
}

impl Ids {
    /// Finds all of them in a program: after it was linked, and after each reload.
    ///
    /// # Errors
    /// All names that are not there, and variables that have another type now.
    pub fn of(program: &::pleach::Program) -> Result<Self, ::pleach::program::LookupError> {
        let mut names = ::pleach::program::Lookup::new(program);
        names.tree("moods");
        let ids = Self {
            mood: names.variable::<i32>("mood"),
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

    /// Action `show(mood: Mood, loud: bool, other: option)`.
    fn show(&mut self, call: &mut ::pleach::Call<'_>, mood: Mood, loud: bool, other: OptionEnum) -> ::pleach::Status;

    /// Acts for many agents, see [`::pleach::Host::act_all`].
    fn show_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        batch.each(out, |call| { let mood = Mood::of(call.args.int(0)); let loud = call.args.int(1) != 0; let other = OptionEnum::of(call.args.int(2)); self.show(call, mood, loud, other) });
    }

    /// Query `moodOf(who: int) -> Mood`.
    fn mood_of(&mut self, call: &mut ::pleach::Call<'_>, who: i32) -> Mood;

    /// Answers for many agents, see [`::pleach::Host::query_all`].
    fn mood_of_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| f64::from({ let who = call.args.int(0); self.mood_of(call, who) }.number()));
    }
}

const ACTIONS: &[&str] = &[
    "show",
];

const QUERIES: &[&str] = &[
    "moodOf",
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
            0 => { let mood = Mood::of(call.args.int(0)); let loud = call.args.int(1) != 0; let other = OptionEnum::of(call.args.int(2)); self.0.show(call, mood, loud, other) },
            _ => ::pleach::Status::Failure,
        }
    }

    fn query(&mut self, call: &mut ::pleach::Call<'_>) -> f64 {
        match call.function {
            0 => f64::from({ let who = call.args.int(0); self.0.mood_of(call, who) }.number()),
            _ => 0.0,
        }
    }

    fn act_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {
        match batch.function {
            0 => self.0.show_all(batch, out),
            _ => (),
        }
    }

    fn query_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {
        match batch.function {
            0 => self.0.mood_of_all(batch, out),
            _ => (),
        }
    }
}
