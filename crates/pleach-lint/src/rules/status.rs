//! Rules about the statuses that nodes can return.

use crate::analysis::Set;
use crate::context::{Check, Context, Found, NodeRule};
use crate::rule;
use pleach_compile::internals::ir::{EXITS, Kind, NodeIndex, OTHER, SUCCESS, To};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule::about_child(&rule::NEVER_BEGINS, never_begins),
    NodeRule::new(&rule::NEVER_ENDS, never_ends),
    NodeRule::new(&rule::NO_EFFECT, no_effect),
    NodeRule::new(&rule::NEVER_SUCCEEDS, never_succeeds),
    NodeRule::new(&rule::NEVER_FAILS, never_fails),
    NodeRule::new(&rule::UNDONE, undone),
    NodeRule::new(&rule::INVERTED_TWICE, inverted_twice),
];

/// Statuses that a node of the language can change.
const ENDS: Set = Set::SUCCESS.or(Set::FAILURE);

fn never_begins(context: &Context<'_>, node: NodeIndex) -> Check {
    let statuses = &context.analysis.statuses;
    let family = context.family(node);
    let Some(parent) = family.parent else { return Check::Ignored };
    let Kind::Composite(policy, _) = context.kind(parent) else { return Check::Ignored };
    if !statuses.begins(parent) {
        return Check::Ignored;
    }
    let Some(earlier) = family.before.filter(|_| !statuses.begins(node)) else { return Check::Fine };
    // Only the first such child is reported, and not again if the compiler has reported it.
    if !statuses.begins(earlier) || context.is_told("W0602", node) {
        return Check::Fine;
    }
    let sequence = policy.last == SUCCESS as u8;
    let never = if context.set(earlier).has(ENDS) {
        if sequence { "never succeeds" } else { "never fails" }
    } else {
        "never ends"
    };
    let message = format!("this `{}` never begins, because the child before it {never}", context.word(node));
    let help = "take it away, put it before that child, or change that child";
    let found = Found::new(context.span(node), message, help);
    Some(found.related(context.span(earlier), &format!("this {never}"))).into()
}

fn never_ends(context: &Context<'_>, node: NodeIndex) -> Check {
    // Other statuses than the three must pass the node.
    let waits = match context.kind(node) {
        Kind::Map(table) => context.module.maps[table as usize][OTHER] == To::Same,
        Kind::Cooldown { rule, .. } => !rule.arms[OTHER],
        kind => matches!(kind, Kind::Once(..) | Kind::Again { .. }),
    };
    let child = context.child(node).filter(|child| waits && !context.set(*child).has(ENDS));
    let found = child.map(|child| {
        let message =
            format!("this `{}` has no effect, because its child never succeeds or fails", context.word(node));
        let help = "take it away, or let the child end";
        let found = Found::new(context.span(node), message, help).edits(context.unwrap(node));
        found.related(context.span(child), "this never ends")
    });
    found.into()
}

fn no_effect(context: &Context<'_>, node: NodeIndex) -> Check {
    let Some(child) = context.child(node).filter(|child| context.set(*child).has(ENDS)) else {
        return Check::Fine;
    };
    let set = context.set(child);
    let never = match context.kind(node) {
        Kind::Map(table) if context.is_plain(node) => {
            let table = context.module.maps[table as usize];
            let changed = (0..EXITS).filter(|exit| mapped(table, *exit) != *exit);
            let changed = changed.fold(Set::NONE, |all, exit| all.or(Set::of(exit)));
            (changed != Set::NONE && !set.has(changed)).then_some(changed)
        }
        Kind::Again { again, .. } => Some(Set::of(again.into())).filter(|again| !set.has(*again)),
        _ => None,
    };
    let found = never.map(|never| {
        let status = if never == Set::SUCCESS {
            "succeeds"
        } else if never == Set::FAILURE {
            "fails"
        } else {
            "ends so"
        };
        let message =
            format!("this `{}` has no effect, because its child never {status}", context.word(node));
        let found = Found::new(context.span(node), message, "take it away, or change its child");
        let found = found.related(context.span(child), &format!("this never {status}"));
        // A loop ends with another status than its child.
        let keeps = matches!(context.kind(node), Kind::Map(_));
        found.edits(context.unwrap(node).filter(|_| keeps))
    });
    found.into()
}

/// Returns the status that a decorator makes of a status, both by their index.
fn mapped(table: [To; EXITS], exit: usize) -> usize {
    table[exit].exit(exit)
}

fn list_without(context: &Context<'_>, node: NodeIndex, status: Set, word: &str) -> Check {
    let is_list = matches!(context.kind(node), Kind::Composite(..)) && context.is_written(node);
    let set = context.set(node);
    let found = (is_list && set.has(ENDS) && !set.has(status)).then(|| {
        let message = format!("this `{}` never {word}", context.word(node));
        Found::new(context.span(node), message, "nodes around it never see that status")
    });
    found.into()
}

fn never_succeeds(context: &Context<'_>, node: NodeIndex) -> Check {
    list_without(context, node, Set::SUCCESS, "succeeds")
}

fn never_fails(context: &Context<'_>, node: NodeIndex) -> Check {
    list_without(context, node, Set::FAILURE, "fails")
}

/// Returns the tables of two decorators, one directly inside of the other, and the inner node.
fn two_maps(context: &Context<'_>, node: NodeIndex) -> Option<([[To; EXITS]; 2], NodeIndex)> {
    let inner = context.child(node).filter(|inner| context.is_inside(node, *inner))?;
    match (context.kind(node), context.kind(inner)) {
        (Kind::Map(outer), Kind::Map(within)) if context.is_plain(node) && context.is_plain(inner) => {
            Some(([outer, within].map(|table| context.module.maps[table as usize]), inner))
        }
        _ => None,
    }
}

fn undone(context: &Context<'_>, node: NodeIndex) -> Check {
    let found = two_maps(context, node).and_then(|([outer, within], inner)| {
        let is_undone = (0..EXITS).all(|exit| mapped(outer, mapped(within, exit)) == mapped(outer, exit));
        is_undone.then(|| {
            let message = format!(
                "this `{}` has no effect, because of the `{}` around it",
                context.word(inner),
                context.word(node)
            );
            let found = Found::new(context.span(inner), message, "take it away");
            found.related(context.span(node), "this undoes it").edits(context.unwrap(inner))
        })
    });
    found.into()
}

fn inverted_twice(context: &Context<'_>, node: NodeIndex) -> Check {
    let found = two_maps(context, node).and_then(|([outer, within], inner)| {
        let is_identity = (0..EXITS).all(|exit| mapped(outer, mapped(within, exit)) == exit);
        is_identity.then(|| {
            let message = "these two decorators together change nothing";
            let found = Found::new(context.span(node), message, "take both away");
            let edits = context.unwrap(node).zip(context.unwrap(inner));
            found
                .related(context.span(inner), "this is the other one")
                .edits(edits.map(|(outer, within)| [outer, within].concat()))
        })
    });
    found.into()
}
