//! Broken hosts do no harm: callbacks panic, return invalid values, call back, and use handles of
//! despawned agents.
//!
//! Cases that Rust rules out are not tested here: while a crowd ticks it is borrowed, so no
//! callback can use it to tick, spawn, despawn, save or reload. A callback can use its own agent
//! through the call, other crowds, and the queue of [`pleach::forest::OperationQueue`].

use pleach::crowd::SwitchError;
use pleach::engine::{Engine, Vectors};
use pleach::host::{LogKind, RunawayTick};
use pleach::state::ReloadPolicy;
use pleach::{
    AccessError, Agent, Call, Crowd, EventTarget, Fault, Function, Group, Halt, Host, Image, Outcome,
    Program, SpawnError, StaleAgent, Status,
};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_image::isa::Op;
use pleach_tests::own;
use pleach_tests::random::fragile::{Callback, Fragile};
use pleach_tests::random::steady::Steady;
use pleach_tests::random::{Case, bst, btcpp, language, mbt, program, rules};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

const ENGINES: [Engine; 2] = [Engine::Scalar, Engine::Batch(Vectors::Portable)];
const AGENTS: usize = 40;
const TICKS: i64 = 12;

/// Returns a random program whose agents do not affect each other.
fn loners(seed: u64) -> Option<Program> {
    let case = &Case::sized(seed, 6 + seed as usize % 20);
    let module: Module = match seed % 6 {
        0 => program::program(case),
        1 => own::module(&language::program(case).files.into_iter().collect()).ok()?,
        2 => mbt::module(&mbt::text(case)).ok()?,
        3 => bst::module(&bst::text(case)).ok()?.0,
        4 => rules::module(case),
        _ => btcpp::module(&btcpp::text(case)).ok()?,
    };
    let image = Image::copy(&emit::emit(&module, "test", None).ok()?).expect("what is compiled is valid");
    let raises = image.code().iter().filter(|word| word.op() == Some(Op::Raise)).count();
    let together = image.shared().len() + image.limiters().len() + image.gates().len() + raises;
    let program = Program::link(&image, &Steady).expect("this host has every function");
    (together == 0 && program.bounds().instructions < 20_000).then_some(program)
}

/// Crowd with its host.
struct Side {
    crowd: Crowd,
    agents: Vec<Agent>,
    host: Fragile<Steady>,
}

impl Side {
    fn new(program: &Program, engine: Engine) -> Self {
        let mut crowd = Crowd::new(program).with_engine(engine).with_seed(3);
        if let Some(limit) = NonZeroU16::new(crowd.step_limit().min(6)) {
            crowd.set_step_limit(limit);
        }
        let entries: Vec<String> = program.entries().map(str::to_owned).collect();
        let spawn =
            |index: usize| crowd.spawn(&entries[index % entries.len().min(2)]).expect("there is room");
        Self { agents: (0..AGENTS).map(spawn).collect(), crowd, host: Fragile::sound(Steady) }
    }

    fn state(&self, agent: Agent) -> Vec<u8> {
        let mut state = Vec::new();
        self.crowd.save_agent(agent, &mut state).expect("the agent is there");
        state
    }

    fn panicked(&self) -> BTreeSet<Agent> {
        let fault = Ok(Some(Outcome::Fault(Fault::Panic)));
        self.agents.iter().copied().filter(|agent| self.crowd.outcome(*agent) == fault).collect()
    }
}

