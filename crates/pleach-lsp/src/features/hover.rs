//! Meanings of names and words.

use super::programs::ProgramCache;
use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{Contents, Hover, HoverParams, MarkupContent, MarkupKind};
use pleach_edit::{Access, Declaration, DeclarationKind, Document, Keyword, Symbol, folder_of};
use pleach_image::figures::{counted, grouped};

pub(crate) fn hover(now: &Snapshot, cache: &mut ProgramCache, params: &HoverParams) -> Option<Hover> {
    let place = &params.text_document_position_params;
    let Some((opened, at)) = now.at(place) else { return crate::other::hover(now, place) };
    hover_at(now, Some(cache), &opened, at)
}

/// Returns the meaning of the name or word at a byte of a file. Without a cache of programs,
/// nothing is compiled, and copies of trees are not counted.
pub(crate) fn hover_at(
    now: &Snapshot,
    cache: Option<&mut ProgramCache>,
    opened: &Opened<'_>,
    at: u32,
) -> Option<Hover> {
    let (range, value) = name(now, cache, opened, at).or_else(|| word(opened.file.document(), at))?;
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(opened.range(range)) })
}

/// Returns the text about the name at a byte.
fn name(
    now: &Snapshot,
    cache: Option<&mut ProgramCache>,
    opened: &Opened<'_>,
    at: u32,
) -> Option<((u32, u32), String)> {
    let mention = opened.file.mention_at(at)?;
    let symbol = now.project.resolve(&opened.name, mention);
    let (file, declaration) = now.project.declaration(&opened.name, &symbol)?;
    let mut text = described(now, &opened.name, file, declaration, &symbol);
    if declaration.kind == DeclarationKind::Tree
        && let Some(cache) = cache
    {
        text += &copies(now, cache, &opened.name, file, declaration).unwrap_or_default();
    }
    Some((mention.range, text))
}

/// Returns the text about a declaration.
fn described(now: &Snapshot, here: &str, file: &str, declaration: &Declaration, symbol: &Symbol) -> String {
    let mut text = format!("```pleach\n{}\n```", declaration.heading());
    let scope = match declaration.kind {
        DeclarationKind::Variable => "variable of each agent",
        DeclarationKind::GroupVariable => "variable of a group of agents",
        DeclarationKind::WorldVariable => "variable of all agents",
        DeclarationKind::Tunable => "tunable of all agents",
        DeclarationKind::AgentTunable => "tunable of each agent",
        DeclarationKind::TreeVariable => "variable of each use of the tree",
        DeclarationKind::Parameter => "parameter",
        _ => "",
    };
    if !scope.is_empty() {
        text += &format!("\n\n{scope}");
    }
    if !declaration.comment.is_empty() {
        text += &format!("\n\n{}", declaration.comment);
    }
    if declaration.kind == DeclarationKind::Constant
        && let Some(value) = now.project.constants(here).get(&*declaration.name)
    {
        text += &format!("\n\nvalue: `{value}`");
    }
    if declaration.kind == DeclarationKind::Tree {
        let references = now.project.references(here, symbol);
        let uses = references.iter().filter(|it| it.access == Access::Reads && it.file.ends_with(".pleach"));
        let document = now.project.file(file).map(|file| file.document());
        let nodes = document.map_or(0, |document| nodes_of(document, declaration));
        text += &format!("\n\n{}, {}", counted(nodes, "node"), counted(uses.count(), "use"));
    }
    text
}

/// Returns the text about the copies of a tree in the first program with the file that shows it.
/// `None` if the program has errors, or the tree only uses other trees.
fn copies(
    now: &Snapshot,
    cache: &mut ProgramCache,
    here: &str,
    file: &str,
    declaration: &Declaration,
) -> Option<String> {
    let entry = now.project.roots_of(here).first().copied()?;
    let document = now.project.file(file)?.document();
    let item = document.item_named(declaration.range)?;
    // A `use` leaves no node, and neither does the tree itself if it is a copy.
    let mut nodes = document.nodes()[item.nodes.0 as usize..item.nodes.1 as usize].iter();
    let place = now.lines(file).place_of(nodes.find(|node| node.kind != Keyword::Use)?.word);
    let image = cache.image(now, entry)?;
    let nodes = (1..=image.meta().nodes).filter_map(|id| image.debug_node(id));
    let copies =
        nodes.filter(|node| (node.line, node.column) == place && image.debug_text(node.file) == file);
    let copies = match copies.count() {
        1 => "1 copy".to_owned(),
        count => format!("{} copies", grouped(count as u64)),
    };
    Some(format!(", {copies} in the program of `{}`", &entry[folder_of(entry).len()..]))
}

/// Returns the number of nodes of a tree.
fn nodes_of(document: &Document, declaration: &Declaration) -> usize {
    document.item_named(declaration.range).map_or(0, |item| (item.nodes.1 - item.nodes.0) as usize)
}

/// Returns the meaning of the word at a byte, if it begins a node.
fn word(document: &Document, at: u32) -> Option<((u32, u32), String)> {
    let node = document.node_at(at).map(|node| &document.nodes()[node])?;
    if at < node.word || node.header_end < at {
        return None;
    }
    let tokens = &document.tokens()[document.token_at(node.word)..];
    let mut words = tokens.iter().take(2).map(|token| (token.start, token.end));
    let (first, second) = (words.next()?, words.next());
    let both = second.filter(|second| second.1 <= node.header_end).and_then(|second| {
        let text = format!("{} {}", document.slice(first), document.slice(second));
        Some(((first.0, second.1), pleach_edit::words::meaning(&text)?, text))
    });
    let one = || {
        let text = document.slice(first).to_owned();
        Some((first, pleach_edit::words::meaning(&text)?, text))
    };
    let (range, meaning, text) = both.or_else(one)?;
    (range.0 <= at && at <= range.1).then(|| (range, format!("**{text}**\n\n{meaning}")))
}
