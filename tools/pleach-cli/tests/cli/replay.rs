//! Recordings, from being written to being asked about.

use crate::folder::Folder;

const TREE: &str =
    "selector {\n\tsequence {\n\t\tcondition team < 1\n\t\taction fight()\n\t}\n\taction roam()\n}\n";

fn recorded(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("a.bt", TREE);
    let ran = folder.pleach(&["run", "a.bt", "--agents=20", "--ticks=30", "--record=a.rec"]).exits(0);
    assert!(ran.out.contains("  recorded "), "{}", ran.out);
    folder
}

#[test]
fn what_was_recorded_is_replayed() {
    let folder = recorded("replayed");
    let ran = folder.pleach(&["replay", "a.rec"]).exits(0);
    assert!(ran.out.starts_with("a.rec: 30 ticks of 20 agents, to the end in "), "{}", ran.out);
    let first = folder.pleach(&["replay", "a.rec", "--agent=7", "--ticks=1"]).exits(0);
    assert!(first.out.starts_with("tick 1, 50 ms: "), "{}", first.out);
    // The trace of the same run.
    let trace = folder.pleach(&["trace", "a.bt", "--agent=7", "--agents=20", "--ticks=9"]).exits(0);
    let shown = folder.pleach(&["replay", "a.rec", "--agent=7", "--from=9", "--ticks=1"]).exits(0);
    let walk: Vec<_> = shown.out.lines().skip_while(|line| !line.starts_with("tick 9")).collect();
    let traced: Vec<_> = trace.out.lines().skip_while(|line| !line.starts_with("tick 9")).collect();
    assert!(traced.len() > 3 && walk.starts_with(&traced), "{}\n{}", shown.out, trace.out);
}

#[test]
fn recordings_are_asked_when_something_was_so() {
    let folder = recorded("asked");
    let ran =
        folder.pleach(&["replay", "a.rec", "--when", "action fight ran", "--when", "a.bt:6 failed"]).exits(0);
    assert!(
        ran.out.contains("action fight ran: tick ") && ran.out.contains("a.bt:6 failed: tick "),
        "{}",
        ran.out
    );
    let ran = folder.pleach(&["replay", "a.rec", "--when", "action fight ran", "--ticks=0"]).exits(1);
    assert_eq!(ran.out, "action fight ran: never\n");
    let ran = folder.pleach(&["replay", "a.rec", "--when", "action figt ran"]).exits(2);
    assert_eq!(ran.err, "pleach: no tree has a node `action figt`; did you mean `action fight`?\n");
    let ran = folder.pleach(&["replay", "a.rec", "--when", "temper = 2"]).exits(2);
    assert_eq!(ran.err, "pleach: there is no variable `temper`\n");
}

#[test]
fn other_trees_differ_at_a_tick() {
    let folder = recorded("against");
    folder.file("same.bt", format!("// a comment\n{TREE}"));
    folder.file("b.bt", TREE.replace("team < 1", "team < 100"));
    let same = folder.pleach(&["build", "a.bt", "-o", "same.plc"]).exits(0);
    assert_eq!(same.out, "");
    let ran = folder.pleach(&["replay", "a.rec", "--against", "same.plc"]).exits(0);
    assert_eq!(ran.out, "same.plc: the same in all of 30 ticks\n");
    folder.file("a.bt", TREE.replace("team < 1", "team < 100"));
    let ran = folder.pleach(&["replay", "a.rec", "--against", "a.bt"]).exits(1);
    assert!(ran.out.starts_with("a.bt: differs in tick 1, 50 ms: agent "), "{}", ran.out);
    assert!(ran.out.ends_with(" calls `fight`, which it did not call before\n"), "{}", ran.out);
    // A tree of another name is another tree.
    let ran = folder.pleach(&["replay", "a.rec", "--against", "b.bt"]).exits(1);
    assert!(ran.out.starts_with("b.bt: differs in tick 1"), "{}", ran.out);
}

/// Without a terminal, ticks follow one another without colors.
#[test]
fn an_agent_is_watched() {
    let folder = recorded("watched");
    let ran = folder.pleach(&["run", "a.bt", "--agents=3", "--ticks=4", "--watch=1"]).exits(0);
    let ticks = ran.out.lines().filter(|line| line.starts_with("agent 1, tick ")).count();
    assert_eq!(ticks, 4, "{}", ran.out);
    assert!(ran.out.contains("     1 tree a\n") && !ran.out.contains('\u{1b}'), "{}", ran.out);
    folder.pleach(&["run", "a.bt", "--agents=3", "--watch=3"]).exits(2);
}

#[test]
fn damaged_recordings_are_errors() {
    let folder = recorded("damaged");
    let mut bytes = std::fs::read(folder.0.join("a.rec")).expect("it was written");
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    folder.file("damaged.rec", &bytes);
    let ran = folder.pleach(&["replay", "damaged.rec"]).exits(1);
    assert!(
        ran.err.starts_with("error: damaged.rec: a block is damaged (after 0 ticks, at byte "),
        "{}",
        ran.err
    );
    folder.file("text.rec", "no recording");
    let ran = folder.pleach(&["replay", "text.rec"]).exits(1);
    assert!(ran.err.contains("these bytes are no recording"), "{}", ran.err);
    folder.pleach(&["replay", "gone.rec"]).exits(2);
}

#[test]
fn what_all_agents_do_is_counted() {
    let folder = recorded("counted");
    folder.file("a.bt", format!("{TREE}\n"));
    let of_run = folder.pleach(&["run", "a.bt", "--agents=20", "--ticks=30", "--stats=text"]).exits(0).out;
    assert!(of_run.starts_with("600 ticks of agents\n"), "{of_run}");
    assert!(of_run.contains("nodes ran"), "{of_run}");
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.pleach(args).exits(0).out).expect("it is JSON")
    };
    let run = json(&["run", "a.bt", "--agents=20", "--ticks=30", "--stats=json"]);
    assert_eq!(run, json(&["replay", "a.rec", "--stats=json"]));
    assert_eq!(run["agent_ticks"], 600);
    let fight = run["nodes"].as_array().into_iter().flatten().find(|node| node["name"] == "action fight");
    let fight = fight.expect("it is there");
    assert_eq!(fight["line"], 4);
    assert!(fight["calls"].as_u64() >= fight["entries"].as_u64(), "{fight}");
    let heat = folder.pleach(&["run", "a.bt", "--agents=20", "--ticks=30", "--stats=heat"]).exits(0).out;
    assert!(heat.lines().any(|line| line.contains("█") && line.ends_with("\t\taction fight()")), "{heat}");
}

/// Events cannot be watched, so their handlers are not counted.
#[test]
fn handlers_of_events_are_not_counted() {
    let folder = Folder::new("counted_handlers");
    folder.file(
        "guard.pleach",
        "var hits: int\non hit\n{\n\tset hits += 1\n}\ntree guard { condition hits >= 0 }\n",
    );
    let stats = |form: &str| {
        let stats = format!("--stats={form}");
        folder.pleach(&["run", "guard.pleach", "--agents=20", "--ticks=30", &stats]).exits(0).out
    };
    let text = stats("text");
    assert!(text.contains("\n  2 of 2 nodes ran\n") && !text.contains("never"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&stats("json")).expect("it is JSON");
    let names: Vec<_> = json["nodes"].as_array().into_iter().flatten().map(|node| &node["name"]).collect();
    assert_eq!(names, ["tree guard", "condition"]);
    assert!(!stats("heat").contains("never"), "{}", stats("heat"));
}
