//! Meaning of the nodes.

use crate::ir::{Policy, Start};
use crate::lower::{Means, Vocabulary, Word, chain, guard, select, selection, set};

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    words: &[
        Word::new(".selection", Means::By(selection)),
        Word::list("Priority", Policy::SELECTOR, Start::First),
        Word::new("condition", Means::By(guard)),
        Word::new("StateMachine", Means::By(chain)),
        Word::list("State", Policy::SELECTOR, Start::First),
        Word::new("Leaf", Means::By(select)),
        Word::list(".all", Policy::ALL, Start::First),
        Word::new(".set", Means::By(set)),
    ],
    ..Vocabulary::EMPTY
};
