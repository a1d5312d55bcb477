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
mod lanes;
mod lexicon;
#[cfg(test)]
mod tests;
mod text;

use super::number::Number;
use super::parser::Stack;
use super::preprocess::Shared;
use super::preprocess::macros::Standing;
use super::token::{Lexeme, Punct, Token};
use super::words::{Callee, Keyword, Word, Words};
use crate::ast::{self, Arg, Expr, ExprIndex, File, NodeIndex, Value};
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
use crate::text::Sym;
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

/// Memory that one file leaves to the next.
#[derive(Default)]
pub(super) struct Room {
    open: Vec<Open>,
    expression: Stack,
    lexicon: Lexicon,
}

/// An open block.
struct Open {
    node: NodeIndex,
    children: u32,
    /// How many children it takes; a block that takes one must have it.
    most: u32,
}

/// A reader on its straight way.
struct Straight<'s, 'a> {
    session: &'s mut Session<'a>,
    words: &'s mut Words,
    shared: &'s mut Shared,
    file: &'s mut File,
    room: &'s mut Room,
    text: Text<'s>,
    source: SourceId,
    includes: Vec<Include>,
}

/// Reads a file that holds nothing out of the ordinary.
pub(super) fn read(
    session: &mut Session<'_>,
    words: &mut Words,
    shared: &mut Shared,
    file: &mut File,
    room: &mut Room,
    source: SourceId,
) -> Option<Tree> {
    let bytes = session.sources.get(source).text.clone();
    let text = Text::new(&bytes)?;
    if Keyword::ALL.iter().any(|keyword| shared.macros.find(words.keyword(*keyword)).is_some()) {
        return None;
    }
    let root = file.nodes.len() as u32;
    let (args, exprs) = (file.args.len(), file.exprs.len());
    let before = shared.mark(&session.sources);
    room.open.clear();
    room.expression.clear();
    let includes = Vec::new();
    let mut reader = Straight { session, words, shared, file, room, text, source, includes };
    let read = reader.tree();
    let mut includes = reader.includes;
    includes.reverse();
    shared.macros.forget_file();
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
        while !self.room.open.is_empty() {
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
        let block = self.room.open.last_mut()?;
        if block.children == block.most {
            return None;
        }
        block.children += 1;
        self.node()
    }

    /// Reads a node as far as its children.
    #[inline]
    fn node(&mut self) -> Option<()> {
        let (found, keyword) = self.keyword()?;
        match found {
            Keyword::Action => self.action(keyword),
            Keyword::Condition => self.condition(keyword),
            Keyword::Decorator => self.decorator(keyword),
            Keyword::Behavior => self.behavior(keyword),
            Keyword::SpawnAs => self.spawn(keyword),
            Keyword::SelectClass | Keyword::Enum => None,
            list => {
                let node = self.add(self.words.keyword(list), None, (0, 0), keyword);
                self.open(node, super::MAX_CHILDREN)
            }
        }
    }

    fn action(&mut self, keyword: Span) -> Option<()> {
        let (word, name) = self.word()?;
        let index = word.action?;
        let callee = self.words.action(index);
        let params = &self.session.manifest.actions[usize::from(index)].params;
        let args = self.arguments(callee, params)?;
        self.add(self.words.keyword(Keyword::Action), Some(callee.name), args, keyword.to(name));
        Some(())
    }

    fn condition(&mut self, keyword: Span) -> Option<()> {
        let node = self.add(self.words.keyword(Keyword::Condition), None, (0, 0), keyword);
        self.file.nodes[node as usize].condition = Some(self.expression()?);
        // A condition without a child cannot be the last thing in a file.
        if self.text.first()? == b'{' { self.open(node, 1) } else { Some(()) }
    }

    fn decorator(&mut self, keyword: Span) -> Option<()> {
        let (word, name) = self.word()?;
        let index = word.decorator?;
        let callee = self.words.decorator(index);
        if self.text.first()? != b'(' {
            return None;
        }
        let args = self.arguments(callee, &[])?;
        let sym = self.words.keyword(Keyword::Decorator);
        let node = self.add(sym, Some(callee.name), args, keyword.to(name));
        self.open(node, 1)
    }

    fn behavior(&mut self, keyword: Span) -> Option<()> {
        let (name, span) = self.name()?;
        if !matches!(self.standing(name), Standing::Word) {
            return None;
        }
        let node = self.add(self.words.keyword(Keyword::Behavior), None, (0, 0), keyword.to(span));
        self.includes.push(Include { node, name, span });
        Some(())
    }

    fn spawn(&mut self, keyword: Span) -> Option<()> {
        let (number, span) = self.number()?;
        let first = self.file.args.len() as u32;
        self.file.args.push(Arg { name: None, value: Value::Int(number.int), span });
        self.add(self.words.keyword(Keyword::SpawnAs), None, (first, 1), keyword.to(span));
        Some(())
    }

    /// Adds a node without children.
    #[inline]
    fn add(&mut self, keyword: Sym, subject: Option<Sym>, args: (u32, u32), span: Span) -> NodeIndex {
        let index = self.file.nodes.len() as u32;
        self.file.nodes.push(ast::Node { keyword, subject, args, condition: None, end: index + 1, span });
        index
    }

    /// Enters the block that must come next.
    #[inline]
    fn open(&mut self, node: NodeIndex, most: u32) -> Option<()> {
        self.text.expect(b'{')?;
        self.room.open.push(Open { node, children: 0, most });
        Some(())
    }

    #[inline]
    fn close(&mut self) -> Option<()> {
        let block = self.room.open.pop()?;
        if block.most == 1 && block.children == 0 {
            return None;
        }
        self.file.nodes[block.node as usize].end = self.file.nodes.len() as u32;
        self.text.pass(1)
    }

    /// The expression of a condition.
    fn expression(&mut self) -> Option<ExprIndex> {
        loop {
            self.operand()?;
            while self.room.expression.in_group() && self.text.first()? == b')' {
                self.text.pass(1)?;
                self.room.expression.close_group(&mut self.file.exprs);
            }
            let Some((op, length)) = self.text.operator()? else { break };
            self.text.pass(length)?;
            self.room.expression.operator(op, 0, &mut self.file.exprs);
        }
        self.room.expression.finish(&mut self.file.exprs).filter(|_| self.room.expression.chains.is_empty())
    }

    /// An operand with all that stands before it.
    fn operand(&mut self) -> Option<()> {
        let expr = loop {
            match self.text.first()? {
                b'!' if self.text.second() != Some(b'=') => self.room.expression.negate(),
                b'(' => self.room.expression.open_group(),
                b'0'..=b'9' => break Expr::Number(self.number()?.0.boxed(false)),
                _ => break self.query()?,
            }
            self.text.pass(1)?;
        };
        self.room.expression.push(expr, &mut self.file.exprs);
        Some(())
    }

    /// A query with its arguments, or a number that has a name.
    fn query(&mut self) -> Option<Expr> {
        let (name, span) = self.name()?;
        if let Some(number) = self.symbol(name, span)? {
            return Some(Expr::Number(number.0.boxed(false)));
        }
        let index = self.words.get(name, &self.session.names).query?;
        let callee = self.words.query(index);
        let params = &self.session.manifest.queries[usize::from(index)].params;
        let args = self.arguments(callee, params)?;
        Some(Expr::Query { name: callee.name, args, span })
    }

    /// A number, or a name that stands for one.
    #[inline(always)]
    fn number(&mut self) -> Option<(Number, Span)> {
        if !self.text.first()?.is_ascii_digit() {
            let (name, span) = self.name()?;
            return self.symbol(name, span)?;
        }
        let (number, length) = super::number::plain(self.text.rest())?;
        let span = self.span(length);
        self.text.pass(length)?;
        Some((number, span))
    }

    /// A name, whatever it means.
    #[inline]
    fn name(&mut self) -> Option<(Sym, Span)> {
        let (sym, length) = self.room.lexicon.name(self.text.rest(), &mut self.session.names)?;
        let span = self.span(length);
        self.text.pass(length)?;
        Some((sym, span))
    }

    /// The word that a node begins with.
    #[inline]
    fn keyword(&mut self) -> Option<(Keyword, Span)> {
        let Some((keyword, length)) = self.text.keyword() else {
            let (word, span) = self.word()?;
            return Some((word.keyword?, span));
        };
        let span = self.span(length);
        self.text.pass(length)?;
        Some((keyword, span))
    }

    /// A name that is no macro.
    #[inline]
    fn word(&mut self) -> Option<(Word, Span)> {
        let (name, span) = self.name()?;
        match self.standing(name) {
            Standing::Word => Some((self.words.get(name, &self.session.names), span)),
            _ => None,
        }
    }

    #[inline]
    fn standing(&mut self, name: Sym) -> Standing {
        let is_enum = || self.words.get(name, &self.session.names).keyword == Some(Keyword::Enum);
        self.shared.macros.standing(name, is_enum)
    }

    /// The number that a name stands for, if it does, and where that is written.
    #[inline(always)]
    fn symbol(&mut self, name: Sym, at: Span) -> Option<Option<(Number, Span)>> {
        match self.standing(name) {
            Standing::Word => Some(None),
            Standing::Number(value) => Some(Some((Number::symbol(value), at))),
            _ => self.shared.number(self.session, name, at).map(Some),
        }
    }

    /// The place of the next bytes.
    #[inline]
    fn span(&self, length: usize) -> Span {
        let start = self.text.position();
        Span {
            source: self.source,
            start: start as u32,
            end: (start + length) as u32,
            origin: OriginId::NONE,
        }
    }

    /// `#define NAME number`, alone on its line.
    fn define(&mut self) -> Option<()> {
        const BEGIN: &[u8] = b"#define";
        let rest = self.text.rest().strip_prefix(BEGIN)?;
        let length = text::gap(rest)?;
        self.text.jump(BEGIN.len() + length)?;
        let (name, length) = self.room.lexicon.name(self.text.rest(), &mut self.session.names)?;
        let keyword = self.words.get(name, &self.session.names).keyword;
        if keyword.is_some() || !matches!(self.standing(name), Standing::Word) {
            return None;
        }
        let gap = text::gap(&self.text.rest()[length..])?;
        self.text.jump(length + gap)?;
        let rest = self.text.rest();
        let (number, length) = super::number::plain(rest)?;
        if !matches!(rest[length..], [b'\n', ..] | [b'\r', b'\n', ..]) {
            return None;
        }
        let lexeme = Lexeme::Number(number);
        let token = Token { lexeme, span: self.span(length), lines: 0, spaced: false };
        self.shared.macros.define_token(name, token);
        self.text.pass(length)
    }
}
