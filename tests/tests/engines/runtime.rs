//! The runtime does what a game needs: binding, handles, halts, faults and switching.

use pleach::crowd::SwitchError;
use pleach::{Agent, Bindings, Crowd, Fault, LinkError, Outcome, Program, SpawnError, StaleAgent, Status};
use pleach_tests::inline;

/// Record of the closures.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    answer: Option<Status>,
}

const GUARD: &str = r#"
selector {
    condition alertedToEnemy { action fight() }
    sequence { action moveTo( E_GOAL, 2.5 ) action say( "here" ) }
}
"#;

fn host() -> Bindings<Log> {
    let mut host = Bindings::new(Log::default());
    host.query("alertedToEnemy", |_, call| call.agent.index() == 1);
    for name in ["fight", "moveTo", "say"] {
        host.action(name, move |log: &mut Log, call| {
            let how = if call.fresh { "fresh" } else { "again" };
            log.lines.push(format!("{} {name} {how} at {}", call.agent.index(), call.now));
            log.answer.unwrap_or(Status::Running)
        });
        host.on_halt(name, move |log, call, reason| {
            log.lines.push(format!("{} {name} {reason:?}", call.agent.index()));
        });
    }
    host
}

fn crowd(host: &Bindings<Log>, agents: usize) -> (Crowd, Vec<Agent>) {
    let image =
        inline::image(&[("guard", GUARD), ("idle", "sequence { action say( 5 ) }")], &["guard", "idle"]);
    let program = Program::link(&image, host).unwrap();
    let mut crowd = Crowd::new(&program);
    let agents = (0..agents).map(|_| crowd.spawn("guard").unwrap()).collect();
    (crowd, agents)
}

#[test]
fn each_agent_runs_its_own_tree() {
    let mut host = host();
    let (mut crowd, agents) = crowd(&host, 2);
    let tally = crowd.tick(7, &mut host);
    assert_eq!((tally.running, tally.total()), (2, 2));
    crowd.tick(8, &mut host);
    let expected = ["0 moveTo fresh at 7", "1 fight fresh at 7", "0 moveTo again at 8", "1 fight again at 8"];
    assert_eq!(host.world().lines, expected);
    assert_eq!(crowd.outcome(agents[0]), Ok(Some(Outcome::Status(Status::Running))));
}

#[test]
fn arguments_come_as_they_were_written() {
    let mut host = host();
    host.action("moveTo", |_, call| {
        assert_eq!(call.args.iter().count(), 2);
        assert_eq!((call.args.int(0), call.args.float(1)), (17, 2.5));
        assert_eq!(&*call.args.text(1), b"2.500000");
        assert_eq!(call.args.get(2), None);
        Status::Success
    });
    host.action("say", |_, call| {
        assert_eq!(call.args.get(0), Some(pleach::Value::Text(b"here")));
        Status::Success
    });
    let (mut crowd, _) = crowd(&host, 1);
    assert_eq!(crowd.tick(0, &mut host).success, 1);
}

#[test]
fn a_running_action_is_halted_with_the_reason() {
    let mut host = host();
    let (mut crowd, agents) = crowd(&host, 3);
    crowd.tick(0, &mut host);
    host.world_mut().lines.clear();
    crowd.reset(agents[0], 1, &mut host).unwrap();
    crowd.switch(agents[1], "idle", 1, &mut host).unwrap();
    crowd.despawn(agents[2], 1, &mut host).unwrap();
    assert_eq!(host.world().lines, ["0 moveTo Reset", "1 fight Switched", "2 moveTo Despawned"]);
    host.world_mut().lines.clear();
    crowd.tick(2, &mut host);
    assert_eq!(host.world().lines, ["0 moveTo fresh at 2", "1 say fresh at 2"]);
}

#[test]
fn handles_of_the_gone_are_refused() {
    let mut host = host();
    let (mut crowd, agents) = crowd(&host, 2);
    crowd.despawn(agents[0], 0, &mut host).unwrap();
    let other = crowd.spawn("guard").unwrap();
    assert_eq!(other.index(), agents[0].index());
    assert_ne!(other, agents[0]);
    assert_eq!(crowd.outcome(agents[0]), Err(StaleAgent));
    assert_eq!(crowd.despawn(agents[0], 0, &mut host), Err(StaleAgent));
    assert_eq!(crowd.switch(agents[0], "idle", 0, &mut host), Err(SwitchError::Stale));
    let switched = crowd.switch(other, "nowhere", 0, &mut host);
    assert!(matches!(switched, Err(SwitchError::NoEntry(tree)) if tree.name == "nowhere"));
    assert!(matches!(crowd.spawn("nowhere"), Err(SpawnError::NoEntry(tree)) if tree.name == "nowhere"));
    assert_eq!(crowd.outcome(other), Ok(None));
}

#[test]
fn a_tree_that_is_not_there_is_told_with_those_that_are() {
    let mut host = host();
    let (mut crowd, agents) = crowd(&host, 1);
    let text = "the program has no tree `idel`; it has `idle`, `guard`";
    assert_eq!(crowd.spawn("idel").unwrap_err().to_string(), text);
    assert_eq!(crowd.switch(agents[0], "idel", 0, &mut host).unwrap_err().to_string(), text);
    let far = crowd.spawn("nowhere").unwrap_err().to_string();
    assert_eq!(far, "the program has no tree `nowhere`; it has `guard`, `idle`");
}

