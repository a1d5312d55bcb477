//! The Drag\[en\]gine examples run in a game, with ready-made actions, parameters and errors.

use core::num::NonZeroU16;
use pleach::crowd::RuleError;
use pleach::engine::TickOrder;
use pleach::host::RunawayTick;
use pleach::ready::{NumberOperator, NumberRelation, Operand, Ready, TriggerAction, TriggerTest};
use pleach::{Bindings, Call, Crowd, Fault, Function, Host, Image, Outcome, Program, Status};
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Dragengine;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Request, compile};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Files of a folder.
struct Folder(PathBuf);

impl Library for Folder {
    fn tree(&self, name: &str) -> Option<Found> {
        self.include(&format!("{name}.debt"))
    }

    fn include(&self, path: &str) -> Option<Found> {
        let text = std::fs::read(self.0.join(path)).ok()?;
        Some(Found { name: path.to_owned(), text: text.into() })
    }
}

/// Texts by the names of their trees.
struct Texts<'a>(&'a [(&'a str, &'a str)]);

impl Library for Texts<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let (_, text) = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Found {
            name: name.to_owned(),
            text: format!("<behaviorTree>{text}</behaviorTree>").into_bytes().into(),
        })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(path)
    }
}

fn image(library: &dyn Library, entries: &[&str]) -> Image {
    let dialect: &dyn Dialect = &Dragengine;
    let entries: Vec<_> = entries.iter().map(|entry| (*entry).to_owned()).collect();
    let manifest = dialect.own_manifest();
    let dialect = &Dragengine;
    let done = compile(library, Request { dialect, manifest: &manifest, entries: &entries, debug: true });
    let findings: Vec<_> = done.diagnostics.list().iter().map(|it| it.message.clone()).collect();
    let bytes = done.image.unwrap_or_else(|| panic!("{findings:?}"));
    Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass")
}

fn example(entry: &str) -> Image {
    image(&Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples/dragengine")), &[entry])
}

/// Game with a character that strolls about.
#[derive(Default)]
struct Park {
    near: bool,
    hurries: bool,
    /// Random numbers for the starts of actions.
    draws: VecDeque<f32>,
    /// Number of ticks for which the action still runs.
    left: u32,
    log: Vec<&'static str>,
}

/// Returns an action that starts with some probability and runs for three ticks.
fn ordinary(name: &'static str) -> impl FnMut(&mut Park, &mut Call<'_>) -> Status {
    move |park, call| {
        if call.fresh {
            let chance = call.args.parameter("chance").map_or(1.0, |chance| chance.float);
            if park.draws.pop_front().unwrap_or(1.0) > chance {
                return Status::Failure;
            }
            park.left = 3;
        }
        park.log.push(name);
        park.left -= 1;
        if park.left == 0 { Status::Success } else { Status::Running }
    }
}

fn stroll() -> (Bindings<Park>, Crowd, pleach::Agent) {
    let mut host = Bindings::new(Park::default());
    host.action("wander", ordinary("wander"))
        .action("turning", ordinary("turning"))
        .action("wait", ordinary("wait"))
        .action("flee", |park, _| {
            park.log.push("flee");
            Status::Running
        })
        .action("backOff", |park, _| {
            park.log.push("backOff");
            Status::Running
        })
        .query("playerNearby", |park, _| park.near)
        .query("playerNotNearby", |park, _| !park.near)
        .query("playerHurries", |park, _| park.hurries);
    let program = Program::link(&example("stroll"), &host).expect("the host has all functions");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("stroll").expect("the tree is there");
    (host, crowd, agent)
}

#[test]
fn the_stroller_does_one_thing_after_the_other_and_keeps_away_from_the_player() {
    let (mut host, mut crowd, agent) = stroll();
    let tick = |host: &mut Bindings<Park>, crowd: &mut Crowd, draws: &[f32]| {
        host.world_mut().draws = draws.iter().copied().collect();
        crowd.tick(0, host);
        let rule = crowd.rules().current(agent).expect("the agent is there").expect("it is at a rule");
        let id = crowd.program().rule_id(rule).unwrap_or("?").to_owned();
        let outcome = crowd.outcome(agent).expect("the agent is there").expect("it was ticked");
        (core::mem::take(&mut host.world_mut().log), id, outcome)
    };
    let is =
        |log: &[&'static str], rule: &str, status| (log.to_vec(), rule.to_owned(), Outcome::Status(status));
    // Wandering until the place is reached.
    assert_eq!(tick(&mut host, &mut crowd, &[0.1]), is(&["wander"], "wander", Status::Running));
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["wander"], "wander", Status::Running));
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["wander"], "root", Status::Success));
    // Turning, if the draw is not for wandering, else waiting.
    assert_eq!(tick(&mut host, &mut crowd, &[0.9, 0.2]), is(&["turning"], "turning", Status::Running));
    crowd.reset(agent, 0, &mut host).expect("the agent is there");
    assert_eq!(tick(&mut host, &mut crowd, &[0.9, 0.9, 0.9]), is(&["wait"], "wait", Status::Running));
    // The player comes near: the agent is sent to the interruption.
    host.world_mut().near = true;
    crowd.rules_mut().jump_to(agent, "interrupt").expect("the rule is there");
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["backOff"], "interrupt.backOff", Status::Running));
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["backOff"], "interrupt.backOff", Status::Running));
    // The interruption with haste.
    host.world_mut().hurries = true;
    crowd.rules_mut().jump_to(agent, "interrupt").expect("the rule is there");
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["flee"], "interrupt.flee", Status::Running));
    // The player is gone: no rule fits, and the tree begins anew in the next tick.
    host.world_mut().near = false;
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&[], "root", Status::Success));
    assert_eq!(tick(&mut host, &mut crowd, &[0.2]), is(&["wander"], "wander", Status::Running));
    // Without a jump, the conditions of the action end it, and the interruption is reached from
    // rule to rule.
    host.world_mut().near = true;
    assert_eq!(tick(&mut host, &mut crowd, &[]), is(&["flee"], "interrupt.flee", Status::Running));
}

