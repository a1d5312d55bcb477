//! Declarations of all kinds of files in one form.

use crate::document::{Declared, Document, Item, ItemKind, Owner, Range, Space};
use pleach_compile::internals::language::Lexeme;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// Kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeclarationKind {
    /// Action of the game.
    Action,
    /// Query of the game.
    Query,
    /// Variable of each agent.
    Variable,
    /// Variable of a group.
    GroupVariable,
    /// Variable of the world.
    WorldVariable,
    /// Constant.
    Constant,
    /// Tunable of all agents.
    Tunable,
    /// Tunable of each agent.
    AgentTunable,
    /// Symbol of a manifest.
    Symbol,
    /// Enum.
    Enum,
    /// Member of an enum.
    Member,
    /// Event, with a handler.
    Event,
    /// Tree.
    Tree,
    /// Variable of a tree.
    TreeVariable,
    /// Parameter.
    Parameter,
}

/// Thing that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// Its space of names.
    pub space: Space,
    /// Its name.
    pub name: Box<str>,
}

/// Parameter of an action, query or tree.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Box<str>,
    /// Its type as written, with `?` behind it if the parameter is optional.
    pub ty: Box<str>,
    /// True if an action gives a value by it.
    pub out: bool,
}

impl Display for Parameter {
    /// Writes the parameter as it is declared.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, ty, out } = self;
        write!(formatter, "{}{name}: {ty}", if *out { "out " } else { "" })
    }
}

/// Declaration of a name.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Kind of the declaration.
    pub kind: DeclarationKind,
    /// The name.
    pub name: Box<str>,
    /// Its space of names.
    pub space: Space,
    /// The name in the text.
    pub range: Range,
    /// All of the declaration. That of a tree is up to its block.
    pub whole: Range,
    /// Its type as written; empty if it has none.
    pub ty: Arc<str>,
    /// Parameters of an action, query or tree.
    pub params: Vec<Parameter>,
    /// Value of a constant, default and range of a tunable, number of a member, or default of a
    /// variable, as written.
    pub value: Box<str>,
    /// Text of the comments that belong to it.
    pub comment: Box<str>,
}

/// Returns the declarations of a text with trees.
pub(super) fn of_trees(document: &Document) -> Vec<Declaration> {
    let mut list = Vec::new();
    for item in document.items() {
        list.extend(declared(document, item));
        parts(document, item, &mut list);
    }
    list
}

fn declared(document: &Document, item: &Item) -> Option<Declaration> {
    use DeclarationKind as Kind;
    let range = item.name?;
    let (kind, space) = match item.kind {
        ItemKind::Include => return None,
        ItemKind::Action => (Kind::Action, Space::Action),
        ItemKind::Query => (Kind::Query, Space::Value),
        ItemKind::Variable => (Kind::Variable, Space::Value),
        ItemKind::GroupVariable => (Kind::GroupVariable, Space::Value),
        ItemKind::WorldVariable => (Kind::WorldVariable, Space::Value),
        ItemKind::Constant => (Kind::Constant, Space::Value),
        ItemKind::Tunable => (Kind::Tunable, Space::Value),
        ItemKind::AgentTunable => (Kind::AgentTunable, Space::Value),
        ItemKind::Enum => (Kind::Enum, Space::Enum),
        ItemKind::Handler => (Kind::Event, Space::Event),
        ItemKind::Tree => (Kind::Tree, Space::Tree),
    };
    let text = |range: Range| -> Box<str> { document.slice(range).into() };
    let params = item.parts.iter().filter(|_| kind != Kind::Enum);
    let param = |part: &Declared| Parameter { name: text(part.name), ty: text(part.detail), out: part.out };
    Some(Declaration {
        kind,
        name: text(range),
        space,
        range,
        whole: (item.start, heading_end(document, item)),
        ty: item.ty.map(|range| document.slice(range).into()).unwrap_or_default(),
        params: params.map(param).collect(),
        value: item.value.map(text).unwrap_or_default(),
        comment: comment(document, (item.start, item.end)),
    })
}

/// Returns the end of a declaration, without the block of a tree or handler.
pub(crate) fn heading_end(document: &Document, item: &Item) -> u32 {
    if !matches!(item.kind, ItemKind::Tree | ItemKind::Handler) {
        return item.end;
    }
    let tokens = &document.tokens()[item.tokens.0 as usize..item.tokens.1 as usize];
    let heading = tokens.iter().take_while(|token| !token.is(Lexeme::OpenBrace));
    let heading = heading.filter(|token| !token.is_comment());
    heading.last().map_or(item.end, |token| token.end)
}

