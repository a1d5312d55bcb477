//! Form of a node: its words and its arguments, with the types that declarations give.

use pleach_edit::{Document, Keyword, Node, Project, places};
use serde::Serialize;

/// Words and arguments of a node.
#[derive(Debug, Serialize)]
pub(super) struct Form {
    words: String,
    /// Weight, score or case, empty without one; `None` if the block around takes none.
    weight: Option<String>,
    arguments: Vec<Argument>,
}

/// Argument of a call.
#[derive(Debug, Serialize)]
struct Argument {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    text: String,
}

/// Returns the form of a node of a file.
pub(super) fn form(project: &Project, file: &str, index: usize) -> Option<Form> {
    let document = project.file(file)?.document();
    let node = document.nodes().get(index)?;
    let around = node.parent.map(|parent| &document.nodes()[parent as usize]);
    let weight = around.filter(|around| around.shape.takes_values()).map(|_| weight(document, node));
    let words = document.slice((node.word, node.header_end)).to_owned();
    Some(Form { words, weight, arguments: arguments(project, file, document, node) })
}

/// Returns the text before the colon of a child with a weight.
fn weight(document: &Document, node: &Node) -> String {
    document.slice((node.start, node.word)).trim_end().trim_end_matches(':').to_owned()
}

/// Returns the arguments of a call: those that are declared, and those that are there.
fn arguments(project: &Project, file: &str, document: &Document, node: &Node) -> Vec<Argument> {
    let (Keyword::Action | Keyword::Use, Some(subject)) = (node.kind, node.subject) else {
        return Vec::new();
    };
    let known = project.file(file).and_then(|known| known.mention_at(subject.1));
    let symbol = known.map(|mention| project.resolve(file, mention));
    let declaration = symbol.and_then(|symbol| project.declaration(file, &symbol));
    let params = declaration.map(|(_, declaration)| declaration.params.as_slice()).unwrap_or_default();
    let given = places(document, node);
    let argument = |at: usize| {
        let param = params.get(at);
        Argument {
            name: param.map_or_else(|| format!("argument {}", at + 1), |param| param.name.to_string()),
            ty: param.map_or_else(String::new, |param| param.ty.to_string()),
            text: given.get(at).map_or_else(String::new, |range| document.slice(*range).to_owned()),
        }
    };
    (0..params.len().max(given.len())).map(argument).collect()
}
