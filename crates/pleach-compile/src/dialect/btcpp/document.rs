//! Files: includes, trees, models, and which tree runs.
//!
//! An included file is read before the trees of the file that includes it, and of two trees with
//! one ID the last one counts. So the trees of a file replace those of its includes.

use super::hosts::{Known, Registry};
use super::kinds::{self, Version};
use super::models::declarations;
use super::names::{ID_HELP, NameRule, flaw};
use super::verify::Verifier;
use super::xml::{Document, Element, kind_name};
use super::{Refused, refused};
use crate::codes;
use crate::dialect::path;
use crate::manifest::Manifest;
use crate::session::Session;
use crate::source::{Found, MAX_TEXT, Span};
use hashbrown::HashMap;

/// Most files that include each other.
const MAX_INCLUDES: usize = 32;
/// Most files that are read.
const MAX_FILES: usize = 1000;

/// A tree as written.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) id: String,
    pub(super) document: usize,
    /// The element of the tree. The outermost node is the next one.
    pub(super) element: usize,
}

/// A port of the model of a subtree.
#[derive(Clone, Debug)]
pub(super) struct ModelPort {
    pub(super) name: String,
    pub(super) default: Option<String>,
}

/// All files of a program.
pub(super) struct Files<'r> {
    pub(super) registry: &'r Registry,
    pub(super) documents: Vec<Document>,
    pub(super) trees: Vec<Tree>,
    /// Index in `trees` of the tree that counts, by ID.
    pub(super) by_id: HashMap<String, usize>,
    /// Ports of the models of subtrees, by ID.
    pub(super) models: HashMap<String, Vec<ModelPort>>,
    /// Number of trees without an ID so far.
    unnamed: usize,
}

/// Returns the version of the library that a file is written for. A file that does not tell is of
/// version 3, unless it has a node that only version 4 has.
fn version(document: &Document) -> Version {
    let told = document.elements[0].attribute("BTCPP_format");
    let new = || document.elements.iter().any(|it| kinds::is_new(kind_name(&it.name, &it.attributes)));
    if told.is_some() || new() { Version::Four } else { Version::Three }
}

/// Reads files.
struct Reader<'s, 'a, 'r> {
    session: &'s mut Session<'a>,
    registry: &'r mut Registry,
    documents: Vec<Document>,
    /// Bytes of the included files so far.
    bytes: usize,
}

impl Reader<'_, '_, '_> {
    /// Reads a file and its includes, which come before it, and adds the nodes of their models.
    fn file(&mut self, found: Found, path: &str, depth: usize) -> Result<(), Refused> {
        let source = self.session.sources.add(found.name, found.text.clone());
        let document = Document::read(source, &found.text)?;
        let root = &document.elements[0];
        if root.name != "root" {
            let message = format!("the outermost element is `{}`; it must be `root`", root.name);
            let help = "write `<root BTCPP_format=\"4\">`";
            return Err(refused(codes::XML_UNKNOWN_ELEMENT, root.span, message, help));
        }
        if depth == 0 {
            self.registry.version = version(&document);
        }
        self.registry.add(&Manifest::parse(&declarations(&document)).0);
        for element in document.children(0) {
            let element = &document.elements[element];
            if element.name == "include" {
                self.include(element, path, depth)?;
            }
        }
        self.documents.push(document);
        Ok(())
    }

    /// Reads a file that the file at a path includes.
    fn include(&mut self, element: &Element, from: &str, depth: usize) -> Result<(), Refused> {
        let at = element.span;
        let Some(written) = element.attribute("path") else {
            return Err(refused(codes::XML_MISSING_ATTRIBUTE, at, "`include` has no `path`", "add it"));
        };
        if element.attribute("ros_pkg").is_some() && !written.starts_with('/') {
            let message = "`ros_pkg` names a package of ROS, which is not known here";
            return Err(refused(codes::FILE_NOT_FOUND, at, message, "write the path of the file"));
        }
        if depth == MAX_INCLUDES || self.session.sources.files().len() >= MAX_FILES {
            let message = format!("`{written}` is included too deep, or is one file too many");
            return Err(refused(codes::DEEP_INCLUDE, at, message, "a file cannot include itself"));
        }
        let Some(path) = path::resolve(from, written) else {
            let message = format!("`{written}` leads above the root of all files");
            return Err(refused(codes::PATH_ABOVE_ROOT, at, message, "write fewer `..`"));
        };
        let Some(found) = self.session.library.include(&path) else {
            let message = format!("the included file `{path}` is not there");
            return Err(refused(codes::FILE_NOT_FOUND, at, message, "check the path"));
        };
        self.bytes = self.bytes.saturating_add(found.text.len());
        if self.bytes > MAX_TEXT {
            let message = "the included files have more text than is allowed";
            return Err(refused(codes::TOO_MUCH_TEXT, at, message, "include fewer files"));
        }
        self.file(found, &path, depth + 1)
    }
}

