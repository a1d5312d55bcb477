//! Pictures of the page for people, and properties of its layout that need no eyes.

use crate::viewer::{self, Viewer};
use crate::webdriver::Browser;
use crate::{SCREEN, in_browser, look_at, no_complaints, note, open};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Width and height of a telephone's screen.
const NARROW: (u32, u32) = (420, 860);

/// Writes a picture of the page to a file, and prints its path.
pub(crate) fn keep(browser: &Browser, name: &str) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, browser.picture()).expect("a picture");
    note(&format!("picture: {}", path.display()));
}

pub(crate) fn light_and_dark_are_as_the_system_has_it() {
    in_browser(|browser| {
        let viewer = Viewer::start("screens", &["guard.pleach", "--agents", "10000", "--rate", "20"]);
        open(browser, &viewer);
        let mut grounds = Vec::new();
        for colors in ["light", "dark"] {
            browser.open(&viewer.address, SCREEN, colors);
            browser.until("document.querySelectorAll('.node').length > 1");
            look_at(browser, 12);
            browser.until("document.querySelectorAll('.node.running').length > 2");
            keep(browser, &format!("view-{colors}.png"));
            grounds.push(browser.get("getComputedStyle(document.body).backgroundColor"));
            browser.click("#show-crowd");
            browser.until("document.querySelector('.node.heated:not(.never)')");
            keep(browser, &format!("view-{colors}-population.png"));
            browser.click("#show-agent");
        }
        assert_ne!(grounds[0], grounds[1]);
        // The button goes to the other one.
        browser.click("#theme");
        assert_eq!(browser.get("getComputedStyle(document.body).backgroundColor"), grounds[0]);
        browser.click("#theme");
        // Narrow: one part at a time, and nothing beside the page.
        browser.open(&viewer.address, NARROW, "dark");
        browser.until("document.querySelectorAll('.node').length > 1");
        browser.click("[data-view=agents]");
        browser.until("document.querySelectorAll('.agent').length > 1");
        assert_eq!(browser.get("document.querySelectorAll('main > section:not([hidden])').length"), 4);
        let seen =
            "[...document.querySelectorAll('main > section')].filter((it) => it.offsetWidth > 0).length";
        assert_eq!(browser.get(seen), 1);
        assert_eq!(browser.get("document.documentElement.scrollWidth <= innerWidth"), true);
        keep(browser, "view-narrow.png");
        no_complaints(browser);
    });
}

pub(crate) fn a_recorded_run_is_a_page_of_its_own() {
    in_browser(|browser| {
        let folder = viewer::folder("export");
        let pleach = |args: &[&str]| {
            let done = Command::new(env!("CARGO_BIN_EXE_pleach")).args(args).current_dir(&folder).output();
            let done = done.expect("the command");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        pleach(&["run", "guard.pleach", "--agents", "40", "--ticks", "60", "--record", "guard.plr"]);
        pleach(&["view", "guard.plr", "--export", "guard.html"]);
        let address = format!("file://{}", folder.join("guard.html").display());
        browser.open(&address, SCREEN, "light");
        browser.reads("#connection", "a recorded run");
        browser.until("document.querySelectorAll('.agent').length > 1");
        browser.until("document.querySelector('.node:not(.idle)')");
        browser.until("document.querySelector('#moment').innerText.startsWith('tick 60 ')");
        browser.click("#back");
        browser.reads("#moment", "tick 59 ");
        browser.run(
        "const scrub = document.querySelector('#scrub'); scrub.value = 1; scrub.dispatchEvent(new Event('input'));",
    );
        browser.reads("#moment", "tick 1 ");
        browser.click("#play");
        browser.until("document.querySelector('#moment').innerText.startsWith('tick 60 ')");
        no_complaints(browser);
    });
}
