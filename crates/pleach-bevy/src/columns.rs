//! Systems that copy components to columns of variables, and back.
//!
//! Values are read from components in the order of the world, stored by the lanes of their agents,
//! and copied chunk by chunk. So both the components and the columns are accessed in the order of
//! memory.

use crate::agent::InCrowd;
use crate::blackboard::{Blackboard, LANES, WORDS};
use crate::crowds::{Crowds, Herd};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::system::ScheduleSystem;
use pleach::{Agent, Crowd, Variable};

/// Values for the agents of a crowd, chunk by chunk.
struct Values<T> {
    values: Vec<T>,
    /// For each chunk, the lanes that have a value.
    masks: Vec<[u64; WORDS]>,
    /// Position of each agent's value, by the index of the agent: its lane, counted from the first
    /// chunk on.
    places: Vec<u32>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: Vec::new(), masks: Vec::new(), places: Vec::new() }
    }
}

impl<T: Blackboard> Values<T> {
    /// Clears all values and finds the lanes of a crowd's agents.
    fn begin(&mut self, crowd: &Crowd, agents: usize) {
        let chunks = crowd.columns().chunks();
        self.values.resize(chunks * LANES, T::default());
        self.masks.clear();
        self.masks.resize(chunks, [0; WORDS]);
        self.places.resize(agents, 0);
        for chunk in 0..chunks {
            for (lane, agent) in crowd.columns().agents_of(chunk) {
                if let Some(place) = self.places.get_mut(agent.index()) {
                    *place = (chunk * LANES + lane) as u32;
                }
            }
        }
    }

    fn put(&mut self, agent: Agent, value: T) {
        let Some(place) = self.places.get(agent.index()).map(|place| *place as usize) else { return };
        if let Some(at) = self.values.get_mut(place) {
            *at = value;
            self.masks[place / LANES][place % LANES / 64] |= 1 << (place % 64);
        }
    }

    fn store(&self, crowd: &mut Crowd, variable: Variable) {
        for (chunk, mask) in self.masks.iter().enumerate() {
            T::store(crowd, chunk, variable, &self.values[chunk * LANES..][..LANES], *mask);
        }
    }
}

/// Makes a system that sets a variable from components.
pub(crate) fn input<C: Component, T: Blackboard>(
    name: &str,
    read: impl Fn(&C) -> T + Send + Sync + 'static,
) -> ScheduleSystem {
    let (name, mut values) = (name.to_owned(), Values::<T>::default());
    let system = move |components: Query<'_, '_, (&C, &InCrowd)>, mut crowds: ResMut<'_, Crowds>| {
        for (index, Herd { crowd, entities }) in crowds.all.iter_mut().enumerate() {
            let Some(variable) = crowd.program().variable(&name) else { continue };
            values.begin(crowd, entities.len());
            for (component, of) in &components {
                if of.crowd as usize == index {
                    values.put(of.agent, read(component));
                }
            }
            values.store(crowd, variable);
        }
    };
    Box::new(IntoSystem::into_system(system))
}

/// Agent and value in each lane when a variable was last read.
type Last<T> = Vec<Option<(Agent, T)>>;

/// Makes a system that sets components from a variable if its value differs from the last one.
pub(crate) fn output<C: Component<Mutability = Mutable>, T: Blackboard>(
    name: &str,
    write: impl Fn(T, &mut C) + Send + Sync + 'static,
) -> ScheduleSystem {
    let name = name.to_owned();
    let mut last: Vec<Last<T>> = Vec::new();
    let system = move |mut components: Query<'_, '_, &mut C>, crowds: Res<'_, Crowds>| {
        last.resize_with(crowds.all.len(), Vec::new);
        for (Herd { crowd, entities }, last) in crowds.all.iter().zip(&mut last) {
            let Some(variable) = crowd.program().variable(&name) else { continue };
            last.resize(crowd.columns().chunks() * LANES, None);
            for chunk in 0..crowd.columns().chunks() {
                let last = &mut last[chunk * LANES..][..LANES];
                T::load(crowd, chunk, variable, |lane, agent, value| {
                    let is = Some((agent, value));
                    if last[lane] != is {
                        last[lane] = is;
                        let entity = entities.get(agent.index());
                        if let Some(mut component) = entity.and_then(|it| components.get_mut(*it).ok()) {
                            write(value, &mut component);
                        }
                    }
                });
            }
        }
    };
    Box::new(IntoSystem::into_system(system))
}
