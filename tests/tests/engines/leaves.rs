//! Host functions for one agent, for several agents, and with answers in columns give equal
//! results.

use pleach::engine::{Engine, TickOrder, Vectors};
use pleach::host::Effect;
use pleach::{Agent, Bindings, Call, Crowd, Image, Program, Status, Variable};
use pleach_compile::internals::emit;
use pleach_tests::own;

const TREE: &str = "action step(by: int) action rest()
    query distance: float query near: bool query other: int
    var place: int
    tree main
    {
        selector
        {
            sequence { condition near && distance < 4.0 action step(2) }
            sequence { condition distance < 9.0 || other != 3 action step(place) }
            action rest
        }
    }";
const AGENTS: usize = 300;

fn image() -> Image {
    let files = [("main.pleach".to_owned(), TREE.to_owned())].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right")
}

/// Returns the distance of an agent, and true if it is near.
fn senses(agent: Agent, tick: i64) -> (f32, bool) {
    let number = agent.index() * 7 + tick as usize * 3;
    ((number % 13) as f32, number % 5 < 3)
}

fn came_to(place: i32) -> Status {
    match place.rem_euclid(4) {
        0 => Status::Failure,
        1 => Status::Success,
        _ => Status::Running,
    }
}

/// Game that knows the variable after the program is linked.
#[derive(Default)]
struct Game {
    place: Option<Variable>,
    calls: usize,
}

fn step(game: &mut Game, call: &mut Call<'_>) -> Status {
    let place = game.place.expect("it has been linked");
    let there = call.get::<i32>(place).expect("an integer").wrapping_add(call.args.int(0));
    call.set(place, there).expect("an integer");
    came_to(there)
}

fn one_by_one() -> Bindings<Game> {
    let mut host = Bindings::new(Game::default());
    host.action("step", |game: &mut Game, call| {
        game.calls += 1;
        step(game, call)
    });
    host.action("rest", |_, call| came_to(call.agent.index() as i32));
    host.query("distance", |_, call| senses(call.agent, call.now).0);
    host.query("near", |_, call| senses(call.agent, call.now).1);
    host.query("other", |_, call| call.agent.index() as u32 % 5);
    host
}

fn all_at_once() -> Bindings<Game> {
    let mut host = Bindings::new(Game::default());
    host.action_all("step", |game: &mut Game, batch, out| {
        game.calls += 1;
        for (index, out) in out.iter_mut().enumerate() {
            // One argument is a variable, which differs between agents.
            let by = batch.call(index).expect("an agent").args.int(0);
            let lane = usize::from(batch.lanes()[index]);
            let places = batch.column_mut::<i32>(game.place.expect("it has been linked")).expect("integers");
            places[lane] = places[lane].wrapping_add(by);
            *out = came_to(places[lane]);
        }
    });
    host.action_all("rest", |_, batch, out| {
        for (index, out) in out.iter_mut().enumerate() {
            *out = came_to(batch.agent(index).expect("an agent").index() as i32);
        }
    });
    host.query_all("distance", |_, batch, out| {
        for (index, out) in out.iter_mut().enumerate() {
            *out = senses(batch.agent(index).expect("an agent"), batch.now).0.into();
        }
    });
    host.query_all("near", |_, batch, out| {
        for (index, out) in out.iter_mut().enumerate() {
            *out = senses(batch.agent(index).expect("an agent"), batch.now).1.into();
        }
    });
    host.query("other", |_, call| call.agent.index() as u32 % 5);
    host
}

/// Returns a host without functions for answers in columns, because these are never called.
fn in_columns() -> Bindings<Game> {
    let mut host = one_by_one();
    host.column::<f32>("distance").column::<bool>("near").column::<i8>("other");
    host
}

