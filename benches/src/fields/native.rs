//! The trees as a programmer would write them in Rust, without any library: the yardstick.
//!
//! The running action is tested first, and then conditions are early exits, in the order of the
//! tree. An action that begins writes its number and the number of ticks that it continues after
//! this one. The compiler sees a whole tree as one function.
//!
//! The branch-free guard does the same without a jump that depends on data: it computes
//! all conditions and selects. If agents differ, a processor often guesses such jumps
//! wrong, so this form is faster, but few programmers would write it first. It is beside
//! the yardstick in every line.

use super::agents::{Agent, Grid, Guard, digest};
use super::shape::{DEEP_ROWS, DEEP_TICKS, FIELDS, NEEDED, WIDE_ROWS, level, pair};
use super::world::World;
use crate::system::{Counts, Status, System};
use crate::trusted;
use Status::{Failure, Running, Success};
use core::hint::select_unpredictable as select;

/// Tree, as the code of one agent's tick.
pub trait Rule: 'static {
    /// Type of the agents.
    type Agent: Agent;

    /// Ticks an agent once.
    fn tick(agent: &mut Self::Agent, now: i32) -> Status;
}

/// `guard`.
#[derive(Debug)]
pub struct Guarding;
/// `guard_r`.
#[derive(Debug)]
pub struct Watching;
/// `guard` without jumps.
#[derive(Debug)]
pub struct BranchFree;
/// `wide`.
#[derive(Debug)]
pub struct Choosing;
/// `wide_f`.
#[derive(Debug)]
pub struct Trying;
/// `deep`.
#[derive(Debug)]
pub struct Descending;

/// The actions of a guard, by the numbers that they write.
pub(crate) mod act {
    pub(crate) const FLEE: u8 = 1;
    pub(crate) const SHOOT: u8 = 2;
    pub(crate) const SEARCH: u8 = 3;
    pub(crate) const LISTEN: u8 = 4;
    pub(crate) const PATROL: u8 = 5;
    pub(crate) const LOOK: u8 = 6;
    pub(crate) const IDLE: u8 = 7;
    pub(crate) const HEAL: u8 = 8;
}

/// Frames before a guard shoots again.
pub(crate) const COOLDOWN: i32 = 8;

impl Guard {
    #[inline(always)]
    fn begin(&mut self, action: u8, ticks: u8) -> Status {
        self.out = i32::from(action);
        self.leaf = action;
        self.timer = ticks - 1;
        Running
    }

    #[inline(always)]
    fn go_on(&mut self, now: i32) -> Status {
        self.timer -= 1;
        if self.timer > 0 {
            return Running;
        }
        self.ended(now)
    }

    /// Goes on after the action that ended.
    #[inline(always)]
    fn ended(&mut self, now: i32) -> Status {
        match core::mem::take(&mut self.leaf) {
            act::FLEE => self.alert = true,
            act::SHOOT => {
                self.ready = now + COOLDOWN;
                self.alert = true;
            }
            act::SEARCH => return self.begin(act::LISTEN, 2),
            act::LISTEN => self.alert = false,
            act::PATROL => return self.begin(act::LOOK, 2),
            _ => {}
        }
        Success
    }

    #[inline(always)]
    fn must_flee(&self) -> bool {
        self.health < 30.0 && self.visible && self.stamina > 10.0
    }

    #[inline(always)]
    fn can_shoot(&self, now: i32) -> bool {
        self.visible && self.dist < 24.0 && self.ammo != 0 && now >= self.ready
    }

    #[inline(always)]
    fn suspects(&self) -> bool {
        (self.noise > 70.0 || self.alert) && !self.visible && self.fatigue <= 90.0
    }

    #[inline(always)]
    fn can_patrol(&self) -> bool {
        self.fatigue < 80.0 && self.stamina > 20.0 && self.noise <= 95.0
    }

    #[inline(always)]
    fn is_hurt(&self) -> bool {
        self.health < 95.0
    }

