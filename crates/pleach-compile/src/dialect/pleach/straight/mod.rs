//! The straight way, for files in which nothing is out of the ordinary: nearly all that there are.
//!
//! It goes from the text to the common tree at once, without tokens, words in their order and a second walk in between,
//! and knows only what is right. Whatever else comes, a mistake, anything to be warned about, makes it give
//! up, and the careful way, `parser` and `check`, reads everything from the beginning. So this way decides nothing and
//! reports nothing, it only saves time: without it, the same trees come out. What both must agree on they share: words,
//! names, numbers, how operators bind, what they make of values, how nodes end.
//!
//! A name may be used before it is declared, so first all declarations are read and trees are passed over (`item`), then
//! trees (`tree`, `node`, `expression`). A tree that others use is read again for each copy: that is no more work than to
//! walk over what was made of it.
//!
//! Everywhere in here `None` means that the file is left to the careful way.

mod expression;
mod item;
mod node;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use super::check::ends::Course;
use super::host::Host;
use super::names::{Meaning, Names};
use super::syntax::{Function, Type};
use super::value::Value;
use super::words::{Keyword, Word, Words};
use crate::ast::{self, NodeIndex};
use crate::dialect::marks::Marks;
use crate::dialect::marks::guesses::Guesses;
use crate::session::Session;
use crate::source::{Found, OriginId, Source, SourceId, Span};
use crate::text::Sym;
use core::num::NonZeroU32;
use expression::{Operand, Pending};
use text::Text;

/// Memory that one file leaves to the next.
#[derive(Default)]
pub(super) struct Room {
    words: Words,
    names: Names,
    actions: Vec<Function>,
    queries: Vec<Function>,
    /// By word.
    known: Vec<Known>,
    /// Constants and defaults that need constants from below.
    later: Vec<item::Later>,
    events: Vec<Event>,
    /// Events by index, and what is done then.
    handlers: Vec<(u32, Body)>,
    trees: Vec<Tree>,
    params: Vec<TreeParam>,
    blocks: Vec<Block>,
    frames: Vec<Frame>,
    bindings: Vec<Value>,
    weights: Vec<i32>,
    operands: Vec<Operand>,
    pending: Vec<Pending>,
    marks: Marks,
    guesses: Guesses,
}

/// A word in the text.
#[derive(Clone, Copy)]
struct Token {
    word: Word,
    length: NonZeroU32,
}

/// What a name in an expression stands for.
#[derive(Clone, Copy)]
enum Known {
    /// Not declared, as far as is known.
    Nothing,
    /// A variable or constant.
    Value(Value),
    /// Index of a query.
    Query(u32),
    /// A function of the language.
    Function(Keyword),
}

/// The block of a tree or an event.
#[derive(Clone, Copy)]
struct Body {
    source: SourceId,
    /// Its `{`: the token.
    start: usize,
    /// One past its `}`: the byte.
    end: usize,
}

#[derive(Clone, Copy)]
struct Event {
    name: Sym,
    span: Span,
}

#[derive(Clone, Copy)]
struct Tree {
    name: Sym,
    span: Span,
    /// A range of [`Room::params`].
    params: (u32, u32),
    body: Body,
    /// Whether it is being read.
    open: bool,
    /// Whether it has been begun.
    read: bool,
}

/// A parameter of a tree.
#[derive(Clone, Copy)]
struct TreeParam {
    word: Word,
    ty: Type,
}

/// An open block: that of a node, or that of a tree.
struct Block {
    /// The node; a tree has none.
    node: NodeIndex,
    children: u32,
    /// How many children it takes.
    most: u32,
    /// Where its weights begin, in [`Room::weights`].
    weights: u32,
    course: Course,
}

/// The tree that is read, or one that waits for a tree it uses.
#[derive(Clone, Copy)]
struct Frame {
    tree: u32,
    /// Its parameters: a range of [`Room::params`].
    params: (u32, u32),
    /// What they stand for: from here on in [`Room::bindings`].
    bindings: u32,
    /// Where it goes on after it.
    back: Place,
}

