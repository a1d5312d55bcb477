//! The structure of a file: symbols, folds and selections.

use crate::answers::Symbol;
use crate::other;
use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{
    DocumentSymbolParams, FoldingRange, FoldingRangeKind, FoldingRangeParams, Position, Range,
    SelectionRange, SelectionRangeParams, SymbolKind,
};
use pleach_edit::{Declaration, DeclarationKind, Document, FileKind, Item};

/// Returns the kind of the symbol of a declaration.
pub(super) fn kind(kind: DeclarationKind) -> SymbolKind {
    use DeclarationKind as Kind;
    match kind {
        Kind::Action | Kind::Query => SymbolKind::Function,
        Kind::Tree => SymbolKind::Class,
        Kind::Constant | Kind::Tunable | Kind::AgentTunable | Kind::Symbol => SymbolKind::Constant,
        Kind::Enum => SymbolKind::Enum,
        Kind::Member => SymbolKind::EnumMember,
        Kind::Event => SymbolKind::Event,
        _ => SymbolKind::Variable,
    }
}

pub(crate) fn symbols(now: &Snapshot, params: &DocumentSymbolParams) -> Vec<Symbol> {
    let uri = &params.text_document.uri.0;
    let Some(opened) = now.open(uri) else { return other::symbols(now, uri) };
    let is_top = |it: &&Declaration| {
        let is_part = matches!(it.kind, DeclarationKind::Parameter | DeclarationKind::TreeVariable);
        !is_part && it.kind != DeclarationKind::Member
    };
    let top = opened.file.declarations().iter().filter(is_top);
    top.map(|declaration| declared(&opened, declaration)).collect()
}

/// Returns the symbol of a declaration, with its members, variables and nodes with children.
fn declared(opened: &Opened<'_>, declaration: &Declaration) -> Symbol {
    let document = opened.file.document();
    let item = document.item_named(declaration.range);
    let whole = item.map_or(declaration.whole, |item| (item.start, item.end));
    let mut symbol = Symbol::new(
        &declaration.name,
        kind(declaration.kind),
        opened.range(whole),
        opened.range(declaration.range),
    );
    symbol.detail = declaration.heading();
    let is_part =
        |it: &&Declaration| matches!(it.kind, DeclarationKind::TreeVariable | DeclarationKind::Member);
    let declarations = opened.file.declarations();
    let first = declarations.partition_point(|it| it.range.0 < whole.0);
    let within = declarations[first..].iter().take_while(|it| it.range.1 <= whole.1);
    let parts = within.filter(is_part);
    let parts =
        parts.map(|it| Symbol::new(&it.name, kind(it.kind), opened.range(it.whole), opened.range(it.range)));
    symbol.children = parts.chain(item.into_iter().flat_map(|item| nodes(opened, item))).collect();
    symbol
}

/// Deepest symbols of nodes. Clients draw them with recursion.
const DEEPEST: usize = 40;

/// Returns the symbols of the nodes of a tree that have blocks.
fn nodes(opened: &Opened<'_>, item: &Item) -> Vec<Symbol> {
    let document = opened.file.document();
    let mut levels: Vec<Vec<Symbol>> = vec![Vec::new()];
    let mut open: Vec<(u32, Symbol)> = Vec::new();
    for index in item.nodes.0..=item.nodes.1 {
        while open.last().is_some_and(|(last, _)| *last <= index) {
            let (Some((_, mut symbol)), Some(children)) = (open.pop(), levels.pop()) else { break };
            symbol.children = children;
            if let Some(level) = levels.last_mut() {
                level.push(symbol);
            }
        }
        let node = document.nodes().get(index as usize).filter(|_| index < item.nodes.1);
        let Some(node) = node.filter(|it| it.block.is_some() && it.shape.takes_any_node()) else { continue };
        if open.len() < DEEPEST {
            let words = document.slice((node.word, node.header_end));
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            let words: String = words.chars().take(60).collect();
            let range = opened.range((node.start, node.end));
            let selection = opened.range((node.word, node.header_end));
            open.push((node.last, Symbol::new(&words, SymbolKind::Object, range, selection)));
            levels.push(Vec::new());
        }
    }
    levels.into_iter().next().unwrap_or_default()
}

pub(crate) fn folding(now: &Snapshot, params: &FoldingRangeParams) -> Vec<FoldingRange> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    let document = opened.file.document();
    let mut folds = Vec::new();
    let fold = |start: u32, end: u32, kind: Option<FoldingRangeKind>| {
        let (start, end) = (opened.position(start).line, opened.position(end).line);
        (start < end).then_some(FoldingRange {
            start_line: start,
            start_character: None,
            end_line: end,
            end_character: None,
            kind,
            collapsed_text: None,
        })
    };
    for (index, token) in document.tokens().iter().enumerate() {
        if token.is_comment() {
            folds.extend(fold(token.start, token.end, Some(FoldingRangeKind::Comment)));
        }
        let close = document.partner(index).filter(|close| *close > index);
        if let Some(close) = close {
            // The line before the brace is the one that stays.
            let header = index.checked_sub(1).map_or(token.start, |before| document.tokens()[before].end);
            folds.extend(fold(header, document.tokens()[close].end, None));
        }
    }
    folds.extend(
        lines_of_comments(document)
            .into_iter()
            .filter_map(|(start, end)| fold(start, end, Some(FoldingRangeKind::Comment))),
    );
    folds
}

/// Returns the runs of comments on lines of their own.
fn lines_of_comments(document: &Document) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let mut is_run = false;
    for token in document.tokens() {
        match (token.is_comment(), is_run, runs.last_mut()) {
            (true, true, Some(run)) => run.1 = token.end,
            (true, ..) => runs.push((token.start, token.end)),
            _ => {}
        }
        is_run = token.is_comment();
    }
    runs
}

pub(crate) fn selection(now: &Snapshot, params: &SelectionRangeParams) -> Vec<SelectionRange> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    params.positions.iter().map(|position| selected(&opened, *position)).collect()
}

/// Returns the ranges around a position, the innermost first: the word, the words of the node, the
/// node and those around it, the declaration, the file.
fn selected(opened: &Opened<'_>, position: Position) -> SelectionRange {
    let document = opened.file.document();
    let at = opened.lines.byte(position);
    let mut ranges: Vec<(u32, u32)> = vec![(0, document.text().len() as u32)];
    if opened.file.kind() == FileKind::Trees {
        let item = document.item_at(at).map(|item| &document.items()[item]);
        ranges.extend(item.map(|item| (item.start, item.end)));
        let mut around = Vec::new();
        let mut node = document.node_at(at);
        while let Some(index) = node {
            let it = &document.nodes()[index];
            around.push((it.start, it.end));
            node = it.parent.map(|parent| parent as usize);
        }
        ranges.extend(around.iter().rev());
        let inner = document.node_at(at).map(|node| &document.nodes()[node]);
        ranges.extend(inner.map(|node| (node.word, node.header_end)));
        let token = document.tokens().get(document.token_at(at));
        ranges.extend(token.map(|token| (token.start, token.end)));
    }
    let mut selection: Option<SelectionRange> = None;
    // Clients read the list with recursion, so only the innermost ranges are in it.
    let first = ranges.len().saturating_sub(DEEPEST);
    for range in ranges.drain(first..).filter(|(start, end)| *start <= at && at <= *end) {
        let range = opened.range(range);
        if selection.as_ref().is_none_or(|around| around.range != range) {
            selection = Some(SelectionRange { range, parent: selection.map(Box::new) });
        }
    }
    selection.unwrap_or(SelectionRange { range: Range { start: position, end: position }, parent: None })
}
