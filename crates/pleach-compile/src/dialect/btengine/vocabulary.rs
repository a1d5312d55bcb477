//! Meaning of the nodes.
//!
//! A selector or sequence continues directly at the child where it was. If a host answers a test
//! with a status outside the three, that counts as failure.

use super::WORDS;
use crate::ir::{FAILURE, Policy, Start, Step};
use crate::lower::{Means, Vocabulary, Word, plain};

/// Ends with the first child that succeeds.
const SELECTOR: Policy = Policy { on: [Step::Next, Step::End, Step::End, Step::Next], last: FAILURE as u8 };
/// The words of the dialect.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    interrupt: Some(["interrupt", "interrupted"]),
    words: &[
        Word::list(WORDS[0].name, SELECTOR, Start::Resume),
        Word::list(WORDS[1].name, Policy::SEQUENCE, Start::Resume),
        Word::new(WORDS[2].name, Means::By(plain::policy_parallel)),
        Word::new(WORDS[3].name, Means::By(plain::filter)),
        Word::new(WORDS[4].name, Means::By(plain::test)),
        Word::new(WORDS[5].name, Means::By(plain::perform)),
    ],
    ..Vocabulary::EMPTY
};
