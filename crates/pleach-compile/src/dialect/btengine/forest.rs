//! Forest files: the trees of forests, and the tree files that they run.

use super::attributes::needed;
use super::words::{FOREST, FOREST_ROOT, TREE, TREE_ROOT};
use super::{
    ATTRIBUTE, Attribute, Diagnostic, Element, Forests, Loader, Names, Session, Span, Sym, attributes, codes,
    misplaced, only, tree,
};
use crate::ast;
use crate::dialect::xml::{self, Text};
use crate::forest::{Forest, Tree};
use crate::source::{Found, MAX_TEXT};
use core::mem::take;
use hashbrown::HashMap;

/// Reads files: forests with all that they name, or trees alone.
pub(super) fn load(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let mut file = take(&mut session.file);
    file.clear();
    let (names, files) = (Names::default(), HashMap::default());
    let mut loader = Loader { session, file, names, files, text: 0, roots: Vec::new() };
    entries.iter().for_each(|entry| loader.entry(entry));
    loader.finish()
}

impl Loader<'_, '_> {
    fn entry(&mut self, entry: &str) {
        let Some(found) = self.session.library.tree(entry) else {
            let message = format!("there is no file for `{entry}`");
            self.session.diagnostics.push(Diagnostic::new(codes::TREE_NOT_FOUND, None, message));
            return;
        };
        let name = self.session.names.intern(found.name.as_bytes());
        let Some(text) = xml::read(self.session, found) else { return };
        let Some(document) = text.parse(self.session) else { return };
        let root = document.root();
        match root.name() {
            FOREST_ROOT => self.forests(root),
            TREE_ROOT => {
                let tree = self.tree_of(name, root);
                self.files.insert(name, tree);
            }
            other => {
                let message = format!("`{other}` is no root of a file of this dialect");
                let help =
                    format!("a file of forests is a `{FOREST_ROOT}`, a file with a tree a `{TREE_ROOT}`");
                self.session.report(codes::XML_UNKNOWN_ELEMENT, root.name_span(), message, help);
            }
        }
    }

    fn forests(&mut self, root: Element<'_>) {
        only(self.session, root, &[]);
        // Attributes of all forests together are checked and dropped,
        // because they belong to nothing.
        let kept = self.file.forests.attributes.len();
        attributes::read(self.session, root, &mut self.file.forests);
        self.file.forests.attributes.truncate(kept);
        let mut empty = true;
        for element in root.children() {
            match element.name() {
                FOREST => {
                    empty = false;
                    self.forest(element);
                }
                ATTRIBUTE => {}
                _ => misplaced(self.session, element, root.name(), &[FOREST, ATTRIBUTE]),
            }
        }
        if empty {
            let message = "there is no forest in this file".to_owned();
            self.session.report(codes::MISSING_CHILD, root.name_span(), message, "add a `Forest`");
        }
    }

    fn forest(&mut self, element: Element<'_>) {
        only(self.session, element, &["name"]);
        let name = self.names.take(self.session, element, "the forest");
        let attributes = attributes::read(self.session, element, &mut self.file.forests);
        let first = self.file.forests.trees.len() as u32;
        let mut names = Names::default();
        for inside in element.children() {
            match inside.name() {
                TREE => self.tree(inside, &mut names),
                ATTRIBUTE => {}
                _ => misplaced(self.session, inside, element.name(), &[TREE, ATTRIBUTE]),
            }
        }
        let trees = (first, self.file.forests.trees.len() as u32 - first);
        if let Some(name) = name {
            self.file.forests.forests.push(Forest { name, trees, attributes });
        }
    }

    fn tree(&mut self, element: Element<'_>, names: &mut Names) {
        only(self.session, element, &["name", "file"]);
        let name = names.take(self.session, element, "the tree");
        let attributes = attributes::read(self.session, element, &mut self.file.forests);
        for inside in element.children().filter(|inside| inside.name() != ATTRIBUTE) {
            misplaced(self.session, inside, element.name(), &[ATTRIBUTE]);
        }
        let help = "it names the file that holds the nodes of the tree";
        let Some(path) = needed(self.session, element, "file", help) else { return };
        if let (Some(entry), Some(name)) = (self.file_of(path), name) {
            self.file.forests.trees.push(Tree { name, entry, attributes });
        }
    }

    /// Returns the tree of a tree file, which is read when it is named first.
    fn file_of(&mut self, path: Attribute<'_>) -> Option<u32> {
        let name = self.session.names.intern(path.value().as_bytes());
        if let Some(known) = self.files.get(&name) {
            return *known;
        }
        let tree = match self.session.library.include(path.value()) {
            Some(found) if self.has_room(found.text.len(), path.value_span()) => {
                self.read(name, found, path.value_span())
            }
            Some(_) => None,
            None => {
                let message = format!("there is no file `{}`", path.value());
                let help = "files are looked for beside the file that names them";
                self.session.report(codes::FILE_NOT_FOUND, path.value_span(), message, help);
                None
            }
        };
        self.files.insert(name, tree);
        tree
    }

    /// Adds the bytes of a file. Returns true if the sum is within the limit. The first file beyond
    /// it is reported.
    fn has_room(&mut self, bytes: usize, named: Span) -> bool {
        let before = self.text;
        self.text = before.saturating_add(bytes);
        if before <= MAX_TEXT && self.text > MAX_TEXT {
            let message = format!("with this file there are more than {} MiB of text", MAX_TEXT >> 20);
            let help = "a file that is named by several paths is read for each of them";
            self.session.report(codes::TOO_MUCH_TEXT, named, message, help);
        }
        self.text <= MAX_TEXT
    }

    fn read(&mut self, name: Sym, found: Found, named: Span) -> Option<u32> {
        let text: Text = xml::read(self.session, found)?;
        let document = text.parse(self.session)?;
        let root = document.root();
        if root.name() == TREE_ROOT {
            return self.tree_of(name, root);
        }
        let message = format!("`{}` is no root of a tree", root.name());
        let finding = Diagnostic::new(codes::XML_UNKNOWN_ELEMENT, root.name_span(), message);
        let finding = finding.help(format!("a file with a tree is a `{TREE_ROOT}`"));
        self.session.diagnostics.push(finding.related(named, "here the file is named"));
        None
    }

    fn tree_of(&mut self, name: Sym, root: Element<'_>) -> Option<u32> {
        let first = tree::read(self, root)?;
        let span = root.name_span();
        self.file.trees.push(ast::Tree { name, role: ast::Role::Main, root: first, span });
        Some(self.file.trees.len() as u32 - 1)
    }

    /// Each tree can be started. The faces of nodes get those of their roots among them.
    fn finish(self) -> ast::File {
        let Self { mut file, roots, .. } = self;
        file.entries.extend(0..file.trees.len() as u32);
        let Forests { nodes, .. } = &mut file.forests;
        let inner = core::mem::replace(nodes, Vec::with_capacity(nodes.len() + roots.len()));
        for (tree, root) in file.trees.iter().zip(roots) {
            let inside = tree.root as usize..file.nodes[tree.root as usize].end as usize;
            nodes.push(root);
            nodes.extend_from_slice(&inner[inside]);
        }
        file
    }
}