    #[inline(always)]
    fn idle(&mut self) -> Status {
        self.out = i32::from(act::IDLE);
        Success
    }
}

impl Rule for Guarding {
    type Agent = Guard;

    #[inline(always)]
    fn tick(guard: &mut Guard, now: i32) -> Status {
        if guard.leaf != 0 {
            guard.go_on(now)
        } else if guard.must_flee() {
            guard.begin(act::FLEE, 5)
        } else if guard.can_shoot(now) {
            guard.begin(act::SHOOT, 2)
        } else if guard.suspects() {
            guard.begin(act::SEARCH, 4)
        } else if guard.can_patrol() {
            guard.begin(act::PATROL, 3)
        } else if guard.is_hurt() {
            guard.begin(act::HEAL, 3)
        } else {
            guard.idle()
        }
    }
}

impl Rule for Watching {
    type Agent = Guard;

    /// Ticks the guard as above, except that branches further up are asked before the running
    /// action goes on.
    #[inline(always)]
    fn tick(guard: &mut Guard, now: i32) -> Status {
        if guard.leaf == act::FLEE {
            guard.go_on(now)
        } else if guard.must_flee() {
            guard.begin(act::FLEE, 5)
        } else if guard.leaf == act::SHOOT {
            guard.go_on(now)
        } else if guard.can_shoot(now) {
            guard.begin(act::SHOOT, 2)
        } else if guard.leaf == act::SEARCH || guard.leaf == act::LISTEN {
            guard.go_on(now)
        } else if guard.suspects() {
            guard.begin(act::SEARCH, 4)
        } else if guard.leaf == act::PATROL || guard.leaf == act::LOOK {
            guard.go_on(now)
        } else if guard.can_patrol() {
            guard.begin(act::PATROL, 3)
        } else if guard.leaf == act::HEAL {
            guard.go_on(now)
        } else if guard.is_hurt() {
            guard.begin(act::HEAL, 3)
        } else {
            guard.leaf = 0;
            guard.idle()
        }
    }
}

