//! A world as the host of trees.
//!
//! Functions that are bound by name come first. All other names go to the game's own host, if there
//! is one, which is called directly.

use crate::agent::entity;
use crate::functions::{Act, Answer, Ask, Does, Functions};
use crate::messages::{ActionHalted, TreeLog};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use pleach::host::{Effect, LogKind, RunawayTick};
use pleach::values::Type;
use pleach::{Agent, Batch, Call, Function, Halt, Host, Status};

/// Smallest number of a function of the game's own host.
const OWN: u32 = 1 << 31;

/// Host of the game, if it has one.
pub(crate) type Own<'a> = Option<&'a mut (dyn Host + 'static)>;

/// Function that runs work while the game's own host, if there is one, is taken out of the world.
pub(crate) type Apart = fn(&mut World, &mut dyn FnMut(&mut World, Own<'_>));

/// Access to the game's own host.
#[derive(Resource, Clone, Copy)]
pub(crate) struct OwnHost(pub(crate) Apart);

impl Default for OwnHost {
    fn default() -> Self {
        Self(|world, run| run(world, None))
    }
}

impl OwnHost {
    /// Takes the host from a resource.
    pub(crate) fn resource<H: Host + Resource<Mutability = Mutable>>() -> Self {
        Self(|world, run| world.resource_scope(|world, mut host: Mut<'_, H>| run(world, Some(&mut *host))))
    }
}

/// World with the functions that its trees can name.
pub(crate) struct WorldHost<'w> {
    pub(crate) world: &'w mut World,
    pub(crate) functions: &'w mut Functions,
    /// Entity of each agent, by the agent's index.
    pub(crate) entities: &'w [Entity],
    pub(crate) own: Own<'w>,
}

impl WorldHost<'_> {
    /// Returns the game's own host and its number for a function, if the function belongs to that
    /// host.
    fn own(&mut self, function: u32) -> Option<(&mut (dyn Host + 'static), u32)> {
        let number = function.checked_sub(OWN)?;
        Some((&mut **self.own.as_mut()?, number))
    }
}

impl Host for WorldHost<'_> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.functions.number(function, name).or_else(|| {
            let number = self.own.as_ref()?.resolve(function, name)?;
            (number < OWN).then_some(number | OWN)
        })
    }

    fn names(&self, function: Function) -> Vec<String> {
        let own = self.own.as_ref().map(|own| own.names(function)).unwrap_or_default();
        self.functions.names(function).into_iter().chain(own).collect()
    }

    fn effect(&self, kind: Function, function: u32) -> Effect {
        let own = self.own.as_ref().zip(function.checked_sub(OWN));
        own.map_or(Effect::Own, |(own, function)| own.effect(kind, function))
    }

    fn knows(&mut self, kind: Function, function: u32, agent: Agent) -> bool {
        self.own(function).is_none_or(|(own, function)| own.knows(kind, function, agent))
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        if let Some(own) = &mut self.own {
            own.ran_away(run);
        }
    }

    fn column(&self, query: u32) -> Option<Type> {
        if let Some((own, query)) = self.own.as_ref().zip(query.checked_sub(OWN)) {
            return own.column(query);
        }
        match self.functions.queries.get(query as usize)? {
            Answer::Column(ty) => Some(*ty),
            Answer::System(_) => None,
        }
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if let Some((own, number)) = self.own(call.function) {
            call.function = number;
            return own.act(call);
        }
        let mut out = [Status::Failure];
        call.alone(|batch| self.act_all(batch, &mut out));
        let [status] = out;
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        if let Some((own, number)) = self.own(call.function) {
            call.function = number;
            return own.query(call);
        }
        let mut out = [0.0];
        call.alone(|batch| self.query_all(batch, &mut out));
        let [answer] = out;
        answer
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        if let Some((own, number)) = self.own(call.function) {
            call.function = number;
            return own.halt(call, reason);
        }
        let Some((action, _)) = self.functions.actions.get(call.function as usize) else { return };
        let entity = entity(self.entities, call.agent);
        self.world.write_message(ActionHalted { entity, action: action.clone(), reason });
    }

    fn log(&mut self, agent: Agent, _: u32, kind: LogKind, text: &[u8]) {
        let text = String::from_utf8_lossy(text).into_owned();
        self.world.write_message(TreeLog { entity: entity(self.entities, agent), kind, text });
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if let Some((own, number)) = self.own(batch.function) {
            batch.function = number;
            return own.act_all(batch, out);
        }
        let Some((_, does)) = self.functions.actions.get_mut(batch.function as usize) else { return };
        match does {
            Does::System(system) => {
                let act = Act { batch: &mut batch.reborrow(), out, entities: self.entities };
                system.run(act, self.world);
            }
            Does::Function(function) => function(batch, out),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        if let Some((own, number)) = self.own(batch.function) {
            batch.function = number;
            return own.query_all(batch, out);
        }
        if let Some(Answer::System(system)) = self.functions.queries.get_mut(batch.function as usize) {
            let ask = Ask { batch: &mut batch.reborrow(), out, entities: self.entities };
            system.run(ask, self.world);
        }
    }
}
