//! Constructors for rules, the nodes that agents are at.
//!
//! The first argument holds the flags of the rule. The following arguments are parameters, four for
//! each parameter of an action.

use super::{FAILURE, ImportKind, Kind, Lowering, Node, SUCCESS};
use crate::ir::{Does, Rule};

/// In the first argument: the rule begins again when it is done.
pub(crate) const LOOPS: i32 = 1;
/// In the first argument: the rule succeeds where it would fail.
pub(crate) const OPTIONAL: i32 = 2;

/// Constructs a rule for an action of the host, which is the subject.
pub(crate) fn action_rule(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let (first, count) = node.args;
    let args = (first + 1, count.saturating_sub(1));
    let site = lowering.site(ImportKind::Action, node.subject.unwrap_or(node.keyword), args);
    rule(lowering, node, Does::Act(site))
}

/// Constructs a rule. A list begins again when it is done, if the first
/// argument has the flag [`LOOPS`].
pub(super) fn rule(lowering: &mut Lowering<'_, '_>, node: &Node, does: Does) -> Kind {
    let flags = lowering.int_arg(node, 0);
    let looping = flags & LOOPS != 0;
    let does = match does {
        Does::All { .. } => Does::All { looping },
        Does::Any { .. } => Does::Any { looping },
        does => does,
    };
    let bad = if flags & OPTIONAL != 0 { SUCCESS } else { FAILURE } as u8;
    let rules = &mut lowering.module.rules;
    rules.push(Rule { does, condition: node.condition, bad });
    Kind::Rule(rules.len() as u32 - 1)
}
