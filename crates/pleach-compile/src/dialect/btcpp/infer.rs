//! The one type of each entry.
//!
//! All writes that can be the first one of an entry must agree. A write whose value is computed
//! from the entry itself is not the first one, and neither is a write that follows another one in a
//! sequence.

use super::entries::Entries;
use super::instance::{Instance, Program};
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
        let made = made(program, &self.writes, self.list.len());
        let first: Vec<usize> = (0..self.writes.len())
            .filter(|index| {
                let write = &self.writes[*index];
                let entry = write.entry;
                !write.reads_itself && (self.list[entry].removed || !is_made(&made[entry], write))
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

/// Place of a write: its node, and the number of the write.
type Place = (usize, usize);
/// Places at which an entry has always been written: from the first one on, up to the second one.
type Made = (Place, Place);

/// Returns for each entry where it has always been written. Sorted, and each span ends at least
/// where those before it end.
fn made(program: &Program, writes: &[Write], entries: usize) -> Vec<Vec<Made>> {
    let behind = behind(program);
    let mut made: Vec<Vec<Made>> = vec![Vec::new(); entries];
    for write in writes {
        let spans = &mut made[write.entry];
        match write.node {
            None => spans.push(((0, 0), (program.nodes.len(), 0))),
            Some(_) if write.conditional || write.reads_itself => {}
            Some(node) => spans.extend([
                ((node, write.order + 1), (node + 1, 0)),
                ((program.nodes[node].end, 0), (behind_write(program, &behind, node), 0)),
            ]),
        }
    }
    for spans in &mut made {
        spans.sort_unstable();
        let mut last = (0, 0);
        for (_, end) in spans {
            last = last.max(*end);
            *end = last;
        }
    }
    made
}

/// Returns true if an entry has always been written before a write.
fn is_made(made: &[Made], write: &Write) -> bool {
    let Some(node) = write.node else { return false };
    let at = (node, write.order);
    let begun = made.partition_point(|(from, _)| *from <= at);
    begun.checked_sub(1).is_some_and(|last| at < made[last].1)
}

/// Returns for each node the end of the nodes that run only after what always runs in it: the rest
/// of the sequences around it.
fn behind(program: &Program) -> Vec<usize> {
    let mut behind: Vec<usize> = Vec::with_capacity(program.nodes.len());
    for (node, Instance { parent, end, .. }) in program.nodes.iter().enumerate() {
        let around = &program.nodes[*parent];
        let is_sequence = matches!(
            around.rule,
            Rule::Sequence { fallback: false, .. } | Rule::Reactive { fallback: false }
        );
        behind.push(match *parent {
            _ if node == 0 => *end,
            parent if !around.has_conditions() && (is_sequence || around.rule == Rule::SubTree) => {
                behind[parent]
            }
            _ if is_sequence => around.end,
            _ => *end,
        });
    }
    behind
}

/// Returns [`behind`] for a node that writes. A script that runs once always runs in the node
/// around it: that is skipped only when its child has ended, and a script ends only with success.
fn behind_write(program: &Program, behind: &[usize], node: usize) -> usize {
    let parent = program.nodes[node].parent;
    let around = &program.nodes[parent];
    if around.rule == Rule::RunOnce && !around.has_conditions() { behind[parent] } else { behind[node] }
}
