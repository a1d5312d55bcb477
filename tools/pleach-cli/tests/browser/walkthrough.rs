//! The walk of `spec/walkthrough.md`: why a guard does not attack.

use crate::viewer::Viewer;
use crate::webdriver::keys;
use crate::{card, in_browser, look_at, no_complaints, open};

pub(crate) fn a_newcomer_finds_out_why_a_guard_does_not_attack() {
    in_browser(|browser| {
        let viewer = Viewer::start("newcomer", &["sentry.pleach", "--agents", "500"]);
        open(browser, &viewer);

        // Is it one guard or all of them? Nobody has ever shot.
        browser.click("#show-crowd");
        browser.run(
            "const measure = document.querySelector('#measure'); measure.value = 'entries';
         measure.dispatchEvent(new Event('change'));",
        );
        browser.until("document.querySelector('.node.heated:not(.never)')");
        browser.reads(&card("action shoot"), "never");

        // What does the condition see? Somebody is in sight, and a full magazine is not more than full.
        browser.click("#show-agent");
        look_at(browser, 7);
        browser.until(
            "[...document.querySelectorAll('#agent-asked li')].some((it) => it.innerText === 'visible 1')",
        );
        browser.reads("#agent-asked", "ammo 6");
        browser.reads(&card("condition visible"), "did not hold");
        browser.reads(&card("condition visible"), "use attack");
        browser.click("#agent-asked button");
        browser.reads("#node", "sentry.pleach:34");
        browser.until("document.querySelector('.row.chosen').dataset.line === '34'");

        // Something to see whether it stays: a fold.
        browser.click(&card("condition ammo < BURST"));
        browser.press(keys::LEFT);
        browser.until("document.querySelector('.node[aria-expanded=false]')");

        // A slip: the error stands in its place, and the guards go on.
        viewer.edit("sentry.pleach", "ammo > CLIP", "amo >= BURST");
        browser.reads("#banner", "Not reloaded");
        browser.reads(".finding", "amo");
        browser.until("document.querySelector('.row.wrong').dataset.line === '34'");
        let tick = browser.get("Number(document.querySelector('#scrub').max)").as_u64().expect("a tick");
        browser.until(&format!("Number(document.querySelector('#scrub').max) > {tick} + 3"));

        // Mended: the view stays as it is.
        viewer.edit("sentry.pleach", "amo >= BURST", "ammo >= BURST");
        browser.reads("#banner", "Reloaded");
        browser.until("!document.querySelector('.finding') && !document.querySelector('#banner.bad')");
        browser.reads("#agent-title", "Agent 7");
        browser.until(
        "document.querySelector('.node[aria-expanded=false]').ariaLabel.startsWith('condition ammo < BURST')",
    );
        browser.reads("#source-text", "ammo >= BURST");

        // It attacks: it stops when it has.
        let shoots = card("action shoot");
        browser
            .until(&format!("document.querySelector('{shoots}')?.matches('.running, .success, .failure')"));
        browser.click("[aria-label='Stop when bursts changes']");
        browser.until("document.querySelector('#agent-go').hidden === false");
        browser.until("document.querySelector('#value-variables-1').value > 0");
        browser.until("['0', '3'].includes(document.querySelector('#value-variables-0').value)");
        browser.click("#agent-go");
        browser.click("#show-crowd");
        browser.until(&format!("document.querySelector('{shoots}:not(.never)')"));
        no_complaints(browser);
    });
}
