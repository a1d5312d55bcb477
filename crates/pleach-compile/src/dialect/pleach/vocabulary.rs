//! Meaning of the nodes.

use super::check::{ARGUMENT, ARGUMENTS, OUT};
use crate::ir::{FAILURE, Kind, Outcome, Policy, SUCCESS, Start, To};
use crate::lower::{
    Means, Vocabulary, Word, cases, copy, exclusive_action, guard, limit, once, parallel, pause, raise,
    random, reactive_cases, reactive_utility, set, shuffled_selector, shuffled_sequence, take, timeout,
    utility, wait, watch,
};

const INVERT: Means = ends([To::Status(Outcome::Success), To::Status(Outcome::Failure)]);
const FORCE_SUCCESS: Means = ends([To::Status(Outcome::Success), To::Same]);
const FORCE_FAILURE: Means = ends([To::Same, To::Status(Outcome::Failure)]);
const UNTIL_SUCCESS: Kind = until(FAILURE);
const UNTIL_FAILURE: Kind = until(SUCCESS);

/// Returns a map of failure and success; other statuses pass.
const fn ends([failure, success]: [To; 2]) -> Means {
    Means::Map([failure, success, To::Same, To::Same])
}

/// Begins the child again for ever, until it ends the other way, which is a success.
const fn until(again: usize) -> Kind {
    Kind::Again { again: again as u8, times: None, spent: SUCCESS as u8, broken: SUCCESS as u8, eager: false }
}

/// Returns a word with a subject.
const fn with(keyword: &'static str, subject: &'static str, means: Means) -> Word {
    Word { subject: Some(subject), ..Word::new(keyword, means) }
}

const fn reactive(subject: &'static str, policy: Policy) -> Word {
    with("reactive", subject, Means::Always(Kind::Composite(policy, Start::Reactive)))
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    words: &[
        Word::new("tree", Means::By(copy)),
        Word::new("var", Means::By(set)),
        Word::new(ARGUMENTS, Means::By(copy)),
        Word::new(ARGUMENT, Means::By(set)),
        Word::new(OUT, Means::By(take)),
        Word::list("sequence", Policy::SEQUENCE, Start::Resume),
        Word::list("selector", Policy::SELECTOR, Start::Resume),
        reactive("sequence", Policy::SEQUENCE),
        reactive("selector", Policy::SELECTOR),
        with("reactive", "utility", Means::By(reactive_utility)),
        Word::new("utility", Means::By(utility)),
        with("random", "sequence", Means::By(shuffled_sequence)),
        with("random", "selector", Means::By(shuffled_selector)),
        Word::new("random", Means::By(random)),
        Word::new("parallel", Means::By(parallel)),
        Word::new("condition", Means::By(guard)),
        Word::new("if", Means::By(guard)),
        Word::new("chance", Means::By(guard)),
        Word::new("once", Means::By(once)),
        with("cleanup", "set", Means::Always(Kind::Composite(Policy::SEQUENCE, Start::Resume))),
        Word::new("cleanup", Means::Always(Kind::Cleanup)),
        with("reactive", "match", Means::By(reactive_cases)),
        Word::new("match", Means::By(cases)),
        Word::constant("else", Outcome::Failure),
        Word::new("while", Means::By(watch)),
        Word::new("action", Means::By(exclusive_action)),
        Word::new("set", Means::By(set)),
        Word::new("raise", Means::By(raise)),
        Word::new("wait", Means::By(wait)),
        Word::new("delay", Means::By(wait)),
        Word::constant("success", Outcome::Success),
        Word::constant("failure", Outcome::Failure),
        Word::constant("running", Outcome::Running),
        Word::new("invert", INVERT),
        with("force", "success", FORCE_SUCCESS),
        with("force", "failure", FORCE_FAILURE),
        Word::new("repeat", Means::Again(SUCCESS, false)),
        Word::new("retry", Means::Again(FAILURE, false)),
        with("until", "success", Means::Always(UNTIL_SUCCESS)),
        with("until", "failure", Means::Always(UNTIL_FAILURE)),
        Word::new("cooldown", Means::By(pause)),
        Word::new("timeout", Means::By(timeout)),
        Word::new("limit", Means::By(limit)),
    ],
    ..Vocabulary::EMPTY
};
