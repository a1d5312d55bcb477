//! Commands that are interrupted: the work done so far is printed or kept, and the
//! exit code tells of the signal.

use crate::folder::{Folder, Ran};
use std::fs::File;
use std::io::Read;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::Duration;

const ENDLESS: &str = "--ticks=4000000000";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("a.bt", "selector { condition team < 1 action roam() }\n");
    folder
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut child = folder.command(args).spawn().expect("the command");
    drop(child.stdin.take());
    child
}

/// Reads and returns the beginning of the command's output. Then the command is at work.
fn beginning(child: &mut Child) -> String {
    let mut bytes = [0; 20];
    child.stdout.as_mut().expect("piped").read_exact(&mut bytes).expect("a beginning");
    text(&bytes)
}

/// Waits until a recording has more than this number of bytes.
fn recorded(child: &mut Child, folder: &Folder, bytes: u64) {
    while folder.0.join("a.rec").metadata().map_or(0, |file| file.len()) <= bytes {
        assert_eq!(child.try_wait().expect("a state"), None, "the command has ended");
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Returns the number of ticks after which a command says that it has stopped.
fn stopped(done: &Output) -> String {
    let err = text(&done.stderr);
    let ticks = err.lines().find_map(|line| line.strip_prefix("stopped after ")).unwrap_or_default();
    let (ticks, _) = ticks.split_once(" of ").unwrap_or_else(|| panic!("nothing is told of ticks: {err}"));
    ticks.to_owned()
}

#[test]
fn a_run_tells_what_is_done_and_its_recording_is_whole() {
    let folder = folder("interrupt_run");
    let mut child = start(&folder, &["run", "a.bt", "--agents=100", ENDLESS, "--record", "a.rec"]);
    recorded(&mut child, &folder, 0);
    signal(&child, "-INT");
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(130));
    let (ticks, out) = (stopped(&done), text(&done.stdout));
    assert!(
        out.contains(&format!("100 agents x {ticks} ticks in ")) && out.contains("busiest actions"),
        "{out}"
    );
    let replayed = folder.pleach(&["replay", "a.rec"]).exits(0).out;
    assert!(replayed.contains(&format!("a.rec: {ticks} ticks of 100 agents, to the end ")), "{replayed}");
}

/// All blocks before the last one are complete. The last one may be cut off: then an error says
/// where it begins, and the recording up to there can be replayed.
#[test]
fn a_run_that_is_killed_leaves_its_blocks() {
    let folder = folder("interrupt_kill");
    let mut child = start(&folder, &["run", "a.bt", "--agents=100", ENDLESS, "--record", "a.rec"]);
    recorded(&mut child, &folder, 100_000);
    child.kill().expect("it runs");
    assert_eq!(child.wait().expect("an end").code(), None);
    let Ran { code, err, .. } = folder.pleach(&["replay", "a.rec"]);
    if code == Some(1) {
        let begin = err.split_once("at byte ").and_then(|(_, place)| place.split(')').next()?.parse().ok());
        let file = File::options().write(true).open(folder.0.join("a.rec")).expect("a recording");
        file.set_len(begin.unwrap_or_else(|| panic!("{err}"))).expect("a shorter file");
    }
    let replayed = folder.pleach(&["replay", "a.rec"]).exits(0).out;
    assert!(
        replayed.contains(" ticks of 100 agents, to the end ") && !replayed.contains(" 0 ticks"),
        "{replayed}"
    );
}

#[test]
fn counts_are_shown_of_what_is_done() {
    let folder = folder("interrupt_stats");
    let args = ["run", "a.bt", "--agents=100", ENDLESS, "--stats=json", "--record", "a.rec"];
    let mut child = start(&folder, &args);
    recorded(&mut child, &folder, 0);
    signal(&child, "-TERM");
    let done = child.wait_with_output().expect("an end");
    assert_eq!((done.status.code(), text(&done.stdout).starts_with('{')), (Some(143), true));
}

/// The pipe is full long before the last tick, so the command is at work when the signal comes.
#[test]
fn a_replay_stops_at_a_tick() {
    let folder = folder("interrupt_replay");
    folder.pleach(&["run", "a.bt", "--agents=1", "--ticks=5000", "--record", "a.rec"]).exits(0);
    let mut child = start(&folder, &["replay", "a.rec", "--agent=0", "--ticks=5000"]);
    let begin = beginning(&mut child);
    signal(&child, "-INT");
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(130));
    let (ticks, out) = (stopped(&done).replace(',', ""), begin + &text(&done.stdout));
    assert!(ticks.parse::<u32>().expect("a number") < 5000, "{ticks}");
    let last = out.lines().rfind(|line| line.starts_with("tick ")).unwrap_or_default();
    assert!(last.starts_with(&format!("tick {ticks}, ")), "{ticks} is not the last tick: {last}");
}

/// A comparison prints nothing before its end, so a test cannot see that it is at work. A signal
/// that came too early has ended the command without a word, and then the next one is sent later.
/// If the comparison came to its end, the next one is sent earlier.
#[test]
fn a_comparison_tells_how_far_it_came() {
    let folder = folder("interrupt_against");
    folder.pleach(&["run", "a.bt", "--agents=100", "--ticks=5000", "--record", "a.rec"]).exits(0);
    let (mut early, mut late) = (Duration::ZERO, None);
    for _ in 0..50 {
        let wait = late.map_or(2 * early + Duration::from_millis(5), |late| (early + late) / 2);
        let mut child = start(&folder, &["replay", "a.rec", "--against", "a.bt"]);
        sleep(wait);
        if child.try_wait().expect("a state").is_none() {
            signal(&child, "-INT");
        }
        let done = child.wait_with_output().expect("an end");
        match (done.status.code(), done.stderr.is_empty()) {
            (Some(130), true) => early = wait,
            (Some(0), _) => late = Some(wait),
            (code, _) => {
                assert_eq!(code, Some(130));
                let (told, out) = (format!("a.bt: the same in {} tick", stopped(&done)), text(&done.stdout));
                assert!(out.starts_with(&told), "{out}");
                return;
            }
        }
    }
    panic!("no signal came while the comparison was at work");
}

#[test]
fn a_trace_ends_at_once() {
    let folder = folder("interrupt_trace");
    let mut child = start(&folder, &["trace", "a.bt", ENDLESS]);
    beginning(&mut child);
    signal(&child, "-INT");
    assert_eq!(child.wait_with_output().expect("an end").status.code(), Some(130));
}

#[test]
fn a_view_ends_with_its_ticks() {
    let folder = folder("interrupt_view");
    let mut child = start(&folder, &["view", "a.bt", "--agents=3"]);
    beginning(&mut child);
    signal(&child, "-INT");
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(130));
    assert!(text(&done.stderr).starts_with("stopped after "), "{}", text(&done.stderr));
}
