//! Ten thousand guards without a window. They heal when they are hurt, and walk to and fro.

use bevy_app::{App, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use pleach_bevy::pleach::Image;
use pleach_bevy::prelude::*;
use pleach_compile::{Request, compile, dialect, texts::Texts};

/// Source of the tree. A game ships the image that `pleach build` makes of it, and loads it by
/// `assets.load("guard.plc")`.
const GUARD: &str = "
    action heal()
    var health: float
    var goal: float
    on hit { set goal = -1 }
    tree guard {
        selector {
            if health < 40 { action heal }
            sequence { set goal = 10  wait 3 ticks  set goal = 0  wait 3 ticks }
        }
    }
";

#[derive(Component)]
struct Health(f32);

#[derive(Component)]
struct Body {
    place: f32,
    goal: f32,
}

fn heal(mut act: Act, mut wounded: Query<&mut Health>) {
    act.each(|entity, _call| {
        let Ok(mut health) = wounded.get_mut(entity) else { return Status::Failure };
        health.0 += 15.0;
        if health.0 < 40.0 { Status::Running } else { Status::Success }
    });
}

fn walk(mut bodies: Query<&mut Body>) {
    for mut body in &mut bodies {
        let step = (body.goal - body.place).clamp(-1.0, 1.0);
        body.place += step;
    }
}

fn spawn(mut commands: Commands, mut assets: ResMut<Assets<Trees>>) {
    let trees = assets.add(guards());
    for index in 0..10_000 {
        let health = Health(if index % 10 == 0 { 10.0 } else { 100.0 });
        commands.spawn((health, Body { place: 0.0, goal: 0.0 }, Behavior::new(&trees, "guard")));
    }
}

fn hit(guards: Query<Entity, With<Behavior>>, mut raise: MessageWriter<Raise>) {
    raise.write_batch(guards.iter().take(100).map(|guard| Raise::to(guard, "hit")));
}

fn guards() -> Trees {
    let dialect = dialect::by_name("pleach").expect("our own language");
    let (texts, manifest) = (Texts::of("guard", "pleach", GUARD), dialect.own_manifest());
    let done =
        compile(&texts, Request { dialect, manifest: &manifest, entries: &["guard".into()], debug: true });
    Trees::new(Image::copy(&done.image.expect("no errors")).expect("a valid image"))
}

pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), PleachPlugin::in_schedule(Update)))
        .behavior_input("health", |health: &Health| health.0)
        .behavior_action("heal", heal)
        .behavior_output("goal", |goal: f32, body: &mut Body| body.goal = goal)
        .add_systems(Startup, spawn)
        .add_systems(Update, (hit.before(BehaviorSystems::Prepare), walk.after(BehaviorSystems::Output)));
    app
}

fn main() {
    // Trees that cannot be run are errors in the log.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let mut app = app();
    for frame in 0..30 {
        app.update();
        println!("frame {frame}: {:?}", app.world().resource::<Crowds>().tally());
    }
}
