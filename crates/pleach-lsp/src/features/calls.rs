//! Trees that use trees, and trees that call actions.

use super::outline::kind;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
};
use pleach_edit::{Access, Declaration, DeclarationKind, FileKind, ItemKind, Space, Symbol};

fn item(now: &Snapshot, file: &str, declaration: &Declaration) -> CallHierarchyItem {
    let lines = now.lines(file);
    CallHierarchyItem {
        name: declaration.name.to_string(),
        kind: kind(declaration.kind),
        tags: None,
        detail: Some(declaration.heading()),
        uri: uri_of(file),
        range: lines.range(declaration.whole),
        selection_range: lines.range(declaration.range),
        data: None,
    }
}

fn is_callable(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::Tree | DeclarationKind::Action | DeclarationKind::Query)
}

pub(crate) fn prepare(now: &Snapshot, params: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let (opened, at) = now.at(&params.text_document_position_params)?;
    let mention = opened.file.mention_at(at)?;
    let symbol = now.project.resolve(&opened.name, mention);
    let (file, declaration) = now.project.declaration(&opened.name, &symbol)?;
    is_callable(declaration).then(|| vec![item(now, file, declaration)])
}

/// Returns the file of an item, and the thing that it is about.
fn named(now: &Snapshot, item: &CallHierarchyItem) -> Option<(String, Symbol)> {
    let file = path_of(&item.uri.0)?;
    let known = now.project.file(&file)?;
    let at = now.lines(&file).byte(item.selection_range.start);
    let mention = known.mentions().iter().find(|mention| mention.range.0 == at)?;
    let symbol = now.project.resolve(&file, mention);
    Some((file, symbol))
}

pub(crate) fn incoming(
    now: &Snapshot,
    params: &CallHierarchyIncomingCallsParams,
) -> Vec<CallHierarchyIncomingCall> {
    let Some((file, symbol)) = named(now, &params.item) else { return Vec::new() };
    let mut calls: Vec<CallHierarchyIncomingCall> = Vec::new();
    for reference in now.project.references(&file, &symbol) {
        let is_call =
            reference.access == Access::Reads && FileKind::of(&reference.file) == Some(FileKind::Trees);
        let Some(known) = now.project.file(&reference.file).filter(|_| is_call) else { continue };
        let document = known.document();
        let tree = document.item_at(reference.range.0).map(|item| &document.items()[item]);
        let declared =
            known.declarations().iter().find(|it| tree.is_some_and(|tree| tree.name == Some(it.range)));
        let Some(declared) = declared else { continue };
        let range: Range = now.lines(&reference.file).range(reference.range);
        let from = item(now, &reference.file, declared);
        match calls.iter_mut().find(|call| call.from == from) {
            Some(call) => call.from_ranges.push(range),
            None => calls.push(CallHierarchyIncomingCall { from, from_ranges: vec![range] }),
        }
    }
    calls
}

pub(crate) fn outgoing(
    now: &Snapshot,
    params: &CallHierarchyOutgoingCallsParams,
) -> Vec<CallHierarchyOutgoingCall> {
    let Some((file, symbol)) = named(now, &params.item) else { return Vec::new() };
    let Some(known) = now.project.file(&file).filter(|_| symbol.space == Space::Tree) else {
        return Vec::new();
    };
    let (document, lines) = (known.document(), now.lines(&file));
    let is = |item: &&pleach_edit::Item| {
        item.kind == ItemKind::Tree && item.name.is_some_and(|name| *document.slice(name) == *symbol.name)
    };
    let Some(tree) = document.items().iter().find(is) else { return Vec::new() };
    let within = known.mentions().iter().filter(|it| tree.start <= it.range.0 && it.range.1 <= tree.end);
    let mut calls: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for mention in within.filter(|it| it.access == Access::Reads) {
        let called = now.project.resolve(&file, mention);
        let Some((place, declaration)) = now.project.declaration(&file, &called) else { continue };
        if !is_callable(declaration) {
            continue;
        }
        let (to, range) = (item(now, place, declaration), lines.range(mention.range));
        match calls.iter_mut().find(|call| call.to == to) {
            Some(call) => call.from_ranges.push(range),
            None => calls.push(CallHierarchyOutgoingCall { to, from_ranges: vec![range] }),
        }
    }
    calls
}
