//! Declarations. Trees and events are only passed over, so that those before them know of them; they are read when it is
//! known what all names stand for.

use super::super::lexer::{Blank, Lexeme, blank, extent};
use super::super::parser::KINDS;
use super::super::syntax::{Function, Param, Type};
use super::super::value::{Value, places, type_of};
use super::super::words::{Keyword, Word};
use super::text::Text;
use super::{Body, Event, Known, Place, Reading, Straight, Tree, TreeParam};
use crate::ast::{self, Scope};
use crate::dialect::marks::Marks;
use crate::source::{SourceId, Span};
use memchr::memmem;

/// More are not looked through for a name that comes twice.
const MOST_PARAMS: usize = 32;

/// More are not looked through for one that has been read.
const MOST_FILES: usize = 64;
/// How often constants that need others are looked through: so many may stand in a row, each before the one that it needs.
const MOST_ROUNDS: usize = 16;

/// A constant or a default that needs constants from below.
#[derive(Clone, Copy)]
pub(super) struct Later {
    what: Late,
    /// Its expression.
    at: Place,
}

#[derive(Clone, Copy)]
enum Late {
    Constant(Word, Option<Type>),
    /// Of a variable, by its index.
    Default(u32),
}

/// Names that expressions take for operators of other languages.
const FOREIGN: [&[u8]; 5] = [b"and", b"is", b"mod", b"not", b"or"];

impl Straight<'_, '_> {
    /// Reads all declarations, of included files as well.
    pub(super) fn items(&mut self) -> Option<()> {
        let mut waiting: Vec<Place> = Vec::new();
        loop {
            while self.text.first().is_some() {
                match self.take_keyword()?.0 {
                    Keyword::Include => waiting.extend(self.include()?),
                    keyword => self.item(keyword)?,
                }
            }
            let Some(place) = waiting.pop() else { return Some(()) };
            self.go(place);
        }
    }

    fn item(&mut self, keyword: Keyword) -> Option<()> {
        match keyword {
            Keyword::Action => self.action_item(),
            Keyword::Query => self.query_item(),
            Keyword::Var => self.variable(Scope::Agent),
            Keyword::Group => self.shared(Scope::Group),
            Keyword::World => self.shared(Scope::World),
            Keyword::Const => self.constant(),
            Keyword::On => self.event_item(),
            Keyword::Tree => self.tree_item(),
            _ => None,
        }
    }

    /// `include "FILE"`: goes to its beginning, unless it has been read before; where it then goes on.
    fn include(&mut self) -> Option<Option<Place>> {
        if self.text.first()? != b'"' {
            return None;
        }
        let Value::Text(path) = self.string(0)? else { return None };
        let path = self.session.names.text(path).into_owned();
        let folder = &self.reading(self.source).folder;
        let beside = format!("{folder}{path}");
        let library = self.session.library;
        let found = library.include(&beside).map(|found| (found, beside));
        let (found, path) = found.or_else(|| Some((library.include(&path)?, path)))?;
        if self.readings.iter().any(|reading| reading.found.name == found.name) {
            return Some(None);
        }
        if self.readings.len() == MOST_FILES {
            return None;
        }
        let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let after = self.here();
        let text = Text::new(found.text.clone(), Marks::default())?;
        let source = SourceId(self.entry.0 + self.readings.len() as u32);
        self.readings.push(Reading { found, folder, text: None });
        self.leave_for(text, source);
        Some(Some(after))
    }

    /// A name that is declared, and where it stands.
    fn declared(&mut self) -> Option<(Word, Span)> {
        let token = self.word()?;
        let is_taken = |keyword: Keyword| keyword.is_reserved() || keyword.is_function();
        let text = &self.text.rest()[..token.length.get() as usize];
        if Keyword::of(token.word).is_some_and(is_taken) || FOREIGN.contains(&text) {
            return None;
        }
        let place = self.pass(token);
        Some((token.word, self.span(place)))
    }

