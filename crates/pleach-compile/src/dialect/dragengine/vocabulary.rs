//! Meaning of the nodes.

use crate::ir::{Does, Kind, Outcome};
use crate::lower::{Means, Vocabulary, Word, rule};

/// A list goes on while its children succeed, or while they fail.
const SEQUENCE: Means = Means::Rule(Does::All { looping: false });
const CHOICE: Means = Means::Rule(Does::Any { looping: false });

/// The words of the dialect.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    cursor: Some(STEP_LIMIT),
    optional: true,
    words: &[
        Word::new(super::words::ROOT, Means::Always(Kind::Steps)),
        Word::new("action", Means::By(rule::action_rule)),
        Word::new("sequence", SEQUENCE),
        Word::new("choice", CHOICE),
        Word::new("success", Means::Rule(Does::End(Outcome::Success))),
        Word::new("failure", Means::Rule(Does::Fail)),
        Word::new("running", Means::Rule(Does::End(Outcome::Running))),
        Word::new("yield", Means::Rule(Does::Yield)),
        Word::new("subtree", SEQUENCE),
    ],
    ..Vocabulary::EMPTY
};

/// Number of rules that a step may run, unless the host sets another.
const STEP_LIMIT: u16 = 100;
