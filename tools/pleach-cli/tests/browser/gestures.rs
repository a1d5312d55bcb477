//! Gestures at a running crowd, drags, errors in the text, and texts that change elsewhere.

use crate::editing::{GUARD, by_key, edited, open, selects, state};
use crate::screens::keep;
use crate::viewer::Viewer;
use crate::webdriver::{Browser, keys};
use crate::{in_browser, no_complaints};

/// The text in the editor, as a script.
pub(crate) const TEXT: &str =
    "[...document.querySelectorAll('#editor .cm-line')].map((it) => it.textContent).join('\\n')";

/// Waits until the text in the editor has a part.
#[track_caller]
pub(crate) fn text_has(browser: &Browser, part: &str) {
    browser.until(&format!("{TEXT}.includes({part:?})"));
}

/// Selects a part of a line of the editor, and types another text over it.
pub(crate) fn write(browser: &Browser, from: &str, to: &str) {
    let select = format!(
        "const line = [...document.querySelectorAll('#editor .cm-line')].find((it) => it.textContent.includes({from:?}));
         const point = (wanted) => {{
             let left = wanted;
             const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
             while (walk.nextNode()) {{
                 if (left <= walk.currentNode.length) return [walk.currentNode, left];
                 left -= walk.currentNode.length;
             }}
         }};
         document.querySelector('#draft').focus();
         const start = line.textContent.indexOf({from:?});
         getSelection().setBaseAndExtent(...point(start), ...point(start + {from:?}.length));"
    );
    browser.run_until(&select, &format!("getSelection().toString() === {from:?}"));
    browser.press(to);
    text_has(browser, to);
}

/// Selects a card by keys.
pub(crate) fn go_to(browser: &Browser, words: &str) {
    browser.press("t");
    browser.press(keys::HOME);
    browser.press_until(keys::DOWN, &format!("document.activeElement.ariaLabel.startsWith({words:?})"));
}

pub(crate) fn gestures_at_a_running_crowd() {
    in_browser(|browser| {
        let viewer = edited("gestures", GUARD);
        open(browser, &viewer);
        // Each edit is reloaded while the crowd is ticked.
        go_to(browser, "set ammo");
        by_key(browser, "w", "invert");
        selects(browser, "invert");
        browser.reads("#banner", "agents kept");
        browser.press("u");
        selects(browser, "set ammo");
        browser.press_with(keys::ALT, keys::UP);
        text_has(browser, "set ammo -= 1\n\t\t\t\tcooldown");
        selects(browser, "set ammo");
        browser.press_with(keys::ALT, keys::DOWN);
        text_has(browser, "action shoot }\n\t\t\t\tset ammo");
        browser.press("d");
        text_has(browser, "set ammo -= 1\n\t\t\t\tset ammo -= 1");
        browser.press(keys::DELETE);
        browser.until("document.querySelectorAll('.node[aria-label^=\"set ammo\"]').length === 1");
        go_to(browser, "sequence");
        by_key(browser, "k", "parallel (succeed all, fail any)");
        selects(browser, "parallel");
        by_key(browser, "x", "attack");
        text_has(browser, "tree attack");
        browser.press("t");
        browser.until("document.querySelector('.node[aria-label^=\"parallel\"]')");
        // A refusal is told at the card, in words.
        go_to(browser, "action walk");
        by_key(browser, "k", "while nonsense");
        browser.reads("#palette-error", "nonsense");
        keep(browser, "edit-5-refused.png");
        browser.press(keys::ESCAPE);
        browser.until("!document.querySelector('dialog[open]')");
        browser.press(keys::F2);
        browser.until("document.querySelector('#palette-text').value === 'walk'");
        browser.press("patrol");
        browser.press(keys::ENTER);
        text_has(browser, "action patrol(post: int)");
        selects(browser, "action patrol(3)");
        keep(browser, "edit-6-gestures.png");
        let tick = browser.get("Number(document.querySelector('#scrub').max)").as_u64().expect("a tick");
        browser.until(&format!("Number(document.querySelector('#scrub').max) > {tick} + 5"));
        assert_eq!(viewer.text("guard.pleach"), GUARD);
        no_complaints(browser);
    });
}

