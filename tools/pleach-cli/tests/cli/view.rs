//! `pleach view`: edited trees are reloaded, recordings are shown and exported. `pleach trace`:
//! breakpoints and forced answers.

use crate::folder::Folder;
use crate::served::{PATIENCE, Served};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

const TREE: &str = "action fight()
action roam()
query near: int
var ammo: int = 5
tree guard {
    reactive selector {
        sequence { condition near < 3 action fight set ammo -= 1 }
        action roam
    }
}
";

#[test]
fn an_edited_file_is_gone_on_with() {
    let folder = Folder::new("view_edit");
    folder.file("guard.pleach", TREE);
    let served = Served::new(&folder, &["view", "guard.pleach", "--agents=50"]);
    let mut page = served.page();
    let hello = page.wait("hello", |_| true);
    assert_eq!((&hello["title"], &hello["mode"]), (&json!("guard.pleach"), &json!("live")));
    page.wait("state", |state| {
        state["agents"] == 50 && state["rate"] == 20 && state["tick"].as_u64() > Some(3)
    });

    folder.file("guard.pleach", TREE.replace("near < 3", "near <"));
    let trouble = page.wait("trouble", |trouble| trouble["findings"] != json!([]));
    let finding = &trouble["findings"][0];
    assert_eq!(
        (&finding["severity"], &finding["place"], &finding["line"]),
        (&json!("error"), &json!(0), &json!(7))
    );
    assert!(trouble["texts"][0]["text"].as_str().expect("the edited text").contains("near <"));
    let tick = page.wait("state", |_| true)["tick"].as_u64().expect("a number");
    page.wait("state", |state| state["tick"].as_u64() > Some(tick + 3));

    // Back to the old text: nothing is reloaded, but the error is gone.
    folder.file("guard.pleach", TREE);
    page.wait("trouble", |trouble| trouble["findings"] == json!([]));
    folder.file("guard.pleach", TREE.replace("near < 3", "near < 9"));
    let reload = page.wait("reload", |_| true);
    assert_eq!((&reload["kept"], &reload["reset"], &reload["revision"]), (&json!(50), &json!(0), &json!(2)));
    let program = page.wait("program", |_| true);
    assert!(program["files"][0]["text"].as_str().expect("it is there").contains("near < 9"));
    // A tree that is gone cannot be gone on with.
    folder.file("guard.pleach", TREE.replace("tree guard", "tree other"));
    page.wait("trouble", |trouble| {
        trouble["findings"][0]["message"].as_str().is_some_and(|it| it.contains("guard"))
    });
    page.wait("state", |state| state["tick"].as_u64() > Some(tick + 6));
}

/// A process that is stopped and continues gets `Interrupted` from each socket with a timeout.
#[test]
fn a_command_that_was_stopped_goes_on_serving() {
    let folder = Folder::new("view_stopped");
    folder.file("guard.pleach", TREE);
    let served = Served::new(&folder, &["view", "guard.pleach", "--agents=5"]);
    let mut page = served.page();
    let address = served.address.strip_prefix("http://").expect("it is plain");
    let (host, path) = address.split_once('/').expect("it has a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /{path} HTTP/1.1\r\n").expect("it reads");
    // The test proves more if the command waits for the rest of the request by now.
    std::thread::sleep(Duration::from_millis(200));
    for signal in ["-STOP", "-CONT"] {
        let sent = Command::new("kill").args([signal, &served.child.id().to_string()]).status();
        assert!(sent.expect("there is such a command").success());
    }
    std::thread::sleep(Duration::from_millis(200));
    write!(stream, "Host: {host}\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.100}");
    page.wait("state", |state| state["tick"].as_u64() > Some(8));
}

#[test]
fn a_recording_is_shown_and_exported() {
    let folder = Folder::new("view_recording");
    folder.file("guard.pleach", TREE);
    folder.pleach(&["run", "guard.pleach", "--agents=20", "--ticks=100", "--record=guard.rec"]).exits(0);
    let served = Served::new(&folder, &["view", "guard.rec"]);
    let mut page = served.page();
    page.say(&json!({ "do": "pick", "agent": 7 }));
    page.say(&json!({ "do": "at", "tick": 60 }));
    let agent = page.wait("agent", |agent| agent["asked"] == true && agent["tick"] == 60);
    assert_eq!((&agent["agent"], &agent["walked"]), (&json!(7), &json!(true)));
    page.wait("state", |state| state["tick"] == 60 && state["last"] == 100);
    drop(served);

    let args = ["view", "guard.rec", "--export=guard.html", "--agent=7", "--from=60", "--ticks=5"];
    folder.pleach(&args).exits(0);
    let html = std::fs::read_to_string(folder.0.join("guard.html")).expect("it was written");
    assert!(html.contains("id=\"run\">[{\"type\":\"hello\"") && html.contains("\"tick\":64"));
    assert!(html.contains(r"near \u003c 3"), "the source is in it");

    folder.pleach(&["view", "guard.pleach", "--export=x.html"]).exits(2);
    folder.pleach(&["view", "guard.rec", "--agent=7"]).exits(2);
    folder.pleach(&["view", "missing.pleach"]).exits(2);
    folder.file("wrong.pleach", "tree guard {").pleach(&["view", "wrong.pleach"]).exits(1);
    let recording = std::fs::read(folder.0.join("guard.rec")).expect("it is there");
    folder.file("short.rec", &recording[..40]).pleach(&["view", "short.rec"]).exits(1);
}

