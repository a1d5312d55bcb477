//! Preparation of a tick: links trees, lets entities join and leave, raises events.

use crate::agent::{Behavior, Departures, InCrowd, NoTree};
use crate::asset::{Trees, TreesError};
use crate::crowds::{Crowds, Herd, apart};
use crate::functions::Functions;
use crate::host::{Own, WorldHost};
use crate::messages::{Raise, TreesChanged, TreesFailed, TreesFailure};
use crate::time::Now;
use bevy_asset::{AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, AssetServer, Assets};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use pleach::state::{ReloadPolicy, ReloadReport};
use pleach::{EventTarget, Program};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Reaction to trees that cannot be run.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// [`TreesFailed`] is written, and an error is logged.
    #[default]
    Tell,
    /// The app panics.
    Panic,
}

type Waiting = QueryState<(Entity, &'static Behavior), (Without<InCrowd>, Without<NoTree>)>;
type Changed<'w, 's> =
    Query<'w, 's, (Entity, &'static Behavior, Option<&'static InCrowd>), bevy_ecs::query::Changed<Behavior>>;

/// State that is kept from frame to frame.
#[derive(Default)]
pub(crate) struct Memory {
    events: MessageCursor<AssetEvent<Trees>>,
    failures: MessageCursor<AssetLoadFailedEvent<Trees>>,
    /// Trees that could not be linked, with the reason.
    refused: HashMap<AssetId<Trees>, String>,
    /// Names of trees that entities asked for and that cannot be run.
    missing: HashSet<(AssetId<Trees>, Cow<'static, str>)>,
}

/// Prepares a tick.
pub(crate) fn prepare(
    world: &mut World,
    mut memory: Local<'_, Memory>,
    waiting: &mut Waiting,
    changed: &mut SystemState<Changed<'_, '_>>,
) {
    let now = world.resource::<Now>().0;
    apart(world, &mut |world, crowds, functions, own| {
        let mut step = Step { world, crowds, functions, own, memory: &mut memory, now };
        step.not_loaded();
        step.relink();
        step.leave();
        step.change(changed);
        // A change may have ended agents.
        step.leave();
        step.join(waiting);
        step.raise();
    });
}

struct Step<'a> {
    world: &'a mut World,
    crowds: &'a mut Crowds,
    functions: &'a mut Functions,
    own: Own<'a>,
    memory: &'a mut Memory,
    now: i64,
}

impl Step<'_> {
    /// Reports files that could not be loaded.
    fn not_loaded(&mut self) {
        let Some(failures) = self.world.get_resource::<Messages<AssetLoadFailedEvent<Trees>>>() else {
            return;
        };
        let failed = self.memory.failures.read(failures).map(|failed| TreesFailed {
            trees: failed.id,
            path: Some(failed.path.clone()),
            failure: TreesFailure::NotLoaded(reason(&failed.error)),
        });
        let failed: Vec<_> = failed.collect();
        failed.into_iter().for_each(|failed| self.tell(failed));
    }

    fn failed(&mut self, trees: AssetId<Trees>, failure: TreesFailure) {
        let path = self.world.get_resource::<AssetServer>().and_then(|server| server.get_path(trees));
        let path = path.map(|path| path.into_owned());
        self.tell(TreesFailed { trees, path, failure });
    }

    fn tell(&mut self, failed: TreesFailed) {
        if *self.world.resource::<OnFailure>() == OnFailure::Panic {
            panic!("{failed}");
        }
        log::error!("{failed}");
        self.world.write_message(failed);
    }

    /// Lets new builds of trees take over.
    fn relink(&mut self) {
        let Some(events) = self.world.get_resource::<Messages<AssetEvent<Trees>>>() else { return };
        let modified = self.memory.events.read(events).filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        });
        let modified: Vec<_> = modified.collect();
        for id in modified {
            self.memory.refused.remove(&id);
            self.memory.missing.retain(|(trees, _)| *trees != id);
            self.retry(id);
            let Some(crowd) = self.crowds.by_asset.get(&id).copied() else { continue };
            match self.reload(id, crowd) {
                Ok(report) => {
                    log::info!("trees were reloaded: {report}");
                    self.world.write_message(TreesChanged { trees: id, report });
                }
                Err(error) => self.failed(id, TreesFailure::NotReloaded(error)),
            }
        }
    }

    /// Removes [`NoTree`] from the entities of changed trees, so that they try again.
    fn retry(&mut self, id: AssetId<Trees>) {
        let mut refused = self.world.query_filtered::<(Entity, &Behavior), With<NoTree>>();
        let refused = refused.iter(self.world).filter(|(_, behavior)| behavior.trees.id() == id);
        let refused: Vec<_> = refused.map(|(entity, _)| entity).collect();
        for entity in refused {
            self.world.entity_mut(entity).remove::<NoTree>();
        }
    }

    fn reload(&mut self, id: AssetId<Trees>, crowd: u32) -> Result<ReloadReport, String> {
        let program = self.link(id)?.ok_or("they are not loaded")?;
        let Herd { crowd, entities } = &mut self.crowds.all[crowd as usize];
        let mut host = WorldHost {
            world: self.world,
            functions: self.functions,
            entities,
            own: self.own.as_deref_mut(),
        };
        crowd.reload(&program, ReloadPolicy::Places, self.now, &mut host).map_err(|error| error.to_string())
    }

    /// Links trees. Returns `None` if they are not loaded yet.
    fn link(&mut self, id: AssetId<Trees>) -> Result<Option<Program>, String> {
        let Some(trees) = self.world.resource::<Assets<Trees>>().get(id).cloned() else { return Ok(None) };
        let host = WorldHost {
            world: self.world,
            functions: self.functions,
            entities: &[],
            own: self.own.as_deref_mut(),
        };
        let program = Program::link(&trees.image, &host).map_err(|error| error.to_string())?;
        match self.functions.mismatch(&program) {
            Some(why) => Err(why),
            None => Ok(Some(program)),
        }
    }

    /// Returns the index of the trees' crowd, which is created if necessary. Returns `None` if the
    /// trees are not loaded yet.
    fn crowd(&mut self, id: AssetId<Trees>) -> Result<Option<u32>, String> {
        if let Some(crowd) = self.crowds.by_asset.get(&id) {
            return Ok(Some(*crowd));
        }
        if let Some(why) = self.memory.refused.get(&id) {
            return Err(why.clone());
        }
        match self.link(id) {
            Ok(None) => Ok(None),
            Ok(Some(program)) => {
                let crowd = self.crowds.all.len() as u32;
                self.crowds.all.push(Herd::new(&program));
                self.crowds.by_asset.insert(id, crowd);
                self.world.write_message(TreesChanged { trees: id, report: ReloadReport::default() });
                Ok(Some(crowd))
            }
            Err(why) => {
                self.failed(id, TreesFailure::NotLinked(why.clone()));
                self.memory.refused.insert(id, why.clone());
                Err(why)
            }
        }
    }

    /// Despawns agents whose entities have left.
    fn leave(&mut self) {
        for (crowd, agent) in std::mem::take(&mut self.world.resource_mut::<Departures>().0) {
            let Some(Herd { crowd, entities }) = self.crowds.all.get_mut(crowd as usize) else { continue };
            let mut host = WorldHost {
                world: self.world,
                functions: self.functions,
                entities,
                own: self.own.as_deref_mut(),
            };
            // An agent that no longer exists needs no end.
            let _ = crowd.despawn(agent, self.now, &mut host);
        }
    }

    /// Switches entities to the trees that their changed behaviors name.
    fn change(&mut self, changed: &mut SystemState<Changed<'_, '_>>) {
        let Ok(query) = changed.get(self.world) else { return };
        let others = query.iter().filter(|(_, behavior, of)| of.is_none_or(|of| !self.is_run(behavior, of)));
        let others: Vec<_> =
            others.map(|(entity, behavior, of)| (entity, behavior.clone(), of.cloned())).collect();
        for (entity, Behavior { trees, tree }, of) in others {
            let mut at = self.world.entity_mut(entity);
            at.remove::<NoTree>();
            let Some(of) = of else { continue };
            if self.crowds.by_asset.get(&trees.id()) != Some(&of.crowd) {
                at.remove::<InCrowd>();
                continue;
            }
            let Herd { crowd, entities } = &mut self.crowds.all[of.crowd as usize];
            let mut host = WorldHost {
                world: self.world,
                functions: self.functions,
                entities,
                own: self.own.as_deref_mut(),
            };
            match crowd.switch(of.agent, &tree, self.now, &mut host) {
                Ok(()) => {
                    self.world.entity_mut(entity).insert(InCrowd { tree, ..of });
                }
                Err(error) => {
                    self.world.entity_mut(entity).remove::<InCrowd>();
                    self.no_tree(entity, trees.id(), tree, error.to_string());
                }
            }
        }
    }

    fn is_run(&self, behavior: &Behavior, of: &InCrowd) -> bool {
        behavior.tree == of.tree && self.crowds.by_asset.get(&behavior.trees.id()) == Some(&of.crowd)
    }

    /// Makes agents of entities that wait for their trees.
    fn join(&mut self, waiting: &mut Waiting) {
        let all: Vec<_> = waiting.iter(self.world).map(|(entity, it)| (entity, it.clone())).collect();
        for (entity, Behavior { trees, tree }) in all {
            match self.crowd(trees.id()) {
                Ok(None) => {}
                Ok(Some(crowd)) => self.spawn(entity, trees.id(), crowd, tree),
                Err(why) => self.refuse(entity, why),
            }
        }
    }

    fn spawn(&mut self, entity: Entity, trees: AssetId<Trees>, crowd: u32, tree: Cow<'static, str>) {
        let herd = &mut self.crowds.all[crowd as usize];
        match herd.crowd.spawn(&tree) {
            Ok(agent) => {
                let index = agent.index();
                if herd.entities.len() <= index {
                    herd.entities.resize(index + 1, Entity::PLACEHOLDER);
                }
                herd.entities[index] = entity;
                self.world.entity_mut(entity).insert(InCrowd { crowd, agent, tree });
            }
            Err(error) => self.no_tree(entity, trees, tree, error.to_string()),
        }
    }

    /// Refuses an entity whose tree cannot be run. Reports the first such entity of each tree.
    fn no_tree(&mut self, entity: Entity, trees: AssetId<Trees>, tree: Cow<'static, str>, error: String) {
        if self.memory.missing.insert((trees, tree.clone())) {
            self.failed(trees, TreesFailure::NoTree { tree, error: error.clone() });
        }
        self.refuse(entity, error);
    }

    fn refuse(&mut self, entity: Entity, why: String) {
        self.world.entity_mut(entity).insert(NoTree(why));
    }

    /// Raises events.
    fn raise(&mut self) {
        let raised: Vec<_> = self.world.resource_mut::<Messages<Raise>>().drain().collect();
        for Raise { event, to } in raised {
            let known = match to {
                Some(entity) => {
                    let Some(of) = self.world.get::<InCrowd>(entity) else { continue };
                    let (crowd, agent) = (of.crowd, of.agent);
                    self.happen(crowd as usize, &event, EventTarget::Agent(agent))
                }
                None => {
                    (0..self.crowds.all.len())
                        .filter(|crowd| self.happen(*crowd, &event, EventTarget::All))
                        .count()
                        > 0
                }
            };
            if !known {
                log::warn!("no tree knows of the event `{event}`");
            }
        }
    }

    /// Raises an event in a crowd. Returns true if its trees declare the event.
    fn happen(&mut self, crowd: usize, event: &str, to: EventTarget) -> bool {
        let Herd { crowd, entities } = &mut self.crowds.all[crowd];
        let Some(event) = crowd.program().event(event) else { return false };
        let mut host = WorldHost {
            world: self.world,
            functions: self.functions,
            entities,
            own: self.own.as_deref_mut(),
        };
        crowd.raise(event, to, self.now, &mut host).is_ok()
    }
}

/// Returns the reason why trees were not loaded, without the backtrace that Bevy adds to errors of
/// loaders.
fn reason(error: &AssetLoadError) -> String {
    let own = match error {
        AssetLoadError::AssetLoaderError(error) => error.error().downcast_ref::<TreesError>(),
        _ => None,
    };
    own.map_or_else(|| error.to_string(), ToString::to_string)
}
