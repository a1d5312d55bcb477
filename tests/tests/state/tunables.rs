//! Values of tunables are checked, and saved states, recordings and reloads keep them.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::program::Lookup;
use pleach::record::{Recorder, Replay};
use pleach::state::ReloadPolicy;
use pleach::values::{TunableScope, TuneError};
use pleach::{Agent, Bindings, Crowd, Group, Image, Program, Status, values::Type};
use pleach_compile::internals::emit;
use pleach_tests::own;

const TREE: &str = "action work()
    tune const N = 5 in 0..10 tune const PAUSE = 1 s in 0 ms..2 s tune agent const SPEED: float = 1.5 in -2..4
    tune agent const BRAVE = true var v: float world var w: int
    tree main { sequence { condition BRAVE || N > PAUSE set v = SPEED set w = N action work } }";

/// Returns [`TREE`] with other ranges and defaults, and one tunable more.
fn after() -> String {
    TREE.replace("5 in 0..10", "2 in 1..3").replace("1.5 in -2..4", "1 in -1..1").replace(
        "var v",
        "tune agent const MORE = 3 in 3..4 var more: int = 1 on e { set more = MORE } var v",
    )
}

/// Returns the values of N and PAUSE, and of SPEED and BRAVE of an agent.
fn values(crowd: &Crowd, agent: Agent) -> [f64; 4] {
    let [n, pause] = ["N", "PAUSE"].map(|name| crowd.tuned(name).expect("it is declared"));
    let [speed, brave] = ["SPEED", "BRAVE"].map(|name| crowd.tuned_agent(agent, name).expect("it is there"));
    [n, pause, speed, brave]
}

/// Returns a crowd of two agents, with other values than the defaults for all and for the second.
fn tuned() -> (Crowd, Vec<Agent>) {
    let (mut crowd, agents, mut host) = crowd(TREE, &["main", "main"]);
    crowd.tick(0, &mut host);
    crowd.tune("N", 7.0).expect("it is in the range");
    crowd.tune_agent(agents[1], "SPEED", -1.75).expect("it is in the range");
    crowd.tune_agent(agents[1], "BRAVE", 0.0).expect("it is a boolean");
    (crowd, agents)
}

#[test]
fn programs_list_their_tunables() {
    let program = program(TREE);
    let list: Vec<_> = program
        .tunables()
        .iter()
        .map(|it| (&*it.name, it.ty, it.scope, it.range, it.default, it.is_duration))
        .collect();
    let (crowd, agent) = (TunableScope::Crowd, TunableScope::Agent);
    let mut wanted = vec![
        ("SPEED", Type::of::<f32>(), agent, (-2.0, 4.0), 1.5, false),
        ("BRAVE", Type::of::<bool>(), agent, (0.0, 1.0), 1.0, false),
        ("N", Type::of::<i32>(), crowd, (0.0, 10.0), 5.0, false),
        ("PAUSE", Type::of::<i32>(), crowd, (0.0, 2000.0), 1000.0, true),
    ];
    let by_name = |it: &(&str, Type, TunableScope, (f64, f64), f64, bool)| it.0.to_owned();
    let mut list = list;
    list.sort_by_key(by_name);
    wanted.sort_by_key(by_name);
    assert_eq!(list, wanted);
    // The game has no handles by which it could write them.
    assert_eq!((program.shared("N"), program.variable("SPEED")), (None, None));
    assert!(program.shared("w").is_some() && program.variable("v").is_some());
    let mut lookup = Lookup::new(&program);
    lookup.variable::<f32>("SPEED");
    lookup.shared("N");
    let missing = lookup.end(()).expect_err("they are no variables").to_string();
    assert!(
        missing.contains("`SPEED`") && !missing.contains("mean `SPEED`") && !missing.contains("mean `N`"),
        "{missing}"
    );
}

