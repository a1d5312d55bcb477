//! Restoring and reloading keep, report and refuse data as `spec/state.md` says.

use pleach::state::{ReloadPolicy, ResetReason, StateError, StateFault};
use pleach::{
    Agent, Call, Crowd, EventTarget, Function, Group, Halt, Host, Image, Outcome, Program, StaleAgent, Status,
};
use pleach_compile::internals::emit;
use pleach_tests::own;

const BEFORE: &str = "action work() action dig() action rest()
    var done: int var mood: float = 0.5 world var sum: int
    on alarm { set done += 100 }
    tree main { selector {
        sequence { condition done >= 0 action work set done += 1 set sum += 1 }
        action rest } }
    tree other { action dig }";

/// The program of [`BEFORE`] with another tree and variable before the others, another branch
/// before the first, and another text of the condition.
const AFTER: &str = "action work() action dig() action rest() action look()
    var before: bool var done: int var mood: float = 0.5 group var plan: int world var sum: int
    on alarm { set done += 100 }
    tree first { parallel { action look action look } }
    tree other { action dig }
    tree main { selector {
        if done < -5 { action look }
        sequence { condition done >= -1 action work set done += 1 set sum += 1 }
        action rest } }";

/// Host that records its calls. Actions are running until `done` is set.
#[derive(Default)]
pub(super) struct Notes {
    heard: Vec<String>,
    pub(super) done: bool,
}

impl Notes {
    fn note(&mut self, what: &str, call: &Call<'_>) {
        let fresh = if call.fresh { " fresh" } else { "" };
        let (name, agent) = (NAMES[call.function as usize], call.agent.index());
        self.heard.push(format!("{what} {name} {agent}{fresh}"));
    }

    pub(super) fn heard(&mut self) -> Vec<String> {
        core::mem::take(&mut self.heard)
    }
}

const NAMES: [&str; 4] = ["work", "dig", "rest", "look"];

impl Host for Notes {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        NAMES.iter().position(|known| *known == name).map(|at| at as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.note("act", call);
        if self.done { Status::Success } else { Status::Running }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.note(&format!("{reason:?}"), call);
    }
}

