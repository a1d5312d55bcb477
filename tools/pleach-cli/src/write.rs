//! Files that the command writes: whole or not at all, and never in the place of something else.
//!
//! A file is written under a temporary name beside the one that is asked for, and then renamed: a
//! reader sees the old text or the new one, never half of one. The temporary file is locked while
//! the command runs. If the command is killed, the file stays without a lock, and the next command
//! that writes into the folder removes it.

use crate::failure::Failure;
use crate::interrupt::Patience;
use pleach_groot2::LOG_MAGIC;
use pleach_image::format;
use std::collections::HashSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Beginning of the names of temporary files.
const BEFORE: &str = ".pleach-";
/// End of the names of temporary files.
const BEHIND: &str = ".tmp";
/// Bytes of a file that tell its kind.
const MOST_LOOKED: u64 = 8192;

/// Kind of file that a command makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An image of `build`.
    Image,
    /// A recording of `run`.
    Recording,
    /// A log of Groot2.
    Log,
    /// A header or module of `bindgen`.
    Names,
    /// Results of `test` for JUnit.
    Results,
    /// A page of `view --export`.
    Page,
    /// Trees of `convert`.
    Trees,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Recording => "recording",
            Self::Log => "log of Groot2",
            Self::Names => "output of `pleach bindgen`",
            Self::Results => "output of `pleach test`",
            Self::Page => "page of `pleach view`",
            Self::Trees => "output of `pleach convert`",
        }
    }

    /// Looks at the beginning of a file: true if it is of this kind.
    pub(crate) fn is_of(self, path: &Path) -> io::Result<bool> {
        let mut start = Vec::new();
        File::open(path)?.take(MOST_LOOKED).read_to_end(&mut start)?;
        Ok(self.begins(&start))
    }

    fn begins(self, start: &[u8]) -> bool {
        let has = |mark: &[u8]| start.windows(mark.len()).any(|bytes| bytes == mark);
        match self {
            // Damage in the rest of the magic is for the verifier to tell.
            Self::Image => format::is_image(start),
            Self::Recording => start.starts_with(b"\x89PLR"),
            Self::Log => start.starts_with(LOG_MAGIC),
            Self::Names => has(b"Written by `pleach bindgen`"),
            Self::Results => start.starts_with(b"<?xml") && has(b"<testsuite name=\"pleach\""),
            Self::Page => start.starts_with(b"<!doctype html>") && has(b"<title>pleach</title>"),
            Self::Trees => has(b"Written by `pleach convert`"),
        }
    }
}

/// File that a command is asked to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output<'a> {
    pub(crate) path: &'a Path,
    pub(crate) kind: Kind,
    /// True if existing data may be overwritten.
    pub(crate) force: bool,
}

impl Output<'_> {
    /// Writes the file. `inputs` are the files that the command has read.
    pub(crate) fn write<P: AsRef<Path>>(
        self,
        inputs: impl IntoIterator<Item = P>,
        bytes: &[u8],
    ) -> Result<(), Failure> {
        self.check(inputs)?;
        self.result(Writer::default().replace(self.path, bytes))
    }

    /// Replaces the file with an empty one, which is filled during the run.
    pub(crate) fn begin<P: AsRef<Path>>(self, inputs: impl IntoIterator<Item = P>) -> Result<File, Failure> {
        self.check(inputs)?;
        self.result(Writer::default().create(self.path, b""))
    }

    /// Names the file in an error of writing it.
    pub(crate) fn result<T>(self, result: io::Result<T>) -> Result<T, Failure> {
        result.map_err(|why| Failure::file("write", self.path, why))
    }

    /// Refuses to overwrite an input, or a file of another kind.
    fn check<P: AsRef<Path>>(self, inputs: impl IntoIterator<Item = P>) -> Result<(), Failure> {
        if self.force || !self.path.is_file() {
            return Ok(());
        }
        let refused = |what: &str| {
            let why = format!("it is {what}; name another file, or overwrite it with --force");
            Err(Failure::file("write", self.path, why))
        };
        if inputs.into_iter().any(|input| same_file::is_same_file(input, self.path).unwrap_or(false)) {
            return refused("one of the inputs");
        }
        let is_empty = self.path.metadata().is_ok_and(|file| file.len() == 0);
        if is_empty || self.result(self.kind.is_of(self.path))? {
            return Ok(());
        }
        refused(&format!("there, and no {}", self.kind.name()))
    }
}

/// Returns an XML text with a comment that says which command has written it.
pub(crate) fn signed(xml: &str, command: &str) -> String {
    const HEAD: &str = "?>\n";
    xml.replacen(HEAD, &format!("{HEAD}<!-- Written by `pleach {command}`. -->\n"), 1)
}

/// Writes files, and removes what killed commands have left in their folders.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// Folders that are known to have no leftover files.
    clean: HashSet<PathBuf>,
}

impl Writer {
    /// Replaces a file in one step. Mode and owner are kept. A link is kept, and its target is
    /// replaced.
    pub(crate) fn replace(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes).map(drop)
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<File> {
        let (path, old) = target(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(io::Error::other(format!("there is no folder {}", folder.display())));
        }
        if self.clean.insert(folder.to_owned()) {
            remove_leftovers(folder);
        }
        let _patience = Patience::new();
        let mut file = temporary(folder)?;
        if let Some(old) = old {
            become_like(file.as_file(), &old)?;
        }
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(file.persist(path)?)
    }
}

/// Returns the path behind all links, and the metadata of the file there.
fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let old = match path.metadata() {
        Ok(old) => old,
        Err(_) if path.is_symlink() => {
            return Err(io::Error::other("it is a symbolic link without a target"));
        }
        Err(_) if path.file_name().is_none() => return Err(io::Error::other("it has no file name")),
        Err(_) => return Ok((path.to_owned(), None)),
    };
    if !old.is_file() {
        return Err(io::Error::other("it exists and is not a file"));
    }
    if old.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    // A file that may not be written is not replaced either, though its folder would allow it.
    OpenOptions::new().write(true).open(path)?;
    Ok((path.canonicalize()?, Some(old)))
}

/// Creates a locked file in a folder. It is removed unless it is renamed.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(BEFORE).suffix(BEHIND);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // On systems without locks, no other process takes the file for a leftover.
        let _ = file.as_file().lock();
        // Before it was locked, it may have been taken for one.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Gives a new file the mode and the owner of another.
fn become_like(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            fchown(file, Some(old.uid()), Some(old.gid()))
                .map_err(|why| io::Error::new(why.kind(), format!("its owner cannot be kept: {why}")))?;
        }
    }
    file.set_permissions(old.permissions())
}

/// Removes temporary files of commands that no longer run. A file that cannot be removed is left
/// for another time.
fn remove_leftovers(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(BEFORE) && name.ends_with(BEHIND));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let locked = File::open(entry.path()).map(|file| file.try_lock().map(|()| file));
            if let Ok(Ok(_locked)) = locked {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Returns the number of names (hard links) of a file.
pub(crate) fn names(path: &Path) -> u64 {
    #[cfg(unix)]
    return path.metadata().map_or(1, |file| std::os::unix::fs::MetadataExt::nlink(&file));
    #[cfg(not(unix))]
    return 1;
}
