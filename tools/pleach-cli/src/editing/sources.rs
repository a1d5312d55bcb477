//! Message `sources`: the texts, their states, and the places of their nodes.

use super::Editing;
use super::files::{EditedFile, State};
use pleach_edit::{Document, Item, ItemKind, Shape};
use serde::Serialize;

/// Message `sources`.
#[derive(Debug, Serialize)]
pub(super) struct Sources<'a> {
    revision: u64,
    program: u32,
    files: Vec<File<'a>>,
    undo: Option<&'a str>,
    redo: Option<&'a str>,
    reason: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct File<'a> {
    name: &'a str,
    path: String,
    text: &'a str,
    state: &'static str,
    reason: Option<&'a str>,
    current: bool,
    nodes: Vec<NodeRow>,
    items: Vec<Declared<'a>>,
}

/// Line, column, shape, parent, byte of the name, and the node by which the node is disabled.
type NodeRow = (u32, u32, u8, i64, u32, i64);

/// Declaration of a text.
#[derive(Debug, Serialize)]
struct Declared<'a> {
    kind: &'static str,
    name: &'a str,
    at: u32,
    line: u32,
    column: u32,
    root: i64,
    text: &'a str,
}

impl<'a> Sources<'a> {
    /// Returns the message for a view in which nothing can be edited.
    pub(super) fn read_only(reason: &'a str) -> Self {
        Self { revision: 0, program: 0, files: Vec::new(), undo: None, redo: None, reason: Some(reason) }
    }
}

impl Editing {
    /// Returns the message about the present texts. `program` is the number of the program that
    /// pages are shown.
    pub(super) fn sources(&self, program: u32) -> Sources<'_> {
        Sources {
            revision: self.revision,
            program,
            files: self.files.iter().map(|file| self.told(file)).collect(),
            undo: self.history.last().map(|step| step.name.as_str()),
            redo: self.history.next().map(|step| step.name.as_str()),
            reason: None,
        }
    }

    fn told<'a>(&'a self, file: &'a EditedFile) -> File<'a> {
        let state = match self.state_of(file) {
            State::Saved => "saved",
            State::Unsaved => "unsaved",
            State::Conflict => "conflict",
        };
        let document = self.project.file(&file.name).map(|known| known.document());
        let (nodes, items) = document.map(|it| (nodes(it), items(it))).unwrap_or_default();
        File {
            name: &file.name,
            path: file.path.display().to_string(),
            text: self.project.text(&file.name),
            state,
            reason: file.reason.as_deref(),
            current: self.is_current,
            nodes,
            items,
        }
    }
}

/// Beginnings of the lines of a text.
struct Lines(Vec<u32>);

impl Lines {
    fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// Returns the line and the column of a byte, both from 1.
    fn place(&self, at: u32) -> (u32, u32) {
        let line = self.0.partition_point(|start| *start <= at);
        (line as u32, at - self.0[line - 1] + 1)
    }
}

fn nodes(document: &Document) -> Vec<NodeRow> {
    let lines = Lines::of(document.text());
    let row = |(index, node): (usize, &pleach_edit::Node)| {
        let (line, column) = lines.place(node.word);
        let parent = node.parent.map_or(-1, i64::from);
        let name = node.subject.map_or(0, |(start, _)| start);
        let disabled_by = document.disabled_by(index).map_or(-1, |outer| outer as i64);
        (line, column, shape(node.shape), parent, name, disabled_by)
    };
    document.nodes().iter().enumerate().map(row).collect()
}

fn shape(shape: Shape) -> u8 {
    match shape {
        Shape::Leaf => 0,
        Shape::Many => 1,
        Shape::One => 2,
        Shape::Weighted => 3,
        Shape::Scored => 4,
        Shape::Cases => 5,
        Shape::Sets => 6,
        Shape::Service => 7,
    }
}

fn items(document: &Document) -> Vec<Declared<'_>> {
    let lines = Lines::of(document.text());
    let declared = |item: &Item| {
        let (line, column) = lines.place(item.start);
        Declared {
            kind: kind(item.kind),
            name: item.name.map_or("", |name| document.slice(name)),
            at: item.name.map_or(0, |(start, _)| start),
            line,
            column,
            root: if item.nodes.0 < item.nodes.1 { i64::from(item.nodes.0) } else { -1 },
            text: document.slice(document.heading(item)),
        }
    };
    document.items().iter().map(declared).collect()
}

/// Returns the words that begin a declaration of a kind.
fn kind(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Include => "include",
        ItemKind::Action => "action",
        ItemKind::Query => "query",
        ItemKind::Variable => "var",
        ItemKind::GroupVariable => "group var",
        ItemKind::WorldVariable => "world var",
        ItemKind::Constant => "const",
        ItemKind::Tunable => "tune const",
        ItemKind::AgentTunable => "tune agent const",
        ItemKind::Enum => "enum",
        ItemKind::Handler => "on",
        ItemKind::Tree => "tree",
    }
}
