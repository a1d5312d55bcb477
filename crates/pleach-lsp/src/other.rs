//! Trees of the other dialects: findings, and names as words of their files.
//!
//! These languages belong to other engines. The server has no syntax tree of them, so a name is a
//! word, and all files of a folder that are of the same dialect belong together.

mod outline;

use crate::answers::{Symbol, add};
use crate::snapshot::{Other, Snapshot};
use crate::text::path_of;
use gen_lsp_types::{
    Contents, Diagnostic, Hover, Location, MarkupContent, MarkupKind, TextDocumentPositionParams,
};
use pleach_compile::dialect::Dialect;
use pleach_compile::manifest::Manifests;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compilation, Compiler, Request};
use pleach_edit::{FileKind, extension_of, folder_of};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Returns the dialect of a file.
fn dialect(now: &Snapshot, name: &str) -> Option<&'static dyn Dialect> {
    now.others.get(name)?.dialect
}

/// Returns the files below a folder.
fn below<'s>(now: &'s Snapshot, folder: &'s str) -> impl Iterator<Item = (&'s str, &'s Other)> {
    let from = now.others.range::<str, _>((Bound::Included(folder), Bound::Unbounded));
    from.take_while(move |(name, _)| name.starts_with(folder)).map(|(name, other)| (&**name, &**other))
}

/// Returns true if a path is that of a file, or of a folder that has files, with a `/` at its end.
pub(crate) fn is_known(now: &Snapshot, path: &str) -> bool {
    let first = below(now, path).next();
    first.is_some_and(|(name, _)| name == path || path.ends_with('/'))
}

/// Returns the files that belong together with a file: those of its folder in its dialect.
fn together<'s>(now: &'s Snapshot, name: &'s str) -> impl Iterator<Item = (&'s str, &'s Other)> {
    let (folder, own) = (folder_of(name), dialect(now, name).map(|it| it.name()));
    let is_own = move |other: &Other| own.is_some() && other.dialect.map(|it| it.name()) == own;
    below(now, folder).filter(move |(other, file)| folder_of(other) == folder && is_own(file))
}

/// Returns the files whose findings may change with a file.
pub(crate) fn around<'s>(now: &'s Snapshot, name: &'s str) -> Vec<&'s str> {
    match FileKind::of(name) {
        Some(FileKind::Manifest) => below(now, folder_of(name)).map(|(other, _)| other).collect(),
        Some(_) => Vec::new(),
        None => together(now, name).map(|(other, _)| other).collect(),
    }
}

/// Returns the name of the program that has the findings of a file, and its dialect: the folder if
/// the dialect reads folders, else the file.
pub(crate) fn program(now: &Snapshot, name: &str) -> (String, &'static str) {
    let Some(dialect) = dialect(now, name) else { return (name.to_owned(), "") };
    let program = if dialect.reads_folders() { folder_of(name) } else { name };
    (program.to_owned(), dialect.name())
}

/// Returns the revisions of the texts that the findings of a file depend on.
pub(crate) fn revisions(now: &Snapshot, name: &str) -> Vec<u64> {
    let manifests = now.project.manifests_of(name).into_iter().filter_map(|it| now.project.file(it));
    let others = together(now, name).map(|(_, other)| other.revision);
    // The number between both is that of no text.
    manifests.map(|it| it.revision()).chain([u64::MAX]).chain(others).collect()
}

/// Files of a folder, as the compiler asks for them.
struct Folder<'s> {
    now: &'s Snapshot,
    folder: &'s str,
    /// File that is compiled, with the files of its dialect.
    entry: &'s str,
    dialect: &'static dyn Dialect,
}

impl Folder<'_> {
    fn found(&self, name: &str) -> Option<Found> {
        let text = &self.now.others.get(name)?.text;
        Some(Found { name: name.to_owned(), text: text.as_bytes().into() })
    }
}

impl Library for Folder<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let names = self.dialect.extensions().iter().map(|it| format!("{}{name}.{it}", self.folder));
        names.into_iter().find_map(|name| self.found(&name))
    }

    fn include(&self, path: &str) -> Option<Found> {
        let above = folder_of(self.folder.trim_end_matches('/'));
        [self.folder, above].iter().find_map(|folder| self.found(&format!("{folder}{path}")))
    }

    fn files(&self) -> Vec<Found> {
        let files = together(self.now, self.entry);
        files.filter_map(|(name, _)| self.found(name)).collect()
    }
}

/// Compiles a tree, or the whole folder if its files belong together.
pub(crate) fn findings(now: &Snapshot, entry: &str) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut all = BTreeMap::new();
    let done = request(now, entry, |folder, request| match request.dialect.reads_folders() {
        true => Compiler::default().check_folder(folder, Request { entries: &[], ..request }),
        false => Compiler::default().compile(folder, request),
    });
    if let Some(done) = done {
        add(now, &mut all, &done.diagnostics, &done.sources);
    }
    all
}

/// Compiles a tree. Returns `None` for a file of no dialect.
pub(crate) fn compiled(now: &Snapshot, entry: &str) -> Option<Compilation> {
    request(now, entry, |folder, request| Compiler::default().compile(folder, request))
}

