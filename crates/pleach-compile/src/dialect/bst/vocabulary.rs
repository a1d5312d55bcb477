//! Meaning of the nodes.

use crate::ir::{Kind, Policy, Start};
use crate::lower::{Means, Vocabulary, Word, lasting, reacting};

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    words: &[
        Word::new(".selection", Means::By(reacting::selection)),
        Word::list("Priority", Policy::SELECTOR, Start::First),
        Word::new("condition", Means::Condition(Kind::Guard)),
        Word::new("StateMachine", Means::By(reacting::chain)),
        Word::list("State", Policy::SELECTOR, Start::First),
        Word::new("Leaf", Means::Call(Kind::Select)),
        Word::list(".all", Policy::ALL, Start::First),
        Word::new(".set", Means::By(lasting::set)),
    ],
    ..Vocabulary::EMPTY
};
