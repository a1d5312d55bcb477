//! Drafts of several files, the connection below them, and marks beside and on disabled nodes.

use crate::editing::{GUARD, edited, open, state};
use crate::gestures::{go_to, text_has, write};
use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{in_browser, no_complaints};
use std::fs;

/// Shows a tree that includes another file, so that both can be edited.
fn two_files(name: &str, guard: &str, common: &str) -> Viewer {
    let folder = viewer::folder(name);
    fs::write(folder.join("guard.pleach"), format!("include \"common.pleach\"\n{guard}")).expect("a file");
    fs::write(folder.join("common.pleach"), common).expect("a file");
    Viewer::of(folder, &["guard.pleach", "--edit", "--agents", "50", "--rate", "20"])
}

/// Shows a file in the editor.
fn show(browser: &Browser, file: &str) {
    browser.click(&format!("#source-files [title$='{file}']"));
    browser
        .until(&format!("document.querySelector('#source-files [aria-selected=true]').title === {file:?}"));
}

pub(crate) fn drafts_of_all_files_are_tried_and_compared() {
    in_browser(|browser| {
        let common = "action walk()\ntree rest { running }\n";
        let viewer = two_files("drafts", "tree guard { selector { action walk use rest } }\n", common);
        open(browser, &viewer);
        show(browser, "guard.pleach");
        write(browser, "walk", "roam");
        show(browser, "common.pleach");
        write(browser, "walk", "roam");
        browser.reads("#text-state", "not applied in guard.pleach");
        // Neither draft compiles without the other one.
        browser.click("#compare");
        browser.reads("#report-title", "3 differences");
        browser.press(keys::ESCAPE);
        browser.click("#try");
        browser.reads("#report-body", "1 agent of the crowd was copied");
        // A node leads to its line in the draft.
        browser.until(
            "[...document.querySelectorAll('#report-body .place')].some((it) => {
                 if (it.innerText === 'action roam') it.id = 'wanted';
                 return it.id === 'wanted';
             })",
        );
        browser.click("#wanted");
        browser.until("!document.querySelector('dialog[open]')");
        text_has(browser, "action roam use rest");
        browser.until("document.querySelector('.cm-activeLine').textContent.startsWith('tree guard')");
        // An error of a file that is not shown has its name, and leads there.
        show(browser, "common.pleach");
        browser.click("#text-apply");
        browser.reads("#text-errors", "guard.pleach line 2");
        browser.click("#text-errors .place");
        text_has(browser, "action roam use rest");
        browser.reads("#text-errors", "line 2");
        no_complaints(browser);
    });
}

pub(crate) fn saving_names_the_drafts_that_are_left() {
    in_browser(|browser| {
        let viewer =
            two_files("left", "tree guard { sequence { wait 5 s use rest } }\n", "tree rest { wait 7 s }\n");
        open(browser, &viewer);
        show(browser, "guard.pleach");
        write(browser, "5 s", "6 s");
        show(browser, "common.pleach");
        write(browser, "7 s", "8 s");
        browser.press_with(keys::CONTROL, "s");
        browser.reads("#banner", "except for what is not applied yet in guard.pleach");
        state(browser, "draft not applied");
        assert!(viewer.text("common.pleach").contains("8 s") && viewer.text("guard.pleach").contains("5 s"));
        show(browser, "guard.pleach");
        text_has(browser, "6 s");
        browser.press_with(keys::CONTROL, "s");
        state(browser, "saved");
        assert!(viewer.text("guard.pleach").contains("6 s"));
        no_complaints(browser);
    });
}

