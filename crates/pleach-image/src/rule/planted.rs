//! Verifiers with a hole, for tests of the tests.
//!
//! A rule that can be taken out without anything going wrong guards nothing, and a campaign that finds nothing when a rule is
//! taken out looks in the wrong places. So a build with `--cfg pleach_planted` in `RUSTFLAGS` can do without any one of them.
//! That is no feature, which another package might switch on: no build that is not meant to be broken has this module.

use super::Rule;
use std::cell::Cell;

std::thread_local! {
    static OFF: Cell<Option<Rule>> = const { Cell::new(None) };
}

/// Does something on this thread while the verifier does without a rule.
pub fn without<T>(rule: Rule, work: impl FnOnce() -> T) -> T {
    /// Puts the rule back, whatever happens.
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

/// Returns true if the verifier does without this rule.
pub(super) fn is_off(rule: Rule) -> bool {
    OFF.get() == Some(rule)
}
