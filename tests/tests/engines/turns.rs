//! Ticks of some agents of a crowd: in turns, within a budget, in parts, and while they are
//! watched.

use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::host::Effect;
use pleach::watch::Watch;
use pleach::{
    AccessError, Agent, Call, Crowd, EventTarget, Function, Group, Host, Image, Program, Status, Tally,
};
use pleach_compile::internals::emit;
use pleach_tests::own;

const COUNTED: &str = "action work() var done: int world var sum: int world var most: int
    tree main { sequence { action work set done += 1 set sum += done set most max= done } }";

/// Host that records the indices of agents that work.
struct Notes {
    effect: Effect,
    asked: Vec<usize>,
}

impl Notes {
    fn new() -> Self {
        Self { effect: Effect::Own, asked: Vec::new() }
    }
}

impl Host for Notes {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        (name == "work").then_some(0)
    }

    fn effect(&self, _: Function, _: u32) -> Effect {
        self.effect
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.asked.push(call.agent.index());
        Status::Success
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

/// Creates a crowd with a host.
fn crowd(agents: usize, engine: Engine) -> (Crowd, Vec<Agent>, Notes) {
    let host = Notes::new();
    let program = Program::link(&image(COUNTED), &host).expect("all functions are there");
    let mut crowd = Crowd::new(&program).with_engine(engine);
    let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    (crowd, agents, host)
}

fn image(text: &str) -> Image {
    let files = [("main.pleach".to_owned(), text.to_owned())].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right")
}

fn engines() -> impl Iterator<Item = Engine> {
    [Engine::Scalar, Engine::Auto].into_iter().chain(Vectors::all().map(Engine::Batch))
}

fn succeeded(agents: u32) -> Tally {
    Tally { success: agents, ..Tally::default() }
}

#[test]
fn agents_with_a_pace_take_turns() {
    for engine in engines() {
        let (mut crowd, agents, mut host) = crowd(300, engine);
        crowd.set_pace(EventTarget::All, NonZeroU16::new(4).unwrap()).unwrap();
        crowd.set_pace(EventTarget::Agent(agents[7]), NonZeroU16::MIN).unwrap();
        for tick in 0..8 {
            host.asked.clear();
            let tally = crowd.tick(tick, &mut host);
            let mut asked = std::mem::take(&mut host.asked);
            asked.sort_unstable();
            let turn = |index: &usize| *index == 7 || (*index as i64 - tick).rem_euclid(4) == 0;
            assert_eq!(asked, (0..300).filter(turn).collect::<Vec<_>>(), "{engine:?}, tick {tick}");
            assert_eq!(tally, succeeded(asked.len() as u32));
        }
        // A group has its current members. A new agent is due in its first tick.
        let group = crowd.add_group().unwrap();
        crowd.join(agents[20], group).unwrap();
        crowd.set_pace(EventTarget::Group(Group::default()), NonZeroU16::new(1000).unwrap()).unwrap();
        crowd.set_pace(EventTarget::Group(group), NonZeroU16::MIN).unwrap();
        crowd.tick(8, &mut host);
        crowd.spawn("main").unwrap();
        host.asked.clear();
        assert_eq!(
            crowd.tick(9, &mut host),
            succeeded(3),
            "agents 20 and 300, and agent 1, whose turn it is"
        );
    }
}

#[test]
fn a_budget_ends_a_tick_at_the_border_of_a_chunk() {
    for engine in engines() {
        let (mut crowd, agents, mut host) = crowd(700, engine);
        let chunk = crowd.program().bounds().instructions * 256;
        let sum = crowd.program().shared("sum").unwrap();
        for round in 1..=3 {
            for (budget, ticked, ended) in [(chunk, 256, false), (chunk, 256, false), (chunk, 188, true)] {
                let round = crowd.tick_within(0, &mut host, budget);
                assert_eq!((round.tally, round.ended), (succeeded(ticked), ended), "{engine:?}");
            }
            // Shared variables are combined after all agents have been ticked.
            assert_eq!(crowd.shared(sum, Group::default()), Ok(f64::from(700 * (1..=round).sum::<i32>())));
        }
        assert_eq!(crowd.tick_within(0, &mut host, 2 * chunk).tally, succeeded(512));
        assert_eq!(crowd.shared(sum, Group::default()), Ok(700.0 * 6.0));
        assert_eq!(crowd.tick_within(0, &mut host, 0).tally, succeeded(188));
        assert_eq!(crowd.shared(sum, Group::default()), Ok(700.0 * 10.0));
        assert_eq!(crowd.tick_within(0, &mut host, u64::MAX).tally, succeeded(700));
        let done = crowd.program().variable("done").unwrap();
        assert!(agents.iter().all(|agent| crowd.get(*agent, done) == Ok(5)));
    }
}

#[test]
fn parts_come_to_the_same_as_the_whole() {
    let (mut whole, _, mut host) = crowd(2000, Engine::Auto);
    let [sum, most] = ["sum", "most"].map(|name| whole.program().shared(name).unwrap());
    for count in [1, 2, 3, 7, 8, 100] {
        let (mut crowd, agents, _) = self::crowd(2000, Engine::Auto);
        let mut hosts: Vec<_> = (0..count).map(|_| Notes::new()).collect();
        let done = crowd.program().variable("done").unwrap();
        crowd.set(agents[1999], done, 1000).unwrap();
        for now in 0..3 {
            let tallies: Vec<Tally> = std::thread::scope(|scope| {
                let parts = crowd.parts(count).zip(&mut hosts);
                let threads = parts.map(|(mut part, host)| scope.spawn(move || part.tick(now, host)));
                let threads: Vec<_> = threads.collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert_eq!(tallies.len(), count.min(8));
            assert!(tallies.iter().all(|tally| tally.success > 0));
            assert_eq!(tallies.iter().map(|tally| tally.success).sum::<u32>(), 2000);
            crowd.end_tick(now, &mut hosts[0]);
        }
        assert_eq!(crowd.shared(sum, Group::default()), Ok(2000.0 * 6.0 + 3.0 * 1000.0));
        assert_eq!(crowd.shared(most, Group::default()), Ok(1003.0));
        let mut asked: Vec<_> = hosts.iter().flat_map(|host| host.asked.iter().copied()).collect();
        asked.sort_unstable();
        assert!(asked.iter().enumerate().all(|(at, agent)| at / 3 == *agent), "each agent three times");
    }
    // A crowd with a defined order has one part, which keeps the order.
    host.effect = Effect::World;
    let program = Program::link(&image(COUNTED), &host).expect("all functions are there");
    whole = Crowd::new(&program);
    (0..600).for_each(|_| _ = whole.spawn("main").expect("there is room"));
    let tallies: Vec<_> = whole.parts(4).map(|mut part| part.tick(0, &mut host)).collect();
    assert_eq!(tallies, [succeeded(600)]);
    assert!(host.asked.is_sorted());
}

#[test]
fn what_agents_sense_is_written_by_who_ticks_their_part() {
    let (mut crowd, agents, mut host) = crowd(600, Engine::Auto);
    let done = crowd.program().variable("done").unwrap();
    for mut part in crowd.parts(2) {
        let chunks = part.columns().chunks();
        for chunk in 0..chunks {
            let agents: Vec<_> = part.columns().agents_of(chunk).collect();
            let column = part.columns_mut().column::<i32>(chunk, done).unwrap();
            agents.iter().for_each(|(lane, agent)| column[*lane] = agent.index() as i32);
        }
        assert_eq!(part.columns_mut().column::<i32>(chunks, done).err(), Some(AccessError::NoPlace));
        assert!(
            part.columns_mut().column::<f32>(0, done).is_err() && part.columns_mut().bits(0, done).is_err()
        );
        part.tick(0, &mut host);
    }
    crowd.end_tick(0, &mut host);
    let counted = |agent: &Agent| crowd.get::<i32>(*agent, done).unwrap();
    assert!(agents.iter().map(counted).eq(1..=600));
}

/// Counter of observed events.
#[derive(Default)]
struct Seen {
    acted: u32,
    left: u32,
}

impl Watch for Seen {
    fn acted(&mut self, _: u32, _: u32, _: bool, status: Status) {
        assert_eq!(status, Status::Success);
        self.acted += 1;
    }

    fn left(&mut self, _: u32, _: u32) {
        self.left += 1;
    }
}

#[test]
fn one_agent_is_watched_while_all_others_are_swept() {
    for engine in engines() {
        let (mut crowd, agents, mut host) = crowd(300, engine);
        let mut seen = Seen::default();
        for now in 0..5 {
            assert_eq!(crowd.tick_watching(now, &mut host, agents[290], &mut seen), Ok(succeeded(300)));
        }
        assert_eq!(seen.acted, 5);
        assert!(seen.left > 5, "it sees the instructions, too");
        let done = crowd.program().variable("done").unwrap();
        assert!(agents.iter().all(|agent| crowd.get(*agent, done) == Ok(5)));
        crowd.set_pace(EventTarget::Agent(agents[290]), NonZeroU16::new(2).unwrap()).unwrap();
        for now in 5..9 {
            crowd.tick_watching(now, &mut host, agents[290], &mut seen).unwrap();
        }
        assert_eq!(seen.acted, 7);
        crowd.despawn(agents[290], 9, &mut host).unwrap();
        assert!(crowd.tick_watching(9, &mut host, agents[290], &mut seen).is_err());
        assert_eq!(crowd.get(agents[0], done), Ok(9), "nobody was ticked");
    }
}
