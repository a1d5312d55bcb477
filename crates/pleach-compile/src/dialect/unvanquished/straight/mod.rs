//! The straight way, for files in which nothing is out of the ordinary: nearly all that there are.
//!
//! It goes from bytes to nodes in one pass, without tokens in between, and knows only what is right: `#define` of a
//! number, the nodes with the arguments they should have, comments. Whatever else comes, a mistake, another directive,
//! anything to be warned about, makes it give up and take back what it did, and the file is read again the careful way,
//! by `preprocess` and `parser`. So this way decides nothing and reports nothing, it only saves time: without it, the
//! same trees come out. What both must agree on (numbers, words, macros, how operators bind) they share.
//!
//! Everywhere in here `None` means that the file is left to the careful way.

mod arguments;
mod conditions;
mod lexicon;
mod terms;
#[cfg(test)]
mod tests;
mod text;

use super::parser::Stack;
use super::preprocess::Shared;
use super::preprocess::macros::Standing;
use super::words::{Callee, Keyword, Word, Words};
use crate::ast::{self, Arg, File, NodeIndex, Value};
use crate::dialect::marks::Marks;
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
use crate::text::Sym;
use core::ops::Range;
use lexicon::Lexicon;
use text::Text;

/// A tree that was read.
#[derive(Debug)]
pub(super) struct Tree {
    /// Its root, in the file's nodes.
    pub(super) root: NodeIndex,
    /// Something is wrong with a tree that it includes.
    pub(super) failed: bool,
    /// Where its file begins.
    pub(super) start: Span,
    /// The nodes that still wait for a tree, the last one first.
    includes: Vec<Include>,
}

impl Tree {
    /// The first node that waits for a tree.
    pub(super) fn include(&self) -> Option<Include> {
        self.includes.last().copied()
    }

    /// Gives that node the tree's name, unless there is none, which makes this tree fail as well.
    pub(super) fn answer<E>(&mut self, answer: Result<Sym, E>, file: &mut File) -> Result<(), E> {
        let waiting = self.includes.pop();
        self.failed |= answer.is_err();
        let name = answer?;
        if let Some(include) = waiting {
            file.nodes[include.node as usize].subject = Some(name);
        }
        Ok(())
    }
}

/// A node that includes a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Include {
    /// The node.
    pub(super) node: NodeIndex,
    /// The tree's name as written.
    pub(super) name: Sym,
    /// Where it is written.
    pub(super) span: Span,
}

/// Memory that one file leaves to the next, and one compilation to another.
#[derive(Default)]
pub(super) struct Room {
    open: Vec<Open>,
    stack: Stack,
    lexicon: Lexicon,
    marks: Marks,
    /// Those of a tree that is done.
    includes: Vec<Include>,
}

impl Room {
    /// Takes back what is left of a tree.
    pub(super) fn reuse(&mut self, tree: Tree) {
        self.includes = tree.includes;
    }

    /// Forgets the names, which another compilation will know by other symbols.
    pub(super) fn forget_names(&mut self) {
        self.lexicon.clear();
    }
}

/// An open block.
struct Open {
    node: NodeIndex,
    children: u32,
    /// How many children it takes; a block that takes one must have it.
    most: u32,
}

/// A reader on its straight way.
///
/// What is read is put where it belongs at once, and what passes between methods are numbers: a value that is put
/// together somewhere else must be written to memory and read again, and that reading has to wait.
struct Straight<'s, 'a> {
    session: &'s mut Session<'a>,
    words: &'s Words,
    shared: &'s mut Shared,
    file: &'s mut File,
    open: &'s mut Vec<Open>,
    stack: &'s mut Stack,
    lexicon: &'s mut Lexicon,
    text: Text<'s>,
    source: SourceId,
    includes: &'s mut Vec<Include>,
}

/// Reads a file that holds nothing out of the ordinary.
pub(super) fn read(
    session: &mut Session<'_>,
    words: &Words,
    shared: &mut Shared,
    file: &mut File,
    room: &mut Room,
    source: SourceId,
) -> Option<Tree> {
    let bytes = session.sources.get(source).text.clone();
    if Keyword::ALL.iter().any(|keyword| shared.macros.find(words.keyword(*keyword)).is_some()) {
        return None;
    }
    let root = file.nodes.len() as u32;
    let (args, exprs) = (file.args.len(), file.exprs.len());
    let before = shared.mark(&session.sources);
    room.open.clear();
    room.stack.clear();
    let Room { open, stack, lexicon, marks, includes } = room;
    let text = Text::new(&bytes, marks)?;
    let mut includes = core::mem::take(includes);
    includes.clear();
    let mut reader = Straight {
        session,
        words,
        shared,
        file,
        open,
        stack,
        lexicon: &mut *lexicon,
        text,
        source,
        includes: &mut includes,
    };
    let read = reader.tree();
    includes.reverse();
    shared.macros.forget_file();
    lexicon.forget_file();
    if read.is_none() {
        file.nodes.truncate(root as usize);
        file.args.truncate(args);
        file.exprs.truncate(exprs);
        shared.back_to(before, &mut session.sources);
    }
    let start = Span { source, start: 0, end: 0, origin: OriginId::NONE };
    read.map(|()| Tree { root, failed: false, start, includes })
}

