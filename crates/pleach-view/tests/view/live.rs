//! Displays and commands of pages for a live crowd.

use crate::support::{Stage, TREE, compiled, game};
use pleach_compile::manifest::Manifest;
use pleach_view::{Finding, Options};
use serde_json::{Value, json};

/// Returns the id of the first node whose label starts with this text.
fn node(program: &Value, label: &str) -> u64 {
    let nodes = program["nodes"].as_array().expect("a list");
    let found = nodes.iter().find(|node| node["label"].as_str().is_some_and(|it| it.starts_with(label)));
    found.unwrap_or_else(|| panic!("no {label} in {nodes:?}"))["id"].as_u64().expect("a number")
}

fn any(_: &Value) -> bool {
    true
}

#[test]
fn who_connects_is_told_everything() {
    let mut stage = Stage::new(300);
    let mut page = stage.page();
    let hello = page.wait(&mut stage, "hello", any);
    assert_eq!(
        (&hello["protocol"], &hello["mode"], &hello["title"]),
        (&json!(1), &json!("live"), &json!("a test"))
    );
    let can = hello["can"].as_array().expect("a list");
    assert!(
        can.contains(&json!("set")) && !can.contains(&json!("pause")),
        "the host keeps the clock: {can:?}"
    );
    let program = page.wait(&mut stage, "program", any);
    assert_eq!(program["files"], json!([{ "name": "main.pleach", "text": TREE }]));
    assert_eq!(
        program["variables"],
        json!([{ "name": "angry", "kind": "bool" }, { "name": "count", "kind": "int" }])
    );
    assert_eq!(program["events"], json!([{ "name": "alarm" }]));
    assert_eq!(program["entries"], json!([{ "name": "main", "node": node(&program, "tree main") }]));
    let fight = &program["nodes"][node(&program, "action fight") as usize - 1];
    assert_eq!(
        (&fight["acts"], &fight["call"], &fight["file"], &fight["line"]),
        (&json!(true), &json!("fight()"), &json!(0), &json!(9))
    );
    let agents = page.wait(&mut stage, "agents", any);
    assert_eq!(agents["index"], json!((0..300).collect::<Vec<_>>()));
    let crowd = page.wait(&mut stage, "crowd", |crowd| crowd["tick"].as_u64() > Some(2));
    assert_eq!(crowd["status"], json!("2".repeat(300)));
    assert_eq!(crowd["node"], json!(vec![node(&program, "action roam"); 300]));
    let state = page.wait(&mut stage, "state", |state| state["tick"].as_u64() > Some(3));
    assert_eq!((&state["agents"], &state["rate"]), (&json!(300), &Value::Null));
}

#[test]
fn a_picked_agent_is_shown_with_its_past() {
    let mut stage = Stage::with_clock(10);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    page.command(&mut stage, json!({ "do": "pause" })).expect("it can be paused");
    page.command(&mut stage, json!({ "do": "pick", "agent": 3 })).expect("it is there");
    let now = page.wait(&mut stage, "agent", any);
    assert_eq!((&now["agent"], &now["walked"]), (&json!(3), &json!(false)), "nobody has watched it yet");
    let angry = program["variables"].as_array().expect("a list").iter().position(|it| it["name"] == "angry");
    let angry = angry.expect("it is declared");
    page.command(&mut stage, json!({ "do": "set", "agent": 3, "variable": angry, "value": true }))
        .expect("it can be set");
    page.wait(&mut stage, "agent", |agent| agent["variables"][angry] == 1);
    let first = now["tick"].as_u64().expect("a number") + 1;
    page.command(&mut stage, json!({ "do": "step", "ticks": 5 })).expect("it can be stepped");
    let last = page.wait(&mut stage, "agent", |agent| agent["tick"] == first + 4);
    let fight = node(&program, "action fight");
    assert_eq!(
        (&last["status"], &last["outcome"], &last["walked"]),
        (&json!(2), &json!("running"), &json!(true))
    );
    let (ran, condition) = (&last["nodes"], node(&program, "condition"));
    assert!(ran.as_array().expect("a list").iter().any(|row| row[0] == fight && row[1] == 2), "{ran}");

    // Back to the first watched tick, in which the fight began.
    page.command(&mut stage, json!({ "do": "at", "tick": first })).expect("it was kept");
    let then = page.wait(&mut stage, "agent", |agent| agent["asked"] == true);
    assert_eq!((&then["tick"], &then["agent"]), (&json!(first), &json!(3)));
    let row = json!([fight, 2]);
    let begun =
        then["nodes"].as_array().expect("a list").iter().find(|it| it[0] == row[0] && it[1] == row[1]);
    assert_eq!(begun.map(|row| &row[3]), Some(&json!(1)), "{}", then["nodes"]);
    assert!(
        then["values"].as_array().expect("a list").contains(&json!([condition, "near()", 2])),
        "{}",
        then["values"]
    );
    // The page gets the list of that tick, and no newer one while it stays there.
    page.command(&mut stage, json!({ "do": "step", "ticks": 3 })).expect("it can be stepped");
    page.command(&mut stage, json!({ "do": "at", "tick": first + 1 })).expect("it was kept");
    let crowd = page.wait(&mut stage, "crowd", |crowd| crowd["tick"] == first + 1);
    assert_eq!((&crowd["asked"], &crowd["node"][3]), (&json!(true), &json!(fight)));
    page.command(&mut stage, json!({ "do": "at", "tick": null })).expect("it can go on");
    page.wait(&mut stage, "crowd", |crowd| crowd["tick"] == first + 7);
    page.wait(&mut stage, "agent", |agent| agent["tick"] == first + 7 && agent["asked"] == false);
}

