//! The bot on bonsai-bt, by its documentation: `tick` with an event, and `reset_bt` when the tree
//! has ended.
//!
//! A leaf is an action of bonsai-bt, and so is a condition: a function pointer, with the whole
//! expression behind it, so that `&&` costs it nothing. Composites that are asked anew each tick
//! are made with `memory(false)`, the library's word for it; those below them are made anew with
//! them, so their own memory has no effect.
//!
//! The library has no timer that remembers its last failure. It is made of what there is: an action
//! that fails while the timer is not due, and one that arms it behind the failing child. Its
//! selectors and sequences do not remember what failed, and it has no shared behaviors: they are
//! copied. Neither can be observed in this tree, so call for call it does the same.

use crate::bot::entity::{ARMOURY, BOOSTER, ENEMY, ENEMY_BUILDING, MEDISTAT, OVERMIND, REACTOR};
use crate::bot::item::{CHAINGUN, GRENADE, JETPACK, MACHINE_GUN, MEDKIT, PULSE_RIFLE};
use crate::bot::{BACKWARD, Bot, FORWARD, LEFT};
use crate::conditions as is;
use crate::leaves;
use crate::system::{Counts, Status, System};
use crate::timers::{FLEE, GLOAT, GRENADE_THROW, RUSH_CALL, SITE, Timers, WARNING};
use crate::world::World;
use bonsai_bt::{
    ActionArgs, AlwaysSucceed, BT, Behavior, Event, Float, Invert, Select, Sequence, UpdateArgs,
};

