//! A tick allocates nothing, and a compiler keeps its memory.

use pleach::engine::{Engine, Vectors};
use pleach::forest::{ForestHost, Forests, Hook, TreeOperation, TreeSelector};
use pleach::watch::{Statistics, TraceCapacity, Traces};
use pleach::{Bindings, Call, Crowd, EntityId, Function, Host, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, dialect};
use pleach_tests::counting::allocations;
use pleach_tests::{camp, debt, inline, own};

const TREE: &str = r"
selector {
    behavior patrol
    decorator timer( 40 ) { sequence { condition distanceTo( E_ENEMY ) < 3 && !alertedToEnemy action fight() } }
    concurrent { action roam() decorator mapStatus( 1, 7, 2 ) { action heal() } }
}
";
const PATROL: &str = "sequence { condition percentHealth( E_SELF ) > 0.5 || alertedToEnemy action moveTo( E_GOAL ) action rush() }";

#[test]
fn ticks_do_not_allocate() {
    let mut host = Bindings::new(0_u64);
    for name in ["fight", "roam", "heal", "moveTo", "rush"] {
        host.action(name, |calls: &mut u64, call| {
            *calls += 1;
            match call.now.wrapping_add(call.agent.index() as i64 + *calls as i64) % 4 {
                0 => Status::Failure,
                1 => Status::Success,
                2 => Status::Other(9),
                _ => Status::Running,
            }
        });
    }
    for name in ["distanceTo", "percentHealth", "alertedToEnemy"] {
        host.query(name, |_, call| (call.now as f64 / 3.0) % 5.0);
    }
    let image = inline::image(&[("main", TREE), ("patrol", PATROL)], &["main"]);
    let mut crowd = Crowd::new(&Program::link(&image, &host).unwrap());
    let agents: Vec<_> = (0..1000).map(|_| crowd.spawn("main").unwrap()).collect();
    let (mut traces, mut statistics) = (Traces::new(&image), Statistics::new(&image));
    agents[..10].iter().for_each(|agent| traces.watch(*agent, TraceCapacity { rows: 300, text: 40 }));
    crowd.tick_watched(0, &mut host, &mut statistics);
    let before = allocations();
    for now in 0..200 {
        crowd.tick(now, &mut host);
        crowd.tick_watched(now, &mut host, &mut traces);
        crowd.tick_watched(now, &mut host, &mut (&mut traces, &mut statistics));
    }
    // Each time has an epoch of its own, so all timers move.
    for now in [1 << 31, 1 << 40, 1 << 62, -1, i64::MIN, 200] {
        crowd.tick(now, &mut host);
    }
    crowd.tick_within(200, &mut host, 1000);
    crowd.tick_watching(200, &mut host, agents[3], &mut ()).unwrap();
    for agent in &agents {
        crowd.tick_agent(*agent, 200, &mut host, &mut ()).unwrap();
    }
    let allocated = allocations() - before;
    assert_eq!(allocated, 0);
    let every = core::num::NonZeroU16::new(3).unwrap();
    crowd.set_pace(pleach::EventTarget::All, every).unwrap();
    assert_eq!(crowd.parts(4).count(), 4);
    let before = allocations();
    for now in 200..300 {
        crowd.tick(now, &mut host);
        crowd.parts(4).for_each(|mut part| _ = part.tick(now, &mut host));
        crowd.end_tick(now, &mut host);
    }
    assert_eq!(allocations() - before, 0);
    assert!(*host.world() > 200_000, "the trees did call their leaves: {}", host.world());
    let before = allocations();
    drop(vec![0_u8; 64]);
    assert!(allocations() > before, "the allocator does count");
}

/// Checks a tree with what trees of our own language usually have, on each engine.
#[test]
fn ticks_of_a_squad_do_not_allocate() {
    let text = include_str!("../../../benches/trees/squad.pleach");
    let module = own::module(&[(own::MAIN.to_owned(), text.to_owned())].into()).unwrap();
    let image = Image::copy(&emit::emit(&module, "test", None).unwrap()).unwrap();
    let mut host = Bindings::new(0_u64);
    host.action("findEnemy", |found: &mut u64, call| {
        *found += 1;
        let given = call.give(1, EntityId(*found % 3)).and_then(|()| call.give(2, (*found % 200) as f32));
        given.unwrap();
        if found.is_multiple_of(5) { Status::Failure } else { Status::Success }
    });
    for name in ["patrol", "approach", "attack"] {
        host.action(name, |_, call| if call.now % 7 == 0 { Status::Success } else { Status::Running });
    }
    let program = Program::link(&image, &host).unwrap();
    for engine in [Engine::Scalar, Engine::Batch(Vectors::Portable)] {
        let mut crowd = Crowd::new(&program).with_engine(engine);
        (0..600).for_each(|_| _ = crowd.spawn("squad").unwrap());
        // The lists of a batch get their room in the first tick.
        crowd.tick(0, &mut host);
        let before = allocations();
        let running: u32 = (1..200).map(|frame| crowd.tick(frame * 50, &mut host).running).sum();
        assert_eq!((allocations() - before, running), (0, 199 * 600), "{engine:?}");
    }
    assert!(*host.world() > 24_000, "agents look for enemies: {}", host.world());
}