#[test]
fn a_history_has_all_agents_from_the_first_tick() {
    let mut stage = Stage::with(10, Options { clock: Some(0.0), history: true, ..Options::default() });
    (0..20).for_each(|_| stage.tick());
    stage.view().pause();
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let state = page.wait(&mut stage, "state", |state| state["paused"] == true);
    assert_eq!((&state["first"], &state["tick"]), (&json!(1), &json!(20)));
    // The nodes of all agents were counted before any page connected.
    page.command(&mut stage, json!({ "do": "statistics", "every": 1 })).expect("they are counted");
    let counts = page.wait(&mut stage, "statistics", any);
    let roam = node(&program, "action roam");
    assert_eq!((&counts["ticks"], &counts["running"][roam as usize - 1]), (&json!(200), &json!(10)));
    // An agent that no page has picked has a history, too.
    page.command(&mut stage, json!({ "do": "pick", "agent": 3 })).expect("it is there");
    let past = page.wait(&mut stage, "past", any);
    assert_eq!((&past["agent"], &past["tick"]), (&json!(3), &json!((1..=20).collect::<Vec<_>>())));
    assert_eq!((&past["status"], &past["node"]), (&json!("2".repeat(20)), &json!(vec![roam; 20])));
    page.command(&mut stage, json!({ "do": "at", "tick": 5 })).expect("it was kept");
    let crowd = page.wait(&mut stage, "crowd", |crowd| crowd["asked"] == true);
    assert_eq!(crowd["tick"], 5);
    // Counting continues while no page shows the counts, but they are not sent.
    page.command(&mut stage, json!({ "do": "statistics", "every": 0 })).expect("it is a number");
    page.command(&mut stage, json!({ "do": "step", "ticks": 5 })).expect("it can be stepped");
    page.command(&mut stage, json!({ "do": "statistics", "every": 1 })).expect("they are counted");
    page.wait(&mut stage, "statistics", |counts| counts["ticks"] == 250);
}

#[test]
fn a_condition_that_held_is_told_apart_from_its_result() {
    let mut stage = Stage::new(4);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    page.command(&mut stage, json!({ "do": "pick", "agent": 0 })).expect("it is there");
    let agent = page.wait(&mut stage, "agent", |agent| agent["walked"] == true);
    let of = |label: &str| {
        let id = node(&program, label);
        agent["nodes"].as_array().expect("a list").iter().find(|row| row[0] == id).cloned()
    };
    let condition = of("condition angry").expect("it was asked");
    assert_eq!((&condition[1], &condition[4]), (&json!(0), &json!(0)), "it did not hold");
    let roam = of("action roam").expect("it ran");
    assert_eq!((&roam[1], &roam[4]), (&json!(2), &Value::Null), "it has no test");
}

