//! Trees and included files, found in folders.
//!
//! A tree may come from a stranger, who also chose the paths of its include directives. So a file
//! is only read if it lies in a folder that the user named, by naming a file in it or by `-I`. A
//! path with `..`, an absolute path, or a symbolic link that leads out of the folder is refused.
//!
//! Files have two names. The compiler gets a name that starts at the folder of the file
//! (`guard.bt`), so that an image does not depend on the place where it was built. Messages for
//! people have the path from the current folder.

use crate::error::Error;
use pleach_compile::dialect::{DIALECTS, Dialect, manifest_of_file, of_file};
use pleach_compile::manifest::Manifests;
use pleach_compile::source::{Found, Library};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Maximum size of a file in bytes. Larger files are not read.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of files of a folder. Further files are ignored.
const MAX_FILES: usize = 20_000;

/// Folder that files may be read from.
#[derive(Debug)]
struct Root {
    /// Path as the user named it.
    shown: PathBuf,
    /// Path without symbolic links.
    real: PathBuf,
}

impl Root {
    fn new(shown: &Path) -> Result<Self, Error> {
        let real = real(shown).map_err(|why| Error::file("open", shown, why))?;
        Ok(Self { shown: shown.to_owned(), real })
    }

    /// Returns the parent folder, if there is one.
    fn above(&self) -> Option<Self> {
        let above = self.real.parent()?.to_owned();
        let shown = self.shown.parent().filter(|shown| real(shown).is_ok_and(|it| it == above));
        Some(Self { shown: shown.unwrap_or(&above).to_owned(), real: above })
    }

    /// Returns the path of a file in this folder; `None` if there is no such file, or it lies
    /// elsewhere.
    fn find(&self, relative: &Path) -> Option<PathBuf> {
        let real = self.real.join(relative).canonicalize().ok()?;
        (real.starts_with(&self.real) && real.is_file()).then_some(real)
    }
}

/// File that the user named.
#[derive(Debug)]
struct Named {
    name: String,
    text: Vec<u8>,
}

/// Texts that take the place of those on the disk, by the paths of their files without symbolic
/// links.
pub type Overlay = BTreeMap<PathBuf, Arc<str>>;

/// Files of a compilation.
#[derive(Debug)]
pub struct Files {
    texts: Overlay,
    dialect: &'static dyn Dialect,
    named: HashMap<String, Named>,
    /// Folders of named files.
    beside: Vec<Root>,
    /// Folders of `-I`.
    folders: Vec<Root>,
    /// Parents of the folders of named files, for includes only.
    above: Vec<Root>,
    /// Path for messages of each name that the compiler has got.
    paths: RefCell<BTreeMap<String, PathBuf>>,
    /// Name for the compiler of each path.
    names: RefCell<HashMap<PathBuf, String>>,
    troubles: RefCell<Vec<String>>,
}

impl Files {
    /// Makes a library that looks for trees and included files in these folders.
    pub fn new(dialect: &'static dyn Dialect, folders: &[PathBuf]) -> Result<Self, Error> {
        Ok(Self {
            texts: Overlay::new(),
            dialect,
            named: HashMap::new(),
            beside: Vec::new(),
            folders: folders.iter().map(|folder| Root::new(folder)).collect::<Result<_, _>>()?,
            above: Vec::new(),
            paths: RefCell::default(),
            names: RefCell::default(),
            troubles: RefCell::default(),
        })
    }

    /// Returns the library with texts that take the place of those on the disk.
    #[must_use]
    pub fn with_texts(self, texts: Overlay) -> Self {
        Self { texts, ..self }
    }

    /// Adds a file that the user named, as the tree of that name. Files that it includes may be in
    /// its folder. An include directive may also start at the parent folder, as in some games
    /// (`bots/guard.bt`).
    pub fn add(&mut self, path: &Path, text: Vec<u8>) -> Result<String, Error> {
        let root = Root::new(path.parent().unwrap_or(Path::new("")))?;
        push(&mut self.above, root.above());
        push(&mut self.beside, Some(root));
        let name = self.name(file_name(path), path);
        let own = path.canonicalize().ok().and_then(|real| self.texts.get(&real));
        let text = own.map_or(text, |own| own.as_bytes().to_vec());
        self.insert(stem(path)?, name, text)
    }