/// Also checks rules that run without end, for all agents in a sweep.
#[test]
fn ticks_of_agents_at_rules_do_not_allocate() {
    let mut host = Bindings::new(0_u64);
    host.action("act", |calls: &mut u64, call| {
        *calls += 1;
        if (call.now + call.agent.index() as i64) % 3 == 0 { Status::Running } else { Status::Success }
    });
    let text = "<behaviorTree><sequence loop='true'><action name='act'/><yield/><choice><action name='none'/>\
                <action name='act'/></choice></sequence></behaviorTree>";
    let module = debt::module(text, &std::collections::BTreeMap::new()).unwrap();
    let image = Image::copy(&emit::emit(&module, "test", None).unwrap()).unwrap();
    let program = Program::link(&image, &host).unwrap();
    assert!(program.is_swept());
    let mut crowd = Crowd::new(&program).with_engine(Engine::Batch(Vectors::Avx512));
    crowd.set_step_limit(core::num::NonZeroU16::new(5).unwrap());
    (0..600).for_each(|_| _ = crowd.spawn("main").unwrap());
    let before = allocations();
    let faults: u32 = (0..100).map(|now| crowd.tick(now, &mut host).faults).sum();
    assert_eq!(allocations() - before, 0);
    assert!(faults > 100, "some run away: {faults}");
}

#[test]
fn snapshots_and_rollbacks_do_not_allocate_for_agents() {
    let mut host = Bindings::new(());
    for name in ["fight", "roam", "heal", "moveTo", "rush"] {
        host.action(name, |_, call| if call.now % 3 == 0 { Status::Failure } else { Status::Running });
    }
    for name in ["distanceTo", "percentHealth", "alertedToEnemy"] {
        host.query(name, |_, call| call.now as f64 % 5.0);
    }
    let image = inline::image(&[("main", TREE), ("patrol", PATROL)], &["main"]);
    let mut crowd = Crowd::new(&Program::link(&image, &host).unwrap());
    for _ in 0..1000 {
        crowd.spawn("main").unwrap();
    }
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    let before = allocations();
    for now in 0..100 {
        crowd.tick(now, &mut host);
        crowd.snapshot(&mut state);
    }
    assert_eq!(allocations() - before, 0);
    let allocated = |crowd: &mut Crowd| {
        let before = allocations();
        crowd.restore(&state).unwrap();
        allocations() - before
    };
    // A few tables of the state's content, for any number of agents.
    assert!(allocated(&mut crowd) < 16, "{}", allocated(&mut crowd));
}

/// Host that answers all hooks and counts them.
#[derive(Default)]
struct Camp {
    asked: u32,
    heard: u32,
}

impl Host for Camp {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.asked += 1;
        match (call.now + i64::from(call.node)) % 4 {
            0 => Status::Failure,
            // Such a judgement would never end.
            1 if call.args.is_empty() => Status::Running,
            _ => Status::Success,
        }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

impl ForestHost for Camp {
    fn hook(&mut self, _: &Hook<'_>) {
        self.heard += 1;
    }
}

#[test]
fn updates_of_forests_do_not_allocate() {
    let mut host = Camp::default();
    let mut forests = Forests::new(&Program::link(&camp::image(), &host).unwrap()).unwrap();
    let orders = forests.orders();
    let mut turn = |forests: &mut Forests, now| {
        let order = [TreeOperation::PLAY, TreeOperation::PAUSE, TreeOperation::Resume, TreeOperation::RESET]
            [now as usize % 4];
        orders.give(order, TreeSelector::All).unwrap();
        assert_eq!(forests.update(now, &mut host), []);
    };
    forests.orders().give(TreeOperation::Load, TreeSelector::All).unwrap();
    (0..20).for_each(|now| turn(&mut forests, now));
    let before = allocations();
    (20..220).for_each(|now| turn(&mut forests, now));
    assert_eq!(allocations() - before, 0);
    assert!(host.asked > 500 && host.heard > 1000, "the trees were executed: {} {}", host.asked, host.heard);
}

/// Maximum number of allocations of a second compilation of the example in the project's own
/// language. Seven are handed out: the image; the names of the two files and the list of files; the
/// names of the two trees that are copied and the list of copies. The others are pieces of an
/// arena: the first compilation leaves only the largest of its pieces.
const COMPILED_AGAIN: usize = 9;

#[test]
fn a_second_compilation_allocates_less() {
    let folder = format!("{}/../spec/examples/pleach", env!("CARGO_MANIFEST_DIR"));
    let text =
        |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("the example is there");
    let library = ["guard.pleach", "common.pleach"]
        .into_iter()
        .fold(Texts::new("pleach"), |library, name| library.with(name, text(name)));
    let dialect = dialect::by_name("pleach").expect("the dialect exists");
    let (manifest, entries) = (dialect.own_manifest(), ["guard".to_owned()]);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let mut compiler = Compiler::default();
    let counts = [(); 3].map(|()| {
        let before = allocations();
        assert!(compiler.compile(&library, request).image.is_some());
        allocations() - before
    });
    assert!(counts[1] < counts[0] && counts[2] <= counts[1], "{counts:?}");
    assert!(counts[1] <= COMPILED_AGAIN, "{counts:?}");
}
