//! Rules, applied to a program.
//!
//! A tree that others use has a copy in each of these places, and a macro has one where it is
//! expanded. A rule about nodes fires if it fires for all copies that can begin: the text is one,
//! so what is wrong in one copy alone cannot be mended there.

pub(crate) mod conditions;
mod names;
mod shape;
mod status;
pub(crate) mod time;
mod variables;

use crate::context::{Check, Context, Found, NodeRule};
use crate::rule::{self, Rule};
use hashbrown::HashMap;
use pleach_compile::internals::ir::NodeIndex;

/// Rules about nodes, by topic.
const TOPICS: &[&[NodeRule]] =
    &[status::RULES, shape::RULES, time::RULES, conditions::RULES, variables::RULES];

/// Returns the findings of all rules that are on.
pub(crate) fn apply(context: &Context<'_>, is_on: &dyn Fn(&Rule) -> bool) -> Vec<(&'static Rule, Found)> {
    let mut found = Vec::new();
    let groups = copies(context);
    for rule in TOPICS.iter().copied().flatten().filter(|it| is_on(it.rule)) {
        found.extend(groups.iter().filter_map(|nodes| Some((rule.rule, agreed(context, rule, nodes)?))));
    }
    found.extend(variables::accesses(context).into_iter().filter(|(rule, _)| is_on(rule)));
    found.extend(names::names(context).into_iter().filter(|(rule, _)| is_on(rule)));
    found.sort_by_key(|(rule, found)| {
        let place = found.span.map(|span| (span.source, span.start));
        (place, rule.code.id)
    });
    found
}

/// Returns the nodes by their place in the text, in the order of the nodes.
fn copies(context: &Context<'_>) -> Vec<Vec<NodeIndex>> {
    let (mut groups, mut known) = (Vec::<Vec<NodeIndex>>::new(), HashMap::new());
    for (node, row) in (0..).zip(&context.module.nodes) {
        let Some(span) = row.span else { continue };
        let place = (span.source, span.start, span.end, row.label);
        let group = *known.entry(place).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(node);
    }
    groups
}

/// Returns the finding of a rule about copies of a node, if it holds for all that count.
fn agreed(context: &Context<'_>, rule: &NodeRule, nodes: &[NodeIndex]) -> Option<Found> {
    // Rules about children that never begin look at the node around these.
    let looks_around =
        [rule::NEVER_BEGINS, rule::IMPOSSIBLE_CASE, rule::LOW_SCORE, rule::ZERO_WEIGHT].contains(rule.rule);
    let mut first = None;
    for node in nodes {
        if !looks_around && !context.analysis.statuses.begins(*node) {
            continue;
        }
        match (rule.check)(context, *node) {
            Check::Fine => return None,
            Check::Ignored => {}
            Check::Fires(found) => first = first.or(Some(*found)),
        }
    }
    first
}
