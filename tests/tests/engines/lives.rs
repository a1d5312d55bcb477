//! Agents of any dialect are played, paused, stopped, reset and counted by the runtime.

use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::life::{CountedEvent, Life, LifeStatus, Lives, PlayMode};
use pleach::{Agent, Bindings, Crowd, EventTarget, Halt, Image, Outcome, Program, Status};
use pleach_compile::dialect::{self, DIALECTS};
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use std::collections::BTreeMap;

/// Records of agents.
#[derive(Default)]
struct World {
    /// For each agent, the numbers of its calls and of its fresh calls.
    asked: BTreeMap<usize, (u32, u32)>,
    halted: Vec<Halt>,
}

/// Returns a host whose action runs twice, then alternately succeeds and fails.
fn host() -> Bindings<World> {
    let mut host = Bindings::new(World::default());
    for name in ["go", "go.OnTest"] {
        host.action(name, |world, call| {
            let (asked, fresh) = world.asked.entry(call.agent.index()).or_default();
            (*asked, *fresh) = (*asked + 1, *fresh + u32::from(call.fresh));
            match *asked % 6 {
                3 => Status::Success,
                0 => Status::Failure,
                _ => Status::Running,
            }
        });
        host.on_halt(name, |world, _, why| world.halted.push(why));
    }
    host
}

/// Trees that repeat one action, in every dialect but that of selection trees, whose actions are
/// called once and never end.
const TREES: [(&str, &str); 6] = [
    ("btcpp", "<root BTCPP_format='4'><BehaviorTree ID='main'><go/></BehaviorTree></root>"),
    ("btengine", "<BehaviorTreeRoot><Condition name='go'/></BehaviorTreeRoot>"),
    ("dragengine", "<behaviorTree><action name='go'/></behaviorTree>"),
    ("mbt", "<BehaviorTree><Root><go/></Root></BehaviorTree>"),
    ("pleach", "tree main { selector { action go() } }"),
    ("unvanquished", "selector { action go() }"),
];

fn images() -> Vec<(&'static str, Image)> {
    let (manifest, entries) = (Manifest::parse("action go()").0, ["main".to_owned()]);
    let ending: Vec<_> = DIALECTS.iter().map(|it| it.name()).filter(|name| *name != "bst").collect();
    assert_eq!(TREES.map(|(name, _)| name).to_vec(), ending);
    let image = |(name, text)| {
        let dialect = dialect::by_name(name).expect("the compiler knows the dialect");
        let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
        let done = compile(&Texts::of("main", "", text), request);
        let bytes = done.image.unwrap_or_else(|| panic!("{name}: {:?}", done.diagnostics));
        (name, Image::copy(&bytes).expect("the verifier lets pass what the compiler makes"))
    };
    TREES.map(image).into()
}

/// Creates a crowd of two agents with their lives.
fn settled(image: &Image) -> (Crowd, Lives, [Agent; 2], Bindings<World>) {
    let host = host();
    let program = Program::link(image, &host).expect("the host has every function");
    let mut crowd = Crowd::new(&program);
    let agents = [(); 2].map(|()| crowd.spawn("main").expect("there is room"));
    (crowd, Lives::default(), agents, host)
}

#[test]
fn agents_of_every_dialect_count_in_every_mode() {
    for (dialect, image) in images() {
        // Every third of twelve ticks ends, alternately with success and failure.
        for (mode, count) in PlayMode::ALL.iter().copied().zip([12, 4, 2, 2, 8, 8, 0]) {
            let (mut crowd, mut lives, [one, other], mut host) = settled(&image);
            lives.play(&crowd, one, None, Some(mode)).expect("the agent is there");
            lives.play(&crowd, other, Some(3), Some(mode)).expect("the agent is there");
            for now in 0..12 {
                lives.tick(&mut crowd, now, &mut host);
            }
            let life = |agent| lives.of(&crowd, agent).expect("the agent is there");
            assert_eq!(
                (life(one).status(), life(one).counted()),
                (LifeStatus::Executing, count),
                "{dialect} {mode:?}"
            );
            let stopped = if count >= 3 { LifeStatus::Stopped } else { LifeStatus::Executing };
            assert_eq!(
                (life(other).status(), life(other).counted()),
                (stopped, count.min(3)),
                "{dialect} {mode:?}"
            );
        }
    }
}

