//! "Why not?": recorded situations, and the sentence about each of them.

use crate::screens::keep;
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{SCREEN, in_browser, no_complaints};
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// Situations: the tick, a branch with the leaf `@`, and the reason why the leaf did not run.
const SITUATIONS: &[(u32, &str, &str)] = &[
    (1, "while a { @ }", "“while a” did not hold (a was false)"),
    (1, "if n > 5 { @ }", "“if n > 5” did not hold (n was 3)"),
    (1, "selector { success @ }", "“success” succeeded"),
    (1, "selector { running @ }", "“running” is running"),
    (1, "sequence { failure @ }", "“failure” failed"),
    (1, "sequence { running @ }", "“running” is running"),
    (1, "sequence { condition a @ }", "“condition a” did not hold (a was false)"),
    (
        1,
        "reactive selector { while n == 3 { running } @ }",
        "“while n == 3” is running, because “running” is running",
    ),
    (1, "reactive sequence { condition n > 4 @ }", "“condition n > 4” did not hold (n was 3)"),
    (1, "utility { 2.0: running\n 1.0: @ }", "“utility” chose “running”, whose score was higher"),
    (1, "match n { 3: running\n 4: @ }", "“match n” chose “running” (n was 3)"),
    (1, "match n { 4: @ }", "“match n” had no case for its value (n was 3)"),
    (1, "chance 0.0 { @ }", "“chance 0.0” drew that its child does not run"),
    (1, "delay 5 s { @ }", "“delay 5 s” is still waiting"),
    (1, "sequence { wait 5 s @ }", "“wait 5 s” is running"),
    (
        1,
        "sequence { selector { condition a condition n > 7 } @ }",
        "“selector” failed, because “condition n > 7” did not hold (n was 3)",
    ),
    (1, "sequence { condition a sequence { selector { @ } } }", "“condition a” did not hold (a was false)"),
    (
        1,
        "selector { invert { condition a } @ }",
        "“invert” succeeded, because “condition a” did not hold (a was false)",
    ),
    (
        3,
        "reactive selector { cooldown 10 s { sequence { @ failure } } running }",
        "“cooldown 10 s” has not waited long enough",
    ),
    (3, "reactive selector { once { sequence { @ failure } } running }", "“once” has ended before"),
    (3, "sequence { @ running }", "“sequence” continues with “running”, where it was in the tick before"),
    (3, "sequence { @ success }", "this branch of “parallel (succeed all, fail all)” has ended"),
];

/// Returns the name of the variable that the leaf of a situation sets.
fn leaf(number: usize) -> String {
    format!("t{number:02}")
}

/// Records three ticks of an agent with all situations, and shows the recording.
fn recorded() -> Viewer {
    let folder = viewer::folder("why");
    let (mut text, mut branches) = ("var a: bool\nvar n: int = 3\n".to_owned(), String::new());
    for (number, (_, branch, _)) in SITUATIONS.iter().enumerate() {
        let name = leaf(number);
        let _ = writeln!(text, "var {name}: int");
        let _ = writeln!(branches, "\t\t{}", branch.replace('@', &format!("set {name} = 1")));
    }
    let _ = write!(text, "tree why\n{{\n\tparallel (succeed all, fail all)\n\t{{\n{branches}\t}}\n}}\n");
    fs::write(folder.join("why.pleach"), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(["run", "why.pleach", "--agents", "2", "--ticks", "3", "--record", "why.plr"]);
    let done = command.current_dir(&folder).output().expect("the command");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Viewer::of(folder, &["why.plr"])
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
        let viewer = recorded();
        browser.open(&viewer.address, SCREEN, "light");
        browser.until("document.querySelectorAll('.node').length > 1");
        browser.until("document.querySelectorAll('.agent').length > 1");
        browser.until("Number(document.querySelector('#scrub').max) === 3");
        for tick in [1, 3] {
            go_to_tick(browser, tick);
            for (number, (_, branch, reason)) in SITUATIONS.iter().enumerate().filter(|(_, it)| it.0 == tick)
            {
                browser.press("t");
                browser.press(keys::HOME);
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
