//! Durations are right at times beyond 32 bits, and through every change of a crowd between begin
//! and end.
//!
//! The conformance cases `time` test each kind of node at such times, on every engine and through
//! the C API.

use pleach::Status;
use pleach::engine::Engine;
use pleach::engine::Vectors;
use pleach::record::{Recorder, Replay};
use pleach::state::ReloadPolicy;
use pleach::state::StateFault;
use pleach::watch::Traces;
use pleach::{Agent, Bindings, Crowd, Group, Image, Outcome, Program};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_tests::own;
use pleach_tests::random::rebuilt::rebuilt;

/// Times at which 32-bit numbers or epochs end.
const BORDERS: [i64; 8] = [-1 << 40, -1 << 31, 0, 1 << 31, 3 << 30, 1 << 32, 1 << 40, 1_700_000_000_000];

const DURATIONS: [i64; 4] = [2, 1000, (1 << 31) - 2, (1 << 31) - 1];

/// Returns a build of a tree that waits, and a build of this tree with more slots.
fn builds(duration: i64) -> [Image; 2] {
    let text = format!("tree main {{ sequence {{ wait {duration} ms success }} }}");
    let mut module = own::module(&[(own::MAIN.to_owned(), text)].into()).expect("it is right");
    let image = |module: &Module| {
        Image::copy(&emit::emit(module, "time", None).expect("it is small")).expect("it is sound")
    };
    let first = image(&module);
    rebuilt(&mut module);
    [first, image(&module)]
}

fn link(image: &Image) -> Program {
    Program::link(image, &host()).expect("it needs no function")
}

fn host() -> Bindings<()> {
    Bindings::new(())
}

fn engines() -> impl Iterator<Item = Engine> {
    [Engine::Auto, Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch))
}

/// Creates a crowd whose agents begin to wait at this time.
fn begun(program: &Program, engine: Engine, agents: usize, now: i64) -> (Crowd, Vec<Agent>) {
    let mut crowd = Crowd::new(program).with_engine(engine);
    let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    crowd.tick(now, &mut host());
    (crowd, agents)
}

/// Checks that all agents wait until a time, and no longer.
#[track_caller]
fn end_at(crowd: &mut Crowd, due: i64, what: &str) {
    let agents = crowd.len() as u32;
    let early = crowd.tick(due - 1, &mut host());
    assert_eq!((early.running, early.success), (agents, 0), "{what}, one before {due}");
    let late = crowd.tick(due, &mut host());
    assert_eq!((late.running, late.success), (0, agents), "{what}, at {due}");
}

/// Calls a function for times around each border and each duration.
fn at_borders(mut check: impl FnMut(i64, i64)) {
    for border in BORDERS {
        for duration in DURATIONS {
            for begun in [border - duration / 2, border - 1, border, border + 1] {
                check(begun, duration);
            }
        }
    }
}

#[test]
fn durations_are_kept_by_every_engine_for_any_number_of_agents() {
    for engine in engines() {
        for agents in [1, 3, 40, 300] {
            at_borders(|now, duration| {
                let (mut crowd, _) = begun(&link(&builds(duration)[0]), engine, agents, now);
                // Epochs change in the middle and at the ends.
                crowd.tick(now + duration / 2, &mut host());
                end_at(&mut crowd, now + duration, &format!("{engine:?}, {agents} agents"));
            });
        }
    }
}

