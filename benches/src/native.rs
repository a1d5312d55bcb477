//! The bot as a programmer would write it in Rust, without any library: the yardstick.
//!
//! Selectors and sequences are early exits, and decorators are expressions. The tree's memory is
//! two values of an agent: the step to resume at, and the time when each timer is due again.
//! Nothing else of the running set can be observed in this tree (the head of `bot.bt` gives the
//! reason). The compiler sees the whole tree as one function, with the constants of all leaves.

use crate::bot::entity::{ARMOURY, BOOSTER, ENEMY, ENEMY_BUILDING, MEDISTAT, OVERMIND, REACTOR};
use crate::bot::item::{CHAINGUN, GRENADE, JETPACK, MACHINE_GUN, MEDKIT, PULSE_RIFLE};
use crate::bot::{BACKWARD, Bot, FORWARD, LEFT};
use crate::conditions;
use crate::leaves;
use crate::system::{Counts, Status, System};
use crate::timers::{FLEE, GLOAT, GRENADE_THROW, RUSH_CALL, SITE, Timers, WARNING};
use crate::trusted;
use crate::world::World;
use Status::{Failure, Running, Success};

/// The steps that an agent can be in the middle of, in the order of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    #[default]
    Start,
    Fight,
    MoveToArmoury,
    SearchArmoury,
    BuyRifle,
    BuyRifleAndArmour,
    BuyChaingun,
    BuyMachineGun,
    Equip,
    ReturnToGoal,
    Build,
    Wander,
}

/// Memory of an agent.
#[derive(Clone, Copy, Debug, Default)]
struct Mind {
    step: Step,
    timers: Timers,
}

/// The first child that does not fail.
macro_rules! selector {
    ($($child:expr),+ $(,)?) => {
        'selector: {
            $(
                let status = $child;
                if status != Failure {
                    break 'selector status;
                }
            )+
            Failure
        }
    };
}

/// The first child that does not succeed.
macro_rules! sequence {
    ($($child:expr),+ $(,)?) => {
        'sequence: {
            $(
                let status = $child;
                if status != Success {
                    break 'sequence status;
                }
            )+
            Success
        }
    };
}

/// The child if the condition holds.
macro_rules! guard {
    ($condition:expr) => {
        if $condition { Success } else { Failure }
    };
    ($condition:expr, $child:expr) => {
        if $condition { $child } else { Failure }
    };
}

/// The status, whatever the child's.
macro_rules! always {
    ($status:expr, $child:expr) => {{
        let _: Status = $child;
        $status
    }};
}

macro_rules! is {
    ($brain:ident $condition:ident) => {
        conditions::$condition(&mut $brain.bot)
    };
}

macro_rules! act {
    ($brain:ident $name:literal) => { act!($brain $name 0) };
    ($brain:ident $name:literal $arg:expr) => { $brain.bot.act(const { leaves::act($name) }, $arg) };
}

/// Agent with its memory.
struct Brain<'a, 'w, const TRACE: bool> {
    bot: Bot<'w, TRACE>,
    mind: &'a mut Mind,
}

impl<const TRACE: bool> Brain<'_, '_, TRACE> {
    #[inline(always)]
    fn tick(&mut self) -> Status {
        let from = core::mem::take(&mut self.mind.step);
        if from == Step::Start {
            self.reflexes();
        }
        selector! {
            if from <= Step::Fight { let status = self.fight(); self.at(Step::Fight, status) } else { Failure },
            if from <= Step::ReturnToGoal { self.supply(from) } else { Failure },
            if from <= Step::Build { let status = self.build(); self.at(Step::Build, status) } else { Failure },
            { let status = self.wander(); self.at(Step::Wander, status) },
        }
    }

    /// Notes where to resume, if the status is running.
    #[inline(always)]
    fn at(&mut self, step: Step, status: Status) -> Status {
        if status == Running {
            self.mind.step = step;
        }
        status
    }

    /// Runs the child, unless it failed less than `duration` ago.
    #[inline(always)]
    fn timer(&mut self, timer: usize, duration: i32, child: impl FnOnce(&mut Self) -> Status) -> Status {
        let now = self.bot.world.now();
        if !self.mind.timers.is_due(timer, now) {
            return Failure;
        }
        let status = child(self);
        if status == Failure {
            self.mind.timers.arm(timer, now, duration);
        }
        status
    }

