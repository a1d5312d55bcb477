//! The trees that a tree includes, and those that they include.
//!
//! Every tree is read once, whatever the case of the name it is asked for by, and stands in the file after all that it
//! includes. Trees being read wait on a stack, the including below the included, so that a chain of includes may be
//! as long as it likes. A tree that includes itself, by whatever detour, is an error at the place that closes the
//! circle.
//!
//! The original opens `bots/NAME.bt` with a path of at most 63 bytes and cuts what is longer; for a name so long that
//! the extension goes missing, there is no file.

use super::parser::{Parser, Pause, Room, Root, State as Parsing};
use super::preprocess::{MAX_PATH, Preprocessor, Shared};
use super::words::Words;
use crate::ast::{self, Tree};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{Found, SourceId, Span};
use crate::text::{Folded, Sym};
use std::borrow::Cow;

const FOLDER: &str = "bots/";
const EXTENSION: &str = ".bt";

/// For how many nodes per entry there is room at the start; room that nothing is written to costs nothing.
const USUAL_NODES: usize = 256;
/// For how many nodes there is room at most.
const MOST_NODES: usize = 1 << 16;

/// How far a tree has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    Ready,
    Failed,
}

/// What asking for a tree comes to.
enum Answer {
    /// It is there, or cannot be had.
    Known(Result<Sym, Diagnostic>),
    /// It must be read first.
    Read(Reading),
}

/// A tree being read.
struct Reading {
    name: Sym,
    /// In [`Loader::trees`].
    index: usize,
    state: Box<Parsing>,
}

/// A tree, whatever the case of the name it is asked for by.
#[derive(Clone, Copy)]
struct Asked {
    /// The name of the first entry that is called so, or else by which it was first asked for.
    name: Sym,
    /// How far it is, if anything is known of it.
    state: Option<State>,
}

struct Loader<'l, 'a> {
    session: &'l mut Session<'a>,
    words: Words,
    shared: Shared,
    file: ast::File,
    room: Room,
    names: Folded,
    /// By symbol of [`Self::names`].
    trees: Vec<Asked>,
    /// By symbol: the name of the tree that is called so, if it is known to be ready.
    ready: Vec<Option<Sym>>,
}

/// Reads the entries and all that they include.
pub(super) fn load(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let words = Words::new(session.manifest, &mut session.names);
    let shared = Shared::new(session);
    let mut file = core::mem::take(&mut session.file);
    file.reserve(entries.len().saturating_mul(USUAL_NODES).min(MOST_NODES));
    let mut loader = Loader {
        session,
        words,
        shared,
        file,
        room: Room::default(),
        names: Folded::default(),
        trees: Vec::with_capacity(entries.len()),
        ready: Vec::new(),
    };
    let names = entries.iter().map(|entry| loader.session.names.intern(entry.as_bytes())).collect::<Vec<_>>();
    for name in &names {
        loader.find(*name);
    }
    for name in names {
        loader.entry(name);
    }
    loader.file
}

