//! Constructors for nodes that hold no position of their own.

use super::{Amount, Cooling, Kind, Lowering, Node, Outcome, SlotKind};
use crate::ir::{self, To};

/// Constructs an action. The subject is an action of the host. It is not called while
/// the dialect's gate is shut.
pub(crate) fn action(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Action { site: lowering.acts(node), gate: lowering.gate, exclusive: false }
}

/// Constructs an action that is always called. The keyword itself is an action of the host.
pub(crate) fn keyword_action(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let site = lowering.site(ir::ImportKind::Action, node.keyword, node.args);
    Kind::Action { site, gate: None, exclusive: false }
}

/// Constructs a call of another tree, which is the subject. The front end has made sure that this
/// tree comes earlier in the file.
pub(crate) fn include(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let block = node.subject.and_then(|name| lowering.known.blocks.known(name));
    Kind::Call(block.unwrap_or_default())
}

/// Every status becomes the one that the argument numbers.
pub(crate) fn constant(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lowering.table([To::Status(outcome(lowering.int_arg(node, 0))); ir::EXITS])
}

/// Constructs a map of statuses. The three arguments are the new numbers of failure, success and
/// running; other statuses stay.
pub(crate) fn status_map(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let to = |index| To::Status(outcome(lowering.int_arg(node, index)));
    let table = [to(0), to(1), to(2), To::Same];
    lowering.table(table)
}

/// No second try within the argument's time after a failure.
pub(crate) fn cooldown(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let duration = lowering.int_arg(node, 0);
    let rule = Cooling { reached: false, arms: [true, false, false, false] };
    Kind::Cooldown { slot: lowering.own_slot(SlotKind::Time), duration: Amount::Fixed(duration), rule }
}

/// Returns a status by its number.
fn outcome(number: i32) -> Outcome {
    match number {
        0 => Outcome::Failure,
        1 => Outcome::Success,
        2 => Outcome::Running,
        other => Outcome::Other(other),
    }
}