/// Returns the middle of a card, moved down by a part of its height.
fn point(browser: &Browser, words: &str, part: f64) -> (f64, f64) {
    let card = format!("document.querySelector('.node[aria-label^=\"{words}\"]').getBoundingClientRect()");
    let number = |of: &str| browser.get(&format!("{card}.{of}")).as_f64().expect("a number");
    (number("left") + number("width") / 2.0, number("top") + number("height") * part)
}

pub(crate) fn declarations_and_other_trees_are_edited() {
    in_browser(|browser| {
        let viewer = edited("declared", GUARD);
        open(browser, &viewer);
        // A declaration is found by its name, changed, and removed.
        by_key(browser, "n", "var ammo");
        browser.until("document.querySelector('#palette-text').value === 'var ammo: int8 = 6'");
        browser.press(keys::END);
        browser.press("0");
        browser.press(keys::ENTER);
        text_has(browser, "var ammo: int8 = 60");
        by_key(browser, "n", "query spare: bool");
        text_has(browser, "query spare: bool");
        by_key(browser, "n", "spare");
        browser.click("#palette-remove");
        browser.until("!document.querySelector('dialog[open]')");
        browser.until(&format!("!{TEXT}.includes('spare')"));
        // One that is used stays, and the reason is told.
        by_key(browser, "n", "action shoot");
        browser.click("#palette-remove");
        browser.reads("#palette-error", "shoot");
        browser.press(keys::ESCAPE);
        browser.until("!document.querySelector('dialog[open]')");
        // A tree that no agent runs is selected and edited. Names are completed.
        by_key(browser, "n", "tree spare { running }");
        browser.until("document.querySelector('#trees-pick').options.length === 2");
        browser.run(
            "const trees = document.querySelector('#trees-pick'); trees.value = 'spare';
             trees.dispatchEvent(new Event('change'));",
        );
        go_to(browser, "running");
        browser.press("k");
        browser.until("document.activeElement.id === 'palette-text'");
        browser.press("set ammo = am");
        browser.press(keys::TAB);
        browser.until("document.querySelector('#palette-text').value === 'set ammo = ammo'");
        browser.press(keys::ENTER);
        selects(browser, "set ammo = ammo");
        text_has(browser, "tree spare { set ammo = ammo }");
        no_complaints(browser);
    });
}

pub(crate) fn a_card_is_dragged() {
    in_browser(|browser| {
        let viewer = edited("dragged", GUARD);
        open(browser, &viewer);
        let from = point(browser, "action walk", 0.5);
        browser.drag(from, point(browser, "cooldown", 0.1));
        text_has(browser, "action walk(3)\n\t\t\t\tcooldown");
        // A card cannot go into itself.
        browser.drag(point(browser, "while", 0.5), point(browser, "cooldown", 0.1));
        browser.reads("#refusal", "cannot go there");
        keep(browser, "edit-7-dragged.png");
        no_complaints(browser);
    });
}

