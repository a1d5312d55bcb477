//! Vectors in saved states and after reloads: each part is a variable of its own, which is found by
//! its name.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, Group};

const BEFORE: &str = "action work()
    var home: vec3 = vec3(1, 2, 3) var aim: vec2 world var all: vec2 group var some: vec3
    tree main
    {
        sequence
        {
            set home = home * 2 set aim = vec2(home.z, 0.5) set all = aim set some = home
            use inner(home)
        }
    }
    tree inner(to: vec3) { var last: vec3 = to - vec3(1, 0, 0) sequence { action work condition last == to } }";

/// Names of all parts of agents, with their values after a tick.
const OWN: [(&str, f64); 8] = [
    ("home.x", 2.0),
    ("home.y", 4.0),
    ("home.z", 6.0),
    ("aim.x", 6.0),
    ("aim.y", 0.5),
    ("inner.last.x", 1.0),
    ("inner.last.y", 4.0),
    ("inner.last.z", 6.0),
];

/// Names of all parts that agents share, with their values after a tick.
const SHARED: [(&str, f64); 5] =
    [("all.x", 6.0), ("all.y", 0.5), ("some.x", 2.0), ("some.y", 4.0), ("some.z", 6.0)];

fn own(crowd: &Crowd, agent: Agent, name: &str) -> f64 {
    let variable = crowd.program().variable(name).unwrap_or_else(|| panic!("there is no {name}"));
    crowd.number(agent, variable).expect("the agent is there")
}

#[track_caller]
fn holds(crowd: &Crowd, agent: Agent) {
    for (name, value) in OWN {
        assert_eq!(own(crowd, agent, name), value, "{name}");
    }
    for (name, value) in SHARED {
        let variable = crowd.program().shared(name).unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(crowd.shared(variable, Group::default()), Ok(value), "{name}");
    }
}

/// Returns a crowd of one agent that has worked for a tick.
fn before() -> (Crowd, Agent) {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main"]);
    crowd.tick(0, &mut host);
    (crowd, agents[0])
}

#[test]
fn parts_are_kept() {
    let (mut crowd, agent) = before();
    holds(&crowd, agent);
    let state = snapshot(&mut crowd);
    let longer = BEFORE
        .replace("var home", "var more: vec2 var home")
        .replace("world var", "world var x: vec3 world var");
    for text in [BEFORE, &longer] {
        let mut restored = Crowd::new(&program(text));
        restored.restore(&state).expect("it is sound");
        holds(&restored, agent);
    }
    crowd.reload(&program(&longer), ReloadPolicy::default(), 1, &mut Notes::default()).expect("it goes on");
    holds(&crowd, agent);
}

/// A vector that gets another type keeps the parts that both types have.
#[test]
fn a_vector_of_another_type_keeps_its_parts() {
    let (mut crowd, agent) = before();
    let state = snapshot(&mut crowd);
    let after = "action work()
        var home: vec2 = vec2(7, 8) var aim: vec3 = vec3(9, 9, 9) world var all: float group var some: vec3
        tree main { sequence { set home = home set aim = aim set all = 1 set some = some action work } }";
    let mut restored = Crowd::new(&program(after));
    restored.restore(&state).expect_err("a part of `home` has no place");
    let report = crowd.reload(&program(after), ReloadPolicy::default(), 1, &mut Notes::default());
    let lost = report.expect("it goes on").lost;
    for name in ["home.z", "inner.last.x", "all.x", "all.y"] {
        assert!(lost.iter().any(|it| it.contains(name)), "{name} in {lost:?}");
    }
    for (name, value) in [("home.x", 2.0), ("home.y", 4.0), ("aim.x", 6.0), ("aim.y", 0.5), ("aim.z", 9.0)] {
        assert_eq!(own(&crowd, agent, name), value, "{name}");
    }
}
