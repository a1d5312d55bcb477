//! Places that declare and mention names, and other names for things.

use crate::answers::{Failure, failed};
use crate::other;
use crate::snapshot::Snapshot;
use crate::text::path_of;
use gen_lsp_types::{
    DefinitionParams, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location,
    PrepareRenameParams, PrepareRenamePlaceholder, ReferenceParams, RenameParams, TextDocumentPositionParams,
    WorkspaceEdit,
};
use pleach_edit::{Access, Edit, Reference};

/// Returns the declarations of the name at a position, or the file of a path.
pub(crate) fn definition(now: &Snapshot, params: &DefinitionParams) -> Vec<Location> {
    let place = &params.text_document_position_params;
    let Some((opened, at)) = now.at(place) else { return other::definition(now, place) };
    if let Some(link) = super::links::link_at(now, &opened, at) {
        return vec![now.location(&link, (0, 0))];
    }
    let all = mentions(now, place);
    let declared = all.iter().filter(|it| it.access == Access::Declares);
    declared.map(|it| now.location(&it.file, it.range)).collect()
}

/// Returns all mentions of the thing at a position.
fn mentions(now: &Snapshot, place: &TextDocumentPositionParams) -> Vec<Reference> {
    let Some((opened, at)) = now.at(place) else { return Vec::new() };
    let Some(mention) = opened.file.mention_at(at) else { return Vec::new() };
    let symbol = now.project.resolve(&opened.name, mention);
    now.project.references(&opened.name, &symbol)
}

pub(crate) fn references(now: &Snapshot, params: &ReferenceParams) -> Vec<Location> {
    let place = &params.text_document_position_params;
    if now.at(place).is_none() {
        return other::references(now, place);
    }
    let with_declaration = params.context.include_declaration;
    let all = mentions(now, place).into_iter();
    let wanted = all.filter(|it| with_declaration || it.access != Access::Declares);
    wanted.map(|it| now.location(&it.file, it.range)).collect()
}

pub(crate) fn highlight(now: &Snapshot, params: &DocumentHighlightParams) -> Vec<DocumentHighlight> {
    let place = &params.text_document_position_params;
    let Some(name) = path_of(&place.text_document.uri.0) else { return Vec::new() };
    let lines = now.lines(&name);
    let here = mentions(now, place).into_iter().filter(|it| *it.file == *name);
    let kind = |access| match access {
        Access::Reads => DocumentHighlightKind::Read,
        Access::Declares | Access::Writes => DocumentHighlightKind::Write,
    };
    here.map(|it| DocumentHighlight { range: lines.range(it.range), kind: Some(kind(it.access)) }).collect()
}

pub(crate) fn prepare_rename(
    now: &Snapshot,
    params: &PrepareRenameParams,
) -> Result<PrepareRenamePlaceholder, Failure> {
    let (opened, at) = now.at(&params.text_document_position_params).ok_or_else(no_name)?;
    let range = now.project.renamed(&opened.name, at).map_err(|refusal| failed(refusal.reason))?;
    let placeholder = opened.file.document().slice(range).to_owned();
    Ok(PrepareRenamePlaceholder { range: opened.range(range), placeholder })
}

pub(crate) fn rename(now: &Snapshot, params: &RenameParams) -> Result<WorkspaceEdit, Failure> {
    let (opened, at) = now.at(&params.text_document_position_params).ok_or_else(no_name)?;
    let edit = Edit::Rename { at, name: params.new_name.clone() };
    let change = now.project.edit(&opened.name, &edit).map_err(|refusal| failed(refusal.reason))?;
    Ok(now.workspace_edit(&change))
}

fn no_name() -> Failure {
    failed("there is no name here".to_owned())
}