    #[inline(always)]
    fn reflexes(&mut self) {
        sequence! {
            guard!(is!(self can_patch_up)),
            act!(self "activateUpgrade" MEDKIT),
            act!(self "say"),
        };
        selector! {
            guard!(is!(self clip_is_empty), act!(self "reload")),
            guard!(is!(self clip_is_low_in_peace), act!(self "reload")),
            guard!(is!(self runs_dry), self.timer(WARNING, 8000, |it| invert(act!(it "say")))),
        };
        guard!(
            is!(self is_stuck),
            sequence! {
                selector! { guard!(is!(self heads), act!(self "jump")), act!(self "moveInDir" LEFT) },
                act!(self "resetStuckTime"),
                act!(self "resetMyTimer"),
            }
        );
        guard!(
            is!(self can_fly),
            selector! {
                guard!(is!(self enemy_is_far), selector! {
                    guard!(is!(self is_wounded), act!(self "activateUpgrade" JETPACK)),
                    guard!(is!(self flies_well), act!(self "activateUpgrade" JETPACK)),
                }),
                act!(self "deactivateUpgrade" JETPACK),
            }
        );
        guard!(
            is!(self wants_goal),
            selector! {
                guard!(is!(self sees_building), act!(self "changeGoal" ENEMY_BUILDING)),
                guard!(is!(self is_human), act!(self "changeGoal" REACTOR)),
                act!(self "changeGoal" OVERMIND),
            }
        );
        guard!(
            is!(self gloats),
            self.timer(GLOAT, 20_000, |it| invert(sequence! { act!(it "gesture"), act!(it "say") }))
        );
    }

    #[inline(always)]
    fn fight(&mut self) -> Status {
        selector! {
            guard!(is!(self is_too_weak), selector! {
                self.heal(),
                guard!(is!(self is_cut_off), act!(self "stayHere" 100)),
                self.timer(FLEE, 1500, |it| act!(it "flee")),
                sequence! { act!(self "strafeDodge"), act!(self "moveInDir" BACKWARD) },
            }),
            guard!(is!(self can_throw), self.timer(GRENADE_THROW, 6000, |it| sequence! {
                act!(it "aimAtGoal"),
                act!(it "activateUpgrade" GRENADE),
                invert(act!(it "fireWeapon")),
            })),
            guard!(is!(self is_in_fight), selector! {
                guard!(is!(self can_hit), self.shoot()),
                guard!(is!(self can_close_in), selector! {
                    guard!(is!(self is_rush_due), act!(self "rush")),
                    guard!(is!(self is_away_from_enemy), act!(self "moveTo" ENEMY)),
                    act!(self "fight"),
                }),
                sequence! {
                    act!(self "roamInRadius" ENEMY),
                    guard!(is!(self has_found_enemy)),
                    act!(self "aimAtGoal"),
                },
            }),
            guard!(is!(self can_raid), selector! {
                guard!(is!(self can_hit_building), selector! {
                    always!(Failure, act!(self "aimAtGoal")),
                    act!(self "fight"),
                }),
                guard!(is!(self dares_to_raid), act!(self "moveTo" ENEMY_BUILDING)),
            }),
        }
    }

    #[inline(always)]
    fn shoot(&mut self) -> Status {
        selector! {
            always!(Failure, selector! {
                guard!(is!(self flames_from_afar), act!(self "moveInDir" FORWARD)),
                guard!(is!(self lases_from_near), act!(self "moveInDir" BACKWARD)),
                guard!(is!(self is_outmatched), act!(self "strafeDodge")),
                guard!(is!(self strafes), act!(self "alternateStrafe")),
                act!(self "classDodge"),
            }),
            guard!(is!(self can_shoot), act!(self "fight")),
            act!(self "flee"),
        }
    }

    #[inline(always)]
    fn heal(&mut self) -> Status {
        selector! {
            guard!(is!(self has_medistat), selector! {
                guard!(is!(self is_away_from_medistat), act!(self "moveTo" MEDISTAT)),
                guard!(is!(self is_worth_healing), act!(self "heal")),
            }),
            guard!(is!(self has_booster), act!(self "moveTo" BOOSTER)),
        }
    }

    #[inline(always)]
    fn supply(&mut self, from: Step) -> Status {
        if from < Step::MoveToArmoury && !is!(self goes_shopping) {
            return Failure;
        }
        sequence! {
            if from <= Step::SearchArmoury { self.approach(from) } else { Success },
            if from <= Step::BuyMachineGun { self.buy(from) } else { Success },
            if from <= Step::Equip { let status = act!(self "equip"); self.at(Step::Equip, status) } else { Success },
            if from <= Step::Equip {
                always!(Success, guard!(is!(self needs_reload), act!(self "reload")))
            } else {
                Success
            },
            { let status = act!(self "moveToGoal"); self.at(Step::ReturnToGoal, status) },
        }
    }

