//! The lines of nodes: their words, up to the block that may follow.

use super::super::syntax::{Unit, cover};
use super::block::Block;
use super::{Code, Keyword, Lexeme, Mode, Node, Op, Parser, Scope, Shape, codes};
use crate::ast::Math;
use crate::text::cited_bytes;

/// The highest percentage that a `utility` can keep to its child by.
const MOST_KEPT: u32 = 1000;

/// Units of time, each with its names in other languages.
const UNITS: [(&str, &[&str]); 3] = [
    ("s", &["sec", "secs", "second", "seconds", "S"]),
    ("ms", &["msec", "msecs", "millis", "milliseconds", "MS"]),
    ("ticks", &["tick", "frame", "frames"]),
];

impl Parser<'_, '_> {
    /// The words of a node, and the beginning of its block.
    pub(super) fn line(&mut self, index: u32) {
        let keyword = self.keyword().filter(|keyword| keyword.begins_node());
        let Some(keyword) = keyword else { return self.unknown(index) };
        self.advance();
        let node = self.node(index);
        (node.kind, node.mode) = (keyword, Mode::Plain);
        match keyword {
            Keyword::Sequence | Keyword::Selector => self.list(index, Shape::Many),
            Keyword::Invert => self.list(index, Shape::One),
            Keyword::Once => self.once(index),
            Keyword::Match => self.cases(index),
            Keyword::Cleanup => self.cleanup(index),
            Keyword::Every => self.every(index),
            Keyword::Random => self.random(index),
            Keyword::Utility => self.utility(index),
            Keyword::Reactive => self.reactive(index),
            Keyword::Parallel => self.parallel(index),
            Keyword::Condition => self.condition(index),
            Keyword::If | Keyword::While | Keyword::Chance | Keyword::Limit => self.with_value(index),
            Keyword::Repeat | Keyword::Retry if self.stands(Lexeme::OpenBrace) => {
                self.list(index, Shape::One)
            }
            Keyword::Repeat | Keyword::Retry => self.with_value(index),
            Keyword::Action | Keyword::Use => self.call(index, keyword),
            Keyword::Set => self.set(index),
            Keyword::Wait => self.duration(index),
            Keyword::Cooldown | Keyword::Timeout | Keyword::Delay => {
                self.duration(index);
                self.list(index, Shape::One);
            }
            Keyword::Force | Keyword::Until => self.status(index),
            Keyword::Raise => self.raise(index),
            _ => {}
        }
    }

    pub(super) fn node(&mut self, index: u32) -> &mut Node {
        &mut self.program.nodes[index as usize]
    }

    pub(super) fn list(&mut self, index: u32, shape: Shape) {
        let help = match shape {
            Shape::One => "its child stands in a block: `{ NODE }`",
            _ => "its children stand in a block: `{ NODE NODE }`",
        };
        self.open_block(Some(index), shape, help);
    }

    fn reactive(&mut self, index: u32) {
        let (kind, shape) = match self.keyword() {
            Some(kind @ (Keyword::Sequence | Keyword::Selector)) => (kind, Shape::Many),
            Some(kind @ Keyword::Utility) => (kind, Shape::Scored),
            Some(kind @ Keyword::Match) => (kind, Shape::Cases),
            _ => {
                let message = format!("{} cannot be reactive", self.shown());
                let help = "there are `reactive sequence`, `reactive selector`, `reactive utility` and `reactive match`";
                self.error(codes::EXPECTED, self.here(), message, help);
                // The word may well begin the node that was meant.
                *self.node(index) = Node::failed(index);
                if let Some(block) = self.blocks.last_mut() {
                    block.children -= 1;
                }
                return;
            }
        };
        let end = self.token.end;
        let node = self.node(index);
        (node.kind, node.mode, node.place.1) = (kind, Mode::Reactive, end);
        self.advance();
        match shape {
            Shape::Cases => self.cases(index),
            Shape::Scored => self.utility(index),
            _ => self.list(index, shape),
        }
    }