pub(super) fn program(text: &str) -> Program {
    let files = [("main.pleach".to_owned(), text.to_owned())].into();
    let module = own::module(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    Program::link(&image, &Notes::default()).expect("all functions are there")
}

pub(super) fn crowd(text: &str, entries: &[&str]) -> (Crowd, Vec<Agent>, Notes) {
    let mut crowd = Crowd::new(&program(text));
    let agents = entries.iter().map(|entry| crowd.spawn(entry).expect("there is room")).collect();
    (crowd, agents, Notes::default())
}

pub(super) fn snapshot(crowd: &mut Crowd) -> Vec<u8> {
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    state
}

fn done(crowd: &Crowd, agent: Agent) -> f64 {
    let done = crowd.program().variable("done").expect("it is declared");
    crowd.number(agent, done).expect("the agent is there")
}

#[test]
fn handles_are_those_of_the_time_that_is_restored() {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main", "other", "main"]);
    crowd.tick(0, &mut host);
    let state = snapshot(&mut crowd);
    crowd.despawn(agents[1], 1, &mut host).unwrap();
    let later = crowd.spawn("main").unwrap();
    assert_eq!(later.index(), agents[1].index());
    crowd.restore(&state).unwrap();
    assert_eq!(crowd.outcome(later), Err(StaleAgent));
    assert_eq!(crowd.outcome(agents[1]), Ok(Some(Outcome::Status(Status::Running))));
    assert_eq!(crowd.agents().count(), 3);
    // A new agent has the handle that it got before the restore.
    crowd.despawn(agents[1], 1, &mut host).unwrap();
    assert_eq!(crowd.spawn("main"), Ok(later));
}

#[test]
fn running_actions_go_on_in_another_build() {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main", "other", "main"]);
    crowd.tick(0, &mut host);
    assert_eq!(host.heard(), ["act work 0 fresh", "act work 2 fresh", "act dig 1 fresh"]);
    let report = crowd.reload(&program(AFTER), ReloadPolicy::Places, 1, &mut host).unwrap();
    assert_eq!(report.to_string(), "3 kept, 0 reset");
    host.done = true;
    crowd.tick(1, &mut host);
    assert_eq!(host.heard(), ["act work 0", "act work 2", "act dig 1"]);
    let count: Vec<_> = agents.iter().map(|agent| done(&crowd, *agent)).collect();
    assert_eq!(count, [1.0, 0.0, 1.0]);
    let sum = crowd.program().shared("sum").unwrap();
    assert_eq!(crowd.shared(sum, Group::default()), Ok(2.0));
}

#[test]
fn what_is_gone_is_reset_and_told() {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main", "other", "main", "main"]);
    crowd.tick(0, &mut host);
    crowd.sleep(agents[2]).unwrap();
    host.heard();
    let other =
        BEFORE.replace("action dig }", "sequence { action dig } }").replace("var mood: float = 0.5", "");
    let report = crowd.reload(&program(&other), ReloadPolicy::Places, 1, &mut host).unwrap();
    assert_eq!(
        report.to_string(),
        "3 kept, 1 reset, because the node where they were is gone (1); without the variables `mood`"
    );
    assert_eq!(report.reset, [(agents[1], ResetReason::Gone)]);
    assert_eq!(host.heard(), ["Reset dig 1"]);
    assert_eq!(crowd.sleeps(agents[2]), Ok(true));
    crowd.tick(1, &mut host);
    assert_eq!(host.heard(), ["act work 0", "act work 3", "act dig 1 fresh"]);
}

#[test]
fn all_begin_anew_if_the_host_wants_it() {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main", "other"]);
    let count = crowd.program().variable("done").unwrap();
    crowd.set(agents[1], count, 7).unwrap();
    crowd.tick(0, &mut host);
    host.heard();
    let report = crowd.reload(&program(AFTER), ReloadPolicy::Variables, 1, &mut host).unwrap();
    assert_eq!(report.to_string(), "0 kept, 2 reset, because the host wanted it (2)");
    assert_eq!(host.heard(), ["Reset work 0", "Reset dig 1"]);
    assert_eq!(done(&crowd, agents[1]), 7.0);
    crowd.tick(1, &mut host);
    assert_eq!(host.heard(), ["act work 0 fresh", "act dig 1 fresh"]);
}

#[test]
fn a_reload_that_fails_changes_nothing() {
    let (mut crowd, _, mut host) = crowd(BEFORE, &["main", "other"]);
    crowd.tick(0, &mut host);
    let (state, heard) = (snapshot(&mut crowd), host.heard.len());
    let without = BEFORE.replace("tree other", "tree others");
    let error = crowd.reload(&program(&without), ReloadPolicy::Places, 1, &mut host).unwrap_err();
    assert_eq!((error.fault, &*error.about), (StateFault::NoEntry, "other"));
    assert!(error.to_string().starts_with("S0401: the program lacks a tree that agents run: `other`"));
    assert_eq!((snapshot(&mut crowd), host.heard.len()), (state, heard));
}

/// Saves a state of [`BEFORE`] in which both actions are running, and returns the result of
/// restoring it in another build.
fn restored(change: impl Fn(&str) -> String) -> Result<(), StateError> {
    let (mut before, _, mut host) = crowd(BEFORE, &["main", "other"]);
    let alarm = before.program().event("alarm").unwrap();
    before.raise(alarm, EventTarget::All, 0, &mut host).unwrap();
    before.tick(0, &mut host);
    let state = snapshot(&mut before);
    let (mut after, _, _) = crowd(&change(BEFORE), &["main"]);
    let own = snapshot(&mut after);
    let result = after.restore(&state);
    assert_eq!(snapshot(&mut after) == own, result.is_err(), "nothing changes exactly if it is refused");
    result
}

#[test]
fn what_cannot_be_restored_is_named() {
    let refused = |change: fn(&str) -> String| {
        let error = restored(change).unwrap_err();
        (error.fault, error.about)
    };
    assert_eq!(restored(|_| AFTER.to_owned()), Ok(()));
    assert_eq!(
        refused(|text| text.replace("mood: float = 0.5", "mood: int")),
        (StateFault::OtherType, "mood".into())
    );
    assert_eq!(refused(|text| text.replace("mood", "temper")), (StateFault::NoVariable, "mood".into()));
    assert_eq!(
        refused(|text| text.replace("world var sum", "group var sum")),
        (StateFault::OtherType, "sum".into())
    );
    assert_eq!(refused(|text| text.replace("tree other", "tree o")), (StateFault::NoEntry, "other".into()));
    assert_eq!(refused(|text| text.replace("action dig }", "action rest }")), (StateFault::Gone, "1".into()));
    let limited = |text: &str| text.replace("action work set", "parallel { action work action rest } set");
    assert_eq!(refused(limited), (StateFault::Gone, "0".into()));
}

#[test]
fn what_waits_for_the_end_of_the_tick_is_saved() {
    const TREE: &str = "action work() var done: int world var sum: int world var most: float
        on alarm { set done += 100 }
        tree main { sequence { action work set sum += 1 set most max= 2.5 raise alarm to all } }";
    let (mut one, agents, mut host) = crowd(TREE, &["main", "main"]);
    host.done = true;
    for part in one.parts(2).collect::<Vec<_>>().iter_mut() {
        part.tick(0, &mut host);
    }
    let state = snapshot(&mut one);
    let (mut two, _, _) = crowd(TREE, &[]);
    two.restore(&state).unwrap();
    assert_eq!(done(&two, agents[0]), 0.0);
    for crowd in [&mut one, &mut two] {
        crowd.end_tick(0, &mut host);
        assert_eq!(done(crowd, agents[1]), 100.0);
        let [sum, most] = ["sum", "most"].map(|name| crowd.program().shared(name).unwrap());
        assert_eq!(crowd.shared(sum, Group::default()), Ok(2.0));
        assert_eq!(crowd.shared(most, Group::default()), Ok(2.5));
    }
    // Events of a program without an event of that name.
    let (mut three, _, _) = crowd(&TREE.replace("alarm", "other"), &[]);
    assert_eq!(
        three.restore(&state).map_err(|error| (error.fault, error.about)),
        Err((StateFault::NoEvent, "alarm".into()))
    );
    assert_eq!(three.migrate(&state).unwrap().kept, 2);
    three.end_tick(0, &mut host);
    assert_eq!(done(&three, agents[1]), 0.0);
}

#[test]
fn an_agent_moves_to_another_crowd_and_build() {
    let (mut here, agents, mut host) = crowd(BEFORE, &["other", "main"]);
    let count = here.program().variable("done").unwrap();
    here.set(agents[1], count, 41).unwrap();
    here.tick(0, &mut host);
    let mut state = Vec::new();
    here.save_agent(agents[1], &mut state).unwrap();
    here.despawn(agents[1], 0, &mut host).unwrap();
    assert_eq!(here.save_agent(agents[1], &mut Vec::new()), Err(StaleAgent));
    let (mut there, _, _) = crowd(AFTER, &["first"]);
    let group = there.add_group().unwrap();
    let moved = there.load_agent(&state, group).unwrap();
    host.heard();
    host.done = true;
    there.tick_agent(moved, 1, &mut host, &mut ()).unwrap();
    assert_eq!(host.heard(), ["act work 1"]);
    assert_eq!(done(&there, moved), 42.0);
    let fault = |result: Result<Agent, StateError>| result.map_err(|error| error.fault);
    // A group of another crowd.
    assert_eq!(fault(here.load_agent(&state, group)), Err(StateFault::Group));
    let (mut gone, _, _) = crowd(&BEFORE.replace("action work set", "action rest set"), &[]);
    assert_eq!(fault(gone.load_agent(&state, Group::default())), Err(StateFault::Gone));
    assert!(gone.is_empty());
    assert_eq!(fault(here.load_agent(&snapshot(&mut gone), Group::default())), Err(StateFault::What));
    assert_eq!(here.restore(&state).map_err(|error| error.fault), Err(StateFault::What));
}

#[test]
fn spawning_and_despawning_for_long_takes_no_more_room() {
    let (mut crowd, mut agents, mut host) = crowd(BEFORE, &["main"; 256]);
    for round in 0..10_000 {
        crowd.despawn(agents[round % 256], 0, &mut host).unwrap();
        agents[round % 256] = crowd.spawn("main").unwrap();
    }
    let last = crowd.spawn("main").unwrap();
    assert_eq!((crowd.columns().chunks(), crowd.place(last)), (2, Ok((1, 0))));
    crowd.despawn(agents[7], 0, &mut host).unwrap();
    let next = crowd.spawn("main").unwrap();
    assert_eq!(crowd.place(next), Ok((0, 7)), "the first chunk with room");
}
