//! Files of the folders that the editor has open, as they are in the editor or on the disk.

use crate::client::Client;
use crate::snapshot::{Other, Others, Snapshot, text_of};
use crate::text::{bytes, path_of};
use gen_lsp_types::TextDocumentContentChangeEvent as Change;
use pleach_compile::dialect;
use pleach_edit::{FileKind, MAX_BYTES, Project, extension_of, folder_of};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Largest number of files that are read. Further files are known only when they are opened.
const MAX_FILES: usize = 20_000;
/// Largest depth of folders in folders.
const MAX_DEPTH: usize = 16;

/// Files and settings.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) client: Arc<Client>,
    project: Project,
    /// Files of other dialects.
    others: Arc<Others>,
    /// Texts in the editor that are too large to be read. Once small again, a text is read.
    unread: HashMap<String, Arc<str>>,
    /// Versions of the files that are open in the editor.
    open: HashMap<String, i32>,
    /// Number of changes so far.
    pub(crate) revision: u64,
}

/// Returns true if a file is read: it has trees, a vocabulary or tests.
fn is_known(path: &str) -> bool {
    FileKind::of(path).is_some() || dialect::by_extension(extension_of(path)).is_some()
}

impl Workspace {
    /// Makes a workspace of settings, as `-I` and `--manifest` have them.
    pub(crate) fn new(client: Client, folders: &[String], manifests: &[String]) -> Self {
        let project = folders.iter().fold(Project::new(), |project, folder| project.with_folder(folder));
        let project = manifests.iter().fold(project, |project, manifest| project.with_manifest(manifest));
        let mut workspace = Self { client: Arc::new(client), project, ..Self::default() };
        manifests.iter().for_each(|manifest| workspace.read(manifest));
        folders.iter().for_each(|folder| workspace.read_folder(Path::new(folder), 1));
        workspace
    }

    /// Reads all files of a folder, and of the folders in it up to a depth.
    pub(crate) fn read_folder(&mut self, folder: &Path, depth: usize) {
        let mut open = vec![(folder.to_owned(), 1)];
        let mut count = 0;
        while let Some((folder, level)) = open.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let is_hidden = name.to_string_lossy().starts_with('.');
                let is_built = ["target", "node_modules"].iter().any(|built| name == *built);
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && !is_hidden && !is_built && level < depth.min(MAX_DEPTH) {
                    open.push((path, level + 1));
                } else if kind.is_file() && count < MAX_FILES && is_known(&path.to_string_lossy()) {
                    count += 1;
                    self.read(&path.to_string_lossy());
                }
            }
        }
    }

    /// Reads a file from the disk, or forgets it if it is not there. A file that is open in the
    /// editor stays as it is there.
    pub(crate) fn read(&mut self, path: &str) {
        if self.open.contains_key(path) || !is_known(path) {
            return;
        }
        let is_small = std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES as u64);
        match std::fs::read_to_string(path).ok().filter(|_| is_small) {
            Some(text) => self.set(path, text.into()),
            None => self.forget(path),
        }
    }

    /// Forgets the files of a folder that are not open in the editor.
    pub(crate) fn forget_folder(&mut self, folder: &str) {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        let within = |path: &&str| path.starts_with(&folder) && !self.open.contains_key(*path);
        let gone: Vec<String> = self.files().filter(within).map(str::to_owned).collect();
        gone.iter().for_each(|path| self.forget(path));
    }

    /// Returns the paths of all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.project.files().map(|(name, _)| name).chain(self.others.keys().map(String::as_str))
    }

    /// Returns true if a file of the folder of a path is known.
    fn has_folder(&self, path: &str) -> bool {
        let folder = folder_of(path);
        self.files().any(|name| name.starts_with(folder))
    }

    fn set(&mut self, path: &str, text: Arc<str>) {
        let is_open = self.open.contains_key(path);
        if text.len() > MAX_BYTES {
            self.forget(path);
            if is_open {
                self.unread.insert(path.to_owned(), text);
            }
            return;
        }
        self.revision += 1;
        self.unread.remove(path);
        if FileKind::of(path).is_some() {
            return self.project.set(path, text);
        }
        let other = Other::new(path, self.revision, text);
        // A file of no dialect may become one of a dialect in the editor.
        if other.dialect.is_some() || is_open {
            Arc::make_mut(&mut self.others).insert(path.to_owned(), Arc::new(other));
        } else {
            self.forget(path);
        }
    }

    fn forget(&mut self, path: &str) {
        self.revision += 1;
        self.unread.remove(path);
        self.project.remove(path);
        if self.others.contains_key(path) {
            Arc::make_mut(&mut self.others).remove(path);
        }
    }

    /// Takes the text of a file that is opened. If its folder is unknown, the files beside it and
    /// those in the folder above are read, because it may include them.
    pub(crate) fn open(&mut self, uri: &str, version: i32, text: String) -> Option<String> {
        let path = path_of(uri)?;
        let folder = Path::new(&path).parent();
        let is_new = !self.has_folder(&path);
        self.open.insert(path.clone(), version);
        for folder in [folder, folder.and_then(Path::parent)].into_iter().flatten().filter(|_| is_new) {
            self.read_folder(folder, 1);
        }
        self.set(&path, text.into());
        Some(path)
    }

    /// Changes the text of an open file, change by change.
    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: Vec<Change>) -> Option<String> {
        let path = path_of(uri)?;
        let known = text_of(&self.project, &self.others, &path).or_else(|| self.unread.get(&path));
        let mut text = known?.to_string();
        for change in changes {
            match change {
                Change::TextDocumentContentChangePartial(part) => {
                    let (start, end) = bytes(&text, part.range, self.client.is_utf8);
                    text.replace_range(start..end, &part.text);
                }
                Change::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        self.open.insert(path.clone(), version);
        self.set(&path, text.into());
        Some(path)
    }

    /// Forgets the text in the editor. The file is again as it is on the disk.
    pub(crate) fn close(&mut self, uri: &str) -> Option<String> {
        let path = path_of(uri)?;
        self.open.remove(&path);
        self.read(&path);
        Some(path)
    }

    /// Returns the files as they are now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            client: self.client.clone(),
            project: self.project.clone(),
            others: self.others.clone(),
            versions: self.open.clone(),
            revision: self.revision,
            is_cancelled: Arc::default(),
            lines: RefCell::default(),
        }
    }
}
