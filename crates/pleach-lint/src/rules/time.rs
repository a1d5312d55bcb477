//! Rules about durations and counts.

use crate::analysis::{Set, Statuses};
use crate::context::{Check, Context, Found, NodeRule};
use crate::rule;
use pleach_compile::diagnostic::Edit;
use pleach_compile::internals::ir::{
    Amount, EXITS, FAILURE, Kind, Module, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS, SlotKind,
    Start, To,
};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule { rule: &rule::ZERO_WAIT, check: zero_wait },
    NodeRule { rule: &rule::ZERO_COOLDOWN, check: zero_cooldown },
    NodeRule { rule: &rule::SHORT_TIMEOUT, check: short_timeout },
    NodeRule { rule: &rule::IDLE_TIMEOUT, check: idle_timeout },
    NodeRule { rule: &rule::ZERO_TIMEOUT, check: zero_timeout },
    NodeRule { rule: &rule::COOLED_RETRY, check: cooled_retry },
    NodeRule { rule: &rule::BUSY_LOOP, check: busy_loop },
];

/// Milliseconds of a try in a loop that is closed by a cooldown. Ticks are usually shorter.
const LONG_TICK: i64 = 1_000;
/// Time of something that never happens.
const NEVER: i64 = i64::MAX;

/// Least times from the beginning of a node to each status, running left out.
type Times = [i64; EXITS];

/// Least times of all nodes. Waits for ticks count as no time.
pub(crate) struct Least(Vec<Times>);

impl Least {
    pub(crate) fn new(module: &Module, statuses: &Statuses) -> Self {
        let mut least = Self(vec![[0; EXITS]; module.nodes.len()]);
        for block in &module.blocks {
            for node in (block.root..module.nodes[block.root as usize].end).rev() {
                let mut times = least.times(module, node);
                for (exit, time) in times.iter_mut().enumerate() {
                    if exit == RUNNING || !statuses.of(node).has(Set::of(exit)) {
                        *time = NEVER;
                    }
                }
                least.0[node as usize] = times;
            }
        }
        least
    }

    fn of(&self, node: NodeIndex) -> Times {
        self.0[node as usize]
    }

    /// Returns the least time in which a node ends.
    fn end(&self, node: NodeIndex) -> i64 {
        self.of(node).into_iter().min().unwrap_or(NEVER)
    }

    fn times(&self, module: &Module, node: NodeIndex) -> Times {
        let child = module.children(node).next();
        let inside = child.map_or([0; EXITS], |child| self.of(child));
        // A node that may fail at once keeps the other times of its child.
        let mut or_failure = inside;
        or_failure[FAILURE] = 0;
        match module.nodes[node as usize].kind {
            Kind::Tree | Kind::Logged(_) => inside,
            Kind::Composite(policy, Start::Resume) => self.composite(module, node, policy),
            Kind::Map(table) => mapped(module.maps[table as usize], inside),
            Kind::Guard(_) | Kind::While(_) | Kind::Cooldown { .. } | Kind::Once(..) | Kind::Limit(_) => {
                or_failure
            }
            Kind::Timeout { .. } => or_failure,
            Kind::Wait { timer, length: Amount::Fixed(length) }
                if module.slots[usize::from(timer)].kind == SlotKind::Time =>
            {
                inside.map(|time| time.saturating_add(length.max(0).into()))
            }
            Kind::Wait { .. } => inside,
            _ => [0; EXITS],
        }
    }

    /// Returns the times of a list that goes on while its children have one status.
    fn composite(&self, module: &Module, node: NodeIndex, policy: Policy) -> Times {
        let goes_on = match policy {
            Policy::SEQUENCE => SUCCESS,
            Policy::SELECTOR => FAILURE,
            _ => return [0; EXITS],
        };
        let (mut times, mut before) = ([NEVER; EXITS], 0_i64);
        for child in module.children(node) {
            for (exit, time) in self.of(child).into_iter().enumerate().filter(|(exit, _)| *exit != goes_on) {
                times[exit] = times[exit].min(before.saturating_add(time));
            }
            before = before.saturating_add(self.of(child)[goes_on]);
        }
        times[goes_on] = before;
        times
    }
}

/// Returns the times of a decorator.
fn mapped(table: [To; EXITS], inside: Times) -> Times {
    let mut times = [NEVER; EXITS];
    for (exit, time) in inside.into_iter().enumerate() {
        let to = match table[exit] {
            To::Same => exit,
            To::Status(Outcome::Failure) => FAILURE,
            To::Status(Outcome::Success) => SUCCESS,
            To::Status(Outcome::Running) => RUNNING,
            To::Status(Outcome::Other(_)) => OTHER,
        };
        // A child that runs may be said to end, as often as it runs.
        times[to] = times[to].min(if exit == RUNNING && to != RUNNING { 0 } else { time });
    }
    times
}

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
    let (start, end) = context.tokens.get(&span.source)?.leaf(span.start)?;
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
        let least = context.least.end(child);
        let comes_first = duration > 0 && least != NEVER && least >= duration;
        let is_short = comes_first && !is_given_inside(context, child);
        is_short.then(|| {
            let message = format!(
                "this `timeout` of {duration} ms always comes before its child can end, which takes {least} ms"
            );
            let help = "give it more time, or let the child take less";
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
