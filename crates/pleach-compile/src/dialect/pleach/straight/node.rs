//! Nodes: a line of words, and perhaps a block.

use super::super::check::ends::{self, Course, Ends};
use super::super::lexer::Lexeme;
use super::super::syntax::{Kind, Mode, Quota, To, Type, Unit, Write};
use super::super::value::Value;
use super::super::value::places::{self, MOST, Target};
use super::super::words::Keyword;
use super::expression::takes;
use super::{Block, Straight};
use crate::ast::{self, Arg, How, NodeIndex};
use crate::text::Sym;

/// A node's words: first byte and one past the last.
type Place = (u32, u32);

impl Straight<'_, '_> {
    /// Reads a node of a block as far as its own block.
    #[inline]
    pub(super) fn child(&mut self) -> Option<()> {
        let block = self.room.blocks.last_mut()?;
        if block.children == block.most || block.course.is_over() {
            return None;
        }
        block.children += 1;
        let weighted = block.course.kind == Kind::Random;
        self.count_copy()?;
        if weighted {
            self.weight()?;
        }
        match self.text.leading() {
            Some((keyword, length)) => {
                let start = self.text.position();
                self.text.pass(1);
                self.line(keyword, (start as u32, (start + length) as u32))
            }
            None => self.rare_child(),
        }
    }

    /// Reads a node of which the keyword is not as usual.
    #[cold]
    fn rare_child(&mut self) -> Option<()> {
        let (keyword, place) = self.take_keyword()?;
        self.line(keyword, place)
    }

    /// Reads the rest of a node's line, and goes into its block.
    #[inline(always)]
    fn line(&mut self, keyword: Keyword, place: Place) -> Option<()> {
        match keyword {
            Keyword::Sequence => self.list(keyword, Kind::Sequence, None, place),
            Keyword::Selector => self.list(keyword, Kind::Selector, None, place),
            Keyword::Action => self.action(place),
            Keyword::Condition => self.condition(keyword, Kind::Condition, place),
            Keyword::While => self.condition(keyword, Kind::While, place),
            Keyword::Set => self.set(place),
            Keyword::Reactive => self.reactive(place),
            Keyword::Parallel => self.parallel(place),
            Keyword::Random => self.random(place),
            Keyword::Use => self.use_tree(),
            Keyword::Raise => self.raise(place),
            Keyword::Wait => self.timed(keyword, Kind::Wait, place),
            Keyword::Delay => self.timed(keyword, Kind::Delay, place),
            Keyword::Cooldown => self.timed(keyword, Kind::Cooldown, place),
            Keyword::Timeout => self.timed(keyword, Kind::Timeout, place),
            Keyword::Success => self.leaf(keyword, Kind::Success, place),
            Keyword::Failure => self.leaf(keyword, Kind::Failure, place),
            Keyword::Running => self.leaf(keyword, Kind::Running, place),
            Keyword::Invert => self.one(keyword, Kind::Invert, place),
            Keyword::Force => self.status(keyword, Kind::Force, place),
            Keyword::Until => self.status(keyword, Kind::Until, place),
            Keyword::Repeat => self.counted(keyword, Kind::Repeat, place),
            Keyword::Retry => self.counted(keyword, Kind::Retry, place),
            Keyword::Limit => self.limit(place),
            _ => None,
        }
    }

    /// Adds a node, which ends after itself unless it has a block.
    #[inline]
    fn add(&mut self, keyword: Keyword, subject: Option<Sym>, args: (u32, u32), place: Place) -> NodeIndex {
        let index = self.file.nodes.len() as u32;
        let (keyword, span) = (self.sym(keyword), self.span(place));
        self.file.nodes.push(ast::Node { keyword, subject, args, condition: None, end: index + 1, span });
        index
    }

    /// A node without children is complete.
    #[inline]
    fn end(&mut self, kind: Kind) -> Option<()> {
        self.end_with(ends::leaf(kind));
        Some(())
    }

    /// A node is complete, and can end so.
    #[inline]
    pub(super) fn end_with(&mut self, ends: Ends) {
        if let Some(block) = self.room.blocks.last_mut() {
            block.course.child(ends);
        }
    }

    /// Goes into the block of a node.
    #[inline]
    pub(super) fn open(&mut self, node: NodeIndex, most: u32, course: Course) -> Option<()> {
        self.text.expect(b'{')?;
        let weights = self.room.weights.len() as u32;
        self.room.blocks.push(Block { node, children: 0, most, weights, course });
        Some(())
    }

    #[inline]
    fn list(&mut self, keyword: Keyword, kind: Kind, subject: Option<Sym>, place: Place) -> Option<()> {
        let node = self.add(keyword, subject, (0, 0), place);
        let mode = if subject.is_some() { Mode::Reactive } else { Mode::Plain };
        self.open(node, u32::MAX, Course::new(kind, mode, false))
    }

    fn one(&mut self, keyword: Keyword, kind: Kind, place: Place) -> Option<()> {
        let node = self.add(keyword, None, (0, 0), place);
        self.open(node, 1, Course::new(kind, Mode::Plain, false))
    }