#[test]
fn a_trace_tells_a_condition_that_held_from_its_result() {
    let folder = Folder::new("trace_held");
    folder.file(
        "guard.pleach",
        "action shoot()\nvar ammo: int = 5\ntree guard { selector {\n\
         if ammo > 3 { action shoot }\nif ammo > 9 { action shoot } } }\n",
    );
    let args = ["trace", "guard.pleach", "--agents=1", "--ticks=1", "--force=shoot=failure"];
    let out = folder.pleach(&args).exits(0).out;
    let line = |words: &str| out.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{out}"));
    assert!(line("if ammo > 3 [held] ").contains(" failure "), "{out}");
    assert!(line("if ammo > 9 [did not hold] ").contains(" failure "), "{out}");
}

/// A program of this name replaces those that open browsers: it writes its arguments to a file.
#[cfg(target_os = "linux")]
#[test]
fn a_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("view_open");
    folder.file("guard.pleach", TREE);
    let opener = folder.0.join("xdg-open");
    folder.file("xdg-open", "#!/bin/sh\necho \"$@\" > opened.tmp && mv opened.tmp opened\n");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let path = format!("{}:/usr/bin:/bin", opener.parent().expect("a folder").display());
    let mut command = folder.command(&["view", "guard.pleach", "--agents=5", "--open"]);
    command.env("PATH", path);
    let served = Served::of(command);
    let since = Instant::now();
    let opened = loop {
        match std::fs::read_to_string(folder.0.join("opened")) {
            Ok(opened) => break opened,
            Err(why) => assert!(since.elapsed() < PATIENCE, "no browser was opened: {why}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(opened.trim(), served.address);
}

/// The reason that the opener's crate gives has the whole address in it once more, and no word for
/// people.
#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_view_goes_on_and_says_what_to_do() {
    let folder = Folder::new("view_no_browser");
    folder.file("guard.pleach", TREE);
    let log = std::fs::File::create(folder.0.join("log")).expect("the folder is ours");
    let mut command = folder.command(&["view", "guard.pleach", "--agents=5", "--open"]);
    command.env("PATH", &folder.0).stderr(log);
    let served = Served::of(command);
    served.page().wait("hello", |_| true);
    let told = "cannot open a browser; open the address yourself\n";
    let since = Instant::now();
    while !std::fs::read_to_string(folder.0.join("log")).expect("the log").ends_with(told) {
        assert!(since.elapsed() < PATIENCE, "the missing browser was not told");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_trace_waits_for_a_breakpoint() {
    let folder = Folder::new("trace_break");
    folder.file("guard.pleach", TREE);
    let trace = |args: &[&str]| {
        let all = ["trace", "guard.pleach", "--agents=5", "--agent=2"];
        folder.pleach(&[&all[..], args].concat())
    };
    let all = trace(&["--ticks=200"]).exits(0).out;
    let walks: Vec<&str> = all.split("\ntick ").skip(1).collect();
    let first = |is: &dyn Fn(&str) -> bool| walks.iter().position(|walk| is(walk)).expect("it comes");
    let fights = first(&|walk| walk.contains("action fight"));
    let shown = trace(&["--break", "action fight", "--ticks=2"]).exits(0).out;
    assert!(shown.contains(&format!("\ntick {}", walks[fights])), "{shown}");
    assert_eq!(shown.matches("\ntick ").count(), 2);
    assert!(!shown.contains("\ntick 1,") || fights == 0);
    let changed = first(&|walk| !walk.contains("ammo 5"));
    let shown = trace(&["--break=ammo", "--ticks=1"]).exits(0).out;
    assert!(shown.contains(&format!("\ntick {}", walks[changed].trim_end())), "{shown}");
    assert!(trace(&["--break=nothing"]).exits(2).err.contains("nothing"));
}

#[test]
fn a_trace_forces_results() {
    let folder = Folder::new("trace_force");
    folder.file("guard.pleach", TREE.replace("near < 3", "near == near"));
    let args = ["trace", "guard.pleach", "--agents=1", "--ticks=3"];
    let forced = ["--force=fight=running", "--force=fight=running", "--force", "action fight=success"];
    let out = folder.pleach(&[&args[..], &forced].concat()).exits(0).out;
    let ticks: Vec<&str> =
        out.split("\ntick ").skip(1).map(|walk| walk.lines().next().unwrap_or_default()).collect();
    assert_eq!(ticks, ["1, 50 ms: running", "2, 100 ms: running", "3, 150 ms: success"]);
    for wrong in ["fight", "fight=won", "flee=success"] {
        folder.pleach(&[&args[..], &["--force", wrong]].concat()).exits(2);
    }
}

#[test]
fn a_view_in_an_editor_ends_with_the_editor() {
    let folder = Folder::new("view_framed");
    folder.file("a.pleach", "tree a { success }\n");
    // The standard input has ended when the command begins.
    let ran = folder.pleach(&["view", "--framed", "a.pleach"]).exits(0);
    assert!(ran.out.contains("?token="), "{}", ran.out);
}