#[test]
fn the_guard_walks_from_post_to_post() {
    let mut host = Bindings::new(Vec::<String>::new());
    for name in ["walk", "look", "stand", "runToAlarm", "shout"] {
        host.action(name, move |log: &mut Vec<String>, call| {
            let seconds = call.args.parameter("seconds").map_or(0, |it| it.int);
            log.push(format!("{name} {seconds}"));
            if call.fresh && seconds > 0 { Status::Running } else { Status::Success }
        });
    }
    host.query("alarm", |_, _| false);
    let program = Program::link(&example("guard"), &host).expect("conditions may be missing");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("guard").expect("the tree is there");
    let mut rules = Vec::new();
    for _ in 0..4 {
        crowd.tick(0, &mut host);
        let rule = crowd.rules().current(agent).expect("the agent is there").expect("it is at a rule");
        rules.push(program.rule_id(rule).unwrap_or("?"));
    }
    assert_eq!(
        rules,
        ["round.north.watch.stand", "round.south.watch.stand", "round.breath", "round.north.watch.stand"]
    );
    assert_eq!(host.world()[..4], ["walk 0", "look 0", "stand 20", "stand 20"]);
}

/// Host with only these actions, which succeed. It records ticks with too many rules.
#[derive(Default)]
struct Deaf {
    actions: Vec<&'static str>,
    ran_away: Vec<(usize, Vec<String>)>,
}

impl Host for Deaf {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let found = self.actions.iter().position(|action| *action == name);
        found.filter(|_| function == Function::Action).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.agent.index() == 1 { Status::Success } else { Status::Running }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("this host has no conditions")
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let ids = run.ids().map(|id| id.unwrap_or("-").to_owned()).collect();
        self.ran_away.push((run.agent.index(), ids));
    }
}

#[test]
fn one_that_runs_without_end_is_reported_and_stops_nobody_else() {
    let text = "<sequence id='r' loop='true'><action id='a' name='a'/><success/></sequence>";
    let mut host = Deaf { actions: vec!["a"], ..Deaf::default() };
    let program = Program::link(&image(&Texts(&[("main", text)]), &["main"]), &host).expect("all is there");
    let mut crowd = Crowd::new(&program);
    let agents = [(); 30].map(|()| crowd.spawn("main").expect("the tree is there"));
    assert_eq!(crowd.step_limit(), 100);
    let usual = program.bounds();
    assert_eq!(crowd.bounds(), usual);
    crowd.set_step_limit(NonZeroU16::new(6).expect("six"));
    assert!(crowd.bounds() < usual);
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.running, tally.faults), (29, 1));
    let ids = ["r", "a", "r", "-", "r", "a"].map(str::to_owned).to_vec();
    assert_eq!(host.ran_away, [(1, ids)]);
    assert_eq!(crowd.outcome(agents[1]), Ok(Some(Outcome::Fault(Fault::Fuel))));
    // The agent is still at its rule, and continues from there if it is ticked again.
    let rule = crowd.rules().current(agents[1]).expect("the agent is there").expect("it is at a rule");
    assert_eq!(program.rule_id(rule), Some("a"));
    assert_eq!(crowd.tick(0, &mut host).faults, 1);
    assert_eq!(host.ran_away.len(), 2);
}

