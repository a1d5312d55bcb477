//! The first twenty minutes of a designer who knows no grammar: a new project, whose guard is to
//! count its shots and reload. Names are declared where they are missed.

use crate::editing::{open, selects, state};
use crate::gestures::{TEXT, text_has};
use crate::screens::keep;
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{card, in_browser, no_complaints};
use std::fs;
use std::path::Path;
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
        pleach(&folder, &["new", "game"]);
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

/// Runs the command in a folder.
fn pleach(folder: &Path, args: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_pleach")).args(args).current_dir(folder).output();
    assert!(done.expect("the command").status.success(), "{args:?}");
}

/// Only the image of a game is there. Each of its leaves compiles with the arguments that the page
/// writes.
pub(crate) fn leaves_of_a_compiled_game_are_taken() {
    in_browser(|browser| {
        let folder = viewer::folder("compiled");
        let game = "action say(line: text, loud: bool)\naction findEnemy(range: float, out who: entity)\naction rest()\n\
            var e: entity\nvar b: bool\n\
            tree game { sequence { action say(\"hi\", b) action findEnemy(2.0, e) action rest } }\n";
        fs::write(folder.join("game.pleach"), game).expect("a file");
        fs::write(folder.join("more.manifest"), "action look(at: vec3, what: text?, far: number?)\n")
            .expect("a file");
        fs::write(folder.join("new.pleach"), "").expect("a file");
        pleach(&folder, &["build", "game.pleach", "-o", "game.plc"]);
        let manifests = ["--manifest", "game.plc", "--manifest", "more.manifest"];
        let args = [&["new.pleach", "--edit", "--agents", "20"][..], &manifests].concat();
        let viewer = Viewer::of(folder, &args);
        open(browser, &viewer);
        browser.click(&card("running"));
        gesture(browser, "Kind", "rest");
        selects(browser, "action rest");
        gesture(browser, "Kind", "say");
        text_has(browser, "action say(\"\", true)");
        browser.click(&card("action say"));
        gesture(browser, "Kind", "look");
        text_has(browser, "action look(vec3(0.0, 0.0, 0.0))");
        browser.click(&card("action look"));
        // A leaf that gives a value needs a variable.
        gesture(browser, "Kind", "findEnemy");
        browser.reads("#palette-unknown", "Declare value2");
        browser.click("#palette-unknown");
        browser.until("document.querySelector('#palette-text').value === 'var value2: entity'");
        browser.press(keys::ENTER);
        browser.until("document.querySelector('#palette-title').innerText !== 'Declarations'");
        browser.press(keys::ENTER);
        text_has(browser, "action findEnemy(0.0, value2)");
        // Now there is one.
        browser.click(&card("action findEnemy"));
        gesture(browser, "Around", "sequence");
        text_has(browser, "sequence");
        browser.click(&card("action findEnemy"));
        gesture(browser, "After", "findEnemy");
        browser.until(&format!("{TEXT}.split('action findEnemy(0.0, value2)').length === 3"));
        no_complaints(browser);
    });
}
