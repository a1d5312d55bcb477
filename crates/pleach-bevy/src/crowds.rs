//! The crowds of an app, one for each asset with trees, and their tick.

use crate::agent::{InCrowd, entity};
use crate::asset::Trees;
use crate::functions::Functions;
use crate::host::{Own, OwnHost, WorldHost};
use crate::messages::AgentFault;
use crate::time::Now;
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use pleach::{Crowd, Outcome, Program, Tally};
use std::collections::HashMap;

/// Crowds of an app, for saving and restoring states, setting tick intervals, and reading and
/// setting shared variables.
///
/// During a tick the resource is not in the world. Actions and queries get their agents as input.
#[derive(Resource, Debug, Default)]
pub struct Crowds {
    pub(crate) all: Vec<Herd>,
    pub(crate) by_asset: HashMap<AssetId<Trees>, u32>,
    tally: Tally,
}

/// Crowd with the entities of its agents.
#[derive(Debug)]
pub(crate) struct Herd {
    pub(crate) crowd: Crowd,
    /// Entity of each agent, by the agent's index.
    pub(crate) entities: Vec<Entity>,
}

impl Herd {
    pub(crate) fn new(program: &Program) -> Self {
        Self { crowd: Crowd::new(program), entities: Vec::new() }
    }
}

impl Crowds {
    /// Returns the crowd of an entity.
    #[must_use]
    pub fn of(&self, of: &InCrowd) -> Option<&Crowd> {
        self.all.get(of.crowd as usize).map(|herd| &herd.crowd)
    }

    /// Returns the crowd of an entity, to be changed.
    ///
    /// Do not spawn, despawn or switch agents here: the plugin does so by
    /// [`Behavior`](crate::Behavior).
    pub fn of_mut(&mut self, of: &InCrowd) -> Option<&mut Crowd> {
        self.all.get_mut(of.crowd as usize).map(|herd| &mut herd.crowd)
    }

    /// Returns the crowd that runs these trees.
    #[must_use]
    pub fn get(&self, trees: impl Into<AssetId<Trees>>) -> Option<&Crowd> {
        self.all.get(*self.by_asset.get(&trees.into())? as usize).map(|herd| &herd.crowd)
    }

    /// Returns the crowd that runs these trees, to be changed. See [`Crowds::of_mut`].
    pub fn get_mut(&mut self, trees: impl Into<AssetId<Trees>>) -> Option<&mut Crowd> {
        self.all.get_mut(*self.by_asset.get(&trees.into())? as usize).map(|herd| &mut herd.crowd)
    }

    /// Returns the outcome of an entity's last tick; `None` before its first tick.
    #[must_use]
    pub fn outcome(&self, of: &InCrowd) -> Option<Outcome> {
        self.of(of)?.outcome(of.agent).ok()?
    }

    /// Returns the sum of the last ticks of all crowds.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

/// Ticks all crowds.
pub(crate) fn tick(world: &mut World) {
    let now = world.resource::<Now>().0;
    apart(world, &mut |world, crowds, functions, mut own| {
        crowds.tally = Tally::default();
        for Herd { crowd, entities } in &mut crowds.all {
            let own = own.as_deref_mut();
            let tally = crowd.tick(now, &mut WorldHost { world, functions, entities, own });
            if tally.faults > 0 {
                world.write_message_batch(faults(crowd, entities));
            }
            crowds.tally += tally;
        }
    });
}

/// Work with a world, its crowds, the functions of their trees, and the game's own host.
type Work<'w> = dyn FnMut(&mut World, &mut Crowds, &mut Functions, Own<'_>) + 'w;

/// Runs work while the crowds, the functions and the game's own host are taken out of the world.
pub(crate) fn apart(world: &mut World, run: &mut Work<'_>) {
    let OwnHost(apart) = *world.resource::<OwnHost>();
    world.resource_scope(|world, mut crowds: Mut<'_, Crowds>| {
        world.resource_scope(|world, mut functions: Mut<'_, Functions>| {
            apart(world, &mut |world, own| run(world, &mut crowds, &mut functions, own));
        });
    });
}

fn faults(crowd: &Crowd, entities: &[Entity]) -> Vec<AgentFault> {
    let fault = |agent| match crowd.outcome(agent) {
        Ok(Some(Outcome::Fault(fault))) => Some(AgentFault { entity: entity(entities, agent), fault }),
        _ => None,
    };
    crowd.agents().filter_map(fault).collect()
}
