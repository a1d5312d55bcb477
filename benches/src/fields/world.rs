//! The world of the agents with fields: the changes between frames.
//!
//! One 32-bit hash for each agent and frame decides which fields are rolled anew, and two more are
//! made of it for what they become. A field keeps its value for four frames on average (a truth for
//! eight), so agents diverge soon and stay apart. What is rolled is a small whole number; a system
//! stores it as the field's type wants it.

use pleach_image::splitmix::GAMMA;

/// A field of an agent that the world changes.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name of the field in the text of trees.
    pub name: &'static str,
    /// Type of the field.
    pub kind: Kind,
    /// Draw from a hash. The field changes if it is zero.
    chance: Draw,
    /// New value of the field.
    value: Draw,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A 32-bit float.
    Float,
    /// A 32-bit integer.
    Int,
    /// A boolean.
    Bool,
}

/// A number from 0 to below `range`, from the bits of a hash above `shift`.
#[derive(Clone, Copy, Debug)]
struct Draw {
    hash: usize,
    shift: u32,
    range: u32,
}

impl Draw {
    #[inline(always)]
    fn of(self, hashes: [u32; 3]) -> u32 {
        (hashes[self.hash] >> self.shift) % self.range
    }
}

const fn draw(hash: usize, shift: u32, range: u32) -> Draw {
    Draw { hash, shift, range }
}

const fn field(name: &'static str, kind: Kind, chance: Draw, value: Draw) -> Field {
    Field { name, kind, chance, value }
}

/// Fields that a guard senses.
pub const GUARD: &[Field] = &[
    field("health", Kind::Float, draw(0, 0, 4), draw(0, 8, 101)),
    field("dist", Kind::Float, draw(0, 2, 4), draw(0, 12, 64)),
    field("noise", Kind::Float, draw(0, 4, 4), draw(0, 16, 101)),
    field("fatigue", Kind::Float, draw(1, 0, 4), draw(1, 8, 101)),
    field("stamina", Kind::Float, draw(1, 2, 4), draw(1, 12, 101)),
    field("ammo", Kind::Int, draw(1, 4, 4), draw(1, 16, 8)),
    field("visible", Kind::Bool, draw(0, 6, 8), draw(0, 20, 2)),
];

/// Four floats and four integers, as an agent of the other trees has.
pub const GRID: &[Field] = &[
    field("f0", Kind::Float, draw(0, 0, 4), draw(1, 0, 256)),
    field("f1", Kind::Float, draw(0, 2, 4), draw(1, 8, 256)),
    field("f2", Kind::Float, draw(0, 4, 4), draw(1, 16, 256)),
    field("f3", Kind::Float, draw(0, 6, 4), draw(1, 24, 256)),
    field("i0", Kind::Int, draw(0, 8, 4), draw(2, 0, 256)),
    field("i1", Kind::Int, draw(0, 10, 4), draw(2, 8, 256)),
    field("i2", Kind::Int, draw(0, 12, 4), draw(2, 16, 256)),
    field("i3", Kind::Int, draw(0, 14, 4), draw(2, 24, 256)),
];

/// World that is the same for all systems.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// The fields of an agent.
    pub fields: &'static [Field],
    /// Bits of a hash that are zero in frames in which an agent's fields change.
    calm: u32,
}

impl World {
    /// Returns a world in which an agent's fields change in one of `period` frames
    /// only: 1, or another power of two.
    ///
    /// # Panics
    /// If the period is no power of two.
    #[must_use]
    pub fn new(fields: &'static [Field], period: u32) -> Self {
        assert!(period.is_power_of_two(), "bits of a hash decide");
        Self { fields, calm: period - 1 }
    }

    /// Calls `set` with each field of an agent that changes in a frame, by index, and with its new
    /// value. In frame 0 all fields change.
    #[inline(always)]
    pub fn roll(&self, agent: usize, frame: u32, mut set: impl FnMut(usize, u32)) {
        let first = frame == 0;
        let hash = hash(agent as u32, frame);
        if !first && mix(hash ^ 0x0123_4567) & self.calm != 0 {
            return;
        }
        let hashes = [hash, mix(hash ^ 0xa5a5_a5a5), mix(hash ^ 0x5a5a_5a5a)];
        for (index, field) in self.fields.iter().enumerate() {
            if first || field.chance.of(hashes) == 0 {
                set(index, field.value.of(hashes));
            }
        }
    }
}

#[inline(always)]
fn hash(agent: u32, frame: u32) -> u32 {
    mix(agent.wrapping_mul((GAMMA >> 32) as u32) ^ frame.wrapping_mul(0x85eb_ca6b).wrapping_add(1))
}

/// Returns the finalizer of MurmurHash3.
#[inline(always)]
fn mix(mut bits: u32) -> u32 {
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x85eb_ca6b);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0xc2b2_ae35);
    bits ^ bits >> 16
}

#[cfg(test)]
mod tests {
    use super::{GRID, GUARD, World};

    /// Returns the number of changes of each field in 100,000 frames of an agent, without the first
    /// frame.
    fn changes(world: World) -> Vec<u32> {
        let mut changes = vec![0; world.fields.len()];
        (1..100_000).for_each(|frame| world.roll(7, frame, |field, _| changes[field] += 1));
        changes
    }

    #[test]
    fn fields_change_as_often_as_is_said() {
        for change in changes(World::new(GRID, 1)) {
            assert!((24_000..26_000).contains(&change), "{change}");
        }
        let changes = changes(World::new(GUARD, 1));
        assert!((12_000..13_000).contains(&changes[6]), "{changes:?}");
    }

    #[test]
    fn a_calm_world_changes_less() {
        for change in changes(World::new(GRID, 64)) {
            assert!((300..500).contains(&change), "{change}");
        }
    }
}
