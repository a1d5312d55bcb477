//! Declarations of a text, found by their tokens.

use super::{Document, Range};
use crate::tokens::Token;
use pleach_compile::internals::language::{Keyword, Lexeme};

/// Kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `include`
    Include,
    /// `action`
    Action,
    /// `query`
    Query,
    /// `var`, of each agent
    Variable,
    /// `group var`
    GroupVariable,
    /// `world var`
    WorldVariable,
    /// `const`
    Constant,
    /// `tune const`
    Tunable,
    /// `tune agent const`
    AgentTunable,
    /// `enum`
    Enum,
    /// `on`
    Handler,
    /// `tree`
    Tree,
}

/// Parameter, or member of an enum.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its name.
    pub name: Range,
    /// Its type; its number for a member. Empty if it has none.
    pub detail: Range,
    /// True for a parameter by which an action gives a value.
    pub out: bool,
}

/// Variable of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its name.
    pub name: Range,
    /// Its type.
    pub ty: Range,
    /// All of its declaration.
    pub place: Range,
}

/// Declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// Kind of the declaration.
    pub kind: ItemKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Its name; the path in quotes for an `include`. None if it is missing.
    pub name: Option<Range>,
    /// Its parameters, or the members of an enum.
    pub parts: Vec<Declared>,
    /// Its type. None if it has none.
    pub ty: Option<Range>,
    /// Its value. None if it has none.
    pub value: Option<Range>,
    /// Variables of a tree.
    pub locals: Vec<Local>,
    /// Nodes of a tree or handler: a range of [`Document::nodes`].
    pub nodes: Range,
    /// Tokens of the declaration: a range of [`Document::tokens`].
    pub tokens: Range,
    /// True if there is an error in it, so that its nodes may be wrong.
    pub is_broken: bool,
}

impl Item {
    /// Returns true if the name of the declaration stands for a value.
    #[must_use]
    pub fn is_value(&self) -> bool {
        use ItemKind::{AgentTunable, Constant, GroupVariable, Query, Tunable, Variable, WorldVariable};
        matches!(
            self.kind,
            Query | Variable | GroupVariable | WorldVariable | Constant | Tunable | AgentTunable
        )
    }
}

/// Returns the kind of the declaration that a keyword begins. A `var` after `group` or `world`, and
/// a `const` after `tune`, are not asked for.
fn kind(keyword: Keyword) -> Option<ItemKind> {
    Some(match keyword {
        Keyword::Include => ItemKind::Include,
        Keyword::Action => ItemKind::Action,
        Keyword::Query => ItemKind::Query,
        Keyword::Var => ItemKind::Variable,
        Keyword::Group => ItemKind::GroupVariable,
        Keyword::World => ItemKind::WorldVariable,
        Keyword::Const => ItemKind::Constant,
        Keyword::Tune => ItemKind::Tunable,
        Keyword::Enum => ItemKind::Enum,
        Keyword::On => ItemKind::Handler,
        Keyword::Tree => ItemKind::Tree,
        _ => return None,
    })
}

/// Returns true if a keyword begins a declaration and cannot stand in a block, so that a `}` must
/// be missing before it.
fn is_only_outside(keyword: Keyword) -> bool {
    use Keyword::{Const, Enum, Include, On, Query, Tree, Tune, World};
    matches!(keyword, Const | Tune | Enum | Include | On | Query | Tree | World)
}

/// Returns the word that follows the first word of a declaration, if the declaration has two.
/// Between `tune` and `const`, there can be `agent`.
pub(crate) fn second_word(first: Keyword) -> Option<Keyword> {
    match first {
        Keyword::Group | Keyword::World => Some(Keyword::Var),
        Keyword::Tune => Some(Keyword::Const),
        _ => None,
    }
}

