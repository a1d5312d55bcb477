//! The walk of `spec/walkthrough.md`: why a guard does not attack.

use crate::viewer::Viewer;
use crate::webdriver::{Browser, keys};
use crate::{card, in_browser, look_at, no_complaints, open};

pub(crate) fn a_newcomer_finds_out_why_a_guard_does_not_attack() {
    in_browser(|browser| {
        let viewer = Viewer::start("newcomer", &["sentry.pleach", "--agents", "500"]);
        open(browser, &viewer);
        nobody_has_ever_shot(browser);
        the_condition_does_not_hold(browser);
        // Something to see whether it stays: a fold.
        browser.click(&card("while ammo < BURST"));
        browser.press(keys::LEFT);
        browser.until("document.querySelector('.node[aria-expanded=false]')");
        a_slip_is_told(browser, &viewer);
        the_view_stays_when_the_slip_is_mended(browser, &viewer);
        the_guard_attacks(browser);
        no_complaints(browser);
    });
}

/// Asks whether it is one guard or all of them.
fn nobody_has_ever_shot(browser: &Browser) {
    browser.click("#show-crowd");
    browser.run(
        "const measure = document.querySelector('#measure'); measure.value = 'entries';
     measure.dispatchEvent(new Event('change'));",
    );
    browser.until("document.querySelector('.node.heated:not(.never)')");
    browser.reads(&card("action shoot"), "never");
}

/// Asks for the values that the condition reads: a foe is in sight, and a full
/// magazine is not more than full.
fn the_condition_does_not_hold(browser: &Browser) {
    browser.click("#show-agent");
    look_at(browser, 7);
    browser.until(
        "[...document.querySelectorAll('#agent-asked li')].some((it) => it.innerText === 'visible 1')",
    );
    browser.reads("#agent-asked", "ammo 6");
    browser.reads(&card("while visible"), "did not hold");
    browser.reads(&card("while visible"), "use attack");
    browser.click("#agent-asked button");
    browser.reads("#node", "sentry.pleach:34");
    browser.until("document.querySelector('.row.chosen').dataset.line === '34'");
}

/// Makes a slip. The error stands in its place, and the guards go on.
fn a_slip_is_told(browser: &Browser, viewer: &Viewer) {
    viewer.edit("sentry.pleach", "ammo > CLIP", "amo >= BURST");
    browser.reads("#banner", "Not reloaded");
    browser.reads(".finding", "amo");
    browser.until("document.querySelector('.row.wrong').dataset.line === '34'");
    let tick = browser.get("Number(document.querySelector('#scrub').max)").as_u64().expect("a tick");
    browser.until(&format!("Number(document.querySelector('#scrub').max) > {tick} + 3"));
}

/// Mends the slip. The view stays as it is.
fn the_view_stays_when_the_slip_is_mended(browser: &Browser, viewer: &Viewer) {
    viewer.edit("sentry.pleach", "amo >= BURST", "ammo >= BURST");
    browser.reads("#banner", "Reloaded");
    browser.until("!document.querySelector('.finding') && !document.querySelector('#banner.bad')");
    browser.reads("#agent-title", "Agent 7");
    browser.until(
        "document.querySelector('.node[aria-expanded=false]').ariaLabel.startsWith('while ammo < BURST')",
    );
    browser.reads("#source-text", "ammo >= BURST");
}

/// Stops the guard when it has attacked.
fn the_guard_attacks(browser: &Browser) {
    let shoots = card("action shoot");
    browser.until(&format!("document.querySelector('{shoots}')?.matches('.running, .success, .failure')"));
    browser.click("[aria-label='Stop when bursts changes']");
    browser.until("document.querySelector('#agent-go').hidden === false");
    browser.until("document.querySelector('#value-variables-1').value > 0");
    browser.until("['0', '3'].includes(document.querySelector('#value-variables-0').value)");
    browser.click("#agent-go");
    browser.click("#show-crowd");
    browser.until(&format!("document.querySelector('{shoots}:not(.never)')"));
}