/// Adds the parameters, members and variables of a declaration.
fn parts(document: &Document, item: &Item, list: &mut Vec<Declaration>) {
    let owner = document.owner(item);
    let Some(name) = item.name.map(|name| document.slice(name)) else { return };
    // All parts share the text of the name.
    let of: Arc<str> = name.into();
    let space = owner.map_or_else(|| Space::Member(of.clone()), Space::Local);
    let is_enum = item.kind == ItemKind::Enum;
    let kind = if is_enum { DeclarationKind::Member } else { DeclarationKind::Parameter };
    let text = |range: Range| -> Box<str> { document.slice(range).into() };
    let mut next = 0_i64;
    for part in &item.parts {
        let end = part.detail.1.max(part.name.1);
        let declaration = |ty, value| Declaration {
            kind,
            name: text(part.name),
            space: space.clone(),
            range: part.name,
            whole: (part.name.0, end),
            ty,
            params: Vec::new(),
            value,
            comment: comment(document, (part.name.0, end)),
        };
        if is_enum {
            let written = document.slice(part.detail).replace(' ', "");
            next = written.parse().unwrap_or(next);
            list.push(declaration(of.clone(), next.to_string().into()));
            next += 1;
        } else {
            list.push(declaration(document.slice(part.detail).into(), "".into()));
        }
    }
    for local in &item.locals {
        list.push(Declaration {
            kind: DeclarationKind::TreeVariable,
            name: text(local.name),
            space: space.clone(),
            range: local.name,
            whole: local.place,
            ty: document.slice(local.ty).into(),
            params: Vec::new(),
            value: "".into(),
            comment: comment(document, local.place),
        });
    }
}

/// Returns the text of the comments that belong to a range, without their marks.
fn comment(document: &Document, range: Range) -> Box<str> {
    let (start, end) = document.with_comments(range);
    let tokens = document.tokens()[document.token_at(start)..].iter().take_while(|token| token.end <= end);
    let near = tokens.filter(|token| token.is_comment());
    let outside = near.filter(|token| token.end <= range.0 || token.start >= range.1);
    let lines = outside.flat_map(|token| {
        let text = document.slice((token.start, token.end));
        let text = text.trim_start_matches("//").trim_start_matches("/*").trim_end_matches("*/");
        text.lines().map(|line| line.trim()).collect::<Vec<_>>()
    });
    lines.collect::<Vec<_>>().join("\n").trim().into()
}

impl Declaration {
    /// Returns the owner of the name, if it is a name of a declaration.
    #[must_use]
    pub fn owner(&self) -> Option<&Owner> {
        match &self.space {
            Space::Local(owner) => Some(owner),
            _ => None,
        }
    }

    /// Returns the heading of the declaration, as it would be written on one line.
    #[must_use]
    pub fn heading(&self) -> String {
        use DeclarationKind as Kind;
        let params = || {
            let list: Vec<_> = self.params.iter().map(Parameter::to_string).collect();
            if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
        };
        let (name, ty) = (&self.name, &self.ty);
        let typed = |word: &str| format!("{word} {name}: {ty}");
        let value = if self.value.is_empty() { String::new() } else { format!(" = {}", self.value) };
        match self.kind {
            Kind::Action => format!("action {name}{}", params()),
            Kind::Query => format!("query {name}{}: {ty}", params()),
            Kind::Variable | Kind::TreeVariable => typed("var") + &value,
            Kind::GroupVariable => typed("group var") + &value,
            Kind::WorldVariable => typed("world var") + &value,
            Kind::Constant | Kind::Tunable | Kind::AgentTunable => {
                let words = match self.kind {
                    Kind::Constant => "const",
                    Kind::Tunable => "tune const",
                    _ => "tune agent const",
                };
                if ty.is_empty() { format!("{words} {name}{value}") } else { typed(words) + &value }
            }
            Kind::Symbol => format!("symbol {name}{value}"),
            Kind::Enum => format!("enum {name}"),
            Kind::Member => format!("{ty}.{name}{value}"),
            Kind::Event => format!("on {name}"),
            Kind::Tree => format!("tree {name}{}", params()),
            Kind::Parameter => format!("{name}: {ty}"),
        }
    }
}
