//! The trees that a tree includes, directly and through others.
//!
//! Every tree is read once, whatever the case of the requested name. In the file it comes after all
//! trees that it includes. Trees that are being read wait on a stack, each above the one that
//! includes it, so a chain of includes may have any length. A tree that includes itself, directly
//! or through others, is an error at the place that closes the circle.
//!
//! The original opens `bots/NAME.bt` with a path of at most 63 bytes and cuts a longer path. If a
//! name is so long that the extension is cut, there is no file.

use super::parser::{Parser, Parsing, Pause, Room};
use super::preprocess::{MAX_PATH, Preprocessor, Shared};
use super::words::Words;
use crate::ast::{self, Tree};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{Found, Span};
use crate::text::Sym;
use bumpalo::Bump;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};
use std::borrow::Cow;

const FOLDER: &str = "bots/";
const EXTENSION: &str = ".bt";

/// For how many nodes per entry there is room at the start; room that nothing
/// is written to costs nothing.
const USUAL_NODES: usize = 256;
/// For how many nodes there is room at most.
const MOST_NODES: usize = 1 << 16;

/// Progress of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    Ready,
    Failed,
}

/// Result of asking for a tree.
enum Answer {
    /// The tree's name if the tree is ready, or the reason why there is no such tree.
    Known(Result<Sym, Diagnostic>),
    /// The tree must be read first.
    Read(Reading),
}

/// A tree being read.
struct Reading {
    name: Sym,
    /// In [`Loader::trees`].
    index: usize,
    state: Parsing,
}

/// A tree, whatever the case of the name it is asked for by.
#[derive(Clone, Copy)]
struct Asked {
    /// The name of the first entry that is called so, or else by which it was first asked for.
    name: Sym,
    /// Progress of the tree; none if its file was not opened yet.
    state: Option<State>,
}

struct Loader<'l, 'a, 's> {
    session: &'l mut Session<'a>,
    arena: &'s Bump,
    words: Words<'s>,
    shared: Shared<'s>,
    file: ast::File,
    room: Room<'s>,
    /// By symbol of [`Words::known`]; none for words that name no tree.
    trees: ArenaVec<'s, Option<Asked>>,
}

/// Reads the entries and all that they include. What lives no longer than that is in the arena.
pub(super) fn load(session: &mut Session<'_>, entries: &[String], arena: &Bump) -> ast::File {
    let words = Words::new(session, arena);
    let shared = Shared::new(session, arena);
    let mut file = core::mem::take(&mut session.file);
    file.reserve(entries.len().saturating_mul(USUAL_NODES).min(MOST_NODES));
    let (room, trees) = (Room::new(arena), ArenaVec::new_in(arena));
    let mut loader = Loader { session, arena, words, shared, file, room, trees };
    let names = entries.iter().map(|entry| loader.session.names.intern(entry.as_bytes()));
    let names: ArenaVec<'_, Sym> = names.collect_in(arena);
    names.iter().for_each(|name| _ = loader.find(*name));
    names.iter().for_each(|name| loader.entry(*name));
    let Loader { session, words, file, .. } = loader;
    session.folded = words.known;
    file
}

