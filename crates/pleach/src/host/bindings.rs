//! A host made of closures, bound by name.

use crate::host::{Batch, Call, Effect, ForestHost, Function, Halt, Hook, Host};
use crate::values::{Status, Type, VariableValue};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// A function: for one agent, or for many.
enum Bound<W, T> {
    One(OneFunction<W, T>),
    Many(ManyFunction<W, T>),
    /// The answers stand in a column.
    Column(Type),
}

type OneFunction<W, T> = Box<dyn FnMut(&mut W, &mut Call<'_>) -> T>;
type ManyFunction<W, T> = Box<dyn FnMut(&mut W, &mut Batch<'_>, &mut [T])>;
type OnHalt<W> = Box<dyn FnMut(&mut W, &mut Call<'_>, Halt)>;
type OnHook<W> = Box<dyn FnMut(&mut W, &Hook<'_>)>;

impl<W, T> Bound<W, T> {
    /// Calls the closure for one agent. `out` is the answer if there is no closure.
    fn ask(&mut self, world: &mut W, call: &mut Call<'_>, mut out: T) -> T {
        match self {
            Self::One(one) => one(world, call),
            Self::Many(many) => {
                call.alone(|batch| many(world, batch, core::slice::from_mut(&mut out)));
                out
            }
            Self::Column(_) => out,
        }
    }

    /// Asks for many agents.
    fn ask_all(&mut self, world: &mut W, batch: &mut Batch<'_>, out: &mut [T]) {
        match self {
            Self::One(one) => batch.each(out, |call| one(world, call)),
            Self::Many(many) => many(world, batch, out),
            Self::Column(_) => {}
        }
    }
}

/// Host made of closures. Each closure gets the world of the game, and answers for an action or
/// query of the trees.
///
/// ```
/// use pleach::{Bindings, Halt, Status, host::Effect};
/// #[derive(Default)]
/// struct World { moving: u32 }
/// let mut host = Bindings::new(World::default());
/// host.action("moveTo", |world, call| {
///     world.moving += u32::from(call.fresh);
///     if call.args.int(0) == 0 { Status::Failure } else { Status::Running }
/// });
/// host.query("team", |_, call| call.agent.index() as u32 % 2);
/// host.on_halt("moveTo", |world, _, reason: Halt| {
///     assert_eq!(reason, Halt::Despawned);
///     world.moving -= 1;
/// });
/// // One call for all agents of a chunk that come to the action together.
/// host.action_all("wait", |_, batch, out| out.fill(Status::Running));
/// // This query calls nothing. The game writes its answers before a tick, into
/// // `crowd.columns_mut().column(chunk, distance)`.
/// host.column::<f32>("distance");
/// // At most four agents may take one thing, so the order of agents matters: `Effect::World`.
/// host.action("take", |world, _| match world.moving {
///     0..=3 => Status::Success,
///     _ => Status::Failure,
/// });
/// host.effect("take", Effect::World);
/// ```
pub struct Bindings<W> {
    world: W,
    names: HashMap<(Function, String), u32>,
    actions: Vec<Bound<W, Status>>,
    queries: Vec<Bound<W, f64>>,
    halts: HashMap<u32, OnHalt<W>>,
    effects: HashMap<(Function, u32), Effect>,
    hook: Option<OnHook<W>>,
}

impl<W> Bindings<W> {
    /// Returns a host without closures.
    #[must_use]
    pub fn new(world: W) -> Self {
        Self {
            world,
            names: HashMap::default(),
            actions: Vec::new(),
            queries: Vec::new(),
            halts: HashMap::default(),
            effects: HashMap::default(),
            hook: None,
        }
    }

    /// Returns the world of the game, which every closure gets.
    #[must_use]
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Returns the world of the game.
    pub fn world_mut(&mut self) -> &mut W {
        &mut self.world
    }

    /// Binds an action to a name. A second closure for the name replaces the first.
    pub fn action(
        &mut self,
        name: &str,
        act: impl FnMut(&mut W, &mut Call<'_>) -> Status + 'static,
    ) -> &mut Self {
        self.bind_action(name, Bound::One(Box::new(act)))
    }

    /// Binds an action to a name by a closure that acts for many agents at once, see
    /// [`Host::act_all`]. The closure also serves single agents.
    pub fn action_all(
        &mut self,
        name: &str,
        act: impl FnMut(&mut W, &mut Batch<'_>, &mut [Status]) + 'static,
    ) -> &mut Self {
        self.bind_action(name, Bound::Many(Box::new(act)))
    }

    /// Binds a query to a name. The closure may answer any number or a `bool`.
    pub fn query<T: Into<f64>>(
        &mut self,
        name: &str,
        mut query: impl FnMut(&mut W, &mut Call<'_>) -> T + 'static,
    ) -> &mut Self {
        self.bind_query(name, Bound::One(Box::new(move |world, call| query(world, call).into())))
    }

    /// Binds a query to a name by a closure that answers for many agents at once, see
    /// [`Host::query_all`]. The closure also serves single agents.
    pub fn query_all(
        &mut self,
        name: &str,
        query: impl FnMut(&mut W, &mut Batch<'_>, &mut [f64]) + 'static,
    ) -> &mut Self {
        self.bind_query(name, Bound::Many(Box::new(query)))
    }

    /// Binds a query to a column that has its answers, see [`Host::column`]. If the query has
    /// arguments, the answer is 0.
    pub fn column<T: VariableValue>(&mut self, name: &str) -> &mut Self {
        self.bind_query(name, Bound::Column(Type::of::<T>()))
    }

    /// Binds a closure that is called when a running action does not continue. The action must have
    /// been bound before.
    ///
    /// # Panics
    /// If no action has this name.
    pub fn on_halt(
        &mut self,
        name: &str,
        halt: impl FnMut(&mut W, &mut Call<'_>, Halt) + 'static,
    ) -> &mut Self {
        let function = self.resolve(Function::Action, name);
        let function = function.unwrap_or_else(|| panic!("on_halt: no action `{name}` has been bound"));
        self.halts.insert(function, Box::new(halt));
        self
    }

    /// Declares the dependence of a function's answers; the default is [`Effect::Own`]. The
    /// function must have been bound before. If an action and a query have this name, the
    /// declaration is for both.
    ///
    /// # Panics
    /// If no function has this name.
    pub fn effect(&mut self, name: &str, effect: Effect) -> &mut Self {
        let functions = [Function::Action, Function::Query];
        let bound = functions.map(|function| self.resolve(function, name).map(|number| (function, number)));
        assert!(bound.iter().any(Option::is_some), "effect: nothing has been bound to `{name}`");
        self.effects.extend(bound.into_iter().flatten().map(|function| (function, effect)));
        self
    }

    /// Binds a closure that hears of events in the lives of forests, trees and nodes.
    pub fn on_hook(&mut self, hook: impl FnMut(&mut W, &Hook<'_>) + 'static) -> &mut Self {
        self.hook = Some(Box::new(hook));
        self
    }

    fn bind_action(&mut self, name: &str, act: Bound<W, Status>) -> &mut Self {
        self.names.insert((Function::Action, name.to_owned()), self.actions.len() as u32);
        self.actions.push(act);
        self
    }

    fn bind_query(&mut self, name: &str, query: Bound<W, f64>) -> &mut Self {
        self.names.insert((Function::Query, name.to_owned()), self.queries.len() as u32);
        self.queries.push(query);
        self
    }
}

impl<W> Host for Bindings<W> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.names.get(&(function, name.to_owned())).copied()
    }

    fn names(&self, function: Function) -> Vec<String> {
        let of_kind = self.names.keys().filter(|(kind, _)| *kind == function);
        let mut names: Vec<_> = of_kind.map(|(_, name)| name.clone()).collect();
        names.sort();
        names
    }

    fn effect(&self, kind: Function, function: u32) -> Effect {
        self.effects.get(&(kind, function)).copied().unwrap_or_default()
    }

    fn column(&self, query: u32) -> Option<Type> {
        match self.queries.get(query as usize)? {
            Bound::Column(column) => Some(*column),
            _ => None,
        }
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.actions[call.function as usize].ask(&mut self.world, call, Status::Failure)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.queries[call.function as usize].ask(&mut self.world, call, 0.0)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        if let Some(halt) = self.halts.get_mut(&call.function) {
            halt(&mut self.world, call, reason);
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        self.actions[batch.function as usize].ask_all(&mut self.world, batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.queries[batch.function as usize].ask_all(&mut self.world, batch, out);
    }
}

impl<W> ForestHost for Bindings<W> {
    fn hook(&mut self, hook: &Hook<'_>) {
        if let Some(on_hook) = &mut self.hook {
            on_hook(&mut self.world, hook);
        }
    }
}
