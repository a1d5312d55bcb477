//! What the nodes mean.

use crate::ir::{FAILURE, Kind, Memory, Policy, SUCCESS, Start, Step};
use crate::lower::{Means, Vocabulary, Word, chain, guard, select, selection, set};

const FIRST_THAT_RUNS: Policy =
    Policy { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 };
const ALL: Policy = Policy { on: [Step::Next; 4], last: SUCCESS as u8 };

const fn word(keyword: &'static str, means: Means) -> Word {
    Word { keyword, subject: None, memory: Memory::None, means }
}

const fn list(keyword: &'static str, policy: Policy) -> Word {
    word(keyword, Means::Always(Kind::Composite(policy, Start::First)))
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        word(".selection", Means::By(selection)),
        list("Priority", FIRST_THAT_RUNS),
        word("condition", Means::By(guard)),
        word("StateMachine", Means::By(chain)),
        list("State", FIRST_THAT_RUNS),
        word("Leaf", Means::By(select)),
        list(".all", ALL),
        word(".set", Means::By(set)),
    ],
    running_set: None,
    action_gate: None,
    resumes: true,
    cursor: None,
    optional: false,
    interrupt: None,
};
