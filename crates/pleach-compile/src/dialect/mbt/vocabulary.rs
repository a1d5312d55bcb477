//! Meaning of the nodes.

use crate::ir::{FAILURE, Outcome, Policy, SUCCESS, Start, To};
use crate::lower::{
    Means, Vocabulary, Word, admit, admit_group, emit, guard, host_action, log, logged, machine, note,
    parallel, priority, set, start, status_map, tell, until, within, wrap,
};

const SUPPRESS_FAILURE: Means = Means::Map([To::Status(Outcome::Success), To::Same, To::Same, To::Same]);

const fn list(keyword: &'static str, policy: Policy) -> Word {
    Word::list(keyword, policy, Start::Resume)
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    resumes: true,
    words: &[
        list("Sequence", Policy::SEQUENCE),
        list("Selector", Policy::SELECTOR),
        Word::new("Parallel", Means::By(parallel)),
        Word::new("Loop", Means::Again(SUCCESS, true)),
        Word::new("LoopUntilSuccess", Means::Again(FAILURE, true)),
        Word::new("SuppressFailure", SUPPRESS_FAILURE),
        Word::new("Priority", Means::By(priority)),
        Word::new("StateMachine", Means::By(machine)),
        Word::new("IfCondition", Means::By(guard)),
        Word::new("IfTime", Means::By(guard)),
        Word::new("RandomGate", Means::By(guard)),
        Word::new("AssertCondition", Means::By(guard)),
        Word::new("AssertTime", Means::By(guard)),
        Word::new("MonitorCondition", Means::By(until)),
        Word::new("WaitUntilTime", Means::By(until)),
        Word::new("Wait", Means::By(status_map)),
        Word::new("Timeout", Means::By(status_map)),
        Word::new("WaitForEvent", Means::By(status_map)),
        Word::new("SendEvent", Means::By(emit)),
        list("SendTransitionEvent", Policy::SEQUENCE),
        Word::constant("Fail", Outcome::Failure),
        Word::constant("Halt", Outcome::Running),
        Word::constant("Breakpoint", Outcome::Success),
        Word::new("Log", Means::By(log)),
        Word::new("LimitConcurrentUsers", Means::By(admit)),
        Word::new("GroupScope", Means::By(admit_group)),
        Word::new(".act", Means::By(host_action)),
        Word::new(".tell", Means::By(tell)),
        Word::new(".wrap", Means::By(wrap)),
        Word::new(".logged", Means::By(logged)),
        list(".sequence", Policy::SEQUENCE),
        Word::constant(".halt", Outcome::Running),
        Word::new(".send", Means::By(emit)),
        Word::new(".start", Means::By(start)),
        Word::new(".until", Means::By(until)),
        Word::list(".all", Policy::ALL, Start::First),
        Word::list(".any", Policy::SELECTOR, Start::First),
        Word::new(".if", Means::By(guard)),
        Word::new(".within", Means::By(within)),
        Word::new(".set", Means::By(set)),
        Word::new(".stamp", Means::By(note)),
    ],
    ..Vocabulary::EMPTY
};
