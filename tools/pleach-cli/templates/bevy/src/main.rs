//! A crowd of guards as entities of Bevy, without a window.
//!
//! The build script compiles the tree to an image. The actions of the tree are systems. Its query
//! and its variable belong to a component. Its event is a message.

use bevy_app::{App, AppExit, ScheduleRunnerPlugin, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_time::TimePlugin;
use pleach_bevy::pleach::Image;
use pleach_bevy::prelude::*;
use std::time::Duration;

// Module `guard`, written by the build script: the image, and the names that the trees and the game
// share.
include!(concat!(env!("OUT_DIR"), "/guard.rs"));

const GUARDS: u32 = 1000;
const FRAMES: u32 = 100;
const FRAME: Duration = Duration::from_millis(50);

#[derive(Component, Default)]
struct Guard {
    sees: bool,
    health: f32,
    shots: u32,
    walks: u32,
}

fn heal(act: Act) {
    act.out.fill(Status::Running);
}

fn shoot(mut act: Act, mut guards: Query<&mut Guard>) {
    act.each(|entity, _call| {
        let Ok(mut guard) = guards.get_mut(entity) else { return Status::Failure };
        guard.shots += 1;
        Status::Success
    });
}

fn walk(mut act: Act, mut guards: Query<&mut Guard>) {
    act.each(|entity, call| {
        let Ok(mut guard) = guards.get_mut(entity) else { return Status::Failure };
        // Post N can be reached from second N of the game on.
        if call.now < 1000 * i64::from(call.args.int(0)) {
            return Status::Running;
        }
        guard.walks += 1;
        Status::Success
    });
}

/// Spawns the guards.
///
/// A game that reloads trees while it runs takes `assets.load("guard.plc")` of an `AssetServer`.
/// The file is written by `pleach build`, and Bevy's feature `file_watcher` tells when it changes.
fn spawn(mut commands: Commands, mut assets: ResMut<Assets<Trees>>) {
    let trees = assets.add(Trees::new(Image::copy(guard::IMAGE).expect("the build script has written an image")));
    for index in 0..GUARDS {
        let guard = Guard { sees: index % 10 == 0, ..Guard::default() };
        commands.spawn((guard, Behavior::new(&trees, guard::trees::GUARD)));
    }
}

/// Counts frames. Has all guards hit in one, and ends the game after the last.
fn direct(mut frame: Local<u32>, mut raise: MessageWriter<Raise>, mut exit: MessageWriter<AppExit>) {
    *frame += 1;
    if *frame == FRAMES / 2 {
        raise.write(Raise::all(guard::events::HIT));
    }
    if *frame == FRAMES {
        exit.write(AppExit::Success);
    }
}

fn report(guards: Query<&Guard>, mut frame: Local<u32>) {
    *frame += 1;
    if frame.is_multiple_of(20) {
        let total = |count: fn(&Guard) -> u32| guards.iter().map(count).sum::<u32>();
        let health = guards.iter().map(|guard| guard.health).fold(f32::INFINITY, f32::min);
        let (shots, walks) = (total(|guard| guard.shots), total(|guard| guard.walks));
        println!("frame {}: {shots} shots, {walks} walks, least health {health}", *frame);
    }
}

/// Makes the game without the runner of its frames.
///
/// A name that the trees lack does not compile. Trees that cannot be run are a panic.
fn game() -> App {
    let mut app = App::new();
    let pleach = PleachPlugin::in_schedule(Update).panic_on_failure();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), pleach))
        .behavior_input(guard::queries::VISIBLE, |guard: &Guard| guard.sees)
        .behavior_output(guard::variables::HEALTH, |health: f32, guard: &mut Guard| guard.health = health)
        .behavior_action(guard::actions::HEAL, heal)
        .behavior_action(guard::actions::SHOOT, shoot)
        .behavior_action(guard::actions::WALK, walk)
        .add_systems(Startup, spawn)
        .add_systems(Update, (direct.before(BehaviorSystems::Prepare), report.after(BehaviorSystems::Output)));
    app
}

fn main() -> AppExit {
    game().add_plugins(ScheduleRunnerPlugin::run_loop(FRAME)).run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_time::TimeUpdateStrategy;

    #[test]
    fn guards_shoot_and_walk() {
        let mut app = game();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        for _ in 0..FRAMES {
            app.update();
        }
        let world = app.world_mut();
        let guards: Vec<_> = world.query::<&Guard>().iter(world).collect();
        assert!(guards.iter().any(|guard| guard.shots > 0) && guards.iter().any(|guard| guard.walks > 0));
        assert!(guards.iter().all(|guard| guard.health == 70.0), "each was hit once");
    }
}
