//! Rules about conditions, cases, scores and weights.

use crate::context::{Check, Context, Found, NodeRule};
use crate::rule;
use pleach_compile::internals::ir::{Binary, By, Expr, Kind, NodeIndex};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule::new(&rule::IMPLIED, implied),
    NodeRule::new(&rule::CONTRADICTED, contradicted),
    NodeRule::new(&rule::CONSTANT, constant),
    NodeRule::about_child(&rule::IMPOSSIBLE_CASE, impossible_case),
    NodeRule::new(&rule::CONSTANT_SCORES, constant_scores),
    NodeRule::about_child(&rule::LOW_SCORE, low_score),
    NodeRule::about_child(&rule::ZERO_WEIGHT, zero_weight),
];

fn by_reason(context: &Context<'_>, node: NodeIndex, value: bool) -> Check {
    let facts = &context.analysis.facts;
    let reason = facts.reason(node).filter(|_| facts.truth(node) == Some(value));
    let found = reason.map(|reason| {
        let word = if value { "true" } else { "false" };
        let message = format!("the condition of this `{}` is always {word} here", context.word(node));
        let help = if value {
            "take it away, or ask for something else"
        } else {
            "take the node away, or ask for something else"
        };
        let because = format!("because of this `{}`", context.word(reason));
        Found::new(context.span(node), message, help).related(context.span(reason), &because)
    });
    found.into()
}

fn implied(context: &Context<'_>, node: NodeIndex) -> Check {
    by_reason(context, node, true)
}

fn contradicted(context: &Context<'_>, node: NodeIndex) -> Check {
    by_reason(context, node, false)
}

fn constant(context: &Context<'_>, node: NodeIndex) -> Check {
    let facts = &context.analysis.facts;
    let truth = facts.truth(node).filter(|_| facts.reason(node).is_none());
    let found = truth.map(|truth| {
        let word = context.word(node);
        let message = match (word.as_str(), truth) {
            ("chance", true) => "this `chance` is always taken".to_owned(),
            ("chance", false) => "this `chance` is never taken".to_owned(),
            _ => format!("the condition of this `{word}` is always {truth}, whatever its variables are"),
        };
        let help = "the result is the same for all values that its variables and functions can have; correct or remove it";
        Found::new(context.span(node), message, help)
    });
    found.into()
}

/// Returns the node around a child that can never be chosen, and the number of the child.
fn choice(context: &Context<'_>, node: NodeIndex) -> Result<(NodeIndex, By, usize), Check> {
    let statuses = &context.analysis.statuses;
    let family = context.family(node);
    let parent = family.parent.ok_or(Check::Ignored)?;
    let Kind::Choose { by, .. } = context.kind(parent) else { return Err(Check::Ignored) };
    if !statuses.begins(parent) || !context.is_written(node) {
        return Err(Check::Ignored);
    }
    if statuses.begins(node) {
        return Err(Check::Fine);
    }
    Ok((parent, by, family.ordinal))
}

/// Returns true if a test compares a random number, as weights do.
fn draws(context: &Context<'_>, test: u32) -> bool {
    let mut parts = context.module.exprs[test as usize].operands();
    parts.any(|part| matches!(context.module.exprs[part as usize], Expr::Draw(_)))
}

/// Returns true if a choice by conditions is a random one.
fn is_random(context: &Context<'_>, by: By) -> bool {
    match by {
        By::First(first) => {
            context.module.tests.get(first as usize).is_some_and(|test| draws(context, *test))
        }
        _ => false,
    }
}

fn impossible_case(context: &Context<'_>, node: NodeIndex) -> Check {
    let (parent, by, index) = match choice(context, node) {
        Ok(choice) => choice,
        Err(check) => return check,
    };
    let (By::First(first) | By::Value(_, _, first)) = by else { return Check::Fine };
    if is_random(context, by) {
        return Check::Fine;
    }
    let test = context.module.tests.get(first as usize + index);
    let case = test.and_then(|test| match context.module.exprs[*test as usize] {
        Expr::Binary(Binary::Equal, _, case) => match context.module.exprs[case as usize] {
            Expr::Number(case) => Some(case),
            _ => None,
        },
        _ => None,
    });
    let found = case.map(|case| {
        let message = format!("the value of this `{}` is never {case}", context.word(parent));
        let help = "take the case away, or give it a value that comes";
        Found::new(context.span(node), message, help)
            .related(context.span(parent), "this is what the case belongs to")
    });
    found.into()
}

fn constant_scores(context: &Context<'_>, node: NodeIndex) -> Check {
    let mut children = context.module.children(node);
    let several = children.next().is_some() && children.next().is_some();
    let found = (several && context.of_constants.contains(&node) && !context.is_given(node)).then(|| {
        let message = format!("all scores of this `{}` are constants", context.word(node));
        let help = "it always picks the same child: let scores depend on variables or queries";
        Found::new(context.span(node), message, help)
    });
    found.into()
}

fn low_score(context: &Context<'_>, node: NodeIndex) -> Check {
    let (parent, by, _) = match choice(context, node) {
        Ok(choice) => choice,
        Err(check) => return check,
    };
    let is_score =
        matches!(by, By::Highest(_) | By::Keeping { .. }) && !context.of_constants.contains(&parent);
    let found = is_score.then(|| {
        let message = "the score of this child is never the highest";
        let help = "another child always has a higher score, or comes first with an equal one";
        let around = format!("this is the `{}`", context.word(parent));
        Found::new(context.span(node), message, help).related(context.span(parent), &around)
    });
    found.into()
}

fn zero_weight(context: &Context<'_>, node: NodeIndex) -> Check {
    let (_, by, _) = match choice(context, node) {
        Ok(choice) => choice,
        Err(check) => return check,
    };
    let found = is_random(context, by).then(|| {
        let message = "this child is never drawn, because its weight is 0";
        Found::new(context.span(node), message, "give it a weight, or take it away")
    });
    found.into()
}