    fn leaf(&mut self, keyword: Keyword, kind: Kind, place: Place) -> Option<()> {
        self.add(keyword, None, (0, 0), place);
        self.end(kind)
    }

    fn reactive(&mut self, (start, _): Place) -> Option<()> {
        let (keyword, (_, end)) = self.take_keyword()?;
        let kind = match keyword {
            Keyword::Sequence => Kind::Sequence,
            Keyword::Selector => Kind::Selector,
            _ => return None,
        };
        let subject = Some(self.sym(keyword));
        self.list(Keyword::Reactive, kind, subject, (start, end))
    }

    fn action(&mut self, (start, _): Place) -> Option<()> {
        let token = self.word()?;
        let (_, end) = self.pass(token);
        let action = self.action_of(token.word)?;
        let args = self.arguments(action)?;
        let subject = Some(self.room.words.sym(token.word));
        self.add(Keyword::Action, subject, args, (start, end));
        self.end(Kind::Action)
    }

    /// The arguments of an action, as a range in the file.
    #[inline]
    fn arguments(&mut self, action: u32) -> Option<(u32, u32)> {
        let first = self.file.args.len() as u32;
        let mut count = 0_usize;
        if self.text.take(b'(') && !self.text.take(b')') {
            loop {
                let value = self.expression()?;
                let param = self.room.actions[action as usize].params.get(count)?.ty;
                self.argument(value, self.place, param)?;
                count += 1;
                if !self.text.take(b',') {
                    break;
                }
            }
            self.text.expect(b')')?;
        }
        takes(&self.room.actions[action as usize], count).then_some((first, count as u32))
    }

    fn condition(&mut self, keyword: Keyword, kind: Kind, place: Place) -> Option<()> {
        let value = self.expression()?;
        // Whether it is worth a warning if it is known depends on what it is computed from.
        if value.ty()? != Type::Bool || matches!(value, Value::Truth(_)) {
            return None;
        }
        let condition = self.exprs().index(value);
        let node = self.add(keyword, None, (0, 0), place);
        self.file.nodes[node as usize].condition = Some(condition);
        if kind == Kind::Condition && self.text.first()? != b'{' {
            return self.end(kind);
        }
        self.open(node, 1, Course::new(kind, Mode::Plain, true))
    }

    /// An int of a node, as its only argument.
    fn int(&mut self, value: i32, place: Place) -> (u32, u32) {
        let first = self.file.args.len() as u32;
        let span = self.span(place);
        self.file.args.push(Arg { name: None, value: ast::Value::Int(value), span });
        (first, 1)
    }

    fn timed(&mut self, keyword: Keyword, kind: Kind, place: Place) -> Option<()> {
        let value = self.expression()?;
        let unit = self.unit()?;
        let length = places::duration(value, unit).ok()?;
        let counts_ticks = unit == Unit::Ticks;
        if counts_ticks && !matches!(kind, Kind::Wait | Kind::Delay) {
            return None;
        }
        let args = self.int(length, place);
        let subject = counts_ticks.then(|| self.sym(Keyword::Ticks));
        let node = self.add(keyword, subject, args, place);
        if kind == Kind::Wait {
            return self.end(kind);
        }
        self.open(node, 1, Course::new(kind, Mode::Unit(unit), true))
    }

    /// The unit after a duration.
    fn unit(&mut self) -> Option<Unit> {
        let Some((keyword, token)) = self.keyword() else { return Some(Unit::Time) };
        let unit = match keyword {
            Keyword::Ticks => Unit::Ticks,
            Keyword::Ms => Unit::Time,
            Keyword::S => Unit::Seconds,
            _ => return Some(Unit::Time),
        };
        self.pass(token);
        Some(unit)
    }

    fn counted(&mut self, keyword: Keyword, kind: Kind, place: Place) -> Option<()> {
        let counts = self.text.first()? != b'{';
        let mut args = (0, 0);
        if counts {
            let value = self.expression()?;
            args = self.int(places::number(value, 1, MOST).ok()?, place);
        }
        let node = self.add(keyword, None, args, place);
        self.open(node, 1, Course::new(kind, Mode::Plain, counts))
    }

    fn limit(&mut self, place: Place) -> Option<()> {
        let value = self.expression()?;
        let args = self.int(places::number(value, 1, i32::MAX).ok()?, place);
        let node = self.add(Keyword::Limit, None, args, place);
        self.open(node, 1, Course::new(Kind::Limit, Mode::Plain, true))
    }

    fn status(&mut self, keyword: Keyword, kind: Kind, (start, _): Place) -> Option<()> {
        let (status, (_, end)) = self.take_keyword()?;
        if !matches!(status, Keyword::Success | Keyword::Failure) {
            return None;
        }
        let node = self.add(keyword, Some(self.sym(status)), (0, 0), (start, end));
        self.open(node, 1, Course::new(kind, Mode::Status(status == Keyword::Success), false))
    }

