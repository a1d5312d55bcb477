//! Cases: the choices of a program, with the numbers of agents and ticks.

use super::draws::{Choices, Draws, Log, hash};
use core::fmt;
use quickcheck::{Arbitrary, Gen};
use std::sync::Arc;

/// Numbers of agents and ticks that replace larger ones when a case is shrunk.
const FEWER: [u64; 10] = [1, 2, 3, 4, 5, 8, 13, 21, 40, 100];
/// Number of small seeds that replace larger ones when a case is shrunk: other answers may show the
/// difference earlier.
const SEEDS: u64 = 8;

/// Random program with its world, and bounds for its run.
///
/// A fresh case consists of its seed and size: the generators draw all else from them. A shrunk
/// case has its choices: those of the program, and those of the damage to it.
#[derive(Clone)]
pub struct Case {
    /// Seed of the world, and of the program if its choices are not given.
    pub seed: u64,
    /// Approximate number of nodes.
    pub size: usize,
    /// Maximum number of agents.
    pub agents: usize,
    /// Maximum number of ticks.
    pub ticks: u64,
    program: Chosen,
    damage: Chosen,
}

/// Choices of a generator.
#[derive(Clone, Default)]
struct Chosen {
    /// Choices that the generator must make, if the case was shrunk.
    given: Option<Arc<Choices>>,
    /// Choices that the generator has made last.
    made: Log,
}

impl Chosen {
    fn given(choices: &Arc<Choices>) -> Self {
        Self { given: Some(choices.clone()), made: Log::default() }
    }

    fn draws(&self, seed: u64) -> Draws {
        Draws::logged(self.given.as_ref(), seed, &self.made)
    }

    fn made(&self) -> Arc<Choices> {
        self.made.lock().map_or_else(|log| log.into_inner().clone(), |log| log.clone())
    }
}

impl Case {
    /// Creates the case of a seed. Most cases are small, because in small programs corner cases are
    /// closer together. A few are so large that the compiler must cut them into blocks.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut draws = Draws::seeded(seed);
        let size = match draws.below(400) {
            0 => 4_000 + draws.below(8_000),
            1..=12 => 200 + draws.below(1_800),
            13..=120 => 40 + draws.below(120),
            _ => 1 + draws.below(40),
        };
        Self::sized(seed, size)
    }

    /// Creates the case of a seed with about `size` nodes.
    #[must_use]
    pub fn sized(seed: u64, size: usize) -> Self {
        let [program, damage] = [(); 2].map(|()| Chosen::default());
        Self { seed, size, agents: usize::MAX, ticks: u64::MAX, program, damage }
    }

    /// Limits the number of nodes.
    #[must_use]
    pub fn cut(self, most: usize) -> Self {
        Self { size: self.size.min(most), ..self }
    }

    /// Returns the draws of the program.
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.program.draws(hash([self.seed]))
    }

    /// Returns the draws of the damage to the program.
    #[must_use]
    pub fn damage_draws(&self) -> Draws {
        self.damage.draws(hash([self.seed, 1]))
    }

    /// Returns a measure that falls with each step of [`check`](super::check) to a smaller case.
    /// The choices of the program come first.
    pub(super) fn weight(&self) -> [u64; 6] {
        let made = [&self.program, &self.damage].map(Chosen::made);
        let length = made.iter().map(|choices| choices.len() as u64).sum();
        let sum = made.iter().map(|choices| choices.sum()).sum();
        [length, sum, self.agents as u64, self.ticks, self.size as u64, self.seed]
    }

    /// Replaces the choices of the program and of the damage.
    fn with(&self, program: &Arc<Choices>, damage: &Arc<Choices>) -> Self {
        Self { program: Chosen::given(program), damage: Chosen::given(damage), ..self.clone() }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, size, agents, ticks, .. } = self;
        write!(f, "seed {seed}, size {size}")?;
        let bounded = |f: &mut fmt::Formatter<'_>, most: u64, what: &str| match most {
            u64::MAX => Ok(()),
            most => write!(f, ", at most {most} {what}"),
        };
        bounded(f, *agents as u64, "agents")?;
        bounded(f, *ticks, "ticks")
    }
}

impl Arbitrary for Case {
    fn arbitrary(chance: &mut Gen) -> Self {
        // Among quickcheck's numbers, a few are frequent.
        Self::new(hash([u64::arbitrary(chance), u64::arbitrary(chance)]) >> 16)
    }

    /// Returns smaller cases: fewer agents, fewer ticks, a smaller program, less damage, other
    /// answers.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (case, program, damage) = (self.clone(), self.program.made(), self.damage.made());
        let same = || self.with(&program, &damage);
        let agents = FEWER.iter().map(|most| *most as usize).filter(|most| *most < self.agents);
        let ticks = FEWER.iter().copied().filter(|most| *most < self.ticks);
        let seeds: Vec<_> = (0..SEEDS.min(self.seed)).map(|seed| Self { seed, ..same() }).collect();
        let sizes =
            core::iter::successors(Some(self.size / 2), |size| Some(size / 2)).take_while(|size| *size > 0);
        let mut fewer: Vec<_> = agents.map(|agents| Self { agents, ..same() }).collect();
        fewer.extend(ticks.map(|ticks| Self { ticks, ..same() }));
        fewer.extend(sizes.map(|size| Self { size, ..same() }));
        let (programs, damages) = (program.smaller(), damage.smaller());
        let of_programs = {
            let case = case.clone();
            programs.map(move |program| case.with(&Arc::new(program), &damage))
        };
        let of_damages = damages.map(move |damage| case.with(&program, &Arc::new(damage)));
        Box::new(fewer.into_iter().chain(of_programs).chain(of_damages).chain(seeds))
    }
}
