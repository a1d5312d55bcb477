//! A tree of 10,000 nodes: only visible cards are in the document, and frames are measured.

use crate::viewer::{self, Viewer};
use crate::webdriver::{Browser, keys};
use crate::{SCREEN, in_browser, no_complaints, note};
use std::fs;

/// Largest number of cards in the document.
const MOST_CARDS: u64 = 600;

/// Work that is planted into each frame to check the measurement, in milliseconds.
const PLANTED: f64 = 30.0;

/// Script that takes the time of `count` frames while `step` is called in each of them: from the
/// first callback of a frame until the page is laid out and painted. Then comes the message that
/// the callback has sent. So the time does not depend on the rate of the screen.
const FRAMES: &str = "window.times = null;
    const times = [];
    const { port1, port2 } = new MessageChannel();
    let begun = 0;
    const frame = () => {
        begun = performance.now();
        step(times.length + 1);
        port2.postMessage(null);
    };
    port1.onmessage = () => {
        times.push(performance.now() - begun);
        if (times.length < count) requestAnimationFrame(frame);
        else window.times = times.slice(1).sort((one, other) => one - other);
    };
    requestAnimationFrame(frame);";

/// Measures frames while `step` is done in each of them. Prints the median and the longest time
/// that the page takes for a frame, and its work on the processor for each. Returns the median.
fn measure(browser: &Browser, what: &str, count: u32, step: &str) -> f64 {
    let before = browser.work();
    browser.run(&format!("const count = {count}; const step = (frame) => {{ {step} }}; {FRAMES}"));
    browser.until("window.times");
    let work = (browser.work() - before) / f64::from(count);
    let time = |of: &str| browser.get(of).as_f64().expect("a time");
    let median = time("window.times[Math.floor(window.times.length / 2)]");
    let longest = time("window.times.at(-1)");
    note(&format!(
        "10,000 nodes, {what}: {median:.1} ms for a frame (median), {longest:.1} ms (longest), {work:.1} ms of work for each"
    ));
    let cards = browser.get("document.querySelectorAll('.node').length").as_u64().expect("a number");
    assert!(cards < MOST_CARDS, "{cards} cards are in the document");
    median
}

pub(crate) fn ten_thousand_nodes_scroll_and_fold() {
    in_browser(|browser| {
        let folder = viewer::folder("ten-thousand");
        let branch = format!("sequence {{ {} }} ", "action roam ".repeat(24));
        let text =
            format!("include \"common.pleach\"\ntree large {{ selector {{ {} }} }}\n", branch.repeat(400));
        fs::write(folder.join("large.pleach"), text).expect("a file");
        let viewer = Viewer::of(folder, &["large.pleach", "--edit", "--agents", "20", "--rate", "20"]);
        browser.open(&viewer.address, SCREEN, "light");
        browser.until("Number(document.querySelector('#nodes').dataset.count) > 10000");
        let scroll = "document.querySelector('#tree').scrollTop = frame * 900;";
        measure(browser, "scrolling", 200, scroll);
        let busy =
            format!("{scroll} const end = performance.now() + {PLANTED}; while (performance.now() < end);");
        let median = measure(browser, &format!("scrolling with {PLANTED} ms of other work"), 60, &busy);
        assert!(median > PLANTED, "frames of {median} ms do not have the work that is done in them");
        browser.run("document.querySelector('#tree').scrollTop = 0;");
        browser.until("document.querySelector('.node[aria-level=\"3\"][aria-expanded]')");
        measure(
            browser,
            "folding",
            60,
            "const cards = document.querySelectorAll('.node[aria-level=\"3\"][aria-expanded]');
             cards[frame % cards.length].querySelector('.fold').click();",
        );
        // Far below, a node is reached by keys and edited.
        browser.press("t");
        browser.press(keys::END);
        browser.until("document.activeElement.ariaPosInSet === '24'");
        browser.press("d");
        browser.until("document.activeElement.ariaSetSize === '25'");
        no_complaints(browser);
    });
}