#[test]
fn nodes_are_told_as_they_were_written() {
    let text = "var ammo: int8\naction roam()\ntree main { sequence {\n\
                use rest(20) delay 1 s { set ammo -= 1 } action roam } }\n\
                tree rest(pause: int) { sequence { wait 20 ticks set ammo = pause } }";
    let mut stage = Stage::new(1);
    stage.edit(text);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let nodes = program["nodes"].as_array().expect("a list");
    let labels: Vec<_> = nodes.iter().filter_map(|node| node["label"].as_str()).collect();
    assert_eq!(
        labels,
        [
            "tree main",
            "sequence",
            "sequence",
            "wait 20 ticks",
            "set ammo = pause",
            "delay 1 s",
            "set ammo -= 1",
            "action roam"
        ]
    );
    let uses: Vec<_> = nodes.iter().filter_map(|node| node["use"].as_str()).collect();
    assert_eq!(uses, ["use rest(20)"]);
    assert_eq!(nodes[2]["through"], json!(["use rest main.pleach:4"]));
}

#[test]
fn the_clock_stops_and_goes_on() {
    let mut stage = Stage::with_clock(4);
    let mut page = stage.page();
    page.command(&mut stage, json!({ "do": "pause" })).expect("it can be paused");
    let paused = page.wait(&mut stage, "state", |state| state["paused"] == true);
    (0..100).for_each(|_| stage.turn());
    page.command(&mut stage, json!({ "do": "step", "ticks": 2 })).expect("it can be stepped");
    let tick = paused["tick"].as_u64().expect("a number");
    page.wait(&mut stage, "state", |state| state["tick"] == tick + 2 && state["paused"] == true);
    page.command(&mut stage, json!({ "do": "resume" })).expect("it can go on");
    page.wait(&mut stage, "state", |state| state["tick"].as_u64() > Some(tick + 10));
    page.command(&mut stage, json!({ "do": "speed", "rate": 250 })).expect("it is a rate");
    page.wait(&mut stage, "state", |state| state["rate"] == 250);
    for wrong in [
        json!({ "do": "step", "ticks": 0 }),
        json!({ "do": "step", "ticks": -1 }),
        json!({ "do": "speed", "rate": -1 }),
        json!({ "do": "speed", "rate": 1e9 }),
    ] {
        page.command(&mut stage, wrong.clone()).expect_err(&wrong.to_string());
    }
}

#[test]
fn a_host_keeps_its_clock() {
    let mut stage = Stage::new(4);
    let mut page = stage.page();
    let why = page.command(&mut stage, json!({ "do": "pause" })).expect_err("it is the host's");
    assert_eq!(why, "the host keeps the clock");
}

#[test]
fn an_agent_stops_while_the_crowd_goes_on() {
    let mut stage = Stage::new(4);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let fight = node(&program, "action fight");
    page.command(&mut stage, json!({ "do": "break", "agent": 1, "node": fight, "on": true }))
        .expect("it is a node");
    page.command(&mut stage, json!({ "do": "raise", "event": 0, "agent": 1 })).expect("it is an event");
    let stopped = page.wait(&mut stage, "stopped", any);
    assert_eq!((&stopped["agent"], &stopped["node"]), (&json!(1), &json!(fight)));
    let state = page.wait(&mut stage, "state", |state| state["held"] == json!([1]));
    assert_eq!(state["breaks"], json!([{ "agent": 1, "node": fight }]));
    let tick = state["tick"].as_u64().expect("a number");
    page.wait(&mut stage, "state", |state| state["tick"].as_u64() > Some(tick + 5));
    assert_eq!(stage.crowd.sleeps(stage.agents[1]), Ok(true));
    // The agent runs one tick, then continues to the breakpoint.
    page.command(&mut stage, json!({ "do": "walk", "agent": 1 })).expect("it stands still");
    page.wait(&mut stage, "stopped", |stopped| stopped["tick"].as_u64() > Some(tick + 5));
    assert_eq!(stage.crowd.sleeps(stage.agents[1]), Ok(true));
    page.command(&mut stage, json!({ "do": "break", "agent": 1, "node": fight, "on": false }))
        .expect("it is taken back");
    page.command(&mut stage, json!({ "do": "release", "agent": 1 })).expect("it goes on");
    page.wait(&mut stage, "state", |state| state["held"] == json!([]) && state["breaks"] == json!([]));
    assert_eq!(stage.crowd.sleeps(stage.agents[1]), Ok(false));
    page.command(&mut stage, json!({ "do": "hold", "agent": 2 })).expect("it is there");
    page.wait(&mut stage, "state", |state| state["held"] == json!([2]));
}

