//! Files that a file names.

use crate::snapshot::{Opened, Snapshot};
use crate::text::uri_of;
use gen_lsp_types::{DocumentLink, DocumentLinkParams};
use pleach_edit::scenario::parse;
use pleach_edit::{FileKind, ItemKind};

/// Returns the paths in a file with the files that they lead to.
fn paths(now: &Snapshot, opened: &Opened<'_>) -> Vec<((u32, u32), String)> {
    let document = opened.file.document();
    let ranges: Vec<(u32, u32)> = match opened.file.kind() {
        FileKind::Trees => {
            let includes = document.items().iter().filter(|item| item.kind == ItemKind::Include);
            includes.filter_map(|item| item.name).map(|(start, end)| (start + 1, end - 1)).collect()
        }
        FileKind::Tests => parse(document.text()).0.tree.into_iter().map(|tree| tree.range).collect(),
        FileKind::Manifest => Vec::new(),
    };
    let linked = |range: (u32, u32)| {
        let path = document.slice(range);
        Some((range, now.project.linked(&opened.name, path)?.to_owned()))
    };
    ranges.into_iter().filter_map(linked).collect()
}

pub(crate) fn links(now: &Snapshot, params: &DocumentLinkParams) -> Vec<DocumentLink> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    let link = |(range, file): ((u32, u32), String)| DocumentLink {
        range: opened.range(range),
        target: Some(uri_of(&file)),
        tooltip: None,
        data: None,
    };
    paths(now, &opened).into_iter().map(link).collect()
}

/// Returns the file that the path at a byte leads to.
pub(crate) fn link_at(now: &Snapshot, opened: &Opened<'_>, at: u32) -> Option<String> {
    let mut all = paths(now, opened).into_iter();
    all.find(|((start, end), _)| *start <= at && at <= *end).map(|(_, file)| file)
}
