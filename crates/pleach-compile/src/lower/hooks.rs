//! Constructors for nodes whose result is the host's answer. The name of the host's action is made
//! of the node's name and the question.
//!
//! `SeesFoe.OnTest` is the test of the condition `SeesFoe`. Attributes of
//! nodes are passed on unchanged.

use super::{FAILURE, ImportKind, Kind, Lowering, Node, SUCCESS, Sym, Value, lasting};
use crate::ir::RUNNING;

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
