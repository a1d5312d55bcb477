//! What the nodes mean.

use crate::ir::{Kind, Memory};
use crate::lower::{
    Constructor, Means, Vocabulary, Word, action_rule, choice_rule, failure_rule, running_rule,
    sequence_rule, success_rule, yield_rule,
};

const fn word(keyword: &'static str, means: Means) -> Word {
    Word { keyword, subject: None, memory: Memory::None, means }
}

const fn rule(keyword: &'static str, constructor: Constructor) -> Word {
    word(keyword, Means::By(constructor))
}

/// The words of the dialect.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        word(super::words::ROOT, Means::Always(Kind::Steps)),
        rule("action", action_rule),
        rule("sequence", sequence_rule),
        rule("choice", choice_rule),
        rule("success", success_rule),
        rule("failure", failure_rule),
        rule("running", running_rule),
        rule("yield", yield_rule),
        rule("subtree", sequence_rule),
    ],
    running_set: None,
    action_gate: None,
    resumes: false,
    interrupt: None,
    cursor: Some(STEP_LIMIT),
    optional: true,
};

/// How many rules may run in a step, unless the host says otherwise.
const STEP_LIMIT: u16 = 100;
