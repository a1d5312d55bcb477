//! The steps that sweeps know. All that they do not know serve single dialects; programs with these run agent by agent.

use crate::code::step::Step as Word;
use crate::code::steps::Code;

/// Whether sweeps know all steps of a program, which may have [steps of rules](super::rules) alone; [`super::loops`] has more to
/// say of loops.
pub(super) fn are_known(plain: &Code, of_rules: bool) -> bool {
    of_rules || plain.steps.iter().all(|step| knows(*step))
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
            | Word::Start { .. }
            | Word::Note { .. }
            | Word::Open { .. }
            | Word::Close { .. }
            | Word::Log { .. }
            | Word::Fault
    )
}