#[test]
fn a_variable_that_changes_stops_all() {
    let mut stage = Stage::with_clock(4);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let variables = program["variables"].as_array().expect("a list");
    let place = |name: &str| variables.iter().position(|it| it["name"] == name).expect("it is declared");
    let (count, angry) = (place("count"), place("angry"));
    page.command(
        &mut stage,
        json!({ "do": "break", "agent": 3, "variable": count, "on": true, "all": true }),
    )
    .expect("a variable");
    page.command(&mut stage, json!({ "do": "set", "agent": 3, "variable": angry, "value": 1 }))
        .expect("it can be set");
    let stopped = page.wait(&mut stage, "stopped", any);
    assert_eq!((&stopped["agent"], &stopped["variable"]), (&json!(3), &json!(count)));
    let now = stage.now;
    (0..10).for_each(|_| stage.turn());
    assert_eq!((stage.now, json!(now / 50)), (now, stopped["tick"].clone()));
}

#[test]
fn tunables_are_changed() {
    let mut stage = Stage::with_clock(4);
    let mut page = stage.page();
    page.wait(&mut stage, "program", any);
    let tuned = TREE.replace("near < 3", "near < NEAR && BRAVE");
    stage.edit(&(tuned + "tune const NEAR = 3 in 1..5 tune agent const BRAVE = true"));
    let program = page.wait(&mut stage, "program", |program| program["revision"] == 2);
    let [near, brave] = ["NEAR", "BRAVE"].map(|name| {
        let all = program["tunables"].as_array().expect("a list");
        all.iter().position(|it| it["name"] == name).expect("it is declared")
    });
    assert_eq!(
        program["tunables"][near],
        json!({ "name": "NEAR", "kind": "int", "scope": "crowd", "low": 1.0, "high": 5.0, "default": 3.0 })
    );
    assert_eq!(program["shared"], json!([]), "a tunable is no variable");
    page.command(&mut stage, json!({ "do": "pick", "agent": 3 })).expect("it is there");
    page.wait(&mut stage, "agent", |agent| agent["tunables"][near] == 3 && agent["tunables"][brave] == 1);
    page.command(&mut stage, json!({ "do": "tune", "tunable": near, "value": 2 }))
        .expect("it is in its range");
    page.command(&mut stage, json!({ "do": "tune", "tunable": brave, "agent": 3, "value": false }))
        .expect("it is a boolean");
    page.wait(&mut stage, "agent", |agent| agent["tunables"][near] == 2 && agent["tunables"][brave] == 0);
    let mut refused = |command| page.command(&mut stage, command).expect_err("it is refused");
    assert!(refused(json!({ "do": "tune", "tunable": near, "value": 6 })).contains("it can be 1 to 5"));
    assert!(refused(json!({ "do": "tune", "tunable": brave, "value": 1 })).contains("tune an agent"));
    assert!(refused(json!({ "do": "tune", "tunable": 2, "value": 1 })).contains("there is no tunable 2"));
}

#[test]
fn results_are_forced() {
    let mut stage = Stage::new(4);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let roam = node(&program, "action roam");
    page.command(&mut stage, json!({ "do": "pick", "agent": 0 })).expect("it is there");
    page.command(&mut stage, json!({ "do": "force", "agent": 0, "node": roam, "status": 0 }))
        .expect("it acts");
    let failed = page.wait(&mut stage, "agent", |agent| agent["status"] == 0);
    assert!(failed["nodes"].as_array().expect("a list").iter().any(|row| row[0] == roam && row[1] == 0));
    page.wait(&mut stage, "agent", |agent| agent["status"] == 2);
    // A forced result that was taken back is not used.
    page.command(&mut stage, json!({ "do": "hold", "agent": 0 })).expect("it is there");
    page.command(&mut stage, json!({ "do": "force", "agent": 0, "node": roam, "status": 1 }))
        .expect("it acts");
    page.wait(&mut stage, "state", |state| state["forced"] == json!([[0, roam, 1]]));
    page.command(&mut stage, json!({ "do": "force", "agent": 0, "node": roam, "status": null }))
        .expect("it acts");
    page.wait(&mut stage, "state", |state| state["forced"] == json!([]));
}

