//! Rules about durations and counts.

use crate::analysis::Set;
use crate::context::{Check, Context, Found, NodeRule};
use crate::rule;
use pleach_compile::diagnostic::Edit;
use pleach_compile::internals::ir::{Amount, FAILURE, Kind, NodeIndex};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule::new(&rule::ZERO_WAIT, zero_wait),
    NodeRule::new(&rule::ZERO_COOLDOWN, zero_cooldown),
    NodeRule::new(&rule::SHORT_TIMEOUT, short_timeout),
    NodeRule::new(&rule::IDLE_TIMEOUT, idle_timeout),
    NodeRule::new(&rule::ZERO_TIMEOUT, zero_timeout),
    NodeRule::new(&rule::COOLED_RETRY, cooled_retry),
    NodeRule::new(&rule::BUSY_LOOP, busy_loop),
];

/// Milliseconds of a try in a loop that is closed by a cooldown. Ticks are usually shorter.
const LONG_TICK: i64 = 1_000;
fn zero_wait(context: &Context<'_>, node: NodeIndex) -> Check {
    let is_zero = matches!(context.kind(node), Kind::Wait { length: Amount::Fixed(0), .. });
    let found = (is_zero && !context.is_given(node)).then(|| {
        let message = format!("this `{}` waits for no time", context.word(node));
        let found = Found::new(context.span(node), message, "take it away, or give it a time");
        let edits = if context.child(node).is_some() { context.unwrap(node) } else { success(context, node) };
        found.edits(edits)
    });
    found.into()
}

/// Returns the change that puts `success` in the place of a leaf.
pub(super) fn success(context: &Context<'_>, node: NodeIndex) -> Option<Vec<Edit>> {
    let span = context.span(node)?;
    let (start, end) = context.texts.get(&span.source)?.leaf(span.start)?;
    Some(vec![Edit { span: pleach_compile::source::Span { start, end, ..span }, text: "success".to_owned() }])
}

fn zero_cooldown(context: &Context<'_>, node: NodeIndex) -> Check {
    let is_zero = match context.kind(node) {
        Kind::Cooldown { duration: Amount::Fixed(duration), rule, .. } => duration <= 0 && rule.reached,
        _ => false,
    };
    let found = (is_zero && !context.is_given(node)).then(|| {
        let found = Found::new(
            context.span(node),
            "this `cooldown` never closes, because it has no time",
            "take it away, or give it a time",
        );
        found.edits(context.unwrap(node))
    });
    found.into()
}

/// Returns the duration of a timeout, unless it depends on a parameter, and its child.
fn timeout(context: &Context<'_>, node: NodeIndex) -> Option<(i64, NodeIndex)> {
    match context.kind(node) {
        Kind::Timeout { duration: Amount::Fixed(duration), .. } if !context.is_given(node) => {
            Some((duration.into(), context.child(node)?))
        }
        _ => None,
    }
}

fn short_timeout(context: &Context<'_>, node: NodeIndex) -> Check {
    let found = timeout(context, node).and_then(|(duration, child)| {
        let least = context.analysis.least.end(child)?;
        let comes_first = duration > 0 && least >= duration;
        let is_short = comes_first && !is_given_inside(context, child);
        is_short.then(|| {
            let message = format!(
                "this `timeout` always halts its child after {duration} ms, but the child takes at least {least} ms"
            );
            let help = "give the timeout more time, or make the child shorter";
            Found::new(context.span(node), message, help).related(context.span(child), "this is the child")
        })
    });
    found.into()
}

/// Returns true if a wait inside a subtree depends on a parameter.
fn is_given_inside(context: &Context<'_>, node: NodeIndex) -> bool {
    let end = context.module.nodes[node as usize].end;
    (node..end).any(|node| matches!(context.kind(node), Kind::Wait { .. }) && context.is_given(node))
}

fn idle_timeout(context: &Context<'_>, node: NodeIndex) -> Check {
    let is_timeout = matches!(context.kind(node), Kind::Timeout { .. });
    let runs = Set::RUNNING.or(Set::OTHER);
    let child = context.child(node).filter(|child| is_timeout && !context.set(*child).has(runs));
    let found = child.map(|child| {
        let message = "this `timeout` never comes, because its child always ends in its first tick";
        let found = Found::new(context.span(node), message, "take it away");
        found.related(context.span(child), "this is the child").edits(context.unwrap(node))
    });
    found.into()
}

fn zero_timeout(context: &Context<'_>, node: NodeIndex) -> Check {
    let found = timeout(context, node).and_then(|(duration, child)| {
        let runs = context.set(child).has(Set::RUNNING);
        (duration <= 0 && runs).then(|| {
            let message = "this `timeout` of no time fails in the tick after it has begun";
            Found::new(context.span(node), message, "give it a time")
        })
    });
    found.into()
}

fn cooled_retry(context: &Context<'_>, node: NodeIndex) -> Check {
    let Kind::Again { again, times: Some((_, Amount::Fixed(times))), .. } = context.kind(node) else {
        return Check::Fine;
    };
    let Some(child) = context.child(node).filter(|_| usize::from(again) == FAILURE) else {
        return Check::Fine;
    };
    let found = match context.kind(child) {
        Kind::Cooldown { duration: Amount::Fixed(duration), rule, .. } if rule.arms[FAILURE] && times > 1 => {
            let is_long = i64::from(duration) >= i64::from(times) * LONG_TICK;
            is_long && !context.is_given(node) && !context.is_given(child)
        }
        _ => false,
    };
    let found = found.then(|| {
        let message = "the tries of this `retry` are used up while the cooldown inside is closed";
        let help = "put the cooldown around the `retry`, or let a `delay` come before each try";
        Found::new(context.span(node), message, help).related(context.span(child), "this is the cooldown")
    });
    found.into()
}

fn busy_loop(context: &Context<'_>, node: NodeIndex) -> Check {
    let is_endless = matches!(context.kind(node), Kind::Again { times: None, .. });
    let child = context.child(node).filter(|child| is_endless && !context.set(*child).has(Set::RUNNING));
    let found = child.map(|child| {
        let message = format!("this `{}` runs its child anew in every tick", context.word(node));
        let help = "let a `wait` or `delay` inside give the processor a rest";
        let found = Found::new(context.span(node), message, help);
        found.related(context.span(child), "this always ends in its first tick")
    });
    found.into()
}
