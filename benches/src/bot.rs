//! Bot for hand-written code: its queries are methods, and its actions have numbers.

use crate::leaves::query;
use crate::system::Status;
use crate::world::World;

/// Entities that queries and actions are about, by their numbers in trees.
pub mod entity {
    #![expect(missing_docs, reason = "the game's names say it")]
    pub const OVERMIND: i32 = 2;
    pub const BOOSTER: i32 = 6;
    pub const ARMOURY: i32 = 13;
    pub const MEDISTAT: i32 = 14;
    pub const DRILL: i32 = 15;
    pub const REACTOR: i32 = 16;
    pub const GOAL: i32 = 17;
    pub const ENEMY: i32 = 18;
    pub const DAMAGED_BUILDING: i32 = 19;
    pub const ENEMY_BUILDING: i32 = 21;
    pub const ME: i32 = 22;
}

/// Items that bots wear and carry.
pub mod item {
    #![expect(missing_docs, reason = "the game's names say it")]
    pub const JETPACK: i32 = 5;
    pub const GRENADE: i32 = 6;
    pub const MEDKIT: i32 = 8;
    pub const MACHINE_GUN: i32 = 9;
    pub const PAIN_SAW: i32 = 10;
    pub const LAS_GUN: i32 = 12;
    pub const CHAINGUN: i32 = 14;
    pub const FLAMER: i32 = 15;
    pub const PULSE_RIFLE: i32 = 16;
    pub const CONSTRUCTION_KIT: i32 = 22;
}

/// The team whose momentum counts, and that goes shopping.
pub const HUMANS: i32 = 2;

/// Directions of `moveInDir`.
pub const FORWARD: i32 = 1;
/// Back.
pub const BACKWARD: i32 = 2;
/// To the left.
pub const LEFT: i32 = 4;

/// An agent of a world.
#[derive(Debug)]
pub struct Bot<'w, const TRACE: bool> {
    /// World of the bot.
    pub world: &'w mut World<TRACE>,
    /// Index of the bot's agent.
    pub agent: usize,
}

macro_rules! queries {
    ($($method:ident = $name:literal;)*) => {
        $(
            #[doc = concat!("Asks `", $name, "`.")]
            #[inline(always)]
            pub fn $method(&mut self) -> f64 {
                self.world.query(self.agent, const { query($name) }, 0)
            }
        )*
    };
}

macro_rules! queries_about {
    ($($method:ident = $name:literal;)*) => {
        $(
            #[doc = concat!("Asks `", $name, "`.")]
            #[inline(always)]
            pub fn $method(&mut self, subject: i32) -> f64 {
                self.world.query(self.agent, const { query($name) }, subject)
            }
        )*
    };
}

impl<const TRACE: bool> Bot<'_, TRACE> {
    /// Acts.
    #[inline(always)]
    pub fn act(&mut self, action: usize, arg: i32) -> Status {
        self.world.act(self.agent, action, arg)
    }

    queries! {
        alerted = "alertedToEnemy";
        rush_score = "baseRushScore";
        building_is_damaged = "buildingIsDamaged";
        follow = "cvar";
        goal_is_dead = "goalIsDead";
        heal_score = "healScore";
        my_timer = "myTimer";
        users = "numUsersInTeam";
        ammo = "percentAmmoClip";
        clips = "percentClips";
        random = "random";
        resupply_score = "resupplyScore";
        skill = "skill";
        stuck_time = "stuckTime";
        team = "team";
        peace = "timeSinceLastCombat";
        build_points = "usableBuildPoints";
    }

    queries_about! {
        path = "directPathTo";
        distance = "distanceTo";
        upgrade = "haveUpgrade";
        weapon = "haveWeapon";
        in_range = "inAttackRange";
        visible = "isVisible";
        momentum = "momentum";
        buildings = "numOurBuildings";
        health = "percentHealth";
    }
}