#[test]
fn agents_of_every_dialect_pause_and_go_on() {
    for (dialect, image) in images() {
        let (mut crowd, mut lives, [one, other], mut host) = settled(&image);
        lives.play(&crowd, one, Some(3), Some(PlayMode::Executions)).expect("the agent is there");
        assert_eq!(lives.tick(&mut crowd, 0, &mut host).total(), 1, "only who is played is ticked");
        lives.pause(&crowd, one).expect("the agent is there");
        assert_eq!(lives.tick(&mut crowd, 1, &mut host).total(), 0);
        lives.resume(&crowd, one).expect("the agent is there");
        lives.resume(&crowd, other).expect("the agent is there");
        assert_eq!(lives.tick(&mut crowd, 2, &mut host).running, 1);
        assert_eq!(host.world().asked[&one.index()], (2, 1), "{dialect}: it goes on where it was");
        lives.stop(&crowd, one).expect("the agent is there");
        lives.play(&crowd, one, None, None).expect("the agent is there");
        assert_eq!(lives.tick(&mut crowd, 3, &mut host).success, 1, "{dialect}");
        lives.tick(&mut crowd, 4, &mut host);
        assert_eq!(host.world().halted, []);
        lives.reset(&mut crowd, one, 5, &mut host).expect("the agent is there");
        // Actions at rules are not halted.
        let heard = if dialect == "dragengine" { vec![] } else { vec![Halt::Reset] };
        assert_eq!(host.world().halted, heard, "{dialect}");
        let life = lives.of(&crowd, one).expect("the agent is there");
        assert_eq!((life.status(), life.target(), life.counted()), (LifeStatus::Reset, 3, 2), "{dialect}");
        crowd.despawn(one, 6, &mut host).expect("the agent is there");
        assert!(lives.of(&crowd, one).is_err() && lives.play(&crowd, one, None, None).is_err());
        let heir = crowd.spawn("main").expect("there is room");
        assert_eq!(lives.of(&crowd, heir), Ok(Life::default()), "{dialect}: a new agent has a new life");
    }
}

#[test]
fn a_fault_stops_an_agent() {
    let (_, image) = images().swap_remove(3);
    let mut host = Bindings::new(());
    host.action("go", |(), _| panic!("on purpose"));
    let program = Program::link(&image, &host).expect("the host has every function");
    let (mut crowd, mut lives) = (Crowd::new(&program), Lives::default());
    let agent = crowd.spawn("main").expect("there is room");
    lives.play(&crowd, agent, None, None).expect("the agent is there");
    assert_eq!(lives.tick(&mut crowd, 0, &mut host).faults, 1);
    assert_eq!(lives.of(&crowd, agent).map(|life| life.status()), Ok(LifeStatus::Stopped));
    assert!(matches!(crowd.outcome(agent), Ok(Some(Outcome::Fault(_)))));
}