pub(crate) fn errors_in_the_text_are_told_at_their_place() {
    in_browser(|browser| {
        let viewer = edited("text", GUARD);
        open(browser, &viewer);
        go_to(browser, "while");
        browser.press("e");
        browser.until("document.activeElement.id === 'draft'");
        // The cursor is in the line of the card.
        let line = "[...document.querySelectorAll('#editor .cm-line')].indexOf(document.querySelector('.cm-activeLine')) + 1";
        browser.until(&format!("{line} === 14"));
        write(browser, "ammo > 0", "ammo > nothing");
        browser.reads("#text-state", "not applied");
        state(browser, "draft not applied");
        // The language server finds the error while it is being written.
        browser.until("document.querySelector('#editor .cm-lintRange-error')");
        browser.press_with(keys::CONTROL, keys::ENTER);
        browser.reads("#text-errors", "nothing");
        browser.reads("#text-errors", "line 14");
        keep(browser, "edit-8-error.png");
        write(browser, "ammo > nothing", "ammo > 1");
        browser.press_with(keys::CONTROL, keys::ENTER);
        browser.until("document.querySelector('#text-errors').hidden");
        browser.until("document.querySelector('.node[aria-label^=\"while visible && ammo > 1\"]')");
        // The cursor leads to the card.
        browser.run("document.querySelector('#draft').focus();");
        browser.press_until(
            keys::UP,
            "document.querySelector('.node[aria-selected=true]')?.ariaLabel.startsWith('reactive selector')",
        );
        // A draft is taken back, and comes again.
        write(browser, "ammo > 1", "ammo > 5");
        browser.click("#text-drop");
        browser.until(&format!("!{TEXT}.includes('ammo > 5')"));
        browser.run("document.querySelector('#draft').focus();");
        browser.press_with(keys::CONTROL, "z");
        text_has(browser, "ammo > 5");
        browser.press_with(keys::CONTROL, "s");
        state(browser, "saved");
        assert!(viewer.text("guard.pleach").contains("ammo > 5"));
        no_complaints(browser);
    });
}

pub(crate) fn two_pages_and_the_disk_are_seen() {
    in_browser(|browser| {
        let viewer = edited("two", GUARD);
        open(browser, &viewer);
        let other = Browser::take().expect("it is there");
        open(&other, &viewer);
        write(&other, "= 100", "= 50");
        go_to(browser, "action walk");
        by_key(browser, "w", "invert");
        selects(browser, "invert");
        // The other page gets the edit into its draft.
        other.until("document.querySelector('.node[aria-label^=\"invert\"]')");
        text_has(&other, "invert");
        text_has(&other, "= 50");
        other.reads("#text-state", "not applied");
        other.click("#text-apply");
        text_has(browser, "= 50");
        text_has(browser, "invert");
        other.reads("#text-state", "applied");
        // Both write at one place.
        write(&other, "= 50", "= 40");
        write(browser, "= 50", "= 30");
        browser.click("#text-apply");
        other.reads("#text-changed", "changed meanwhile in the same place");
        keep(&other, "edit-9-two-pages.png");
        other.click("#text-apply");
        other.reads("#text-errors", "changed meanwhile");
        other.click("#text-over");
        text_has(browser, "= 40");
        other.until("document.querySelector('#text-changed').hidden");
        the_disk_changes(browser, &viewer);
        no_complaints(browser);
        no_complaints(&other);
    });
}

/// A dialog that was opened before another page has edited is about the nodes of that time.
pub(crate) fn an_open_dialog_hits_no_other_node() {
    in_browser(|browser| {
        let viewer = edited("stale", GUARD);
        open(browser, &viewer);
        let other = Browser::take().expect("it is there");
        open(&other, &viewer);
        go_to(browser, "action walk");
        browser.press("k");
        browser.until("document.activeElement.id === 'palette-text'");
        // All nodes behind this one get other indices.
        go_to(&other, "set ammo");
        by_key(&other, "w", "invert");
        selects(&other, "invert");
        browser.until("document.querySelector('.node[aria-label^=\"invert\"]')");
        browser.press("running");
        browser.press(keys::ENTER);
        browser.reads("#palette-error", "has changed meanwhile");
        browser.press(keys::ESCAPE);
        browser.until("!document.querySelector('dialog[open]')");
        browser.until("document.querySelector('.node[aria-label^=\"action walk\"]')");
        // So is the list of declarations.
        browser.press("n");
        browser.until("document.activeElement.id === 'palette-text'");
        by_key(&other, "n", "action rest()");
        text_has(browser, "action rest()");
        browser.press("var more: int");
        browser.press(keys::ENTER);
        browser.reads("#palette-error", "has changed meanwhile");
        browser.press(keys::ESCAPE);
        browser.until("!document.querySelector('dialog[open]')");
        // And a card that is held.
        let from = point(browser, "action walk", 0.5);
        let to = point(browser, "cooldown", 0.1);
        browser.hold(from, to);
        go_to(&other, "invert");
        other.press("u");
        other.until("!document.querySelector('.node[aria-label^=\"invert\"]')");
        browser.until("!document.querySelector('.node[aria-label^=\"invert\"]')");
        browser.release();
        browser.reads("#refusal", "has changed meanwhile");
        no_complaints(browser);
        no_complaints(&other);
    });
}