    /// Adds the text of standard input, as the tree `stdin`. Included files may be in the current
    /// folder.
    pub fn add_stdin(&mut self, text: Vec<u8>) -> Result<String, Error> {
        push(&mut self.beside, Some(Root::new(Path::new(""))?));
        let name = self.name("<stdin>".to_owned(), Path::new("<stdin>"));
        self.insert("stdin".to_owned(), name, text)
    }

    fn insert(&mut self, tree: String, name: String, text: Vec<u8>) -> Result<String, Error> {
        match self.named.insert(tree.clone(), Named { name, text }) {
            None => Ok(tree),
            Some(_) => Err(Error::new(format!("two of the files are called `{tree}`"))),
        }
    }

    /// Adds a folder that the user named.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        push(&mut self.beside, Some(Root::new(folder)?));
        Ok(())
    }

    /// Returns the folders whose files all belong to the program; none in dialects in which only
    /// named files do.
    pub fn whole_folders(&self) -> Vec<PathBuf> {
        let folders = self.trees().filter(|_| self.dialect.reads_folders());
        folders.map(|root| root.shown.clone()).collect()
    }

    /// Returns the path for messages of a file, given its name for the compiler.
    pub fn shown(&self, name: &str) -> String {
        self.paths.borrow().get(name).map_or_else(|| name.to_owned(), |path| path.display().to_string())
    }

    /// Returns the files that were read, in the order of their names for the compiler: the names
    /// and the paths.
    pub fn read(&self) -> Vec<(String, PathBuf)> {
        self.paths.borrow().iter().map(|(name, path)| (name.clone(), path.clone())).collect()
    }

    /// Returns messages about files that exist but could not be read.
    pub fn troubles(&self) -> Vec<String> {
        self.troubles.borrow().clone()
    }

    /// Returns a name for the compiler: the name that the file has already, else the wanted name,
    /// or the path if another file has the wanted name.
    fn name(&self, wanted: String, path: &Path) -> String {
        if let Some(name) = self.names.borrow().get(path) {
            return name.clone();
        }
        let mut paths = self.paths.borrow_mut();
        let taken = paths.get(&wanted).is_some_and(|known| known != path);
        let name = if taken { path.display().to_string() } else { wanted };
        paths.insert(name.clone(), path.to_owned());
        self.names.borrow_mut().insert(path.to_owned(), name.clone());
        name
    }

    /// Returns the folders in which trees are searched.
    fn trees(&self) -> impl Iterator<Item = &Root> {
        self.beside.iter().chain(&self.folders)
    }

    fn find<'r>(&self, mut roots: impl Iterator<Item = &'r Root>, relative: &str) -> Option<Found> {
        let path = Path::new(relative);
        if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return None;
        }
        let (shown, real) = roots.find_map(|root| Some((root.shown.join(path), root.find(path)?)))?;
        let text = self.texts.get(&real).map(|text| Ok(text.as_bytes().to_vec()));
        match text.unwrap_or_else(|| read(&real)) {
            Ok(text) => Some(Found { name: self.name(relative.to_owned(), &shown), text: text.into() }),
            Err(why) => {
                self.troubles.borrow_mut().push(format!("cannot read {}: {why}", shown.display()));
                None
            }
        }
    }
}

impl Library for Files {
    fn tree(&self, name: &str) -> Option<Found> {
        if let Some(named) = self.named.get(name) {
            return Some(Found { name: named.name.clone(), text: named.text.as_slice().into() });
        }
        let extensions = self.dialect.extensions().iter();
        extensions.map(|extension| format!("{name}.{extension}")).find_map(|it| self.find(self.trees(), &it))
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.find(self.trees().chain(&self.above), path)
    }