#[test]
fn results_of_leaves_of_a_library_are_forced() {
    let (manifest, problems) = Manifest::parse("action roam()");
    assert_eq!(problems, []);
    let text = "<root BTCPP_format='4'><BehaviorTree ID='main'><roam/></BehaviorTree></root>";
    let mut stage = Stage::new(1);
    stage.go_on_with(text, &compiled("btcpp", "xml", &manifest, text));
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    let roam = node(&program, "Action roam");
    assert_eq!(program["nodes"][roam as usize - 1]["call"], json!("roam()"));
    page.command(&mut stage, json!({ "do": "pick", "agent": 0 })).expect("it is there");
    page.command(&mut stage, json!({ "do": "force", "agent": 0, "node": roam, "status": 0 }))
        .expect("it acts");
    page.wait(&mut stage, "agent", |agent| agent["status"] == 0);
}

#[test]
fn events_are_heard_and_all_are_counted() {
    let mut stage = Stage::with_clock(200);
    let mut page = stage.page();
    let program = page.wait(&mut stage, "program", any);
    page.command(&mut stage, json!({ "do": "pause" })).expect("it can be paused");
    page.command(&mut stage, json!({ "do": "pick", "agent": 7 })).expect("it is there");
    page.command(&mut stage, json!({ "do": "statistics", "every": 1 })).expect("they can be counted");
    page.command(&mut stage, json!({ "do": "raise", "event": 0, "agent": null })).expect("it is an event");
    page.command(&mut stage, json!({ "do": "step", "ticks": 1 })).expect("it can be stepped");
    page.wait(&mut stage, "agent", |agent| agent["events"] == json!(["alarm"]) && agent["walked"] == true);
    page.command(&mut stage, json!({ "do": "step", "ticks": 9 })).expect("it can be stepped");
    let counts = page.wait(&mut stage, "statistics", |counts| counts["ticks"] == 2000);
    let fight = node(&program, "action fight") as usize - 1;
    // A hundred agents are near. Each fight takes three ticks, so the fourth fight begins in the
    // tenth tick.
    assert_eq!(counts["entries"][fight], 400);
    assert_eq!((&counts["successes"][fight], &counts["running"][fight]), (&json!(300), &json!(100)));
    page.command(&mut stage, json!({ "do": "clear" })).expect("they can be cleared");
    page.wait(&mut stage, "statistics", |counts| counts["ticks"] == 0);
}

#[test]
fn an_edited_tree_is_gone_on_with() {
    let mut stage = Stage::new(12);
    let mut page = stage.page();
    page.command(&mut stage, json!({ "do": "pick", "agent": 5 })).expect("it is there");
    page.command(&mut stage, json!({ "do": "raise", "event": 0, "agent": 5 })).expect("it is an event");
    page.wait(&mut stage, "agent", any);
    // First an error: the crowd continues with its program.
    let finding = Finding {
        severity: "error".to_owned(),
        message: "nonsense".to_owned(),
        file: Some("a/main.pleach".to_owned()),
        name: Some("main.pleach".to_owned()),
        line: Some(3),
        ..Finding::default()
    };
    stage.view().trouble(&[finding], |name| Some(format!("edited {name}")));
    let trouble = page.wait(&mut stage, "trouble", any);
    assert_eq!((&trouble["findings"][0]["place"], &trouble["findings"][0]["line"]), (&json!(0), &json!(3)));
    assert_eq!(trouble["texts"], json!([{ "file": 0, "text": "edited main.pleach" }]));
    // A page that connects meanwhile gets the error, too.
    let mut other = stage.page();
    other.wait(&mut stage, "trouble", |trouble| {
        trouble["findings"].as_array().is_some_and(|it| it.len() == 1)
    });

    let report = stage.edit(&TREE.replace("near < 3", "near < 30"));
    assert_eq!((report.kept, report.reset.len()), (12, 0));
    let reload = page.wait(&mut stage, "reload", any);
    assert_eq!(
        (&reload["revision"], &reload["kept"], &reload["text"]),
        (&json!(2), &json!(12), &json!("12 kept, 0 reset"))
    );
    let program = page.wait(&mut stage, "program", |program| program["revision"] == 2);
    assert!(program["files"][0]["text"].as_str().expect("it is there").contains("near < 30"));
    page.wait(&mut stage, "trouble", |trouble| trouble["findings"] == json!([]));
    let agent = page.wait(&mut stage, "agent", |agent| agent["revision"] == 2 && agent["walked"] == true);
    assert_eq!(agent["agent"], 5, "it stays picked");
    // Pages cannot go back to ticks before the reload.
    let state = page.wait(&mut stage, "state", |state| state["first"] == reload["tick"]);
    assert!(state["first"].as_u64() > Some(1), "{state}");

    let report =
        stage.edit(&TREE.replace("action roam\n    }", "sequence { action fight action roam }\n    }"));
    assert!(!report.reset.is_empty(), "the node is elsewhere");
    let reload = page.wait(&mut stage, "reload", |reload| reload["revision"] == 3);
    assert_eq!(reload["reset"], report.reset.len());
    let mut late = stage.page();
    late.wait(&mut stage, "program", |program| program["revision"] == 3);
}

