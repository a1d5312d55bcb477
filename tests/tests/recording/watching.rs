//! Traces and statistics report the ticks of agents within their capacity, and without a cost for
//! agents that are not watched.
//!
//! The module `batch` tests on all engines that watching changes no results.

use pleach::engine::{Engine, Vectors};
use pleach::host::LogKind;
use pleach::watch::{
    Breakpoint, Breakpoints, FaultCause, ForcedAnswers, LogSource, Statistics, Trace, TraceCapacity,
    TraceEvent, Traces,
};
use pleach::{Agent, Bindings, Crowd, Image, Outcome, Program, Status};
use pleach_image::listing;
use pleach_tests::own;

const TREE: &str = "action fight() action roam() query near: int var angry: bool
    tree main {
        reactive selector {
            sequence { condition angry condition near < 3 action fight }
            action roam
        }
    }";

fn image() -> Image {
    image_of(TREE)
}

fn image_of(tree: &str) -> Image {
    let files = [("main.pleach".to_owned(), tree.to_owned())].into();
    let (module, sources) = own::with_sources(&files).expect("a program");
    let bytes = pleach_compile::internals::emit::emit(&module, "pleach", Some(&sources)).expect("an image");
    Image::copy(&bytes).expect("it is right")
}

/// Returns a host in which fights run for two ticks and succeed in the third, and roaming never
/// ends. Odd agents are near.
fn game() -> Bindings<u32> {
    let mut host = Bindings::new(0);
    host.action("fight", |fought: &mut u32, _| {
        *fought += 1;
        if fought.is_multiple_of(3) { Status::Success } else { Status::Running }
    });
    host.action("roam", |_, _| Status::Running);
    host.query("near", |_, call| if call.agent.index() % 2 == 1 { 2.0 } else { 7.0 });
    host
}

fn crowd(image: &Image, host: &dyn pleach::Host, agents: usize) -> (Crowd, Vec<Agent>) {
    let program = Program::link(image, host).expect("the host has all");
    let mut crowd = Crowd::new(&program);
    let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    (crowd, agents)
}

/// Returns a tick as text: events in order, each below its node.
fn words(image: &Image, traces: &Traces, agent: Agent) -> Vec<String> {
    let tick = traces.of(agent).and_then(pleach::watch::Trace::last).expect("it was ticked");
    let word = |event: &TraceEvent| match event {
        TraceEvent::Asked { site, answer, .. } => format!("{} = {answer}", listing::site(image, *site)),
        TraceEvent::Held { variable, value, .. } => {
            format!("{} {value}", image.name(image.slots()[usize::from(*variable)].name))
        }
        TraceEvent::Acted { site, fresh, status, .. } => {
            format!("{} {fresh} {status:?}", listing::site(image, *site))
        }
        TraceEvent::Ended { node, status, .. } => {
            let line = image.debug_node(*node).map_or(0, |debug| debug.line);
            format!("{} :{line} {status}", listing::label(image, *node))
        }
        other => format!("{other:?}"),
    };
    tick.lines(image).iter().map(|line| format!("{}{}", "  ".repeat(line.depth), word(&line.event))).collect()
}

#[test]
fn a_condition_that_held_is_told_apart_from_its_result() {
    let tree = "action shoot()\nquery near(): bool\ntree main { selector {\n\
                if near { action shoot }\nif !near { action shoot } } }";
    let image = image_of(tree);
    let mut host = Bindings::new(0);
    host.action("shoot", |_, _| Status::Failure);
    host.query("near", |_, _| 1.0);
    let (mut crowd, agents) = crowd(&image, &host, 1);
    let mut traces = Traces::new(&image);
    traces.watch(agents[0], TraceCapacity::default());
    crowd.tick_watched(1, &mut host, &mut traces);
    let tick = traces.of(agents[0]).and_then(pleach::watch::Trace::last).expect("it was ticked");
    let ended = |line: pleach::watch::TraceLine| match line.event {
        TraceEvent::Ended { node, status, test } => Some((listing::label(&image, node), status, test)),
        _ => None,
    };
    let told: Vec<_> = tick.lines(&image).into_iter().filter_map(ended).collect();
    let told: Vec<_> = told.iter().map(|(label, status, test)| (label.as_str(), *status, *test)).collect();
    assert_eq!(
        told,
        [("tree main", 0, None), ("selector", 0, None), ("if", 0, Some(true)), ("if", 0, Some(false)),]
    );
}

