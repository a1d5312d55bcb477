//! Files of a folder that belong together: trees, manifests and tests, and the programs that trees
//! become.
//!
//! A [`Project`] is a value: a clone is a snapshot that shares all texts, and later changes of the
//! original make no difference to it. Everything that can be found out from one file is found when
//! the file is set. Everything else is found when it is asked for.

mod changes;
mod compile;
mod declarations;
mod lines;
mod programs;
mod references;
mod types;

pub(crate) use declarations::heading_end;
pub use declarations::{Declaration, DeclarationKind, Parameter, Symbol};
pub use references::Reference;
pub use types::Type;
pub(crate) use types::operand_start;

use crate::document::{Document, Mention, Range};
use crate::paths::extension_of;
use programs::Programs;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of texts that have been read.
static REVISIONS: AtomicU64 = AtomicU64::new(0);

/// Largest number of bytes of a file that is read.
pub const MAX_BYTES: usize = 1 << 24;

/// Content of a file, as far as edits are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Trees in the language `pleach`: `.pleach`.
    Trees,
    /// Vocabulary of a host: `.manifest`.
    Manifest,
    /// Tests of trees: `.test`.
    Tests,
}

impl FileKind {
    /// Returns the kind of a file by its name; `None` for files that are no part of a project.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match extension_of(name) {
            "pleach" => Some(Self::Trees),
            "manifest" => Some(Self::Manifest),
            "test" => Some(Self::Tests),
            _ => None,
        }
    }
}

/// File of a project.
#[derive(Debug)]
pub struct ProjectFile {
    /// Number that no other text has, in this process.
    pub(crate) revision: u64,
    pub(crate) kind: FileKind,
    pub(crate) document: Document,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) declarations: Vec<Declaration>,
    /// Indices of the declarations, by name.
    by_name: HashMap<Box<str>, Vec<u32>>,
    /// Files that it names: what it includes, or the tree under test.
    pub(crate) paths: Vec<Box<str>>,
}

impl ProjectFile {
    fn new(name: &str, kind: FileKind, text: Arc<str>) -> Self {
        if kind != FileKind::Trees {
            return lines::read(kind, text);
        }
        let document = Document::new(name, text);
        let mentions = document.mentions();
        let declarations = declarations::of_trees(&document);
        let paths = programs::includes(&document);
        Self::of(kind, document, mentions, declarations, paths)
    }

    fn of(
        kind: FileKind,
        document: Document,
        mentions: Vec<Mention>,
        declarations: Vec<Declaration>,
        paths: Vec<Box<str>>,
    ) -> Self {
        let mut by_name: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        for (index, declaration) in (0..).zip(&declarations) {
            by_name.entry(declaration.name.clone()).or_default().push(index);
        }
        let revision = REVISIONS.fetch_add(1, Ordering::Relaxed);
        Self { revision, kind, document, mentions, declarations, by_name, paths }
    }

    /// Returns the declarations of a name.
    fn named(&self, name: &str) -> impl Iterator<Item = &Declaration> {
        let indices = self.by_name.get(name).into_iter().flatten();
        indices.map(|index| &self.declarations[*index as usize])
    }

    /// Returns the kind of the file.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Returns the text with its tokens and nodes. A file that holds no trees has none of these.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns a number that tells this text from all others in this process.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns all names in the file, in order.
    #[must_use]
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// Returns all declarations in the file.
    #[must_use]
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// Returns the declaration whose name is at a place.
    #[must_use]
    pub fn declaration_at(&self, name: Range) -> Option<&Declaration> {
        let first = self.declarations.partition_point(|it| it.range < name);
        self.declarations.get(first).filter(|it| it.range == name)
    }

    /// Returns the name at a byte, or right before it.
    #[must_use]
    pub fn mention_at(&self, at: u32) -> Option<&Mention> {
        let next = self.mentions.partition_point(|mention| mention.range.1 < at);
        let near = self.mentions[next..].iter().take_while(|mention| mention.range.0 <= at);
        near.last()
    }
}

/// Files by their names: paths from the folder of the project, with `/` between the folders.
#[derive(Clone, Debug, Default)]
pub struct Project {
    files: BTreeMap<Box<str>, Arc<ProjectFile>>,
    /// Folders in which included files are looked for, each empty or with a `/` at its end.
    folders: Vec<Box<str>>,
    /// Manifests of all trees. If there are none, a manifest is that of the trees of its folder.
    manifests: Vec<Box<str>>,
    /// Shared by all clones.
    programs: Arc<OnceLock<Programs>>,
}

impl Project {
    /// Returns a project without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a folder in which included files are looked for, as `-I` does.
    #[must_use]
    pub fn with_folder(mut self, folder: &str) -> Self {
        self.programs = Arc::default();
        let folder = folder.trim_end_matches('/');
        self.folders.push(if folder.is_empty() { "".into() } else { format!("{folder}/").into() });
        self
    }

    /// Returns the folders in which included files are looked for, each empty or with a `/` at its
    /// end.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(AsRef::as_ref)
    }

    /// Adds a manifest that all trees are compiled with, as `--manifest` does. Then no other
    /// manifests count.
    #[must_use]
    pub fn with_manifest(mut self, name: &str) -> Self {
        self.programs = Arc::default();
        self.manifests.push(name.into());
        self
    }

    /// Adds a file and returns the project, as [`Self::set`] does.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        self.set(name, text.into());
        self
    }

    /// Adds a file, or replaces its text. A name that is of no [`FileKind`] is ignored, and so is a
    /// text of more than [`MAX_BYTES`] bytes: the project then has no such file.
    pub fn set(&mut self, name: &str, text: Arc<str>) {
        let Some(kind) = FileKind::of(name).filter(|_| text.len() <= MAX_BYTES) else {
            return self.remove(name);
        };
        // Findings about a file that an editor opens as it is on the disk stay about this text.
        if self.file(name).is_some_and(|file| *file.document.text() == text) {
            return;
        }
        let file = Arc::new(ProjectFile::new(name, kind, text));
        let old = self.files.insert(name.into(), file.clone());
        // A text whose paths stay leaves all programs as they are.
        if old.is_none_or(|old| old.paths != file.paths) {
            self.programs = Arc::default();
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, name: &str) {
        if self.files.remove(name).is_some() {
            self.programs = Arc::default();
        }
    }

    /// Returns a file.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&ProjectFile> {
        self.files.get(name).map(AsRef::as_ref)
    }

    /// Returns all files with their names, in order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &ProjectFile)> {
        self.files.iter().map(|(name, file)| (&**name, &**file))
    }

    /// Returns the text of a file; an empty one if there is no such file.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.file(name).map_or("", |file| file.document.text())
    }
}
