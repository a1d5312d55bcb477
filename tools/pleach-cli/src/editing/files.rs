//! Files that pages edit: their texts on the disk, and how they are written.
//!
//! The set of files that can be written is fixed when the command starts. So no page can reach
//! another file by an `include` that it adds.

use crate::write::Writer;
use pleach_build::files;
use std::path::{Path, PathBuf};
use std::{io, mem};

/// Maximum size of a text that can be edited, in bytes.
pub(super) const MAX_TEXT: usize = 1 << 20;

/// State of an edited file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Saved,
    Unsaved,
    /// The file has unsaved changes, and has changed on the disk, too.
    Conflict,
}

/// File of the shown program.
#[derive(Debug)]
pub(super) struct EditedFile {
    /// Name that the program has for it.
    pub(super) name: String,
    /// Path for people.
    pub(super) path: PathBuf,
    /// Path without symbolic links, from the start.
    pub(super) real: PathBuf,
    /// Text on the disk at the last look, with LF at the ends of lines.
    pub(super) disk: String,
    /// Newer text on the disk, if the file has unsaved changes.
    pub(super) newer: Option<String>,
    has_crlf: bool,
    /// Reason why it cannot be edited.
    pub(super) reason: Option<String>,
}

/// Text of a file with LF at the ends of lines.
pub(super) struct Text {
    pub(super) text: String,
    has_crlf: bool,
    /// Reason why it cannot be edited.
    pub(super) reason: Option<String>,
}

impl Text {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let text = String::from_utf8(files::read(path)?);
        let is_utf8 = text.is_ok();
        let text = text.unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned());
        let ends = text.matches('\n').count();
        let has_crlf = ends > 0 && text.matches("\r\n").count() == ends;
        let text = if has_crlf { text.replace("\r\n", "\n") } else { text };
        let reason = if !is_utf8 {
            Some("the file is not UTF-8".to_owned())
        } else if text.len() > MAX_TEXT {
            Some(format!("the file is larger than {} MiB", MAX_TEXT >> 20))
        } else if text.contains('\r') {
            Some("the file has different ends of lines; give all lines the same end".to_owned())
        } else {
            None
        };
        Ok(Self { text, has_crlf, reason })
    }
}

impl EditedFile {
    /// Reads a file. `reason` says why it cannot be edited, if it cannot.
    pub(super) fn open(name: &str, path: &Path, reason: Option<String>) -> io::Result<Self> {
        let Text { text, has_crlf, reason: own } = Text::read(path)?;
        Ok(Self {
            name: name.to_owned(),
            path: path.to_owned(),
            real: path.canonicalize()?,
            disk: text,
            newer: None,
            has_crlf,
            reason: reason.or(own),
        })
    }

    /// Returns the state of the file, if its present text is `text`.
    pub(super) fn state(&self, text: &str) -> State {
        match self.newer {
            Some(_) => State::Conflict,
            None if self.disk == text => State::Saved,
            None => State::Unsaved,
        }
    }

    /// Looks at the disk. Returns the new text if the file has no unsaved changes and must take it
    /// over. A missing file is left as it is: programs that write files may remove them for a
    /// moment. So is a file that cannot be edited any more: it may be half written.
    pub(super) fn look(&mut self, text: &str) -> Option<String> {
        let now = Text::read(&self.real).ok()?;
        if now.reason.is_some() && self.reason.is_none() {
            return None;
        }
        self.compare(now, text)
    }

    /// Compares the texts with that on the disk. Returns the latter if it must be taken over.
    fn compare(&mut self, now: Text, text: &str) -> Option<String> {
        self.has_crlf = now.has_crlf;
        if now.text == self.disk && self.newer.is_none() {
            return None;
        }
        // The text of a file that cannot be edited is that of the disk.
        let is_saved = self.reason.is_some() || self.state(text) == State::Saved;
        if is_saved || now.text == text || now.text == self.disk {
            (self.disk, self.newer) = (now.text.clone(), None);
            return Some(now.text).filter(|_| is_saved);
        }
        self.newer = Some(now.text);
        None
    }

    /// Writes a text. Fails if the file on the disk is another one than at the start, has changed
    /// since the last look, or cannot be edited any more.
    pub(super) fn write(&mut self, text: &str) -> Result<(), String> {
        let why = match Text::read(&self.real) {
            Ok(Text { reason: Some(why), .. }) => Some(why),
            Ok(now) => {
                self.compare(now, text);
                None
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => Some(why.to_string()),
        };
        if let Some(why) = why {
            return Err(format!("{} has changed on the disk and is not overwritten: {why}", self.name));
        }
        if self.newer.is_some() {
            return Err(format!("{} has changed on the disk; take or keep first", self.name));
        }
        self.is_same_file()?;
        let written = if self.has_crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        let done = Writer::default().replace(&self.real, written.as_bytes());
        done.map_err(|why| format!("cannot write {}: {why}", self.path.display()))?;
        self.disk = text.to_owned();
        Ok(())
    }

    /// Ends a conflict: writes a text over the newer one of the disk. If this fails, the conflict
    /// stays.
    pub(super) fn keep(&mut self, text: &str, newer: String) -> Result<(), String> {
        let old = mem::replace(&mut self.disk, newer);
        self.newer = None;
        let done = self.write(text);
        if done.is_err() {
            let newer = mem::replace(&mut self.disk, old);
            // The text on the disk may be still another one by now.
            self.newer.get_or_insert(newer);
        }
        done
    }

    /// Makes sure that the path leads to the same place as at the start.
    fn is_same_file(&self) -> Result<(), String> {
        let leads = self.path.canonicalize().is_ok_and(|now| now == self.real);
        // A path without a folder is one of the current folder.
        let folder = self.path.parent().map(|folder| Path::new(".").join(folder).canonicalize());
        let stays = folder.is_some_and(|now| now.is_ok_and(|now| Some(&*now) == self.real.parent()))
            && self.path.file_name() == self.real.file_name();
        if leads || stays && !self.real.exists() && !self.path.is_symlink() {
            return Ok(());
        }
        Err(format!("{} leads to another file than at the start, and is not written", self.path.display()))
    }
}
