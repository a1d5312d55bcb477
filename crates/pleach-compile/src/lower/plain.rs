//! Constructors for nodes that hold no position of their own, and for those whose result is the
//! host's answer. The name of the host's action is then made of the node's name and the question:
//! `SeesFoe.OnTest` is the test of the condition `SeesFoe`. Attributes of nodes are passed on
//! unchanged.

use super::{
    Amount, Cooling, FAILURE, ImportKind, Kind, Lowering, Node, Outcome, SUCCESS, SlotKind, Sym, Value,
    lasting,
};
use crate::ir::{self, RUNNING, To};

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

/// Largest number of times that a decorator begins anew in a tick.
const AGAIN: u16 = 10_000;

impl Lowering<'_, '_> {
    /// Returns the name by which a node asks the host for something.
    fn hook(&mut self, node: &Node, what: &str) -> Sym {
        let name = self.session.names.bytes(node.subject.unwrap_or(node.keyword));
        let name = [name, b".", what.as_bytes()].concat();
        self.session.names.intern(&name)
    }

    /// Adds a site where a node asks for something.
    fn asked(&mut self, node: &Node, what: &str) -> u32 {
        let name = self.hook(node, what);
        self.site(ImportKind::Action, name, (0, 0))
    }
}

/// Constructs a test by the host, which may take several ticks.
pub(crate) fn test(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lasting::exclusive_action(lowering.asked(node, "OnTest"))
}

/// Constructs an action of the host. The argument is the status with which it ends.
pub(crate) fn perform(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let outcome = lowering.int_arg(node, 0) as u8;
    Kind::Perform { site: lowering.asked(node, "OnStep"), outcome }
}

/// Constructs a filter: the host lets the child run, and judges its status.
pub(crate) fn filter(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let enter = lowering.asked(node, "OnExecute");
    let report = lowering.hook(node, "OnReport");
    let leave = [FAILURE, SUCCESS, RUNNING];
    let leave = leave.map(|status| lowering.action_with(report, Value::Int(status as i32)));
    Kind::Filter { enter, leave, times: AGAIN }
}

/// Constructs a parallel. The argument is the status that all children must have for the whole to
/// have it. The other status decides at once.
pub(crate) fn policy_parallel(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let branches = lowering.branches();
    let all = branches.len().min(u16::MAX.into()) as u16;
    let (succeed, fail) = if lowering.int_arg(node, 0) == SUCCESS as i32 { (all, 1) } else { (1, all) };
    Kind::Parallel { columns: lasting::columns(lowering, &branches), succeed, fail, early: true }
}