/// Returns the results of agents, tick by tick, and the number of calls of `step`.
fn run(mut host: Bindings<Game>, engine: Engine) -> (Vec<(Status, f64)>, usize) {
    let program = Program::link(&image(), &host).expect("all functions are there");
    let place = program.variable("place").expect("it is declared");
    host.world_mut().place = Some(place);
    let columns = ["distance", "near", "other"].map(|name| program.variable(name));
    let mut crowd = Crowd::new(&program).with_engine(engine);
    let agents: Vec<_> = (0..AGENTS).map(|_| crowd.spawn("main").expect("there is room")).collect();
    let mut came_to = Vec::new();
    for tick in 0..20 {
        for agent in &agents {
            let (distance, near) = senses(*agent, tick);
            let numbers = [distance.into(), near.into(), (agent.index() % 5) as f64];
            for (column, number) in columns.iter().zip(numbers) {
                let set = column.map(|column| crowd.set_number(*agent, column, number));
                assert!(matches!(set, None | Some(Ok(()))));
            }
        }
        crowd.tick(tick, &mut host);
        for agent in &agents {
            let Ok(Some(pleach::Outcome::Status(status))) = crowd.outcome(*agent) else { panic!("a fault") };
            came_to.push((status, crowd.number(*agent, place).expect("an integer")));
        }
    }
    (came_to, host.world().calls)
}

#[test]
fn leaves_for_one_for_many_and_in_columns_come_to_the_same() {
    let (must, calls) = run(one_by_one(), Engine::Scalar);
    for status in [Status::Failure, Status::Success, Status::Running] {
        assert!(must.iter().any(|(it, _)| *it == status), "nobody comes to {status:?}");
    }
    for engine in [Engine::Scalar, Engine::Auto].into_iter().chain(Vectors::all().map(Engine::Batch)) {
        let hosts = [one_by_one(), all_at_once(), in_columns()];
        for (kind, host) in hosts.into_iter().enumerate() {
            assert_eq!(run(host, engine).0, must, "host {kind} on {engine:?}");
        }
    }
    let (_, batched) = run(all_at_once(), Engine::Batch(Vectors::Avx512));
    assert!(batched * 20 < calls, "{batched} calls instead of {calls}");
}

#[test]
fn calls_for_many_come_in_the_order_of_their_places() {
    let files = [(
        "main.pleach".to_owned(),
        "action go() query near: bool query far: bool
        tree main { sequence { selector { sequence { condition near action go } condition far } action go } }"
            .to_owned(),
    )];
    let (module, _) = own::with_sources(&files.into()).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut host = Bindings::new(Vec::new());
    host.action_all("go", |places: &mut Vec<u32>, batch, out| {
        places.push(batch.place);
        out.fill(Status::Success);
    });
    for (name, modulus) in [("near", 2), ("far", 3)] {
        host.query_all(name, move |places, batch, out| {
            places.push(batch.place);
            for (agent, out) in batch.agents().zip(out) {
                *out = f64::from(u8::from(agent.index() % modulus == 0));
            }
        });
    }
    let program = Program::link(&image, &host).expect("all functions are there");
    let mut places = |engine| {
        let mut crowd = Crowd::new(&program).with_engine(engine);
        for _ in 0..200 {
            crowd.spawn("main").expect("there is room");
        }
        host.world_mut().clear();
        crowd.tick(0, &mut host);
        host.world().clone()
    };
    for vectors in Vectors::all() {
        let places = places(Engine::Batch(vectors));
        assert_eq!(places.len(), 4, "near, go, far, go");
        assert!(places[0] > 0 && places.is_sorted_by(|one, next| one < next), "{places:?}");
    }
    assert!(places(Engine::Scalar).iter().all(|place| *place == 0), "one by one");
}

#[test]
fn a_column_that_no_variable_declares_is_a_variable_more() {
    let files = [(
        "main.pleach".to_owned(),
        "var far: bool query far2: bool tree main { condition far && far2 }".to_owned(),
    )];
    let (module, _) = own::with_sources(&files.into()).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut host = Bindings::new(());
    host.column::<bool>("far2");
    let program = Program::link(&image, &host).expect("all functions are there");
    let (far, far2) = (program.variable("far"), program.variable("far2"));
    assert!(far.is_some() && far2.is_some() && far != far2);
}

#[test]
fn bindings_say_what_answers_depend_on() {
    let mut host = one_by_one();
    let order =
        |host: &Bindings<Game>| Program::link(&image(), host).expect("all functions are there").order();
    assert_eq!(order(&host), TickOrder::Any);
    host.effect("near", Effect::Pure);
    assert_eq!(order(&host), TickOrder::Any);
    host.effect("step", Effect::World);
    assert_eq!(order(&host), TickOrder::ByIndex);
}