/// Leaf of the tree, which bonsai-bt calls an action.
#[derive(Clone, Copy, Debug)]
enum Leaf<const TRACE: bool> {
    /// Asks the game, and decides.
    Test(fn(&mut Bot<'_, TRACE>) -> bool),
    /// Acts: number and first argument.
    Act(usize, i32),
    /// Succeeds if a timer is due.
    Due(usize),
    /// Sets a timer and fails.
    Arm(usize, i32),
}

type Tree<const TRACE: bool> = Behavior<Leaf<TRACE>>;

/// An agent's blackboard.
#[derive(Clone, Debug)]
struct Board {
    agent: usize,
    timers: Timers,
}

fn test<const TRACE: bool>(condition: fn(&mut Bot<'_, TRACE>) -> bool) -> Tree<TRACE> {
    Behavior::Action(Leaf::Test(condition))
}

fn guard<const TRACE: bool>(condition: fn(&mut Bot<'_, TRACE>) -> bool, child: Tree<TRACE>) -> Tree<TRACE> {
    Sequence(vec![test(condition), child])
}

fn act<const TRACE: bool>(name: &str) -> Tree<TRACE> {
    act_on(name, 0)
}

fn act_on<const TRACE: bool>(name: &str, arg: i32) -> Tree<TRACE> {
    Behavior::Action(Leaf::Act(leaves::act(name), arg))
}

fn invert<const TRACE: bool>(child: Tree<TRACE>) -> Tree<TRACE> {
    Invert(Box::new(child))
}

fn succeed<const TRACE: bool>(child: Tree<TRACE>) -> Tree<TRACE> {
    AlwaysSucceed(Box::new(child))
}

fn fail<const TRACE: bool>(child: Tree<TRACE>) -> Tree<TRACE> {
    invert(succeed(child))
}

fn timer<const TRACE: bool>(timer: usize, duration: i32, child: Tree<TRACE>) -> Tree<TRACE> {
    let arm = Behavior::Action(Leaf::Arm(timer, duration));
    Sequence(vec![Behavior::Action(Leaf::Due(timer)), Select(vec![child, arm])])
}

fn bot<const TRACE: bool>() -> Tree<TRACE> {
    Sequence(vec![reflexes(), Select(vec![fight(), supply(), build(), wander()])])
}

fn reflexes<const TRACE: bool>() -> Tree<TRACE> {
    let patch_up = Sequence(vec![test(is::can_patch_up), act_on("activateUpgrade", MEDKIT), act("say")]);
    let reload = Select(vec![
        guard(is::clip_is_empty, act("reload")),
        guard(is::clip_is_low_in_peace, act("reload")),
        guard(is::runs_dry, timer(WARNING, 8000, invert(act("say")))),
    ]);
    let get_unstuck = Sequence(vec![
        Select(vec![guard(is::heads, act("jump")), act_on("moveInDir", LEFT)]),
        act("resetStuckTime"),
        act("resetMyTimer"),
    ]);
    let fly = Select(vec![
        guard(
            is::enemy_is_far,
            Select(vec![
                guard(is::is_wounded, act_on("activateUpgrade", JETPACK)),
                guard(is::flies_well, act_on("activateUpgrade", JETPACK)),
            ]),
        ),
        act_on("deactivateUpgrade", JETPACK),
    ]);
    let choose_goal = Select(vec![
        guard(is::sees_building, act_on("changeGoal", ENEMY_BUILDING)),
        guard(is::is_human, act_on("changeGoal", REACTOR)),
        act_on("changeGoal", OVERMIND),
    ]);
    let gloat = timer(GLOAT, 20_000, invert(Sequence(vec![act("gesture"), act("say")])));
    Sequence(vec![
        succeed(patch_up),
        succeed(reload),
        succeed(guard(is::is_stuck, get_unstuck)),
        succeed(guard(is::can_fly, fly)),
        succeed(guard(is::wants_goal, choose_goal)),
        succeed(guard(is::gloats, gloat)),
    ])
}

fn fight<const TRACE: bool>() -> Tree<TRACE> {
    let survive = Select(vec![
        heal(),
        guard(is::is_cut_off, act_on("stayHere", 100)),
        timer(FLEE, 1500, act("flee")),
        Sequence(vec![act("strafeDodge"), act_on("moveInDir", BACKWARD)]),
    ]);
    let throw =
        Sequence(vec![act("aimAtGoal"), act_on("activateUpgrade", GRENADE), invert(act("fireWeapon"))]);
    let close_in = Select(vec![
        guard(is::is_rush_due, act("rush")),
        guard(is::is_away_from_enemy, act_on("moveTo", ENEMY)),
        act("fight"),
    ]);
    let search = Sequence(vec![act_on("roamInRadius", ENEMY), test(is::has_found_enemy), act("aimAtGoal")]);
    let raid = Select(vec![
        guard(is::can_hit_building, Select(vec![fail(act("aimAtGoal")), act("fight")])),
        guard(is::dares_to_raid, act_on("moveTo", ENEMY_BUILDING)),
    ]);
    Select(vec![
        guard(is::is_too_weak, survive),
        guard(is::can_throw, timer(GRENADE_THROW, 6000, throw)),
        guard(
            is::is_in_fight,
            Select(vec![guard(is::can_hit, shoot()), guard(is::can_close_in, close_in), search]),
        ),
        guard(is::can_raid, raid),
    ])
    .memory(false)
}

fn shoot<const TRACE: bool>() -> Tree<TRACE> {
    let dodge = Select(vec![
        guard(is::flames_from_afar, act_on("moveInDir", FORWARD)),
        guard(is::lases_from_near, act_on("moveInDir", BACKWARD)),
        guard(is::is_outmatched, act("strafeDodge")),
        guard(is::strafes, act("alternateStrafe")),
        act("classDodge"),
    ]);
    Select(vec![fail(dodge), guard(is::can_shoot, act("fight")), act("flee")])
}

fn heal<const TRACE: bool>() -> Tree<TRACE> {
    let at_medistat = Select(vec![
        guard(is::is_away_from_medistat, act_on("moveTo", MEDISTAT)),
        guard(is::is_worth_healing, act("heal")),
    ]);
    Select(vec![guard(is::has_medistat, at_medistat), guard(is::has_booster, act_on("moveTo", BOOSTER))])
}

fn supply<const TRACE: bool>() -> Tree<TRACE> {
    let approach =
        Select(vec![test(is::is_at_armoury), act_on("moveTo", ARMOURY), act_on("roamInRadius", ARMOURY)]);
    let buy_rifle = Sequence(vec![
        test(is::can_afford_rifle),
        act_on("buyPrimary", PULSE_RIFLE),
        succeed(act("say")),
        act_on("buy", PULSE_RIFLE),
    ]);
    let buy = Select(vec![
        test(is::is_well_armed),
        buy_rifle,
        guard(is::can_afford_chaingun, act_on("buyPrimary", CHAINGUN)),
        act_on("buy", MACHINE_GUN),
    ]);
    Sequence(vec![
        test(is::goes_shopping),
        approach,
        buy,
        act("equip"),
        succeed(guard(is::needs_reload, act("reload"))),
        act("moveToGoal"),
    ])
}

fn build<const TRACE: bool>() -> Tree<TRACE> {
    let mend = Select(vec![guard(is::is_in_danger, act("flee")), guard(is::is_broken, act("repair"))]);
    let add = Sequence(vec![
        act_on("moveTo", REACTOR),
        Select(vec![test(is::lacks_drills), test(is::lacks_medistats), test(is::is_rich)]),
        act("buildNowChosenBuildable"),
    ]);
    let work = Select(vec![guard(is::can_mend, mend), guard(is::has_points, timer(SITE, 3000, add))]);
    let stand_by = Select(vec![
        guard(is::is_away_from_reactor, act_on("moveTo", REACTOR)),
        act_on("roamInRadius", REACTOR),
    ]);
    Select(vec![guard(is::can_build, work), guard(is::must_guard, stand_by)]).memory(false)
}

fn wander<const TRACE: bool>() -> Tree<TRACE> {
    let call = timer(RUSH_CALL, 12_000, invert(Sequence(vec![act("say"), act("resetMyTimer")])));
    let pursue_goal =
        Select(vec![guard(is::can_hit_goal, act("fight")), guard(is::can_reach_goal, act("moveToGoal"))]);
    Select(vec![
        test(is::is_attacked),
        test(is::is_out_of_supplies),
        guard(is::needs_healing, heal()),
        guard(is::follows, act_on("follow", 200)),
        guard(is::calls_for_rush, Select(vec![call, act("rush")])),
        guard(is::has_goal, pursue_goal),
        act("roam"),
    ])
    .memory(false)
}

/// The bots of a world, one tree each.
#[derive(Debug)]
pub struct Peer<const TRACE: bool> {
    world: World<TRACE>,
    trees: Vec<BT<Leaf<TRACE>, Board>>,
}

impl<const TRACE: bool> Peer<TRACE> {
    /// Bots at their beginning.
    #[must_use]
    pub fn new(agents: usize, effort: u32) -> Self {
        let tree = |agent| BT::new(bot(), Board { agent, timers: Timers::default() });
        Self { world: World::new(agents, effort), trees: (0..agents).map(tree).collect() }
    }
}

impl<const TRACE: bool> System for Peer<TRACE> {
    fn agents(&self) -> usize {
        self.world.agents()
    }

    fn advance(&mut self, frame: u32) {
        self.world.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        let mut counts = Counts::default();
        let world = &mut self.world;
        let event: Event = UpdateArgs { dt: 0.05 }.into();
        for tree in &mut self.trees {
            let ticked = tree.tick(&event, &mut |args, board| leaf(world, &args, board));
            counts.add(ticked.map_or(Status::Failure, |(status, _)| from_bonsai(status)));
            if tree.is_finished() {
                tree.reset_bt();
            }
        }
        counts
    }

    fn digest(&self) -> u64 {
        self.world.digest()
    }
}

#[inline]
fn leaf<const TRACE: bool>(
    world: &mut World<TRACE>,
    args: &ActionArgs<'_, Event, Leaf<TRACE>>,
    board: &mut Board,
) -> (bonsai_bt::Status, Float) {
    let agent = board.agent;
    let status = match *args.action {
        Leaf::Test(condition) => truth(condition(&mut Bot { world, agent })),
        Leaf::Act(action, arg) => world.act(agent, action, arg),
        Leaf::Due(timer) => truth(board.timers.is_due(timer, world.now())),
        Leaf::Arm(timer, duration) => {
            board.timers.arm(timer, world.now(), duration);
            Status::Failure
        }
    };
    (to_bonsai(status), args.dt)
}

fn truth(holds: bool) -> Status {
    if holds { Status::Success } else { Status::Failure }
}

pub(crate) fn to_bonsai(status: Status) -> bonsai_bt::Status {
    match status {
        Status::Failure => bonsai_bt::Failure,
        Status::Success => bonsai_bt::Success,
        Status::Running => bonsai_bt::Running,
    }
}

pub(crate) fn from_bonsai(status: bonsai_bt::Status) -> Status {
    match status {
        bonsai_bt::Failure => Status::Failure,
        bonsai_bt::Success => Status::Success,
        bonsai_bt::Running => Status::Running,
    }
}