    /// The children of a `utility`, and before them how much it keeps to one of them.
    fn utility(&mut self, index: u32) {
        if self.keyword() == Some(Keyword::Keep) {
            self.keep(index);
        }
        self.list(index, Shape::Scored);
    }

    /// `keep 10 %`
    fn keep(&mut self, index: u32) {
        const HELP: &str = "`reactive utility keep 10 % { }`: a child that runs is left for one whose score is more \
                            than 10 % higher; it can be 0 to 1000 %";
        let at = self.here();
        self.advance();
        let number = self.token;
        let is_number = self.take(Lexeme::Int) && number.value <= MOST_KEPT;
        if !is_number || !self.take(Lexeme::REMAINDER) {
            self.missing("a percentage", HELP);
            return self.skip_to_block();
        }
        let node = self.node(index);
        if node.mode == Mode::Reactive {
            node.mode = Mode::Keeping(number.value as u16);
        } else {
            let message = "only a `reactive utility` leaves a child for another one";
            self.error(codes::EXPECTED, at, message, HELP);
        }
    }

    /// `match`: a value, and the cases.
    fn cases(&mut self, index: u32) {
        self.push_expression();
        let help = "its cases stand in a block: `match mood { 0: NODE 1: NODE else: NODE }`";
        self.open_block(Some(index), Shape::Cases, help);
    }

    /// `once`, which has no number.
    fn once(&mut self, index: u32) {
        if self.begins_expression() {
            let at = self.here();
            self.push_expression();
            let help = "write `once { NODE }`; `repeat N { NODE }` begins a child N times";
            self.error(codes::EXPECTED, at, "`once` has no number", help);
        }
        self.list(index, Shape::One);
    }

    /// `cleanup`: a block of `set`s, and a block with the child.
    fn cleanup(&mut self, index: u32) {
        let help = "what it sets stands in a block of its own: `cleanup { set busy = false } { NODE }`";
        self.two_blocks(index, Keyword::Cleanup, Shape::Sets, help);
    }

    /// `every`: a duration, a block of what is done at once, and a block with the child.
    fn every(&mut self, index: u32) {
        self.duration(index);
        let help = "what it does stands in a block of its own: `every 1 s { action look } { NODE }`";
        self.two_blocks(index, Keyword::Every, Shape::Service, help);
    }

    /// Opens the first of two blocks, which is a node of its own. The second one has the child.
    fn two_blocks(&mut self, index: u32, kind: Keyword, shape: Shape, help: &str) {
        let (at, operand) = ((self.token.start, self.token.start), self.program.operands.len() as u32);
        let operands = (operand, operand);
        let first = Node { kind, mode: Mode::Sets, place: at, operands, ..Node::failed(index + 1) };
        self.program.nodes.push(first);
        if !self.open_block(Some(index + 1), shape, help) {
            self.skip_to_block();
        }
    }

    /// `else`, as the value of a case.
    pub(super) fn push_else(&mut self) {
        let first = self.program.ops.len() as u32;
        let (start, end) = (self.token.start, self.token.end);
        self.program.ops.push(Op { code: Code::Else, start, end, count: 0 });
        self.program.operands.push((first, first + 1));
        self.advance();
    }

    /// `random`, alone or before a `sequence` or `selector`.
    fn random(&mut self, index: u32) {
        let Some(kind @ (Keyword::Sequence | Keyword::Selector)) = self.keyword() else {
            return self.list(index, Shape::Weighted);
        };
        let end = self.token.end;
        let node = self.node(index);
        (node.kind, node.mode, node.place.1) = (kind, Mode::Shuffled, end);
        self.advance();
        self.list(index, Shape::Many);
    }

