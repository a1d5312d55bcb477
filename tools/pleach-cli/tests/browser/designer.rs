//! The first twenty minutes of a designer who knows no grammar: a new project, whose guard is to
//! count its shots and reload. Names are declared where they are missed.

use crate::editing::{open, selects, state};
use crate::gestures::{TEXT, text_has};
use crate::screens::keep;
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{card, in_browser, no_complaints};
use std::process::Command;

/// Presses the button of a gesture at the selected card, and takes a text in the palette.
fn gesture(browser: &Browser, button: &str, text: &str) {
    browser.click(&format!("[data-does=\"edit-{button}\"]"));
    browser.until("document.activeElement.id === 'palette-text'");
    browser.press(text);
    browser.press(keys::ENTER);
}

/// Makes a gesture with a text, whose node is selected then.
fn makes(browser: &Browser, button: &str, text: &str) {
    gesture(browser, button, text);
    selects(browser, text);
}

/// Declares the name that was refused as unknown, and takes the first text again.
fn declare(browser: &Browser, text: &str) {
    browser.click("#palette-unknown");
    browser.until("document.querySelector('#palette-title').innerText === 'Declarations'");
    browser.press(text);
    browser.press(keys::ENTER);
    browser.until("document.querySelector('#palette-title').innerText !== 'Declarations'");
    browser.press(keys::ENTER);
}

pub(crate) fn a_designer_teaches_a_new_guard_to_reload() {
    in_browser(|browser| {
        let folder = viewer::folder("designer");
        let made =
            Command::new(env!("CARGO_BIN_EXE_pleach")).args(["new", "game"]).current_dir(&folder).output();
        assert!(made.expect("the command").status.success());
        let viewer = Viewer::of(
            folder.join("game/trees"),
            &["guard.pleach", "--edit", "--agents", "300", "--rate", "20"],
        );
        open(browser, &viewer);
        browser.click(&card("while visible"));
        gesture(browser, "After", "action reload");
        declare(browser, "action reload()");
        selects(browser, "action reload");
        gesture(browser, "Around", "while ammo < 1");
        browser.reads("#palette-unknown", "Declare ammo");
        declare(browser, "var ammo: int = 6");
        selects(browser, "while ammo < 1");
        browser.click(&card("action reload"));
        makes(browser, "Around", "sequence");
        browser.click(&card("action reload"));
        makes(browser, "After", "set ammo = 6");
        browser.click(&card("cooldown"));
        makes(browser, "Around", "sequence");
        browser.click(&card("cooldown"));
        makes(browser, "After", "set ammo -= 1");
        browser.click(&card("while visible"));
        makes(browser, "Kind", "while visible && ammo > 0");
        keep(browser, "edit-14-designer.png");
        text_has(
            browser,
            "while visible && ammo > 0 { sequence { cooldown 500 ms { action shoot } set ammo -= 1 } }",
        );
        text_has(browser, "while ammo < 1 { sequence { action reload set ammo = 6 } }");
        // The guards shoot and reload.
        browser.click("#show-crowd");
        browser.run(
            "const measure = document.querySelector('#measure'); measure.value = 'entries';
             measure.dispatchEvent(new Event('change'));",
        );
        browser.until(&format!("document.querySelector('{}:not(.never)')", card("set ammo = 6")));
        // A node is switched off and on.
        browser.click("#show-agent");
        browser.click(&card("action heal"));
        browser.press("o");
        text_has(browser, "while health < 50.0 { if false { action heal } }");
        browser.until("document.querySelectorAll('.node .off:not([hidden])').length === 2");
        keep(browser, "edit-15-disabled.png");
        selects(browser, "if false");
        browser.press("o");
        browser.until(&format!("!{TEXT}.includes('if false')"));
        browser.click("#save");
        state(browser, "saved");
        no_complaints(browser);
    });
}