/// A token of a file.
type Place = (SourceId, usize);

/// A file that is read.
struct Reading {
    found: Found,
    /// The folder that its includes begin at: empty, or with a `/` at its end.
    folder: String,
    /// Where it was left, unless it is read now.
    text: Option<Text>,
}

/// A reader on its straight way.
struct Straight<'s, 'a> {
    session: &'s mut Session<'a>,
    room: &'s mut Room,
    file: &'s mut ast::File,
    /// The file of the entry, and those that are included.
    readings: Vec<Reading>,
    entry: SourceId,
    text: Text,
    source: SourceId,
    /// Where the value stands that was read last.
    place: (u32, u32),
    frame: Frame,
    /// Whether all declarations have been read.
    knows_all: bool,
    /// Whether nothing that is emitted will stay.
    trial: bool,
    /// How many nodes and bytes copies have brought.
    copied: u32,
    copied_bytes: usize,
}

/// Reads a file that holds nothing out of the ordinary, the last one among the sources, with all that it includes.
pub(super) fn read(session: &mut Session<'_>, room: &mut Room, source: SourceId) -> Option<ast::File> {
    let Source { name, text, .. } = session.sources.get(source);
    let found = Found { name: name.clone(), text: text.clone() };
    let text = Text::new(found.text.clone(), core::mem::take(&mut room.marks))?;
    room.begin(session);
    let mut file = core::mem::take(&mut session.memory.file);
    // What so many bytes usually hold; the rest grows.
    file.reserve(found.text.len() / 32);
    let mut reader = Straight {
        session,
        room,
        file: &mut file,
        readings: vec![Reading { found, folder: String::new(), text: None }],
        entry: source,
        text,
        source,
        place: (0, 0),
        frame: Frame { tree: 0, params: (0, 0), bindings: 0, back: (source, 0) },
        knows_all: false,
        trial: false,
        copied: 0,
        copied_bytes: 0,
    };
    let read = reader.file();
    reader.room.marks = reader.text.into_marks();
    let included = reader.readings.into_iter().skip(1);
    if read.is_none() {
        session.memory.keep_file(file);
        return None;
    }
    included.for_each(|Reading { found, .. }| _ = session.sources.add(found.name, found.text));
    Some(file)
}

impl Room {
    /// Forgets what the file before has left.
    fn begin(&mut self, session: &mut Session<'_>) {
        let Self { words, names, actions, queries, known, events, trees, params, .. } = self;
        words.begin(&mut session.names);
        names.begin();
        known.clear();
        let function = |keyword: &Keyword| match keyword {
            keyword if keyword.is_function() => Known::Function(*keyword),
            _ => Known::Nothing,
        };
        known.extend(Keyword::ALL.iter().map(function));
        actions.clear();
        queries.clear();
        events.clear();
        self.later.clear();
        self.handlers.clear();
        trees.clear();
        params.clear();
        self.blocks.clear();
        self.frames.clear();
        self.bindings.clear();
        self.weights.clear();
        self.operands.clear();
        self.pending.clear();
    }

    /// Gives a name in expressions its meaning: whether it had none.
    fn know(&mut self, word: Word, known: Known) -> bool {
        let index = word as usize;
        if index >= self.known.len() {
            self.known.resize(index + 1, Known::Nothing);
        }
        matches!(core::mem::replace(&mut self.known[index], known), Known::Nothing)
    }
}

impl Straight<'_, '_> {
    fn file(&mut self) -> Option<()> {
        self.items()?;
        self.knows_all = true;
        self.late_values()?;
        self.events()?;
        self.trees()
    }

    /// Where something begins.
    fn here(&self) -> Place {
        (self.source, self.text.token())
    }

    /// Goes to where something begins.
    fn go(&mut self, (source, at): Place) {
        if source != self.source {
            self.turn(source);
        }
        self.text.go(at);
    }

    /// Goes to another file, which something has been read of.
    #[cold]
    fn turn(&mut self, source: SourceId) {
        if let Some(text) = self.reading(source).text.take() {
            self.leave_for(text, source);
        }
    }

