//! Cases that a `match` lacks: `add cases`.

use super::moves::separated;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Document, Node, Space};
use crate::project::{DeclarationKind, Project, Type};
use pleach_compile::internals::language::{Keyword, OpKind};

pub(super) fn add(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let missing = place.project.missing_cases(place.file, place.document, node, index);
    if missing.is_empty() {
        return refused("no case is missing");
    }
    let Some(last) = place.document.children(index).last() else {
        return refused("the `match` has no cases");
    };
    let last = &place.document.nodes()[last];
    let (_, end) = place.document.with_comments((last.start, last.end));
    let cases = missing.iter().map(|it| separated(place, last.start, end, &format!("{it}: failure")));
    Ok(vec![Replacement::insert(end, cases.collect::<String>())])
}

impl Project {
    /// Returns the members of an enum that a `match` has no case for.
    #[must_use]
    pub fn missing_cases(&self, file: &str, document: &Document, node: &Node, index: usize) -> Vec<Box<str>> {
        let operand = node.operands.first().filter(|_| node.kind == Keyword::Match);
        let Some(operand) = operand else { return Vec::new() };
        let Type::Enum(of) = self.type_of(file, document, document.ops(*operand)) else {
            return Vec::new();
        };
        let cases = document.children(index).filter_map(|child| document.nodes()[child].weight);
        let ops: Vec<_> = cases.flat_map(|weight| document.ops(weight)).collect();
        if ops.iter().any(|op| op.kind == OpKind::Else) {
            return Vec::new();
        }
        let written = |name: &str| {
            ops.iter()
                .any(|op| document.slice(op.place).rsplit('.').next().is_some_and(|it| it.trim() == name))
        };
        let members = self.declarations(file).filter(|(_, it)| it.kind == DeclarationKind::Member);
        let own = members.filter(|(_, it)| it.space == Space::Member(of.clone()));
        own.map(|(_, it)| it.name.clone()).filter(|name| !written(name)).collect()
    }
}
