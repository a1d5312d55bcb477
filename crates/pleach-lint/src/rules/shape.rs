//! Rules about lists and loops that say less than they seem to.

use crate::analysis::Set;
use crate::context::{Check, Context, Found, NodeRule};
use crate::describe::same_meaning;
use crate::rule;
use pleach_compile::internals::ir::{Amount, Kind, NodeIndex, Step};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule::new(&rule::ONE_CHILD, one_child),
    NodeRule::new(&rule::REPEATED_CHILD, repeated_child),
    NodeRule::new(&rule::ONCE_AROUND, once_around),
    NodeRule::new(&rule::NEVER_ENOUGH, never_enough),
    NodeRule::new(&rule::ENDS_AT_ONCE, ends_at_once),
];

fn is_list(context: &Context<'_>, node: NodeIndex) -> bool {
    let kinds = matches!(
        context.kind(node),
        Kind::Composite(..) | Kind::Choose { .. } | Kind::Shuffle { .. } | Kind::Parallel { .. }
    );
    // The first block of a `cleanup` or an `every`, and the handler of an event, are lists of their
    // own kind. In other dialects, lists have names and states, by which games find them.
    kinds && context.is_of_language(node) && !context.is_first_block(node) && !context.is_handler(node)
}

fn one_child(context: &Context<'_>, node: NodeIndex) -> Check {
    let mut children = context.module.children(node);
    let (Some(child), None) = (children.next(), children.next()) else { return Check::Fine };
    let keeps = match context.kind(node) {
        // The status of the only child must become that of the list.
        Kind::Composite(policy, _) => (0..4).all(|exit| {
            policy.on[exit] == Step::End || policy.on[exit] == Step::Next && usize::from(policy.last) == exit
        }),
        // A parallel has a position of its own, which actions that end in other ways can tell.
        Kind::Parallel { succeed, fail, .. } => succeed == 1 && fail == 1,
        _ => true,
    };
    let found = (keeps && is_list(context, node)).then(|| {
        let message =
            format!("this `{}` has one child, and is as good as the child alone", context.word(node));
        let is_parallel = matches!(context.kind(node), Kind::Parallel { .. });
        // The child of a choice has a weight, score or value before it.
        let edits = context.unwrap(node).filter(|_| !is_parallel && !has_label(context, node));
        let found = Found::new(context.span(node), message, "write the child in its place");
        found.related(context.span(child), "this is the child").edits(edits)
    });
    found.into()
}

fn has_label(context: &Context<'_>, node: NodeIndex) -> bool {
    matches!(context.kind(node), Kind::Choose { .. })
}

fn repeated_child(context: &Context<'_>, node: NodeIndex) -> Check {
    let family = context.family(node);
    let (Some(parent), true) = (family.parent, context.is_of_language(node)) else {
        return Check::Fine;
    };
    if !matches!(context.kind(parent), Kind::Composite(..)) || context.is_first_block(parent) {
        return Check::Fine;
    }
    let earlier = family.before.filter(|earlier| same_meaning(context.module, *earlier, node));
    let found = earlier.map(|earlier| {
        let message = format!("this `{}` is the same as the child before it", context.word(node));
        let help = "take it away, or use `retry` or `repeat` if it is meant to run twice";
        Found::new(context.span(node), message, help).related(context.span(earlier), "this is the first")
    });
    found.into()
}

fn once_around(context: &Context<'_>, node: NodeIndex) -> Check {
    let is_once = matches!(context.kind(node), Kind::Again { times: Some((_, Amount::Fixed(1))), .. });
    let found = (is_once && !context.is_given(node)).then(|| {
        let message = format!("this `{}` runs its child once, as the child alone does", context.word(node));
        let found = Found::new(context.span(node), message, "take it away, or give it a larger number");
        let Kind::Again { again, spent, broken, .. } = context.kind(node) else { return found };
        let keeps = again == spent && again != broken;
        found.edits(context.unwrap(node).filter(|_| keeps))
    });
    found.into()
}

fn never_enough(context: &Context<'_>, node: NodeIndex) -> Check {
    let Kind::Parallel { succeed, .. } = context.kind(node) else { return Check::Fine };
    let branches = context.module.children(node).count();
    // `succeed all` is the usual policy, and a larger number is reported by the compiler.
    let is_chosen = succeed > 0 && usize::from(succeed) < branches;
    let can = context.module.children(node).filter(|child| context.set(*child).has(Set::SUCCESS)).count();
    // If no branch can succeed, the parallel is not meant to.
    let found = (is_chosen && can > 0 && !context.set(node).has(Set::SUCCESS)).then(|| {
        let message = format!(
            "this `{}` never succeeds: it waits for {succeed} successful branches, and only {can} can succeed",
            context.word(node)
        );
        Found::new(context.span(node), message, "wait for fewer, or let more branches succeed")
    });
    found.into()
}

fn ends_at_once(context: &Context<'_>, node: NodeIndex) -> Check {
    let Kind::Parallel { succeed, fail, .. } = context.kind(node) else { return Check::Fine };
    let branches = || context.module.children(node);
    let always = |ends: Set| move |child: &NodeIndex| !context.set(*child).has(Set::ALL.without(ends));
    let fails = Set::FAILURE.or(Set::OTHER);
    let count = |ends: Set| branches().filter(always(ends)).count();
    let decided = if succeed > 0 && count(Set::SUCCESS) >= succeed.into() {
        Set::SUCCESS
    } else if fail > 0 && count(fails) >= fail.into() {
        fails
    } else {
        return Check::Fine;
    };
    let running = branches().find(|child| context.set(*child).has(Set::RUNNING));
    let cause = branches().find(always(decided));
    let found = running.zip(cause).map(|(running, cause)| {
        let word = if decided == Set::SUCCESS { "succeeds" } else { "fails" };
        let message = format!("this `{}` always {word} in its first tick", context.word(node));
        let help = "wait for more branches, or put the branch that ends at once before the parallel";
        Found::new(context.span(node), message, help)
            .related(context.span(cause), &format!("this {word} at once"))
            .related(context.span(running), "this is halted in the tick in which it begins, if it runs")
    });
    found.into()
}
