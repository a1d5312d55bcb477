//! What the nodes mean.

use crate::ir::{FAILURE, Kind, Memory, Outcome, Policy, SUCCESS, Start, Step, To};
use crate::lower::{
    Means, Vocabulary, Word, admit, admit_group, again_at_once, emit, guard, host_action, log, logged,
    machine, note, parallel, priority, retry_at_once, set, start, status_map, tell, until, within, wrap,
};

const SEQUENCE: Policy = Policy { on: [Step::End, Step::Next, Step::End, Step::End], last: SUCCESS as u8 };
const SELECTOR: Policy = Policy { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 };
const ALL: Policy = Policy { on: [Step::Next; 4], last: SUCCESS as u8 };
const SUPPRESS_FAILURE: Means = Means::Map([To::Status(Outcome::Success), To::Same, To::Same, To::Same]);

const fn word(keyword: &'static str, means: Means) -> Word {
    Word { keyword, subject: None, memory: Memory::None, means }
}

const fn list(keyword: &'static str, policy: Policy) -> Word {
    word(keyword, Means::Always(Kind::Composite(policy, Start::Resume)))
}

/// A list in the handler of an event, where nothing runs.
const fn writes(keyword: &'static str, policy: Policy) -> Word {
    word(keyword, Means::Always(Kind::Composite(policy, Start::First)))
}

const fn constant(keyword: &'static str, outcome: Outcome) -> Word {
    word(keyword, Means::Always(Kind::Constant(outcome)))
}

/// The words of the language.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        list("Sequence", SEQUENCE),
        list("Selector", SELECTOR),
        word("Parallel", Means::By(parallel)),
        word("Loop", Means::By(again_at_once)),
        word("LoopUntilSuccess", Means::By(retry_at_once)),
        word("SuppressFailure", SUPPRESS_FAILURE),
        word("Priority", Means::By(priority)),
        word("StateMachine", Means::By(machine)),
        word("IfCondition", Means::By(guard)),
        word("IfTime", Means::By(guard)),
        word("RandomGate", Means::By(guard)),
        word("AssertCondition", Means::By(guard)),
        word("AssertTime", Means::By(guard)),
        word("MonitorCondition", Means::By(until)),
        word("WaitUntilTime", Means::By(until)),
        word("Wait", Means::By(status_map)),
        word("Timeout", Means::By(status_map)),
        word("WaitForEvent", Means::By(status_map)),
        word("SendEvent", Means::By(emit)),
        list("SendTransitionEvent", SEQUENCE),
        constant("Fail", Outcome::Failure),
        constant("Halt", Outcome::Running),
        constant("Breakpoint", Outcome::Success),
        word("Log", Means::By(log)),
        word("LimitConcurrentUsers", Means::By(admit)),
        word("GroupScope", Means::By(admit_group)),
        word(".act", Means::By(host_action)),
        word(".tell", Means::By(tell)),
        word(".wrap", Means::By(wrap)),
        word(".logged", Means::By(logged)),
        list(".sequence", SEQUENCE),
        constant(".halt", Outcome::Running),
        word(".send", Means::By(emit)),
        word(".start", Means::By(start)),
        word(".until", Means::By(until)),
        writes(".all", ALL),
        writes(".any", SELECTOR),
        word(".if", Means::By(guard)),
        word(".within", Means::By(within)),
        word(".set", Means::By(set)),
        word(".stamp", Means::By(note)),
    ],
    running_set: None,
    action_gate: None,
    resumes: true,
    interrupt: None,
    cursor: None,
    optional: false,
};
