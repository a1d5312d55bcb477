//! Meaning of the nodes.

use super::check::{ARGUMENT, ARGUMENTS, CALL, KEEPING, OUT, PART, SERVICE};
use crate::ir::{By, FAILURE, Kind, Outcome, Policy, SUCCESS, Start, To};
use crate::lower::lasting::{self, matched, shuffled};
use crate::lower::{Means, Vocabulary, Word};

const FORCE_SUCCESS: Means = Means::Map([To::SUCCESS, To::Same, To::Same, To::Same]);
const FORCE_FAILURE: Means = Means::Map([To::Same, To::FAILURE, To::Same, To::Same]);

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
        Word::new("tree", Means::By(lasting::copy)),
        Word::new("var", Means::By(lasting::set)),
        Word::new(ARGUMENTS, Means::By(lasting::copy)),
        Word::new(ARGUMENT, Means::By(lasting::set)),
        Word::new(OUT, Means::By(lasting::take)),
        Word::new(PART, Means::By(lasting::set)),
        Word::list("sequence", Policy::SEQUENCE, Start::Resume),
        Word::list("selector", Policy::SELECTOR, Start::Resume),
        reactive("sequence", Policy::SEQUENCE),
        reactive("selector", Policy::SELECTOR),
        with(
            "reactive",
            "utility",
            Means::Tests(|first| Kind::Choose { by: By::Highest(first), reactive: true }),
        ),
        with("reactive", KEEPING, Means::By(lasting::keeping)),
        Word::new("utility", Means::Tests(|first| Kind::Choose { by: By::Highest(first), reactive: false })),
        with("random", "sequence", Means::By(|it, node| shuffled(it, node, SUCCESS))),
        with("random", "selector", Means::By(|it, node| shuffled(it, node, FAILURE))),
        Word::new("random", Means::By(lasting::random)),
        Word::new("parallel", Means::By(lasting::parallel)),
        Word::new("condition", Means::Condition(Kind::Guard)),
        Word::new("if", Means::Condition(Kind::Guard)),
        Word::new("chance", Means::Condition(Kind::Guard)),
        Word::new("once", Means::By(lasting::once)),
        with("cleanup", "set", Means::Always(Kind::Composite(Policy::SEQUENCE, Start::Resume))),
        Word::new("cleanup", Means::Always(Kind::Cleanup)),
        with("every", SERVICE, Means::Always(Kind::Composite(Policy::ALL, Start::Resume))),
        Word::new("every", Means::By(lasting::every)),
        Word::new(CALL, Means::Call(Kind::Instant)),
        with("reactive", "match", Means::By(|it, node| matched(it, node, true))),
        Word::new("match", Means::By(|it, node| matched(it, node, false))),
        Word::constant("else", Outcome::Failure),
        Word::new("while", Means::Condition(Kind::While)),
        Word::new("action", Means::Call(lasting::exclusive_action)),
        Word::new("set", Means::By(lasting::set)),
        Word::new("raise", Means::By(lasting::raise)),
        Word::new("wait", Means::By(lasting::wait)),
        Word::new("delay", Means::By(lasting::wait)),
        Word::constant("success", Outcome::Success),
        Word::constant("failure", Outcome::Failure),
        Word::constant("running", Outcome::Running),
        Word::new("invert", Means::INVERT),
        with("force", "success", FORCE_SUCCESS),
        with("force", "failure", FORCE_FAILURE),
        Word::new("repeat", Means::Again(SUCCESS, false)),
        Word::new("retry", Means::Again(FAILURE, false)),
        with("until", "success", Means::Always(until(FAILURE))),
        with("until", "failure", Means::Always(until(SUCCESS))),
        Word::new("cooldown", Means::By(lasting::pause)),
        Word::new("timeout", Means::By(lasting::timeout)),
        Word::new("limit", Means::By(lasting::limit)),
    ],
    ..Vocabulary::EMPTY
};
