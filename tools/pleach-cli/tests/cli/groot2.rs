//! Logs for Groot2, and its monitor beside the page.
//!
//! A test with a monitor of another project needs `btview` from the registry of Python. The
//! variable `PLEACH_BTVIEW` names its command. Without it, the test prints `skipped`.

use crate::folder::Folder;
use crate::served::{PATIENCE, Served};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::Command;
use std::time::Instant;

const TREE: &str = "action shoot()
action walk()
query near: int
var ammo: int8 = 6
tree guard {
    reactive selector {
        sequence { condition near < 3 && ammo > 0 action shoot set ammo -= 1 }
        action walk
    }
}
";

#[test]
fn the_log_of_a_run_is_that_of_its_recording() {
    let folder = Folder::new("btlog");
    folder.file("guard.pleach", TREE);
    let run = ["run", "guard.pleach", "--agents=5", "--ticks=20"];
    let run = |more: &[&str]| folder.pleach(&[&run, more].concat()).exits(0);
    run(&["--btlog=a.btlog", "--agent=3", "--record=a.rec"]);
    run(&["--btlog=b.btlog", "--agent=3"]);
    folder.pleach(&["replay", "a.rec", "--agent=3", "--btlog=c.btlog"]).exits(0);
    let bytes = |name: &str| std::fs::read(folder.0.join(name)).expect("the log");
    assert!(bytes("a.btlog") == bytes("b.btlog") && bytes("a.btlog") == bytes("c.btlog"));
    // All ticks are written, unless some are chosen.
    folder.pleach(&["replay", "a.rec", "--agent=3", "--btlog=d.btlog", "--ticks=1"]).exits(0);
    assert!(bytes("a.btlog").starts_with(&bytes("d.btlog")) && bytes("a.btlog") != bytes("d.btlog"));
    let shown = folder.pleach(&["replay", "d.btlog"]).exits(0);
    let words: Vec<_> =
        shown.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(words[0], "d.btlog: 4 changes");
    assert_eq!(words[1], "50.000 ms reactive selector running");
    assert_eq!(words[4], "50.000 ms shoot() running", "{}", shown.out);
}

#[test]
fn logs_are_not_mixed_up_with_other_files() {
    let folder = Folder::new("btlog_refused");
    folder
        .file("guard.pleach", TREE)
        .file("notes.txt", "mine")
        .file("cut.btlog", "BTCPP4-FileLogger2\x01\x09");
    let refused = folder.pleach(&["run", "guard.pleach", "--ticks=1", "--btlog=notes.txt"]).exits(2);
    assert!(refused.err.contains("there, and no log of Groot2"), "{}", refused.err);
    let refused =
        folder.pleach(&["run", "guard.pleach", "--ticks=1", "--btlog=a.btlog", "--agent=5000"]).exits(2);
    assert_eq!(refused.err, "pleach: there is no agent 5000\n");
    folder.pleach(&["run", "guard.pleach", "--ticks=1", "--btlog=a.btlog", "--record=a.rec"]).exits(0);
    let refused = folder.pleach(&["replay", "a.btlog", "--agent=1"]).exits(2);
    assert_eq!(refused.err, "pleach: cannot replay a.btlog: it is a log of Groot2, which has no options\n");
    let refused = folder.pleach(&["replay", "a.rec", "--agent=5000", "--btlog=b.btlog"]).exits(2);
    assert_eq!(refused.err, "pleach: there is no agent 5000 in these ticks\n");
    let cut = folder.pleach(&["replay", "cut.btlog"]).exits(1);
    assert_eq!(cut.err, "error: cut.btlog: byte 20: the file is cut here; write the log again\n");
    let refused = folder.pleach(&["view", "a.rec", "--groot2"]).exits(2);
    assert!(refused.err.contains("Groot2 is shown agents that are ticked"), "{}", refused.err);
    let refused = folder.pleach(&["view", "guard.pleach", "--groot2=here"]).exits(2);
    assert!(refused.err.contains("it is neither a port nor IP:PORT"), "{}", refused.err);
}

#[test]
fn a_tree_that_cannot_be_shown_is_told_once_after_each_reload() {
    let folder = Folder::new("groot2_reload");
    let twice = |name: &str| format!("sequence {{\n\tbehavior {name}\n\tbehavior {name}\n}}\n");
    folder.file("p0.bt", "sequence {\n\taction roam()\n\taction roam()\n}\n");
    (1..17).for_each(|part| _ = folder.file(&format!("p{part}.bt"), twice(&format!("p{}", part - 1))));
    folder.file("main.bt", twice("p1"));
    let mut served = Served::new(&folder, &["view", "main.bt", "--agents=2", "--groot2=0"]);
    let mut page = served.page();
    let mut tick_on = |kind: &str| {
        page.wait(kind, |_| true);
        let tick = page.wait("state", |_| true)["tick"].as_u64().expect("a number");
        page.wait("state", |state| state["tick"].as_u64() > Some(tick + 6));
    };
    tick_on("state");
    for text in [twice("p16"), format!("\n{}", twice("p16"))] {
        folder.file("main.bt", text);
        tick_on("reload");
    }
    served.child.kill().expect("it runs");
    let err = BufReader::new(served.child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let told: Vec<_> = err.filter(|line| line.starts_with("Groot2 cannot show agent 0: ")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|line| line.contains("more than 65535 nodes")), "{told:?}");
}

/// Returns the port of the monitor of Groot2.
fn port(served: &mut Served) -> String {
    let line = served.line("Groot2 at ");
    let address = line.split_once(": ").map_or("", |(front, _)| front);
    address.rsplit_once(':').expect("it has a port").1.to_owned()
}

/// Runs a command of `btview` until its output has a text.
fn shown(command: &str, args: &[&str], text: &str) {
    let until = Instant::now() + PATIENCE;
    loop {
        let done = Command::new(command).args(args).output().expect("the command can be run");
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        if done.status.success() && out.contains(text) {
            return;
        }
        let err = String::from_utf8_lossy(&done.stderr);
        assert!(Instant::now() < until, "no `{text}` in:\n{out}\n{err}");
    }
}

#[test]
fn another_monitor_shows_the_picked_agent() {
    let Ok(command) = std::env::var("PLEACH_BTVIEW") else {
        println!("skipped: PLEACH_BTVIEW names no command `btview`");
        return;
    };
    let folder = Folder::new("btview");
    folder.file("guard.pleach", TREE);
    let mut served = Served::new(&folder, &["view", "guard.pleach", "--agents=5", "--groot2=0"]);
    let port = port(&mut served);
    let snapshot = ["snapshot", "--port", &port, "--ascii", "--no-color"];
    shown(&command, &snapshot, "reactive selector");
    shown(&command, &snapshot, "walk()");
    shown(&command, &["blackboard", "--port", &port, "--no-color", "guard"], "ammo");
    let id = || {
        let done =
            Command::new(&command).args(["info", "--port", &port, "--no-color"]).output().expect("it is run");
        String::from_utf8_lossy(&done.stdout).lines().find(|line| line.contains("uuid")).map(str::to_owned)
    };
    let first = id().expect("it tells the id of the tree");
    // The page picks another agent, whose tree has another id.
    let mut page = served.page();
    page.wait("state", |_| true);
    page.say(&json!({"do": "pick", "agent": 3}));
    page.wait("agent", |agent| agent["agent"] == 3);
    let until = Instant::now() + PATIENCE;
    while id().is_none_or(|id| id == first) {
        assert!(Instant::now() < until, "the id stays {first}");
    }
}
