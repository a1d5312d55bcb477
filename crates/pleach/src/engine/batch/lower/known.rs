//! The steps that sweeps know. All that they do not know serve single dialects; programs with these run agent by agent.

use crate::engine::calc::{Calc, Expressions};
use crate::engine::step::{Code, Step as Word};

/// Whether sweeps know all steps of a program; [`super::loops`] has more to say of loops.
pub(super) fn is_known(plain: &Code, calcs: &Expressions) -> bool {
    plain.steps.iter().all(|step| knows(*step)) && !calcs.code.iter().any(|calc| reads_moment(*calc))
}

fn knows(step: Word) -> bool {
    if let Word::Inside { low, high, .. } = step {
        // No compiler makes others.
        return low <= high;
    }
    matches!(
        step,
        Word::Jump { .. }
            | Word::Return { .. }
            | Word::Cond { .. }
            | Word::Call { .. }
            | Word::Act { .. }
            | Word::ActExclusive { .. }
            | Word::Bit { .. }
            | Word::Leave { .. }
            | Word::Mark { .. }
            | Word::WipeIf { .. }
            | Word::IfMember { .. }
            | Word::Due { .. }
            | Word::Arm { .. }
            | Word::Other { .. }
            | Word::Flag { .. }
            | Word::JumpFlag { .. }
            | Word::Switch { .. }
            | Word::Park { .. }
            | Word::Clear { .. }
            | Word::Halt { .. }
            | Word::Set { .. }
            | Word::SetBit { .. }
            | Word::Share { .. }
            | Word::ShareBit { .. }
            | Word::Ticks { .. }
            | Word::Down { .. }
            | Word::Fork { .. }
            | Word::Ended { .. }
            | Word::Finish { .. }
            | Word::Join { .. }
            | Word::Rate { .. }
            | Word::Pick { .. }
            | Word::Ask { .. }
            | Word::Raise { .. }
            | Word::Zero { .. }
            | Word::Select { .. }
            | Word::SetVariable { .. }
            | Word::Capture { .. }
            | Word::Loop { .. }
            | Word::Again { .. }
            | Word::Fault
    ) || super::rules::is_of_rules(step)
}

fn reads_moment(calc: Calc) -> bool {
    matches!(calc, Calc::Since { .. } | Calc::Noted { .. } | Calc::Reached { .. })
}
