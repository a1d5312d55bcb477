//! The live view as people use it: the page in a browser, clicked and typed at.
//!
//! The browser is Debian's Chromium (packages `chromium` and `chromium-driver`), without a window.
//! If it is missing, the tests are ignored, and each gives the reason. Two tests run at a time,
//! because a test mostly waits for its browser. For a measurement, run its test alone.

mod designer;
mod details;
mod drafts;
mod editing;
mod gestures;
mod large;
mod screens;
mod viewer;
mod walkthrough;
mod webdriver;
mod why;

use libtest_mimic::{Arguments, Trial};
use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use viewer::Viewer;
use webdriver::{Browser, keys};

/// Tests by name.
const TESTS: &[(&str, fn())] = &[
    ("ten_thousand_agents_are_listed_without_stalling", ten_thousand_agents_are_listed_without_stalling),
    ("a_large_tree_and_a_deep_one_are_shown", a_large_tree_and_a_deep_one_are_shown),
    ("keys_alone_are_enough", keys_alone_are_enough),
    ("time_goes_back_and_on", time_goes_back_and_on),
    ("a_paused_crowd_has_its_counts_and_its_past", a_paused_crowd_has_its_counts_and_its_past),
    ("agents_stop_and_are_told_what_to_do", agents_stop_and_are_told_what_to_do),
    ("after_a_reload_the_past_begins_anew", details::after_a_reload_the_past_begins_anew),
    ("a_press_by_mouse_gives_the_focus_back", details::a_press_by_mouse_gives_the_focus_back),
    ("long_texts_end_in_an_ellipsis", details::long_texts_end_in_an_ellipsis),
    ("a_recorded_run_is_a_page_of_its_own", screens::a_recorded_run_is_a_page_of_its_own),
    ("the_guard_is_built_by_keyboard", editing::the_guard_is_built_by_keyboard),
    ("the_guard_is_built_by_mouse", editing::the_guard_is_built_by_mouse),
    ("gestures_at_a_running_crowd", gestures::gestures_at_a_running_crowd),
    ("declarations_and_other_trees_are_edited", gestures::declarations_and_other_trees_are_edited),
    ("a_card_is_dragged", gestures::a_card_is_dragged),
    ("errors_in_the_text_are_told_at_their_place", gestures::errors_in_the_text_are_told_at_their_place),
    ("two_pages_and_the_disk_are_seen", gestures::two_pages_and_the_disk_are_seen),
    ("edited_trees_are_tried_and_compared", gestures::edited_trees_are_tried_and_compared),
    ("words_are_completed_and_explained", gestures::words_are_completed_and_explained),
    ("drafts_of_all_files_are_tried_and_compared", drafts::drafts_of_all_files_are_tried_and_compared),
    ("saving_names_the_drafts_that_are_left", drafts::saving_names_the_drafts_that_are_left),
    ("a_tooltip_ends_with_its_text", drafts::a_tooltip_ends_with_its_text),
    ("findings_of_a_draft_follow_the_other_files", drafts::findings_of_a_draft_follow_the_other_files),
    ("questions_end_with_the_connection", drafts::questions_end_with_the_connection),
    ("marks_are_drawn_only_if_they_change", drafts::marks_are_drawn_only_if_they_change),
    ("disabled_nodes_are_marked", drafts::disabled_nodes_are_marked),
    ("ten_thousand_nodes_scroll_and_fold", large::ten_thousand_nodes_scroll_and_fold),
];

/// Tests that go through many screens, situations or steps. They run with `--include-ignored`.
const LONG: &[(&str, fn())] = &[
    ("light_and_dark_are_as_the_system_has_it", screens::light_and_dark_are_as_the_system_has_it),
    ("why_a_node_did_not_run_is_told_in_a_sentence", why::why_a_node_did_not_run_is_told_in_a_sentence),
    ("editing_fits_all_screens", gestures::editing_fits_all_screens),
    ("an_open_dialog_hits_no_other_node", gestures::an_open_dialog_hits_no_other_node),
    ("a_designer_teaches_a_new_guard_to_reload", designer::a_designer_teaches_a_new_guard_to_reload),
    ("leaves_of_a_compiled_game_are_taken", designer::leaves_of_a_compiled_game_are_taken),
    (
        "a_newcomer_finds_out_why_a_guard_does_not_attack",
        walkthrough::a_newcomer_finds_out_why_a_guard_does_not_attack,
    ),
];

