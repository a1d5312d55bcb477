//! Types of variables that components can be bound to.

use pleach::{Agent, Crowd, EntityId, TextId, Variable};

/// Number of lanes of a chunk.
pub(crate) const LANES: usize = 256;
/// Number of words of a mask with a bit for each lane of a chunk.
pub(crate) const WORDS: usize = LANES / 64;

/// Type of variables: `bool`, `i8`, `u8`, `i16`, `u16`, `i32`, `f32`, `i64`, `f64`, `EntityId` or
/// `TextId`.
pub trait Blackboard: pleach::values::VariableValue + Default + PartialEq + Send + Sync + 'static {
    /// Sets a variable in some lanes of a chunk. Each set bit of `mask` stands for a lane.
    #[doc(hidden)]
    fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], mask: [u64; WORDS]);

    /// Calls `each` with the lane, the agent and the value of a variable, for all agents of a
    /// chunk.
    #[doc(hidden)]
    fn load(crowd: &Crowd, chunk: usize, variable: Variable, each: impl FnMut(usize, Agent, Self));
}

/// Lists the lanes of a mask in ascending order.
fn lanes(mask: [u64; WORDS]) -> impl Iterator<Item = usize> {
    mask.into_iter().enumerate().flat_map(|(word, mut bits)| {
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
                fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], mask: [u64; WORDS]) {
                    let Ok(column) = crowd.columns_mut().column::<Self>(chunk, variable) else { return };
                    if mask == [u64::MAX; WORDS] {
                        column.copy_from_slice(values);
                    } else {
                        lanes(mask).for_each(|lane| column[lane] = values[lane]);
                    }
                }

                fn load(
                    crowd: &Crowd,
                    chunk: usize,
                    variable: Variable,
                    mut each: impl FnMut(usize, Agent, Self),
                ) {
                    let Ok(column) = crowd.columns().column::<Self>(chunk, variable) else { return };
                    crowd.columns().agents_of(chunk).for_each(|(lane, agent)| each(lane, agent, column[lane]));
                }
            }
        )*
    };
}

numbers!(i8 u8 i16 u16 i32 f32 i64 f64 EntityId TextId);

/// Writes only the lanes whose value differs, because trees can react to a change of a `bool`.
impl Blackboard for bool {
    fn store(crowd: &mut Crowd, chunk: usize, variable: Variable, values: &[Self], mut mask: [u64; WORDS]) {
        let Ok(bits) = crowd.columns().bits(chunk, variable) else { return };
        for (word, mask) in mask.iter_mut().enumerate() {
            let values = values[word * 64..][..64].iter().enumerate();
            *mask &= bits[word] ^ values.fold(0, |bits, (lane, value)| bits | u64::from(*value) << lane);
        }
        if mask == [0; WORDS] {
            return;
        }
        let others =
            crowd.columns().agents_of(chunk).filter(|(lane, _)| mask[lane / 64] >> (lane % 64) & 1 != 0);
        let others: Vec<_> = others.collect();
        for (lane, agent) in others {
            // Setting cannot fail: the variable is a `bool` of these agents.
            let _ = crowd.set(agent, variable, values[lane]);
        }
    }

    fn load(crowd: &Crowd, chunk: usize, variable: Variable, mut each: impl FnMut(usize, Agent, Self)) {
        let Ok(bits) = crowd.columns().bits(chunk, variable) else { return };
        let value = |lane: usize| bits[lane / 64] >> (lane % 64) & 1 != 0;
        crowd.columns().agents_of(chunk).for_each(|(lane, agent)| each(lane, agent, value(lane)));
    }
}