#[test]
fn values_are_checked() {
    let (mut crowd, agents) = tuned();
    let before = values(&crowd, agents[1]);
    assert_eq!(before, [7.0, 1000.0, -1.75, 0.0]);
    for (name, value) in [("N", 10.5), ("N", 11.0), ("N", -1.0), ("N", f64::NAN), ("PAUSE", 2001.0)] {
        let error = crowd.tune(name, value).expect_err("it is refused");
        assert!(matches!(error, TuneError::OutOfRange { .. }), "{error}");
    }
    assert!(matches!(crowd.tune("N", 3.5), Err(TuneError::NotWhole { .. })));
    for value in [4.1, f64::INFINITY, f64::NAN] {
        let refused = crowd.tune_agent(agents[1], "SPEED", value);
        assert!(matches!(refused, Err(TuneError::OutOfRange { .. })));
    }
    assert!(matches!(crowd.tune_agent(agents[1], "BRAVE", 0.5), Err(TuneError::NotWhole { .. })));
    assert!(matches!(crowd.tune("SPEED", 1.0), Err(TuneError::Scope { scope: TunableScope::Agent, .. })));
    let refused = crowd.tune_agent(agents[0], "N", 1.0);
    assert!(matches!(refused, Err(TuneError::Scope { scope: TunableScope::Crowd, .. })));
    let unknown = crowd.tune("SPED", 1.0).expect_err("there is none").to_string();
    assert!(unknown.contains("no tunable `SPED`; it has `SPEED`"), "{unknown}");
    assert!(matches!(crowd.tuned("v"), Err(TuneError::Unknown { .. })));
    crowd.despawn(agents[0], 0, &mut Notes::default()).expect("it is there");
    assert_eq!(crowd.tune_agent(agents[0], "SPEED", 1.0), Err(TuneError::Stale));
    assert_eq!(values(&crowd, agents[1]), before);
}

/// The ends of a range are among its values, although 0.1 is no 32-bit float.
#[test]
fn ends_of_ranges_can_be_tuned() {
    let text = "tune const A = 0.5 in 0.1..0.9 tree main { condition A > 0.2 }";
    let (mut crowd, _, _) = crowd(text, &["main"]);
    for value in [0.1, 0.9] {
        crowd.tune("A", value).expect("it is an end of the range");
        assert_eq!(crowd.tuned("A"), Ok(f64::from(value as f32)));
    }
    let refused = crowd.tune("A", 0.91).expect_err("it is outside").to_string();
    assert_eq!(refused, "the tunable `A` cannot be 0.91; it can be 0.1 to 0.9");
}

#[test]
fn programs_begin_with_other_values() {
    let program = program(TREE).with_tuned("N", 3.0).and_then(|it| it.with_tuned("SPEED", 2.25));
    let program = program.and_then(|it| it.with_tuned("N", 4.0)).expect("they are in their ranges");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("main").expect("it is there");
    assert_eq!(values(&crowd, agent), [4.0, 1000.0, 2.25, 1.0]);
    assert!(matches!(program.clone().with_tuned("N", 11.0), Err(TuneError::OutOfRange { .. })));
    assert!(matches!(program.with_tuned("M", 1.0), Err(TuneError::Unknown { .. })));
}

#[test]
fn saved_states_keep_values() {
    let (mut crowd, agents) = tuned();
    let state = snapshot(&mut crowd);
    let mut restored = Crowd::new(&program(TREE));
    restored.restore(&state).expect("it is sound");
    assert_eq!(values(&restored, agents[0]), [7.0, 1000.0, 1.5, 1.0]);
    assert_eq!(values(&restored, agents[1]), [7.0, 1000.0, -1.75, 0.0]);
    // The range of another build is not that of the state, even if all else is the same.
    for text in [after(), TREE.replace("5 in 0..10", "2 in 1..3").replace("1.5 in -2..4", "1 in -1..1")] {
        let mut narrow = Crowd::new(&program(&text));
        narrow.restore(&state).expect("it is sound");
        assert_eq!(values(&narrow, agents[0]), [3.0, 1000.0, 1.0, 1.0]);
        assert_eq!(values(&narrow, agents[1]), [3.0, 1000.0, -1.0, 0.0]);
        let report = narrow.migrate(&state).expect("it is sound");
        assert_eq!(report.mended, ["SPEED", "N"]);
    }
    let mut one = Vec::new();
    crowd.save_agent(agents[1], &mut one).expect("it is there");
    let mut other = Crowd::new(&program(&after()));
    let agent = other.load_agent(&one, Group::default()).expect("it is sound");
    assert_eq!(values(&other, agent), [2.0, 1000.0, -1.0, 0.0]);
    // A tunable that the state does not have begins as the program says.
    let more = program(&after()).with_tuned("MORE", 4.0).expect("it is in the range");
    let mut other = Crowd::new(&more);
    let agent = other.load_agent(&one, Group::default()).expect("it is sound");
    assert_eq!(other.tuned_agent(agent, "MORE"), Ok(4.0));
    other.restore(&state).expect("it is sound");
    assert_eq!(other.tuned_agent(agents[1], "MORE"), Ok(4.0));
}