impl Straight<'_, '_> {
    /// Definitions, and one node with all below it.
    fn tree(&mut self) -> Option<()> {
        while self.text.first()? == b'#' {
            self.define()?;
        }
        self.node()?;
        while !self.open.is_empty() {
            match self.text.first()? {
                b'}' => self.close()?,
                b'#' => self.define()?,
                _ => self.child()?,
            }
        }
        self.text.first().is_none().then_some(())
    }

    #[inline]
    fn child(&mut self) -> Option<()> {
        let block = self.open.last_mut()?;
        if block.children == block.most {
            return None;
        }
        block.children += 1;
        self.node()
    }

    /// Reads a node as far as its children.
    #[inline]
    fn node(&mut self) -> Option<()> {
        let start = self.text.position();
        let keyword = self.keyword()?;
        let words = start..start + keyword.spelling().len() as u32;
        match keyword {
            Keyword::Action => self.action(start),
            Keyword::Condition => self.condition(words),
            Keyword::Decorator => self.decorator(start),
            Keyword::Behavior => self.behavior(start),
            Keyword::SpawnAs => self.spawn(words),
            Keyword::SelectClass | Keyword::Enum => None,
            list => {
                let node = self.add(list, None, (0, 0), words);
                self.open(node, super::MAX_CHILDREN)
            }
        }
    }

    /// The word that a node begins with.
    #[inline(always)]
    fn keyword(&mut self) -> Option<Keyword> {
        match self.text.keyword() {
            Some(keyword) => self.text.pass().map(|()| keyword),
            None => self.rare_keyword(),
        }
    }

    /// A keyword in other letters than usual, or with something unusual after it.
    #[cold]
    fn rare_keyword(&mut self) -> Option<Keyword> {
        self.word()?.0.word.keyword
    }

    #[inline(always)]
    fn action(&mut self, start: u32) -> Option<()> {
        let (name, place) = self.word()?;
        let callee = self.words.action(name.word.action?);
        let first = self.file.args.len() as u32;
        let count = self.arguments(callee)?;
        self.add(Keyword::Action, Some(callee.name), (first, count), start..place.end);
        Some(())
    }

    #[inline(always)]
    fn condition(&mut self, words: Range<u32>) -> Option<()> {
        let node = self.add(Keyword::Condition, None, (0, 0), words);
        self.file.nodes[node as usize].condition = Some(self.expression()?);
        // A condition without a child cannot be the last thing in a file.
        if self.text.first()? == b'{' { self.open(node, 1) } else { Some(()) }
    }

    fn decorator(&mut self, start: u32) -> Option<()> {
        let (name, place) = self.word()?;
        let callee = self.words.decorator(name.word.decorator?);
        if self.text.first()? != b'(' {
            return None;
        }
        let first = self.file.args.len() as u32;
        let count = self.arguments(callee)?;
        let node = self.add(Keyword::Decorator, Some(callee.name), (first, count), start..place.end);
        self.open(node, 1)
    }

    fn behavior(&mut self, start: u32) -> Option<()> {
        let (name, place) = self.word()?;
        let node = self.add(Keyword::Behavior, None, (0, 0), start..place.end);
        self.includes.push(Include { node, name: name.sym, span: self.span(place) });
        Some(())
    }

    #[cold]
    fn spawn(&mut self, keyword: Range<u32>) -> Option<()> {
        let first = self.file.args.len() as u32;
        self.argument(self.text.first().filter(|first| !matches!(first, b'"' | b'-'))?)?;
        let Arg { value: Value::Int(_), span, .. } = *self.file.args.last()? else { return None };
        let node = self.add(Keyword::SpawnAs, None, (first, 1), keyword);
        let words = &mut self.file.nodes[node as usize].span;
        *words = words.to(span);
        Some(())
    }

    /// Adds a node without children.
    #[inline]
    fn add(
        &mut self,
        keyword: Keyword,
        subject: Option<Sym>,
        args: (u32, u32),
        words: Range<u32>,
    ) -> NodeIndex {
        let span = self.span(words);
        let keyword = self.words.keyword(keyword);
        let index = self.file.nodes.len() as u32;
        self.file.nodes.push(ast::Node { keyword, subject, args, condition: None, end: index + 1, span });
        index
    }

    /// Enters the block that must come next.
    #[inline]
    fn open(&mut self, node: NodeIndex, most: u32) -> Option<()> {
        self.text.expect(b'{')?;
        self.open.push(Open { node, children: 0, most });
        Some(())
    }

    #[inline]
    fn close(&mut self) -> Option<()> {
        let block = self.open.pop()?;
        if block.most == 1 && block.children == 0 {
            return None;
        }
        self.file.nodes[block.node as usize].end = self.file.nodes.len() as u32;
        self.text.pass()
    }

    /// Some bytes of the text.
    #[inline(always)]
    fn span(&self, bytes: Range<u32>) -> Span {
        Span { source: self.source, start: bytes.start, end: bytes.end, origin: OriginId::NONE }
    }
}