#[test]
fn durations_are_kept_by_parts_budgets_paces_and_watched_agents() {
    at_borders(|now, duration| {
        let [image, _] = &builds(duration);
        let (program, middle) = (&link(image), now + duration / 2);
        let (mut crowd, _) = begun(program, Engine::Auto, 600, now);
        crowd.parts(3).for_each(|mut part| _ = part.tick(middle, &mut host()));
        crowd.end_tick(middle, &mut host());
        end_at(&mut crowd, now + duration, "parts");
        let (mut crowd, _) = begun(program, Engine::Auto, 600, now);
        while !crowd.tick_within(middle, &mut host(), 1).ended {}
        end_at(&mut crowd, now + duration, "a budget");
        let (mut crowd, agents) = begun(program, Engine::Auto, 30, now);
        let mut traces = Traces::new(image);
        traces.watch(agents[7], pleach::watch::TraceCapacity { rows: 100, text: 100 });
        crowd.tick_watched(middle, &mut host(), &mut traces);
        end_at(&mut crowd, now + duration, "watched agents");
        let (mut crowd, agents) = begun(program, Engine::Auto, 30, now);
        agents.iter().for_each(|agent| crowd.sleep(*agent).expect("it is there"));
        crowd.tick(middle, &mut host());
        agents.iter().for_each(|agent| crowd.wake(*agent).expect("it is there"));
        end_at(&mut crowd, now + duration, "agents that slept");
        let (mut crowd, agents) = begun(program, Engine::Auto, 2, now);
        let due = now + duration;
        for (agent, time, status) in
            [(0, middle, Status::Running), (0, due - 1, Status::Running), (0, due, Status::Success)]
        {
            let outcome = crowd.tick_agent(agents[agent], time, &mut host(), &mut ());
            assert_eq!(outcome, Ok(Outcome::Status(status)), "one agent at {time}");
        }
        crowd.despawn(agents[0], due, &mut host()).expect("it is there");
        let tally = crowd.tick(due, &mut host());
        assert_eq!((tally.running, tally.success), (0, 1), "the other agent");
    });
}

#[test]
fn durations_are_kept_over_snapshots_and_reloads() {
    at_borders(|now, duration| {
        let [first, second] = &builds(duration).map(|image| link(&image));
        let (middle, due) = (now + duration / 2, now + duration);
        let (mut crowd, _) = begun(first, Engine::Auto, 300, now);
        let (mut state, mut again) = (Vec::new(), Vec::new());
        crowd.snapshot(&mut state);
        let mut same = Crowd::new(first);
        same.restore(&state).expect("it was just saved");
        same.snapshot(&mut again);
        assert!(state == again && same.inspect().digest() == crowd.inspect().digest());
        same.tick(middle, &mut host());
        same.snapshot(&mut state);
        end_at(&mut same, due, "a snapshot");
        // This crowd has another clock and another build.
        let (mut other, _) = begun(second, Engine::Auto, 3, middle - (5 << 30));
        other.migrate(&state).expect("all is still there");
        end_at(&mut other, due, "another build");
        same.restore(&state).expect("it was just saved");
        same.reload(second, ReloadPolicy::Places, middle, &mut host()).expect("all is still there");
        end_at(&mut same, due, "a reload");
    });
}

#[test]
fn durations_are_kept_by_agents_that_move() {
    at_borders(|now, duration| {
        let [first, second] = &builds(duration).map(|image| link(&image));
        let (middle, due) = (now + duration / 2, now + duration);
        let (mut crowd, agents) = begun(first, Engine::Auto, 3, now);
        crowd.tick(middle, &mut host());
        let mut state = Vec::new();
        crowd.save_agent(agents[1], &mut state).expect("it is there");
        // A new crowd, one whose agents began at the same time, and one of another build.
        let (mut empty, mut full) = (Crowd::new(first), begun(first, Engine::Auto, 4, now).0);
        let mut other = begun(second, Engine::Auto, 4, now).0;
        for to in [&mut empty, &mut full, &mut other] {
            let moved = to.load_agent(&state, Group::default()).expect("there is room");
            assert_eq!(to.outcome(moved), Ok(Some(Outcome::Status(Status::Running))));
            end_at(to, due, "an agent that moved");
        }
    });
}

#[test]
fn a_state_is_as_ever_as_long_as_times_have_32_bits() {
    let program = &link(&builds(1000)[0]);
    let length = |now| {
        let (mut state, mut agent) = (Vec::new(), Vec::new());
        let (mut crowd, agents) = begun(program, Engine::Auto, 3, now);
        crowd.snapshot(&mut state);
        crowd.save_agent(agents[0], &mut agent).expect("it is there");
        (state.len(), agent.len())
    };
    let (crowd, agent) = length(0);
    assert_eq!(length((1 << 31) - 1), (crowd, agent));
    for now in [1 << 31, 1 << 40, -1] {
        assert_eq!(length(now), (crowd + 8, agent + 8), "{now}");
    }
}