    fn files(&self) -> Vec<Found> {
        let (mut all, mut names, mut size) = (Vec::<Found>::new(), HashSet::new(), 0);
        for root in self.trees().filter(|_| self.dialect.reads_folders()) {
            for path in paths(&root.real, self.dialect.extensions()) {
                let Some(found) = self.find(std::iter::once(root), &path) else { continue };
                size += found.text.len() as u64;
                // A folder may be in two of the lists.
                if names.insert(found.name.clone()) {
                    all.push(found);
                }
                if size > MAX_BYTES {
                    return all;
                }
            }
        }
        all
    }
}

/// Returns the files with one of these extensions, in a folder and its subfolders, in order. Links
/// to folders are not followed.
fn paths(folder: &Path, extensions: &[&str]) -> Vec<String> {
    let (mut paths, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(at) = open.pop() {
        let entries = at.read_dir().into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
                paths.extend(path.strip_prefix(folder).ok().and_then(Path::to_str).map(str::to_owned));
            }
        }
        if paths.len() + open.len() > MAX_FILES {
            break;
        }
    }
    paths.sort();
    paths.truncate(MAX_FILES);
    paths
}

/// Returns the files in a folder and its subfolders whose extension is that of a dialect, in order.
/// Links to folders are not followed.
#[must_use]
pub fn trees(folder: &Path) -> Vec<PathBuf> {
    let extensions: Vec<_> = DIALECTS.iter().flat_map(|dialect| dialect.extensions()).copied().collect();
    paths(folder, &extensions).into_iter().map(|path| folder.join(path)).collect()
}

/// Returns a folder without symbolic links. An empty path stands for the current folder.
fn real(folder: &Path) -> io::Result<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize()
}

/// Adds a folder unless it is known.
fn push(roots: &mut Vec<Root>, root: Option<Root>) {
    roots.extend(root.filter(|root| roots.iter().all(|known| known.real != root.real)));
}

/// Returns the name of a file without its extension.
pub fn stem(path: &Path) -> Result<String, Error> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.map(str::to_owned).ok_or_else(|| Error::file("use", path, "its name is not in UTF-8"))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a file. Fails for a folder or device, and for a file that is too large.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    read_at_most(&mut File::open(path)?)
}

/// Reads a whole stream. Fails if it is too large.
pub fn read_at_most(from: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let bytes = from.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if bytes as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(text)
}

/// Reads the text of a manifest. A file with models of nodes of BehaviorTree.CPP and an image are
/// manifests, too.
///
/// # Errors
/// If the file cannot be read, or is an image that the verifier refuses.
pub fn read_manifest(path: &Path) -> Result<String, Error> {
    let bytes = read(path).map_err(|why| Error::file("read", path, why))?;
    manifest_of_file(&file_name(path), &bytes).map_err(|why| Error::file("load", path, why))
}

/// Adds the files of manifests to `manifests`, as [`read_manifest`] reads them.
///
/// # Errors
/// If a file cannot be read. Errors inside a manifest are among the findings of the result.
pub fn add_manifests<'p>(
    mut manifests: Manifests,
    paths: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<Manifests, Error> {
    for path in paths {
        manifests.add(&path.display().to_string(), &read_manifest(path)?);
    }
    Ok(manifests)
}

/// Returns the dialect of a file, by its first element if it is XML, else by its extension.
#[must_use]
pub fn dialect(path: &Path, text: &[u8]) -> Option<&'static dyn Dialect> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    of_file(extension, text)
}

/// Returns the dialect in which a folder is read: the dialect that the user names, if it reads
/// folders; without a name, the first that does. `None` if the named dialect reads single files.
#[must_use]
pub fn folder_dialect(said: Option<&'static dyn Dialect>) -> Option<&'static dyn Dialect> {
    let is_said = |dialect: &dyn Dialect| said.is_none_or(|said| said.name() == dialect.name());
    DIALECTS.iter().copied().find(|dialect| dialect.reads_folders() && is_said(*dialect))
}
