//! Kinds of places in a text, for completion: the words that can stand at a byte.
//!
//! A text is incomplete while it is typed, so only the tokens before the place count.

use super::{Document, Range, Shape};
use crate::tokens::Token;
use pleach_compile::internals::language::{Keyword, Lexeme};

/// Kind of the text that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A declaration.
    Item,
    /// A node, in a block of this shape. In some shapes a value can stand before it.
    Node {
        /// Shape of the block.
        shape: Shape,
        /// True at the head of a tree, where its variables are declared.
        is_head: bool,
    },
    /// The name of an action.
    ActionName,
    /// The name of a tree.
    TreeName,
    /// The name of an event.
    EventName,
    /// The name of a variable that is written.
    Target,
    /// A value.
    Value,
    /// A type: of a variable, which may be narrow, or of anything else.
    Type {
        /// True for variables.
        is_variable: bool,
    },
    /// A member of the enum with this name.
    Member(Box<str>),
    /// The path of a file.
    Path,
    /// A unit of time.
    Unit {
        /// True if ticks can be counted.
        has_ticks: bool,
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// A new name, punctuation, or a part of a comment: nothing that could be proposed.
    Nothing,
}

/// Call whose parentheses are around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the function, action or tree.
    pub name: Range,
    /// Word before the name, if it tells what the name is of.
    pub word: Option<Keyword>,
    /// Number of commas before the place.
    pub index: usize,
}

/// Place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Kind of the text that can stand here.
    pub kind: PlaceKind,
    /// Beginning of a word that is here already.
    pub prefix: Range,
    /// The innermost call around the place.
    pub call: Option<Call>,
    /// The word that begins the node, and the name behind it, if the place is in a node's words.
    pub header: Option<(Keyword, Range)>,
}

/// Words that are values.
const VALUE_WORDS: &[Keyword] = &[Keyword::True, Keyword::False, Keyword::Now];

impl Document {
    /// Returns the kind of the place at a byte.
    #[must_use]
    pub fn site(&self, at: u32) -> Site {
        let nothing = |prefix| Site { kind: PlaceKind::Nothing, prefix, call: None, header: None };
        let next = self.tokens.partition_point(|token| token.end < at);
        let here = self.tokens.get(next).filter(|token| token.start < at).copied();
        let mut prefix = (at, at);
        if let Some(token) = here {
            let is_line = self.slice((token.start, token.end)).starts_with("//");
            match token.lexeme {
                None if is_line || at < token.end => return nothing(prefix),
                Some(Lexeme::Text) => {
                    let before = Before::new(self, token.start);
                    let is_path = before.keyword(0) == Some(Keyword::Include);
                    let kind = if is_path { PlaceKind::Path } else { PlaceKind::Nothing };
                    return Site { kind, ..nothing((token.start + 1, at)) };
                }
                Some(Lexeme::Int | Lexeme::Float) => return nothing(prefix),
                Some(Lexeme::Word) => prefix = (token.start, at),
                _ => {}
            }
        }
        let before = Before::new(self, prefix.0);
        let (open, index) = before.open_parenthesis();
        let call = open.and_then(|open| before.call(open, index));
        let kind = match open {
            Some(open) => before.in_parentheses(open),
            None if before.depth == 0 => before.outside(),
            None => before.inside(),
        };
        let header = before.header_before(open.map_or(before.tokens.len(), |open| open + 1));
        let header =
            header.map(|at| (before.tokens[at].keyword.unwrap_or(Keyword::Action), before.subject(at)));
        Site { kind, prefix, call, header }
    }
}

/// Tokens before a place, without comments.
struct Before<'d> {
    document: &'d Document,
    tokens: Vec<Token>,
    /// Number of open blocks.
    depth: usize,
    /// The brace of the innermost open block.
    brace: Option<usize>,
}