impl<'a> Loader<'_, 'a> {
    /// Reads a tree that was asked for from outside. Its own errors are already told when it fails.
    fn entry(&mut self, name: Sym) {
        match self.ask(name, None) {
            Answer::Known(Err(finding)) if finding.code != codes::TREE_FAILED => {
                self.session.diagnostics.push(finding);
            }
            Answer::Known(_) => {}
            Answer::Read(reading) => self.read(reading),
        }
    }

    /// Reads a tree to its end, and on the way those it includes.
    fn read(&mut self, first: Reading) {
        let mut stack = vec![first];
        while let Some(reading) = stack.last_mut() {
            match self.parser(&mut reading.state).run() {
                Pause::Include(name, at) => match self.ask(name, Some(at)) {
                    Answer::Known(answer) => self.parser(&mut reading.state).include(answer),
                    Answer::Read(next) => stack.push(next),
                },
                Pause::Done => self.finish(&mut stack),
            }
        }
    }

    fn parser<'p>(&'p mut self, state: &'p mut Parsing) -> Parser<'p, 'a> {
        Parser { session: self.session, words: &mut self.words, file: &mut self.file, state }
    }

    /// Takes the innermost tree off the stack, and tells the one that includes it.
    fn finish(&mut self, stack: &mut Vec<Reading>) {
        let Some(Reading { name, index, state }) = stack.pop() else { return };
        let failed = self.keep(name, *state);
        self.trees[index].state = Some(if failed { State::Failed } else { State::Ready });
        if let Some(including) = stack.last_mut() {
            let at = including.state.last_span();
            let answer = if failed { Err(self.failed(name, at)) } else { Ok(name) };
            self.parser(&mut including.state).include(answer);
        }
    }

    /// Adds the trees that a parser has read. Returns true if the parser has found errors.
    fn keep(&mut self, name: Sym, state: Parsing) -> bool {
        let failed = state.failed();
        for Root { role, nodes } in state.roots() {
            let first = self.file.nodes.len() as u32;
            let moved = |node: &ast::Node| ast::Node { end: node.end + first, ..*node };
            self.file.nodes.extend(nodes.iter().map(moved));
            self.file.trees.push(Tree { name, role, root: first, span: state.start() });
        }
        let (tokens, room) = state.into_room();
        self.shared.reuse(tokens);
        self.room = room;
        failed
    }

    /// Finds a tree by name, or opens its file. `at` is the word that asks for it.
    fn ask(&mut self, name: Sym, at: Option<Span>) -> Answer {
        if let Some(Some(ready)) = self.ready.get(name.0 as usize) {
            return Answer::Known(Ok(*ready));
        }
        let index = self.find(name);
        let Asked { name: found, state } = self.trees[index];
        match state {
            Some(State::Ready) => Answer::Known(Ok(self.remember(name, found))),
            Some(State::Failed) => Answer::Known(Err(self.failed(found, at))),
            Some(State::Reading) => {
                let found = self.session.names.text(found);
                let message = format!("`{found}` includes itself here, directly or by others");
                Answer::Known(Err(Diagnostic::new(codes::RECURSIVE_TREE, at, message)))
            }
            None => self.open(name, index, at),
        }
    }

    /// The index of a tree.
    fn find(&mut self, name: Sym) -> usize {
        let index = self.names.intern(self.session.names.bytes(name)).0 as usize;
        if index == self.trees.len() {
            self.trees.push(Asked { name, state: None });
        }
        index
    }

    fn remember(&mut self, name: Sym, ready: Sym) -> Sym {
        let index = name.0 as usize;
        if index >= self.ready.len() {
            self.ready.resize(index + 1, None);
        }
        self.ready[index] = Some(ready);
        ready
    }

    fn failed(&self, name: Sym, at: Option<Span>) -> Diagnostic {
        let message = format!("the tree `{}` cannot be loaded", self.session.names.text(name));
        Diagnostic::new(codes::TREE_FAILED, at, message).help("it has errors of its own")
    }

    /// Opens a tree's file and makes tokens of it.
    fn open(&mut self, name: Sym, index: usize, at: Option<Span>) -> Answer {
        let asked = self.session.names.bytes(name);
        let found = file_stem(asked).and_then(|stem| self.session.library.tree(&stem));
        let Some(Found { name: shown, text }) = found else {
            let message = format!("there is no file for the tree `{}`", self.session.names.text(name));
            return Answer::Known(Err(not_found(message, &path(asked), at)));
        };
        let source = self.session.sources.add(shown, text);
        let state = self.begin(source, name);
        let tree = &mut self.trees[index];
        tree.state = Some(State::Reading);
        Answer::Read(Reading { name: tree.name, index, state })
    }

    /// Makes tokens of a file, which the parser will read.
    fn begin(&mut self, source: SourceId, name: Sym) -> Box<Parsing> {
        let Self { session, words, shared, room, .. } = self;
        let path = path(session.names.bytes(name));
        let tokens = Preprocessor::run(session, words, shared, source, &path);
        Box::new(Parsing::new(tokens, source, core::mem::take(room)))
    }
}

fn not_found(message: String, path: &[u8], at: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::new(codes::TREE_NOT_FOUND, at, message);
    if path.ends_with(EXTENSION.as_bytes()) {
        return finding;
    }
    finding.help(format!("the path is cut after {MAX_PATH} bytes, so its extension is missing"))
}

/// Where a tree's file would be, as far as a path goes.
fn path(name: &[u8]) -> Vec<u8> {
    let mut path = [FOLDER.as_bytes(), name, EXTENSION.as_bytes()].concat();
    path.truncate(MAX_PATH);
    path
}

/// The name by which a library knows the file of a tree: the tree's own, unless that does not fit into a path.
fn file_stem(name: &[u8]) -> Option<Cow<'_, str>> {
    if FOLDER.len() + name.len() + EXTENSION.len() <= MAX_PATH {
        return Some(String::from_utf8_lossy(name));
    }
    let path = path(name);
    let stem = path.strip_prefix(FOLDER.as_bytes())?.strip_suffix(EXTENSION.as_bytes())?;
    Some(String::from_utf8_lossy(stem).into_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_extension() {
        assert_eq!(file_stem(b"default").as_deref(), Some("default"));
        assert!(file_stem(&[b'n'; 55]).is_some());
        assert!(file_stem(&[b'n'; 56]).is_none());
    }
}
