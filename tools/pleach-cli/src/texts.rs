//! Source lines for display.
//!
//! A compilation contains its sources. An image only names them, and they are looked for in the
//! folders that the user named. If a file has changed since then, its present lines are shown.

use crate::library::Files;
use pleach_compile::source::{Library, Sources};
use std::cell::RefCell;
use std::collections::HashMap;

/// Letters after which a line is cut, because some trees are written by programs.
const MAX_SHOWN: usize = 160;

/// File that is cut into lines.
#[derive(Debug)]
struct Text {
    bytes: Vec<u8>,
    /// Index of the first byte of each line.
    lines: Vec<usize>,
}

impl Text {
    fn new(bytes: Vec<u8>) -> Self {
        let breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Self { bytes, lines }
    }

    /// Returns a line, counted from 1, without spaces at its end.
    fn line(&self, number: u32) -> Option<String> {
        let index = (number as usize).checked_sub(1)?;
        let first = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).copied().unwrap_or(self.bytes.len());
        let line = self.bytes.get(first..end)?.trim_ascii_end();
        let shown = String::from_utf8_lossy(&line[..line.len().min(MAX_SHOWN)]);
        Some(if line.len() > MAX_SHOWN { format!("{shown}…") } else { shown.into_owned() })
    }
}

/// Files of a program, by their names in the program.
#[derive(Debug)]
pub(crate) struct Texts {
    known: RefCell<HashMap<String, Option<Text>>>,
    library: Option<Files>,
}

impl Texts {
    /// Returns the files of a compilation.
    pub(crate) fn of(sources: &Sources) -> Self {
        let text = |source: &pleach_compile::source::Source| Some(Text::new(source.text.to_vec()));
        let known = sources.files().iter().map(|source| (source.name.clone(), text(source))).collect();
        Self { known: RefCell::new(known), library: None }
    }

    /// Returns files that are read from a library when they are needed.
    pub(crate) fn find_in(library: Option<Files>) -> Self {
        Self { known: RefCell::default(), library }
    }

    /// Returns the bytes of a file; `None` if it is missing.
    pub(crate) fn whole(&self, file: &str) -> Option<Vec<u8>> {
        self.with(file, |text| Some(text.bytes.clone()))
    }

    /// Returns a line of a file without spaces around it; `None` if the file is missing.
    pub(crate) fn line(&self, file: &str, number: u32) -> Option<String> {
        self.whole_line(file, number).map(|line| line.trim().to_owned())
    }

    /// Returns a line of a file with the spaces around it; `None` if the file is missing.
    pub(crate) fn whole_line(&self, file: &str, number: u32) -> Option<String> {
        self.with(file, |text| text.line(number))
    }

    fn with<T>(&self, file: &str, look: impl FnOnce(&Text) -> Option<T>) -> Option<T> {
        let mut known = self.known.borrow_mut();
        let text = known.entry(file.to_owned()).or_insert_with(|| {
            let found = self.library.as_ref()?.include(file)?;
            Some(Text::new(found.text.to_vec()))
        });
        look(text.as_ref()?)
    }
}
