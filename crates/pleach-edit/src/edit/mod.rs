//! Named edits of texts: computed from the syntax, given as the smallest change.
//!
//! An edit is about a node or a name. It is refused with a reason if it cannot be done, or if a
//! program of the project compiles before it and not after it. All bytes outside of the edited
//! nodes stay; a text in the usual layout is in the usual layout afterwards, too. Comments move
//! with the node that they belong to. `spec/editing.md` describes each edit.

pub(crate) mod arguments;
mod cases;
mod declare;
mod disable;
mod extract;
mod inline;
mod items;
mod kind;
mod moves;
mod near;
pub(crate) mod rename;
mod wraps;

pub use declare::DeclareKind;

use crate::change::{Change, Replacement, joined, replaced, smallest};
use crate::document::{Document, Node, Shape};
use crate::form::errors_of_form;
use crate::format::{between, formatted};
use crate::project::Project;
use crate::tokens::ends_with_line_comment;
use pleach_compile::diagnostic::Diagnostic;
use pleach_compile::internals::language::{Parsed, parse};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Edit of a file. A node is an index in [`Document::nodes`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum Edit {
    /// Puts a node into a new node with these words, such as `invert` or `timeout 5 s`.
    Wrap {
        /// The node.
        node: usize,
        /// Words of the new node, without its block.
        header: String,
    },
    /// Puts the children of a node in its place.
    Unwrap {
        /// The node.
        node: usize,
    },
    /// Switches a node off: it stays in the text, and is passed over.
    Disable {
        /// The node.
        node: usize,
    },
    /// Switches a disabled node on.
    Enable {
        /// The node, or a node by which it is disabled.
        node: usize,
    },
    /// Removes a node.
    Delete {
        /// The node.
        node: usize,
    },
    /// Puts a copy of a node behind it.
    Duplicate {
        /// The node.
        node: usize,
    },
    /// Puts new nodes into a node.
    Insert {
        /// The node around them.
        parent: usize,
        /// Number of children before them.
        index: usize,
        /// Text of the nodes, each with its weight if it has one.
        text: String,
    },
    /// Moves a node into a node of the same file.
    Move {
        /// The node.
        node: usize,
        /// The node around it afterwards.
        parent: usize,
        /// Number of children before it, of those that the parent has before the move.
        index: usize,
    },
    /// Replaces the words of a node, and keeps its children.
    ChangeKind {
        /// The node.
        node: usize,
        /// New words, without a block.
        header: String,
    },
    /// Puts new nodes in the place of a node.
    Replace {
        /// The node.
        node: usize,
        /// Text of the nodes.
        text: String,
    },
    /// Replaces an expression of a node, or appends an argument to a call.
    SetArgument {
        /// The node.
        node: usize,
        /// Index of the expression.
        index: usize,
        /// Text of the new expression.
        text: String,
    },
    /// Replaces the weight, score or case before a node, or adds one. An empty text removes it.
    SetWeight {
        /// The node.
        node: usize,
        /// Text of the weight.
        text: String,
    },
    /// Makes a tree of a node, and uses the tree in its place.
    Extract {
        /// The node.
        node: usize,
        /// Name of the new tree.
        name: String,
    },
    /// Puts the node of a tree in the place of a `use`.
    Inline {
        /// The `use`.
        node: usize,
    },
    /// Adds a declaration.
    AddDeclaration {
        /// Text of the declaration.
        text: String,
    },
    /// Replaces a declaration; of a tree, only the part before its block.
    ChangeDeclaration {
        /// Index in [`Document::items`].
        item: usize,
        /// New text.
        text: String,
    },
    /// Removes a declaration.
    DeleteDeclaration {
        /// Index in [`Document::items`].
        item: usize,
    },
    /// Gives another name to the thing that is mentioned at a byte, wherever it is mentioned.
    Rename {
        /// The byte.
        at: u32,
        /// The new name.
        name: String,
    },
    /// Declares the name at a byte.
    Declare {
        /// The byte.
        at: u32,
        /// Kind of the declaration.
        kind: DeclareKind,
    },
    /// Writes the nearest known name in the place of the unknown name at a byte.
    NearName {
        /// The byte.
        at: u32,
    },
    /// Adds a case for each member that a `match` has no case for.
    AddCases {
        /// The `match`.
        node: usize,
    },
}

/// Reason why an edit is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One sentence for people, without a dot at its end.
    pub reason: String,
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(&self.reason)
    }
}

impl core::error::Error for Refusal {}

/// Returns a refusal.
fn refused<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { reason: reason.into() })
}