    /// Gives a name in expressions its meaning, which must be the only one.
    fn declare(&mut self, word: Word, known: Known) -> Option<()> {
        self.room.know(word, known).then_some(())
    }

    fn action_item(&mut self) -> Option<()> {
        let (word, span) = self.declared()?;
        let function = self.function(word, span, false)?;
        let index = self.room.actions.len() as u32;
        self.room.actions.push(function);
        self.room.names.row(word).action.replace(index).is_none().then_some(())
    }

    fn query_item(&mut self) -> Option<()> {
        let (word, span) = self.declared()?;
        let function = self.function(word, span, true)?;
        let index = self.room.queries.len() as u32;
        self.room.queries.push(function);
        self.declare(word, Known::Query(index))
    }

    fn function(&mut self, word: Word, span: Span, query: bool) -> Option<Function> {
        let manifest = self.session.manifest;
        if !manifest.actions.is_empty() || !manifest.queries.is_empty() {
            // Both would have to agree.
            return None;
        }
        let (first, count) = self.params()?;
        let params = &self.room.params[first as usize..(first + count) as usize];
        let param = |it: &TreeParam| Param { name: self.room.words.sym(it.word), ty: it.ty, optional: false };
        let params = params.iter().map(param).collect();
        let answers = if query { self.ty()? } else { Type::Bool };
        Some(Function { name: self.room.words.sym(word), span: Some(span), params, answers })
    }

    /// `(NAME: TYPE, …)`, or nothing.
    fn params(&mut self) -> Option<(u32, u32)> {
        let first = self.room.params.len();
        if self.text.take(b'(') && !self.text.take(b')') {
            loop {
                let (word, _) = self.declared()?;
                let params = &self.room.params[first..];
                if params.len() == MOST_PARAMS || params.iter().any(|param| param.word == word) {
                    return None;
                }
                self.text.expect(b':')?;
                let ty = match self.take_keyword()?.0 {
                    Keyword::Text => Type::Text,
                    other => value_type(other)?,
                };
                self.room.params.push(TreeParam { word, ty });
                if !self.text.take(b',') {
                    break;
                }
            }
            self.text.expect(b')')?;
        }
        Some((first as u32, (self.room.params.len() - first) as u32))
    }

    /// `: TYPE`, of an answer or a constant.
    fn ty(&mut self) -> Option<Type> {
        self.text.expect(b':')?;
        value_type(self.take_keyword()?.0)
    }

    fn shared(&mut self, scope: Scope) -> Option<()> {
        match self.take_keyword()?.0 {
            Keyword::Var => self.variable(scope),
            _ => None,
        }
    }

    /// `var NAME: TYPE = DEFAULT`
    fn variable(&mut self, scope: Scope) -> Option<()> {
        let (word, span) = self.declared()?;
        self.text.expect(b':')?;
        let (keyword, _) = self.take_keyword()?;
        let (_, kind) = *KINDS.iter().find(|(known, _)| *known == keyword)?;
        let index = self.file.variables.len() as u32;
        let name = self.room.words.sym(word);
        self.file.variables.push(ast::Variable { name, scope, kind, init: 0, span });
        self.declare(word, Known::Value(Value::Variable(index, type_of(kind))))?;
        if self.assigns()? { self.late(Late::Default(index)) } else { Some(()) }
    }

    /// `const NAME: TYPE = VALUE`
    fn constant(&mut self) -> Option<()> {
        let (word, _) = self.declared()?;
        let ty = if self.text.first()? == b':' { Some(self.ty()?) } else { None };
        self.declare(word, Known::Value(Value::Wrong))?;
        if self.assigns()? { self.late(Late::Constant(word, ty)) } else { None }
    }

