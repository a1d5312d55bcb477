//! Behavior trees of pleach for entities of Bevy.
//!
//! An entity with a [`Behavior`] runs a tree. All entities whose trees are in one file are the
//! agents of one crowd, which is ticked at once. A leaf of the tree is a system that runs with all
//! entities that came to the leaf. There is no call for each entity.
//!
//! ```
//! use bevy_app::{App, Startup, TaskPoolPlugin, Update};
//! use bevy_asset::{AssetPlugin, AssetServer};
//! use bevy_ecs::prelude::*;
//! use pleach_bevy::prelude::*;
//!
//! #[derive(Component)]
//! struct Health(f32);
//!
//! /// An action: a system, with the entities that came to it in this tick.
//! fn heal(mut act: Act, mut wounded: Query<&mut Health>) {
//!     act.each(|entity, _call| {
//!         let Ok(mut health) = wounded.get_mut(entity) else { return Status::Failure };
//!         health.0 += 5.0;
//!         if health.0 < 100.0 { Status::Running } else { Status::Success }
//!     });
//! }
//!
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     let trees = assets.load("guard.plc");
//!     for _ in 0..1000 {
//!         commands.spawn((Health(30.0), Behavior::new(&trees, "guard")));
//!     }
//! }
//!
//! App::new()
//!     .add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()))
//!     .add_plugins(PleachPlugin::in_schedule(Update))
//!     .behavior_input("health", |health: &Health| health.0)
//!     .behavior_action("heal", heal)
//!     .add_systems(Startup, spawn)
//!     .run();
//! ```
//!
//! # Steps of a frame
//!
//! | set | step |
//! |---|---|
//! | [`BehaviorSystems::Prepare`] | trees are linked, entities join or leave, [`Raise`] is read |
//! | [`BehaviorSystems::Input`] | variables of trees are set from components, column by column |
//! | [`BehaviorSystems::Tick`] | all agents are ticked once; leaves run as systems |
//! | [`BehaviorSystems::Output`] | components are set from variables that have changed |
//!
//! # Costs
//!
//! The tick is an exclusive system, because its leaves may be any systems: no other system runs
//! meanwhile. A leaf runs once for up to 256 entities, so the cost of running a system is small.
//! Looking up a component by entity costs more. Values that leaves read often belong in variables,
//! by inputs: the tree then reads columns, and no system runs. A [host of the game's
//! own](AppExt::behavior_host) is called as directly as without Bevy. The package `benches/bevy`
//! measures all of this.
//!
//! # Trees that change
//!
//! A [`Trees`] asset that changes is linked again, and its agents continue at their nodes as
//! `pleach::Crowd::reload` describes. If the new build cannot be linked or lacks a tree that is in
//! use, the old build stays. [`TreesChanged`] reports the agents that continue and those that begin
//! anew.
//!
//! # Trees that cannot be run
//!
//! There is no panic if a file cannot be loaded, the app lacks a function, or a tree does not
//! exist. [`TreesFailed`] reports the problem with the file and all names, and the crate `log` gets
//! the same text as an error. An app without a logger that does not read the messages gets no
//! report. So install a logger, read the messages, or choose a panic:
//! [`PleachPlugin::panic_on_failure`].

mod agent;
mod asset;
mod blackboard;
mod columns;
mod crowds;
mod functions;
mod host;
mod messages;
mod prepare;
mod time;

pub use agent::{Behavior, InCrowd, NoTree};
pub use asset::{ImageLoader, Trees, TreesError};
pub use blackboard::Blackboard;
pub use crowds::Crowds;
pub use functions::{Act, Ask};
pub use messages::{ActionHalted, AgentFault, Raise, TreeLog, TreesChanged, TreesFailed, TreesFailure};
pub use pleach;
pub use time::Now;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_asset::AssetApp;
use bevy_ecs::change_detection::CheckChangeTicks;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use functions::{Does, Functions};
use pleach::{Batch, Status};
use prepare::OnFailure;

/// Names that most games with trees need.
pub mod prelude {
    pub use crate::{
        Act, ActionHalted, AgentFault, AppExt, Ask, Behavior, BehaviorSystems, Crowds, InCrowd, Now,
        PleachPlugin, Raise, TreeLog, Trees, TreesChanged, TreesFailed,
    };
    pub use pleach::{Batch, Call, Status};
}

/// Plugin that ticks the trees of entities once in each run of its schedule. It needs
/// `AssetPlugin`.
#[derive(Clone, Copy, Debug)]
pub struct PleachPlugin {
    schedule: InternedScheduleLabel,
    on_failure: OnFailure,
}

impl PleachPlugin {
    /// Ticks trees in this schedule.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), on_failure: OnFailure::default() }
    }

    /// Panics in the cases in which [`TreesFailed`] is written otherwise. For tests, and for games
    /// that ship all their trees.
    #[must_use]
    pub fn panic_on_failure(self) -> Self {
        Self { on_failure: OnFailure::Panic, ..self }
    }
}

/// Ticks trees in `FixedUpdate`, so that the same inputs give the same game.
impl Default for PleachPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

/// Steps of a tick, in order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BehaviorSystems {
    /// Trees are linked, entities join and leave, events are raised.
    Prepare,
    /// Variables are set from components.
    Input,
    /// Trees are ticked.
    Tick,
    /// Components are set from variables.
    Output,
}

/// Schedule that trees are ticked in.
#[derive(Resource)]
struct TickSchedule(InternedScheduleLabel);