/// Returns all declarations of a text.
pub(super) fn items(document: &Document) -> Vec<Item> {
    let mut starts: Vec<(usize, ItemKind)> = Vec::new();
    let (mut depth, mut second) = (0_usize, None);
    for (index, token) in document.tokens.iter().enumerate().filter(|(_, token)| !token.is_comment()) {
        match token.lexeme {
            Some(Lexeme::OpenBrace) => depth += 1,
            Some(Lexeme::CloseBrace) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some(keyword) = token.keyword else {
            let is_between = document.slice((token.start, token.end)) == "agent";
            second = second.filter(|_| is_between);
            continue;
        };
        let is_second = std::mem::replace(&mut second, second_word(keyword)) == Some(keyword);
        if is_only_outside(keyword) {
            depth = 0;
        }
        if depth == 0
            && !is_second
            && let Some(kind) = kind(keyword)
        {
            starts.push((index, kind));
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([document.tokens.len()]);
    let ends: Vec<usize> = ends.collect();
    let mut items: Vec<Item> =
        starts.iter().zip(ends).map(|(&(first, kind), end)| item(document, kind, first, end)).collect();
    let bodies = Bodies::of(document);
    for item in &mut items {
        bodies.add(item);
    }
    items
}

/// Reads the declaration at some tokens.
fn item(document: &Document, mut kind: ItemKind, first: usize, next: usize) -> Item {
    let is_code = |token: &Token| !token.is_comment();
    let count = document.tokens[first..next].iter().rposition(is_code).map_or(1, |last| last + 1);
    let end = first + count;
    let mut reader = Reader { document, at: first + 1, end };
    if kind == ItemKind::Tunable && reader.is_agents() {
        kind = ItemKind::AgentTunable;
        reader.next();
    }
    let second = document.tokens[first].keyword.and_then(second_word);
    if second.is_some() && reader.keyword() == second {
        reader.next();
    }
    let name = match kind {
        ItemKind::Include => reader.take(Lexeme::Text),
        _ => reader.take(Lexeme::Word),
    };
    let mut parts = Vec::new();
    if reader.stands(Lexeme::Open) || kind == ItemKind::Enum && reader.stands(Lexeme::OpenBrace) {
        parts = reader.parts();
    }
    let ty = reader.ty();
    let assigned = reader.take(Lexeme::Assign).is_some();
    let last = document.tokens[end - 1].end;
    let value = reader.place().filter(|_| assigned).map(|(start, _)| (start, last));
    let start = document.tokens[first].start;
    let tokens = (first as u32, end as u32);
    let (locals, nodes) = (Vec::new(), (0, 0));
    let is_broken = false;
    Item { kind, start, end: last, name, parts, ty, value, locals, nodes, tokens, is_broken }
}

/// Parts of a text that declarations have, in the order of the text.
struct Bodies<'d> {
    document: &'d Document,
    /// Names of trees and handlers, with their nodes.
    nodes: Vec<(Range, Range)>,
    /// Beginnings of the variables of trees.
    locals: Vec<u32>,
    /// Beginnings of errors.
    errors: Vec<u32>,
}

/// Returns the numbers of a sorted list from a number on, before another one.
fn within(sorted: &[u32], start: u32, end: u32) -> &[u32] {
    let first = sorted.partition_point(|at| *at < start);
    let count = sorted[first..].partition_point(|at| *at < end);
    &sorted[first..first + count]
}

impl<'d> Bodies<'d> {
    fn of(document: &'d Document) -> Self {
        let parsed = &document.parsed;
        let all = parsed.trees.iter().chain(&parsed.handlers);
        let mut nodes: Vec<(Range, Range)> = all.map(|body| (body.name, body.nodes)).collect();
        nodes.sort_by_key(|(name, _)| *name);
        let mut locals = parsed.locals.clone();
        locals.sort_unstable();
        let mut errors: Vec<u32> = document.errors().filter_map(|it| Some(it.span?.start)).collect();
        errors.sort_unstable();
        Self { document, nodes, locals, errors }
    }

    /// Returns the nodes of the tree or handler whose name is at a place.
    fn nodes(&self, name: Option<Range>) -> Range {
        let found = name.and_then(|name| {
            let first = self.nodes.partition_point(|(other, _)| *other < name);
            self.nodes.get(first).filter(|(other, _)| *other == name)
        });
        found.map_or((0, 0), |(_, nodes)| *nodes)
    }

    /// Adds the nodes and variables of a tree or handler, and notes errors.
    fn add(&self, item: &mut Item) {
        let (document, parsed) = (self.document, &self.document.parsed);
        item.nodes = self.nodes(item.name);
        let nodes = &parsed.nodes[item.nodes.0 as usize..item.nodes.1 as usize];
        // A node with an error has no place.
        let root = nodes.iter().map(|node| node.start).find(|start| *start > item.start).unwrap_or(item.end);
        let starts = within(&self.locals, item.start, item.end);
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(root);
            item.locals.extend(local(document, *start, end));
        }
        let has_braces = item.nodes.0 < item.nodes.1;
        let tokens = item.tokens.0 as usize..item.tokens.1 as usize;
        let is_brace = |token: &Token| token.is(Lexeme::OpenBrace) || token.is(Lexeme::CloseBrace);
        let is_alone = |index: usize| is_brace(&document.tokens[index]) && document.partner(index).is_none();
        let has_errors = !within(&self.errors, item.start, item.end + 1).is_empty();
        let is_body = matches!(item.kind, ItemKind::Tree | ItemKind::Handler);
        // If a brace is missing, the parser may take the next declaration for a node.
        let is_outside = |start: u32| start < item.start || start >= item.end;
        item.is_broken = nodes.iter().any(|node| is_outside(node.start))
            || has_errors
            || is_body && (!has_braces && item.kind == ItemKind::Tree || tokens.into_iter().any(is_alone));
    }
}

/// Reads the variable of a tree whose declaration begins at a byte, and ends before another.
fn local(document: &Document, start: u32, end: u32) -> Option<Local> {
    let first = document.token_at(start);
    let all = &document.tokens[first..];
    let begins_node =
        |token: &Token| token.keyword.is_some_and(|it| it.begins_node() && it != Keyword::Random);
    let count = all.iter().take_while(|token| token.start < end && !begins_node(token)).count();
    let last = all[..count].iter().rposition(|token| !token.is_comment() && !token.is(Lexeme::CloseBrace))?;
    let mut reader = Reader { document, at: first, end: first + last + 1 };
    if reader.keyword() == Some(Keyword::Keep) {
        reader.next();
    }
    reader.next();
    let name = reader.take(Lexeme::Word)?;
    let ty = reader.ty().unwrap_or((name.1, name.1));
    Some(Local { name, ty, place: (start, all[last].end) })
}

/// Position among tokens, which passes over comments.
struct Reader<'d> {
    document: &'d Document,
    at: usize,
    end: usize,
}

