//! The conditions of the bot's tree, one function each.
//!
//! The native version calls them directly, bonsai-bt through pointers; pleach has its own from the
//! text of the trees.

use crate::bot::entity::{
    ARMOURY, BOOSTER, DAMAGED_BUILDING, DRILL, ENEMY, ENEMY_BUILDING, GOAL, ME, MEDISTAT, REACTOR,
};
use crate::bot::item::{
    CONSTRUCTION_KIT, FLAMER, GRENADE, JETPACK, LAS_GUN, MACHINE_GUN, MEDKIT, PAIN_SAW, PULSE_RIFLE,
};
use crate::bot::{Bot, HUMANS};

macro_rules! conditions {
    ($($name:ident |$bot:ident| $holds:expr;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $name<const TRACE: bool>($bot: &mut Bot<'_, TRACE>) -> bool {
                $holds
            }
        )*
    };
}

conditions! {
    can_patch_up |b| b.health(ME) < 0.5 && b.upgrade(MEDKIT) != 0.0;
    clip_is_empty |b| b.ammo() == 0.0;
    clip_is_low_in_peace |b| b.ammo() < 0.25 && b.alerted() == 0.0;
    runs_dry |b| b.clips() < 0.125 && b.weapon(MACHINE_GUN) != 0.0;
    is_stuck |b| b.stuck_time() > 1500.0;
    heads |b| b.random() < 0.5;
    can_fly |b| b.upgrade(JETPACK) != 0.0;
    enemy_is_far |b| b.alerted() != 0.0 && b.distance(ENEMY) > 600.0;
    is_wounded |b| b.health(ME) < 0.375;
    flies_well |b| b.visible(ENEMY) != 0.0 && b.skill() > 4.0;
    wants_goal |b| b.goal_is_dead() != 0.0 || b.stuck_time() > 2000.0;
    sees_building |b| b.visible(ENEMY_BUILDING) != 0.0;
    is_human |b| b.team() == 2.0;
    gloats |b| b.alerted() == 0.0 && b.peace() < 3000.0 && b.skill() < 3.0;

    is_too_weak |b| b.health(ME) < 0.25 && b.distance(ENEMY) < 800.0;
    is_cut_off |b| b.path(ENEMY) == 0.0;
    can_throw |b| {
        b.upgrade(GRENADE) != 0.0 && b.distance(ENEMY) < 600.0 && b.visible(ENEMY) != 0.0
    };
    is_in_fight |b| b.alerted() != 0.0 || b.peace() < 1000.0;
    can_hit |b| b.in_range(ENEMY) != 0.0 && b.visible(ENEMY) != 0.0;
    flames_from_afar |b| b.weapon(FLAMER) != 0.0 && b.distance(ENEMY) > 300.0;
    lases_from_near |b| b.weapon(LAS_GUN) != 0.0 && b.distance(ENEMY) < 500.0;
    is_outmatched |b| b.health(ENEMY) > b.health(ME);
    strafes |b| b.skill() > 6.0;
    can_shoot |b| b.ammo() > 0.0 || b.weapon(PAIN_SAW) != 0.0;
    can_close_in |b| b.path(ENEMY) != 0.0 && b.distance(ENEMY) < 1500.0;
    is_rush_due |b| b.rush_score() > 0.5 && b.users() > 3.0;
    is_away_from_enemy |b| b.distance(ENEMY) > 400.0;
    has_found_enemy |b| b.visible(ENEMY) != 0.0 || b.skill() > 7.0;
    can_raid |b| b.visible(ENEMY_BUILDING) != 0.0 && b.ammo() > 0.125;
    can_hit_building |b| b.in_range(ENEMY_BUILDING) != 0.0;
    dares_to_raid |b| b.momentum(HUMANS) > 64.0 && b.distance(ENEMY_BUILDING) < 1200.0;

    has_medistat |b| b.team() == 2.0 && b.health(MEDISTAT) > 0.0;
    is_away_from_medistat |b| b.distance(MEDISTAT) > 400.0;
    is_worth_healing |b| b.heal_score() > 0.5;
    has_booster |b| b.team() != 2.0 && b.distance(BOOSTER) < 1000.0;

    goes_shopping |b| b.resupply_score() > 0.5 && b.team() == 2.0 && b.alerted() == 0.0;
    is_at_armoury |b| b.distance(ARMOURY) < 100.0;
    is_well_armed |b| b.weapon(PULSE_RIFLE) != 0.0 && b.clips() > 0.5;
    can_afford_rifle |b| b.momentum(HUMANS) > 128.0 && b.skill() > 3.0;
    can_afford_chaingun |b| b.momentum(HUMANS) > 64.0;
    needs_reload |b| b.ammo() < 0.75;

    can_build |b| b.weapon(CONSTRUCTION_KIT) != 0.0;
    can_mend |b| b.building_is_damaged() != 0.0 && b.distance(DAMAGED_BUILDING) < 1000.0;
    is_in_danger |b| b.alerted() != 0.0 && b.health(ME) < 0.5;
    is_broken |b| b.health(DAMAGED_BUILDING) < 0.75;
    has_points |b| b.build_points() > 32.0 && b.distance(REACTOR) < 1600.0;
    lacks_drills |b| b.buildings(DRILL) < 3.0;
    lacks_medistats |b| b.buildings(MEDISTAT) < 2.0;
    is_rich |b| b.momentum(HUMANS) > 200.0 && b.random() < 0.25;
    must_guard |b| b.health(REACTOR) < 0.25 && b.team() == 2.0;
    is_away_from_reactor |b| b.distance(REACTOR) > 500.0;

    is_attacked |b| b.alerted() != 0.0 && (b.in_range(ENEMY) != 0.0 || b.health(ME) < 0.125);
    is_out_of_supplies |b| b.resupply_score() > 0.875 && b.team() == 2.0;
    needs_healing |b| b.heal_score() > 0.75 && b.health(ME) < 0.75;
    follows |b| b.follow() != 0.0 && b.users() > 6.0;
    calls_for_rush |b| b.rush_score() > 0.75 && b.my_timer() > 5000.0;
    has_goal |b| b.goal_is_dead() == 0.0 && b.random() < 0.75;
    can_hit_goal |b| b.in_range(GOAL) != 0.0 && b.visible(GOAL) != 0.0;
    can_reach_goal |b| b.path(GOAL) != 0.0 || b.distance(GOAL) < 1000.0;
}
