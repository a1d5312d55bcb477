//! The trees that a tree includes, and those that they include.
//!
//! Every tree is read once, whatever the case of the name it is asked for by, and stands in the file after all that it
//! includes. Trees being read wait on a stack, the including below the included, so that a chain of includes may be
//! as long as it likes. A tree that includes itself, by whatever detour, is an error at the place that closes the
//! circle.
//!
//! The original opens `bots/NAME.bt` with a path of at most 63 bytes and cuts what is longer; for a name so long that
//! the extension goes missing, there is no file.

use super::parser::{Context, Parser, Pause, Room, Root};
use super::preprocess::{MAX_PATH, Preprocessor, Shared};
use super::spelling;
use super::token::Token;
use super::words::Words;
use crate::ast::{self, Tree};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{Found, Span};
use crate::text::Sym;
use hashbrown::HashMap;

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
    key: Vec<u8>,
    parser: Parser,
}

struct Loader<'l, 'a> {
    session: &'l mut Session<'a>,
    words: Words,
    shared: Shared,
    file: ast::File,
    room: Room,
    /// By name in lower case: the first entry of this name.
    entries: HashMap<Vec<u8>, Sym>,
    /// By name in lower case: the name it was first asked for by, and how far it is.
    trees: HashMap<Vec<u8>, (Sym, State)>,
}

/// Reads the entries and all that they include.
pub(super) fn load(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let words = Words::new(session.manifest, &mut session.names);
    let shared = Shared::new(session);
    let file = ast::File::with_room(entries.len().saturating_mul(USUAL_NODES).min(MOST_NODES));
    let mut known = HashMap::with_capacity(entries.len());
    for entry in entries {
        let name = session.names.intern(entry.as_bytes());
        known.entry(entry.to_ascii_lowercase().into_bytes()).or_insert(name);
    }
    let (room, trees) = (Room::default(), HashMap::with_capacity(entries.len()));
    let mut loader = Loader { session, words, shared, file, room, entries: known, trees };
    for entry in entries {
        loader.entry(entry);
    }
    loader.file
}

impl Loader<'_, '_> {
    /// Reads a tree that was asked for from outside. Its own errors are already told when it fails.
    fn entry(&mut self, entry: &str) {
        match self.ask(entry.as_bytes(), None) {
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
            let mut context = Context { session: self.session, words: &mut self.words, file: &mut self.file };
            match reading.parser.run(&mut context) {
                Pause::Include(token) => {
                    let name = spelling(self.session, &token);
                    match self.ask(&name, Some(token)) {
                        Answer::Known(answer) => self.answer(&mut reading.parser, answer),
                        Answer::Read(next) => stack.push(next),
                    }
                }
                Pause::Done => self.finish(&mut stack),
            }
        }
    }

    fn answer(&mut self, parser: &mut Parser, answer: Result<Sym, Diagnostic>) {
        let mut context = Context { session: self.session, words: &mut self.words, file: &mut self.file };
        parser.include(answer, &mut context);
    }

    /// Takes the innermost tree off the stack, and tells the one that includes it.
    fn finish(&mut self, stack: &mut Vec<Reading>) {
        let Some(Reading { name, key, parser }) = stack.pop() else { return };
        let state = if parser.failed() { State::Failed } else { State::Ready };
        for Root { role, nodes } in parser.roots() {
            let first = self.file.nodes.len() as u32;
            let moved = |node: &ast::Node| ast::Node { end: node.end + first, ..*node };
            self.file.nodes.extend(nodes.iter().map(moved));
            self.file.trees.push(Tree { name, role, root: first, span: parser.start() });
        }
        let (tokens, room) = parser.into_room();
        self.shared.reuse(tokens);
        self.room = room;
        self.trees.insert(key, (name, state));
        if let Some(including) = stack.last_mut() {
            let at = including.parser.last_span();
            let answer = if state == State::Ready { Ok(name) } else { Err(self.failed(name, at)) };
            self.answer(&mut including.parser, answer);
        }
    }

    /// Finds a tree by name, or opens its file. `from` is the word that asks for it.
    fn ask(&mut self, name: &[u8], from: Option<Token>) -> Answer {
        let key = name.to_ascii_lowercase();
        let at = from.map(|token| token.span);
        match self.trees.get(&key).copied() {
            Some((name, State::Ready)) => Answer::Known(Ok(name)),
            Some((name, State::Failed)) => Answer::Known(Err(self.failed(name, at))),
            Some((name, State::Reading)) => {
                let message = format!(
                    "`{}` includes itself here, directly or by others",
                    self.session.names.text(name)
                );
                Answer::Known(Err(Diagnostic::new(codes::RECURSIVE_TREE, at, message)))
            }
            None => self.open(name, key, at),
        }
    }

    fn failed(&self, name: Sym, at: Option<Span>) -> Diagnostic {
        let message = format!("the tree `{}` cannot be loaded", self.session.names.text(name));
        Diagnostic::new(codes::TREE_FAILED, at, message).help("it has errors of its own")
    }

    /// Opens a tree's file and makes tokens of it.
    fn open(&mut self, name: &[u8], key: Vec<u8>, at: Option<Span>) -> Answer {
        let path = path(name);
        let Some(Found { name: shown, text }) =
            file_stem(&path).and_then(|stem| self.session.library.tree(&stem))
        else {
            let message = format!("there is no file for the tree `{}`", String::from_utf8_lossy(name));
            return Answer::Known(Err(not_found(message, &path, at)));
        };
        let sym = match self.entries.get(&key) {
            Some(entry) => *entry,
            None => self.session.names.intern(name),
        };
        self.trees.insert(key.clone(), (sym, State::Reading));
        let source = self.session.sources.add(shown, text);
        let tokens = Preprocessor::run(self.session, &mut self.words, &mut self.shared, source, &path);
        Answer::Read(Reading {
            name: sym,
            key,
            parser: Parser::new(tokens, source, core::mem::take(&mut self.room)),
        })
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

/// The name by which a library knows the file at a path.
fn file_stem(path: &[u8]) -> Option<String> {
    let stem = path.strip_prefix(FOLDER.as_bytes())?.strip_suffix(EXTENSION.as_bytes())?;
    Some(String::from_utf8_lossy(stem).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_extension() {
        assert_eq!(file_stem(&path(b"default")).as_deref(), Some("default"));
        assert!(file_stem(&path(&[b'n'; 55])).is_some());
        assert!(file_stem(&path(&[b'n'; 56])).is_none());
    }
}
