//! Blocks and trees that files declare.

use super::{Attribute, Diagnostic, Element, Refused, codes, expect, required};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use pleach_image::suggest::Suggestions;

/// The scope of blocks that all trees see.
pub(super) const GLOBAL: &str = "Global";

/// A tree that may be asked for.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    pub(super) element: Element<'a>,
    /// True if the tree has an element of its own, false if its sections are the whole file.
    pub(super) whole: bool,
}

/// A tree, and where it was found.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) candidate: Candidate<'a>,
    /// The file that it stands in, by its number.
    pub(super) file: usize,
    /// True if that file was requested.
    pub(super) asked: bool,
}

/// Blocks by scope and name.
#[derive(Default)]
pub(super) struct Blocks<'a> {
    /// By scope and name: indices in `list`.
    by_name: HashMap<(&'a str, &'a str), usize>,
    /// Scope, name, and the block itself.
    list: Vec<(&'a str, Attribute<'a>, Element<'a>)>,
}

impl<'a> Blocks<'a> {
    /// Returns the block that a tree means by this name: one of its own before one that all see.
    pub(super) fn find(&self, tree: &str, name: &str) -> Option<usize> {
        [tree, GLOBAL].into_iter().find_map(|scope| self.by_name.get(&(scope, name)).copied())
    }

    pub(super) fn get(&self, index: usize) -> Element<'a> {
        self.list[index].2
    }

    /// Returns the name that a tree may mean.
    pub(super) fn nearest(&self, suggestions: &Suggestions, tree: &str, name: &str) -> Option<&str> {
        let seen = self.list.iter().filter(|(scope, ..)| [tree, GLOBAL].contains(scope));
        suggestions.closest(name, seen.map(|(_, name, _)| name.value()))
    }

    pub(super) fn add(&mut self, scope: &'a str, block: Element<'a>) -> Result<(), Refused> {
        expect(block, "Block")?;
        let name = required(block, "name")?;
        match self.by_name.entry((scope, name.value())) {
            Entry::Vacant(place) => {
                place.insert(self.list.len());
                self.list.push((scope, name, block));
                Ok(())
            }
            Entry::Occupied(first) => {
                let first = self.list[*first.get()].1.value_span();
                let message = format!("there is a block `{}` already", name.value());
                let finding = Diagnostic::new(codes::DECLARED_TWICE, name.value_span(), message);
                Err(finding.help("rename one of them").related(first, "first here").into())
            }
        }
    }
}
