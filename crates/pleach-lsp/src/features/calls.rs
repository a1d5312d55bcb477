//! Trees that use trees, and trees that call actions.

use super::outline::kind;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
};
use pleach_edit::{Access, Declaration, DeclarationKind, FileKind, ItemKind, Mention};
use std::collections::HashMap;

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

/// Returns the file of an item, and its name in the file.
fn named<'s>(now: &'s Snapshot, item: &CallHierarchyItem) -> Option<(String, &'s Mention)> {
    let file = path_of(&item.uri.0)?;
    let at = now.lines(&file).byte(item.selection_range.start);
    let mention = now.project.file(&file)?.mention_at(at).filter(|mention| mention.range.0 == at)?;
    Some((file, mention))
}

pub(crate) fn incoming(
    now: &Snapshot,
    params: &CallHierarchyIncomingCallsParams,
) -> Vec<CallHierarchyIncomingCall> {
    let Some((file, mention)) = named(now, &params.item) else { return Vec::new() };
    let symbol = now.project.resolve(&file, mention);
    let mut calls: Vec<CallHierarchyIncomingCall> = Vec::new();
    for reference in now.project.references(&file, &symbol) {
        let is_call =
            reference.access == Access::Reads && FileKind::of(&reference.file) == Some(FileKind::Trees);
        let Some(known) = now.project.file(&reference.file).filter(|_| is_call) else { continue };
        let document = known.document();
        let tree = document.item_at(reference.range.0).and_then(|item| document.items()[item].name);
        let Some(declared) = tree.and_then(|name| known.declaration_at(name)) else { continue };
        let range: Range = now.lines(&reference.file).range(reference.range);
        let from = item(now, &reference.file, declared);
        // References are in order, so those of one tree follow each other.
        match calls.last_mut().filter(|call| call.from == from) {
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
    let Some((file, mention)) = named(now, &params.item) else { return Vec::new() };
    let Some(known) = now.project.file(&file) else { return Vec::new() };
    let tree = known.document().item_named(mention.range).filter(|item| item.kind == ItemKind::Tree);
    let Some(tree) = tree else { return Vec::new() };
    let lines = now.lines(&file);
    let first = known.mentions().partition_point(|it| it.range.0 < tree.start);
    let within = known.mentions()[first..].iter().take_while(|it| it.range.1 <= tree.end);
    let mut calls: Vec<CallHierarchyOutgoingCall> = Vec::new();
    let mut indices: HashMap<(&str, (u32, u32)), usize> = HashMap::new();
    for mention in within.filter(|it| it.access == Access::Reads) {
        let called = now.project.resolve(&file, mention);
        let Some((place, declaration)) = now.project.declaration(&file, &called) else { continue };
        if !is_callable(declaration) {
            continue;
        }
        let call = *indices.entry((place, declaration.range)).or_insert_with(|| {
            let to = item(now, place, declaration);
            calls.push(CallHierarchyOutgoingCall { to, from_ranges: Vec::new() });
            calls.len() - 1
        });
        calls[call].from_ranges.push(lines.range(mention.range));
    }
    calls
}