/// Breaks a callback once. Returns true if it was called. Only the agents of that call may have
/// other results.
fn broken(program: &Program, engine: Engine, broken: (Callback, usize, u32)) -> bool {
    let [mut sound, mut other] = [(); 2].map(|()| Side::new(program, engine));
    other.host.broken = Some(broken);
    for now in 0..TICKS {
        sound.crowd.tick(now, &mut sound.host);
        let was_hurt = !other.host.hurt.is_empty();
        let tally = other.crowd.tick(now, &mut other.host);
        let hurt = &other.host.hurt;
        if !was_hurt && !hurt.is_empty() {
            assert_eq!((&other.panicked(), tally.total() as usize), (hurt, AGENTS), "{broken:?}");
            assert!(engine != Engine::Scalar || hurt.len() == 1, "{broken:?}: {hurt:?}");
        }
        for agent in sound.agents.iter().filter(|agent| !hurt.contains(agent)) {
            assert_eq!(other.crowd.outcome(*agent), sound.crowd.outcome(*agent), "{broken:?} {agent:?}");
            assert!(other.state(*agent) == sound.state(*agent), "{broken:?} {agent:?}");
        }
    }
    // A faulted agent still exists, can be read and reset, ticks again, and can be despawned.
    for agent in other.host.hurt.clone() {
        other.crowd.inspect().frame(agent).expect("the agent is there");
        other.crowd.reset(agent, TICKS, &mut other.host).expect("the agent is there");
        other.crowd.tick_agent(agent, TICKS, &mut other.host, &mut ()).expect("the agent is there");
        assert!(!other.panicked().contains(&agent));
        other.crowd.despawn(agent, TICKS, &mut other.host).expect("the agent is there");
        assert_eq!(other.crowd.outcome(agent), Err(StaleAgent));
    }
    !other.host.hurt.is_empty()
}

#[test]
fn a_callback_that_panics_hurts_nobody_else() {
    let mut hurt: BTreeMap<(&str, String), u32> = BTreeMap::new();
    let halting = linked(TREES, &Steady);
    for program in (0..100).filter_map(loners).chain([halting]) {
        for callback in Callback::ALL {
            for (engine, name) in ENGINES.into_iter().zip(["scalar", "batch"]) {
                for (whose, nth) in [(7, 0), (7, 3), (0, 0), (38, 1)] {
                    let was = broken(&program, engine, (callback, whose, nth));
                    *hurt.entry((name, format!("{callback:?}"))).or_default() += u32::from(was);
                }
            }
        }
    }
    println!("{hurt:?}");
    for ((engine, callback), count) in hurt {
        // The scalar engine calls for one agent at a time.
        let expected = engine == "batch" || !callback.ends_with("All");
        assert_eq!(count > 0, expected, "{engine} {callback}: {count}");
    }
}

/// Two trees that run an action each. The other functions are declared so that they can be called.
const TREES: &str = "action work() action rest() query near(): float var count: int var mark: int
    tree main { parallel(succeed any, fail any) { action work action rest if near() < 50 { action rest } } }
    tree other { sequence { action rest set count += 1 } }";

fn linked(text: &str, host: &impl Host) -> Program {
    let module = own::module(&[("main.pleach".to_owned(), text.to_owned())].into()).expect("a program");
    let bytes = emit::emit(&module, "test", None).expect("an image");
    Program::link(&Image::copy(&bytes).expect("it is right"), host).expect("all functions are there")
}

/// Host whose `halt` panics.
struct Unstoppable;

impl Host for Unstoppable {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Running
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, _: &mut Call<'_>, _: Halt) {
        panic!("it goes on");
    }
}

/// Checks `halt` between ticks: the requested change happens, and an agent that still exists has a
/// fault.
#[test]
fn a_halt_that_panics_stops_nothing() {
    let program = linked(TREES, &Unstoppable);
    let mut crowd = Crowd::new(&program);
    let agents: Vec<Agent> = (0..5).map(|_| crowd.spawn("main").expect("there is room")).collect();
    crowd.tick(0, &mut Unstoppable);
    let outcome = |crowd: &Crowd, agent: Agent| crowd.outcome(agent);
    let fault = Ok(Some(Outcome::Fault(Fault::Panic)));
    assert_eq!(crowd.reset(agents[0], 1, &mut Unstoppable), Ok(()));
    assert_eq!(crowd.switch(agents[1], "other", 1, &mut Unstoppable), Ok(()));
    assert_eq!(crowd.despawn(agents[2], 1, &mut Unstoppable), Ok(()));
    assert_eq!([outcome(&crowd, agents[0]), outcome(&crowd, agents[1])], [fault; 2]);
    assert_eq!(outcome(&crowd, agents[2]), Err(StaleAgent));
    assert_eq!(outcome(&crowd, agents[3]), Ok(Some(Outcome::Status(Status::Running))));
    let report =
        crowd.reload(&program, ReloadPolicy::Variables, 1, &mut Unstoppable).expect("the same program");
    assert_eq!((report.kept, report.reset.len()), (0, 4));
    assert_eq!(outcome(&crowd, agents[3]), fault);
    assert_eq!(crowd.tick(2, &mut Unstoppable).running, 4);
}

