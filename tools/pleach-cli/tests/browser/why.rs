//! "Why not?": recorded situations, the sentence about each of them, and the trace that proves it.

use crate::screens::keep;
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{SCREEN, in_browser, no_complaints};
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::process::Command;

/// Recorded situation.
struct Situation {
    tick: u32,
    /// Branch of the tree, with the leaf `@`.
    branch: &'static str,
    /// Reason why the leaf did not run.
    reason: &'static str,
    /// All that the trace of the tick has of the branch: nodes with their statuses, and values
    /// that they read. It proves the reason: the leaf is missing, and the cause is there with its
    /// values.
    trace: &'static [&'static str],
}

const fn at(
    tick: u32,
    branch: &'static str,
    reason: &'static str,
    trace: &'static [&'static str],
) -> Situation {
    Situation { tick, branch, reason, trace }
}

const SITUATIONS: &[Situation] = &[
    at(
        1,
        "while a { @ }",
        "“while a” did not hold (a was false)",
        &["while a [did not hold] failure", "= a false"],
    ),
    at(
        1,
        "if n > 5 { @ }",
        "“if n > 5” did not hold (n was 3)",
        &["if n > 5 [did not hold] failure", "= n 3"],
    ),
    at(1, "selector { success @ }", "“success” succeeded", &["selector success", "success success"]),
    at(1, "selector { running @ }", "“running” is running", &["selector running", "running running"]),
    at(1, "sequence { failure @ }", "“failure” failed", &["sequence failure", "failure failure"]),
    at(1, "sequence { running @ }", "“running” is running", &["sequence running", "running running"]),
    at(
        1,
        "sequence { condition a @ }",
        "“condition a” did not hold (a was false)",
        &["sequence failure", "condition a failure", "= a false"],
    ),
    at(
        1,
        "reactive selector { while n == 3 { running } @ }",
        "“while n == 3” is running, because “running” is running",
        &["reactive selector running", "while n == 3 [held] running", "= n 3", "running running"],
    ),
    at(
        1,
        "reactive sequence { condition n > 4 @ }",
        "“condition n > 4” did not hold (n was 3)",
        &["reactive sequence failure", "condition n > 4 failure", "= n 3"],
    ),
    at(
        1,
        "utility { 2.0: running\n 1.0: @ }",
        "“utility” chose “running”, whose score was higher",
        &["utility running", "running running"],
    ),
    at(
        1,
        "match n { 3: running\n 4: @ }",
        "“match n” chose “running” (n was 3)",
        &["match n [held] running", "= n 3", "running running"],
    ),
    at(
        1,
        "match n { 4: @ }",
        "“match n” had no case for its value (n was 3)",
        &["match n [did not hold] failure", "= n 3", "no case has this value failure"],
    ),
    at(
        1,
        "chance 0.0 { @ }",
        "“chance 0.0” drew that its child does not run",
        &["chance 0.0 [did not hold] failure"],
    ),
    at(1, "delay 5 s { @ }", "“delay 5 s” is still waiting", &["delay 5 s running"]),
    at(1, "sequence { wait 5 s @ }", "“wait 5 s” is running", &["sequence running", "wait 5 s running"]),
    at(
        1,
        "sequence { selector { condition a condition n > 7 } @ }",
        "“selector” failed, because “condition n > 7” did not hold (n was 3)",
        &[
            "sequence failure",
            "selector failure",
            "condition a failure",
            "= a false",
            "condition n > 7 failure",
            "= n 3",
        ],
    ),
    at(
        1,
        "sequence { condition a sequence { selector { @ } } }",
        "“condition a” did not hold (a was false)",
        &["sequence failure", "condition a failure", "= a false"],
    ),
    at(
        1,
        "selector { invert { condition a } @ }",
        "“invert” succeeded, because “condition a” did not hold (a was false)",
        &["selector success", "invert success", "condition a failure", "= a false"],
    ),
    at(
        3,
        "reactive selector { cooldown 10 s { sequence { @ failure } } running }",
        "“cooldown 10 s” has not waited long enough",
        &["reactive selector running", "cooldown 10 s failure", "running running"],
    ),
    at(
        3,
        "reactive selector { once { sequence { @ failure } } running }",
        "“once” has ended before",
        &["reactive selector running", "once failure", "running running"],
    ),
    at(
        3,
        "sequence { @ running }",
        "“sequence” continues with “running”, where it was in the tick before",
        &["sequence running", "running running"],
    ),
    at(3, "sequence { @ success }", "this branch of “parallel (succeed all, fail all)” has ended", &[]),
];

/// Returns the name of the variable that the leaf of a situation sets.
fn leaf(number: usize) -> String {
    format!("t{number:02}")
}

