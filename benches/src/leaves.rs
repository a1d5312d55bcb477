//! The leaves of the bots: which functions the game has, and how likely each answers what.
//!
//! A leaf draws a byte. A query makes a number of it by [`Query::answer`], an action a status by
//! [`Action::status`]. The names and arguments are the game's; the odds are ours, set so that all
//! branches of the tree see traffic.

use crate::system::Status;

/// A question that trees ask.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Name of the query in trees.
    pub name: &'static str,
    /// Draws up to here count zero.
    floor: u8,
    /// Draws above that count at most this much.
    cap: u8,
    scale: f64,
}

impl Query {
    /// Returns the number for a draw.
    #[inline(always)]
    #[must_use]
    pub fn answer(&self, draw: u8) -> f64 {
        f64::from(draw.saturating_sub(self.floor).min(self.cap)) * self.scale
    }

    /// Returns the answer for one of many draws in a row. It is computed without branches: the
    /// minimum or maximum of floats is one instruction.
    #[inline(always)]
    #[must_use]
    pub fn answer_in_a_row(&self, draw: u8) -> f64 {
        (f64::from(draw) - f64::from(self.floor)).clamp(0.0, self.cap.into()) * self.scale
    }
}

/// Something that trees have agents do.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// Name of the action in trees.
    pub name: &'static str,
    /// Draws below this go on.
    runs: u8,
    /// Draws below this, and not below `runs`, fail; all others succeed.
    fails: u8,
}

impl Action {
    /// Returns the status for a draw.
    #[inline(always)]
    #[must_use]
    pub fn status(&self, draw: u8) -> Status {
        if draw < self.runs {
            Status::Running
        } else if draw < self.fails {
            Status::Failure
        } else {
            Status::Success
        }
    }

    /// Returns the status for one of many draws in a row. It is looked up, without a branch.
    #[inline(always)]
    #[must_use]
    pub fn status_in_a_row(&self, draw: u8) -> Status {
        let all = [Status::Running, Status::Failure, Status::Success];
        all[usize::from(draw >= self.runs) + usize::from(draw >= self.fails)]
    }
}

/// True in `odds` of 256 cases.
const fn truth(name: &'static str, odds: u8) -> Query {
    Query { name, floor: 255 - odds, cap: 1, scale: 1.0 }
}

/// Anything from 0 to almost 1.
const fn fraction(name: &'static str) -> Query {
    number(name, 1.0 / 256.0)
}

/// Anything from 0 to 255 times `scale`.
const fn number(name: &'static str, scale: f64) -> Query {
    Query { name, floor: 0, cap: u8::MAX, scale }
}

/// Goes on in `runs` of 256 cases and fails in `fails`.
const fn action(name: &'static str, runs: u8, fails: u8) -> Action {
    Action { name, runs, fails: runs + fails }
}

/// All queries, by number.
pub const QUERIES: &[Query] = &[
    truth("alertedToEnemy", 120),
    fraction("baseRushScore"),
    truth("buildingIsDamaged", 96),
    truth("cvar", 64),
    truth("directPathTo", 128),
    number("distanceTo", 8.0),
    truth("goalIsDead", 80),
    fraction("healScore"),
    truth("haveUpgrade", 64),
    truth("haveWeapon", 80),
    truth("inAttackRange", 96),
    truth("isVisible", 128),
    number("momentum", 1.0),
    number("myTimer", 50.0),
    number("numOurBuildings", 0.03125),
    number("numUsersInTeam", 0.03125),
    fraction("percentAmmoClip"),
    fraction("percentClips"),
    fraction("percentHealth"),
    fraction("random"),
    fraction("resupplyScore"),
    Query { name: "skill", floor: 0, cap: u8::MAX, scale: 0.03125 },
    Query { name: "stuckTime", floor: 192, cap: u8::MAX, scale: 48.0 },
    Query { name: "team", floor: 95, cap: 1, scale: 2.0 },
    number("timeSinceLastCombat", 64.0),
    number("usableBuildPoints", 1.0),
];

/// All actions, by number.
pub const ACTIONS: &[Action] = &[
    action("activateUpgrade", 0, 40),
    action("aimAtGoal", 0, 30),
    action("alternateStrafe", 0, 0),
    action("buildNowChosenBuildable", 0, 100),
    action("buy", 100, 30),
    action("buyPrimary", 100, 60),
    action("changeGoal", 0, 60),
    action("classDodge", 0, 0),
    action("deactivateUpgrade", 0, 20),
    action("equip", 100, 30),
    action("fight", 160, 20),
    action("fireWeapon", 0, 0),
    action("flee", 150, 40),
    action("follow", 180, 20),
    action("gesture", 0, 0),
    action("heal", 170, 30),
    action("jump", 0, 30),
    action("moveInDir", 0, 0),
    action("moveTo", 128, 32),
    action("moveToGoal", 64, 32),
    action("reload", 0, 40),
    action("repair", 170, 30),
    action("resetMyTimer", 0, 0),
    action("resetStuckTime", 0, 0),
    action("roam", 16, 0),
    action("roamInRadius", 170, 20),
    action("rush", 160, 40),
    action("say", 0, 0),
    action("stayHere", 150, 20),
    action("strafeDodge", 0, 0),
];

macro_rules! index {
    ($function:ident, $table:ident, $what:literal) => {
        #[doc = concat!("The number of the ", $what, " with this name.")]
        ///
        /// # Panics
        /// If there is none. Used in constants, so that is an error of the build.
        #[must_use]
        pub const fn $function(name: &str) -> usize {
            let mut index = 0;
            while !same(name.as_bytes(), $table[index].name.as_bytes()) {
                index += 1;
            }
            index
        }
    };
}

index!(query, QUERIES, "query");
index!(act, ACTIONS, "action");

const fn same(mut first: &[u8], mut second: &[u8]) -> bool {
    while let ([a, left @ ..], [b, right @ ..]) = (first, second) {
        if *a != *b {
            return false;
        }
        (first, second) = (left, right);
    }
    first.is_empty() && second.is_empty()
}