#[test]
fn reloads_keep_tuned_values_and_take_new_defaults() {
    let (mut crowd, agents) = tuned();
    let report = crowd.reload(&program(&after()), ReloadPolicy::default(), 1, &mut Notes::default());
    let report = report.expect("nothing is in its way");
    assert_eq!(report.mended, ["SPEED", "N"]);
    assert!(report.to_string().ends_with("; with the nearest allowed values of the tunables `SPEED`, `N`"));
    // The first agent had the default, so it has the new one.
    assert_eq!(values(&crowd, agents[0]), [3.0, 1000.0, 1.0, 1.0]);
    assert_eq!(values(&crowd, agents[1]), [3.0, 1000.0, -1.0, 0.0]);
    assert_eq!(crowd.tuned_agent(agents[1], "MORE"), Ok(3.0));

    let (mut crowd, _, _) = super::reload::crowd(TREE, &["main"]);
    let program = program(&after()).with_tuned("N", 1.0).expect("it is in the range");
    let report = crowd.reload(&program, ReloadPolicy::default(), 1, &mut Notes::default());
    assert_eq!((report.expect("nothing is in its way").mended.len(), crowd.tuned("N")), (0, Ok(1.0)));
}

/// The value with which a program lets crowds begin counts as not tuned, whatever trees declare.
#[test]
fn reloads_compare_with_the_values_of_the_beginning() {
    let at = |value| program(TREE).with_tuned("N", value).expect("it is in the range");
    let mut crowd = Crowd::new(&at(3.0));
    crowd.reload(&at(4.0), ReloadPolicy::default(), 0, &mut Notes::default()).expect("the same trees");
    assert_eq!(crowd.tuned("N"), Ok(4.0));
    crowd.tune("N", 5.0).expect("it is in the range");
    crowd.reload(&at(4.0), ReloadPolicy::default(), 0, &mut Notes::default()).expect("the same trees");
    assert_eq!(crowd.tuned("N"), Ok(5.0));
}

#[test]
fn replays_come_to_the_same() {
    let module = own::module(&[(own::MAIN.to_owned(), TREE.to_owned())].into()).expect("it is sound");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("it fits")).expect("it is valid");
    let mut host = Bindings::new(());
    host.action("work", |(), call| if call.now % 3 == 0 { Status::Success } else { Status::Running });
    let program = Program::link(&image, &host).expect("it has all functions");
    // An agent that is spawned later begins with the value of its program, too.
    let program = program.with_tuned("SPEED", 3.0).expect("it is in the range");
    let mut crowd = Crowd::new(&program);
    let mut recorder = Recorder::new(&image, &host);
    let mut states = Vec::new();
    for now in 0..20 {
        let agent = crowd.spawn("main").expect("there is room");
        if now % 2 == 0 {
            crowd.tune("N", f64::from(now % 11)).expect("it is in the range");
        }
        if now % 3 == 0 {
            crowd.tune_agent(agent, "SPEED", f64::from(now % 4)).expect("it is in the range");
        }
        crowd.tick(now.into(), &mut recorder.around(&mut host));
        states.push((crowd.inspect().digest(), values(&crowd, agent)));
    }
    let mut replay = Replay::open(recorder.finish()).expect("it is one");
    for (index, (digest, tuned)) in states.into_iter().enumerate() {
        assert!(replay.tick().expect("it is whole"));
        let crowd = replay.crowd();
        assert_eq!(crowd.inspect().digest(), digest, "tick {index}");
        assert_eq!(values(crowd, crowd.at(index).expect("it is there")), tuned);
    }
}