/// Number of further ticks of an action after the tick in which it begins, by the number of the
/// action.
static TIMER: [u8; 16] = [0, 4, 1, 3, 1, 2, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0];
/// The action that follows at once, by number; 0 if none does.
static NEXT: [u8; 16] = [0, 0, 0, act::LISTEN, 0, act::LOOK, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

impl Rule for BranchFree {
    type Agent = Guard;

    #[inline(always)]
    fn tick(guard: &mut Guard, now: i32) -> Status {
        let old = guard.leaf & 15;
        let runs = old != 0;
        let timer = guard.timer.wrapping_sub(u8::from(runs));
        let ends = runs & (timer == 0);
        let next = NEXT[usize::from(old)];
        let choice = choose(guard, now);

        guard.leaf = select(runs, select(ends, next, old), choice);
        let begins = !runs & (choice != 0) | ends & (next != 0);
        let idle_or = |action| select(action != 0, action, act::IDLE);
        let acts = select(runs, select(ends & (next != 0), next, old), idle_or(choice));
        guard.out = i32::from(acts);
        guard.timer = select(begins, TIMER[usize::from(guard.leaf & 15)], timer);
        guard.alert |= ends & ((old == act::FLEE) | (old == act::SHOOT));
        guard.alert &= !(ends & (old == act::LISTEN));
        guard.ready = select(ends & (old == act::SHOOT), now + COOLDOWN, guard.ready);
        select(guard.leaf != 0, Running, Success)
    }
}

/// Returns the action that begins if none runs; 0 if none does.
#[inline(always)]
fn choose(guard: &Guard, now: i32) -> u8 {
    let seen = guard.visible;
    let flees = (guard.health < 30.0) & seen & (guard.stamina > 10.0);
    let shoots = seen & (guard.dist < 24.0) & (guard.ammo != 0) & (now >= guard.ready);
    let suspects = ((guard.noise > 70.0) | guard.alert) & !seen & (guard.fatigue <= 90.0);
    let patrols = (guard.fatigue < 80.0) & (guard.stamina > 20.0) & (guard.noise <= 95.0);
    let heals = guard.health < 95.0;
    let otherwise = select(patrols, act::PATROL, select(heals, act::HEAL, 0));
    select(flees, act::FLEE, select(shoots, act::SHOOT, select(suspects, act::SEARCH, otherwise)))
}

impl Grid {
    #[inline(always)]
    fn go_on(&mut self) -> Status {
        self.timer -= 1;
        if self.timer > 0 {
            return Running;
        }
        self.leaf = 0;
        Success
    }

    #[inline(always)]
    fn begin(&mut self, action: u8, ticks: u8) -> Status {
        self.out = i32::from(action);
        if ticks == 1 {
            return Success;
        }
        self.leaf = action;
        self.timer = ticks - 1;
        Running
    }

    #[inline(always)]
    fn is_above(&self, field: usize, limit: i32) -> bool {
        if field < 4 { self.floats[field] > limit as f32 } else { self.ints[field - 4] > limit }
    }

    #[inline(always)]
    fn is_below(&self, field: usize, limit: i32) -> bool {
        if field < 4 { self.floats[field] < limit as f32 } else { self.ints[field - 4] < limit }
    }
}

impl Rule for Choosing {
    type Agent = Grid;

    #[inline(always)]
    fn tick(grid: &mut Grid, _: i32) -> Status {
        if grid.leaf != 0 {
            return grid.go_on();
        }
        for row in 0..WIDE_ROWS {
            for field in 0..FIELDS {
                let pair = pair(row, field);
                if grid.is_above(pair.field, pair.limit) {
                    return grid.begin(pair.action, pair.ticks);
                }
            }
        }
        Failure
    }
}

impl Rule for Trying {
    type Agent = Grid;

    #[inline(always)]
    fn tick(grid: &mut Grid, _: i32) -> Status {
        if grid.leaf != 0 {
            return grid.go_on();
        }
        for row in 0..WIDE_ROWS {
            for field in 0..FIELDS {
                let pair = pair(row, field);
                if grid.is_above(pair.field, pair.limit) {
                    if grid.is_above(pair.needs, NEEDED) {
                        return grid.begin(pair.action, pair.ticks);
                    }
                    grid.out = i32::from(pair.action);
                }
            }
        }
        Failure
    }
}

impl Rule for Descending {
    type Agent = Grid;

    #[inline(always)]
    fn tick(grid: &mut Grid, _: i32) -> Status {
        if grid.leaf != 0 {
            return grid.go_on();
        }
        for row in 0..DEEP_ROWS {
            for field in 0..FIELDS {
                let level = level(row, field);
                if level.sequence && !grid.is_below(field, level.limit) {
                    return Failure;
                }
                if !level.sequence && grid.is_above(field, level.limit) {
                    return Success;
                }
            }
        }
        grid.begin(1, DEEP_TICKS)
    }
}

/// The hand-written agents of a world.
#[derive(Debug)]
pub struct Native<R: Rule> {
    world: World,
    agents: Vec<R::Agent>,
    now: i32,
    tuned: bool,
}

impl<R: Rule> Native<R> {
    /// Agents at their beginning. `tuned` runs a clone of the code that is compiled for processors
    /// with AVX2, if this is one; else the code is that of the baseline.
    #[must_use]
    pub fn new(world: World, agents: usize, tuned: bool) -> Self {
        Self { world, agents: vec![R::Agent::default(); agents], now: 0, tuned }
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        let mut counts = Counts::default();
        for agent in &mut self.agents {
            counts.add(R::tick(agent, self.now));
        }
        counts
    }
}

impl<R: Rule> System for Native<R> {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame as i32;
        for (index, agent) in self.agents.iter_mut().enumerate() {
            self.world.roll(index, frame, |field, value| agent.set(field, value));
        }
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        digest(self.agents.iter().map(Agent::written))
    }
}
