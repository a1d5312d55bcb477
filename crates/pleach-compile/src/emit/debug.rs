//! Where everything came from.

use super::tables::Strings;
use crate::ir::Module;
use crate::source::{Origin, OriginKind, Sources, Span};
use pleach_image::format::{DebugNode, DebugOrigin, Parts, StrRef, origin_kind};

/// Adds a row for each node and each origin.
pub(super) fn add(module: &Module, sources: &Sources, parts: &mut Parts) {
    let mut strings = Strings::default();
    let files: Vec<_> = sources.files().iter().map(|file| strings.add(file.name.as_bytes())).collect();
    parts.debug_nodes = nodes(module, sources, &files, &mut strings);
    let origins = sources.origins().iter();
    parts.debug_origins = origins.map(|origin| self::origin(sources, origin, &files, &mut strings)).collect();
    parts.debug_strings = strings.bytes;
}

fn nodes(module: &Module, sources: &Sources, files: &[StrRef], strings: &mut Strings) -> Vec<DebugNode> {
    let mut rows = Vec::with_capacity(module.nodes.len());
    let mut parents: Vec<u32> = Vec::new();
    let mut tree = StrRef::default();
    for (index, node) in module.nodes.iter().enumerate() {
        while parents.pop_if(|parent| module.nodes[*parent as usize].end <= index as u32).is_some() {}
        if parents.is_empty() {
            tree = node.label.1.map_or(StrRef::default(), |name| strings.sym(module, name));
        }
        let (line, column, origin) = place(sources, node.span);
        rows.push(DebugNode {
            keyword: strings.sym(module, node.label.0),
            subject: node.label.1.map_or(StrRef::default(), |subject| strings.sym(module, subject)),
            tree,
            file: node.span.map_or(StrRef::default(), |span| files[span.source.0 as usize]),
            line,
            column,
            origin,
            parent: parents.last().map_or(0, |parent| parent + 1),
        });
        parents.push(index as u32);
    }
    rows
}

fn place(sources: &Sources, span: Option<Span>) -> (u32, u32, u32) {
    span.map_or((0, 0, 0), |span| {
        let place = sources.place(span);
        (place.line, place.column, span.origin.0)
    })
}

fn origin(sources: &Sources, origin: &Origin, files: &[StrRef], strings: &mut Strings) -> DebugOrigin {
    let (line, column, outer) = place(sources, Some(origin.at));
    DebugOrigin {
        kind: match origin.kind {
            OriginKind::Macro => origin_kind::MACRO,
            OriginKind::Include => origin_kind::INCLUDE,
        },
        line,
        name: strings.add(origin.name.as_bytes()),
        file: files[origin.at.source.0 as usize],
        column,
        origin: outer,
    }
}
