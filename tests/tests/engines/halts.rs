//! Halts of waiting leaves end the nodes around the leaves: host nodes are told, and cleanups run.
//!
//! Large crowds are ticked step by step, small crowds agent by agent, so each test has both.

use pleach::engine::{Engine, Vectors};
use pleach::{Bindings, Crowd, EventTarget, Halt, Image, Outcome, Program, Status};
use pleach_compile::dialect;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};

/// Calls of each agent's host node: `None` when it begins, then the reason of each halt.
type Told = Vec<Vec<Option<Halt>>>;

const AGENTS: [usize; 3] = [1, 30, 300];

const GUARDED: &str = "<BehaviorTree>
  <Variables><Variable name='Alarmed'/></Variables>
  <SignalVariables><Signal name='alarm' variable='Alarmed' value='true'/></SignalVariables>
  <Root><Priority>
    <Case condition='Alarmed'><Wait duration='9'/></Case>
    <Case><Guarded><Wait duration='9'/></Guarded></Case>
  </Priority></Root>
</BehaviorTree>";

/// Tree in which one agent at a time waits behind a limit. It fails for all others.
const LIMITED: &str = "<BehaviorTree>
  <Variables><Variable name='Alarmed'/></Variables>
  <SignalVariables><Signal name='alarm' variable='Alarmed' value='true'/></SignalVariables>
  <Root><Priority>
    <Case condition='Alarmed'><Wait duration='9'/></Case>
    <Case><LimitConcurrentUsers max='1'><Wait duration='9'/></LimitConcurrentUsers></Case>
  </Priority></Root>
</BehaviorTree>";

const CLEANED: &str = "var alarmed: bool var inner: int var outer: int
    on alarm { set alarmed = true }
    tree main { reactive selector {
        while alarmed { wait 9 s }
        cleanup { set outer = inner * 10 + 1 } { cleanup { set inner += 1 } { wait 9 s } }
    } }";

/// Tree whose leaf is halted because something watches over it, and nothing takes its place.
const WATCHED: &str = "var alarmed: bool var inner: int var outer: int
    on alarm { set alarmed = true }
    tree main { selector {
        while !alarmed {
            cleanup { set outer = inner * 10 + 1 } { cleanup { set inner += 1 } { wait 90 ticks } }
        }
        running
    } }";

fn crowd(dialect: &str, text: &str, count: usize, engine: Engine) -> (Crowd, Bindings<Told>) {
    let (manifest, entries) = (Manifest::parse("decorator Guarded()").0, ["main".to_owned()]);
    let dialect = dialect::by_name(dialect).expect("the compiler knows the dialect");
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let done = compile(&Texts::of("main", "", text), request);
    let bytes = done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let image = Image::copy(&bytes).expect("the verifier accepts what the compiler makes");
    let mut host = Bindings::new(vec![Vec::new(); count]);
    host.action("Guarded", |told: &mut Told, call| {
        told[call.agent.index()].push(None);
        Status::Running
    });
    host.on_halt("Guarded", |told, call, reason| told[call.agent.index()].push(Some(reason)));
    let program = Program::link(&image, &host).expect("the host has every function");
    let mut crowd = Crowd::new(&program).with_engine(engine);
    for _ in 0..count {
        crowd.spawn("main").expect("there is room");
    }
    (crowd, host)
}

/// Ticks twice, raises the alarm, and ticks twice again. All agents are running after each tick.
fn run(crowd: &mut Crowd, host: &mut Bindings<Told>) {
    let alarm = crowd.program().event("alarm").expect("it is declared");
    for now in 0..4 {
        if now == 2 {
            crowd.raise(alarm, EventTarget::All, now, host).expect("the event exists");
        }
        crowd.tick(now, host);
        for agent in crowd.agents().collect::<Vec<_>>() {
            assert_eq!(crowd.outcome(agent), Ok(Some(Outcome::Status(Status::Running))));
        }
    }
}

#[test]
fn a_host_node_around_a_waiting_leaf_is_told_of_the_halt() {
    for count in AGENTS {
        let (mut crowd, mut host) = crowd("mbt", GUARDED, count, Engine::Scalar);
        run(&mut crowd, &mut host);
        let told = host.world();
        assert_eq!(*told, vec![vec![None, Some(Halt::Interrupted)]; count], "{count} agents");
    }
}

#[test]
fn a_limit_around_a_waiting_leaf_has_room_after_the_halt() {
    for count in [3, 30, 300] {
        let (mut crowd, mut host) = crowd("mbt", LIMITED, count, Engine::Auto);
        let alarm = crowd.program().event("alarm").expect("it is declared");
        let agents: Vec<_> = crowd.agents().collect();
        // One agent is inside; those before it have left.
        for inside in [0, 0, 1, 2] {
            if inside > 0 {
                let leaving = EventTarget::Agent(agents[inside - 1]);
                crowd.raise(alarm, leaving, 0, &mut host).expect("the event exists");
            }
            crowd.tick(0, &mut host);
            for (index, agent) in agents.iter().enumerate() {
                let status = if index <= inside { Status::Running } else { Status::Failure };
                let outcome = crowd.outcome(*agent);
                assert_eq!(outcome, Ok(Some(Outcome::Status(status))), "agent {index} of {count}, {inside}");
            }
        }
    }
}

#[test]
fn cleanups_around_a_waiting_leaf_run_once_from_the_inside_outward() {
    let engines = [Engine::Scalar, Engine::Auto].into_iter().chain(Vectors::all().map(Engine::Batch));
    for engine in engines {
        for (text, count) in [CLEANED, WATCHED].into_iter().flat_map(|text| AGENTS.map(|count| (text, count)))
        {
            let (mut crowd, mut host) = crowd("pleach", text, count, engine);
            run(&mut crowd, &mut host);
            let variables = ["inner", "outer"].map(|name| crowd.program().variable(name).expect("declared"));
            for agent in crowd.agents().collect::<Vec<_>>() {
                let values = variables.map(|variable| crowd.number(agent, variable).expect("it is there"));
                assert_eq!(values, [1.0, 11.0], "{engine:?}, {count} agents\n{text}");
            }
        }
    }
}