#[test]
fn what_a_host_lacks_has_a_meaning() {
    let text = "<choice id='r'><action name='none'/><action name='a' id='a'><conditionMode>anyFalse</conditionMode>\
                <condition>none</condition></action></choice>";
    let mut host = Deaf { actions: vec!["a"], ..Deaf::default() };
    let program =
        Program::link(&image(&Texts(&[("main", text)]), &["main"]), &host).expect("all may be missing");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("main").expect("the tree is there");
    crowd.tick(0, &mut host);
    assert_eq!(crowd.rules().current(agent), Ok(program.rule("main", "a")));
}

#[test]
fn errors_are_typed_and_change_nothing() {
    let host = Deaf::default();
    let trees =
        [("one", "<sequence id='r'><running/><running id='a'/></sequence>"), ("two", "<running id='b'/>")];
    let program = Program::link(&image(&Texts(&trees), &["one", "two"]), &host).expect("nothing is needed");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("one").expect("the tree is there");
    let mut host = host;
    crowd.tick(0, &mut host);
    let before = crowd.rules().current(agent);
    let other = program.rule("two", "b").expect("the rule is there");
    assert_eq!(program.rule("one", "b"), None);
    assert_eq!(crowd.rules_mut().jump(agent, other), Err(RuleError::OtherTree));
    assert_eq!(crowd.rules_mut().jump_to(agent, "b"), Err(RuleError::NoRule("b".into())));
    assert_eq!(crowd.rules_mut().jump_to(agent, ""), Err(RuleError::NoRule(String::new())));
    let mut saved = vec![7];
    assert_eq!(crowd.rules().save(agent, &mut saved), Err(RuleError::NoId));
    assert_eq!(saved, [7]);
    assert_eq!(crowd.rules_mut().restore(agent, &[]), Err(RuleError::Malformed));
    assert_eq!(crowd.rules_mut().restore(agent, &[9, 0]), Err(RuleError::Version(9)));
    assert_eq!(crowd.rules_mut().restore(agent, &[0, 1, 1, b'b']), Err(RuleError::NoRule("b".into())));
    assert_eq!((crowd.rules().current(agent), crowd.rules().is_first_run(agent)), (before, Ok(true)));
    crowd.despawn(agent, 0, &mut host).expect("the agent is there");
    assert_eq!(crowd.rules_mut().jump_to(agent, "a"), Err(RuleError::Stale));
    assert_eq!(crowd.rules().save(agent, &mut saved), Err(RuleError::Stale));
    assert_eq!(crowd.rules_mut().restore(agent, &[0, 0]), Err(RuleError::Stale));
    assert_eq!(crowd.rules_mut().lose(agent), Err(RuleError::Stale));
}

/// A saved place leads to the rule with its id, at any place in another build.
#[test]
fn a_saved_place_outlives_a_build() {
    let host = Deaf { actions: vec!["a", "b"], ..Deaf::default() };
    let crowd = |main: &str| {
        let trees = [("first", "<success/>"), ("main", main)];
        let program = Program::link(&image(&Texts(&trees), &["first", "main"]), &host);
        Crowd::new(&program.expect("all is there"))
    };
    let mut old = crowd("<sequence id='r'><action id='a' name='a'/><action id='b' name='b'/></sequence>");
    let mut new = crowd(
        "<choice><sequence><failure id='x'/></sequence><sequence id='r'><action id='b' name='a'/></sequence></choice>",
    );
    let (agent, other) = (old.spawn("main").expect("it is there"), new.spawn("main").expect("it is there"));
    let mut host = Deaf { actions: vec!["a", "b"], ..Deaf::default() };
    old.rules_mut().jump_to(agent, "b").expect("the rule is there");
    old.tick(0, &mut host);
    let mut saved = Vec::new();
    old.rules().save(agent, &mut saved).expect("the rule has an id");
    new.rules_mut().restore(other, &saved).expect("there is such a rule");
    assert_eq!(new.rules().current(other), Ok(new.program().rule("main", "b")));
    assert_eq!(new.rules().is_first_run(other), Ok(false));
}

