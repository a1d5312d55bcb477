//! The usual layout, as few changes of a text.

use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, TextEdit,
};
use pleach_edit::{FileKind, changes};

/// Returns the changes of a file within some bytes; none if the file has errors.
fn within(opened: &Opened<'_>, (start, end): (u32, u32)) -> Vec<TextEdit> {
    if opened.file.kind() != FileKind::Trees {
        return Vec::new();
    }
    let text = opened.file.document().text();
    let all = changes(&opened.name, text).unwrap_or_default();
    let near: Vec<_> = all.into_iter().filter(|it| start <= it.range.0 && it.range.1 <= end).collect();
    opened.lines.edits(&near)
}

pub(crate) fn file(now: &Snapshot, params: &DocumentFormattingParams) -> Vec<TextEdit> {
    let opened = now.open(&params.text_document.uri.0);
    opened.map(|opened| within(&opened, (0, u32::MAX))).unwrap_or_default()
}

pub(crate) fn range(now: &Snapshot, params: &DocumentRangeFormattingParams) -> Vec<TextEdit> {
    let opened = now.open(&params.text_document.uri.0);
    opened.map(|opened| within(&opened, opened.lines.bytes(params.range))).unwrap_or_default()
}

/// Returns the changes of the block that a typed `}` closes.
pub(crate) fn on_type(now: &Snapshot, params: &DocumentOnTypeFormattingParams) -> Vec<TextEdit> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    let document = opened.file.document();
    let at = opened.lines.byte(params.position);
    let Some(close) = document.tokens().iter().position(|token| token.end == at) else { return Vec::new() };
    let Some(open) = document.partner(close) else { return Vec::new() };
    let header = open.checked_sub(1).map_or(0, |before| document.tokens()[before].end);
    within(&opened, (header, at))
}
