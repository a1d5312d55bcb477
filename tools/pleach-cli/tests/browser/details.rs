//! Details of the page: the beginning of the past, the focus after a press by mouse, texts that
//! are longer than their card.

use crate::viewer::{self, Viewer};
use crate::webdriver::keys;
use crate::{in_browser, look_at, no_complaints, open};
use std::fs;

pub(crate) fn after_a_reload_the_past_begins_anew() {
    in_browser(|browser| {
        let viewer = Viewer::start("begun", &["sentry.pleach", "--agents", "50", "--rate", "20"]);
        open(browser, &viewer);
        browser.until("Number(document.querySelector('#scrub').max) > 20");
        assert_eq!(browser.get("document.querySelector('#begun').hidden"), true);
        viewer.edit("sentry.pleach", "ammo > CLIP", "ammo >= BURST");
        browser.reads("#banner", "The past begins anew at tick ");
        browser.until("!document.querySelector('#begun').hidden");
        browser.reads("#begun", "the past begins here, with the reload");
        let told = "Number(document.querySelector('#banner').innerText.match(/at tick ([0-9,]+)/)[1].replaceAll(',', ''))";
        browser.until(&format!("Number(document.querySelector('#scrub').min) === {told}"));
        no_complaints(browser);
    });
}

pub(crate) fn a_press_by_mouse_gives_the_focus_back() {
    in_browser(|browser| {
        let viewer = Viewer::start("focus", &["sentry.pleach", "--agents", "50", "--rate", "20"]);
        open(browser, &viewer);
        look_at(browser, 3);
        let ring = "[aria-label='Stop when bursts changes']";
        let pressed = |whether: &str| {
            browser.until(&format!("document.querySelector(\"{ring}\").ariaPressed === '{whether}'"));
        };
        browser.click(ring);
        pressed("true");
        // Space stops the time and lets it go on. The ring stays as it is.
        browser.reads("#connection", "live");
        browser.until("document.querySelector('#live').ariaPressed === 'true'");
        browser.press(" ");
        browser.reads("#connection", "paused");
        browser.until("document.querySelector('#live').ariaPressed === 'false'");
        browser.press(" ");
        browser.reads("#connection", "live");
        pressed("true");
        // A press by key keeps the focus, so that the next one takes the ring back.
        browser.run(&format!("document.querySelector(\"{ring}\").focus();"));
        browser.press(keys::ENTER);
        pressed("false");
        assert_eq!(browser.get(&format!("document.activeElement.matches(\"{ring}\")")), true);
        no_complaints(browser);
    });
}

pub(crate) fn long_texts_end_in_an_ellipsis() {
    in_browser(|browser| {
        let folder = viewer::folder("cut");
        let (query, tree) = (
            "is_there_anybody_in_the_sight_of_this_guard",
            "look_around_for_a_while_and_then_go_on_to_the_next_post",
        );
        let text = format!(
            "query {query}: bool\n\ntree cut {{ reactive selector {{ if {query} {{ success }} use {tree} }} }}\n\n\
             tree {tree} {{ sequence {{ success running }} }}\n"
        );
        fs::write(folder.join("cut.pleach"), text).expect("a file");
        let viewer = Viewer::of(folder, &["cut.pleach", "--agents", "20", "--rate", "20"]);
        open(browser, &viewer);
        look_at(browser, 5);
        let card = |words: &str| format!("document.querySelector('.node[aria-label^=\"{words}\"]')");
        // Each piece stays in its card, and text without room is cut with a mark.
        let pieces = "[...document.querySelectorAll('.node :is(.use, .label, .under > *)')].filter((it) => it.offsetWidth > 0)";
        let outside = "it.getBoundingClientRect().right > it.closest('.node').getBoundingClientRect().right";
        let cut = "it.scrollWidth > it.clientWidth";
        browser.until(&format!("{pieces}.some((it) => {cut})"));
        let wrong = format!("{outside} || {cut} && getComputedStyle(it).textOverflow !== 'ellipsis'");
        assert_eq!(
            browser.get(&format!("{pieces}.filter((it) => {wrong}).map((it) => it.innerText)")),
            serde_json::json!([])
        );
        // The tooltip has all of it.
        browser.until(&format!("/{query} [01]/.test({}.title)", card("if")));
        browser.until(&format!("{}.title.includes('use {tree}')", card("sequence")));
        browser.click("#show-crowd");
        browser.until(&format!("/running now: [0-9,]+$/.test({}.title)", card("if")));
        no_complaints(browser);
    });
}
