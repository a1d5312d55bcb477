//! Entities as agents of crowds.

use crate::asset::Trees;
use bevy_asset::Handle;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use pleach::Agent;
use std::borrow::Cow;

/// Choice of the tree that an entity runs.
///
/// When the trees are loaded, the entity becomes an agent of their crowd ([`InCrowd`]). If `tree`
/// changes, the agent keeps its variables and begins the new tree. If `trees` changes, the entity
/// begins as a new agent. If the component is removed, the agent ends, and running actions are
/// halted.
#[derive(Component, Clone, Debug)]
#[component(on_remove = leave)]
pub struct Behavior {
    /// The trees of one file.
    pub trees: Handle<Trees>,
    /// Name of the tree.
    pub tree: Cow<'static, str>,
}

impl Behavior {
    /// Creates a choice of the tree with this name.
    #[must_use]
    pub fn new(trees: &Handle<Trees>, tree: impl Into<Cow<'static, str>>) -> Self {
        Self { trees: trees.clone(), tree: tree.into() }
    }
}

/// Place of an entity that is an agent. [`Crowds`](crate::Crowds) has its crowd.
#[derive(Component, Clone, Debug)]
#[component(immutable, on_remove = note_departure)]
pub struct InCrowd {
    pub(crate) crowd: u32,
    pub(crate) agent: Agent,
    pub(crate) tree: Cow<'static, str>,
}

impl InCrowd {
    /// Returns the handle of the agent in its crowd.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Returns the name of the tree that the entity runs.
    #[must_use]
    pub fn tree(&self) -> &str {
        &self.tree
    }
}

/// Reason why an entity does not run the tree of its [`Behavior`].
///
/// The plugin removes the component and tries again when the behavior or its trees change.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct NoTree(pub String);

/// Agents whose entities have left, each with the index of its crowd.
#[derive(Resource, Default)]
pub(crate) struct Departures(pub(crate) Vec<(u32, Agent)>);

/// Returns the entity of an agent, by a table from an agent's index to its entity.
pub(crate) fn entity(entities: &[Entity], agent: Agent) -> Entity {
    entities.get(agent.index()).copied().unwrap_or(Entity::PLACEHOLDER)
}

fn leave(mut world: DeferredWorld<'_>, context: HookContext) {
    world.commands().entity(context.entity).try_remove::<(InCrowd, NoTree)>();
}

/// Records the agent, which is despawned before the next tick: its crowd may be in a tick now.
fn note_departure(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(of) = world.get::<InCrowd>(context.entity) else { return };
    let place = (of.crowd, of.agent);
    if let Some(mut departures) = world.get_resource_mut::<Departures>() {
        departures.0.push(place);
    }
}