#[test]
fn of_many_trees_the_error_names_some() {
    let names: Vec<_> = (0..300).map(|tree| format!("tree{tree}")).collect();
    let trees: Vec<_> = names.iter().map(|name| (&**name, "sequence { action say( 5 ) }")).collect();
    let entries: Vec<_> = names.iter().map(|name| &**name).collect();
    let program = Program::link(&inline::image(&trees, &entries), &host()).unwrap();
    let text = Crowd::new(&program).spawn("Tree299").unwrap_err().to_string();
    let listed = "it has `tree299`, `tree0`, `tree1`, `tree2`, `tree3`, `tree4`, `tree5`, `tree6`";
    assert_eq!(text, format!("the program has no tree `Tree299`; {listed} and 292 more"));
}

#[test]
fn a_crowd_larger_than_a_chunk_comes_and_goes() {
    let mut host = host();
    host.world_mut().answer = Some(Status::Failure);
    let (mut crowd, mut agents) = crowd(&host, 1000);
    assert_eq!(crowd.tick(0, &mut host).failure, 1000);
    let mut gone = Vec::new();
    while agents.len() > 300 {
        let agent = agents.swap_remove(agents.len() * 7 / 11);
        crowd.despawn(agent, 0, &mut host).unwrap();
        gone.push(agent);
    }
    for agent in &agents[..100] {
        crowd.switch(*agent, "idle", 0, &mut host).unwrap();
    }
    agents.extend((0..500).map(|_| crowd.spawn("guard").unwrap()));
    assert_eq!((crowd.len(), crowd.tick(1, &mut host).total()), (800, 800));
    assert!(gone.iter().all(|agent| crowd.outcome(*agent) == Err(StaleAgent)));
    let mut ticked: Vec<_> = crowd.agents().collect();
    ticked.sort();
    agents.sort();
    assert_eq!(ticked, agents);
}

#[test]
fn a_panic_is_one_agents_fault() {
    let mut host = host();
    host.action("moveTo", |_, call| {
        assert_ne!(call.agent.index(), 2, "this agent's callback is broken");
        Status::Running
    });
    let (mut crowd, agents) = crowd(&host, 4);
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.running, tally.faults), (3, 1));
    assert_eq!(crowd.outcome(agents[2]), Ok(Some(Outcome::Fault(Fault::Panic))));
    assert_eq!(crowd.outcome(agents[3]), Ok(Some(Outcome::Status(Status::Running))));
}

#[test]
fn a_shut_gate_fails_actions_without_a_call() {
    let mut host = host();
    let (mut crowd, agents) = crowd(&host, 1);
    let dead = crowd.program().variable("dead").unwrap();
    crowd.set(agents[0], dead, true).unwrap();
    assert_eq!(crowd.tick(0, &mut host).failure, 1);
    assert!(host.world().lines.is_empty());
    assert_eq!(crowd.program().variable("alive"), None);
}

#[test]
fn an_action_can_shut_the_gate_for_those_after_it() {
    let mut host = host();
    let image = inline::image(&[("last", "sequence { action suicide() action fight() }")], &["last"]);
    host.action("suicide", |_, _| Status::Failure);
    let dead = Program::link(&image, &host).unwrap().variable("dead").unwrap();
    host.action("suicide", move |_, call| {
        call.set(dead, true).unwrap();
        assert_eq!(call.get(dead), Ok(true));
        Status::Success
    });
    let mut crowd = Crowd::new(&Program::link(&image, &host).unwrap());
    let agent = crowd.spawn("last").unwrap();
    assert_eq!(crowd.tick(0, &mut host).failure, 1);
    assert_eq!(crowd.get(agent, dead), Ok(true));
    assert!(host.world().lines.is_empty(), "fight was not called");
}

#[test]
fn all_missing_functions_are_named_at_once() {
    let image = inline::image(&[("guard", GUARD)], &["guard"]);
    let mut host = Bindings::new(());
    host.action("movTo", |(), _| Status::Failure).action("say", |(), _| Status::Failure);
    let LinkError { missing } = Program::link(&image, &host).unwrap_err();
    let mut found: Vec<_> = missing.iter().map(|it| (it.name.as_str(), it.place.as_deref())).collect();
    found.sort_unstable();
    let expected = [
        ("alertedToEnemy", Some("guard.bt:3")),
        ("fight", Some("guard.bt:3")),
        ("moveTo", Some("guard.bt:4")),
    ];
    assert_eq!(found, expected);
    let suggestion = missing.iter().find(|it| it.name == "moveTo").unwrap().suggestion.as_deref();
    assert_eq!(suggestion, Some("movTo"));
}

#[test]
fn bounds_count_the_longest_way() {
    let host = host();
    let (crowd, _) = crowd(&host, 0);
    // One query and three actions, in the order selector, condition, fight, moveTo, say.
    assert_eq!(crowd.program().bounds().host_calls, 4);
    assert!(crowd.is_empty());
}