    /// Reads on in a text, and keeps the one that is read.
    fn leave_for(&mut self, text: Text, source: SourceId) {
        let left = core::mem::replace(&mut self.text, text);
        let from = core::mem::replace(&mut self.source, source);
        self.reading(from).text = Some(left);
    }

    fn reading(&mut self, source: SourceId) -> &mut Reading {
        &mut self.readings[(source.0 - self.entry.0) as usize]
    }

    /// The word that comes next.
    #[inline(always)]
    fn word(&mut self) -> Option<Token> {
        if !self.text.is_word() {
            return None;
        }
        let (word, length) = match self.text.short_word() {
            Some((key, length, begin)) => {
                let guess = *self.room.guesses.at(begin);
                if self.room.words.is(guess, key) { (guess, length) } else { self.other_word_than_guessed() }
            }
            None => self.long_word(),
        };
        Some(Token { word, length: NonZeroU32::new(length as u32)? })
    }

    /// A short word that was not met before with these bytes after it.
    #[cold]
    fn other_word_than_guessed(&mut self) -> (Word, usize) {
        let Some((key, length, begin)) = self.text.short_word() else { return self.long_word() };
        let Room { words, guesses, .. } = &mut *self.room;
        let word = words.short(key, &mut self.session.names);
        *guesses.at(begin) = word;
        (word, length)
    }

    /// A word that is long, or at the end of the text.
    #[cold]
    fn long_word(&mut self) -> (Word, usize) {
        let text = self.text.long_word();
        (self.room.words.find(text, &mut self.session.names), text.len())
    }

    /// Passes over a word: where it stands.
    #[inline(always)]
    fn pass(&mut self, token: Token) -> (u32, u32) {
        let (start, length) = (self.text.position() as u32, token.length.get());
        self.text.pass(1);
        (start, start + length)
    }

    /// The keyword that comes next, if one does.
    #[inline]
    fn keyword(&mut self) -> Option<(Keyword, Token)> {
        let token = self.word()?;
        Some((Keyword::of(token.word)?, token))
    }

    /// Passes over a keyword, which must come next.
    #[inline]
    fn take_keyword(&mut self) -> Option<(Keyword, (u32, u32))> {
        let (keyword, token) = self.keyword()?;
        Some((keyword, self.pass(token)))
    }

    /// What a name in an expression stands for; nothing if it is a keyword.
    #[inline]
    fn known(&mut self, word: Word) -> Option<Known> {
        match self.room.known.get(word as usize) {
            None | Some(Known::Nothing) => self.other(word),
            Some(known) => Some(*known),
        }
    }

    #[cold]
    fn other(&mut self, word: Word) -> Option<Known> {
        if Keyword::of(word).is_some_and(Keyword::is_reserved) {
            return Some(Known::Nothing);
        }
        if !self.knows_all {
            // It may be declared below.
            return Some(Known::Value(Value::Wrong));
        }
        let known = match self.host().value(word) {
            Meaning::Query(query) => Known::Query(query),
            Meaning::Symbol(value) => Known::Value(Value::Int(value)),
            _ => return None,
        };
        self.room.know(word, known);
        Some(known)
    }

    /// The action that a word names.
    #[inline]
    fn action_of(&mut self, word: Word) -> Option<u32> {
        self.room.names.get(word).action.or_else(|| self.host().action(word))
    }

    /// The manifest, and what it may add to.
    fn host(&mut self) -> Host<'_> {
        let Room { words, names, actions, queries, .. } = &mut *self.room;
        let (manifest, interner) = (self.session.manifest, &mut self.session.names);
        Host { manifest, words, interner, names, actions, queries }
    }

    /// The symbol of a keyword.
    #[inline]
    fn sym(&self, keyword: Keyword) -> Sym {
        self.room.words.sym(keyword as u32)
    }

    /// A piece of the file.
    #[inline]
    fn span(&self, (start, end): (u32, u32)) -> Span {
        Span { source: self.source, start, end, origin: OriginId::NONE }
    }
}
