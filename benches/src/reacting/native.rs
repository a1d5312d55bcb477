//! The trees as a programmer would write them in Rust, without any library.
//!
//! A watchman's mind is a struct with a `bool` for each variable ([`Plain`]), or a number with a
//! bit for each ([`Packed`]). Both note that a variable has changed, so that the first case that
//! holds is looked for only then.

use super::game::{Change, Game};
use crate::system::{Counts, System};
use crate::trusted;

/// Number of no behavior.
const NOTHING: u8 = u8::MAX;

/// Knowledge of a watchman.
pub trait Mind: Clone + core::fmt::Debug + 'static {
    /// Returns a mind in which only "armed" is true.
    fn new() -> Self;

    /// A variable becomes another.
    fn set(&mut self, variable: u8, value: bool);

    /// Returns the first behavior that is to be done.
    fn first(&self) -> u8;

    /// Returns true if something has changed, and forgets the change.
    fn take_changed(&mut self) -> bool;

    /// Returns the behavior.
    fn does(&mut self) -> &mut u8;
}

macro_rules! mind {
    () => {
        #[inline(always)]
        fn first(&self) -> u8 {
            match () {
                () if self.hurt() && !self.covered() => 0,
                () if self.seen() && self.armed() => 1,
                () if self.seen() => 2,
                () if self.hurt() => 3,
                () if self.heard() && !self.dark() => 4,
                () if self.called() => 5,
                () if self.tired() && !self.heard() => 6,
                () if self.dark() => 7,
                () => 8,
            }
        }

        #[inline(always)]
        fn take_changed(&mut self) -> bool {
            core::mem::take(&mut self.changed)
        }

        #[inline(always)]
        fn does(&mut self) -> &mut u8 {
            &mut self.does
        }
    };
}

/// A `bool` for each variable.
#[derive(Clone, Debug)]
pub struct Plain {
    variables: [bool; 8],
    changed: bool,
    does: u8,
}

/// A bit for each variable.
#[derive(Clone, Debug)]
pub struct Packed {
    variables: u8,
    changed: bool,
    does: u8,
}

macro_rules! variables {
    ($($index:literal $name:ident)*) => {
        impl Plain {
            $(#[inline(always)]
            fn $name(&self) -> bool {
                self.variables[$index]
            })*
        }

        impl Packed {
            $(#[inline(always)]
            fn $name(&self) -> bool {
                self.variables & 1 << $index != 0
            })*
        }
    };
}

variables! { 0 called 1 covered 2 dark 3 armed 4 heard 5 hurt 6 seen 7 tired }

impl Mind for Plain {
    fn new() -> Self {
        let mut mind = Self { variables: [false; 8], changed: true, does: NOTHING };
        mind.variables[3] = true;
        mind
    }

    #[inline(always)]
    fn set(&mut self, variable: u8, value: bool) {
        let before = core::mem::replace(&mut self.variables[usize::from(variable)], value);
        self.changed |= before != value;
    }

    mind!();
}

impl Mind for Packed {
    fn new() -> Self {
        Self { variables: 1 << 3, changed: true, does: NOTHING }
    }

    #[inline(always)]
    fn set(&mut self, variable: u8, value: bool) {
        let variables = self.variables & !(1 << variable) | u8::from(value) << variable;
        self.changed |= self.variables != variables;
        self.variables = variables;
    }

    mind!();
}

/// Watchmen by hand.
#[derive(Debug)]
pub struct Watchmen<M> {
    game: Game,
    minds: Vec<M>,
    tuned: bool,
}

impl<M: Mind> Watchmen<M> {
    /// Agents at their beginning. `tuned` as for [`crate::native::Native`].
    #[must_use]
    pub fn new(agents: usize, per_mille: u32, tuned: bool) -> Self {
        Self { game: Game::new(agents, per_mille), minds: vec![M::new(); agents], tuned }
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        let Self { game, minds, .. } = self;
        for Change { agent, variable, value } in game.changes() {
            minds[*agent as usize].set(*variable, *value);
        }
        for (agent, mind) in minds.iter_mut().enumerate() {
            if mind.take_changed() {
                let first = mind.first();
                let before = core::mem::replace(mind.does(), first);
                if before != first {
                    if before != NOTHING {
                        game.end(before);
                    }
                    game.begin(first, 1);
                }
            }
            game.act(*mind.does(), core::iter::once(agent));
        }
        Counts { failure: 0, success: 0, running: minds.len() as u32 }
    }
}

impl<M: Mind> System for Watchmen<M> {
    fn agents(&self) -> usize {
        self.minds.len()
    }

    fn advance(&mut self, frame: u32) {
        self.game.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}

/// Agent that sleeps and wakes.
#[derive(Clone, Debug, Default)]
struct Sleeper {
    alarmed: bool,
    warned: bool,
    changed: bool,
    awake: bool,
    /// True if the agent is to wake, false if it is to sleep, `None` if it stays as it is.
    next: Option<bool>,
    /// Time of the last alarm. `calm` is the time at which it was over.
    alarm: Option<i64>,
    calm: Option<i64>,
}

impl Sleeper {
    #[inline(always)]
    fn hear(&mut self, alarm: bool, now: i64) {
        let before = (self.alarmed, self.warned);
        if alarm {
            (self.warned, self.alarmed) = (self.alarmed, true);
            (self.alarm, self.calm) = (Some(now), None);
        } else {
            self.alarmed = false;
            (self.alarm, self.calm) = (None, Some(now));
        }
        self.changed |= before != (self.alarmed, self.warned);
        if self.next.unwrap_or(self.awake) != alarm {
            self.next = Some(alarm);
        }
    }

    fn react(&mut self) {
        self.changed = false;
        self.awake = self.next.take().unwrap_or(self.awake);
    }
}

/// Sleepers by hand.
#[derive(Debug)]
pub struct Sleepers {
    sleepers: Vec<Sleeper>,
    now: i64,
    tuned: bool,
}

impl Sleepers {
    /// Agents that sleep. `tuned` as for [`crate::native::Native`].
    #[must_use]
    pub fn new(agents: usize, tuned: bool) -> Self {
        Self { sleepers: vec![Sleeper::default(); agents], now: 0, tuned }
    }

    #[inline(always)]
    fn hear_all(&mut self) -> Counts {
        let (alarm, now) = (super::crowd::is_alarm(self.now), self.now);
        self.sleepers.iter_mut().for_each(|sleeper| sleeper.hear(alarm, now));
        Counts::default()
    }
}

impl System for Sleepers {
    fn agents(&self) -> usize {
        self.sleepers.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame.into();
        self.sleepers.iter_mut().for_each(Sleeper::react);
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.hear_all()) } else { self.hear_all() }
    }

    fn digest(&self) -> u64 {
        let of = |it: &Sleeper| u64::from(it.alarmed) | u64::from(it.warned) << 1;
        self.sleepers.iter().fold(0, |sum, sleeper| super::crowd::mix(sum, of(sleeper)))
    }
}