fn the_disk_changes(browser: &Browser, viewer: &Viewer) {
    viewer.edit("guard.pleach", "= 100", "= 70");
    state(browser, "changed on the disk");
    browser.reads("#conflict", "has changed on the disk");
    keep(browser, "edit-10-conflict.png");
    browser.click("[data-does=take]");
    state(browser, "saved");
    text_has(browser, "= 70");
    browser.click("#undo");
    text_has(browser, "= 40");
    browser.click("#save");
    state(browser, "saved");
    assert!(viewer.text("guard.pleach").contains("= 40"));
}

pub(crate) fn edited_trees_are_tried_and_compared() {
    in_browser(|browser| {
        let viewer = edited("tried", GUARD);
        open(browser, &viewer);
        browser.until("document.querySelector('#try').disabled");
        go_to(browser, "action walk");
        by_key(browser, "k", "failure");
        selects(browser, "failure");
        write(browser, "ammo -= 1", "ammo -= 2");
        browser.click("#compare");
        browser.reads("#report-title", "3 differences");
        browser.until("document.querySelectorAll('#report .differences g.changed').length > 0");
        keep(browser, "edit-11-differences.png");
        browser.press(keys::ESCAPE);
        browser.click("#try");
        browser.reads("#report-body", "1 agent of the crowd was copied, and the copies ran 600 ticks (30 s)");
        browser.reads("#report-body", "action walk");
        browser.reads("#report-body", "not there");
        keep(browser, "edit-12-trial.png");
        browser.press(keys::ESCAPE);
        browser.until("!document.querySelector('dialog[open]')");
        browser.reads("#text-state", "not applied");
        no_complaints(browser);
    });
}

pub(crate) fn words_are_completed_and_explained() {
    in_browser(|browser| {
        let viewer = edited("completed", GUARD);
        open(browser, &viewer);
        write(browser, "action walk(3)", "action wa");
        browser.reads(".cm-tooltip-autocomplete", "walk");
        keep(browser, "edit-13-completion.png");
        // The editor takes no completion in the moment in which it appears.
        browser.press_until(keys::ENTER, "!document.querySelector('.cm-tooltip-autocomplete')");
        text_has(browser, "action walk(post)");
        browser.press("7");
        text_has(browser, "action walk(7)");
        browser.press_with(keys::CONTROL, keys::ENTER);
        browser.until("document.querySelector('.node[aria-label^=\"action walk(7)\"]')");
        browser.press_with(keys::CONTROL, " ");
        no_complaints(browser);
    });
}

pub(crate) fn editing_fits_all_screens() {
    in_browser(|browser| {
        let viewer = edited("screens-edit", GUARD);
        for (width, height, colors) in [(800, 700, "dark"), (1440, 900, "dark"), (2560, 1400, "light")] {
            browser.open(&viewer.address, (width, height), colors);
            browser.until("document.querySelectorAll('.node').length > 1");
            browser.until("!document.querySelector('#edit-bar').hidden");
            go_to(browser, "action walk");
            browser.until("document.querySelector('[data-field=argument-0]')");
            keep(browser, &format!("edit-{width}-{colors}.png"));
            assert_eq!(browser.get("document.documentElement.scrollWidth <= innerWidth"), true);
            browser.press("w");
            browser.until("document.activeElement.id === 'palette-text'");
            keep(browser, &format!("edit-{width}-{colors}-palette.png"));
            browser.press(keys::ESCAPE);
            browser.until("!document.querySelector('dialog[open]')");
        }
        no_complaints(browser);
    });
}
