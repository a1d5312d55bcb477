//! Cost of watching: instructions of ticks with and without it.
//!
//! Noise makes a percent hard to see in times, so this program is for a simulator that counts:
//!
//! ```console
//! $ cargo build --release -p pleach-benches --bin watched
//! $ valgrind --tool=callgrind target/release/watched 10000 20 batch 10
//! ```
//!
//! Its arguments: agents, ticks, the engine (`scalar` or `batch`), and how many of the agents are
//! traced. The difference between two runs with other ticks is what these took. On the tree below,
//! 10 of 10,000 agents that are traced cost 3 percent in batches and 5 percent on the scalar
//! engine; none cost nothing, as the engines are compiled without the calls then.

use pleach::engine::{Engine, Vectors};
use pleach::watch::{TraceCapacity, Traces};
use pleach::{Agent, Call, Crowd, Function, Host, Image, Program, Status};
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile, dialect};

const TREE: &str = "
action fight() action roam() action heal() query near: float
var health: float = 100.0 var ammo: int = 5 var alert: bool
tree main {
    reactive selector {
        if health < 30.0 { action heal }
        if alert && ammo > 0 { sequence { condition near < 3.0 action fight } }
        sequence { wait 3 ticks action roam }
    }
}";

/// Answers by a small generator.
struct Game(u64);

impl Game {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 60
    }
}

impl Host for Game {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        [Status::Failure, Status::Success, Status::Running, Status::Running][self.draw() as usize % 4]
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        (self.draw() % 8) as f64
    }
}

fn image() -> Image {
    let dialect = dialect::by_name("pleach").expect("the dialect exists");
    let (manifest, entries) = (dialect.own_manifest(), ["main".to_owned()]);
    let library = Texts::of("main", "pleach", TREE);
    let done = compile(&library, Request { dialect, manifest: &manifest, entries: &entries, debug: true });
    Image::copy(&done.image.expect("the tree is right")).expect("the compiler's images are")
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|arg| arg.parse::<usize>().ok());
    let (Some(agents), Some(ticks), Some(watched)) = (number(0), number(1), number(3)) else {
        eprintln!("usage: watched AGENTS TICKS scalar|batch WATCHED");
        return;
    };
    let (image, mut game) = (image(), Game(1));
    let program = Program::link(&image, &game).expect("the host has all");
    let batch = Engine::Batch(Vectors::all().last().unwrap_or(Vectors::Portable));
    let mut crowd = Crowd::new(&program).with_engine(if args[2] == "batch" { batch } else { Engine::Scalar });
    let crowd_of: Vec<Agent> = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    let find = |name| program.variable(name).expect("it is declared");
    let (health, alert) = (find("health"), find("alert"));
    for (index, agent) in crowd_of.iter().enumerate() {
        crowd.set(*agent, health, (index % 100) as f32).expect("it is a float");
        crowd.set(*agent, alert, index % 3 == 0).expect("it is a bool");
    }
    let mut traces = Traces::new(&image);
    for agent in crowd_of.iter().step_by(agents.checked_div(watched).unwrap_or(agents).max(1)).take(watched) {
        traces.watch(*agent, TraceCapacity::default());
    }
    let mut running = 0_u64;
    for now in 0..ticks as i64 {
        let tally = match watched {
            0 => crowd.tick(now * 50, &mut game),
            _ => crowd.tick_watched(now * 50, &mut game, &mut traces),
        };
        running += u64::from(tally.running);
    }
    println!("{running} ticks of agents went on");
}