fn main() {
    let missing = Browser::missing();
    let trial = |(name, test): (&str, fn()), reason: Option<String>| {
        let run = move || {
            test();
            Ok(())
        };
        let trial = Trial::test(name, run).with_ignored_flag(reason.is_some());
        reason.into_iter().fold(trial, Trial::with_kind)
    };
    let lacks = missing.map(|tool| format!("no {tool}"));
    let tests = TESTS.iter().map(|test| trial(*test, lacks.clone()));
    let long = LONG.iter().map(|test| trial(*test, lacks.clone().or_else(|| Some("long".to_owned()))));
    let arguments = Arguments::from_args();
    let arguments = Arguments { test_threads: arguments.test_threads.or(Some(THREADS)), ..arguments };
    let done = libtest_mimic::run(&arguments, tests.chain(long).collect());
    Browser::end_all();
    done.exit();
}

/// Number of tests that run at a time. Each mostly waits for its browser.
const THREADS: usize = 2;

/// Width and height of a screen.
const SCREEN: (u32, u32) = (1440, 900);

/// Depth of a deep tree.
const DEEP: usize = 150;

/// Maximum work of the page until it shows 10,000 agents, in milliseconds of the processor. A list
/// with an element for each agent would take longer. The waiting time is printed but not judged,
/// because tests run on machines that do other work, too.
const MOST_WORK: f64 = 3000.0;

/// Number of tries of a test. A browser on a busy machine sometimes loses a key; a real defect
/// fails every time.
const TRIES: u32 = 3;

/// Tests something on a new page. After a failure, the next try has another browser.
fn in_browser(test: impl Fn(&Browser)) {
    for tried in 1.. {
        let browser = Browser::take().expect("chromium and chromedriver are there");
        match catch_unwind(AssertUnwindSafe(|| test(&browser))) {
            Ok(()) => return browser.keep(),
            Err(why) if tried == TRIES => resume_unwind(why),
            Err(_) => note(&format!("tried {tried} times")),
        }
    }
}

/// Says something that is seen whether the test fails or not.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Opens the page of a view, and waits until there is something to look at.
fn open(browser: &Browser, viewer: &Viewer) {
    browser.open(&viewer.address, SCREEN, "light");
    browser.until("document.querySelectorAll('.node').length > 1");
    browser.until("document.querySelectorAll('.agent').length > 1");
}

/// Looks at an agent by its index.
fn look_at(browser: &Browser, agent: u32) {
    browser.press("/");
    browser.press(&format!("#{agent}"));
    browser.press(keys::ENTER);
    browser.reads("#agent-title", &format!("Agent {agent}"));
    browser.until("document.querySelector('.node.running')");
    // Keys are commands again.
    browser.until("!document.activeElement.matches('input')");
}

/// Returns the card of a node by its words.
fn card(words: &str) -> String {
    format!(".node[aria-label^=\"{words}\"]")
}

