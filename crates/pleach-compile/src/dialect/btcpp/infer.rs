//! The one type of each entry.
//!
//! All writes that can be the first one of an entry must agree. A write whose value is computed
//! from the entry itself is not the first one, and neither is a write that follows another one in a
//! sequence.

use super::entries::Entries;
use super::instance::Program;
use super::kinds::Rule;
use super::script::{Expr, Operator, Script, operands};
use super::writes::{Kind, Source, Write, kind_of_port};
use super::{Refused, refused};
use crate::codes;

impl Entries {
    /// Returns true if an expression reads an entry.
    pub(super) fn reads(
        &mut self,
        program: &Program,
        scope: usize,
        script: &Script,
        expr: usize,
        entry: usize,
    ) -> bool {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match &script.exprs[expr] {
                Expr::Name(name) if self.known(program, scope, name) == Some(entry) => return true,
                // The value that it writes can be the first one.
                Expr::Assign(_, _, value) => open.push(*value),
                other => open.extend(operands(other)),
            }
        }
        false
    }

    pub(super) fn sources(
        &self,
        program: &Program,
        scope: usize,
        script: &Script,
        expr: usize,
        found: &mut Vec<Source>,
    ) {
        match &script.exprs[expr] {
            Expr::Int(_) => found.push(Source::Kind(Kind::Int)),
            Expr::Text(_) | Expr::Binary(Operator::Join, ..) => found.push(Source::Kind(Kind::Text)),
            Expr::Name(name) if !self.enums.contains_key(name) => {
                found.extend(self.known(program, scope, name).map(Source::Entry));
            }
            Expr::Choice(_, yes, no) => {
                self.sources(program, scope, script, *yes, found);
                self.sources(program, scope, script, *no, found);
            }
            Expr::Assign(_, target, _) => self.sources(program, scope, script, *target, found),
            Expr::Binary(Operator::Add, left, _) => {
                let mut inner = Vec::new();
                self.sources(program, scope, script, *left, &mut inner);
                let text = inner.contains(&Source::Kind(Kind::Text));
                found.push(Source::Kind(if text { Kind::Text } else { Kind::Double }));
            }
            _ => found.push(Source::Kind(Kind::Double)),
        }
    }

    /// Decides the kind of each entry.
    pub(super) fn infer(&mut self, program: &Program) -> Result<(), Refused> {
        let mut kinds: Vec<Option<Kind>> = vec![None; self.list.len()];
        let mut by_entry: Vec<Vec<usize>> = vec![Vec::new(); self.list.len()];
        for (index, write) in self.writes.iter().enumerate() {
            by_entry[write.entry].push(index);
        }
        let first: Vec<usize> = (0..self.writes.len())
            .filter(|index| {
                let write = &self.writes[*index];
                let others = by_entry[write.entry].iter().map(|other| &self.writes[*other]);
                let removed = self.list[write.entry].removed;
                !write.reads_itself
                    && (removed || !others.take(MAX_WRITES).any(|other| precedes(program, other, write)))
            })
            .collect();
        let mut dependent: Vec<Vec<usize>> = vec![Vec::new(); self.list.len()];
        for index in &first {
            for source in &self.writes[*index].sources {
                if let Source::Entry(entry) = source {
                    dependent[*entry].push(*index);
                }
            }
        }
        // Only a write of a node tells if a number is an integer.
        let mut set_outside = vec![false; self.list.len()];
        for write in self.writes.iter().filter(|it| it.node.is_none()) {
            set_outside[write.entry] = true;
        }
        let mut open = first;
        while let Some(index) = open.pop() {
            let write = &self.writes[index];
            for source in &write.sources {
                let kind = match source {
                    Source::Kind(kind) => Some(*kind),
                    Source::Entry(entry) => kinds[*entry],
                };
                let Some(kind) = kind else { continue };
                // A text becomes a value of the type that a port has given the entry.
                let declared = self.list[write.entry].declared.and_then(kind_of_port);
                let kind = if kind == Kind::Text { declared.unwrap_or(kind) } else { kind };
                let known = kinds[write.entry];
                let joined = known.map_or(Some(kind), |known| known.joined(kind));
                let fits = |it: &Kind| *it != Kind::Number || !set_outside[write.entry];
                let Some(joined) = joined.filter(fits) else {
                    return Err(self.changing(write, known.unwrap_or(kind), kind));
                };
                if known != Some(joined) {
                    kinds[write.entry] = Some(joined);
                    open.extend(&dependent[write.entry]);
                }
            }
        }
        for (entry, kind) in self.list.iter_mut().zip(kinds) {
            let declared = entry.declared.and_then(kind_of_port);
            entry.kind = kind.or(declared).or(entry.likely).unwrap_or(Kind::Double);
        }
        Ok(())
    }

    fn changing(&self, write: &Write, known: Kind, kind: Kind) -> Refused {
        let key = &self.list[write.entry].key;
        let message = format!("`{key}` is {known:?} by one write and {kind:?} by another one");
        let help =
            "let all first writes have one type, or use two entries; `0.0` is a real number, `0` an integer";
        refused(codes::CHANGING_TYPE, write.span, message, help)
    }
}

/// Most writes of an entry that each other one is compared with.
const MAX_WRITES: usize = 32;

/// Returns true if a write has always been made before another one.
fn precedes(program: &Program, first: &Write, second: &Write) -> bool {
    let Some(one) = first.node else { return second.node.is_some() };
    let Some(other) = second.node else { return false };
    if first.conditional || first.reads_itself {
        return false;
    }
    if one == other {
        return first.order < second.order;
    }
    // Up to the node around both of them, and its children that hold them.
    let [(mut left, mut around), (mut right, _)] = [(one, one), (other, other)];
    while !holds(program, around, other) {
        (left, around) = (around, program.nodes[around].parent);
    }
    while program.nodes[right].parent != around && right != around {
        right = program.nodes[right].parent;
    }
    left < right && around != one && is_sequence(program, around) && always(program, left, one)
}

fn holds(program: &Program, around: usize, node: usize) -> bool {
    (around..program.nodes[around].end).contains(&node)
}

fn is_sequence(program: &Program, node: usize) -> bool {
    let rule = program.nodes[node].rule;
    matches!(rule, Rule::Sequence { fallback: false, .. } | Rule::Reactive { fallback: false })
}

/// Returns true if a script has been run whenever the node around it has succeeded or was skipped.
fn always(program: &Program, around: usize, script: usize) -> bool {
    let mut node = script;
    while node != around {
        node = program.nodes[node].parent;
        let rule = program.nodes[node].rule;
        // It is skipped only when its child has ended, and a script ends only with success.
        let once = rule == Rule::RunOnce && node + 1 == script;
        let inside = once || rule == Rule::SubTree || is_sequence(program, node);
        if !inside || program.nodes[node].has_conditions() {
            return false;
        }
    }
    true
}
