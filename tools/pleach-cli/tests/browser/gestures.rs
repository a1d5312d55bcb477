//! Gestures at a running crowd, drags, errors in the text, and texts that change elsewhere.

use crate::editing::{GUARD, by_key, edited, open, selects, state};
use crate::screens::keep;
use crate::viewer::Viewer;
use crate::webdriver::{Browser, keys};
use crate::{in_browser, no_complaints};

/// Waits until the text of the server has a part.
fn text_has(browser: &Browser, part: &str) {
    browser.until(&format!(
        "[...document.querySelectorAll('#source-text .row code')].map((it) => it.innerText).join('\\n').includes({part:?})"
    ));
}

/// Selects a card by keys.
fn go_to(browser: &Browser, words: &str) {
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
        browser.until("!document.querySelector('#source-text').innerText.includes('spare')");
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
        let line = "document.querySelector('#draft').value.slice(0, document.querySelector('#draft').selectionStart).split('\\n').length";
        browser.until(&format!("{line} === 14"));
        let draft = |from: &str, to: &str| {
            browser.run(&format!(
                "const draft = document.querySelector('#draft'); draft.value = draft.value.replace({from:?}, {to:?});
                 draft.dispatchEvent(new Event('input'));"
            ));
        };
        draft("ammo > 0", "ammo > nothing");
        browser.reads("#text-state", "not applied");
        browser.press_with(keys::CONTROL, keys::ENTER);
        browser.reads("#text-errors", "nothing");
        browser.reads("#text-errors", "line 14");
        keep(browser, "edit-8-error.png");
        draft("ammo > nothing", "ammo > 1");
        browser.press_with(keys::CONTROL, keys::ENTER);
        browser.until("document.querySelector('#text-errors').hidden");
        browser.until("document.querySelector('.node[aria-label^=\"while visible && ammo > 1\"]')");
        // The cursor leads to the card.
        browser.press_until(
            keys::UP,
            "document.querySelector('.node[aria-selected=true]')?.ariaLabel.startsWith('sequence')",
        );
        browser.click("#text-close");
        text_has(browser, "ammo > 1");
        no_complaints(browser);
    });
}

pub(crate) fn two_pages_and_the_disk_are_seen() {
    in_browser(|browser| {
        let viewer = edited("two", GUARD);
        open(browser, &viewer);
        let other = Browser::start().expect("it is there");
        open(&other, &viewer);
        other.click("#edit-text");
        other.run(
            "const draft = document.querySelector('#draft'); draft.value = draft.value.replace('= 100', '= 50');
             draft.dispatchEvent(new Event('input'));",
        );
        go_to(browser, "action walk");
        by_key(browser, "w", "invert");
        selects(browser, "invert");
        // The other page sees the edit, and keeps its draft.
        other.until("document.querySelector('.node[aria-label^=\"invert\"]')");
        other.reads("#text-changed", "has changed meanwhile");
        other.click("#text-apply");
        other.reads("#text-errors", "changed meanwhile");
        keep(&other, "edit-9-two-pages.png");
        other.click("#text-over");
        other.until("!document.querySelector('.node[aria-label^=\"invert\"]')");
        browser.until("!document.querySelector('.node[aria-label^=\"invert\"]')");
        text_has(browser, "= 50");
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
        let other = Browser::start().expect("it is there");
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
    text_has(browser, "= 50");
    browser.click("#save");
    state(browser, "saved");
    assert!(viewer.text("guard.pleach").contains("= 50"));
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