impl Reader<'_> {
    /// Returns the token here.
    fn token(&mut self) -> Option<Token> {
        while self.at < self.end && self.document.tokens[self.at].is_comment() {
            self.at += 1;
        }
        (self.at < self.end).then(|| self.document.tokens[self.at])
    }

    fn keyword(&mut self) -> Option<Keyword> {
        self.token().and_then(|token| token.keyword)
    }

    /// Returns true if the token is the word `agent` of a tunable, and not its name.
    fn is_agents(&mut self) -> bool {
        let is_word = self.place().is_some_and(|place| self.document.slice(place) == "agent");
        let mut behind = self.document.tokens[self.at..self.end].iter().skip(1);
        is_word && behind.find(|it| !it.is_comment()).is_some_and(|it| it.is(Lexeme::Word))
    }

    fn place(&mut self) -> Option<Range> {
        self.token().map(|token| (token.start, token.end))
    }

    /// Reads a colon and the type behind it, with the kind of an entity.
    fn ty(&mut self) -> Option<Range> {
        self.take(Lexeme::Colon)?;
        let (start, mut end) = self.take(Lexeme::Word)?;
        if self.take(Lexeme::LESS).is_some() {
            for part in [Lexeme::Word, Lexeme::GREATER] {
                end = self.take(part).map_or(end, |(_, end)| end);
            }
        }
        Some((start, end))
    }

    fn stands(&mut self, lexeme: Lexeme) -> bool {
        self.token().is_some_and(|token| token.is(lexeme))
    }

    fn next(&mut self) {
        self.token();
        self.at = (self.at + 1).min(self.end);
    }

    /// Returns the place of the token and passes over it, if it is of this kind.
    fn take(&mut self, lexeme: Lexeme) -> Option<Range> {
        let place = self.place().filter(|_| self.stands(lexeme))?;
        self.next();
        Some(place)
    }

    /// Reads parameters in parentheses, or members in braces.
    fn parts(&mut self) -> Vec<Declared> {
        let mut parts = Vec::new();
        let close = self.document.partner(self.at);
        self.next();
        while let Some(mut name) = self.take(Lexeme::Word) {
            // A parameter by which an action gives a value has a word before its name.
            let of_out = if self.document.slice(name) == "out" { self.take(Lexeme::Word) } else { None };
            let out = of_out.is_some();
            name = of_out.unwrap_or(name);
            let has_detail = self.take(Lexeme::Colon).or_else(|| self.take(Lexeme::Assign)).is_some();
            let from = self.place().filter(|_| has_detail).map_or(name.1, |(start, _)| start);
            let mut to = from;
            while let Some(token) = self.token() {
                let ends = [Lexeme::Comma, Lexeme::Close, Lexeme::CloseBrace, Lexeme::OpenBrace];
                if !has_detail || ends.iter().any(|end| token.is(*end)) {
                    break;
                }
                to = token.end;
                self.next();
            }
            parts.push(Declared { name, detail: (from, to), out });
            if self.take(Lexeme::Comma).is_none() {
                break;
            }
        }
        if let Some(close) = close.filter(|close| *close < self.end) {
            self.at = close + 1;
        }
        parts
    }
}