impl<'r> Files<'r> {
    /// Reads a file and all that it includes, and returns the tree that runs: the one with the
    /// given ID, or the one that the file tells.
    pub(super) fn load(
        session: &mut Session<'_>,
        registry: &'r mut Registry,
        found: Found,
        wanted: Option<&str>,
    ) -> Result<(Self, usize), Refused> {
        let mut reader = Reader { session, registry, documents: Vec::new(), bytes: 0 };
        reader.file(found, "", 0)?;
        let documents = reader.documents;
        let registry = &*registry;
        let (trees, by_id, models) = Default::default();
        let mut files = Self { registry, documents, trees, by_id, models, unnamed: 0 };
        for index in 0..files.documents.len() {
            files.register(index)?;
            Verifier { registry, document: &files.documents[index] }.verify(session)?;
            files.models(index)?;
        }
        let main = files.main(files.documents.len() - 1, wanted)?;
        Ok((files, main))
    }

    /// Registers the trees of a document.
    fn register(&mut self, index: usize) -> Result<(), Refused> {
        let document = &self.documents[index];
        let alone = document.children(0).count() == 1;
        let mut found = Vec::new();
        for element in document.children(0) {
            let row = &document.elements[element];
            if row.name != "BehaviorTree" {
                continue;
            }
            let id = match row.attribute("ID") {
                Some(id) if !id.is_empty() => id.to_owned(),
                _ if alone => {
                    self.unnamed += 1;
                    format!("BehaviorTree_{}", self.unnamed)
                }
                _ => {
                    let message = "a `BehaviorTree` beside other elements needs an `ID`";
                    return Err(refused(codes::XML_MISSING_ATTRIBUTE, row.span, message, "add `ID=\"…\"`"));
                }
            };
            found.push((id, element, row.span));
        }
        for (id, element, span) in found {
            self.name(&id, span, "tree")?;
            self.by_id.insert(id.clone(), self.trees.len());
            self.trees.push(Tree { id, document: index, element });
        }
        Ok(())
    }

    /// Checks the ID of a tree.
    fn name(&self, id: &str, span: Span, what: &str) -> Result<(), Refused> {
        if let Some(flaw) =
            flaw(id, self.registry.id_rule()).filter(|_| self.registry.version == Version::Four)
        {
            let message = format!("`{id}` cannot be the ID of a {what}: {flaw}");
            return Err(refused(codes::NODE_NAME, span, message, ID_HELP));
        }
        if self.registry.find(id).is_some() {
            let message = format!("`{id}` is the name of a node, so that no {what} can have it");
            return Err(refused(codes::NODE_NAME, span, message, "use another ID"));
        }
        Ok(())
    }

    /// Notes the models of subtrees of a document.
    fn models(&mut self, index: usize) -> Result<(), Refused> {
        let document = &self.documents[index];
        for models in document.children(0).filter(|it| document.elements[*it].name == "TreeNodesModel") {
            for model in document.children(models) {
                let row = &document.elements[model];
                let Some(id) = row.attribute("ID").filter(|_| row.name == "SubTree") else { continue };
                let mut ports = Vec::new();
                for port in document.children(model) {
                    let port = &document.elements[port];
                    if !matches!(&*port.name, "input_port" | "output_port" | "inout_port") {
                        continue;
                    }
                    let Some(name) = port.attribute("name") else {
                        let message = "a port of a model has no `name`";
                        return Err(refused(codes::XML_MISSING_ATTRIBUTE, port.span, message, "add it"));
                    };
                    if let Some(flaw) = flaw(name, NameRule::Port) {
                        let message = format!("`{name}` cannot be the name of a port: {flaw}");
                        return Err(refused(codes::NODE_NAME, port.span, message, "use another name"));
                    }
                    let default = port.attribute("default").map(str::to_owned);
                    ports.push(ModelPort { name: name.to_owned(), default });
                }
                self.models.insert(id.to_owned(), ports);
            }
        }
        Ok(())
    }

    /// Returns the tree that runs.
    fn main(&self, first: usize, wanted: Option<&str>) -> Result<usize, Refused> {
        let root = &self.documents[first].elements[0];
        if let Some(id) = wanted.or_else(|| root.attribute("main_tree_to_execute")) {
            let found = self.by_id.get(id).copied();
            let message = || format!("there is no tree `{id}`");
            return found.ok_or_else(|| refused(codes::TREE_NOT_FOUND, root.span, message(), "check the ID"));
        }
        let own: Vec<_> = (0..self.trees.len()).filter(|it| self.trees[*it].document == first).collect();
        match (&*own, &*self.by_id.values().copied().collect::<Vec<_>>()) {
            ([only], _) | ([] | [_, ..], [only]) => Ok(*only),
            ([], []) => {
                let message = "the file has no `BehaviorTree`";
                Err(refused(codes::EMPTY_FILE, root.span, message, "add `<BehaviorTree ID=\"…\">`"))
            }
            _ => {
                let message = "the file has several trees and does not tell which one runs";
                let help = "add `main_tree_to_execute=\"…\"` to `root`";
                Err(refused(codes::NOTHING_TO_START, root.span, message, help))
            }
        }
    }

    /// Returns the kind of an element that is a node, and the attribute that names the kind in the
    /// long form.
    pub(super) fn kind_of(&self, document: usize, element: usize) -> Option<Known> {
        let row = &self.documents[document].elements[element];
        self.registry.find(kind_name(&row.name, &row.attributes))
    }
}