    /// A condition is a leaf. One with a block is an error, and is then read as an `if`, which it
    /// was in earlier versions of the language.
    fn condition(&mut self, index: u32) {
        self.push_expression();
        if self.stands(Lexeme::OpenBrace) {
            let (start, end) = self.node(index).place;
            let help = "write `if EXPR { NODE }` to ask when it begins, or `while EXPR { NODE }` to ask in each \
                        tick and interrupt the node; `pleach fmt --upgrade` writes `if`";
            self.error(codes::CONDITION_BLOCK, self.span(start, end), "a `condition` has no block", help);
            self.node(index).kind = Keyword::If;
            self.list(index, Shape::One);
        }
    }

    /// A node with a value and a child.
    fn with_value(&mut self, index: u32) {
        self.push_expression();
        self.list(index, Shape::One);
    }

    /// A duration, or a range from one to another.
    fn duration(&mut self, index: u32) {
        let first = self.length(index);
        let second = self.take_keyword(Keyword::To).then(|| self.length(index));
        self.node(index).mode = match (first, second) {
            (Some(unit), None) => Mode::Unit(unit),
            (Some(unit), Some(Some(to))) => Mode::Range(unit, to),
            _ => Mode::Plain,
        };
    }

    /// A number and its unit, which is none if that has been reported.
    fn length(&mut self, index: u32) -> Option<Unit> {
        self.push_expression();
        self.unit().or_else(|| self.no_unit(index))
    }

    /// Says that a duration has no unit, or another than there are. A name alone may be that of a
    /// duration, which has a unit of its own.
    #[cold]
    fn no_unit(&mut self, index: u32) -> Option<Unit> {
        let (first, end) = self.program.operands.last().copied().unwrap_or_default();
        let ops = &self.program.ops[first as usize..end as usize];
        if ops.iter().any(|op| matches!(op.code, Code::Wrong)) {
            return None;
        }
        let is_name = matches!(ops, [Op { code: Code::Name(_), .. }]);
        let is_float = ops.iter().any(|op| matches!(op.code, Code::Float(_)));
        let at = cover(ops, self.reading.cursor.source);
        let written = cited_bytes(self.session.sources.text(at)).into_owned();
        let is_range = self.keyword() == Some(Keyword::To);
        let by_mistake = self.stands(Lexeme::Word) && self.node(index).kind != Keyword::Wait && !is_range;
        let is_meant =
            |(_, foreign): &&(_, &[&str])| foreign.iter().any(|unit| self.text_is(unit.as_bytes()));
        let foreign = UNITS.iter().find(is_meant);
        if !by_mistake && foreign.is_none() {
            if is_name {
                return Some(Unit::Own);
            }
            let ticks = matches!(self.node(index).kind, Keyword::Wait | Keyword::Delay);
            let help = match (is_float, ticks) {
                (true, _) => format!("write `{written} s` for seconds"),
                (_, true) => format!("write `{written} ms`, `{written} s` or `{written} ticks`"),
                _ => format!("write `{written} ms` or `{written} s`"),
            };
            self.error(codes::NO_UNIT, at, "this duration has no unit", help);
            return None;
        }
        let help = match foreign {
            Some((here, _)) => format!("write `{written} {here}`"),
            None => "the units are `ms`, `s` and, for `wait` and `delay`, `ticks`".to_owned(),
        };
        let message = format!("{} is no unit of time", self.shown());
        self.error(codes::NO_UNIT, self.here(), message, help);
        self.advance();
        None
    }

    /// `force` and `until`: which status, and a child.
    fn status(&mut self, index: u32) {
        match self.keyword() {
            Some(status @ (Keyword::Success | Keyword::Failure)) => {
                let end = self.token.end;
                self.advance();
                let node = self.node(index);
                (node.mode, node.place.1) = (Mode::Status(status == Keyword::Success), end);
            }
            _ => {
                self.node(index).mode = Mode::Status(true);
                self.missing("`success` or `failure`", "say which status is meant");
                if self.keyword() == Some(Keyword::Running)
                    || !self.keyword().is_some_and(Keyword::begins_node)
                {
                    self.skip_to_block();
                }
            }
        }
        self.list(index, Shape::One);
    }