/// Host whose actions return status numbers without meaning, and whose answers are not numbers.
struct Nonsense(i32, f64);

impl Host for Nonsense {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(u32::MAX - 1)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.agent.index() == 1 { Status::Other(self.0) } else { Status::Success }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        self.1
    }
}

#[test]
fn answers_that_mean_nothing_are_the_agents_own() {
    const STATUSES: [i32; 8] = [i32::MIN, i32::MAX, -1, 0, 1, 2, 3, 255];
    const ANSWERS: [f64; 7] =
        [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 2.0, -0.0, f64::MAX];
    let text = "action work() query near(): float var count: int
        tree main { selector { if near() == 77 { action work } sequence { action work set count += 1 } } }";
    for engine in ENGINES {
        for (status, answer) in STATUSES.into_iter().zip(ANSWERS.into_iter().cycle()) {
            let mut host = Nonsense(status, answer);
            let mut crowd = Crowd::new(&linked(text, &host)).with_engine(engine);
            let agents: Vec<Agent> = (0..20).map(|_| crowd.spawn("main").expect("there is room")).collect();
            let count = crowd.program().variable("count").expect("it is declared");
            for now in 0..3 {
                let tally = crowd.tick(now, &mut host);
                assert_eq!((tally.success, tally.total(), tally.faults), (19, 20, 0), "{status}");
            }
            let counts: Vec<i32> = agents.iter().flat_map(|agent| crowd.get(*agent, count)).collect();
            let expected: Vec<i32> = (0..20).map(|agent| if agent == 1 { 0 } else { 3 }).collect();
            assert_eq!(counts, expected, "{status} {answer}");
        }
    }
}

/// Host that, at each call, uses every function of a crowd of its own.
struct Busybody {
    own: Crowd,
    agents: Vec<Agent>,
    program: Program,
    calls: u64,
}

impl Busybody {
    fn new(program: &Program) -> Self {
        Self { own: Crowd::new(program), agents: Vec::new(), program: program.clone(), calls: 0 }
    }

    fn meddle(&mut self) {
        self.calls += 1;
        let Self { own, agents, program, calls } = self;
        let now = *calls as i64;
        agents.push(own.spawn("main").expect("there is room"));
        own.tick(now, &mut Steady);
        let mut state = Vec::new();
        own.snapshot(&mut state);
        if agents.len() > 3 {
            let agent = agents.swap_remove(*calls as usize % 3);
            own.switch(agent, "other", now, &mut Steady).expect("it is there");
            own.reset(agent, now, &mut Steady).expect("it is there");
            own.despawn(agent, now, &mut Steady).expect("it is there");
            own.restore(&state).expect("it was just saved");
            own.despawn(agent, now, &mut Steady).expect("it is there again");
        }
        own.reload(program, ReloadPolicy::Places, now, &mut Steady).expect("the same program");
    }
}

