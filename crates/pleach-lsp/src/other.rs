//! Trees of the other dialects: findings, and names as words of their files.
//!
//! These languages belong to other engines. The server has no syntax tree of them, so a name is a
//! word, and all files of a folder with the same ending belong together.

mod outline;

use crate::answers::{Symbol, add};
use crate::snapshot::Snapshot;
use crate::text::path_of;
use gen_lsp_types::{
    Contents, Diagnostic, Hover, Location, MarkupContent, MarkupKind, TextDocumentPositionParams,
};
use pleach_compile::dialect::{Dialect, by_extension, by_root_element};
use pleach_compile::manifest::Manifests;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compiler, Request};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..=end])
}

fn extension_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns the dialect of a file. Several dialects, and many files that are no trees, are XML, so
/// the root element of XML decides.
fn dialect(now: &Snapshot, name: &str) -> Option<&'static dyn Dialect> {
    let text = now.others.get(name)?;
    let extension = extension_of(name);
    let is_xml = extension.eq_ignore_ascii_case("xml");
    by_root_element(text.as_bytes()).or_else(|| by_extension(extension).filter(|_| !is_xml))
}

/// Returns the files of other dialects that belong together with a file.
pub(crate) fn together(now: &Snapshot, name: &str) -> Vec<String> {
    let (folder, extension) = (folder_of(name).to_owned(), extension_of(name).to_owned());
    let is_beside = |other: &&String| folder_of(other) == folder && extension_of(other) == extension;
    now.others.keys().filter(is_beside).cloned().collect()
}

/// Returns the trees that belong together with a file, with their texts.
fn trees_together<'s>(now: &'s Snapshot, name: &str) -> Vec<(String, &'s str)> {
    let trees = together(now, name).into_iter().filter(|file| dialect(now, file).is_some());
    trees.filter_map(|file| now.others.get(&file).map(|text| (file, &**text))).collect()
}

/// Returns a number that changes with the texts that a file belongs together with.
pub(crate) fn fingerprint(now: &Snapshot, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let manifests = now.project.manifests_of(name).into_iter().map(|name| (name, now.project.text(name)));
    for (name, text) in manifests {
        (name, text).hash(&mut hasher);
    }
    for name in together(now, name) {
        (&name, now.others.get(&name)).hash(&mut hasher);
    }
    hasher.finish()
}

/// Files of a folder, as the compiler asks for them.
struct Folder<'s> {
    now: &'s Snapshot,
    folder: &'s str,
    dialect: &'static dyn Dialect,
}

impl Folder<'_> {
    fn found(&self, name: &str) -> Option<Found> {
        let text = self.now.others.get(name)?;
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
        let names = self.now.others.keys().filter(|name| folder_of(name) == self.folder);
        let own =
            names.filter(|name| dialect(self.now, name).is_some_and(|it| it.name() == self.dialect.name()));
        own.filter_map(|name| self.found(name)).collect()
    }
}

/// Compiles a tree, or the whole folder if its files belong together.
pub(crate) fn findings(now: &Snapshot, entry: &str) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut all = BTreeMap::new();
    let Some(dialect) = dialect(now, entry) else { return all };
    let mut manifests = Manifests::of(dialect);
    for name in now.project.manifests_of(entry) {
        manifests.add(name, now.project.text(name));
    }
    let folder = Folder { now, folder: folder_of(entry), dialect };
    let stem = entry[folder_of(entry).len()..].rsplit_once('.').map_or("", |(stem, _)| stem);
    let entries = [stem.to_owned()];
    let request = Request { dialect, manifest: manifests.manifest(), entries: &entries, debug: true };
    let done = if dialect.reads_folders() {
        Compiler::default().check_folder(&folder, Request { entries: &[], ..request })
    } else {
        Compiler::default().compile(&folder, request)
    };
    add(now, &mut all, &done.diagnostics, &done.sources);
    all
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the word at a position in a tree, with its file.
fn word_at<'s>(now: &'s Snapshot, place: &TextDocumentPositionParams) -> Option<(String, &'s str)> {
    let name = path_of(&place.text_document.uri.0)?;
    dialect(now, &name)?;
    let text: &str = now.others.get(&name)?;
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
    let beside = trees_together(now, &name);
    let found =
        beside.iter().flat_map(|(file, text)| places(text, word).map(|range| now.location(file, range)));
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

/// Returns the places that declare the word at a position: the file of a tree, an element with this
/// name, a macro, or a line of a manifest.
pub(crate) fn definition(now: &Snapshot, place: &TextDocumentPositionParams) -> Vec<Location> {
    let Some((name, word)) = word_at(now, place) else { return Vec::new() };
    let files = trees_together(now, &name);
    let tree = format!("{}{word}.{}", folder_of(&name), extension_of(&name));
    let mut found: Vec<Location> =
        files.iter().filter(|(file, _)| *file == tree).map(|(file, _)| now.location(file, (0, 0))).collect();
    for (file, text) in &files {
        let names = places(text, word).filter(|(start, _)| {
            let before = text[..*start as usize].trim_end_matches(['"', '\'']).to_ascii_lowercase();
            let before = before.trim_end();
            before.ends_with(" name=") || before.ends_with(" id=") || before.ends_with("#define")
        });
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
    let (Some(dialect), Some(text)) = (dialect(now, &name), now.others.get(&name)) else {
        return Vec::new();
    };
    outline::symbols(text, &now.lines(&name), dialect.name() != "unvanquished")
}