/// Calls a function with the files and the request for the program of an entry.
fn request<T>(now: &Snapshot, entry: &str, call: impl FnOnce(&Folder<'_>, Request<'_>) -> T) -> Option<T> {
    let dialect = dialect(now, entry)?;
    let mut manifests = Manifests::of(dialect);
    for name in now.project.manifests_of(entry) {
        manifests.add(name, now.project.text(name));
    }
    let folder = Folder { now, folder: folder_of(entry), entry, dialect };
    let stem = entry[folder_of(entry).len()..].rsplit_once('.').map_or("", |(stem, _)| stem);
    let entries = [stem.to_owned()];
    let request = Request { dialect, manifest: manifests.manifest(), entries: &entries, debug: true };
    Some(call(&folder, request))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the word at a position in a tree, with its file.
fn word_at<'s>(now: &'s Snapshot, place: &TextDocumentPositionParams) -> Option<(String, &'s str)> {
    let name = path_of(&place.text_document.uri.0)?;
    dialect(now, &name)?;
    let text: &str = &now.others.get(&name)?.text;
    let at = now.lines(&name).byte(place.position) as usize;
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1);
    let end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
    (start < end).then(|| (name, &text[start..end]))
}

/// Returns the places of a word in a text.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (u32, u32)> + 't {
    let bytes = text.as_bytes();
    let is_alone = move |at: &usize| {
        let before = at.checked_sub(1).is_none_or(|before| !is_word(bytes[before]));
        before && bytes.get(at + word.len()).is_none_or(|after| !is_word(*after))
    };
    let all = text.match_indices(word).map(|(at, _)| at).filter(is_alone);
    all.map(|at| (at as u32, (at + word.len()) as u32))
}

/// Returns all places of the word at a position: in the files beside it, and in manifests.
pub(crate) fn references(now: &Snapshot, place: &TextDocumentPositionParams) -> Vec<Location> {
    let Some((name, word)) = word_at(now, place) else { return Vec::new() };
    let found = together(now, &name).flat_map(|(file, other)| {
        places(&other.text, word).map(|range| now.location(file, range)).collect::<Vec<_>>()
    });
    found.chain(declared(now, &name, word)).collect()
}

/// Returns the declarations of a word in manifests.
fn declared(now: &Snapshot, name: &str, word: &str) -> Vec<Location> {
    let manifests = now.project.manifests_of(name).into_iter();
    let files = manifests.filter_map(|name| Some((name, now.project.file(name)?)));
    let all = files.flat_map(|(name, file)| file.declarations().iter().map(move |it| (name, it)));
    let named = all.filter(|(_, it)| it.name.eq_ignore_ascii_case(word) && it.owner().is_none());
    named.map(|(name, it)| now.location(name, it.range)).collect()
}

/// Returns true if a text ends with words that declare the name behind them.
fn is_declared(before: &str) -> bool {
    let before = before.trim_end_matches(['"', '\'']).trim_end().as_bytes();
    let ends = |word: &&str| {
        let last = before.len().checked_sub(word.len()).map(|start| &before[start..]);
        last.is_some_and(|last| last.eq_ignore_ascii_case(word.as_bytes()))
    };
    [" name=", " id=", "#define"].iter().any(ends)
}

/// Returns the places that declare the word at a position: the file of a tree, an element with this
/// name, a macro, or a line of a manifest.
pub(crate) fn definition(now: &Snapshot, place: &TextDocumentPositionParams) -> Vec<Location> {
    let Some((name, word)) = word_at(now, place) else { return Vec::new() };
    let tree = format!("{}{word}.{}", folder_of(&name), extension_of(&name));
    let files = together(now, &name).map(|(file, _)| file).filter(|file| *file == tree);
    let mut found: Vec<Location> = files.map(|file| now.location(file, (0, 0))).collect();
    for (file, other) in together(now, &name) {
        let names =
            places(&other.text, word).filter(|(start, _)| is_declared(&other.text[..*start as usize]));
        found.extend(names.map(|range| now.location(file, range)));
    }
    found.extend(declared(now, &name, word));
    found
}

/// Returns the declaration of the word at a position in a manifest, or in that of the dialect.
pub(crate) fn hover(now: &Snapshot, place: &TextDocumentPositionParams) -> Option<Hover> {
    let (name, word) = word_at(now, place)?;
    let dialect = dialect(now, &name)?;
    let own = dialect.manifest().lines();
    let others = now.project.manifests_of(&name).into_iter().flat_map(|name| now.project.text(name).lines());
    let declares = |line: &&str| {
        let mut words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let kind = words.next().unwrap_or_default();
        ["action", "decorator", "query", "symbol"].contains(&kind)
            && words.find(|it| !it.is_empty()).is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    let line = others.chain(own).find(declares)?;
    let value = format!("```\n{}\n```", line.trim());
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: None })
}

/// Returns the nodes of a file that have children.
pub(crate) fn symbols(now: &Snapshot, uri: &str) -> Vec<Symbol> {
    let Some(name) = path_of(uri) else { return Vec::new() };
    let Some(dialect) = dialect(now, &name) else { return Vec::new() };
    outline::symbols(&now.others[&name].text, &now.lines(&name), !dialect.root_elements().is_empty())
}
