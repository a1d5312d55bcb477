//! Vocabulary of the dialect: the meaning of each node word.
//!
//! The dialect's only memory is the running set, so every node is a member when it runs, and an
//! action empties the set first. `spawnAs` is no action of the table: it is called even when the
//! agent is dead, and empties nothing.

use crate::ir::{FAILURE, Kind, Memory, Policy, SUCCESS, Start, Step};
use crate::lower::{Means, Vocabulary, Word, plain};

/// Goes on while children succeed. A status outside the three counts as success.
const SEQUENCE: Policy = Policy { on: [Step::End, Step::Next, Step::End, Step::Next], last: SUCCESS as u8 };
/// Goes on while children fail. A status outside the three counts as failure.
const FALLBACK: Policy = Policy { on: [Step::Next, Step::End, Step::End, Step::Next], last: FAILURE as u8 };
/// Evaluates all children until one fails. A status outside the three counts as success.
const CONCURRENT: Policy =
    Policy { on: [Step::End, Step::Next, Step::NextRunning, Step::Next], last: SUCCESS as u8 };

/// Capacity of the running set of an agent, in nodes.
const RUNNING_SET: u16 = 20;

const fn member(keyword: &'static str, subject: Option<&'static str>, means: Means) -> Word {
    Word { keyword, subject, memory: Memory::Member, means }
}

const fn list(keyword: &'static str, policy: Policy, start: Start) -> Word {
    member(keyword, None, Means::Always(Kind::Composite(policy, start)))
}

/// The words of the dialect.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    running_set: Some(RUNNING_SET),
    action_gate: Some("dead"),
    words: &[
        list("selector", Policy::SELECTOR, Start::First),
        list("sequence", SEQUENCE, Start::HighestMember),
        list("fallback", FALLBACK, Start::HighestMember),
        list("concurrent", CONCURRENT, Start::First),
        Word { keyword: "action", subject: None, memory: Memory::Exclusive, means: Means::By(plain::action) },
        member("condition", None, Means::Condition(Kind::Guard)),
        member("decorator", Some("invert"), Means::INVERT),
        member("decorator", Some("mapStatus"), Means::By(plain::status_map)),
        member("decorator", Some("return"), Means::By(plain::constant)),
        member("decorator", Some("timer"), Means::By(plain::cooldown)),
        member("behavior", None, Means::By(plain::include)),
        member("spawnAs", None, Means::By(plain::keyword_action)),
    ],
    ..Vocabulary::EMPTY
};
