//! Pictures of the trees of a file, from the texts in the editor.
//!
//! Trees of our own language are drawn as they are written, with errors, too. Trees of other
//! dialects are drawn as `pleach graph` draws them.

use crate::answers::{Failure, failed};
use crate::other;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{Position, Range, TextDocumentIdentifier, Uri};
use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::source::Sources;
use pleach_edit::{Document, FileKind, folder_of};
use pleach_graph::{MAX_LABEL, Node, nodes, svg};
use pleach_image::Image;
use serde::{Deserialize, Serialize};

/// Largest number of errors that are told in place of a picture.
const MAX_ERRORS: usize = 5;

/// Parameters of the request: a file, and a position if only the tree there is wanted. Other
/// dialects have no trees at positions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreviewParams {
    text_document: TextDocumentIdentifier,
    position: Option<Position>,
}

/// Picture with the places of its nodes.
#[derive(Debug, Serialize)]
pub(crate) struct Preview {
    svg: String,
    /// Places, in the order of the elements with `data-place`. None for a node without a place.
    nodes: Vec<Option<Place>>,
}

/// Place of a node in a text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    uri: Uri,
    /// Range of the node with its children.
    range: Range,
    /// Range of the words of the node.
    selection_range: Range,
}

/// Draws the trees of a file, or of other dialects those of its program that are in the file.
pub(crate) fn preview(now: &Snapshot, params: &PreviewParams) -> Result<Preview, Failure> {
    let unknown = || failed("the server does not know this file as one with trees".to_owned());
    let name = path_of(&params.text_document.uri.0).ok_or_else(unknown)?;
    let (mut drawn, nodes) = match now.project.file(&name) {
        Some(file) if file.kind() == FileKind::Trees => own(now, &name, file.document(), params.position),
        Some(_) => return Err(unknown()),
        None => {
            let image = image(now, &name)?.ok_or_else(unknown)?;
            let line = |file: &str, number: u32| now.lines(file).line(number).map(str::to_owned);
            let drawn = nodes(&image, &line, |root, _| image.debug_text(root.file) == name);
            let places = drawn.iter().map(|node| place(now, node)).collect();
            (drawn, places)
        }
    };
    // Paths from the root of the disk would fill the picture.
    drawn.iter_mut().for_each(|node| node.file = node.file.split_off(folder_of(&node.file).len()));
    Ok(Preview { svg: svg(&drawn), nodes })
}

/// Returns the nodes of a text in our own language as they are written, with their places. A text
/// with errors has nodes, too.
fn own(
    now: &Snapshot,
    name: &str,
    document: &Document,
    position: Option<Position>,
) -> (Vec<Node>, Vec<Option<Place>>) {
    let lines = now.lines(name);
    let (mut nodes, mut places) = (Vec::new(), Vec::new());
    let mut push = |(start, end): (u32, u32), words: (u32, u32), parent: Option<usize>| {
        let label = document.slice(words).split_whitespace().collect::<Vec<_>>().join(" ");
        let label = label.chars().take(MAX_LABEL).collect();
        let (line, column) = lines.place_of(words.0);
        nodes.push(Node { label, file: name.to_owned(), line, column, parent, mark: None });
        places.push(Some(Place {
            uri: uri_of(name),
            range: lines.range((start, end)),
            selection_range: lines.range(words),
        }));
        nodes.len() - 1
    };
    let wanted = position.and_then(|position| document.item_at(lines.byte(position)));
    for (index, item) in document.items().iter().enumerate() {
        let has_nodes = item.nodes.0 < item.nodes.1;
        if !has_nodes || wanted.is_some_and(|wanted| wanted != index) {
            continue;
        }
        let end_of_name = item.name.map_or(item.start, |name| name.1.max(item.start));
        let root = push((item.start, item.end), (item.start, end_of_name), None);
        for node in &document.nodes()[item.nodes.0 as usize..item.nodes.1 as usize] {
            let parent = node.parent.map_or(root, |parent| root + 1 + (parent - item.nodes.0) as usize);
            push((node.start, node.end), (node.start, node.header_end), Some(parent));
        }
    }
    (nodes, places)
}

/// Compiles a file of another dialect. Returns `None` for a file of no dialect.
fn image(now: &Snapshot, name: &str) -> Result<Option<Image>, Failure> {
    let Some(done) = other::compiled(now, name) else { return Ok(None) };
    let Some(bytes) = done.image else { return Err(failed(told(done.diagnostics.list(), &done.sources))) };
    Image::copy(&bytes).map(Some).map_err(|why| failed(why.to_string()))
}

/// Returns errors in words, a line for each.
fn told(list: &[Diagnostic], sources: &Sources) -> String {
    let errors = list.iter().filter(|it| it.severity == Severity::Error);
    let line = |error: &Diagnostic| {
        let place = error.span.map(|span| {
            let name = &sources.get(span.source).name;
            format!("{}:{}: ", &name[folder_of(name).len()..], sources.place(span).line)
        });
        format!("{}{}", place.unwrap_or_default(), error.message)
    };
    errors.take(MAX_ERRORS).map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the place of a drawn node of another dialect: the rest of its line.
fn place(now: &Snapshot, node: &Node) -> Option<Place> {
    let lines = now.lines(&node.file);
    let at = lines.place(node.line, node.column)?;
    let line = lines.line(node.line)?.trim_end();
    let end = at.max(lines.place(node.line, 1)? + line.len() as u32);
    let range = lines.range((at, end));
    Some(Place { uri: uri_of(&node.file), range, selection_range: range })
}
