//! Signals to agents, and the behaviors of agents.

use crate::dice::Dice;
use pleach_image::splitmix::GAMMA;

/// Names of the signals.
pub const SIGNALS: [&str; 26] = [
    "OnAlarm",
    "OnAmmoSpent",
    "OnBlinded",
    "OnCalm",
    "OnCoverFound",
    "OnCoverLost",
    "OnCoverReached",
    "OnDamage",
    "OnEnemyFar",
    "OnEnemyLost",
    "OnEnemyNear",
    "OnEnemySeen",
    "OnEntered",
    "OnGunDropped",
    "OnGunTaken",
    "OnHealed",
    "OnLeft",
    "OnNoise",
    "OnObeyed",
    "OnOrder",
    "OnPickedUp",
    "OnPutDown",
    "OnReloaded",
    "OnRested",
    "OnSighted",
    "OnTired",
];

/// Names of the behaviors.
pub const BEHAVIORS: [&str; 12] = [
    "Die",
    "Reload",
    "TakeCover",
    "Shoot",
    "Brawl",
    "Flee",
    "Heal",
    "Ambush",
    "Investigate",
    "Follow",
    "Rest",
    "Patrol",
];

/// Signal to an agent.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Index of the agent.
    pub agent: u32,
    /// The index of the signal.
    pub signal: u8,
}

/// Number that means that no behavior is selected.
const NOTHING: u8 = u8::MAX;

/// The game around the agents.
#[derive(Debug)]
pub struct Game {
    per_mille: u32,
    told: Vec<Told>,
    /// Behavior of each agent.
    doing: Vec<u8>,
    begun: [u64; BEHAVIORS.len()],
    /// Behaviors that began beside another, or ended without having begun.
    wrong: u32,
}

impl Game {
    /// Returns a game with agents that do nothing yet.
    #[must_use]
    pub fn new(agents: usize, per_mille: u32) -> Self {
        Self { per_mille, told: Vec::new(), doing: vec![NOTHING; agents], begun: [0; 12], wrong: 0 }
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.doing.len()
    }

    /// Makes up the signals of a frame.
    pub fn advance(&mut self, frame: u32) {
        let mut dice = Dice::new(u64::from(frame) * (GAMMA >> 32));
        let agents = self.doing.len() as u32;
        let count = (u64::from(agents) * u64::from(self.per_mille) / 1000).max(1);
        self.told.clear();
        self.told.extend(
            (0..count)
                .map(|_| Told { agent: dice.below(agents), signal: dice.below(SIGNALS.len() as u32) as u8 }),
        );
    }

    /// Returns the signals of this frame.
    #[must_use]
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// A behavior of an agent ends.
    #[inline]
    pub fn end(&mut self, agent: usize, behavior: u8) {
        self.wrong += u32::from(self.doing[agent] != behavior);
        self.doing[agent] = NOTHING;
    }

    /// A behavior of an agent begins.
    #[inline]
    pub fn begin(&mut self, agent: usize, behavior: u8) {
        self.wrong += u32::from(self.doing[agent] != NOTHING);
        self.doing[agent] = behavior;
        self.begun[usize::from(behavior)] += 1;
    }

    /// Returns how often each behavior has begun.
    #[must_use]
    pub fn begun(&self) -> [u64; 12] {
        self.begun
    }

    /// Returns a digest of everything that agents do and did.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mix = |sum: u64, number: u64| (sum ^ number).wrapping_mul(0x100_0000_01b3).rotate_left(23);
        let doing = self.doing.iter().fold(u64::from(self.wrong), |sum, doing| mix(sum, (*doing).into()));
        self.begun.iter().fold(doing, |sum, begun| mix(sum, *begun))
    }
}
