//! Components as columns of variables, and back.
//!
//! Values are taken from components in the order in which the world has them, put where their agents stand, and then copied chunk by
//! chunk; so the world is walked through as it lies in memory, and the columns are written as a whole.

use crate::agent::InCrowd;
use crate::crowds::{Crowds, Herd};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::system::ScheduleSystem;
use pleach::{Agent, Crowd, Variable};

/// Lanes of a chunk.
const LANES: usize = 256;
const WORDS: usize = LANES / 64;

/// A type that variables have: `bool`, `i8`, `u8`, `i16`, `u16`, `i32` or `f32`.
pub trait Blackboard: pleach::values::VariableValue + Default + PartialEq + Send + Sync + 'static {
    /// Sets the variables of some agents of a chunk: `who` has their lanes, as bits.
    #[doc(hidden)]
    fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], who: [u64; WORDS]);

    /// The values of a chunk's agents, with their lanes.
    #[doc(hidden)]
    fn load(crowd: &Crowd, chunk: usize, variable: Variable, each: impl FnMut(usize, Agent, Self));
}

/// The lanes of bits, from the first on.
fn lanes(who: [u64; WORDS]) -> impl Iterator<Item = usize> {
    who.into_iter().enumerate().flat_map(|(word, mut bits)| {
        core::iter::from_fn(move || {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (lane < 64).then_some(word * 64 + lane)
        })
    })
}

macro_rules! numbers {
    ($($ty:ty)*) => {
        $(
            impl Blackboard for $ty {
                fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], who: [u64; WORDS]) {
                    let Ok(column) = crowd.column_mut::<Self>(chunk, variable) else { return };
                    if who == [u64::MAX; WORDS] {
                        column.copy_from_slice(values);
                    } else {
                        lanes(who).for_each(|lane| column[lane] = values[lane]);
                    }
                }

                fn load(
                    crowd: &Crowd,
                    chunk: usize,
                    variable: Variable,
                    mut each: impl FnMut(usize, Agent, Self),
                ) {
                    let Ok(column) = crowd.column::<Self>(chunk, variable) else { return };
                    crowd.agents_of(chunk).for_each(|(lane, agent)| each(lane, agent, column[lane]));
                }
            }
        )*
    };
}

numbers!(i8 u8 i16 u16 i32 f32);

/// Trees can ask whether truths have changed. So only those that have are written.
impl Blackboard for bool {
    fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], mut who: [u64; WORDS]) {
        let Ok(bits) = crowd.bits(chunk, variable) else { return };
        for (word, who) in who.iter_mut().enumerate() {
            let values = values[word * 64..][..64].iter().enumerate();
            *who &= bits[word] ^ values.fold(0, |bits, (lane, value)| bits | u64::from(*value) << lane);
        }
        if who == [0; WORDS] {
            return;
        }
        let others = crowd.agents_of(chunk).filter(|(lane, _)| who[lane / 64] >> (lane % 64) & 1 != 0);
        let others: Vec<_> = others.collect();
        for (lane, agent) in others {
            // The variable is one of these agents, and a truth.
            let _ = crowd.set(agent, variable, values[lane]);
        }
    }

    fn load(crowd: &Crowd, chunk: usize, variable: Variable, mut each: impl FnMut(usize, Agent, Self)) {
        let Ok(bits) = crowd.bits(chunk, variable) else { return };
        let value = |lane: usize| bits[lane / 64] >> (lane % 64) & 1 != 0;
        crowd.agents_of(chunk).for_each(|(lane, agent)| each(lane, agent, value(lane)));
    }
}

/// Values of a crowd's agents, where these stand, and who has one.
struct Values<T> {
    values: Vec<T>,
    who: Vec<[u64; WORDS]>,
    /// By index of agent, where it stands.
    places: Vec<u32>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: Vec::new(), who: Vec::new(), places: Vec::new() }
    }
}

impl<T: Blackboard> Values<T> {
    /// Begins anew for a crowd.
    fn begin(&mut self, crowd: &Crowd, agents: usize) {
        let chunks = crowd.chunks();
        self.values.resize(chunks * LANES, T::default());
        self.who.clear();
        self.who.resize(chunks, [0; WORDS]);
        self.places.resize(agents, 0);
        for chunk in 0..chunks {
            for (lane, agent) in crowd.agents_of(chunk) {
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
            self.who[place / LANES][place % LANES / 64] |= 1 << (place % 64);
        }
    }

    fn store(&self, crowd: &mut Crowd, variable: Variable) {
        for (chunk, who) in self.who.iter().enumerate() {
            T::store(crowd, chunk, variable, &self.values[chunk * LANES..][..LANES], *who);
        }
    }
}

/// A system that sets a variable to what components say.
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

/// What a variable was when it was last looked at, and whose.
type Last<T> = Vec<Option<(Agent, T)>>;

/// A system that sets components to what a variable has become.
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
            last.resize(crowd.chunks() * LANES, None);
            for chunk in 0..crowd.chunks() {
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
