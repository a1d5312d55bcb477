//! Agents as structs, one beside the other, for systems that run one agent at a time.
//!
//! A struct holds the fields that the world changes, the number that the tree writes, and the
//! tree's memory: which action runs, and for how many more ticks.

use pleach_image::splitmix::GAMMA;

/// An agent of a tree.
pub trait Agent: Copy + Default + 'static {
    /// Type of a condition, in the form that other libraries take.
    type Test: Copy + core::fmt::Debug;

    /// Sets a field, by its index in the fields of the world.
    fn set(&mut self, field: usize, value: u32);

    /// Returns true if a condition holds at this time.
    fn holds(&self, test: Self::Test, now: i32) -> bool;

    /// Returns the number of the last action, and the number of ticks for which the action
    /// continues.
    fn action(&mut self) -> (&mut i32, &mut u8);

    /// Returns the fields that the tree has written.
    fn written(&self) -> Written;
}

/// Fields that a tree writes and others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of the action that the agent did last.
    pub out: i32,
    /// True if the agent is on the alert. Only guards ever are.
    pub alert: bool,
}

/// A guard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guard {
    pub(crate) health: f32,
    pub(crate) dist: f32,
    pub(crate) noise: f32,
    pub(crate) fatigue: f32,
    pub(crate) stamina: f32,
    pub(crate) ammo: i32,
    pub(crate) out: i32,
    /// Frame from which the guard may shoot again.
    pub(crate) ready: i32,
    pub(crate) visible: bool,
    pub(crate) alert: bool,
    /// The action that runs, 0 if none does.
    pub(crate) leaf: u8,
    pub(crate) timer: u8,
}

impl Agent for Guard {
    type Test = fn(&Self, i32) -> bool;

    #[inline(always)]
    fn set(&mut self, field: usize, value: u32) {
        match field {
            0 => self.health = value as f32,
            1 => self.dist = value as f32,
            2 => self.noise = value as f32,
            3 => self.fatigue = value as f32,
            4 => self.stamina = value as f32,
            5 => self.ammo = value as i32,
            _ => self.visible = value != 0,
        }
    }

    fn holds(&self, test: Self::Test, now: i32) -> bool {
        test(self, now)
    }

    fn action(&mut self) -> (&mut i32, &mut u8) {
        (&mut self.out, &mut self.timer)
    }

    fn written(&self) -> Written {
        Written { out: self.out, alert: self.alert }
    }
}

/// Agent with eight fields without a meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grid {
    pub(crate) floats: [f32; 4],
    pub(crate) ints: [i32; 4],
    pub(crate) out: i32,
    /// The action that runs, 0 if none does.
    pub(crate) leaf: u8,
    pub(crate) timer: u8,
}

/// Comparison of a field, by its index in [`GRID`](super::world::GRID).
#[derive(Clone, Copy, Debug)]
pub enum Compare {
    /// The field is greater.
    Above(usize, i32),
    /// The field is less.
    Below(usize, i32),
}

impl Agent for Grid {
    type Test = Compare;

    #[inline(always)]
    fn set(&mut self, field: usize, value: u32) {
        if let Some(index) = field.checked_sub(4) {
            self.ints[index] = value as i32;
        } else {
            self.floats[field] = value as f32;
        }
    }

    fn holds(&self, test: Compare, _: i32) -> bool {
        match test {
            Compare::Above(field @ 0..4, limit) => self.floats[field] > limit as f32,
            Compare::Above(field, limit) => self.ints[field - 4] > limit,
            Compare::Below(field @ 0..4, limit) => self.floats[field] < limit as f32,
            Compare::Below(field, limit) => self.ints[field - 4] < limit,
        }
    }

    fn action(&mut self) -> (&mut i32, &mut u8) {
        (&mut self.out, &mut self.timer)
    }

    fn written(&self) -> Written {
        Written { out: self.out, alert: false }
    }
}

/// Returns a digest of the fields that agents have written.
pub fn digest(written: impl Iterator<Item = Written>) -> u64 {
    written.fold(0, |digest: u64, agent| {
        let bits = agent.out as u64 ^ u64::from(agent.alert) << 32;
        (digest.rotate_left(5) ^ bits).wrapping_mul(GAMMA)
    })
}