#[test]
fn epochs_of_agents_are_checked() {
    let program = &link(&builds(1000)[0]);
    let (crowd, agents) = begun(program, Engine::Auto, 1, 1 << 40);
    let mut state = Vec::new();
    crowd.save_agent(agents[0], &mut state).expect("it is there");
    let at = state.len() - 8;
    for epoch in [0, 1, -1, -1 << 30, i64::MIN + 1, i64::MAX] {
        state[at..].copy_from_slice(&i64::to_le_bytes(epoch));
        let error = Crowd::new(program).load_agent(&state, Group::default()).expect_err("it is none");
        assert_eq!((error.fault, error.at), (StateFault::Epoch, at), "{epoch}");
    }
    for epoch in [i64::MIN, -1 << 31, 1 << 30, 1 << 40, i64::MAX - ((2 << 30) - 1)] {
        state[at..].copy_from_slice(&i64::to_le_bytes(epoch));
        let mut crowd = Crowd::new(program);
        crowd.load_agent(&state, Group::default()).expect("some time has it");
        for now in [i64::MIN, 0, i64::MAX] {
            crowd.tick(now, &mut host());
        }
    }
}

/// An agent with another clock joins a crowd, which keeps its clock.
#[test]
fn an_agent_that_comes_ends_no_timers_of_others() {
    let program = &link(&builds(1000)[0]);
    for (here, there) in [(5, 1 << 40), (1 << 40, 5), (5, i64::MAX - 9), (-1 << 40, 1 << 40)] {
        let (crowd, agents) = begun(program, Engine::Auto, 1, there);
        let mut state = Vec::new();
        crowd.save_agent(agents[0], &mut state).expect("it is there");
        let (mut crowd, agents) = begun(program, Engine::Auto, 1, here);
        crowd.load_agent(&state, Group::default()).expect("there is room");
        for (now, status) in [(here + 999, Status::Running), (here + 1000, Status::Success)] {
            let outcome = crowd.tick_agent(agents[0], now, &mut host(), &mut ());
            assert_eq!(outcome, Ok(Outcome::Status(status)), "{here}, {there}");
        }
    }
}

/// Replays give the recorded answers and times in order, so each wait ends in its recorded tick.
#[test]
fn durations_are_kept_by_replays() {
    at_borders(|now, duration| {
        let [image, _] = &builds(duration);
        let (mut crowd, mut recorder) = (Crowd::new(&link(image)), Recorder::new(image, &host()));
        (0..3).for_each(|_| _ = crowd.spawn("main").expect("there is room"));
        let mut digests = Vec::new();
        for time in [now, now + duration / 2, now + duration - 1, now + duration, now, now + 1] {
            crowd.tick(time, &mut recorder.around(&mut host()));
            digests.push((crowd.inspect().digest(), crowd.agents().next().map(|agent| crowd.outcome(agent))));
        }
        let mut replay = Replay::open(recorder.finish()).expect("it is one");
        for expected in &digests {
            assert!(replay.tick().expect("it is whole"));
            let crowd = replay.crowd();
            let found = (crowd.inspect().digest(), crowd.agents().next().map(|agent| crowd.outcome(agent)));
            assert_eq!(found, *expected, "begun at {now}, {duration}");
        }
        replay.seek(2).expect("it has been there");
        assert_eq!(replay.crowd().inspect().digest(), digests[1].0);
    });
}

/// A timer moves with its agent to a chunk of another tree.
#[test]
fn a_cooldown_goes_with_an_agent_that_is_switched() {
    let text = "tree main { cooldown 1000 ms { success } }  tree other { running }";
    let module = own::module(&[(own::MAIN.to_owned(), text.to_owned())].into()).expect("it is right");
    let image = Image::copy(&emit::emit(&module, "time", None).expect("it is small")).expect("it is sound");
    for now in BORDERS.into_iter().flat_map(|border| [border - 1, border, border + 1]) {
        let (mut crowd, agents) = begun(&link(&image), Engine::Auto, 1, now);
        crowd.spawn("other").expect("there is room");
        // The chunk of the other tree has not been ticked for a long time.
        crowd.switch(agents[0], "other", now + 1, &mut host()).expect("it is there");
        crowd.switch(agents[0], "main", now + 2, &mut host()).expect("it is there");
        for (time, status) in [(now + 999, Status::Failure), (now + 1000, Status::Success)] {
            let outcome = crowd.tick_agent(agents[0], time, &mut host(), &mut ());
            assert_eq!(outcome, Ok(Outcome::Status(status)), "begun at {now}, at {time}");
        }
    }
}
