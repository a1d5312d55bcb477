//! Sources in memory.
//!
//! A game may have its trees in an archive, an editor has them in buffers, a test writes them down.
//! [`Texts`] holds such files by path and finds trees where the command finds them, too: under
//! their name and the dialect's extension.
//!
//! ```
//! use pleach_compile::{Request, compile, dialect, manifest::Manifest, texts::Texts};
//!
//! let texts = Texts::new("pleach")
//!     .with("main.pleach", "include \"legs.pleach\" tree main { use walk }")
//!     .with("legs.pleach", "action step() tree walk { action step }");
//! let dialect = dialect::by_extension("pleach").unwrap();
//! let (manifest, entries) = (Manifest::default(), ["main".to_owned()]);
//! let request = Request { dialect, manifest: &manifest, entries: &entries, debug: true };
//! let done = compile(&texts, request);
//! assert!(done.image.is_some(), "{:?}", done.diagnostics);
//! ```

use crate::source::{Found, Library};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files in memory, by path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// Extension of the files of trees, without the dot. If empty, a file is called
    /// like its tree, without a dot.
    extension: String,
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Texts {
    /// No files yet. Those of trees end in a dot and `extension`; if it is empty, they
    /// are called as the trees are.
    #[must_use]
    pub fn new(extension: &str) -> Self {
        Self { extension: extension.to_owned(), files: BTreeMap::new() }
    }

    /// One file, that of a tree.
    #[must_use]
    pub fn of(tree: &str, extension: &str, text: impl AsRef<[u8]>) -> Self {
        let texts = Self::new(extension);
        let path = texts.path(tree);
        texts.with(path, text)
    }

    /// Adds a file and returns the texts. An earlier file with this path is replaced.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        self.add(path, text);
        self
    }

    /// Adds a file. An earlier file with this path is replaced.
    pub fn add(&mut self, path: impl Into<String>, text: impl AsRef<[u8]>) {
        self.files.insert(path.into(), text.as_ref().into());
    }

    fn path(&self, tree: &str) -> String {
        if self.extension.is_empty() { tree.to_owned() } else { [tree, ".", &self.extension].concat() }
    }

    fn found(&self, path: String) -> Option<Found> {
        let text = self.files.get(&path)?.clone();
        Some(Found { name: path, text })
    }

    /// Returns the extension of trees' files.
    #[must_use]
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.values().map(|text| text.len()).sum()
    }
}

impl Library for Texts {
    fn tree(&self, name: &str) -> Option<Found> {
        self.found(self.path(name))
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.found(path.to_owned())
    }

    fn files(&self) -> Vec<Found> {
        let found = |(path, text): (&String, &Arc<[u8]>)| Found { name: path.clone(), text: text.clone() };
        self.files.iter().map(found).collect()
    }
}
