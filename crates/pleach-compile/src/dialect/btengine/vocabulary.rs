//! What the nodes mean.
//!
//! A selector or sequence goes straight on where it was. A status outside the three, which a host may answer to a test,
//! counts as failure.

use super::words::WORDS;
use crate::ir::{FAILURE, Kind, Memory, Policy, SUCCESS, Start, Step};
use crate::lower::{Means, Vocabulary, Word, filter, perform, policy_parallel, test};

/// Ends with the first child that succeeds.
const SELECTOR: Policy = Policy { on: [Step::Next, Step::End, Step::End, Step::Next], last: FAILURE as u8 };
/// Goes on while children succeed.
const SEQUENCE: Policy = Policy { on: [Step::End, Step::Next, Step::End, Step::End], last: SUCCESS as u8 };

const fn word(keyword: &'static str, means: Means) -> Word {
    Word { keyword, subject: None, memory: Memory::None, means }
}

/// The words of the dialect.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        word(WORDS[0].name, Means::Always(Kind::Composite(SELECTOR, Start::Resume))),
        word(WORDS[1].name, Means::Always(Kind::Composite(SEQUENCE, Start::Resume))),
        word(WORDS[2].name, Means::By(policy_parallel)),
        word(WORDS[3].name, Means::By(filter)),
        word(WORDS[4].name, Means::By(test)),
        word(WORDS[5].name, Means::By(perform)),
    ],
    running_set: None,
    action_gate: None,
    resumes: true,
    cursor: None,
    optional: false,
    interrupt: Some(["interrupt", "interrupted"]),
};