/// File in which something is edited.
#[derive(Clone, Copy)]
struct Place<'p> {
    project: &'p Project,
    file: &'p str,
    document: &'p Document,
}

impl<'p> Place<'p> {
    /// Returns a node, if its declaration has no errors.
    fn node(&self, index: usize) -> Result<&'p Node, Refusal> {
        let Some(node) = self.document.nodes().get(index) else { return refused("there is no such node") };
        match self.document.items().get(node.item as usize) {
            Some(item) if !item.is_broken && node.last as usize > index => Ok(node),
            _ => refused("the declaration has errors"),
        }
    }

    /// Returns the node around a node.
    fn parent(&self, node: &Node) -> Option<&'p Node> {
        node.parent.map(|parent| &self.document.nodes()[parent as usize])
    }

    /// Returns a refusal if only some nodes can stand where a node is.
    fn takes_any_node(&self, node: &Node) -> Result<(), Refusal> {
        if !node.shape.takes_any_node() {
            return refused("the block belongs to the node around it");
        }
        match self.parent(node).map(|parent| parent.shape) {
            Some(Shape::Sets) => return refused("only `set` can stand here"),
            Some(Shape::Service) => return refused("only `set`, `raise` and `action` can stand here"),
            _ => {}
        }
        if self.document.items()[node.item as usize].kind == crate::ItemKind::Handler {
            return refused("an event only sets variables");
        }
        Ok(())
    }

    fn slice(&self, range: crate::Range) -> &'p str {
        self.document.slice(range)
    }
}

impl Document {
    /// Ends the line behind a new text that ends with a comment. Else the comment would hide the
    /// text that follows on the line.
    fn keep_visible(&self, new: &mut Replacement) {
        let (_, end) = new.range;
        let rest = self.slice((end, self.line_end(end)));
        if ends_with_line_comment(&new.text) && !rest.trim().is_empty() {
            new.text.push('\n');
        }
    }
}

/// Returns the first error of form in a new text that the old text does not have. Places do not
/// matter, because they move.
fn new_error(old: Option<&Document>, parsed: &Parsed, new: &str) -> Option<Diagnostic> {
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    let errors = old.into_iter().flat_map(Document::errors);
    errors.for_each(|it| *known.entry((it.code.id, it.message)).or_default() += 1);
    errors_of_form(parsed, new.as_bytes()).find(|it| {
        let count = known.get_mut(&(it.code.id, it.message.clone())).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_none()
    })
}

impl Project {
    /// Computes an edit of a file.
    ///
    /// ```
    /// use pleach_edit::{Edit, Project};
    ///
    /// let project = Project::new().with("a.pleach", "tree a { success }");
    /// let edit = Edit::Wrap { node: 0, header: "invert".into() };
    /// let change = project.edit("a.pleach", &edit).unwrap();
    /// assert_eq!(change.applied(&project).text("a.pleach"), "tree a { invert { success } }");
    /// ```
    ///
    /// # Errors
    /// If the edit is not possible, or a program would not compile any more.
    pub fn edit(&self, file: &str, edit: &Edit) -> Result<Change, Refusal> {
        self.edit_all(file, core::slice::from_ref(edit))
    }

    /// Computes several edits of a file as one change. All edits are about the text as it is. An
    /// edit that is not possible is left out. So is an edit that touches bytes of an earlier one.
    ///
    /// # Errors
    /// If no edit is possible, or a program would not compile any more.
    pub fn edit_all(&self, file: &str, edits: &[Edit]) -> Result<Change, Refusal> {
        let (mut changes, mut first) = (Vec::new(), None);
        for edit in edits {
            match self.proposed(file, edit) {
                Ok(change) => changes.push(change),
                Err(refusal) => first = first.or(Some(refusal)),
            }
        }
        if let Some(refusal) = first.filter(|_| changes.is_empty()) {
            return Err(refusal);
        }
        self.settled(Change::union(changes))
    }

    /// Computes the change of a file by replacements that are not an edit of this crate.
    ///
    /// # Errors
    /// If a program would not compile any more.
    pub fn replace(&self, file: &str, list: Vec<Replacement>) -> Result<Change, Refusal> {
        let text = self.text(file);
        if list.iter().any(|it| text.get(it.range.0 as usize..it.range.1 as usize).is_none()) {
            return refused("a replacement is not within the text");
        }
        let list = smallest(list, text);
        if list.windows(2).any(|pair| pair[0].range.1 > pair[1].range.0) {
            return refused("the replacements overlap");
        }
        self.settled(Change::of(file, list))
    }

