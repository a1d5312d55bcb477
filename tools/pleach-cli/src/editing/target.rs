//! Node that a page selects after an edit.
//!
//! Nodes are numbered in pre-order, so the index of the node in the new text follows from its index
//! in the old one.

use pleach_edit::{Document, Edit};

/// Returns the index of the node that an edit is about, in the text after the edit.
pub(super) fn target(document: &Document, edit: &Edit) -> Option<usize> {
    let node = |index: usize| document.nodes().get(index);
    let found = match edit {
        Edit::Wrap { node, .. }
        | Edit::Unwrap { node }
        | Edit::Disable { node }
        | Edit::Replace { node, .. }
        | Edit::ChangeKind { node, .. }
        | Edit::SetArgument { node, .. }
        | Edit::SetWeight { node, .. }
        | Edit::Extract { node, .. }
        | Edit::Inline { node }
        | Edit::AddCases { node } => *node,
        Edit::Enable { node } => document.disabled_by(*node)?,
        Edit::Duplicate { node: index } => node(*index)?.last as usize,
        Edit::Delete { node: index } => after_delete(document, *index)?,
        Edit::Insert { parent, index, .. } => position(document, *parent, *index)?,
        Edit::Move { node: index, parent, index: at } => {
            let size = node(*index)?.last as usize - index;
            let place = position(document, *parent, *at)?;
            if place > *index { place.checked_sub(size)? } else { place }
        }
        Edit::AddDeclaration { .. }
        | Edit::ChangeDeclaration { .. }
        | Edit::DeleteDeclaration { .. }
        | Edit::Rename { .. }
        | Edit::Declare { .. }
        | Edit::NearName { .. } => return None,
    };
    Some(found)
}

/// Returns the index that a new child of a node gets, behind a number of children.
fn position(document: &Document, parent: usize, index: usize) -> Option<usize> {
    let nodes = document.nodes();
    nodes.get(parent)?;
    let all: Vec<usize> = document.children(parent).collect();
    // The `set`s of a `cleanup` come first, and do not count.
    let sets = all.iter().filter(|child| !nodes[**child].shape.takes_any_node()).count();
    match (index + sets).checked_sub(1) {
        None => Some(parent + 1),
        Some(before) => Some(nodes[*all.get(before)?].last as usize),
    }
}

/// Returns the node to select after a node is gone: the next child of the block, else the one
/// before, else the node around.
fn after_delete(document: &Document, index: usize) -> Option<usize> {
    let node = document.nodes().get(index)?;
    let parent = node.parent? as usize;
    let next = node.last as usize;
    if next < document.nodes()[parent].last as usize {
        return Some(index);
    }
    document.children(parent).take_while(|child| *child < index).last().or(Some(parent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_edit::Project;

    /// The node that is selected after an edit begins with these words.
    #[track_caller]
    fn selects(edit: &Edit, words: &str) {
        let text = "tree t { sequence { invert { success } selector { failure running } wait 1 s } }";
        let project = Project::new().with("a.pleach", text);
        let change = project.edit("a.pleach", edit).unwrap_or_else(|why| panic!("{edit:?}: {why}"));
        let node = target(project.file("a.pleach").expect("the file").document(), edit).expect("a node");
        let changed = change.applied(&project);
        let document = changed.file("a.pleach").expect("the file").document();
        let node = &document.nodes()[node];
        assert!(document.slice((node.word, node.end)).starts_with(words), "{edit:?}: {node:?}");
    }

    #[test]
    fn the_edited_node_is_selected() {
        let text = || "chance 0.5 { success }".to_owned();
        selects(&Edit::Wrap { node: 3, header: "once".to_owned() }, "once { selector");
        selects(&Edit::Unwrap { node: 1 }, "success");
        selects(&Edit::Disable { node: 5 }, "if false { running }");
        selects(&Edit::Duplicate { node: 3 }, "selector");
        selects(&Edit::Delete { node: 4 }, "running");
        selects(&Edit::Delete { node: 5 }, "failure");
        selects(&Edit::Delete { node: 6 }, "selector");
        selects(&Edit::Insert { parent: 0, index: 0, text: text() }, "chance");
        selects(&Edit::Insert { parent: 0, index: 2, text: text() }, "chance");
        selects(&Edit::Insert { parent: 3, index: 2, text: text() }, "chance");
        selects(&Edit::Move { node: 6, parent: 0, index: 0 }, "wait");
        selects(&Edit::Move { node: 1, parent: 0, index: 3 }, "invert");
        selects(&Edit::Move { node: 1, parent: 3, index: 1 }, "invert");
        selects(&Edit::Replace { node: 6, text: text() }, "chance");
    }
}
