//! Words and names that can be written, from the table of words and from declarations.

use pleach_edit::words::{ITEMS, NODES, VALUES, Word};
use pleach_edit::{Declaration, DeclarationKind, Project, Space, Symbol, check_name};
use serde::Serialize;
use std::collections::BTreeSet;

/// Message `palette`.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Palette {
    nodes: Vec<Entry>,
    items: Vec<Entry>,
    names: Vec<Name>,
    values: Vec<&'static str>,
}

/// Word that begins a node or a declaration.
#[derive(Debug, PartialEq, Serialize)]
struct Entry {
    word: &'static str,
    help: &'static str,
    example: String,
    block: &'static str,
}

/// Declared name.
#[derive(Debug, PartialEq, Serialize)]
struct Name {
    name: String,
    kind: &'static str,
    #[serde(rename = "type")]
    ty: String,
    /// Name and type of each parameter, and true if an action gives a value by it.
    params: Vec<(String, String, bool)>,
    help: String,
}

impl Palette {
    /// Returns the palette of the program of a file.
    pub(super) fn of(project: &Project, file: &str) -> Self {
        let entries = |words: &[Word]| words.iter().map(entry).collect();
        let mut known: BTreeSet<(&str, &Space)> = BTreeSet::new();
        // A manifest may have names that are words of the language.
        let declarations = project.declarations(file).filter(|(_, it)| check_name(&it.name).is_ok());
        let names = declarations.filter(|(_, it)| known.insert((&it.name, &it.space)));
        Self {
            nodes: entries(NODES),
            items: entries(ITEMS),
            names: names.map(|(file, it)| name(project, file, it)).collect(),
            values: VALUES.iter().map(|word| word.text).collect(),
        }
    }
}

fn entry(word: &Word) -> Entry {
    Entry { word: word.text, help: word.meaning, example: word.example(), block: word.block() }
}

fn name(project: &Project, file: &str, declaration: &Declaration) -> Name {
    let symbol = Symbol { space: declaration.space.clone(), name: declaration.name.clone() };
    let is_value = matches!(declaration.space, Space::Value | Space::Member(_) | Space::Local(_));
    let ty = if is_value { project.type_of_symbol(file, &symbol).word().to_owned() } else { String::new() };
    let params = declaration.params.iter().map(|it| (it.name.to_string(), it.ty.to_string(), it.out));
    Name {
        name: declaration.name.to_string(),
        kind: word(declaration.kind),
        ty,
        params: params.collect(),
        help: declaration.comment.to_string(),
    }
}

/// Returns the name of a kind of declaration in messages.
fn word(kind: DeclarationKind) -> &'static str {
    match kind {
        DeclarationKind::Action => "action",
        DeclarationKind::Query => "query",
        DeclarationKind::Variable => "var",
        DeclarationKind::GroupVariable => "group var",
        DeclarationKind::WorldVariable => "world var",
        DeclarationKind::Constant => "const",
        DeclarationKind::Tunable => "tune const",
        DeclarationKind::AgentTunable => "tune agent const",
        DeclarationKind::Symbol => "symbol",
        DeclarationKind::Enum => "enum",
        DeclarationKind::Member => "member",
        DeclarationKind::Event => "event",
        DeclarationKind::Tree => "tree",
        DeclarationKind::TreeVariable => "tree variable",
        DeclarationKind::Parameter => "parameter",
    }
}