    /// Returns a change with its layout, if it can be made.
    fn settled(&self, change: Change) -> Result<Change, Refusal> {
        let change = self.laid_out(change)?;
        if change.is_empty() {
            return refused("nothing would change");
        }
        self.check(&change)?;
        Ok(change)
    }

    /// Returns true if an edit looks possible. It may still be refused, because its result is not
    /// read. So the answer takes little time, and an editor can ask about many edits.
    #[must_use]
    pub fn allows(&self, file: &str, edit: &Edit) -> bool {
        self.proposed(file, edit).is_ok_and(|change| !change.is_empty())
    }

    /// Computes an edit without a look at its result.
    fn proposed(&self, file: &str, edit: &Edit) -> Result<Change, Refusal> {
        let Some(known) = self.file(file) else { return refused(format!("there is no file `{file}`")) };
        let place = Place { project: self, file, document: known.document() };
        let mut list = match edit {
            Edit::Wrap { node, header } => wraps::wrap(place, *node, header),
            Edit::Unwrap { node } => wraps::unwrap(place, *node),
            Edit::Disable { node } => disable::disable(place, *node),
            Edit::Enable { node } => disable::enable(place, *node),
            Edit::Delete { node } => moves::delete(place, *node),
            Edit::Duplicate { node } => moves::duplicate(place, *node),
            Edit::Insert { parent, index, text } => moves::insert(place, *parent, *index, text),
            Edit::Move { node, parent, index } => moves::relocate(place, *node, *parent, *index),
            Edit::ChangeKind { node, header } => kind::change(place, *node, header),
            Edit::Replace { node, text } => moves::replace(place, *node, text),
            Edit::SetArgument { node, index, text } => arguments::set(place, *node, *index, text),
            Edit::SetWeight { node, text } => arguments::set_weight(place, *node, text),
            Edit::Extract { node, name } => extract::extract(place, *node, name),
            Edit::Inline { node } => inline::inline(place, *node),
            Edit::AddDeclaration { text } => items::add(place, text),
            Edit::ChangeDeclaration { item, text } => items::change(place, *item, text),
            Edit::DeleteDeclaration { item } => items::delete(place, *item),
            Edit::Rename { at, name } => {
                let mut change = rename::rename(place, *at, name)?;
                for (file, list) in &mut change.files {
                    *list = smallest(std::mem::take(list), self.text(file));
                }
                return Ok(change);
            }
            Edit::Declare { at, kind } => declare::declare(place, *at, *kind),
            Edit::NearName { at } => near::replace(place, *at),
            Edit::AddCases { node } => cases::add(place, *node),
        }?;
        list.sort_by_key(|it| it.range);
        let is_reversed = list.iter().any(|it| it.range.0 > it.range.1);
        if is_reversed || list.windows(2).any(|pair| pair[0].range.1 > pair[1].range.0) {
            return refused("the declaration has errors");
        }
        list.iter_mut().for_each(|it| place.document.keep_visible(it));
        let list = smallest(list, place.document.text());
        Ok(Change::of(file, list))
    }

    /// Returns a change with the layout of the texts that have the usual layout before it. Refuses
    /// a change by which a text gets an error of form.
    fn laid_out(&self, change: Change) -> Result<Change, Refusal> {
        let files = change.files.into_iter().map(|(name, list)| {
            let text = self.text(&name);
            if !name.ends_with(".pleach") {
                return Ok((name, list));
            }
            let new = replaced(text, &list);
            let (old, parsed) = (self.file(&name).map(|file| file.document()), parse(&name, new.as_bytes()));
            if let Some(error) = new_error(old, &parsed, &new) {
                return refused(error.message);
            }
            let is_laid_out = old.is_none_or(|old| formatted(old.parsed(), text).as_deref() == Some(text));
            let form = is_laid_out.then(|| formatted(&parsed, &new)).flatten();
            let layout = form.map(|form| between(&new, &form)).unwrap_or_default();
            Ok((name, joined(text, &list, &layout)))
        });
        Ok(Change { files: files.collect::<Result<_, _>>()? })
    }

    /// Makes sure that programs that compile also compile after a change.
    fn check(&self, change: &Change) -> Result<(), Refusal> {
        let changed = change.applied(self);
        let mut entries: Vec<&str> =
            change.files.keys().flat_map(|file| self.entries_with(file)).map(AsRef::as_ref).collect();
        entries.sort_unstable();
        entries.dedup();
        for entry in entries.into_iter().filter(|entry| entry.ends_with(".pleach")) {
            if let Some(error) = changed.first_error(entry)
                && self.first_error(entry).is_none()
            {
                return refused(format!("{entry} would not compile: {error}"));
            }
        }
        Ok(())
    }
}
