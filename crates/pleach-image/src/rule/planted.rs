//! Verifiers without one of the rules, for tests of the tests.
//!
//! If an image that breaks a rule does no harm, the rule guards nothing. If a campaign finds
//! nothing although a rule is missing, the campaign looks in the wrong places. So a build with
//! `--cfg pleach_planted` in `RUSTFLAGS` can turn off any single rule. It is not a feature, because
//! another package could switch a feature on. Ordinary builds do not contain this module.

use super::Rule;
use std::cell::Cell;

std::thread_local! {
    static OFF: Cell<Option<Rule>> = const { Cell::new(None) };
}

/// Runs `work` while the verifier on this thread ignores a rule.
pub fn without<T>(rule: Rule, work: impl FnOnce() -> T) -> T {
    /// Turns the rule on again, also after a panic.
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            OFF.set(None);
        }
    }
    OFF.set(Some(rule));
    let _back = Back;
    work()
}

/// Returns true if the verifier ignores this rule.
pub(super) fn is_off(rule: Rule) -> bool {
    OFF.get() == Some(rule)
}