#[test]
fn what_is_wrong_changes_nothing() {
    let mut stage = Stage::with_clock(3);
    let mut page = stage.page();
    page.command(&mut stage, json!({ "do": "pause" })).expect("it can be paused");
    let wrong = [
        json!({ "do": "fly" }),
        json!({ "do": "pick", "agent": 99 }),
        json!({ "do": "pick", "agent": "x" }),
        json!({ "do": "pick", "agent": 1e300 }),
        json!({ "do": "hold", "agent": 99 }),
        json!({ "do": "break", "agent": 0, "on": true }),
        json!({ "do": "break", "agent": 0, "node": 1, "variable": 1, "on": true }),
        json!({ "do": "break", "agent": 0, "node": 999, "on": true }),
        json!({ "do": "break", "agent": 0, "variable": 999, "on": true }),
        json!({ "do": "force", "agent": 0, "node": 1, "status": 0 }),
        json!({ "do": "force", "agent": 0, "node": 0, "status": 0 }),
        json!({ "do": "set", "agent": 0, "variable": 99, "value": 0 }),
        json!({ "do": "set", "agent": 0, "value": 0 }),
        json!({ "do": "set", "shared": 0, "value": 0 }),
        json!({ "do": "raise", "event": 1 }),
    ];
    let before = stage.crowd.inspect().digest();
    for command in wrong {
        page.command(&mut stage, command.clone()).expect_err(&command.to_string());
    }
    assert_eq!(stage.crowd.inspect().digest(), before);
    // Values at the limits of numbers do no harm.
    for tick in [0, 1, u64::MAX] {
        page.command(&mut stage, json!({ "do": "at", "tick": tick })).expect("it is a tick");
    }
    page.command(&mut stage, json!({ "do": "statistics", "every": u32::MAX })).expect("it is a number");
    page.command(&mut stage, json!({ "do": "set", "agent": 0, "variable": 0, "value": 1e300 }))
        .expect("it is a number");
    page.command(&mut stage, json!({ "do": "step", "ticks": 10000 })).expect("it is a number");
}

#[test]
fn agents_come_and_go() {
    let mut stage = Stage::new(5);
    let mut page = stage.page();
    page.command(&mut stage, json!({ "do": "pick", "agent": 4 })).expect("it is there");
    let (last, now) = (stage.agents[4], stage.now);
    stage.crowd.despawn(last, now, &mut game()).expect("it is there");
    page.wait(&mut stage, "agents", |agents| agents["index"] == json!([0, 1, 2, 3]));
    page.wait(&mut stage, "agent", |agent| agent["outcome"] == "it is gone");
    stage.crowd.spawn("main").expect("there is room");
    page.wait(&mut stage, "agents", |agents| agents["index"] == json!([0, 1, 2, 3, 4]));
}

#[test]
fn watching_changes_no_result() {
    let (mut shown, mut hidden) = (Stage::new(600), Stage::hidden(600));
    let mut pages = [shown.page(), shown.page()];
    for (index, page) in pages.iter_mut().enumerate() {
        page.command(&mut shown, json!({ "do": "pick", "agent": index })).expect("it is there");
        page.command(&mut shown, json!({ "do": "statistics", "every": 1 })).expect("they can be counted");
    }
    while hidden.now < shown.now {
        hidden.tick();
    }
    for tick in 0..200 {
        for stage in [&mut shown, &mut hidden] {
            let angry = stage.crowd.program().variable("angry").expect("it is declared");
            for agent in stage.agents.iter().filter(|agent| (agent.index() + tick) % 7 == 0) {
                stage.crowd.set(*agent, angry, tick % 3 > 0).expect("it is a bool");
            }
            stage.tick();
        }
        pages.iter_mut().for_each(|page| while page.read().is_some() {});
        assert_eq!(shown.crowd.inspect().digest(), hidden.crowd.inspect().digest(), "tick {tick}");
    }
}