#[track_caller]
fn no_complaints(browser: &Browser) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn ten_thousand_agents_are_listed_without_stalling() {
    in_browser(|browser| {
        let viewer = Viewer::start("many", &["guard.pleach", "--agents", "10000", "--rate", "20"]);
        open(browser, &viewer);
        browser.reads("#agents-count", "10,000");
        let (loading, work) = (busiest(browser), browser.work());
        // From one end to the other, by mouse and by keys, while all of them are ticked.
        browser.run("busy.length = 0;");
        browser.run("document.querySelector('#agents-list').scrollTop = 150000;");
        browser.until("document.querySelector('#agent-5000')");
        browser.run("document.querySelector('#agents-list').focus();");
        browser.press(keys::END);
        browser.until("document.querySelector('#agent-9999')?.getAttribute('aria-posinset') === '10000'");
        browser.reads("#agent-title", "Agent 9999");
        browser.press("/wait");
        browser.until("/^[0-9,]+ of 10,000$/.test(document.querySelector('#agents-count').innerText)");
        browser.until(
            "[...document.querySelectorAll('.agent .leaf')].every((it) => it.innerText.includes('wait'))",
        );
        browser.click("#show-crowd");
        browser.until("document.querySelector('.node.heated:not(.never)')");
        let rows = browser.get("document.querySelectorAll('.agent').length").as_u64().expect("a count");
        assert!(rows < 100, "{rows} rows have elements");
        let after = busiest(browser);
        note(&format!(
            "10,000 agents: {work:.0} ms of work to load; longest task while loading {loading:.0} ms, after that {after:.0} ms"
        ));
        assert!(work < MOST_WORK, "the page stalls");
        no_complaints(browser);
    });
}

fn a_large_tree_and_a_deep_one_are_shown() {
    in_browser(|browser| {
        let folder = viewer::folder("large");
        let branch = format!("sequence {{ {} }}", "action roam ".repeat(24));
        let deep = format!("{}action roam{}", "sequence { ".repeat(DEEP), " }".repeat(DEEP));
        let text = format!(
            "include \"common.pleach\"\ntree large {{ selector {{ {} {deep} }} }}\n",
            branch.repeat(40)
        );
        fs::write(folder.join("large.pleach"), text).expect("a file");
        let viewer = Viewer::of(folder, &["large.pleach", "--agents", "20"]);
        open(browser, &viewer);
        let nodes = 40 * 25 + DEEP + 3;
        let shown = "Number(document.querySelector('#nodes').dataset.count)";
        browser.until(&format!("{shown} > 1000"));
        look_at(browser, 5);
        browser.press_until("r", "document.activeElement.matches('.node')");
        browser.click("#fold-all");
        browser.until(&format!("{shown} === 43"));
        browser.click("#fold-all");
        browser.until(&format!("{shown} > 1000"));
        // However deep: to the last, whose level says how deep it stands.
        browser.press("t");
        browser.press(keys::END);
        let level = browser.get("Number(document.activeElement.ariaLevel)").as_u64().expect("a level");
        assert_eq!(level, DEEP as u64 + 3);
        note(&format!(
            "{nodes} nodes: {:.0} ms of work in all, longest task {:.0} ms",
            browser.work(),
            busiest(browser)
        ));
        // No card stands on another.
        let overlap = "(() => {
        const cards = [...document.querySelectorAll('.node')].map((it) => it.getBoundingClientRect());
        return cards.some((one, at) => cards.slice(at + 1).some((other) => one.left < other.right
            && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
    })()";
        assert_eq!(browser.get(overlap), false);
        // When the shown crowd has ended, the page says so, and keeps its content.
        drop(viewer);
        browser.reads("#connection", "disconnected");
        assert!(browser.get(shown).as_u64() > Some(1000));
    });
}

/// Returns the longest time without a pause, in milliseconds. A time below 50 counts as nothing.
fn busiest(browser: &Browser) -> f64 {
    browser.get("Math.max(0, ...busy)").as_f64().expect("a time")
}

/// Waits until a part of the page, or something inside, has the focus.
fn focused(browser: &Browser, id: &str) {
    browser.until(&format!("document.activeElement.closest('#{id}')"));
}

fn keys_alone_are_enough() {
    in_browser(|browser| {
        let viewer = Viewer::start("keys", &["guard.pleach", "--agents", "50", "--rate", "20"]);
        open(browser, &viewer);
        the_tab_key_goes_through_all_parts(browser);
        a_search_hides_and_shows_the_list(browser);
        arrows_lead_through_the_tree(browser);
        // Population and back, time back and on, all keys on a sheet.
        browser.press("p");
        browser.until("document.querySelector('#show-crowd').ariaPressed === 'true'");
        browser.press("p");
        browser.press_until("r", "document.activeElement.matches('.node')");
        browser.until("Number(document.querySelector('#scrub').max) > 5");
        browser.press(",");
        browser.reads("#connection", "looking back");
        browser.press("l");
        browser.reads("#connection", "paused");
        browser.press(" ");
        browser.reads("#connection", "live");
        browser.press("?");
        browser.until("document.querySelector('#keys').open");
        browser.press(keys::ENTER);
        browser.until("!document.querySelector('#keys').open");
        no_complaints(browser);
    });
}