impl<'a, 's> Loader<'_, 'a, 's> {
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
        let mut stack = bumpalo::vec![in self.arena; first];
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

    fn parser<'p>(&'p mut self, state: &'p mut Parsing) -> Parser<'p, 'a, 's> {
        let Self { session, words, room, file, .. } = self;
        Parser { session, words, room, file, state }
    }

    /// Takes the innermost tree off the stack, and tells the one that includes it.
    fn finish(&mut self, stack: &mut ArenaVec<'_, Reading>) {
        let Some(Reading { name, index, state }) = stack.pop() else { return };
        self.keep(name, &state);
        let failed = state.failed;
        self.trees[index] =
            Some(Asked { name, state: Some(if failed { State::Failed } else { State::Ready }) });
        if let Some(including) = stack.last_mut() {
            let at = self.room.last_span();
            let answer = if failed { Err(self.failed(name, at)) } else { Ok(name) };
            self.parser(&mut including.state).include(answer);
        }
    }

    /// Adds the trees that a parser has read, if it has found no errors.
    fn keep(&mut self, name: Sym, state: &Parsing) {
        let ast::File { nodes: all, trees, .. } = &mut self.file;
        let mut before = state.bases[2] as u32;
        self.room.end(state, |role, nodes| {
            let root = all.len() as u32;
            all.extend(nodes.iter().map(|node| ast::Node { end: node.end - before + root, ..*node }));
            trees.push(Tree { name, role, root, span: state.start });
            before += nodes.len() as u32;
        });
    }

    /// Finds a tree by name, or opens its file. `at` is the word that asks for it.
    fn ask(&mut self, name: Sym, at: Option<Span>) -> Answer {
        let (index, Asked { name: found, state }) = self.find(name);
        match state {
            Some(State::Ready) => Answer::Known(Ok(found)),
            Some(State::Failed) => Answer::Known(Err(self.failed(found, at))),
            Some(State::Reading) => {
                let found = self.session.names.text(found);
                let message = format!("`{found}` includes itself here, directly or by others");
                Answer::Known(Err(Diagnostic::new(codes::RECURSIVE_TREE, at, message)))
            }
            None => self.open(name, index, found, at),
        }
    }

    /// Returns a tree, and its index.
    fn find(&mut self, name: Sym) -> (usize, Asked) {
        let index = self.words.known.intern(self.session.names.bytes(name)).0 as usize;
        self.trees.resize(self.trees.len().max(index + 1), None);
        (index, *self.trees[index].get_or_insert(Asked { name, state: None }))
    }

    fn failed(&self, name: Sym, at: Option<Span>) -> Diagnostic {
        let message = format!("the tree `{}` cannot be loaded", self.session.names.text(name));
        Diagnostic::new(codes::TREE_FAILED, at, message).help("it has errors of its own")
    }

    /// Opens the file of a tree, which is asked for by `name`, and makes tokens of it.
    fn open(&mut self, name: Sym, index: usize, tree: Sym, at: Option<Span>) -> Answer {
        let Self { session, words, shared, room, .. } = self;
        let asked = session.names.bytes(name);
        let path = path(asked, self.arena);
        let found = file_stem(asked, path).and_then(|stem| session.library.tree(&stem));
        let Some(Found { name: shown, text }) = found else {
            let message = format!("there is no file for the tree `{}`", session.names.text(name));
            return Answer::Known(Err(not_found(message, path, at)));
        };
        let source = session.sources.add(shown, text);
        let first = room.tokens.len();
        let cut = Preprocessor::run(session, words, shared, &mut room.tokens, source, path);
        self.trees[index] = Some(Asked { name: tree, state: Some(State::Reading) });
        Answer::Read(Reading { name: tree, index, state: room.begin(first, cut, source) })
    }
}

fn not_found(message: String, path: &[u8], at: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::new(codes::TREE_NOT_FOUND, at, message);
    if path.ends_with(EXTENSION.as_bytes()) {
        return finding;
    }
    finding.help(format!("the path is cut after {MAX_PATH} bytes, so its extension is missing"))
}

/// Path of a tree's file, cut to the longest path that the original has room for.
fn path<'s>(name: &[u8], arena: &'s Bump) -> &'s [u8] {
    let mut path = ArenaVec::new_in(arena);
    for part in [FOLDER.as_bytes(), name, EXTENSION.as_bytes()] {
        path.extend_from_slice_copy(&part[..part.len().min(MAX_PATH - path.len())]);
    }
    path.into_bump_slice()
}

/// Returns the name by which a library knows the file of a tree: the tree's own, unless
/// that does not fit into its path.
fn file_stem<'n>(name: &'n [u8], path: &'n [u8]) -> Option<Cow<'n, str>> {
    let stem = path.strip_prefix(FOLDER.as_bytes())?.strip_suffix(EXTENSION.as_bytes());
    let whole = FOLDER.len() + name.len() + EXTENSION.len() <= MAX_PATH;
    Some(String::from_utf8_lossy(if whole { name } else { stem? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_extension() {
        let arena = Bump::new();
        let stem = |name| file_stem(name, path(name, &arena)).map(Cow::into_owned);
        assert_eq!(stem(b"default").as_deref(), Some("default"));
        assert!(stem(&[b'n'; 55]).is_some());
        assert!(stem(&[b'n'; 56]).is_none());
    }
}