    #[inline(always)]
    fn approach(&mut self, from: Step) -> Status {
        selector! {
            guard!(from < Step::MoveToArmoury && is!(self is_at_armoury)),
            if from <= Step::MoveToArmoury {
                let status = act!(self "moveTo" ARMOURY);
                self.at(Step::MoveToArmoury, status)
            } else {
                Failure
            },
            { let status = act!(self "roamInRadius" ARMOURY); self.at(Step::SearchArmoury, status) },
        }
    }

    #[inline(always)]
    fn buy(&mut self, from: Step) -> Status {
        selector! {
            guard!(from < Step::BuyRifle && is!(self is_well_armed)),
            if from <= Step::BuyRifleAndArmour { self.buy_rifle(from) } else { Failure },
            guard!(
                from == Step::BuyChaingun || from < Step::BuyChaingun && is!(self can_afford_chaingun),
                { let status = act!(self "buyPrimary" CHAINGUN); self.at(Step::BuyChaingun, status) }
            ),
            { let status = act!(self "buy" MACHINE_GUN); self.at(Step::BuyMachineGun, status) },
        }
    }

    #[inline(always)]
    fn buy_rifle(&mut self, from: Step) -> Status {
        if from < Step::BuyRifle && !is!(self can_afford_rifle) {
            return Failure;
        }
        sequence! {
            if from <= Step::BuyRifle {
                let status = act!(self "buyPrimary" PULSE_RIFLE);
                self.at(Step::BuyRifle, status)
            } else {
                Success
            },
            if from <= Step::BuyRifle { always!(Success, act!(self "say")) } else { Success },
            { let status = act!(self "buy" PULSE_RIFLE); self.at(Step::BuyRifleAndArmour, status) },
        }
    }

    #[inline(always)]
    fn build(&mut self) -> Status {
        selector! {
            guard!(is!(self can_build), selector! {
                guard!(is!(self can_mend), selector! {
                    guard!(is!(self is_in_danger), act!(self "flee")),
                    guard!(is!(self is_broken), act!(self "repair")),
                }),
                guard!(is!(self has_points), self.timer(SITE, 3000, |it| sequence! {
                    act!(it "moveTo" REACTOR),
                    selector! {
                        guard!(is!(it lacks_drills)),
                        guard!(is!(it lacks_medistats)),
                        guard!(is!(it is_rich)),
                    },
                    act!(it "buildNowChosenBuildable"),
                })),
            }),
            guard!(is!(self must_guard), selector! {
                guard!(is!(self is_away_from_reactor), act!(self "moveTo" REACTOR)),
                act!(self "roamInRadius" REACTOR),
            }),
        }
    }

    #[inline(always)]
    fn wander(&mut self) -> Status {
        selector! {
            guard!(is!(self is_attacked)),
            guard!(is!(self is_out_of_supplies)),
            guard!(is!(self needs_healing), self.heal()),
            guard!(is!(self follows), act!(self "follow" 200)),
            guard!(is!(self calls_for_rush), selector! {
                self.timer(RUSH_CALL, 12_000, |it| {
                    invert(sequence! { act!(it "say"), act!(it "resetMyTimer") })
                }),
                act!(self "rush"),
            }),
            guard!(is!(self has_goal), selector! {
                guard!(is!(self can_hit_goal), act!(self "fight")),
                guard!(is!(self can_reach_goal), act!(self "moveToGoal")),
            }),
            act!(self "roam"),
        }
    }
}

fn invert(status: Status) -> Status {
    match status {
        Failure => Success,
        Success => Failure,
        Running => Running,
    }
}

/// The hand-written bots of a world.
#[derive(Debug)]
pub struct Native<const TRACE: bool> {
    world: World<TRACE>,
    minds: Vec<Mind>,
    tuned: bool,
}

impl<const TRACE: bool> Native<TRACE> {
    /// Bots at their beginning. `tuned` runs a clone of the code that is compiled for processors
    /// with AVX2, if this is one; else the code is that of the baseline.
    #[must_use]
    pub fn new(agents: usize, effort: u32, tuned: bool) -> Self {
        Self { world: World::new(agents, effort), minds: vec![Mind::default(); agents], tuned }
    }

    /// Returns the number of leaf calls so far, if calls are counted.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.world.calls()
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        let mut counts = Counts::default();
        for (agent, mind) in self.minds.iter_mut().enumerate() {
            let bot = Bot { world: &mut self.world, agent };
            counts.add(Brain { bot, mind }.tick());
        }
        counts
    }
}

impl<const TRACE: bool> System for Native<TRACE> {
    fn agents(&self) -> usize {
        self.world.agents()
    }

    fn advance(&mut self, frame: u32) {
        self.world.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        self.world.digest()
    }
}