/// Triggers are shared: an agent sees the triggers that agents with a
/// smaller index fired in the tick.
#[test]
fn trees_that_ask_for_triggers_run_agent_by_agent() {
    let order = |text: &str| {
        let mut ready = Ready::new(Bindings::new(()));
        let (anger, alarm) = (ready.number("anger"), ready.trigger("alarm"));
        ready
            .change("provoke", anger, 1.0, NumberOperator::Add, 1.0.into())
            .pull("alarm", alarm, TriggerAction::Fire)
            .fired("alarmed", alarm, TriggerTest::Now);
        let program =
            Program::link(&image(&Texts(&[("main", text)]), &["main"]), &ready).expect("all is there");
        let mut crowd = Crowd::new(&program);
        (0..100).for_each(|_| _ = crowd.spawn("main").expect("the tree is there"));
        (program.order(), crowd.tick(0, &mut ready).success)
    };
    let fires = "<choice><success><condition>alarmed</condition></success><sequence><action name='alarm'/><failure/></sequence></choice>";
    assert_eq!(order(fires), (TickOrder::ByIndex, 99));
    assert_eq!(order("<action name='provoke'/>"), (TickOrder::Any, 100));
}

#[test]
fn ready_made_functions_work_with_any_host() {
    let text = "<sequence><action name='provoke'><parameter name='by'>2.5</parameter></action><action name='provoke'/>\
                <action name='double'/><action name='copy'/><action name='alarm'/><action name='shout'/>\
                <action name='wave'/><success><condition>angry</condition><condition>alarmed</condition></success>\
                <action name='calm'/><action name='own'/><success><condition>neverAlarmed</condition></success></sequence>";
    let mut inner = Bindings::new(0);
    inner.action("own", |count: &mut i32, _| {
        *count += 10;
        Status::Success
    });
    let mut ready = Ready::new(inner);
    let (anger, memory) = (ready.number("anger"), ready.number("memory"));
    let alarm = ready.trigger("alarm");
    assert_eq!(ready.number("anger"), anger);
    ready
        .change("provoke", anger, 1.0, NumberOperator::Add, Operand::from(0.5).or_parameter("by"))
        .change("double", anger, 0.0, NumberOperator::Multiply, 2.0.into())
        .change(
            "copy",
            memory,
            0.0,
            NumberOperator::Set,
            Operand::from(-1.0).or_of(anger).or_parameter("other"),
        )
        .pull("alarm", alarm, TriggerAction::Pulse)
        .pull("calm", alarm, TriggerAction::FullReset)
        .send("shout", "noise")
        .act("wave", |inner, call| {
            *inner.world_mut() += i32::from(call.fresh);
            Status::Success
        })
        .compare("angry", anger, 0.0, NumberRelation::GreaterOrEqual, 8.0.into())
        .fired("alarmed", alarm, TriggerTest::Ever)
        .fired("neverAlarmed", alarm, TriggerTest::Never);
    let program = Program::link(&image(&Texts(&[("main", text)]), &["main"]), &ready).expect("all is there");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("main").expect("the tree is there");
    let tally = crowd.tick(0, &mut ready);
    assert_eq!(tally.success, 1);
    // (1 + 2.5 + 0.5) * 2
    assert_eq!((ready.get(agent, anger), ready.get(agent, memory)), (Some(8.0), Some(8.0)));
    assert!(!ready.has_fired(alarm));
    let sent = ready.take_sent();
    assert_eq!(sent.iter().map(|it| (&*it.event, it.from)).collect::<Vec<_>>(), [("noise", agent)]);
    assert_eq!(ready.host.world(), &11);
    ready.pull_now(alarm, TriggerAction::Fire);
    assert!(ready.has_fired(alarm));
    ready.set(agent, memory, 3.0);
    ready.forget(agent);
    assert_eq!((ready.get(agent, memory), ready.take_sent()), (None, vec![]));
}

/// A list with about as many rules as a block has nodes may be a block of its own, and so may every
/// list inside its tree.
#[test]
fn lists_longer_than_a_block_run_to_their_end() {
    for rules in [4_092, 4_093, 4_094, 4_095, 4_096, 5_000] {
        let text = format!("<sequence id='s'>{}</sequence>", "<action name='step'/>".repeat(rules));
        let image = image(&Texts(&[("long", &text)]), &["long"]);
        let mut host = Bindings::new(0);
        host.action("step", |steps: &mut usize, _| {
            *steps += 1;
            Status::Success
        });
        let program = Program::link(&image, &host).expect("the host has all");
        let mut crowd = Crowd::new(&program);
        crowd.set_step_limit(NonZeroU16::MAX);
        let agent = crowd.spawn("long").expect("there is room");
        crowd.tick(0, &mut host);
        assert_eq!(
            (*host.world(), crowd.outcome(agent)),
            (rules, Ok(Some(Outcome::Status(Status::Success))))
        );
    }
}
