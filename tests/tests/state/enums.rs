//! Values of enums keep their names when members are added, removed or numbered anew.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::state::{ReloadPolicy, StateFault};
use pleach::{Agent, Crowd, Group};

const BEFORE: &str = "action work()
    enum Mood { calm, wary, angry }
    var own: Mood world var all: Mood group var some: Mood = angry
    tree main { sequence { use inner(Mood.angry) set own = calm set all = calm set some = calm } }
    tree inner(first: Mood) { var last: Mood = first sequence { action work set last = wary } }";

/// Returns [`BEFORE`] with a member before the others, so that each has another number and the
/// column is another, and without `wary`.
fn after() -> String {
    BEFORE
        .replace("{ calm, wary, angry }", "{ bored = -300, angry = 7, calm }")
        .replace("set last = wary", "success")
}

fn own(crowd: &Crowd, agent: Agent) -> [f64; 2] {
    ["own", "inner.last"].map(|name| {
        let variable = crowd.program().variable(name).expect("it is declared");
        crowd.number(agent, variable).expect("the agent is there")
    })
}

fn shared(crowd: &Crowd) -> [f64; 2] {
    ["all", "some"].map(|name| {
        let variable = crowd.program().shared(name).expect("it is declared");
        crowd.shared(variable, Group::default()).expect("the group is there")
    })
}

fn set(crowd: &mut Crowd, agent: Agent, name: &str, value: f64) {
    let program = crowd.program().clone();
    match (program.variable(name), program.shared(name)) {
        (Some(variable), _) => crowd.set_number(agent, variable, value).expect("the agent is there"),
        (_, shared) => {
            let shared = shared.expect("it is declared");
            crowd.set_shared(shared, Group::default(), value).expect("the group is there");
        }
    }
}

/// Returns a crowd of two agents, of which the first one is wary and the second one angry.
fn crowd_before() -> (Crowd, Vec<Agent>) {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main", "main"]);
    crowd.tick(0, &mut host);
    set(&mut crowd, agents[0], "own", 1.0);
    set(&mut crowd, agents[1], "own", 2.0);
    set(&mut crowd, agents[0], "all", 2.0);
    assert_eq!((own(&crowd, agents[0]), own(&crowd, agents[1])), ([1.0, 2.0], [2.0, 2.0]));
    assert_eq!(shared(&crowd), [2.0, 2.0]);
    (crowd, agents)
}

fn reload(crowd: &mut Crowd) {
    let report = crowd.reload(&program(&after()), ReloadPolicy::default(), 1, &mut Notes::default());
    assert_eq!(report.expect("nothing is in its way").lost, [""; 0]);
}

#[test]
fn members_are_found_by_name() {
    let (mut before, agents) = crowd_before();
    let state = snapshot(&mut before);
    let mut restored = Crowd::new(&program(&after()));
    restored.restore(&state).expect("an enum may have other members");
    reload(&mut before);
    for crowd in [before, restored] {
        // `wary` is gone, so the variable begins as it is declared: with the first member.
        assert_eq!(own(&crowd, agents[0]), [-300.0, 7.0]);
        assert_eq!(own(&crowd, agents[1]), [7.0, 7.0]);
        assert_eq!(shared(&crowd), [7.0, 7.0]);
    }
}

#[test]
fn an_agent_that_moves_keeps_the_names() {
    let (before, agents) = crowd_before();
    let mut state = Vec::new();
    before.save_agent(agents[1], &mut state).expect("the agent is there");
    let mut other = Crowd::new(&program(&after()));
    let agent = other.load_agent(&state, Group::default()).expect("its tree is there");
    assert_eq!(own(&other, agent), [7.0, 7.0]);
    let mut same = Crowd::new(&program(BEFORE));
    let agent = same.load_agent(&state, Group::default()).expect("it is the same program");
    assert_eq!(own(&same, agent), [2.0, 2.0]);
}

#[test]
fn numbers_without_a_name_stay() {
    let (mut before, agents) = crowd_before();
    set(&mut before, agents[0], "own", 99.0);
    set(&mut before, agents[0], "all", 99.0);
    reload(&mut before);
    assert_eq!(own(&before, agents[0])[0], 99.0);
    assert_eq!(shared(&before)[0], 99.0);
}

/// A value that waits to be written when a state is saved is one of the enum, too.
#[test]
fn pending_writes_keep_the_names() {
    let text = |members: &str| {
        format!("action work() enum Mood {{ {members} }} world var all: Mood tree main {{ set all = angry }}")
    };
    let (mut before, agents, mut host) = crowd(&text("calm, angry"), &["main"]);
    before.tick_agent(agents[0], 0, &mut host, &mut ()).expect("the agent is there");
    let state = snapshot(&mut before);
    let mut after = Crowd::new(&program(&text("calm, wary, angry")));
    after.restore(&state).expect("an enum may have other members");
    after.end_tick(0, &mut host);
    let all = after.program().shared("all").expect("it is declared");
    assert_eq!(after.shared(all, Group::default()), Ok(2.0));
}

/// An enum is a type of its own, whatever column it has.
#[test]
fn an_enum_is_no_int() {
    let (mut before, _) = crowd_before();
    let state = snapshot(&mut before);
    let ints = "action work() var own: uint8 world var all: uint8 group var some: uint8
        tree main { sequence { use inner(2) set own = 0 set all = 0 set some = 0 } }
        tree inner(first: int) { var last: uint8 = first sequence { action work set last = 1 } }";
    let error = Crowd::new(&program(ints)).restore(&state).expect_err("the types differ");
    assert_eq!((error.fault, error.about.as_str()), (StateFault::OtherType, "own"));
}
