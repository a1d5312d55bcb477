//! Constructors for rules, the nodes that agents are at.
//!
//! Their first argument says how they are; what follows are parameters, of which actions are passed four values each.

use super::Lowering;
use crate::ast::Node;
use crate::ir::{Does, FAILURE, ImportKind, Kind, Outcome, Rule, SUCCESS};

/// In the first argument: the rule begins again when it is done.
pub(crate) const LOOPS: i32 = 1;
/// In the first argument: the rule succeeds where it would fail.
pub(crate) const OPTIONAL: i32 = 2;
/// How many arguments a parameter makes: its name, and its value as text, as an integer and as a float.
pub(crate) const VALUES: u32 = 4;

/// The subject is an action of the host.
pub(super) fn action_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let (first, count) = node.args;
    let args = (first + 1, count.saturating_sub(1));
    let site = lowering.site(ImportKind::Action, node.subject.unwrap_or(node.keyword), args);
    rule(lowering, node, Does::Act(site))
}

/// Its children one after the other, while they succeed.
pub(super) fn sequence_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let looping = lowering.int_arg(node, 0) & LOOPS != 0;
    rule(lowering, node, Does::All { looping })
}

/// Its children one after the other, while they fail.
pub(super) fn choice_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let looping = lowering.int_arg(node, 0) & LOOPS != 0;
    rule(lowering, node, Does::Any { looping })
}

/// Succeeds.
pub(super) fn success_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    rule(lowering, node, Does::End(Outcome::Success))
}

/// Fails.
pub(super) fn failure_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    rule(lowering, node, Does::Fail)
}

/// Runs.
pub(super) fn running_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    rule(lowering, node, Does::End(Outcome::Running))
}

/// Runs once.
pub(super) fn yield_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    rule(lowering, node, Does::Yield)
}

fn rule(lowering: &mut Lowering<'_, '_>, node: &Node, does: Does) -> Kind {
    let optional = lowering.int_arg(node, 0) & OPTIONAL != 0;
    let bad = if optional { SUCCESS } else { FAILURE } as u8;
    let rules = &mut lowering.module.rules;
    rules.push(Rule { does, condition: node.condition, bad });
    Kind::Rule(rules.len() as u32 - 1)
}
