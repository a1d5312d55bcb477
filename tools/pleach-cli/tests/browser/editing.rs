//! Trees edited by hand: from an empty file to the guard of the README, by keys alone and by mouse
//! alone.

use crate::screens::keep;
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{SCREEN, in_browser, no_complaints};
use std::fs;

/// The guard of the README, in the usual layout.
pub(crate) const GUARD: &str = include_str!("../guard.pleach");

const DECLARATIONS: [&str; 6] = [
    "action shoot()",
    "action walk(post: int)",
    "var health: float = 100",
    "var ammo: int8 = 6",
    "var visible: bool",
    "on hit { set health -= 10.0 }",
];

/// Shows a file that pages can edit.
pub(crate) fn edited(name: &str, text: &str) -> Viewer {
    let folder = viewer::folder(name);
    fs::write(folder.join("guard.pleach"), text).expect("a file");
    Viewer::of(folder, &["guard.pleach", "--edit", "--agents", "50", "--rate", "20"])
}

/// Opens the page of a view that can edit.
pub(crate) fn open(browser: &Browser, viewer: &Viewer) {
    browser.open(&viewer.address, SCREEN, "light");
    browser.until("document.querySelectorAll('.node').length > 1");
    browser.until("!document.querySelector('#edit-bar').hidden");
    browser.until("document.querySelectorAll('.agent').length > 1");
}

/// Waits until the files have a state.
#[track_caller]
pub(crate) fn state(browser: &Browser, words: &str) {
    browser.until(&format!("document.querySelector('#edit-state').innerText === {words:?}"));
}

/// Waits until the selected card begins with these words, and has the focus.
#[track_caller]
pub(crate) fn selects(browser: &Browser, words: &str) {
    browser.until(&format!(
        "document.querySelector('.node[aria-selected=true]')?.ariaLabel.startsWith({words:?})"
    ));
    browser.until("!document.querySelector('dialog[open]') && document.activeElement.matches('.node')");
}

/// Writes a text in the palette that a key opens, and takes it.
#[track_caller]
pub(crate) fn by_key(browser: &Browser, key: &str, text: &str) {
    browser.press(key);
    browser.until("document.activeElement.id === 'palette-text'");
    browser.press(text);
    browser.press(keys::ENTER);
}

pub(crate) fn the_guard_is_built_by_keyboard() {
    in_browser(|browser| {
        let viewer = edited("by-keys", "");
        open(browser, &viewer);
        state(browser, "unsaved changes");
        for text in DECLARATIONS {
            by_key(browser, "n", text);
            browser.until("!document.querySelector('dialog[open]')");
        }
        browser.press("t");
        browser.press(keys::END);
        selects(browser, "running");
        by_key(browser, "k", "reactive selector");
        selects(browser, "reactive selector");
        by_key(browser, "i", "while visible && ammo > 0");
        selects(browser, "while");
        keep(browser, "edit-1-while.png");
        by_key(browser, "i", "seq");
        selects(browser, "sequence");
        // A few letters are enough for an action.
        by_key(browser, "i", "sho");
        selects(browser, "action shoot");
        by_key(browser, "w", "cooldown 500 ms");
        selects(browser, "cooldown");
        by_key(browser, "a", "set ammo -= 1");
        selects(browser, "set ammo");
        browser.press_until(keys::UP, "document.activeElement.ariaLabel.startsWith('while')");
        // The new call has an argument, whose field gets the focus.
        browser.press("a");
        browser.until("document.activeElement.id === 'palette-text'");
        browser.press("wal");
        keep(browser, "edit-2-palette.png");
        browser.press(keys::ENTER);
        browser.until("document.activeElement.matches('[data-field=argument-0]')");
        browser.press("3");
        keep(browser, "edit-3-argument.png");
        browser.press(keys::ENTER);
        selects(browser, "action walk(3)");
        browser.press_with(keys::CONTROL, "s");
        state(browser, "saved");
        assert_eq!(viewer.text("guard.pleach"), GUARD);
        keep(browser, "edit-4-guard.png");
        // Back and forth.
        browser.press_with(keys::CONTROL, "z");
        state(browser, "unsaved changes");
        browser.press_with(keys::CONTROL, "y");
        state(browser, "saved");
        no_complaints(browser);
    });
}

/// Presses a button of the selected card, and writes in the palette.
fn by_mouse(browser: &Browser, button: &str, text: &str) {
    browser.click(&format!("[data-does={button}]"));
    browser.until("document.querySelector('#palette').open");
    browser.click("#palette-text");
    browser.run("document.querySelector('#palette-text').select();");
    browser.press(text);
    browser.click("#palette-do");
    browser.until("!document.querySelector('dialog[open]')");
}

pub(crate) fn the_guard_is_built_by_mouse() {
    in_browser(|browser| {
        let viewer = edited("by-mouse", "");
        open(browser, &viewer);
        for text in DECLARATIONS {
            browser.click("#declare");
            browser.press(text);
            browser.click("#palette-do");
            browser.until("!document.querySelector('dialog[open]')");
        }
        let card = |words: &str| format!(".node[aria-label^=\"{words}\"]");
        browser.click(&card("running"));
        // Chosen from the list.
        browser.click("[data-does=edit-Kind]");
        browser.until("document.querySelector('#palette').open");
        browser.run(
            "const item = [...document.querySelectorAll('#palette-list li')].find((it) => it.innerText.startsWith('reactive selector'));
             item.id = 'wanted'; item.scrollIntoView();",
        );
        browser.click("#wanted");
        selects(browser, "reactive selector");
        by_mouse(browser, "edit-Inside", "while visible && ammo > 0");
        selects(browser, "while");
        by_mouse(browser, "edit-Inside", "sequence");
        selects(browser, "sequence");
        by_mouse(browser, "edit-Inside", "shoot");
        selects(browser, "action shoot");
        by_mouse(browser, "edit-Around", "cooldown 500 ms");
        selects(browser, "cooldown");
        by_mouse(browser, "edit-After", "set ammo -= 1");
        selects(browser, "set ammo");
        browser.click(&card("while"));
        by_mouse(browser, "edit-After", "walk(3)");
        selects(browser, "action walk(3)");
        browser.click("#save");
        state(browser, "saved");
        assert_eq!(viewer.text("guard.pleach"), GUARD);
        no_complaints(browser);
    });
}
