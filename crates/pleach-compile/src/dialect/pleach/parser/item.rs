//! Declarations.

use super::super::names::same;
use super::super::syntax::{Constant, Event, Function, Param, Tree, Variable};
use super::super::value::type_of;
use super::super::words::{KINDS, types};
use super::{
    Diagnostic, Keyword, Kind, Lexeme, Meaning, Parser, Scope, SlotKind, Span, Sym, Type, Word, codes,
    report_twice,
};
use crate::source::Found;
use bumpalo::collections::Vec as ArenaVec;
use pleach_image::suggest::closest;

/// Folder to which the includes of a file are relative: empty, or a path that ends with `/`.
fn folder_of(path: &str) -> String {
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

impl<'s> Parser<'s, '_> {
    /// Reads declarations up to the end of the file, or to an include.
    pub(super) fn items(&mut self) {
        loop {
            match self.keyword() {
                Some(Keyword::Include) => self.include(),
                Some(Keyword::Action) => self.function(false),
                Some(Keyword::Query) => self.function(true),
                Some(Keyword::Var) => self.variable(Scope::Agent),
                Some(Keyword::Group) => self.shared(Scope::Group),
                Some(Keyword::World) => self.shared(Scope::World),
                Some(Keyword::Const) => self.constant(),
                Some(Keyword::Tune) => self.tunable(),
                Some(Keyword::Enum) => self.enumeration(),
                Some(Keyword::On) => self.handler(),
                Some(Keyword::Tree) => self.tree(),
                _ if self.stands(Lexeme::End) => return,
                _ => self.no_item(),
            }
        }
    }

    /// Says that no declaration begins here, and goes on where one does.
    #[cold]
    fn no_item(&mut self) {
        let at = self.here();
        match (self.token.lexeme, self.keyword()) {
            (Lexeme::CloseBrace, _) => {
                let help = "take it away, or look for a `{` that is missing above";
                self.error(codes::STRAY_BRACE, at, "this `}` closes nothing", help);
            }
            (_, Some(keyword)) if keyword.begins_node() => {
                let message = format!("the node `{}` stands outside of a tree", keyword.text());
                self.error(codes::EXPECTED, at, message, "put it into `tree NAME { }`");
            }
            _ => {
                let shown = self.shown();
                let message = format!("{shown} begins no declaration");
                let words = [
                    "tree", "var", "const", "tune", "enum", "action", "query", "on", "include", "group",
                    "world",
                ];
                let near = closest(shown.trim_matches('`'), words);
                let help = near.map(|word| format!("did you mean `{word}`?"));
                let all =
                    "`tree`, `var`, `const`, `enum`, `action`, `query`, `on` (an event) and `include` do";
                self.error(codes::EXPECTED, at, message, help.unwrap_or_else(|| all.to_owned()));
            }
        }
        self.skip_item();
    }

    /// Goes on where a declaration can begin outside of braces, one token further at least.
    pub(super) fn skip_item(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.token.lexeme {
                Lexeme::End => return,
                Lexeme::OpenBrace => depth += 1,
                Lexeme::CloseBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
            let begins =
                |keyword: Keyword| keyword.begins_item_only() || keyword == Keyword::Action && depth == 0;
            if self.keyword().is_some_and(begins) || depth == 0 && self.stands(Lexeme::CloseBrace) {
                return;
            }
        }
    }

    /// `include "FILE"`
    fn include(&mut self) {
        self.advance();
        if !self.stands(Lexeme::Text) {
            self.missing("the file", "a file stands in double quotes: `include \"common.pleach\"`");
            if !self.keyword().is_some_and(Keyword::begins_item_only) {
                self.skip_item();
            }
            return;
        }
        let (name, at) = (Sym(self.token.value), self.here());
        self.advance();
        let path = self.session.names.text(name);
        let beside = match self.reading.folder.as_str() {
            "" => path.clone(),
            folder => format!("{folder}{path}").into(),
        };
        let found = [&beside, &path]
            .into_iter()
            .find_map(|path| Some((self.session.library.include(path)?, folder_of(path))));
        match found {
            Some((found, _)) if self.file(&found.name).is_some() => {}
            Some((found, folder)) => self.splice(found, folder),
            None => {
                self.program.is_incomplete = true;
                let message = format!("there is no file `{}`", self.session.names.text(name));
                let help = "a path begins beside this file, or in a folder of the library";
                self.error(codes::FILE_NOT_FOUND, at, message, help);
            }
        }
    }

    /// Goes on in another file, and comes back after its end.
    fn splice(&mut self, found: Found, folder: String) {
        let next = self.token;
        let after = super::Reading {
            cursor: self.reading.cursor,
            text: self.reading.text.clone(),
            folder: core::mem::take(&mut self.reading.folder),
        };
        self.waiting.push((after, next));
        self.open(found, folder);
    }

    /// `action NAME(…)` and `query NAME(…): TYPE`
    fn function(&mut self, query: bool) {
        self.advance();
        let what = if query { "a query" } else { "an action" };
        let Some((word, span)) = self.name(what) else { return self.skip_item_unless_begins() };
        let params = self.params(!query);
        self.forget(params.iter().map(|param| param.name));
        let answers = if query { self.answer() } else { Type::Bool };
        if !query && self.stands(Lexeme::Colon) {
            let help = "leave the type out; whatever it does, an action ends with success or failure";
            self.error(codes::EXPECTED, self.here(), "an action has no type", help);
            self.advance();
            self.ty();
        }
        let name = Sym(word);
        self.declare_function(word, query, Function { name, span: Some(span), params, answers });
    }

    /// The type of a query's answer.
    fn answer(&mut self) -> Type {
        if self.stands(Lexeme::SUBTRACT) && self.peek() == Lexeme::GREATER {
            let at = self.span(self.token.start, self.token.start + 2);
            self.error(codes::FOREIGN_OPERATOR, at, "`->` is written `:`", "write `: TYPE`");
            self.advance();
            self.advance();
        } else if !self.expect(
            Lexeme::Colon,
            "`: TYPE`",
            "say what the query answers: `: bool`, `: int` or `: float`",
        ) && !self.begins_type()
        {
            return Type::Bool;
        }
        self.ty().unwrap_or(Type::Bool)
    }

    fn declare_function(&mut self, word: Word, query: bool, function: Function<'s>) {
        self.check_kind(word, query, function.span);
        let row = *self.names.row(word);
        let list = if query { &self.program.queries } else { &self.program.actions };
        let known = match (query, row.action, row.value) {
            (false, Some(index), _) | (true, _, Meaning::Query(index)) => list.get(index as usize),
            _ => None,
        };
        let index = list.len() as u32;
        match known {
            Some(known) if same(known, &function) => {}
            Some(known) => {
                let message =
                    format!("`{}` is declared in two ways", self.session.names.cited(function.name));
                let finding = Diagnostic::new(codes::DECLARED_OTHERWISE, function.span, message)
                    .help("both declarations must have the same types in the same order")
                    .related(known.span, "first declared here");
                self.session.diagnostics.push(finding);
            }
            None if query => {
                let Some(span) = function.span else { return };
                self.program.queries.push(function);
                self.declare_value(word, span, Meaning::Query(index));
            }
            None => {
                self.program.actions.push(function);
                self.names.row(word).action = Some(index);
            }
        }
    }

    /// Warns if a name that is declared as an action or query is the other one, too.
    fn check_kind(&mut self, word: Word, query: bool, at: Option<Span>) {
        let row = *self.names.row(word);
        let other = match (query, row.action, row.value) {
            (true, _, Meaning::Query(_)) | (false, Some(_), _) => return,
            (true, Some(action), _) => &self.program.actions[action as usize],
            (false, None, Meaning::Query(query)) => &self.program.queries[query as usize],
            _ => return,
        };
        let message = format!("`{}` is declared both as an action and as a query", self.name_of(word));
        let help = "`action` means the one, a `condition` the other; give one of them another name";
        let what = if query { "an action" } else { "a query" };
        let finding = Diagnostic::new(codes::ACTION_AND_QUERY, at, message).help(help);
        let finding = finding.related(other.span, format!("first declared here, as {what}"));
        self.report(finding);
    }

    /// Gives a name in expressions its meaning.
    pub(super) fn declare_value(&mut self, word: Word, at: Span, meaning: Meaning) {
        let row = self.names.row(word);
        // Other names hide those of members.
        let is_hidden = match row.value {
            Meaning::Function(keyword) => keyword.can_be_hidden(),
            value => matches!(value, Meaning::Nothing | Meaning::Member(_) | Meaning::SharedMember(_)),
        };
        if is_hidden {
            row.value = meaning;
            return;
        }
        let first = match row.value {
            Meaning::Variable(index) => Some(("a variable", self.program.variables[index as usize].span)),
            Meaning::Constant(index) => Some(("a constant", self.program.constants[index as usize].span)),
            Meaning::Query(index) => self.program.queries[index as usize].span.map(|span| ("a query", span)),
            _ => None,
        };
        let what = match first {
            Some(_) => format!("`{}`", self.name_of(word)),
            None => format!("`{}` is a function of the language, and", self.name_of(word)),
        };
        report_twice(&mut self.session.diagnostics, &what, at, first);
    }

    pub(super) fn skip_item_unless_begins(&mut self) {
        let begins = |keyword: Keyword| keyword.begins_item_only() || keyword == Keyword::Action;
        if !self.keyword().is_some_and(begins) {
            self.skip_item();
        }
    }

    /// `group var` and `world var`
    fn shared(&mut self, scope: Scope) {
        self.advance();
        if self.keyword() != Some(Keyword::Var) {
            self.missing("`var`", "a variable that agents share is declared as `world var NAME: TYPE`");
            if !self.stands(Lexeme::Word) || self.keyword().is_some_and(Keyword::is_reserved) {
                return self.skip_item_unless_begins();
            }
            return self.variable_named(scope);
        }
        self.variable(scope);
    }

    /// `var NAME: TYPE = DEFAULT`
    fn variable(&mut self, scope: Scope) {
        self.advance();
        self.variable_named(scope);
    }

    pub(super) fn variable_named(&mut self, scope: Scope) {
        let Some((word, span)) = self.name("a variable") else { return self.skip_item_unless_begins() };
        let kind = self.variable_type();
        let init = self.take(Lexeme::Assign).then(|| self.expression());
        let kind = kind.unwrap_or(Kind::Plain(SlotKind::I32));
        self.declare_variable(Variable { name: Sym(word), span, scope, kind, init });
    }

    /// Adds a variable, with a row for each part of a vector. Returns its index.
    pub(super) fn declare_variable(&mut self, variable: Variable) -> u32 {
        let index = self.program.variables.len() as u32;
        let part = Variable { kind: Kind::Part, init: None, ..variable };
        self.program.variables.push(variable);
        self.program.variables.extend((1..variable.kind.count()).map(|_| part));
        self.declare_value(variable.name.0, variable.span, Meaning::Variable(index));
        index
    }

    /// `: TYPE` of a variable.
    pub(super) fn variable_type(&mut self) -> Option<Kind> {
        let help = "say what the variable holds, as in `var ammo: int`";
        let typed = self.expect(Lexeme::Colon, "`: TYPE`", help) || self.begins_type();
        if typed { self.kind() } else { None }
    }

    /// `const NAME: TYPE = VALUE`
    fn constant(&mut self) {
        self.advance();
        let Some((word, span)) = self.name("a constant") else { return self.skip_item_unless_begins() };
        let ty = if self.take(Lexeme::Colon) { self.ty() } else { None };
        let help = "a constant has a value: `const POST = 3`";
        if !self.expect(Lexeme::Assign, "`= VALUE`", help) && !self.begins_expression() {
            return self.skip_item_unless_begins();
        }
        let expr = self.expression();
        let index = self.program.constants.len() as u32;
        let name = Sym(word);
        self.program.constants.push(Constant { name, span, ty, expr });
        self.declare_value(word, span, Meaning::Constant(index));
    }

    /// `on EVENT { … }`
    fn handler(&mut self) {
        self.advance();
        let Some((word, span)) = self.name("an event") else { return self.skip_item_unless_begins() };
        let name = Sym(word);
        let nodes = self.body(true);
        let handler = self.program.handlers.len() as u32;
        self.program.handlers.push(Tree { name, span, params: &[], locals: &[], nodes });
        let events = &mut self.program.events;
        match self.names.row(word).event {
            Some(event) => events[event as usize].handlers.push(handler),
            None => {
                self.names.row(word).event = Some(events.len() as u32);
                let handlers = bumpalo::vec![in self.program.arena; handler];
                events.push(Event { name, span, handlers });
            }
        }
    }

    /// `tree NAME(…) { NODE }`
    fn tree(&mut self) {
        self.advance();
        let Some((word, span)) = self.name("a tree") else { return self.skip_item_unless_begins() };
        let params = self.params(false);
        self.bound = params.len() as u32;
        let nodes = self.body(false);
        self.forget(params.iter().map(|param| param.name));
        let locals = self.program.arena.alloc_slice_copy(&self.locals);
        self.forget(locals.iter().map(|local| local.name));
        self.locals.clear();
        let name = Sym(word);
        let index = self.program.trees.len() as u32;
        self.program.trees.push(Tree { name, span, params, locals, nodes });
        match self.names.row(word).tree {
            None => self.names.row(word).tree = Some(index),
            Some(first) => {
                let what = format!("the tree `{}`", self.name_of(word));
                let first = ("a tree", self.program.trees[first as usize].span);
                report_twice(&mut self.session.diagnostics, &what, span, Some(first));
            }
        }
    }

    /// Ends the scope of parameters and variables of a tree.
    fn forget(&mut self, names: impl Iterator<Item = Sym>) {
        names.for_each(|name| self.params[name.0 as usize] = 0);
    }

    /// `(NAME: TYPE, …)`, or nothing. From here on the names stand for the parameters. `outs` says
    /// that there may be `out` parameters.
    fn params(&mut self, outs: bool) -> &'s [Param] {
        let mut params = ArenaVec::new_in(self.program.arena);
        let open = self.here();
        if !self.take(Lexeme::Open) || self.take(Lexeme::Close) {
            return &[];
        }
        let mut places = ArenaVec::new_in(self.program.arena);
        loop {
            let out = self.text_is(b"out") && self.peek() == Lexeme::Word;
            if out && !outs {
                let help = "an action gives values by out arguments; a query answers, and a tree sets its parameters";
                self.error(codes::NOT_WRITABLE, self.here(), "only actions have `out` parameters", help);
            }
            if out {
                self.advance();
            }
            let Some((word, at)) = self.name("a parameter") else { break };
            let help = "say what the parameter is, as in `(place: int)`";
            let typed = self.expect(Lexeme::Colon, "`: TYPE`", help) || self.begins_type();
            let ty = if typed { self.ty().unwrap_or(Type::Int) } else { Type::Int };
            let name = Sym(word);
            let index = word as usize;
            self.params.resize(self.params.len().max(index + 1), 0);
            if let Some(first) = self.params[index].checked_sub(1) {
                let (what, first) =
                    (format!("the parameter `{}`", self.name_of(word)), places[first as usize]);
                report_twice(&mut self.session.diagnostics, &what, at, Some(("a parameter", first)));
            }
            params.push(Param { name, ty, optional: false, out: out && outs });
            places.push(at);
            self.params[index] = params.len() as u32;
            if !self.take(Lexeme::Comma) {
                break;
            }
        }
        if !self.take(Lexeme::Close) {
            let finding = self.is_missing("`)`").related(open, "opened here");
            self.report(finding.help("parameters are written `(NAME: TYPE, NAME: TYPE)`"));
            while self.stands(Lexeme::Comma) || self.stands(Lexeme::Colon) || self.begins_expression() {
                self.advance();
            }
            self.take(Lexeme::Close);
        }
        params.into_bump_slice()
    }

    fn begins_type(&self) -> bool {
        self.named_kind().is_some() || self.named_vector().is_some()
    }

    /// Returns the number of floats of the vector that the token names.
    fn named_vector(&self) -> Option<u8> {
        match self.keyword()? {
            Keyword::Vec2 => Some(2),
            Keyword::Vec3 => Some(3),
            _ => None,
        }
    }

    /// Returns the kind of variable that the token names.
    fn named_kind(&self) -> Option<SlotKind> {
        let keyword = self.keyword()?;
        KINDS.iter().find(|(known, _)| *known == keyword).map(|(_, kind)| *kind)
    }

    /// The type of a parameter, an answer, or a constant.
    fn ty(&mut self) -> Option<Type> {
        if let Some(kind) = self.named_kind()
            && kind.is_narrow()
        {
            let message = format!("only variables can be narrow; {} reads as an int", self.shown());
            self.error(codes::WRONG_TYPE, self.here(), message, "write `int`");
        }
        self.type_of_variable(types(false)).map(type_of)
    }

    /// Reads the type of a variable.
    pub(super) fn kind(&mut self) -> Option<Kind> {
        self.type_of_variable(types(true))
    }

    /// Reads the type of a variable. If there is none, the report names the types that can stand
    /// here.
    fn type_of_variable(&mut self, types: impl Iterator<Item = &'static str>) -> Option<Kind> {
        if let Some(floats) = self.named_vector() {
            self.advance();
            return Some(Kind::Vector(floats));
        }
        match self.named_kind() {
            Some(SlotKind::Entity) => Some(Kind::Entity(self.entity())),
            Some(kind) => {
                self.advance();
                Some(Kind::Plain(kind))
            }
            None => self.named_type().map(Kind::Enum).or_else(|| self.no_type(types)),
        }
    }

    /// Reads `entity` or `entity<NAME>`. Returns the name, or 0.
    fn entity(&mut self) -> Word {
        self.advance();
        if !self.take(Lexeme::LESS) {
            return 0;
        }
        let name = self.name("a kind of entity").map_or(0, |(word, _)| word);
        if name != 0 && !self.take(Lexeme::GREATER) {
            self.missing("`>`", "a kind of entity is written `entity<NAME>`");
        }
        name
    }

    /// Says that there is no type.
    #[cold]
    fn no_type<T>(&mut self, types: impl Iterator<Item = &'static str>) -> Option<T> {
        let types: Vec<_> = types.collect();
        self.missing("a type", &format!("the types are {}, and enums", types.join(", ")));
        None
    }
}