pub(crate) fn a_tooltip_ends_with_its_text() {
    in_browser(|browser| {
        let viewer = two_files(
            "tooltip",
            "tree guard { sequence { wait 5 s use rest } }\n",
            "tree rest { running }\n",
        );
        open(browser, &viewer);
        show(browser, "guard.pleach");
        write(browser, "rest", "re");
        browser.until("document.querySelector('#editor .cm-tooltip-autocomplete')");
        // The editor is about to place the tooltip when the shorter file is shown.
        browser.run(
            "const { view } = document.querySelector('#editor .cm-content').cmTile.root;
             view.dispatch({ changes: { from: view.state.doc.length, insert: ' ' } });
             document.querySelector('#source-files [title$=\"common.pleach\"]').click();
             requestAnimationFrame(() => requestAnimationFrame(() => { window.placed = true; }));",
        );
        browser.until("window.placed");
        text_has(browser, "tree rest");
        browser.until("!document.querySelector('#editor .cm-tooltip-autocomplete')");
        no_complaints(browser);
    });
}

pub(crate) fn findings_of_a_draft_follow_the_other_files() {
    in_browser(|browser| {
        let viewer = two_files("findings", "tree guard { action walk }\n", "action walk()\n");
        open(browser, &viewer);
        show(browser, "guard.pleach");
        write(browser, "walk", "roam");
        browser.until("document.querySelector('#editor .cm-lintRange-error')");
        viewer.edit("common.pleach", "action walk()", "action walk()\naction roam()");
        browser.until("!document.querySelector('#editor .cm-lintRange-error')");
        text_has(browser, "action roam }");
        no_complaints(browser);
    });
}

pub(crate) fn questions_end_with_the_connection() {
    in_browser(|browser| {
        let viewer = edited("lost", GUARD);
        open(browser, &viewer);
        write(browser, "= 100", "= 50");
        // The server takes no more commands, so the draft has no answer when the connection ends.
        viewer.stop();
        browser.click("#text-apply");
        drop(viewer);
        browser.reads("#connection", "disconnected");
        browser.reads("#text-errors", "The connection has ended.");
        browser.click("#text-apply");
        browser.reads("#text-errors", "The page is not connected.");
        text_has(browser, "= 50");
    });
}

pub(crate) fn marks_are_drawn_only_if_they_change() {
    in_browser(|browser| {
        let viewer = edited("marks", "tree guard { selector { failure running } }\n");
        open(browser, &viewer);
        browser.until("document.querySelector('#editor .cm-signs .running')");
        let newest = "Number(document.querySelector('#scrub').max)";
        // The places of lines are asked for when marks are drawn.
        browser.run(
            "window.asked = 0;
             const { doc } = document.querySelector('#editor .cm-content').cmTile.root.view.state;
             const lineAt = doc.lineAt;
             doc.lineAt = (...places) => { window.asked += 1; return lineAt.apply(doc, places); };",
        );
        let tick = browser.get(newest).as_u64().expect("a tick");
        browser.until(&format!("{newest} > {tick} + 20"));
        assert_eq!(browser.get("window.asked"), 0);
        go_to(browser, "running");
        browser.until("window.asked > 0");
        no_complaints(browser);
    });
}

pub(crate) fn disabled_nodes_are_marked() {
    in_browser(|browser| {
        let viewer = edited("disabled", GUARD);
        open(browser, &viewer);
        let marked = |words: &str| {
            let mark = format!("document.querySelector('.node[aria-label^=\"{words}\"] .off')");
            browser.until(&format!("{mark} && !{mark}.hidden"));
        };
        // A node of a sequence is disabled by two nodes.
        go_to(browser, "set ammo");
        browser.press("o");
        for words in ["force success", "if false", "set ammo"] {
            marked(words);
        }
        let count = "document.querySelectorAll('.node .off:not([hidden])').length";
        assert_eq!(browser.get(count), 3);
        go_to(browser, "if false");
        browser.press("o");
        browser.until("!document.querySelector('.node[aria-label^=\"if false\"]')");
        browser.until(&format!("{count} === 0"));
        // All nodes in a disabled one are marked.
        go_to(browser, "sequence");
        browser.press("o");
        for words in ["sequence", "cooldown", "set ammo"] {
            marked(words);
        }
        no_complaints(browser);
    });
}
