//! Entities as agents of crowds.

use crate::asset::Trees;
use crate::prepare::Gone;
use bevy_asset::Handle;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use pleach::Agent;
use std::borrow::Cow;

/// Which tree an entity runs. When the trees are loaded, it becomes an agent of their crowd ([`InCrowd`]). Another tree of the same
/// trees lets it begin that one, with its variables as they are; other trees let it begin as new; without the component it stops,
/// and running actions are halted.
#[derive(Component, Clone, Debug)]
#[component(on_remove = leave)]
pub struct Behavior {
    /// The trees.
    pub trees: Handle<Trees>,
    /// Which of them, by its name.
    pub tree: Cow<'static, str>,
}

impl Behavior {
    /// Runs the tree of this name.
    #[must_use]
    pub fn new(trees: &Handle<Trees>, tree: impl Into<Cow<'static, str>>) -> Self {
        Self { trees: trees.clone(), tree: tree.into() }
    }
}

/// An entity that is an agent. [`Crowds`](crate::Crowds) has its crowd.
#[derive(Component, Clone, Debug)]
#[component(immutable, on_remove = gone)]
pub struct InCrowd {
    pub(crate) crowd: u32,
    pub(crate) agent: Agent,
    pub(crate) tree: Cow<'static, str>,
}

impl InCrowd {
    /// Which agent of its crowd it is.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// The tree that it runs.
    #[must_use]
    pub fn tree(&self) -> &str {
        &self.tree
    }
}

/// An entity whose [`Behavior`] cannot be, and why. It is tried again when the behavior or its trees change.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct NoTree(pub String);

fn leave(mut world: DeferredWorld<'_>, context: HookContext) {
    world.commands().entity(context.entity).try_remove::<(InCrowd, NoTree)>();
}

/// The agent stays until the crowd is not being ticked.
fn gone(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(of) = world.get::<InCrowd>(context.entity) else { return };
    let place = (of.crowd, of.agent);
    if let Some(mut gone) = world.get_resource_mut::<Gone>() {
        gone.0.push(place);
    }
}