#[test]
fn traces_tell_the_walk_in_terms_of_the_source() {
    let (image, mut host) = (image(), game());
    let (mut crowd, agents) = crowd(&image, &host, 300);
    let angry = crowd.program().variable("angry").expect("it is declared");
    let mut traces = Traces::new(&image);
    for agent in [agents[2], agents[3]] {
        traces.watch(agent, TraceCapacity::default());
    }
    crowd.set(agents[3], angry, true).expect("it is a bool");
    crowd.tick_watched(5, &mut host, &mut traces);
    let tick = traces.of(agents[3]).and_then(pleach::watch::Trace::last).expect("it was ticked");
    assert_eq!((tick.now, tick.outcome), (5, Outcome::Status(Status::Running)));
    let walk = words(&image, &traces, agents[3]);
    for line in ["angry 1", "near() = 2", "fight() true Running"] {
        assert!(walk.iter().any(|it| it.trim() == line), "{line} in {walk:#?}");
    }
    let walk = words(&image, &traces, agents[2]);
    assert!(walk.iter().any(|it| it.trim() == "angry 0"), "{walk:#?}");
    assert!(walk.iter().any(|it| it.starts_with("  ") && it.trim() == "roam() true Running"), "{walk:#?}");
    assert!(!walk.iter().any(|it| it.contains("fight")), "{walk:#?}");
    // An agent that is not watched has no trace, and neither has one after `forget`.
    assert!(traces.of(agents[0]).is_none());
    traces.forget(agents[2]);
    assert!(traces.of(agents[2]).is_none());
}

/// A halted action is listed below the node around it, in the order of the source, if that node
/// goes on with another child and if it has ended.
#[test]
fn a_halted_action_is_listed_where_it_stands() {
    let tree = "action fight() action roam() var angry: bool tree main { reactive selector {\n\
                reactive sequence { condition angry action fight }\naction roam } }";
    let (image, mut host) = (image_of(tree), game());
    let (mut crowd, agents) = crowd(&image, &host, 2);
    let angry = crowd.program().variable("angry").expect("it is declared");
    let mut traces = Traces::new(&image);
    traces.watch(agents[1], TraceCapacity::default());
    let mut walk = |angered: bool| {
        crowd.set(agents[1], angry, angered).expect("it is a bool");
        crowd.tick_watched(5, &mut host, &mut traces);
        let walk = words(&image, &traces, agents[1]);
        let places =
            ["fight() true Running", "Halted"].map(|it| walk.iter().position(|line| line.contains(it)));
        (places, walk)
    };
    assert_eq!(walk(false).0, [None, None]);
    let ([fight, halted], lines) = walk(true);
    assert!(halted == Some(lines.len() - 1) && fight < halted, "{lines:#?}");
    assert!(lines[lines.len() - 1].starts_with("    Halted"), "{lines:#?}");
    let ([fight, halted], lines) = walk(false);
    assert!(fight.is_none() && halted.is_some_and(|at| lines[at].starts_with("      Halted")), "{lines:#?}");
    assert!(lines[lines.len() - 1].contains("roam() true Running"), "{lines:#?}");
}

/// Host that describes its actions.
struct Speaker(Bindings<u32>);

impl pleach::Host for Speaker {
    fn resolve(&self, function: pleach::Function, name: &str) -> Option<u32> {
        self.0.resolve(function, name)
    }

    fn act(&mut self, call: &mut pleach::Call<'_>) -> Status {
        self.0.act(call)
    }

    fn query(&mut self, call: &mut pleach::Call<'_>) -> f64 {
        pleach::Host::query(&mut self.0, call)
    }

    fn describe(&mut self, call: &mut pleach::Call<'_>, out: &mut dyn core::fmt::Write) {
        let _ = write!(out, "agent {} at {}", call.agent.index(), call.now);
    }
}

#[test]
fn hosts_speak_of_their_nodes() {
    let (image, host) = (image(), game());
    let (mut crowd, agents) = crowd(&image, &host, 3);
    let mut host = Speaker(host);
    let mut traces = Traces::new(&image);
    traces.watch(agents[1], TraceCapacity::default());
    crowd.tick_watched(8, &mut host, &mut traces);
    let tick = traces.of(agents[1]).and_then(pleach::watch::Trace::last).expect("it was ticked");
    let said: Vec<_> = tick
        .events(&image)
        .into_iter()
        .filter_map(|event| match event {
            TraceEvent::Said { by: LogSource::Host, text, .. } => Some(text),
            TraceEvent::Said { by: LogSource::Log(LogKind::Message), .. } => None,
            _ => None,
        })
        .collect();
    assert_eq!(said, ["agent 1 at 8"]);
}

/// A trace has the node that acted when the host panicked.
#[test]
fn the_node_of_a_panic_is_known() {
    let image = image();
    let mut host = game();
    host.action("roam", |_, call| if call.now == 1 { panic!("it is meant to") } else { Status::Running });
    let (mut crowd, agents) = crowd(&image, &host, 1);
    let mut traces = Traces::new(&image);
    traces.watch(agents[0], TraceCapacity::default());
    let causes = [0, 1, 2].map(|now| {
        crowd.tick_watched(now, &mut host, &mut traces);
        traces.of(agents[0]).and_then(Trace::last).expect("it was ticked").fault(&image)
    });
    let cause = FaultCause { node: node(&image, "action roam"), test: None };
    assert_eq!(causes, [None, Some(cause), None]);
}