    /// Computes what is known now; the rest later.
    fn late(&mut self, what: Late) -> Option<()> {
        let at = self.here();
        let value = self.expression()?;
        let known = match what {
            Late::Constant(word, ty) => {
                let value = self.constant_value(value, ty)?;
                self.room.know(word, Known::Value(value));
                value
            }
            Late::Default(variable) => {
                let kind = self.file.variables[variable as usize].kind;
                let value = self.constant_value(value, Some(type_of(kind)))?;
                let in_bounds = |value| {
                    places::bounds(kind).is_none_or(|(_, least, most)| (least..=most).contains(&value))
                };
                if matches!(value, Value::Int(value) if !in_bounds(value)) {
                    return None;
                }
                self.file.variables[variable as usize].init = value.bits();
                value
            }
        };
        if matches!(known, Value::Wrong) {
            self.room.later.push(Later { what, at });
        }
        Some(())
    }

    /// Computes what has needed constants from below.
    pub(super) fn late_values(&mut self) -> Option<()> {
        for _ in 0..MOST_ROUNDS {
            let mut later = core::mem::take(&mut self.room.later);
            for Later { what, at } in later.drain(..) {
                self.go(at);
                self.late(what)?;
            }
            if self.room.later.is_empty() {
                break;
            }
        }
        // What nothing is emitted for is the same each time.
        let all = self.room.later.is_empty() && self.file.exprs.is_empty() && self.file.args.is_empty();
        all.then_some(())
    }

    /// Passes over a `=`, if it comes next.
    fn assigns(&mut self) -> Option<bool> {
        match self.text.rest() {
            [b'=', b'=', ..] => None,
            _ => Some(self.text.take(b'=')),
        }
    }

    /// A value that is known now, of a type if one is said.
    fn constant_value(&mut self, value: Value, ty: Option<Type>) -> Option<Value> {
        match value.ty() {
            None => Some(value),
            Some(Type::Text) => None,
            Some(is) if value.is_constant() => self.exprs().as_type(value, ty.unwrap_or(is)),
            Some(_) => None,
        }
    }

    /// `on EVENT { … }`
    fn event_item(&mut self) -> Option<()> {
        let (word, span) = self.declared()?;
        let body = self.body()?;
        let count = self.room.events.len() as u32;
        let event = *self.room.names.row(word).event.get_or_insert(count);
        if event == count {
            self.room.events.push(Event { name: self.room.words.sym(word), span });
        }
        self.room.handlers.push((event, body));
        Some(())
    }

    /// `tree NAME(…) { NODE }`
    fn tree_item(&mut self) -> Option<()> {
        let (word, span) = self.declared()?;
        let params = self.params()?;
        let body = self.body()?;
        let (index, name) = (self.room.trees.len() as u32, self.room.words.sym(word));
        self.room.trees.push(Tree { name, span, params, body, open: false, read: false });
        self.room.names.row(word).tree.replace(index).is_none().then_some(())
    }

    /// Passes over a block.
    fn body(&mut self) -> Option<Body> {
        let (start, from, rest) = (self.text.token(), self.text.position(), self.text.rest());
        let length = match rest {
            // As people write it, it ends with a brace that begins a line. Whoever reads the block finds out whether that is true.
            [b'{', b'\n', ..] | [b'{', b'\r', ..] => memmem::find(rest, b"\n}")? + 2,
            [b'{', ..] => matching(rest)?,
            _ => return None,
        };
        let end = from + length;
        self.text.skip(end);
        Some(Body { source: self.source, start, end })
    }
}

/// The length of the block that a text begins with.
fn matching(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        at = match blank(text, at) {
            Blank::Space(end) | Blank::Line(end) | Blank::Block(end) => end,
            Blank::Open => return None,
            Blank::None => {
                let (lexeme, end) = extent(text, at);
                match lexeme {
                    Lexeme::OpenBrace => depth += 1,
                    Lexeme::CloseBrace if depth == 1 => return Some(end),
                    Lexeme::CloseBrace => depth -= 1,
                    Lexeme::End => return None,
                    _ => {}
                }
                end
            }
        };
    }
}

/// A type that values have.
fn value_type(keyword: Keyword) -> Option<Type> {
    match keyword {
        Keyword::Bool => Some(Type::Bool),
        Keyword::Int => Some(Type::Int),
        Keyword::Float => Some(Type::Float),
        _ => None,
    }
}
