//! Meaning of the nodes.

use super::{FAILURE, SUCCESS};
use crate::ir::{Kind, Outcome, Policy, Start, To};
use crate::lower::plain::status_map;
use crate::lower::{Means, Vocabulary, Word, lasting, reacting};

const SUPPRESS_FAILURE: Means = Means::Map([To::SUCCESS, To::Same, To::Same, To::Same]);

const fn list(keyword: &'static str, policy: Policy) -> Word {
    Word::list(keyword, policy, Start::Resume)
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    words: &[
        list("Sequence", Policy::SEQUENCE),
        list("Selector", Policy::SELECTOR),
        Word::new("Parallel", Means::By(lasting::parallel)),
        Word::new("Loop", Means::Again(SUCCESS, true)),
        Word::new("LoopUntilSuccess", Means::Again(FAILURE, true)),
        Word::new("SuppressFailure", SUPPRESS_FAILURE),
        Word::new("Priority", Means::By(reacting::priority)),
        Word::new("StateMachine", Means::By(reacting::machine)),
        Word::new("IfCondition", Means::Condition(Kind::Guard)),
        Word::new("IfTime", Means::Condition(Kind::Guard)),
        Word::new("RandomGate", Means::Condition(Kind::Guard)),
        Word::new("AssertCondition", Means::Condition(Kind::Guard)),
        Word::new("AssertTime", Means::Condition(Kind::Guard)),
        Word::new("MonitorCondition", Means::Condition(Kind::Until)),
        Word::new("WaitUntilTime", Means::Condition(Kind::Until)),
        Word::new("Wait", Means::By(status_map)),
        Word::new("Timeout", Means::By(status_map)),
        Word::new("WaitForEvent", Means::By(status_map)),
        Word::new("SendEvent", Means::By(reacting::emit)),
        list("SendTransitionEvent", Policy::SEQUENCE),
        Word::constant("Fail", Outcome::Failure),
        Word::constant("Halt", Outcome::Running),
        Word::constant("Breakpoint", Outcome::Success),
        Word::new("Log", Means::By(reacting::log)),
        Word::new("LimitConcurrentUsers", Means::By(reacting::admit)),
        Word::new("GroupScope", Means::By(reacting::admit_group)),
        Word::new(".act", Means::By(reacting::host_action)),
        Word::new(".tell", Means::Call(Kind::Tell)),
        Word::new(".wrap", Means::By(reacting::wrap)),
        Word::new(".logged", Means::By(reacting::logged)),
        list(".sequence", Policy::SEQUENCE),
        Word::constant(".halt", Outcome::Running),
        Word::new(".send", Means::By(reacting::emit)),
        Word::new(".start", Means::By(reacting::start)),
        Word::new(".until", Means::Condition(Kind::Until)),
        Word::list(".all", Policy::ALL, Start::First),
        Word::list(".any", Policy::SELECTOR, Start::First),
        Word::new(".if", Means::Condition(Kind::Guard)),
        Word::new(".within", Means::By(reacting::within)),
        Word::new(".set", Means::By(lasting::set)),
        Word::new(".stamp", Means::By(reacting::note)),
    ],
    ..Vocabulary::EMPTY
};
