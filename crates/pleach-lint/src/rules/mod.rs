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

use crate::agree::{Place, Seen, Subject};
use crate::context::{Check, Context, Found, NodeRule};
use crate::rule::Rule;
use hashbrown::HashMap;
use pleach_compile::internals::ir::NodeIndex;

/// Rules about nodes, by topic.
const TOPICS: &[&[NodeRule]] =
    &[status::RULES, shape::RULES, time::RULES, conditions::RULES, variables::RULES];

/// Findings of rules, and the places that the rules have looked at.
pub(crate) struct Applied {
    pub(crate) found: Vec<(&'static Rule, Found)>,
    pub(crate) seen: Seen,
}

/// Applies all rules that are on.
pub(crate) fn apply(context: &Context<'_>, is_on: &dyn Fn(&Rule) -> bool) -> Applied {
    let (mut found, mut seen) = (Vec::new(), Seen::new());
    let groups = copies(context);
    for (place, nodes) in &groups {
        if let Some(presence) = nodes.iter().filter_map(|node| context.presence(*node)).max() {
            let known = seen.entry(*place).or_insert(presence);
            *known = presence.max(*known);
        }
    }
    for rule in TOPICS.iter().copied().flatten().filter(|it| is_on(it.rule)) {
        found.extend(groups.iter().filter_map(|group| Some((rule.rule, of_copies(context, rule, group)?))));
    }
    let accessed = variables::accesses(context, &mut seen);
    found.extend(accessed.into_iter().filter(|(rule, _)| is_on(rule)));
    found.extend(names::names(context).into_iter().filter(|(rule, _)| is_on(rule)));
    found.sort_by_key(|(rule, found)| {
        let place = found.span.map(|span| (span.source, span.start));
        (place, rule.code.id)
    });
    Applied { found, seen }
}

/// Nodes that are written at one place.
type Copies = (Place, Vec<NodeIndex>);

/// Returns the nodes by their place in the text, in the order of the nodes.
fn copies(context: &Context<'_>) -> Vec<Copies> {
    let (mut groups, mut known) = (Vec::<Copies>::new(), HashMap::new());
    for (node, row) in (0..).zip(&context.module.nodes) {
        let Some(span) = row.span else { continue };
        let place = context.place(span);
        let group = *known.entry((place, row.label)).or_insert_with(|| {
            groups.push((place, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(node);
    }
    groups
}

/// Returns the finding of a rule about copies of a node, if it holds for all that count.
fn of_copies(context: &Context<'_>, rule: &NodeRule, (place, nodes): &Copies) -> Option<Found> {
    let mut first = None;
    for node in nodes {
        if context.presence(*node).is_none_or(|presence| presence < rule.needs) {
            continue;
        }
        match (rule.check)(context, *node) {
            Check::Fine => return None,
            Check::Ignored => {}
            Check::Fires(found) => first = first.or(Some(*found)),
        }
    }
    let subject = Some(Subject { place: *place, needs: rule.needs });
    first.map(|found| Found { subject, ..found })
}
