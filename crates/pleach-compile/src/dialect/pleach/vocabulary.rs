//! What the nodes mean.

use crate::ir::{FAILURE, Kind, Memory, Outcome, Policy, SUCCESS, Start, Step, To};
use crate::lower::{
    Means, Vocabulary, Word, exclusive_action, guard, limit, parallel, pause, raise, random,
    reactive_utility, repeat, retry, set, timeout, utility, wait, watch,
};

const SEQUENCE: Policy = Policy { on: [Step::End, Step::Next, Step::End, Step::End], last: SUCCESS as u8 };
const SELECTOR: Policy = Policy { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 };
const INVERT: Means = ends([To::Status(Outcome::Success), To::Status(Outcome::Failure)]);
const FORCE_SUCCESS: Means = ends([To::Status(Outcome::Success), To::Same]);
const FORCE_FAILURE: Means = ends([To::Same, To::Status(Outcome::Failure)]);
const UNTIL_SUCCESS: Kind = until(FAILURE);
const UNTIL_FAILURE: Kind = until(SUCCESS);

/// A map of failure and success; other statuses pass.
const fn ends([failure, success]: [To; 2]) -> Means {
    Means::Map([failure, success, To::Same, To::Same])
}

/// Begins the child again for ever, until it ends the other way, which is a success.
const fn until(again: usize) -> Kind {
    Kind::Again { again: again as u8, times: None, spent: SUCCESS as u8, broken: SUCCESS as u8, eager: false }
}

const fn word(keyword: &'static str, subject: Option<&'static str>, means: Means) -> Word {
    Word { keyword, subject, memory: Memory::None, means }
}

const fn list(keyword: &'static str, policy: Policy) -> Word {
    word(keyword, None, Means::Always(Kind::Composite(policy, Start::Resume)))
}

const fn reactive(subject: &'static str, policy: Policy) -> Word {
    word("reactive", Some(subject), Means::Always(Kind::Composite(policy, Start::Reactive)))
}

const fn constant(keyword: &'static str, outcome: Outcome) -> Word {
    word(keyword, None, Means::Always(Kind::Constant(outcome)))
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        list("sequence", SEQUENCE),
        list("selector", SELECTOR),
        reactive("sequence", SEQUENCE),
        reactive("selector", SELECTOR),
        word("reactive", Some("utility"), Means::By(reactive_utility)),
        word("utility", None, Means::By(utility)),
        word("random", None, Means::By(random)),
        word("parallel", None, Means::By(parallel)),
        word("condition", None, Means::By(guard)),
        word("if", None, Means::By(guard)),
        word("while", None, Means::By(watch)),
        word("action", None, Means::By(exclusive_action)),
        word("set", None, Means::By(set)),
        word("raise", None, Means::By(raise)),
        word("wait", None, Means::By(wait)),
        word("delay", None, Means::By(wait)),
        constant("success", Outcome::Success),
        constant("failure", Outcome::Failure),
        constant("running", Outcome::Running),
        word("invert", None, INVERT),
        word("force", Some("success"), FORCE_SUCCESS),
        word("force", Some("failure"), FORCE_FAILURE),
        word("repeat", None, Means::By(repeat)),
        word("retry", None, Means::By(retry)),
        word("until", Some("success"), Means::Always(UNTIL_SUCCESS)),
        word("until", Some("failure"), Means::Always(UNTIL_FAILURE)),
        word("cooldown", None, Means::By(pause)),
        word("timeout", None, Means::By(timeout)),
        word("limit", None, Means::By(limit)),
    ],
    running_set: None,
    action_gate: None,
    resumes: true,
    interrupt: None,
    cursor: None,
    optional: false,
};