    /// Goes on at a brace, if one comes before the next node.
    pub(super) fn skip_to_block(&mut self) {
        if !matches!(self.token.lexeme, Lexeme::OpenBrace | Lexeme::CloseBrace | Lexeme::End) {
            self.skip_to_node();
        }
    }

    /// Reads the name after a node word. Returns false if there is none, which has been reported.
    pub(super) fn subject(&mut self, index: u32, what: &str) -> bool {
        let Some((word, at)) = self.name(what) else {
            *self.node(index) = Node::failed(index);
            return false;
        };
        let node = self.node(index);
        (node.subject, node.subject_at, node.place.1) = (word, at.start, at.end);
        true
    }

    /// `action NAME(…)` and `use NAME(…)`
    fn call(&mut self, index: u32, kind: Keyword) {
        if !self.subject(index, if kind == Keyword::Use { "a tree" } else { "an action" }) {
            return;
        }
        if kind == Keyword::Use {
            self.program.uses.push((self.program.trees.len() as u32, index));
        }
        let open = self.here();
        if self.stands(Lexeme::Open) {
            self.advance();
            self.arguments(open.start);
        } else if self.bare_arguments() {
            let help = "arguments stand in parentheses, with commas between them: `moveTo(POST, 1.5)`";
            self.error(codes::EXPECTED, open, format!("`(` is missing before {}", self.shown()), help);
            self.push_expression();
            while self.take(Lexeme::Comma) {
                self.push_expression();
            }
        }
    }

    /// Returns true if a literal follows that can only be a forgotten argument.
    fn bare_arguments(&self) -> bool {
        let weighted = |block: &Block| block.shape.takes_values();
        let literal = matches!(self.token.lexeme, Lexeme::Int | Lexeme::Float | Lexeme::Text);
        literal && !self.blocks.last().is_some_and(weighted)
    }

    /// Arguments up to `)`; the parenthesis at `open` has been read.
    fn arguments(&mut self, open: u32) {
        if self.take(Lexeme::Close) {
            return;
        }
        loop {
            self.push_expression();
            if !self.take(Lexeme::Comma) {
                break;
            }
        }
        self.close_parenthesis(open);
    }

    /// Reads a `)`, or reports that it is missing.
    pub(super) fn close_parenthesis(&mut self, open: u32) {
        if self.take(Lexeme::Close) {
            return;
        }
        self.report(self.is_missing("`)`").related(self.span(open, open + 1), "opened here"));
        let is_rest = |lexeme| matches!(lexeme, Lexeme::Close | Lexeme::Colon | Lexeme::Stray);
        if is_rest(self.token.lexeme) || self.begins_expression() {
            self.skip_to_node();
        }
    }

    fn raise(&mut self, index: u32) {
        if !self.subject(index, "an event") {
            return;
        }
        let mut to = Scope::Agent;
        if self.take_keyword(Keyword::To) {
            to = match self.keyword() {
                Some(Keyword::Group) => Scope::Group,
                Some(Keyword::All) => Scope::World,
                _ => {
                    self.missing("`group` or `all`", "without `to`, the agent tells only itself");
                    if self.stands(Lexeme::Word) && !self.keyword().is_some_and(Keyword::begins_node) {
                        self.advance();
                    }
                    self.node(index).mode = Mode::To(Scope::World);
                    return;
                }
            };
            self.advance();
        }
        self.node(index).mode = Mode::To(to);
    }

    /// `set NAME = VALUE`
    fn set(&mut self, index: u32) {
        if !self.subject(index, "a variable") {
            return;
        }
        let write = match (self.token.lexeme, self.keyword()) {
            (Lexeme::Assign, _) => None,
            (Lexeme::Write(math), _) => Some(math),
            (_, Some(Keyword::Min)) => return self.set_bound(index, Math::Min),
            (_, Some(Keyword::Max)) => return self.set_bound(index, Math::Max),
            (Lexeme::Dot, _) => return self.no_part_written(index),
            _ => return self.no_write(index),
        };
        self.advance();
        self.write(index, write);
        self.push_expression();
    }