/// Ticks skip sleeping agents, in chunks with many agents and with few, and nothing else changes.
#[test]
fn who_sleeps_is_not_ticked() {
    for (dialect, image) in images() {
        let engines = Vectors::all().map(Engine::Batch).chain([Engine::Auto, Engine::Scalar]);
        for (engine, count) in engines.flat_map(|engine| [2, 30, 300].map(|count| (engine, count))) {
            let mut host = host();
            let program = Program::link(&image, &host).expect("the host has every function");
            let mut crowd = Crowd::new(&program).with_engine(engine);
            let agents: Vec<_> = (0..count).map(|_| crowd.spawn("main").expect("there is room")).collect();
            crowd.tick(0, &mut host);
            let sleepers = agents.iter().copied().step_by(2);
            sleepers.clone().for_each(|agent| crowd.sleep(agent).expect("the agent is there"));
            for now in 1..3 {
                let tally = crowd.tick(now, &mut host);
                assert_eq!(
                    (tally.total() as usize, tally.faults),
                    (count / 2, 0),
                    "{dialect} {engine:?} {count}"
                );
            }
            for (index, agent) in agents.iter().enumerate() {
                let asleep = index % 2 == 0;
                assert_eq!(crowd.sleeps(*agent), Ok(asleep));
                assert_eq!(host.world().asked[&agent.index()].0, if asleep { 1 } else { 3 });
                let last = if asleep { Status::Running } else { Status::Success };
                assert_eq!(
                    crowd.outcome(*agent),
                    Ok(Some(Outcome::Status(last))),
                    "{dialect} {engine:?} {count} {index}"
                );
            }
            sleepers.for_each(|agent| crowd.wake(agent).expect("the agent is there"));
            assert_eq!(crowd.tick(3, &mut host).total() as usize, count);
            crowd.sleep(agents[0]).expect("the agent is there");
            crowd.despawn(agents[0], 4, &mut host).expect("the agent is there");
            let heir = crowd.spawn("main").expect("there is room");
            assert_eq!((crowd.sleeps(heir), crowd.tick(5, &mut host).total() as usize), (Ok(false), count));
        }
    }
}

/// Ticks in parts, within a budget, and in turns skip sleeping agents, too.
#[test]
fn who_sleeps_is_left_out_in_every_way() {
    for (dialect, image) in images() {
        let mut host = host();
        let program = Program::link(&image, &host).expect("the host has every function");
        let mut crowd = Crowd::new(&program);
        let agents: Vec<_> = (0..600).map(|_| crowd.spawn("main").expect("there is room")).collect();
        let sleepers = agents.iter().copied().step_by(2);
        sleepers.clone().for_each(|agent| crowd.sleep(agent).expect("the agent is there"));
        let ticked: u32 = crowd.parts(2).map(|mut part| part.tick(0, &mut host).total()).sum();
        crowd.end_tick(0, &mut host);
        assert_eq!(ticked, 300, "{dialect}");
        let (mut ticked, mut rounds, mut ended) = (0, 0, false);
        while !ended {
            let round = crowd.tick_within(1, &mut host, 1);
            (ticked, rounds, ended) = (ticked + round.tally.total(), rounds + 1, round.ended);
        }
        assert!(ticked == 300 && rounds > 1, "{dialect}: {ticked} in {rounds} rounds");
        crowd.set_pace(EventTarget::All, NonZeroU16::new(3).expect("a pace")).expect("it is for all");
        let mut turns = |crowd: &mut Crowd| (2..5).map(|now| crowd.tick(now, &mut host).total()).sum::<u32>();
        assert_eq!(turns(&mut crowd), 300, "{dialect}");
        sleepers.for_each(|agent| crowd.wake(agent).expect("the agent is there"));
        assert_eq!(turns(&mut crowd), 600, "{dialect}");
    }
}

/// Checks the table of life statuses.
#[test]
fn statuses_follow_the_table() {
    let mut life = Life::destructed();
    life.play(Some(1), None);
    life.pause();
    assert_eq!((life.status(), life.begin()), (LifeStatus::Destructed, false));
    let mut life = Life::default();
    life.resume();
    assert_eq!((life.status(), life.begin()), (LifeStatus::Reset, false));
    life.play(Some(1), None);
    assert_eq!(
        (life.status(), life.begin(), life.status()),
        (LifeStatus::Played, true, LifeStatus::Executing)
    );
    life.count(CountedEvent::Execution);
    life.pause();
    life.end();
    assert_eq!(life.status(), LifeStatus::Paused, "what it was told goes before the target");
    life.resume();
    assert_eq!(
        (life.status(), life.begin(), life.status()),
        (LifeStatus::Resumed, false, LifeStatus::Stopped)
    );
}