/// Reaches each part by the tab key. Each shows that it has the focus.
fn the_tab_key_goes_through_all_parts(browser: &Browser) {
    for id in ["theme", "help", "agents-search", "agents-status", "agents-list", "show-agent"] {
        browser.run("document.activeElement.blur?.();");
        browser.until("(document.querySelector('#theme'), true)");
        for _ in 0..40 {
            browser.press(keys::TAB);
            if browser.get(&format!("document.activeElement.id === {id:?}")) == true {
                break;
            }
        }
        focused(browser, id);
        browser.until("getComputedStyle(document.activeElement).outlineStyle !== 'none'");
    }
}

/// Searches for an unknown agent, which hides the list, and for a known
/// one, which leads on at once.
fn a_search_hides_and_shows_the_list(browser: &Browser) {
    browser.press("/");
    browser.press("#77");
    browser.until("document.querySelector('#agents-list').hidden");
    browser.run(
        "const search = document.querySelector('#agents-search'); search.value = '#7';
         search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));",
    );
    browser.reads("#agent-title", "Agent 7");
    focused(browser, "agents-list");
    look_at(browser, 7);
    browser.press(keys::DOWN);
    focused(browser, "agents-list");
}

/// Goes through the tree. One of its cards is a stop of the tab key, and arrows lead on.
fn arrows_lead_through_the_tree(browser: &Browser) {
    browser.press("t");
    focused(browser, "nodes");
    assert_eq!(browser.get("document.querySelectorAll('.node[tabindex=\"0\"]').length"), 1);
    browser.press(keys::HOME);
    browser.until("document.activeElement.ariaLevel === '1'");
    browser.press(keys::RIGHT);
    browser.until("document.activeElement.ariaLevel === '2'");
    browser.press(keys::LEFT);
    browser.until("document.activeElement.ariaExpanded === 'false'");
    browser.press(keys::RIGHT);
    browser.until("document.activeElement.ariaExpanded === 'true'");
    browser.press(keys::END);
    browser.until("document.activeElement === [...document.querySelectorAll('.node')].at(-1)");
}

fn time_goes_back_and_on() {
    in_browser(|browser| {
        let viewer = Viewer::start("time", &["guard.pleach", "--agents", "50", "--rate", "20"]);
        open(browser, &viewer);
        look_at(browser, 3);
        let first = "Number(document.querySelector('#scrub').value)";
        let from = browser.get(first).as_u64().expect("a tick");
        browser.until(&format!("{first} > {from} + 10"));
        // Back to a tick that was kept: it stays while the crowd goes on.
        let tick = from + 5;
        browser.run(&format!(
            "const scrub = document.querySelector('#scrub'); scrub.value = {tick};
         scrub.dispatchEvent(new Event('input')); scrub.dispatchEvent(new Event('change'));"
        ));
        browser.reads("#moment", &format!("tick {tick} "));
        browser.reads("#connection", "looking back");
        // Whatever the agent came to in that tick.
        browser.until("document.querySelector('.node:is(.running, .success, .failure)')");
        let seen = browser.text("#agent-asked");
        browser.until(&format!("Number(document.querySelector('#scrub').max) > {tick} + 10"));
        browser.reads("#moment", &format!("tick {tick} "));
        assert_eq!(browser.text("#agent-asked"), seen);
        browser.click("#live");
        browser.until(&format!("{first} > {tick} + 10"));
        // Pause, and tick by tick.
        browser.click("#play");
        browser.reads("#connection", "paused");
        let now = browser.get(first).as_u64().expect("a tick");
        browser.click("#step");
        browser.until(&format!("{first} === {}", now + 1));
        no_complaints(browser);
    });
}

