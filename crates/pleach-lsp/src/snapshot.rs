//! Files at one moment, which requests work on.

use crate::client::Client;
use crate::text::{Lines, path_of, uri_of};
use gen_lsp_types::{Location, Position, TextDocumentPositionParams, WorkspaceEdit};
use pleach_compile::dialect::{Dialect, of_file};
use pleach_compile::{Request, compile};
use pleach_edit::{Change, Project, ProjectFile, extension_of};
use pleach_image::Image;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Payload of the panic that ends work which nobody waits for.
pub(crate) struct Cancelled;

/// File of another dialect.
#[derive(Debug)]
pub(crate) struct Other {
    /// Number that no other text of such a file has.
    pub(crate) revision: u64,
    pub(crate) text: Arc<str>,
    /// None for a file that only has the extension of a dialect, such as other XML.
    pub(crate) dialect: Option<&'static dyn Dialect>,
}

impl Other {
    pub(crate) fn new(name: &str, revision: u64, text: Arc<str>) -> Self {
        let dialect = of_file(extension_of(name), text.as_bytes());
        Self { revision, text, dialect }
    }
}

/// Files of other dialects, by their paths.
pub(crate) type Others = BTreeMap<String, Arc<Other>>;

/// Files at one moment. It shares all texts with the workspace.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) client: Arc<Client>,
    pub(crate) project: Project,
    /// Files of other dialects.
    pub(crate) others: Arc<Others>,
    /// Versions of the files that are open in the editor.
    pub(crate) versions: HashMap<String, i32>,
    /// True if nobody waits any more for what is done with the snapshot.
    pub(crate) is_cancelled: Arc<AtomicBool>,
    /// Number of changes before this moment.
    pub(crate) revision: u64,
    /// Lines of the files that were asked for.
    pub(crate) lines: RefCell<HashMap<String, Arc<Lines>>>,
}

/// Returns the text of a file.
pub(crate) fn text_of<'t>(project: &'t Project, others: &'t Others, path: &str) -> Option<&'t Arc<str>> {
    let own = project.file(path).map(|file| file.document().text());
    own.or_else(|| others.get(path).map(|other| &other.text))
}

/// File of trees, a vocabulary or tests that a request is about.
pub(crate) struct Opened<'s> {
    pub(crate) name: String,
    pub(crate) file: &'s ProjectFile,
    pub(crate) lines: Arc<Lines>,
}

impl Snapshot {
    /// Ends the work with a panic, which [`caught`](crate::worker::caught) takes, if nobody waits
    /// for its result. Called between files and between edits.
    pub(crate) fn pause(&self) {
        if self.is_cancelled.load(Ordering::Relaxed) {
            self.end();
        }
    }

    /// Ends the work as [`pause`](Self::pause) does.
    pub(crate) fn end(&self) -> ! {
        resume_unwind(Box::new(Cancelled));
    }

    /// Returns the revisions of the texts of files.
    pub(crate) fn revisions(&self, files: &[Box<str>]) -> Vec<u64> {
        let files = files.iter().filter_map(|name| self.project.file(name));
        files.map(|file| file.revision()).collect()
    }

    /// Returns the lines of a file.
    pub(crate) fn lines(&self, path: &str) -> Arc<Lines> {
        self.pause();
        if let Some(lines) = self.lines.borrow().get(path) {
            return lines.clone();
        }
        let text = text_of(&self.project, &self.others, path).cloned().unwrap_or_default();
        let lines = Arc::new(Lines::new(text, self.client.is_utf8));
        self.lines.borrow_mut().insert(path.to_owned(), lines.clone());
        lines
    }

    /// Returns the file of a URI; `None` for files of other dialects.
    pub(crate) fn open(&self, uri: &str) -> Option<Opened<'_>> {
        self.named(&path_of(uri)?)
    }

    /// Returns the file of a path; `None` for files of other dialects.
    pub(crate) fn named(&self, path: &str) -> Option<Opened<'_>> {
        let file = self.project.file(path)?;
        Some(Opened { name: path.to_owned(), file, lines: self.lines(path) })
    }

    /// Returns the program of an entry in our own language, with debug information. `None` if it
    /// has errors.
    pub(crate) fn image(&self, entry: &str) -> Option<Image> {
        self.pause();
        let vocabulary = self.project.vocabulary(entry);
        let done = self
            .project
            .request(entry, &vocabulary, |files, request| compile(files, Request { debug: true, ..request }));
        Image::copy(&done.image?).ok()
    }

    /// Returns the file and the byte of a position.
    pub(crate) fn at(&self, place: &TextDocumentPositionParams) -> Option<(Opened<'_>, u32)> {
        let opened = self.open(&place.text_document.uri.0)?;
        let at = opened.lines.byte(place.position);
        Some((opened, at))
    }

    /// Returns a place for the client.
    pub(crate) fn location(&self, path: &str, range: (u32, u32)) -> Location {
        Location { uri: uri_of(path), range: self.lines(path).range(range) }
    }

    /// Returns a change for the client.
    pub(crate) fn workspace_edit(&self, change: &Change) -> WorkspaceEdit {
        let edits = change.files.iter().map(|(file, list)| (uri_of(file), self.lines(file).edits(list)));
        WorkspaceEdit { changes: Some(edits.collect()), ..WorkspaceEdit::default() }
    }
}

impl Opened<'_> {
    /// Returns the range of two bytes.
    pub(crate) fn range(&self, range: (u32, u32)) -> gen_lsp_types::Range {
        self.lines.range(range)
    }

    /// Returns the position of a byte.
    pub(crate) fn position(&self, at: u32) -> Position {
        self.lines.position(at)
    }
}
