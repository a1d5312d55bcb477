//! A host made of closures, bound by name.

use crate::host::{Call, Function, Halt, Host};
use crate::status::Status;
use hashbrown::HashMap;

type Act<W> = Box<dyn FnMut(&mut W, &mut Call<'_>) -> Status>;
type Query<W> = Box<dyn FnMut(&mut W, &mut Call<'_>) -> f64>;
type OnHalt<W> = Box<dyn FnMut(&mut W, &mut Call<'_>, Halt)>;

/// A host made of closures over a world of the game's own.
///
/// ```
/// use pleach::{Bindings, Halt, Status};
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
/// ```
pub struct Bindings<W> {
    world: W,
    names: HashMap<(Function, String), u32>,
    actions: Vec<Act<W>>,
    queries: Vec<Query<W>>,
    halts: HashMap<u32, OnHalt<W>>,
}

impl<W> Bindings<W> {
    /// No closures yet.
    #[must_use]
    pub fn new(world: W) -> Self {
        Self {
            world,
            names: HashMap::default(),
            actions: Vec::new(),
            queries: Vec::new(),
            halts: HashMap::default(),
        }
    }

    /// The game's own state, which every closure gets.
    #[must_use]
    pub fn world(&self) -> &W {
        &self.world
    }

    /// The game's own state.
    pub fn world_mut(&mut self) -> &mut W {
        &mut self.world
    }

    /// Binds an action. A second closure for a name replaces the first.
    pub fn action(
        &mut self,
        name: &str,
        act: impl FnMut(&mut W, &mut Call<'_>) -> Status + 'static,
    ) -> &mut Self {
        self.names.insert((Function::Action, name.to_owned()), self.actions.len() as u32);
        self.actions.push(Box::new(act));
        self
    }

    /// Binds a query. It may answer any number or a bool.
    pub fn query<T: Into<f64>>(
        &mut self,
        name: &str,
        mut query: impl FnMut(&mut W, &mut Call<'_>) -> T + 'static,
    ) -> &mut Self {
        self.names.insert((Function::Query, name.to_owned()), self.queries.len() as u32);
        self.queries.push(Box::new(move |world, call| query(world, call).into()));
        self
    }

    /// Binds what happens when a running action will not go on. The action must have been bound before.
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

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.actions[call.function as usize](&mut self.world, call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.queries[call.function as usize](&mut self.world, call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        if let Some(halt) = self.halts.get_mut(&call.function) {
            halt(&mut self.world, call, reason);
        }
    }
}
