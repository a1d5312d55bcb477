//! Rules about variables.

use super::time::success;
use crate::agree::{Presence, Seen, Subject};
use crate::analysis::values::{is_math, parts};
use crate::context::{Check, Context, Found, NodeRule};
use crate::rule::{self, Rule};
use hashbrown::{HashMap, HashSet};
use pleach_compile::internals::ir::{Expr, How, Kind, Math, NodeIndex, Step, Typed};
use pleach_compile::internals::text::Sym;
use pleach_compile::source::Span;

pub(super) const RULES: &[NodeRule] =
    &[NodeRule::new(&rule::SELF_ASSIGNED, self_assigned), NodeRule::new(&rule::OVERWRITTEN, overwritten)];

/// Largest number of parts of an expression that is searched for a variable.
const MAX_PARTS: usize = 256;

fn self_assigned(context: &Context<'_>, node: NodeIndex) -> Check {
    let Kind::Set(slot, expr) = context.kind(node) else { return Check::Fine };
    let module = context.module;
    let is = |expr: u32, other: Expr| module.exprs[expr as usize] == other;
    let with = |operator: Math, neutral: f64| {
        is_math(module, expr, operator)
            .is_some_and(|(left, right)| is(left, Expr::Slot(slot)) && is(right, Expr::Number(neutral)))
    };
    let no_change = is(expr, Expr::Slot(slot))
        || with(Math::Add, 0.0)
        || with(Math::Subtract, 0.0)
        || with(Math::Multiply, 1.0)
        || with(Math::Divide, 1.0);
    let found = (no_change && context.is_written(node) && !context.is_given(node)).then(|| {
        let name = module.slots[usize::from(slot)].name.map_or_else(String::new, |name| context.name(name));
        let message = format!("this writes the value that `{name}` has already");
        Found::new(context.span(node), message, "take it away, or write another value")
            .edits(success(context, node).filter(|_| !is_among_writes(context, node)))
    });
    found.into()
}

/// Returns true if only some nodes can stand where a node is: in an event and in the first block of
/// a `cleanup` or an `every`.
fn is_among_writes(context: &Context<'_>, node: NodeIndex) -> bool {
    let parent = context.family(node).parent;
    let is_inner = |parent| context.is_first_block(parent) || context.is_handler(parent);
    context.is_handler(node) || parent.is_some_and(is_inner)
}

/// Variable that a node writes as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Own(u16),
    Shared(u16),
}

fn written(kind: Kind) -> Option<(Written, u32)> {
    match kind {
        Kind::Set(slot, expr) => Some((Written::Own(slot), expr)),
        Kind::Share(shared, How::Assign, expr) => Some((Written::Shared(shared), expr)),
        _ => None,
    }
}

fn overwritten(context: &Context<'_>, node: NodeIndex) -> Check {
    let Some(parent) = context.family(node).parent.filter(|_| context.is_written(node)) else {
        return Check::Fine;
    };
    let Kind::Composite(policy, _) = context.kind(parent) else { return Check::Fine };
    let next = context.module.nodes[node as usize].end;
    let is_followed = next < context.module.nodes[parent as usize].end && policy.on[1] == Step::Next;
    if !is_followed {
        return Check::Fine;
    }
    let pair = written(context.kind(node)).zip(written(context.kind(next)));
    let found = pair.filter(|((first, _), (second, value))| {
        let read = match first {
            Written::Own(slot) => Expr::Slot(*slot),
            Written::Shared(shared) => Expr::Shared(*shared),
        };
        let parts = parts(context.module, *value, MAX_PARTS);
        let reads =
            parts.is_none_or(|parts| parts.iter().any(|part| context.module.exprs[*part as usize] == read));
        // A write of a shared variable has its effect when the tick has ended.
        let reads = reads && matches!(first, Written::Own(_));
        first == second && !reads && !context.analysis.values.asks[*value as usize]
    });
    let found = found.map(|_| {
        let message = "this write has no effect, because the next one replaces its value";
        Found::new(context.span(node), message, "take it away, or write another variable")
            .related(context.span(next), "this is the next one")
    });
    found.into()
}