    /// Sets the mode of a `set`: its subject is a variable, by its word,
    /// or a parameter, by its index.
    fn write(&mut self, index: u32, write: Option<Math>) {
        let param = self.params.get(self.program.nodes[index as usize].subject as usize).copied();
        let node = self.node(index);
        node.mode = Mode::Write(write);
        if let Some(param) = param.filter(|param| *param > 0) {
            (node.mode, node.subject) = (Mode::WriteParam(write), param - 1);
        }
    }

    /// `min=` and `max=`
    fn set_bound(&mut self, index: u32, write: Math) {
        let (word, end) = (self.shown(), self.token.end);
        self.advance();
        self.write(index, Some(write));
        if self.stands(Lexeme::Assign) && self.token.start > end {
            let message = format!("{word} and `=` belong together");
            let help = format!("write `{}=`", word.trim_matches('`'));
            self.error(codes::EXPECTED, self.here(), message, help);
        }
        self.expect(Lexeme::Assign, "`=`", "`min=` keeps the smaller value, `max=` the larger one");
        self.push_expression();
    }

    #[cold]
    fn no_write(&mut self, index: u32) {
        self.write(index, None);
        let range = (self.program.ops.len() as u32, self.program.ops.len() as u32 + 1);
        let help = match self.token.lexeme {
            Lexeme::ADD | Lexeme::SUBTRACT => "`+= 1` counts up, `-= 1` counts down",
            Lexeme::EQUAL => "`=` writes, `==` compares",
            _ => "a variable is written with `=`, `+=`, `-=`, `*=`, `/=`, `min=` or `max=`",
        };
        self.missing("`=`", help);
        if self.take(Lexeme::EQUAL) || self.begins_expression() && !self.stands(Lexeme::SUBTRACT) {
            return self.push_expression();
        }
        let (start, end) = (self.token.start, self.token.end);
        self.program.ops.push(Op { code: Code::Wrong, start, end, count: 0 });
        self.program.operands.push(range);
        self.skip_to_block();
    }

    /// Notes a word that begins no node. The suggestion is made when all declarations are known.
    #[cold]
    fn unknown(&mut self, index: u32) {
        let node = self.node(index);
        (node.kind, node.mode) = (Keyword::Success, Mode::Unknown);
        let names_another = self.text_is(b"decorator");
        self.advance();
        if names_another && self.stands(Lexeme::Word) {
            self.advance();
        }
        self.skip_header();
        if self.stands(Lexeme::OpenBrace) {
            let open = self.token.start;
            self.advance();
            self.blocks.push(Block { node: Some(index), shape: Shape::Many, open, children: 0 });
        }
    }

    /// Skips the text after an unknown word, up to its block or the next node.
    ///
    /// A word before a `{` belongs to the unknown word if it stands on the same line, as in
    /// `if seen { … }`. On a line of its own it is the next node.
    fn skip_header(&mut self) {
        let known = |keyword: Keyword| keyword.begins_node() || keyword.begins_item_only();
        let mut depth = 0_usize;
        loop {
            match self.token.lexeme {
                Lexeme::Open => depth += 1,
                Lexeme::Close => depth = depth.saturating_sub(1),
                Lexeme::OpenBrace | Lexeme::CloseBrace | Lexeme::End => return,
                Lexeme::Word if self.keyword().is_some_and(known) => return,
                Lexeme::Word if depth == 0 && self.begins_line() && self.peek() == Lexeme::OpenBrace => {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Returns true if the token is the first one of its line.
    fn begins_line(&self) -> bool {
        self.reading.text[self.last as usize..self.token.start as usize].contains(&b'\n')
    }
}
