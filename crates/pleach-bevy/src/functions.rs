//! Actions and queries as systems.
//!
//! These systems are in no schedule. A tick runs a system with the entities that came to its leaf.
//! The systems are kept here, initialized, under the numbers by which trees call them.

use crate::agent::entity;
use crate::blackboard::Blackboard;
use bevy_ecs::change_detection::CheckChangeTicks;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{BoxedSystem, RunSystemError, SystemInput};
use pleach::program::Lookup;
use pleach::values::Type;
use pleach::{Batch, Call, Function, Program, Status};
use std::borrow::Cow;
use std::collections::HashMap;

/// Input of an action: the entities that came to it in this tick, and places for their statuses.
pub struct Act<'a> {
    /// The call: arguments, and columns of the agents' variables.
    pub batch: &'a mut Batch<'a>,
    /// Statuses of the entities, in their order, initially [`Status::Failure`].
    pub out: &'a mut [Status],
    pub(crate) entities: &'a [Entity],
}

/// Input of a query: the entities that it is asked about, and places for the answers.
pub struct Ask<'a> {
    /// The call: arguments, and columns of the agents' variables.
    pub batch: &'a mut Batch<'a>,
    /// Answers for the entities, in their order, initially 0.
    pub out: &'a mut [f64],
    pub(crate) entities: &'a [Entity],
}

macro_rules! input {
    ($($input:ident)*) => {
        $(
            impl $input<'_> {
                /// Lists the entities, in order.
                pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
                    self.batch.agents().map(|agent| entity(self.entities, agent))
                }
            }

            impl SystemInput for $input<'_> {
                type Param<'i> = $input<'i>;
                type Inner<'i> = $input<'i>;

                fn wrap(this: Self::Inner<'_>) -> Self::Param<'_> {
                    this
                }
            }
        )*
    };
}

input!(Act Ask);

impl Act<'_> {
    /// Calls `act` for one entity after the other. The call has the arguments and the agent's
    /// variables.
    pub fn each(&mut self, mut act: impl FnMut(Entity, &mut Call<'_>) -> Status) {
        self.batch.each(self.out, |call| act(entity(self.entities, call.agent), call));
    }
}

impl Ask<'_> {
    /// Calls `answer` for one entity after the other. An answer is a number or a `bool`.
    pub fn each<T: Into<f64>>(&mut self, mut answer: impl FnMut(Entity, &mut Call<'_>) -> T) {
        self.batch.each(self.out, |call| answer(entity(self.entities, call.agent), call).into());
    }
}

/// System that is ready to run.
pub(crate) struct Ready<I: SystemInput + 'static> {
    system: BoxedSystem<I, ()>,
    /// True if the system has commands to apply after a run.
    defers: bool,
}

impl<I: SystemInput + 'static> Ready<I> {
    fn new(mut system: impl System<In = I, Out = ()>, world: &mut World) -> Self {
        system.initialize(world);
        Self { defers: system.has_deferred(), system: Box::new(system) }
    }

    /// Runs the system. If the system fails, this panics, and pleach turns the panic into a fault
    /// of the agents.
    pub(crate) fn run(&mut self, input: I::Inner<'_>, world: &mut World) {
        let ran = self.system.run_without_applying_deferred(input, world);
        if self.defers {
            self.system.apply_deferred(world);
        }
        match ran {
            // A system that was skipped leaves statuses and answers at their defaults.
            Ok(()) | Err(RunSystemError::Skipped(_)) => {}
            Err(RunSystemError::Failed(error)) => panic!("{} failed: {error}", self.system.name()),
        }
    }
}

/// Action that needs no access to the world.
type OverColumns = Box<dyn FnMut(&mut Batch<'_>, &mut [Status]) + Send + Sync>;

/// Implementation of an action.
pub(crate) enum Does {
    System(Ready<Act<'static>>),
    Function(OverColumns),
}

/// Implementation of a query.
pub(crate) enum Answer {
    System(Ready<Ask<'static>>),
    /// Column that an input writes.
    Column(Type),
}

/// Function that compares the type of a program's variable of this name with the bound type.
/// Returns the error if they differ.
type Check = fn(&Program, &str) -> Option<String>;

/// Functions and variables that trees can name.
#[derive(Resource, Default)]
pub(crate) struct Functions {
    numbers: HashMap<(Function, String), u32>,
    pub(crate) actions: Vec<(Cow<'static, str>, Does)>,
    pub(crate) queries: Vec<Answer>,
    bound: Vec<(String, Check)>,
}

impl Functions {
    pub(crate) fn add_action(
        &mut self,
        name: &str,
        system: impl System<In = Act<'static>, Out = ()>,
        world: &mut World,
    ) {
        self.does(name, Does::System(Ready::new(system, world)));
    }

    pub(crate) fn does(&mut self, name: &str, does: Does) {
        self.numbers.insert((Function::Action, name.to_owned()), self.actions.len() as u32);
        self.actions.push((name.to_owned().into(), does));
    }

    pub(crate) fn add_query(
        &mut self,
        name: &str,
        system: impl System<In = Ask<'static>, Out = ()>,
        world: &mut World,
    ) {
        self.answer(name, Answer::System(Ready::new(system, world)));
    }

    /// Binds a variable to components. An input also answers the query of its name unless a system
    /// does.
    pub(crate) fn add_variable<T: Blackboard>(&mut self, name: &str, is_input: bool) {
        self.bound.push((name.to_owned(), |program, name| {
            program.variable(name)?;
            let mut names = Lookup::new(program);
            names.variable::<T>(name);
            names.end(()).err().map(|error| error.to_string())
        }));
        if is_input && self.number(Function::Query, name).is_none() {
            self.answer(name, Answer::Column(Type::of::<T>()));
        }
    }

    fn answer(&mut self, name: &str, answer: Answer) {
        self.numbers.insert((Function::Query, name.to_owned()), self.queries.len() as u32);
        self.queries.push(answer);
    }

    pub(crate) fn number(&self, kind: Function, name: &str) -> Option<u32> {
        self.numbers.get(&(kind, name.to_owned())).copied()
    }

    pub(crate) fn names(&self, kind: Function) -> Vec<String> {
        let mut names: Vec<_> =
            self.numbers.keys().filter(|(other, _)| *other == kind).map(|(_, name)| name.clone()).collect();
        names.sort();
        names
    }

    /// Returns the first error that keeps a program's variables from being bound to components.
    pub(crate) fn mismatch(&self, program: &Program) -> Option<String> {
        self.bound.iter().find_map(|(name, check)| check(program, name))
    }

    pub(crate) fn check(&mut self, check: CheckChangeTicks) {
        for (_, does) in &mut self.actions {
            if let Does::System(ready) = does {
                ready.system.check_change_tick(check);
            }
        }
        for query in &mut self.queries {
            if let Answer::System(ready) = query {
                ready.system.check_change_tick(check);
            }
        }
    }
}