/// Returns the findings about variables that are only read or only written. Adds the variables that
/// the program reads or writes to `seen`.
pub(super) fn accesses(context: &Context<'_>, seen: &mut Seen) -> Vec<(&'static Rule, Found)> {
    let module = context.module;
    let mut places: HashMap<Sym, Span> = HashMap::new();
    for (name, span) in module.declared.iter().filter(|(name, _)| !module.names.bytes(*name).is_empty()) {
        places.entry(*name).or_insert(*span);
    }
    // Copies of a tree have variables of their own with one declaration, and so have the parts of a
    // vector.
    let mut accesses: Vec<(Span, Sym, Access)> = Vec::new();
    let mut known: HashMap<(u32, u32), usize> = HashMap::new();
    let mut add = |name: Sym, access: Access| {
        let Some(span) = places.get(&name).copied() else { return };
        let index = *known.entry((span.source.0, span.start)).or_insert_with(|| {
            accesses.push((span, name, Access::default()));
            accesses.len() - 1
        });
        let (_, first, all) = &mut accesses[index];
        let [first, other] = [*first, name].map(|name| context.name(name));
        all.is_vector |= unnumbered(&first) != unnumbered(&other);
        all.is_read |= access.is_read;
        all.is_written |= access.is_written;
        all.begins_anew |= access.begins_anew;
    };
    let uses = &context.analysis.uses;
    let is_write = |node: &NodeIndex| context.word(*node) != "var";
    // Only the game writes tunables.
    let tunables: HashSet<Typed> = module.tunables.iter().map(|it| it.variable).collect();
    for (index, slot) in module.slots.iter().enumerate() {
        if let Some(name) = slot.name.filter(|_| !tunables.contains(&Typed::Slot(index as u16))) {
            let writes = &uses.slots_written[index];
            let is_written = writes.iter().any(is_write);
            let begins_anew = writes.iter().any(|node| !is_write(node));
            let is_read = uses.slots_read[index];
            add(name, Access { is_read, is_written, begins_anew, ..Access::default() });
        }
    }
    let shared = module.shared.iter().enumerate();
    for (index, shared) in shared.filter(|(index, _)| !tunables.contains(&Typed::Shared(*index as u16))) {
        let is_written = !uses.shared_written[index].is_empty();
        let is_read = uses.shared_read[index];
        add(shared.name, Access { is_read, is_written, ..Access::default() });
    }
    let is_accessed = |(.., access): &(Span, Sym, Access)| access.is_read || access.is_written;
    let finding = |(span, name, access): (Span, Sym, Access)| {
        let subject = Subject { place: context.place(span), needs: Presence::Itself };
        seen.insert(subject.place, subject.needs);
        let (rule, found) = access.finding(context, span, name)?;
        Some((rule, Found { subject: Some(subject), ..found }))
    };
    accesses.into_iter().filter(is_accessed).filter_map(finding).collect()
}

/// Returns the name of a variable without the number of its copy.
fn unnumbered(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}

/// Accesses of a variable by all copies of its tree.
#[derive(Clone, Copy, Default)]
struct Access {
    is_read: bool,
    is_written: bool,
    /// True if the variable is set when its tree begins. A variable that keeps its value may be one
    /// for the game to read.
    begins_anew: bool,
    /// True if the variable is a vector, whose name stands before that of a part.
    is_vector: bool,
}

impl Access {
    fn finding(self, context: &Context<'_>, span: Span, name: Sym) -> Option<(&'static Rule, Found)> {
        let name = context.name(name);
        let whole = unnumbered(&name);
        let vector = whole.rsplit_once('.').filter(|_| self.is_vector);
        let whole = vector.map_or(whole, |(vector, _)| vector);
        // The variable of a tree has the name of the tree before its own.
        let local = whole.split_once('.').map(|(_, local)| local);
        let shown = local.unwrap_or(whole);
        match (self.is_read, self.is_written, local) {
            (false, true, _) => {
                let is_inner = local.is_some() && self.begins_anew;
                let rule = if is_inner { &rule::UNREAD_LOCAL } else { &rule::UNREAD };
                let message = format!("the variable `{shown}` is written, but no tree reads it");
                Some((rule, Found::new(Some(span), message, "read it, or take it away with its writes")))
            }
            (true, false, None) => {
                let message = format!("the variable `{shown}` is read, but no tree writes it");
                let help = "if the game does not write it either, a `const` says the same";
                Some((&rule::UNWRITTEN, Found::new(Some(span), message, help)))
            }
            _ => None,
        }
    }
}
