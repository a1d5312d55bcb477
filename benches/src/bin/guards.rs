//! Crowds of small guards with leaves in Rust, to compare with those of `python/benches/guards.py`.
//!
//! ```console
//! $ cargo run -q --release -p pleach-benches --bin guards
//! ```
//!
//! The leaves are those of the program in Python: scripted ones, which draw from a hash, and ones
//! that move a guard and take a round from its magazine. Each is asked for one agent and for many.
//! A line has the least time of all rounds for an agent's tick.

use pleach::{Agent, Batch, Bindings, Call, Crowd, Image, Program, Status, Variable};
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile, dialect};
use pleach_image::splitmix::mix;
use std::time::Instant;

const TREE: &str = include_str!("../../trees/small_guard.pleach");
const AGENTS: usize = 10_000;
const TICKS: usize = 200;
const ROUNDS: usize = 5;
/// Milliseconds from one tick to the next.
const STEP: i64 = 50;

/// Binds the leaves of a kind.
type Bind = fn(&mut Bindings<World>);

/// Knowledge of the leaves.
struct World {
    now: i64,
    places: Vec<f64>,
    ammo: Option<Variable>,
}

impl World {
    /// Takes a step to the end of the way, which is 8 long.
    fn walk(&mut self, agent: Agent) -> Status {
        let place = &mut self.places[agent.index()];
        *place += 0.125;
        if *place < 8.0 {
            return Status::Running;
        }
        *place = 0.0;
        Status::Success
    }

    fn ammo(&self) -> Variable {
        self.ammo.expect("the tree has it")
    }
}

/// Returns the seed of all draws for the calls of a node at one time.
fn seed(node: u32, function: u32, now: i64) -> u64 {
    mix(mix(mix(1) ^ (u64::from(node) << 32 | u64::from(function))) ^ now as u64)
}

/// Returns success with a chance of 1 of 64.
fn drawn(seed: u64, agent: Agent) -> Status {
    let draw = (mix(seed ^ agent.index() as u64) >> 11) as f64 / (1_u64 << 53) as f64;
    if draw < 1.0 / 64.0 { Status::Success } else { Status::Running }
}

fn scripted(host: &mut Bindings<World>) {
    host.action("shoot", |_, _| Status::Success);
    host.action("walk", |world, call| drawn(seed(call.node, call.function, world.now), call.agent));
}

fn scripted_for_many(host: &mut Bindings<World>) {
    host.action_all("shoot", |_, _, out| out.fill(Status::Success));
    host.action_all("walk", |world, batch, out| {
        let seed = seed(batch.node, batch.function, world.now);
        batch.agents().zip(out).for_each(|(agent, out)| *out = drawn(seed, agent));
    });
}

fn leaves(host: &mut Bindings<World>) {
    host.action("shoot", |world, call: &mut Call<'_>| {
        let left = call.number(world.ammo()).expect("the tree has it") - 1.0;
        call.set_number(world.ammo(), left).expect("the tree has it");
        Status::Success
    });
    host.action("walk", |world, call| world.walk(call.agent));
}

fn leaves_for_many(host: &mut Bindings<World>) {
    host.action_all("shoot", |world, batch: &mut Batch<'_>, out| {
        let lanes = batch.lanes();
        let ammo = batch.column_mut::<i32>(world.ammo()).expect("the tree has it");
        lanes.iter().for_each(|lane| ammo[usize::from(*lane)] -= 1);
        out.fill(Status::Success);
    });
    host.action_all("walk", |world, batch, out| {
        batch.agents().zip(out).for_each(|(agent, out)| *out = world.walk(agent));
    });
}

/// Returns the least time of an agent's tick, in nanoseconds.
fn least(image: &Image, bind: Bind) -> f64 {
    let mut host = Bindings::new(World { now: 0, places: vec![0.0; AGENTS], ammo: None });
    bind(&mut host);
    let program = Program::link(image, &host).expect("the host has both actions");
    host.world_mut().ammo = program.variable("ammo");
    let visible = program.variable("visible").expect("the tree has it");
    let mut crowd = Crowd::new(&program).with_seed(1);
    for index in 0..AGENTS {
        let agent = crowd.spawn("guard").expect("the tree is there");
        crowd.set(agent, visible, index % 3 == 0).expect("it is a truth");
    }
    let mut round = || {
        let start = Instant::now();
        for _ in 0..TICKS {
            host.world_mut().now += STEP;
            let now = host.world().now;
            crowd.tick(now, &mut host);
        }
        start.elapsed().as_secs_f64() * 1e9 / (AGENTS * TICKS) as f64
    };
    (0..ROUNDS).map(|_| round()).fold(f64::MAX, f64::min)
}

fn main() {
    let dialect = dialect::by_name("pleach").expect("the dialect");
    let texts = Texts::of("guard", "pleach", TREE.as_bytes());
    let (manifest, entries) = (dialect.own_manifest(), ["guard".to_owned()]);
    let done = compile(&texts, Request { dialect, manifest: &manifest, entries: &entries, debug: false });
    let image = Image::copy(&done.image.expect("the tree is right")).expect("a compiled image is right");
    let kinds: [(&str, Bind); 4] = [
        ("scripted", scripted),
        ("scripted, for many", scripted_for_many),
        ("leaves", leaves),
        ("leaves, for many", leaves_for_many),
    ];
    for (name, bind) in kinds {
        println!("{name:20} {:10.2} ns for a tick of one agent", least(&image, bind));
    }
}