impl Host for Busybody {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        Steady.resolve(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.meddle();
        Steady.act(call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.meddle();
        Steady.query(call)
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.meddle();
        Steady.knows(function, number, agent)
    }

    fn halt(&mut self, _: &mut Call<'_>, _: Halt) {
        self.meddle();
    }

    fn log(&mut self, _: Agent, _: u32, _: LogKind, _: &[u8]) {
        self.meddle();
    }

    fn ran_away(&mut self, _: &RunawayTick<'_>) {
        self.meddle();
    }
}

#[test]
fn callbacks_may_do_anything_with_other_crowds() {
    for engine in ENGINES {
        let program = linked(TREES, &Steady);
        let (mut host, mut alone) = (Busybody::new(&program), Steady);
        let [mut one, mut two] = [(); 2].map(|()| Crowd::new(&program).with_engine(engine));
        let agents: Vec<Agent> = (0..30).map(|_| one.spawn("main").expect("there is room")).collect();
        (0..30).for_each(|_| _ = two.spawn("main"));
        for now in 0..6 {
            assert_eq!(one.tick(now, &mut host), two.tick(now, &mut alone));
        }
        for agent in agents {
            assert_eq!(one.inspect().frame(agent), two.inspect().frame(agent));
        }
        assert!(host.calls > 100 && host.own.len() == host.agents.len(), "{}", host.calls);
    }
}

/// Changes agents between two calls of a round: no agent is lost, ticked twice, or in a wrong
/// place.
#[test]
fn a_round_may_be_interrupted() {
    let program = linked(TREES, &Steady);
    let mut crowd = Crowd::new(&program);
    let mut agents: Vec<Agent> = (0..900).map(|_| crowd.spawn("main").expect("there is room")).collect();
    let mark = program.variable("mark").expect("it is declared");
    for (index, agent) in agents.iter().enumerate() {
        crowd.set(*agent, mark, index as i32).expect("it is there");
    }
    let kept: Vec<(usize, Agent)> = agents.iter().copied().enumerate().skip(300).collect();
    let (mut now, mut rounds) = (0, 0);
    while rounds < 20 {
        rounds += u32::from(crowd.tick_within(now, &mut Steady, 0).ended);
        now += 1;
        let agent = agents.swap_remove(now as usize * 7 % 200);
        assert_eq!(crowd.despawn(agent, now, &mut Steady), Ok(()));
        assert_eq!(crowd.despawn(agent, now, &mut Steady), Err(StaleAgent));
        agents.insert(0, crowd.spawn("other").expect("there is room"));
        crowd.switch(agents[5], "other", now, &mut Steady).expect("it is there");
        assert_eq!((crowd.len(), crowd.agents().count()), (900, 900));
    }
    for (index, agent) in kept.into_iter().filter(|(_, agent)| agents.contains(agent)) {
        assert_eq!(crowd.get(agent, mark), Ok(index as i32));
    }
}

/// Every function that takes a handle refuses that of a despawned agent, even if another agent has
/// its place.
#[test]
fn nothing_takes_a_stale_handle() {
    let program = linked(TREES, &Steady);
    let mut crowd = Crowd::new(&program);
    let (gone, host) = (crowd.spawn("main").expect("there is room"), &mut Steady);
    crowd.despawn(gone, 0, host).expect("it is there");
    let next = crowd.spawn("main").expect("there is room");
    assert_eq!((next.index(), next == gone), (gone.index(), false));
    let (mut before, mut after, mut state) = (Vec::new(), Vec::new(), Vec::new());
    crowd.snapshot(&mut before);
    let count = program.variable("count").expect("it is declared");
    let stale: [Result<(), StaleAgent>; 13] = [
        crowd.despawn(gone, 0, host),
        crowd.reset(gone, 0, host),
        crowd.tick_agent(gone, 0, host, &mut ()).map(drop),
        crowd.tick_watching(0, host, gone, &mut ()).map(drop),
        crowd.outcome(gone).map(drop),
        crowd.inspect().running_set(gone).map(drop),
        crowd.inspect().frame(gone).map(drop),
        crowd.sleep(gone),
        crowd.wake(gone),
        crowd.sleeps(gone).map(drop),
        crowd.save_agent(gone, &mut state),
        crowd.rules_mut().lose(gone).map_err(|_| StaleAgent),
        crowd.rules().current(gone).map(drop).map_err(|_| StaleAgent),
    ];
    assert_eq!(stale, [Err(StaleAgent); 13]);
    assert_eq!(crowd.switch(gone, "other", 0, host), Err(SwitchError::Stale));
    assert_eq!(crowd.tick_entry(gone, "other", 0, host), Err(SwitchError::Stale));
    let access: [Result<(), AccessError>; 7] = [
        crowd.get::<i32>(gone, count).map(drop),
        crowd.set(gone, count, 1),
        crowd.number(gone, count).map(drop),
        crowd.set_number(gone, count, 1.0),
        crowd.join(gone, Group::default()),
        crowd.set_pace(EventTarget::Agent(gone), NonZeroU16::MIN),
        crowd.place(gone).map(drop),
    ];
    assert!(access.iter().all(|it| *it == Err(AccessError::Stale)), "{access:?}");
    crowd.snapshot(&mut after);
    assert!(before == after, "a stale handle has changed something");
    assert!(matches!(crowd.spawn("nowhere"), Err(SpawnError::NoEntry(tree)) if tree.name == "nowhere"));
}
