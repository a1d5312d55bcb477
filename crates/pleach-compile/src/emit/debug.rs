//! Debug information: the place in the source of each node and origin.

use super::{BySym, HashMap, Module, Parts, Span, StrRef, Sym, take};
use crate::source::{Origin, SourceId, Sources};
use pleach_image::format::{DebugNode, DebugOrigin, DebugTitle};

/// Adds a row for each node and each origin.
pub(super) fn add(module: &Module, sources: &Sources, parts: &mut Parts) {
    let mut names = Names {
        rows: take(&mut parts.debug_names),
        bytes: take(&mut parts.debug_strings),
        of_sym: BySym::default(),
    };
    let files: Vec<_> = sources.files().iter().map(|file| names.add(file.name.as_bytes())).collect();
    nodes(module, sources, &files, &mut names, &mut parts.debug_nodes);
    for id in &module.ids {
        let title = id.title.map(|title| DebugTitle { node: id.node + 1, name: names.sym(module, title) });
        parts.debug_titles.extend(title);
    }
    let (mut places, mut known) = (Places::new(sources), HashMap::new());
    for it in sources.origins() {
        // A file, macro or tree has one name, however often it is used.
        let name = *known.entry(&*it.name).or_insert_with(|| names.add(it.name.as_bytes()));
        parts.debug_origins.push(origin(it, name, &mut places, &files));
    }
    parts.debug_names = names.rows;
    parts.debug_strings = names.bytes;
}

/// The names of the debug sections under construction. A name is known by its row plus one.
struct Names {
    rows: Vec<StrRef>,
    bytes: Vec<u8>,
    of_sym: BySym<u32>,
}

impl Names {
    fn add(&mut self, text: &[u8]) -> u32 {
        add_name(&mut self.rows, &mut self.bytes, text)
    }

    /// A symbol's name, written once.
    fn sym(&mut self, module: &Module, sym: Sym) -> u32 {
        let Self { rows, bytes, of_sym } = self;
        of_sym.get(sym, || add_name(rows, bytes, module.names.bytes(sym)))
    }
}

fn add_name(rows: &mut Vec<StrRef>, bytes: &mut Vec<u8>, text: &[u8]) -> u32 {
    rows.push(StrRef { start: bytes.len() as u32, len: text.len() as u32 });
    bytes.extend_from_slice(text);
    rows.len() as u32
}

fn nodes(module: &Module, sources: &Sources, files: &[u32], names: &mut Names, rows: &mut Vec<DebugNode>) {
    rows.reserve(module.nodes.len());
    let mut parents: Vec<u32> = Vec::new();
    let mut tree = 0;
    let mut places = Places::new(sources);
    for (index, node) in module.nodes.iter().enumerate() {
        while parents.pop_if(|parent| module.nodes[*parent as usize].end <= index as u32).is_some() {}
        let subject = node.label.1.map_or(0, |subject| names.sym(module, subject));
        if parents.is_empty() {
            tree = subject;
        }
        let (line, column, origin) = places.of(node.span);
        rows.push(DebugNode {
            keyword: names.sym(module, node.label.0),
            subject,
            tree,
            file: node.span.map_or(0, |span| files[span.source.0 as usize]),
            line,
            column,
            origin,
            parent: parents.last().map_or(0, |parent| parent + 1),
        });
        parents.push(index as u32);
    }
}

/// Finder of lines and columns. Most places are requested in the order of the text, so the
/// search begins at the last line.
struct Places<'a> {
    sources: &'a Sources,
    source: Option<SourceId>,
    lines: &'a [u32],
    /// Index of the last line that was found.
    line: usize,
}

impl<'a> Places<'a> {
    fn new(sources: &'a Sources) -> Self {
        Self { sources, source: None, lines: &[0], line: 0 }
    }

    /// Line, column and origin; zeros without a span.
    fn of(&mut self, span: Option<Span>) -> (u32, u32, u32) {
        let Some(span) = span else { return (0, 0, 0) };
        if self.source != Some(span.source) {
            (self.source, self.lines, self.line) =
                (Some(span.source), self.sources.get(span.source).lines(), 0);
        }
        if span.start < self.lines[self.line] {
            self.line = self.lines[..self.line].partition_point(|begin| *begin <= span.start) - 1;
        }
        let later = self.lines[self.line + 1..].iter();
        self.line += later.take_while(|begin| **begin <= span.start).count();
        (self.line as u32 + 1, span.start - self.lines[self.line] + 1, span.origin.0)
    }
}

fn origin(origin: &Origin, name: u32, places: &mut Places<'_>, files: &[u32]) -> DebugOrigin {
    let (line, column, outer) = places.of(Some(origin.at));
    DebugOrigin {
        kind: origin.kind as u32,
        line,
        name,
        file: files[origin.at.source.0 as usize],
        column,
        origin: outer,
    }
}
