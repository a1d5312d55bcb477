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
use super::straight;
use super::words::Words;
use crate::ast::{self, Role, Tree};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{Found, SourceId, Span};
use crate::text::Sym;
use hashbrown::HashMap;
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
    key: Vec<u8>,
    way: Way,
}

/// How a tree is read.
enum Way {
    /// All is read but the trees that it includes.
    Straight(straight::Tree),
    /// The parser reads as far as the next of them.
    Careful(Box<Parser>),
}

impl Way {
    /// Reads on, to the end of the tree or to a node that includes another.
    fn run(&mut self, context: &mut Context<'_, '_>) -> Pause {
        match self {
            Self::Straight(tree) => {
                tree.include().map_or(Pause::Done, |include| Pause::Include(include.name, include.span))
            }
            Self::Careful(parser) => parser.run(context),
        }
    }

    /// The answer to [`Pause::Include`]: the tree's name, or why there is none.
    fn answer(&mut self, answer: Result<Sym, Diagnostic>, context: &mut Context<'_, '_>) {
        match self {
            Self::Straight(tree) => {
                if let Err(finding) = tree.answer(answer, context.file) {
                    context.session.diagnostics.push(finding);
                }
            }
            Self::Careful(parser) => parser.include(answer, context),
        }
    }

    /// The words of the node that is waiting for another tree.
    fn waiting(&self, file: &ast::File) -> Option<Span> {
        match self {
            Self::Straight(tree) => tree.include().map(|include| file.nodes[include.node as usize].span),
            Self::Careful(parser) => parser.last_span(),
        }
    }
}

struct Loader<'l, 'a> {
    session: &'l mut Session<'a>,
    words: Words,
    shared: Shared,
    file: ast::File,
    room: Room,
    straight: Box<straight::Room>,
    /// By name in lower case: the first entry of this name.
    entries: HashMap<Vec<u8>, Sym>,
    /// By name in lower case: the name it was first asked for by, and how far it is.
    trees: HashMap<Vec<u8>, (Sym, State)>,
    /// By symbol: the name of the tree that is called so, if it is known to be ready.
    ready: Vec<Option<Sym>>,
}

/// Reads the entries and all that they include.
pub(super) fn load(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let words = Words::new(session.manifest, &mut session.names);
    let shared = Shared::new(session);
    let mut file = core::mem::take(&mut session.memory.file);
    file.reserve(entries.len().saturating_mul(USUAL_NODES).min(MOST_NODES));
    let mut known = HashMap::with_capacity(entries.len());
    let names = entries.iter().map(|entry| session.names.intern(entry.as_bytes())).collect::<Vec<_>>();
    for (entry, name) in entries.iter().zip(&names) {
        known.entry(entry.to_ascii_lowercase().into_bytes()).or_insert(*name);
    }
    let straight = session.memory.front.take().and_then(|front| front.downcast().ok()).unwrap_or_default();
    let mut loader = Loader {
        session,
        words,
        shared,
        file,
        room: Room::default(),
        straight,
        entries: known,
        trees: HashMap::with_capacity(entries.len()),
        ready: Vec::new(),
    };
    for name in names {
        loader.entry(name);
    }
    let Loader { session, file, mut straight, .. } = loader;
    straight.forget_names();
    session.memory.front = Some(straight);
    file
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
            match reading.way.run(&mut self.context()) {
                Pause::Include(name, at) => match self.ask(name, Some(at)) {
                    Answer::Known(answer) => reading.way.answer(answer, &mut self.context()),
                    Answer::Read(next) => stack.push(next),
                },
                Pause::Done => self.finish(&mut stack),
            }
        }
    }

    fn context(&mut self) -> Context<'_, 'a> {
        Context { session: self.session, words: &mut self.words, file: &mut self.file }
    }

    /// Takes the innermost tree off the stack, and tells the one that includes it.
    fn finish(&mut self, stack: &mut Vec<Reading>) {
        let Some(Reading { name, key, way }) = stack.pop() else { return };
        let failed = match way {
            Way::Straight(tree) => self.keep(name, tree),
            Way::Careful(parser) => self.keep_parsed(name, *parser),
        };
        self.trees.insert(key, (name, if failed { State::Failed } else { State::Ready }));
        if let Some(including) = stack.last_mut() {
            let at = including.way.waiting(&self.file);
            let answer = if failed { Err(self.failed(name, at)) } else { Ok(name) };
            including.way.answer(answer, &mut self.context());
        }
    }

    /// Adds a tree whose nodes are in the file. Whether it failed.
    fn keep(&mut self, name: Sym, tree: straight::Tree) -> bool {
        if !tree.failed {
            self.file.trees.push(Tree { name, role: Role::Main, root: tree.root, span: tree.start });
        }
        tree.failed
    }

    /// Adds what a parser has read. Whether it failed.
    fn keep_parsed(&mut self, name: Sym, parser: Parser) -> bool {
        let failed = parser.failed();
        for Root { role, nodes } in parser.roots() {
            let first = self.file.nodes.len() as u32;
            let moved = |node: &ast::Node| ast::Node { end: node.end + first, ..*node };
            self.file.nodes.extend(nodes.iter().map(moved));
            self.file.trees.push(Tree { name, role, root: first, span: parser.start() });
        }
        let (tokens, room) = parser.into_room();
        self.shared.reuse(tokens);
        self.room = room;
        failed
    }

    /// Finds a tree by name, or opens its file. `at` is the word that asks for it.
    fn ask(&mut self, name: Sym, at: Option<Span>) -> Answer {
        if let Some(Some(ready)) = self.ready.get(name.0 as usize) {
            return Answer::Known(Ok(*ready));
        }
        let text = self.session.names.bytes(name).to_vec();
        let key = text.to_ascii_lowercase();
        match self.trees.get(&key).copied() {
            Some((found, State::Ready)) => Answer::Known(Ok(self.remember(name, found))),
            Some((found, State::Failed)) => Answer::Known(Err(self.failed(found, at))),
            Some((found, State::Reading)) => {
                let found = self.session.names.text(found);
                let message = format!("`{found}` includes itself here, directly or by others");
                Answer::Known(Err(Diagnostic::new(codes::RECURSIVE_TREE, at, message)))
            }
            None => self.open(&text, key, at),
        }
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
    fn open(&mut self, name: &[u8], key: Vec<u8>, at: Option<Span>) -> Answer {
        let found = file_stem(name).and_then(|stem| self.session.library.tree(&stem));
        let Some(Found { name: shown, text }) = found else {
            let message = format!("there is no file for the tree `{}`", String::from_utf8_lossy(name));
            return Answer::Known(Err(not_found(message, &path(name), at)));
        };
        let sym = match self.entries.get(&key) {
            Some(entry) => *entry,
            None => self.session.names.intern(name),
        };
        self.trees.insert(key.clone(), (sym, State::Reading));
        let source = self.session.sources.add(shown, text);
        Answer::Read(Reading { name: sym, key, way: self.way(source, name) })
    }

    /// Reads a file straight if that can be, and else makes tokens of it.
    fn way(&mut self, source: SourceId, name: &[u8]) -> Way {
        let Self { session, words, shared, file, .. } = self;
        if let Some(tree) = straight::read(session, words, shared, file, &mut self.straight, source) {
            return Way::Straight(tree);
        }
        let tokens = Preprocessor::run(session, words, shared, source, &path(name));
        Way::Careful(Box::new(Parser::new(tokens, source, core::mem::take(&mut self.room))))
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