    fn raise(&mut self, (start, _): Place) -> Option<()> {
        let token = self.word()?;
        let place = (start, self.pass(token).1);
        let event = self.room.names.get(token.word).event?;
        let to = self.to()?;
        let args = self.int(event as i32, place);
        self.int(to as i32, place);
        self.add(Keyword::Raise, Some(self.room.words.sym(token.word)), (args.0, 2), place);
        self.end(Kind::Raise)
    }

    /// Whom an event is told.
    fn to(&mut self) -> Option<To> {
        let Some((Keyword::To, token)) = self.keyword() else { return Some(To::Agent) };
        self.pass(token);
        match self.take_keyword()?.0 {
            Keyword::Group => Some(To::Group),
            Keyword::All => Some(To::All),
            _ => None,
        }
    }

    /// `set NAME = VALUE`
    #[inline]
    pub(super) fn set(&mut self, (start, _): Place) -> Option<()> {
        let token = self.word()?;
        let place = (start, self.pass(token).1);
        let target = self.target(token.word)?;
        let write = self.write()?;
        let value = self.expression()?;
        // A parameter that may be anything may be a variable.
        let Some(variable) = target else { return self.leaf(Keyword::Set, Kind::Set, place) };
        let ast::Variable { name, scope, kind, .. } = self.file.variables[variable as usize];
        let (value, how) = self.exprs().write(Target { variable, kind, scope }, write, value).ok()?;
        let condition = self.exprs().index(value);
        let args = self.written(variable, how, place);
        let node = self.add(Keyword::Set, Some(name), args, place);
        self.file.nodes[node as usize].condition = Some(condition);
        self.end(Kind::Set)
    }

    fn written(&mut self, variable: u32, how: How, place: Place) -> (u32, u32) {
        let first = self.file.args.len() as u32;
        let span = self.span(place);
        let arg = |value| Arg { name: None, value, span };
        self.file.args.extend([arg(ast::Value::Variable(variable)), arg(ast::Value::Int(how as i32))]);
        (first, 2)
    }

    /// How a `set` writes.
    #[inline]
    fn write(&mut self) -> Option<Write> {
        let (lexeme, tokens) = self.text.sign();
        let write = match lexeme {
            Lexeme::Assign => Write::Assign,
            Lexeme::AddAssign => Write::Add,
            Lexeme::SubtractAssign => Write::Subtract,
            Lexeme::MultiplyAssign => Write::Multiply,
            Lexeme::DivideAssign => Write::Divide,
            _ => return self.bound(),
        };
        self.text.pass(tokens);
        Some(write)
    }

    /// `min=` or `max=`, of which nothing is apart.
    fn bound(&mut self) -> Option<Write> {
        let write = match self.text.rest() {
            [b'm', b'i', b'n', b'=', next, ..] if *next != b'=' => Write::Min,
            [b'm', b'a', b'x', b'=', next, ..] if *next != b'=' => Write::Max,
            _ => return None,
        };
        self.text.pass(2);
        Some(write)
    }

    /// `parallel (succeed N, fail N) { … }`
    fn parallel(&mut self, place: Place) -> Option<()> {
        let mut counts = [(None, 0), (None, 0)];
        if self.text.take(b'(') {
            loop {
                let (which, quota) = self.policy()?;
                if counts[which].0.replace(quota.0).is_some() {
                    return None;
                }
                counts[which].1 = quota.1;
                if !self.text.take(b',') {
                    break;
                }
            }
            self.text.expect(b')')?;
        }
        let [(succeed, least), (fail, most)] = counts;
        // The number of branches is known when the block ends.
        let args = self.int(least, place);
        self.int(if fail.is_none() { 1 } else { most }, place);
        let node = self.add(Keyword::Parallel, None, (args.0, 2), place);
        let mode = Mode::Policy(succeed.unwrap_or(Quota::All), fail.unwrap_or(Quota::Any));
        self.open(node, u32::MAX, Course::new(Kind::Parallel, mode, false))
    }

    /// `succeed N` or `fail N`: the position among the two, and the number that is known already.
    fn policy(&mut self) -> Option<(usize, (Quota, i32))> {
        let which = match self.take_keyword()?.0 {
            Keyword::Succeed => 0,
            Keyword::Fail => 1,
            _ => return None,
        };
        let (quota, token) = match self.keyword() {
            Some((Keyword::All, token)) => ((Quota::All, 0), token),
            Some((Keyword::Any, token)) => ((Quota::Any, 1), token),
            _ => {
                let value = self.expression()?;
                return Some((which, (Quota::Count, places::number(value, 1, MOST).ok()?)));
            }
        };
        self.pass(token);
        Some((which, quota))
    }

    fn random(&mut self, place: Place) -> Option<()> {
        let node = self.add(Keyword::Random, None, (0, 0), place);
        self.open(node, u32::MAX, Course::new(Kind::Random, Mode::Plain, false))
    }

    /// The weight before a child, if there is one.
    fn weight(&mut self) -> Option<()> {
        let is_node = self.keyword().is_some_and(|(keyword, _)| keyword.begins_node());
        let mut weight = 1;
        if !is_node {
            let value = self.expression()?;
            weight = places::number(value, 0, MOST).ok()?;
            self.text.expect(b':')?;
        }
        self.room.weights.push(weight);
        Some(())
    }
}