fn a_paused_crowd_has_its_counts_and_its_past() {
    in_browser(|browser| {
        let viewer = Viewer::start("paused", &["sentry.pleach", "--agents", "50", "--rate", "60"]);
        open(browser, &viewer);
        // Until then, each node of the tree `patrol` has run.
        browser.until("Number(document.querySelector('#scrub').max) > 100");
        browser.click("#play");
        browser.reads("#connection", "paused");
        // The population was not shown before.
        browser.click("#show-crowd");
        browser.run(
            "const measure = document.querySelector('#measure'); measure.value = 'entries';
         measure.dispatchEvent(new Event('change'));",
        );
        browser.until("document.querySelector('.node.heated:not(.never)')");
        browser.until("/^[0-9,]+/.test(document.querySelector('.node .word').innerText)");
        // A tree that others use has the counts of its copies, at its line and on its cards.
        let line =
            "[...document.querySelectorAll('.row')].find((it) => it.innerText.includes('tree patrol'))";
        browser.until(&format!("/^[0-9,]+$/.test({line}.querySelector('.count').innerText)"));
        browser.run(
            "const trees = document.querySelector('#trees-pick');
         trees.value = [...trees.options].find((it) => it.text === 'patrol').value;
         trees.dispatchEvent(new Event('change'));",
        );
        browser.reads(&card("tree patrol"), "line");
        browser
            .until("document.querySelectorAll('.node').length > 2 && !document.querySelector('.node.never')");
        // Events cannot be watched, so the page does not say that their handlers never run.
        let handler =
            "[...document.querySelectorAll('.row')].find((it) => it.innerText.includes('set bursts = 0'))";
        assert_eq!(browser.get(&format!("{handler}.matches('.never')")), false);
        // An agent that is picked now has a past from the first tick.
        browser.click("#show-agent");
        look_at(browser, 9);
        browser.until("document.querySelector('#scrub').min === '1'");
        browser.run(
            "const scrub = document.querySelector('#scrub'); scrub.value = 3;
         scrub.dispatchEvent(new Event('input')); scrub.dispatchEvent(new Event('change'));",
        );
        browser.reads("#moment", "tick 3 ");
        browser.reads("#agent-state", "picked later");
        browser.reads("#agent-asked", "not kept");
        browser.until("document.querySelector('.node.running')");
        no_complaints(browser);
    });
}

fn agents_stop_and_are_told_what_to_do() {
    in_browser(|browser| {
        let viewer = Viewer::start("stops", &["guard.pleach", "--agents", "50", "--rate", "20"]);
        open(browser, &viewer);
        look_at(browser, 3);
        // At a node: it stands still, the others go on.
        browser.click(&card("reactive selector"));
        browser.click("[data-does=break]");
        browser.until("document.querySelector('.node.stopped')");
        browser.reads("#agent-3, .agent[aria-selected=true]", "stands still");
        let tick = browser.get("Number(document.querySelector('#scrub').max)").as_u64().expect("a tick");
        browser.until(&format!("Number(document.querySelector('#scrub').max) > {tick} + 5"));
        browser.click("#agent-step");
        browser.click("[data-does=break]");
        browser.until("document.querySelector('[data-does=break]').ariaPressed === 'false'");
        browser.click("#agent-go");
        browser.until("document.querySelector('#agent-go').hidden");
        // A variable is set, which is seen at once.
        browser.run("document.querySelector('#value-variables-0').focus();");
        browser.run("document.querySelector('#value-variables-0').select();");
        browser.press("55");
        browser.press(keys::ENTER);
        browser.until("document.querySelector('#value-variables-0').value === '55'");
        // An event comes to it.
        browser.click("#agent-send button");
        browser.reads("#agent-events", "hit");
        browser.until("document.querySelector('#value-variables-0').value === '45'");
        // Text that is not a number is refused with a message.
        browser.run("document.querySelector('#value-variables-0').select();");
        browser.press("many");
        browser.press(keys::ENTER);
        browser.reads("#banner", "many");
        no_complaints(browser);
    });
}
