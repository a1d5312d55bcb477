//! Prints the cost of the plugin compared with the bare runtime: the benchmarks' bot, with 10,000
//! agents and the same leaves on both sides.
//!
//! ```text
//! BEVY <leaves> <agents> <x the bare runtime>
//! ```
//!
//! A ratio of 1.1 means that a frame of the app takes a tenth longer than `Crowd::tick` with the
//! host of the benchmarks. Leaves are that `host`, or `systems` that do the same, or `components`:
//! systems that also look up a component for each entity. All are measured in turns, in one
//! process, and have the same results. All other costs of a frame of an app are included.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use pleach_benches::crowd::Bots;
use pleach_benches::leaves::{ACTIONS, QUERIES};
use pleach_benches::measure::Runner;
use pleach_benches::system::{self, Counts, Named, Role, System as Measured};
use pleach_benches::trees;
use pleach_bevy::pleach::engine::Engine;
use pleach_bevy::pleach::{Agent, Function, Host};
use pleach_bevy::prelude::*;
use std::hint::black_box;

const AGENTS: usize = 10_000;
const WARM_UP: u32 = 32;
const REPETITIONS: usize = 15;
/// Frames in which all systems are compared.
const COMPARED: u32 = 40;

type World = pleach_benches::world::World<false>;

#[derive(Resource)]
struct Game(World);

/// Something that leaves look up.
#[derive(Component)]
struct Place([f32; 3]);

fn act(mut act: Act, action: usize, game: &mut World) {
    let arg = act.batch.args.int(0);
    let Act { batch, out, .. } = &mut act;
    game.act_all(batch.agents().map(Agent::index), action, arg, out, status);
}

fn ask(mut ask: Ask, query: usize, game: &mut World) {
    let arg = ask.batch.args.int(0);
    let Ask { batch, out, .. } = &mut ask;
    game.query_all(batch.agents().map(Agent::index), query, arg, out);
}

fn look(entities: impl Iterator<Item = Entity>, places: &Query<&Place>) {
    entities.for_each(|entity| {
        black_box(places.get(entity).map(|place| place.0).ok());
    });
}

fn status(status: system::Status) -> Status {
    match status {
        system::Status::Failure => Status::Failure,
        system::Status::Success => Status::Success,
        system::Status::Running => Status::Running,
    }
}

/// The game is the host that the bare runtime has, too.
impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.0.resolve(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        Host::act(&mut self.0, call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        Host::query(&mut self.0, call)
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        Host::act_all(&mut self.0, batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        Host::query_all(&mut self.0, batch, out);
    }
}

/// Form of the functions that trees call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    Host,
    Systems,
    Components,
}

fn bind(app: &mut App, leaves: Leaves) {
    if leaves == Leaves::Host {
        app.behavior_host::<Game>();
        return;
    }
    let with_components = leaves == Leaves::Components;
    for (index, action) in ACTIONS.iter().enumerate() {
        if with_components {
            app.behavior_action(
                action.name,
                move |it: Act, mut game: ResMut<Game>, places: Query<&Place>| {
                    look(it.entities(), &places);
                    act(it, index, &mut game.0);
                },
            );
        } else {
            app.behavior_action(action.name, move |it: Act, mut game: ResMut<Game>| {
                act(it, index, &mut game.0);
            });
        }
    }
    for (index, query) in QUERIES.iter().enumerate() {
        if with_components {
            app.behavior_query(query.name, move |it: Ask, mut game: ResMut<Game>, places: Query<&Place>| {
                look(it.entities(), &places);
                ask(it, index, &mut game.0);
            });
        } else {
            app.behavior_query(query.name, move |it: Ask, mut game: ResMut<Game>| {
                ask(it, index, &mut game.0);
            });
        }
    }
}

/// Bots as entities.
struct Entities(App);

impl Entities {
    fn new(leaves: Leaves) -> Self {
        let mut app = App::new();
        app.add_plugins((
            TaskPoolPlugin::default(),
            AssetPlugin::default(),
            PleachPlugin::in_schedule(Update),
        ));
        app.insert_resource(Game(World::new(AGENTS, 0)));
        bind(&mut app, leaves);
        let handle = app.world_mut().resource_mut::<Assets<Trees>>().add(Trees::new(trees::bot_image()));
        for index in 0..AGENTS {
            app.world_mut().spawn((Place([index as f32, 0.0, 0.0]), Behavior::new(&handle, trees::BOT)));
        }
        app.finish();
        app.cleanup();
        Self(app)
    }
}

impl Measured for Entities {
    fn agents(&self) -> usize {
        AGENTS
    }

    fn advance(&mut self, frame: u32) {
        let world = self.0.world_mut();
        world.resource_mut::<Game>().0.advance(frame);
        let now = world.resource::<Game>().0.now();
        world.insert_resource(Now(now.into()));
    }

    fn tick(&mut self) -> Counts {
        self.0.update();
        let tally = self.0.world().resource::<Crowds>().tally();
        assert_eq!(tally.total() as usize, AGENTS, "all entities are ticked");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }

    fn digest(&self) -> u64 {
        self.0.world().resource::<Game>().0.digest()
    }
}

fn systems() -> [Named; 4] {
    [
        Named::new("bare", Role::Engine, Bots::<false>::new(AGENTS, 0, Engine::Auto)),
        Named::new("host", Role::Engine, Entities::new(Leaves::Host)),
        Named::new("systems", Role::Engine, Entities::new(Leaves::Systems)),
        Named::new("components", Role::Engine, Entities::new(Leaves::Components)),
    ]
}

/// Checks that all systems have the same results, frame by frame.
fn compare() {
    let mut all = systems();
    for frame in 0..COMPARED {
        let came_to = all.each_mut().map(|named| {
            named.system.advance(frame);
            (named.system.tick(), named.system.digest())
        });
        assert!(came_to.iter().all(|it| *it == came_to[0]), "frame {frame}: {came_to:?}");
    }
}

fn main() {
    compare();
    let mut runners = systems().map(Runner::new);
    runners.iter_mut().for_each(|runner| runner.warm_up(WARM_UP));
    for _ in 0..REPETITIONS {
        runners.iter_mut().for_each(Runner::repeat);
    }
    let [bare, others @ ..] = &runners;
    println!("# bare: {:.1} ns for an agent's tick", bare.nanos());
    for other in others {
        println!("# {}: {:.1} ns", other.name, other.nanos());
        println!("BEVY {} {AGENTS} {:.3}", other.name, other.nanos() / bare.nanos());
    }
}

#[test]
fn entities_do_what_agents_of_a_bare_crowd_do() {
    compare();
}