/// Recording of an agent with all situations.
struct Recording {
    viewer: Viewer,
    /// Lines of the branches in the source.
    lines: Vec<Range<u32>>,
    /// Trace of the agent: the tick, the line in the source, and what happened there.
    trace: Vec<(u32, u32, String)>,
}

impl Recording {
    /// Records three ticks, traces them, and shows the recording.
    fn new() -> Self {
        let folder = viewer::folder("why");
        let mut text = "var a: bool\nvar n: int = 3\n".to_owned();
        for number in 0..SITUATIONS.len() {
            let _ = writeln!(text, "var {}: int", leaf(number));
        }
        text.push_str("tree why\n{\n\tparallel (succeed all, fail all)\n\t{\n");
        let mut lines = Vec::new();
        for (number, situation) in SITUATIONS.iter().enumerate() {
            let first = text.lines().count() as u32 + 1;
            let _ =
                writeln!(text, "\t\t{}", situation.branch.replace('@', &format!("set {} = 1", leaf(number))));
            lines.push(first..text.lines().count() as u32 + 1);
        }
        text.push_str("\t}\n}\n");
        fs::write(folder.join("why.pleach"), text).expect("a file");
        let command = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
            let done = command.args(args).current_dir(&folder).output().expect("the command");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            String::from_utf8(done.stdout).expect("a text")
        };
        command(&["run", "why.pleach", "--agents", "2", "--ticks", "3", "--record", "why.plr"]);
        let trace = traced(&command(&["replay", "why.plr", "--agent", "0", "--ticks", "3"]));
        Self { viewer: Viewer::of(folder, &["why.plr"]), lines, trace }
    }

    /// Returns what the trace has of a situation in its tick.
    fn trace_of(&self, number: usize) -> Vec<&str> {
        let (tick, lines) = (SITUATIONS[number].tick, &self.lines[number]);
        let here = self.trace.iter().filter(|(at, line, _)| *at == tick && lines.contains(line));
        here.map(|(.., what)| what.as_str()).collect()
    }
}

/// Reads the trace of an agent. A value has the line of the node that read it.
fn traced(text: &str) -> Vec<(u32, u32, String)> {
    let (mut rows, mut tick, mut line) = (Vec::new(), 0, 0);
    for row in text.lines() {
        let mut words: Vec<&str> = row.split_whitespace().collect();
        if let Some(number) = row.strip_prefix("tick ").and_then(|rest| rest.split(',').next()) {
            tick = number.parse().expect("a tick");
        } else if let Some(number) = words.last().and_then(|place| place.strip_prefix("why.pleach:")) {
            line = number.parse().expect("a line");
            words.pop();
            rows.push((tick, line, words.join(" ")));
        } else if row.starts_with("    ") {
            rows.push((tick, line, words.join(" ")));
        }
    }
    rows
}

fn go_to_tick(browser: &Browser, tick: u32) {
    browser.run(&format!(
        "const scrub = document.querySelector('#scrub'); scrub.value = {tick};
         scrub.dispatchEvent(new Event('input')); scrub.dispatchEvent(new Event('change'));"
    ));
    browser.reads("#moment", &format!("tick {tick} "));
    browser.until("document.querySelector('.node.running')");
}

pub(crate) fn why_a_node_did_not_run_is_told_in_a_sentence() {
    in_browser(|browser| {
        let recording = Recording::new();
        browser.open(&recording.viewer.address, SCREEN, "light");
        browser.until("document.querySelectorAll('.node').length > 1");
        browser.until("document.querySelectorAll('.agent').length > 1");
        browser.until("Number(document.querySelector('#scrub').max) === 3");
        for tick in [1, 3] {
            go_to_tick(browser, tick);
            browser.press("t");
            browser.press(keys::HOME);
            // The situations are in the order of the cards.
            for (number, situation) in SITUATIONS.iter().enumerate().filter(|(_, it)| it.tick == tick) {
                let Situation { branch, reason, trace, .. } = situation;
                assert_eq!(recording.trace_of(number), *trace, "{branch}");
                browser.press("t");
                browser.press_until(
                    keys::DOWN,
                    &format!("document.activeElement.ariaLabel.startsWith('set {} ')", leaf(number)),
                );
                browser.press("y");
                browser.until("!document.querySelector('#why').hidden");
                let told = browser.text("#why");
                assert!(told.contains(&format!("It did not run, because {reason}")), "{branch}: {told}");
            }
            keep(browser, &format!("why-{tick}.png"));
        }
        // The cause is one press away.
        browser.press("t");
        browser.press(keys::HOME);
        browser.press_until(keys::DOWN, "document.activeElement.ariaLabel.startsWith('set t18 ')");
        browser.click("[data-does=why]");
        browser.click("#why button");
        browser.until("document.activeElement.ariaLabel.startsWith('cooldown')");
        no_complaints(browser);
    });
}