impl<'d> Before<'d> {
    fn new(document: &'d Document, at: u32) -> Self {
        let item = document.items.partition_point(|item| item.start < at).checked_sub(1);
        let first = item.map_or(0, |item| document.items[item].tokens.0 as usize);
        let near = document.tokens[first..].iter().take_while(|token| token.end <= at);
        // A dot before no name is a stray letter. Here, the name is about to be typed.
        let typed = |token: &Token| match token.lexeme {
            Some(Lexeme::Stray) if document.slice((token.start, token.end)) == "." => {
                Token { lexeme: Some(Lexeme::Dot), ..*token }
            }
            _ => *token,
        };
        let tokens: Vec<Token> = near.filter(|token| !token.is_comment()).map(typed).collect();
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match token.lexeme {
                Some(Lexeme::OpenBrace) => open.push(index),
                Some(Lexeme::CloseBrace) => _ = open.pop(),
                _ => {}
            }
        }
        Self { document, tokens, depth: open.len(), brace: open.last().copied() }
    }

    /// Returns the token that is some tokens before the last one.
    fn back(&self, count: usize) -> Option<&Token> {
        self.tokens.iter().rev().nth(count)
    }

    fn keyword(&self, count: usize) -> Option<Keyword> {
        self.back(count)?.keyword
    }

    fn is(&self, count: usize, lexeme: Lexeme) -> bool {
        self.back(count).is_some_and(|token| token.is(lexeme))
    }

    /// Returns the parenthesis that is open at the place, and the number of commas since.
    fn open_parenthesis(&self) -> (Option<usize>, usize) {
        let (mut depth, mut commas) = (0_usize, 0);
        for (index, token) in self.tokens.iter().enumerate().rev() {
            match token.lexeme {
                Some(Lexeme::Close) => depth += 1,
                Some(Lexeme::Open) if depth == 0 => return (Some(index), commas),
                Some(Lexeme::Open) => depth -= 1,
                Some(Lexeme::Comma) if depth == 0 => commas += 1,
                Some(Lexeme::OpenBrace | Lexeme::CloseBrace) => break,
                _ => {}
            }
        }
        (None, 0)
    }

    /// Returns the call that a parenthesis belongs to.
    fn call(&self, open: usize, index: usize) -> Option<Call> {
        let name = self.tokens.get(open.checked_sub(1)?)?;
        let is_function = name.keyword.is_some_and(Keyword::is_function);
        let is_callable = name.is(Lexeme::Word) && (name.is_name() || is_function);
        let word = open.checked_sub(2).and_then(|at| self.tokens[at].keyword);
        let word = word.filter(|word| matches!(word, Keyword::Action | Keyword::Use));
        let is_declared = self.depth == 0 && self.is_parameters(open);
        (is_callable && !is_declared).then_some(Call { name: (name.start, name.end), word, index })
    }

    /// Returns true if a parenthesis is that of the parameters of a declaration.
    fn is_parameters(&self, open: usize) -> bool {
        open == 2 && self.depth == 0 && {
            let word = self.tokens[0].keyword;
            matches!(word, Some(Keyword::Action | Keyword::Query | Keyword::Tree))
        }
    }

    fn in_parentheses(&self, open: usize) -> PlaceKind {
        if self.is_parameters(open) {
            let is_type = self.is(0, Lexeme::Colon);
            let ty = PlaceKind::Type { is_variable: false };
            return if is_type { ty } else { PlaceKind::Nothing };
        }
        let is_policy = open > 0 && self.tokens[open - 1].keyword == Some(Keyword::Parallel);
        if is_policy {
            return match self.keyword(0) {
                Some(Keyword::Succeed | Keyword::Fail) => PlaceKind::Words(&["all", "any"]),
                _ if self.is(0, Lexeme::Open) || self.is(0, Lexeme::Comma) => {
                    PlaceKind::Words(&["succeed", "fail"])
                }
                _ => PlaceKind::Nothing,
            };
        }
        self.value_or_nothing()
    }

    /// Returns the kind of a place in an expression.
    fn value_or_nothing(&self) -> PlaceKind {
        if self.is(0, Lexeme::Dot) {
            let name = self.back(1).map(|token| self.document.slice((token.start, token.end)));
            return PlaceKind::Member(name.unwrap_or_default().into());
        }
        if self.ends_value() { PlaceKind::Nothing } else { PlaceKind::Value }
    }

    /// Returns true if a value ends with the last token.
    fn ends_value(&self) -> bool {
        let Some(token) = self.back(0) else { return false };
        match token.lexeme {
            Some(Lexeme::Int | Lexeme::Float | Lexeme::Text | Lexeme::Close) => true,
            Some(Lexeme::Word) => {
                token.is_name() || token.keyword.is_some_and(|it| VALUE_WORDS.contains(&it))
            }
            _ => false,
        }
    }

    /// Returns the kind of a place outside of all blocks.
    fn outside(&self) -> PlaceKind {
        let is_variable = self.tokens.iter().take(2).any(|token| token.keyword == Some(Keyword::Var));
        match (self.back(0).and_then(|token| token.lexeme), self.keyword(0)) {
            (_, Some(Keyword::Group | Keyword::World)) if self.tokens.len() == 1 => {
                PlaceKind::Words(&["var"])
            }
            (_, Some(Keyword::Tune)) if self.tokens.len() == 1 => PlaceKind::Words(&["const", "agent const"]),
            (Some(Lexeme::Word), Some(word)) if word.begins_item_only() || word == Keyword::Action => {
                PlaceKind::Nothing
            }
            (Some(Lexeme::Colon), _) => PlaceKind::Type { is_variable },
            (Some(Lexeme::Dot), _) => self.value_or_nothing(),
            (Some(Lexeme::Assign | Lexeme::Operator(_) | Lexeme::Not | Lexeme::Range), _) => PlaceKind::Value,
            _ => PlaceKind::Item,
        }
    }

    /// Returns the kind of a place in a block.
    fn inside(&self) -> PlaceKind {
        use Keyword as Word;
        if self.tokens.first().and_then(|token| token.keyword) == Some(Word::Enum) {
            return PlaceKind::Nothing;
        }
        let Some(last) = self.back(0) else { return PlaceKind::Item };
        match (last.lexeme, last.keyword) {
            (Some(Lexeme::OpenBrace | Lexeme::CloseBrace), _) => self.node(),
            (Some(Lexeme::Dot), _) => self.value_or_nothing(),
            (Some(Lexeme::Colon), _) if self.is_local(2) => PlaceKind::Type { is_variable: true },
            (Some(Lexeme::Colon), _) => self.node(),
            (Some(Lexeme::Word), Some(word)) if self.is_word(word) => self.after(word),
            (Some(Lexeme::Assign | Lexeme::Write(_) | Lexeme::Operator(_) | Lexeme::Not), _) => {
                PlaceKind::Value
            }
            (Some(Lexeme::Comma), _) => PlaceKind::Value,
            _ => self.after_value(),
        }
    }

    /// Returns true if the declaration of a variable of a tree began some tokens before.
    fn is_local(&self, count: usize) -> bool {
        self.keyword(count) == Some(Keyword::Var)
    }

    /// Returns true if the last token is a keyword, and not a name that is spelled like one.
    fn is_word(&self, word: Keyword) -> bool {
        let names = [Keyword::Action, Keyword::Use, Keyword::Raise, Keyword::Set, Keyword::Var];
        let is_named = self.keyword(1).is_some_and(|before| names.contains(&before));
        word.is_reserved() && !VALUE_WORDS.contains(&word) || word == Keyword::Keep || {
            let is_unit = matches!(word, Keyword::Ticks | Keyword::Ms | Keyword::S | Keyword::To);
            is_unit && !is_named
        }
    }

    /// Returns the kind of a place behind a keyword.
    fn after(&self, word: Keyword) -> PlaceKind {
        use Keyword as Word;
        match word {
            Word::Action => PlaceKind::ActionName,
            Word::Use => PlaceKind::TreeName,
            Word::Raise => PlaceKind::EventName,
            Word::Set => PlaceKind::Target,
            Word::Force | Word::Until => PlaceKind::Words(&["success", "failure"]),
            Word::Reactive => PlaceKind::Words(&["sequence", "selector", "utility", "match"]),
            Word::Random => PlaceKind::Words(&["sequence", "selector"]),
            Word::Keep => PlaceKind::Words(&["var"]),
            Word::To if self.keyword(2) == Some(Word::Raise) => PlaceKind::Words(&["group", "all"]),
            Word::Condition | Word::If | Word::While | Word::Chance | Word::Match | Word::Limit => {
                PlaceKind::Value
            }
            Word::Repeat | Word::Retry | Word::Wait | Word::Cooldown | Word::Timeout | Word::Delay => {
                PlaceKind::Value
            }
            Word::To => PlaceKind::Value,
            Word::Group if self.keyword(1) == Some(Word::To) => self.node(),
            Word::Success | Word::Failure if matches!(self.keyword(1), Some(Word::Force | Word::Until)) => {
                PlaceKind::Nothing
            }
            Word::Success | Word::Failure | Word::Running => self.node(),
            Word::Ticks | Word::Ms | Word::S => {
                match self.header_before(self.tokens.len()).map(|at| self.tokens[at].keyword) {
                    Some(Some(Word::Wait)) => self.node(),
                    _ => PlaceKind::Nothing,
                }
            }
            // The type of a variable of a tree.
            _ if self.is_local(3) => self.node(),
            _ => PlaceKind::Nothing,
        }
    }

    /// Returns the kind of a place behind a value or name.
    fn after_value(&self) -> PlaceKind {
        use Keyword as Word;
        let Some(header) = self.header_before(self.tokens.len()) else {
            return if self.is_local(3) || self.has_local_value() { self.node() } else { PlaceKind::Nothing };
        };
        match self.tokens[header].keyword {
            Some(Word::Wait | Word::Delay) => PlaceKind::Unit { has_ticks: true },
            Some(Word::Cooldown | Word::Timeout) => PlaceKind::Unit { has_ticks: false },
            Some(Word::Condition | Word::Action | Word::Use | Word::Raise) => self.node(),
            Some(Word::Set) if header + 2 < self.tokens.len() => self.node(),
            _ => PlaceKind::Nothing,
        }
    }

    /// Returns true if the default of a variable of a tree ends here.
    fn has_local_value(&self) -> bool {
        let near = self.tokens.iter().rev().take_while(|token| !token.is(Lexeme::OpenBrace));
        near.take_while(|token| !token.is(Lexeme::CloseBrace))
            .any(|token| token.keyword == Some(Keyword::Var))
    }

    /// Returns the kind of a place where a node can begin.
    fn node(&self) -> PlaceKind {
        let Some(brace) = self.brace else { return PlaceKind::Item };
        let is_tree = self.depth == 1 && self.tokens[0].keyword == Some(Keyword::Tree);
        let began = &self.tokens[brace + 1..];
        let is_node = |token: &Token| token.keyword.is_some_and(Keyword::begins_node);
        let is_head = is_tree && !began.iter().any(is_node) && !self.is(0, Lexeme::CloseBrace);
        let header = self.header_before(brace).and_then(|at| {
            Some((self.tokens[at].keyword?, self.tokens.get(at + 1).and_then(|token| token.keyword)))
        });
        let shape = match header {
            _ if self.depth == 1 && !is_tree => Shape::Sets,
            Some((Keyword::Random, Some(Keyword::Sequence | Keyword::Selector))) => Shape::Many,
            Some((Keyword::Random, _)) => Shape::Weighted,
            Some((Keyword::Utility, _)) => Shape::Scored,
            Some((Keyword::Match, _)) => Shape::Cases,
            Some((Keyword::Reactive, Some(Keyword::Utility))) => Shape::Scored,
            Some((Keyword::Reactive, Some(Keyword::Match))) => Shape::Cases,
            Some((Keyword::Cleanup, _)) if self.tokens[brace - 1].keyword == Some(Keyword::Cleanup) => {
                Shape::Sets
            }
            Some((Keyword::Every, _)) if !self.tokens[brace - 1].is(Lexeme::CloseBrace) => Shape::Service,
            Some((Keyword::Sequence | Keyword::Selector | Keyword::Parallel | Keyword::Reactive, _)) => {
                Shape::Many
            }
            _ => Shape::One,
        };
        let shape = if self.is(0, Lexeme::Colon) { Shape::One } else { shape };
        PlaceKind::Node { shape, is_head }
    }

    /// Returns the word that begins the node whose words end before a token.
    fn header_before(&self, end: usize) -> Option<usize> {
        let mut found = None;
        for (index, token) in self.tokens[..end].iter().enumerate().rev() {
            if token.is(Lexeme::OpenBrace) || token.is(Lexeme::CloseBrace) || token.is(Lexeme::Colon) {
                break;
            }
            let is_draw = self.tokens.get(index + 1).is_some_and(|next| next.is(Lexeme::Open))
                && token.keyword == Some(Keyword::Random);
            let is_status = matches!(token.keyword, Some(Keyword::Success | Keyword::Failure))
                && index > 0
                && matches!(self.tokens[index - 1].keyword, Some(Keyword::Force | Keyword::Until));
            if token.keyword.is_some_and(Keyword::begins_node) && !is_draw && !is_status {
                let joins = index > 0
                    && matches!(self.tokens[index - 1].keyword, Some(Keyword::Reactive | Keyword::Random));
                found = Some(if joins { index - 1 } else { index });
                break;
            }
        }
        found
    }

    /// Returns the name behind a word; an empty range if there is none.
    fn subject(&self, header: usize) -> Range {
        let next = self.tokens.get(header + 1).filter(|token| token.is_name());
        next.map_or((0, 0), |token| (token.start, token.end))
    }
}