/// Old ticks are dropped for new ones, and no tick is kept in part.
#[test]
fn traces_keep_to_their_room() {
    let (image, mut host) = (image(), game());
    let (mut crowd, agents) = crowd(&image, &host, 2);
    let mut traces = Traces::new(&image);
    traces.watch(agents[0], TraceCapacity { rows: 40, text: 1 });
    traces.watch(agents[1], TraceCapacity { rows: 1, text: 1 });
    for now in 0..100 {
        crowd.tick_watched(now, &mut host, &mut traces);
        let ticks: Vec<i64> =
            traces.of(agents[0]).into_iter().flat_map(|it| it.ticks()).map(|it| it.now).collect();
        assert_eq!(ticks.last(), Some(&now));
        assert!(ticks.iter().rev().zip((0..=now).rev()).all(|(is, must)| *is == must), "{ticks:?}");
        assert!(now < 20 || (2..20).contains(&ticks.len()), "{ticks:?}");
    }
    // No tick fits into this capacity.
    assert!(traces.of(agents[1]).is_some_and(|trace| trace.last().is_none()));
}

fn node(image: &Image, word: &str) -> u32 {
    let mut nodes = 1..=image.meta().nodes;
    nodes.find(|node| listing::label(image, *node) == word).unwrap_or_else(|| panic!("no {word}"))
}

/// A forced answer replaces one answer of one agent. All other answers are the host's, on both
/// engines.
#[test]
fn answers_can_be_forced() {
    let image = image();
    for engine in [Engine::Scalar, Engine::Batch(Vectors::Avx512)] {
        let mut host = game();
        let program = Program::link(&image, &host).expect("the host has all");
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let agents: Vec<Agent> = (0..100).map(|_| crowd.spawn("main").expect("there is room")).collect();
        let mut forced = ForcedAnswers::default();
        forced.force(agents[40], node(&image, "action roam"), Status::Success);
        let tally = crowd.tick(0, &mut forced.around(&mut host));
        assert_eq!((tally.success, tally.running), (1, 99), "{engine:?}");
        assert_eq!(crowd.outcome(agents[40]), Ok(Some(Outcome::Status(Status::Success))));
        assert!(forced.waiting().is_empty());
        assert_eq!(crowd.tick(1, &mut forced.around(&mut host)).running, 100);
    }
}

/// An agent that reaches a breakpoint sleeps, and the crowd continues.
#[test]
fn agents_stop_where_somebody_wants_to_look() {
    let (image, mut host) = (image(), game());
    let (mut crowd, agents) = crowd(&image, &host, 4);
    let angry = crowd.program().variable("angry").expect("it is declared");
    let (mut traces, mut points) = (Traces::new(&image), Breakpoints::default());
    traces.watch(agents[1], TraceCapacity::default());
    let fights = Breakpoint::Node(node(&image, "action fight"));
    points.add(agents[1], fights);
    points.add(agents[2], Breakpoint::Variable(angry));
    let mut tick = |crowd: &mut Crowd, points: &mut Breakpoints, now| {
        let total = crowd.tick_watched(now, &mut host, &mut traces).total();
        (total, points.stop(crowd, now, &traces, &image))
    };
    assert_eq!(tick(&mut crowd, &mut points, 0), (4, vec![]));
    crowd.set(agents[1], angry, true).expect("it is a bool");
    assert_eq!(tick(&mut crowd, &mut points, 1), (4, vec![(agents[1], Some(fights))]));
    crowd.set(agents[2], angry, true).expect("it is a bool");
    assert_eq!(tick(&mut crowd, &mut points, 2), (3, vec![(agents[2], Some(Breakpoint::Variable(angry)))]));
    assert_eq!(tick(&mut crowd, &mut points, 3), (2, vec![]));
    points.step(&mut crowd, agents[2]).expect("it is there");
    assert_eq!(tick(&mut crowd, &mut points, 4), (3, vec![(agents[2], None)]));
    points.remove(agents[1], fights);
    points.go_on(&mut crowd, agents[1]).expect("it is there");
    assert_eq!(tick(&mut crowd, &mut points, 5), (3, vec![]));
}

#[test]
fn statistics_count_what_agents_do() {
    let (image, mut host) = (image(), game());
    let (mut crowd, agents) = crowd(&image, &host, 4);
    let angry = crowd.program().variable("angry").expect("it is declared");
    let mut statistics = Statistics::new(&image);
    let (fight, roam) = (node(&image, "action fight"), node(&image, "action roam"));
    // No agent is angry: all roam.
    for now in [0, 10, 20] {
        crowd.tick_watched(now, &mut host, &mut statistics);
    }
    let count = statistics.of(roam);
    assert_eq!((count.entries, count.ticks, count.time, count.calls), (4, 12, 80, 12));
    assert_eq!((count.successes, count.failures, count.aborts), (0, 0, 0));
    assert_eq!(statistics.of(fight), pleach::watch::NodeStatistics::default());
    // One agent is angry and near: it fights for three ticks.
    crowd.set(agents[1], angry, true).expect("it is a bool");
    statistics.clear();
    for now in [30, 40, 50] {
        crowd.tick_watched(now, &mut host, &mut statistics);
    }
    let count = statistics.of(fight);
    assert_eq!((count.entries, count.successes, count.ticks, count.calls), (1, 1, 2, 3));
    let count = statistics.of(roam);
    assert_eq!((count.entries, count.aborts), (0, 1));
    assert_eq!(statistics.agent_ticks(), 12);
}