impl Plugin for PleachPlugin {
    fn build(&self, app: &mut App) {
        use BehaviorSystems::{Input, Output, Prepare, Tick};
        app.init_asset::<Trees>()
            .init_asset_loader::<ImageLoader>()
            .init_resource::<Now>()
            .init_resource::<Crowds>()
            .init_resource::<agent::Departures>()
            .init_resource::<Functions>()
            .init_resource::<host::OwnHost>()
            .insert_resource(TickSchedule(self.schedule))
            .insert_resource(self.on_failure)
            .add_message::<Raise>()
            .add_message::<ActionHalted>()
            .add_message::<AgentFault>()
            .add_message::<TreeLog>()
            .add_message::<TreesChanged>()
            .add_message::<TreesFailed>()
            .add_observer(|check: On<CheckChangeTicks>, mut functions: ResMut<Functions>| {
                functions.check(*check)
            })
            .configure_sets(self.schedule, (Prepare, Input, Tick, Output).chain())
            .add_systems(self.schedule, (time::advance, prepare::prepare).chain().in_set(Prepare))
            .add_systems(self.schedule, crowds::tick.in_set(Tick));
    }
}

/// Functions that bind names of trees to functions and components of an app. The [`PleachPlugin`]
/// must be added before.
pub trait AppExt {
    /// Adds an action: a system that runs with the entities that came to it in this tick.
    fn behavior_action<M>(&mut self, name: &str, system: impl IntoSystem<Act<'static>, (), M>) -> &mut Self;

    /// Adds an action that needs no access to the world: a function over the columns of a chunk. It
    /// costs less than a system.
    fn behavior_function(
        &mut self,
        name: &str,
        act: impl FnMut(&mut Batch<'_>, &mut [Status]) + Send + Sync + 'static,
    ) -> &mut Self;

    /// Adds a host of the game's own, which is a resource. It provides all functions that are not
    /// added by name.
    ///
    /// Trees call it as directly as without Bevy. It sees agents, not entities. During a tick the
    /// resource is not in the world.
    fn behavior_host<H: pleach::Host + Resource<Mutability = bevy_ecs::component::Mutable>>(
        &mut self,
    ) -> &mut Self;

    /// Adds a query: a system that runs with the entities that it is asked about.
    fn behavior_query<M>(&mut self, name: &str, system: impl IntoSystem<Ask<'static>, (), M>) -> &mut Self;

    /// Sets a variable of trees before each tick to the value that `read` returns for a component.
    /// The value also answers a query of this name without arguments.
    ///
    /// Entities without the component keep their value. Trees without the name are not affected.
    fn behavior_input<C: Component, T: Blackboard>(
        &mut self,
        name: &str,
        read: impl Fn(&C) -> T + Send + Sync + 'static,
    ) -> &mut Self;

    /// Calls `write` after a tick for each entity whose value of a variable has changed, with the
    /// value and the component.
    fn behavior_output<C: Component<Mutability = bevy_ecs::component::Mutable>, T: Blackboard>(
        &mut self,
        name: &str,
        write: impl Fn(T, &mut C) + Send + Sync + 'static,
    ) -> &mut Self;
}

impl AppExt for App {
    fn behavior_action<M>(&mut self, name: &str, system: impl IntoSystem<Act<'static>, (), M>) -> &mut Self {
        bind(self, |functions, world| functions.add_action(name, IntoSystem::into_system(system), world))
    }

    fn behavior_function(
        &mut self,
        name: &str,
        act: impl FnMut(&mut Batch<'_>, &mut [Status]) + Send + Sync + 'static,
    ) -> &mut Self {
        bind(self, |functions, _| functions.does(name, Does::Function(Box::new(act))))
    }

    fn behavior_host<H: pleach::Host + Resource<Mutability = bevy_ecs::component::Mutable>>(
        &mut self,
    ) -> &mut Self {
        self.insert_resource(host::OwnHost::resource::<H>())
    }

    fn behavior_query<M>(&mut self, name: &str, system: impl IntoSystem<Ask<'static>, (), M>) -> &mut Self {
        bind(self, |functions, world| functions.add_query(name, IntoSystem::into_system(system), world))
    }

    fn behavior_input<C: Component, T: Blackboard>(
        &mut self,
        name: &str,
        read: impl Fn(&C) -> T + Send + Sync + 'static,
    ) -> &mut Self {
        bind(self, |functions, _| functions.add_variable::<T>(name, true));
        let schedule = self.world().resource::<TickSchedule>().0;
        self.add_systems(schedule, columns::input(name, read).in_set(BehaviorSystems::Input))
    }

    fn behavior_output<C: Component<Mutability = bevy_ecs::component::Mutable>, T: Blackboard>(
        &mut self,
        name: &str,
        write: impl Fn(T, &mut C) + Send + Sync + 'static,
    ) -> &mut Self {
        bind(self, |functions, _| functions.add_variable::<T>(name, false));
        let schedule = self.world().resource::<TickSchedule>().0;
        self.add_systems(schedule, columns::output(name, write).in_set(BehaviorSystems::Output))
    }
}

/// Adds to the functions and variables that an app's trees can name.
fn bind(app: &mut App, add: impl FnOnce(&mut Functions, &mut World)) -> &mut App {
    app.world_mut().resource_scope(|world, mut functions: Mut<'_, Functions>| add(&mut functions, world));
    app
}

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Compiles the code of the book's page about Bevy.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/first-bevy.md")]
struct FirstCrowd;
