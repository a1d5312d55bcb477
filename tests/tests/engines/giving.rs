//! Values that actions give for one agent and in columns come to the same, and have every bit.

use pleach::engine::{Engine, Vectors};
use pleach::values::Args;
use pleach::{Agent, Bindings, Crowd, EntityId, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_tests::own;

const TREE: &str = "action find(range: float, out who: entity<Enemy>, out away: double, out seen: bool)
    query leader: entity<Enemy>
    var target: entity<Enemy> var away: double var seen: bool
    tree main { selector { action find(20.0, target, away, seen) set target = leader } }";
const AGENTS: usize = 300;

/// Returns what an agent finds.
fn found(agent: Agent, now: i64) -> (EntityId, f64, Status) {
    let number = agent.index() as u64 * 7 + now as u64 * 3;
    let status = [Status::Failure, Status::Success, Status::Running][number as usize % 3];
    (EntityId(u64::MAX - number), number as f64 / 10.0, status)
}

fn host() -> Bindings<()> {
    let mut host = Bindings::new(());
    host.query("leader", |_, call| {
        call.answer(EntityId(1 << 63 | call.agent.index() as u64)).expect("a query of entities")
    });
    host
}

fn one_by_one() -> Bindings<()> {
    let mut host = host();
    host.action("find", |_, call| {
        let (who, away, status) = found(call.agent, call.now);
        call.give(1, who).expect("an entity");
        call.give(2, away).expect("a double");
        call.give(3, call.now % 2 == 0).expect("a bool");
        assert!(call.give(0, 1.0_f32).is_err(), "an argument that is not out");
        assert!(call.give(1, 1_i64).is_err(), "a value of another type");
        assert!(call.give(4, 1_i64).is_err(), "a place behind all arguments");
        status
    });
    host
}

fn in_columns() -> Bindings<()> {
    let mut host = host();
    host.action_all("find", |_, batch, out| {
        let now = batch.now;
        for (index, out) in out.iter_mut().enumerate() {
            let (lane, agent) = (usize::from(batch.lanes()[index]), batch.agent(index).expect("an agent"));
            let (who, away, status) = found(agent, now);
            batch.give::<EntityId>(1).expect("entities")[lane] = who;
            batch.give::<f64>(2).expect("doubles")[lane] = away;
            batch.call(index).expect("an agent").give(3, now % 2 == 0).expect("a bool");
            *out = status;
        }
        assert!(batch.give::<f32>(0).is_err(), "an argument that is not out");
        assert!(batch.give::<i64>(1).is_err(), "a value of another type");
    });
    host
}

/// Returns what the agents hold after each tick.
fn run(mut host: Bindings<()>, engine: Engine) -> Vec<(EntityId, u64, bool)> {
    let files = [("main.pleach".to_owned(), TREE.to_owned())].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let program = Program::link(&image, &host).expect("all functions are there");
    let variable = |name| program.variable(name).expect("it is declared");
    let (target, away, seen) = (variable("target"), variable("away"), variable("seen"));
    let mut crowd = Crowd::new(&program).with_engine(engine);
    let agents: Vec<_> = (0..AGENTS).map(|_| crowd.spawn("main").expect("there is room")).collect();
    let mut held = Vec::new();
    for now in 0..20 {
        assert_eq!(crowd.tick(now, &mut host).faults, 0);
        for agent in &agents {
            let away = crowd.get::<f64>(*agent, away).expect("a double").to_bits();
            held.push((
                crowd.get(*agent, target).expect("an entity"),
                away,
                crowd.get(*agent, seen).expect("a bool"),
            ));
        }
    }
    held
}

#[test]
fn values_given_for_one_and_for_many_come_to_the_same() {
    let must = run(one_by_one(), Engine::Scalar);
    let leaders = must.iter().filter(|(who, ..)| who.0 >> 32 == 1 << 31).count();
    let targets = must.iter().filter(|(who, ..)| who.0 >> 32 == u64::MAX >> 32).count();
    assert!(leaders > AGENTS && targets > AGENTS, "{leaders} {targets}");
    assert!(must.iter().any(|(.., seen)| *seen) && must.iter().any(|(.., seen)| !seen));
    let batch = Engine::Batch(Vectors::Avx512);
    for (host, engine) in [(one_by_one(), batch), (in_columns(), batch), (in_columns(), Engine::Scalar)] {
        assert_eq!(run(host, engine), must);
    }
}

#[test]
fn calls_say_which_arguments_are_variables_for_any_number_of_agents() {
    let text = "action walk(post: int, speed: float) var post: int = 7 tree main { action walk(post, 0.5) }";
    let files = [("main.pleach".to_owned(), text.to_owned())].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let engines = [Engine::Scalar, Engine::Auto, Engine::Batch(Vectors::Portable)];
    for (engine, agents) in engines.into_iter().flat_map(|engine| [1, 4, AGENTS].map(|it| (engine, it))) {
        let mut host = Bindings::new(0);
        host.action_all("walk", |asked, batch, _| {
            let told = |args: &Args<'_>| [0, 1, 2].map(|place| args.is_variable(place));
            assert_eq!(told(&batch.args), [true, false, false]);
            for index in 0..batch.len() {
                let call = batch.call(index).expect("an agent");
                assert_eq!((told(&call.args), call.args.int(0)), ([true, false, false], 7));
                *asked += 1;
            }
        });
        let program = Program::link(&image, &host).expect("all functions are there");
        let mut crowd = Crowd::new(&program).with_engine(engine);
        (0..agents).for_each(|_| _ = crowd.spawn("main").expect("there is room"));
        assert_eq!(crowd.tick(0, &mut host).faults, 0);
        assert_eq!(*host.world(), agents, "{engine:?}");
    }
}
