//! Enums: which there are, what their members are, and which column holds them.

use super::super::syntax::{Member, Param};
use super::super::words::types;
use super::{
    Checker, Diagnostic, Kind, Op, Program, SlotKind, Span, Sym, Type, Value, Word, ast, bounds, codes,
    type_of,
};
use crate::ast::Typed;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// Types of other languages, and what they are here.
const FOREIGN_TYPES: [(&[&str], &str); 7] = [
    (&["boolean"], "bool"),
    (&["integer", "int32"], "int"),
    (&["long"], "int64"),
    (&["number"], "float"),
    (&["object"], "entity"),
    (&["byte"], "uint8"),
    (&["string"], "text"),
];

/// Columns that are narrower than an int, in the order in which enums prefer them.
const NARROW: [SlotKind; 4] = [SlotKind::U8, SlotKind::I8, SlotKind::U16, SlotKind::I16];

/// Most members that a help names.
const SHOWN_MEMBERS: usize = 4;

impl Checker<'_, '_> {
    /// Reports names that stand as types and are none.
    pub(super) fn types(&mut self) {
        for index in 0..self.program.mentions.len() {
            let (of, at) = self.program.mentions[index];
            if self.program.enums[of as usize].span.is_none() && !self.program.is_incomplete {
                self.no_type(of, at);
            }
        }
    }

    /// Writes down the enums, and everything that has their types.
    pub(super) fn describe(&mut self) {
        let Self { program, file, .. } = self;
        if program.enums.is_empty() {
            return;
        }
        file.enums.extend(program.enums.iter().map(|it| ast::Enum { name: it.name, members: it.members }));
        file.members.extend(program.members.iter().map(|member| (member.name, member.value)));
        let mut typed = |subject, ty| {
            if let Type::Enum(of) = ty {
                file.typed.push((subject, of));
            }
        };
        for (index, variable) in (0..).zip(&program.variables) {
            typed(Typed::Variable(index), type_of(variable.kind));
        }
        for action in &program.actions {
            for (place, param) in placed(action.params) {
                typed(Typed::OfAction(action.name, place), param.ty);
            }
        }
        for query in &program.queries {
            typed(Typed::Answer(query.name), query.answers);
            for (place, param) in placed(query.params) {
                typed(Typed::OfQuery(query.name, place), param.ty);
            }
        }
    }

    #[cold]
    fn no_type(&mut self, of: u32, at: Span) {
        let name = self.enum_name(of).into_owned();
        let known: Vec<&str> = types(true).collect();
        let is_meant = |foreign: &&str| foreign.eq_ignore_ascii_case(&name);
        let foreign = FOREIGN_TYPES.iter().find(|(foreign, _)| foreign.iter().any(is_meant));
        let help = match foreign {
            Some((_, known)) => Some(format!("did you mean `{known}`?")),
            None => {
                let declared = (0..).zip(&self.program.enums).filter(|(_, it)| it.span.is_some());
                let declared = declared
                    .filter_map(|(_, it)| core::str::from_utf8(self.session.names.bytes(it.name)).ok());
                self.session.near(&name, known.iter().copied().chain(declared))
            }
        };
        let rest = format!("the types are {} and those declared by `enum NAME {{ }}`", known.join(", "));
        let help = help.map_or(rest.clone(), |help| format!("{help} T{}", &rest[1..]));
        let finding = Diagnostic::new(codes::WRONG_TYPE, Some(at), format!("`{name}` is no type"));
        self.session.diagnostics.push(finding.help(help));
    }

    fn enum_name(&self, of: u32) -> Cow<'_, str> {
        self.session.names.cited(self.program.enums[of as usize].name)
    }

    /// Returns true for an enum that is mentioned and not declared, which has been reported.
    pub(super) fn is_unknown(&self, ty: Type) -> bool {
        matches!(ty, Type::Enum(of) if self.program.enums[of as usize].span.is_none())
    }

    /// Returns the article and name of a type: `an int`.
    pub(super) fn a(&self, ty: Type) -> Cow<'static, str> {
        Cow::Borrowed(match ty {
            Type::Bool => "a bool",
            Type::Int => "an int",
            Type::Float => "a float",
            Type::Int64 => "an int64",
            Type::Double => "a double",
            Type::Entity(0) => "an entity",
            Type::Entity(_) => return Cow::Owned(format!("an {}", self.type_name(ty))),
            Type::Text => "a text",
            Type::Vec2 => "a vec2",
            Type::Vec3 => "a vec3",
            Type::Number => "an int or a float",
            Type::Enum(of) => return Cow::Owned(format!("a value of `{}`", self.enum_name(of))),
        })
    }

    /// Returns the name of a type.
    pub(super) fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Enum(of) => self.enum_name(of).into_owned(),
            Type::Entity(kind) if kind != 0 => format!("entity<{}>", self.session.names.cited(Sym(kind))),
            _ => ty.to_string(),
        }
    }

    /// Returns the value that variables of a type begin with if nothing else is said.
    pub(super) fn zero(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Truth(false),
            Type::Float => Value::Float(0.0),
            Type::Int64 => Value::Int64(0),
            Type::Double => Value::Double(0.0),
            Type::Entity(_) => Value::Nobody,
            Type::Text => Value::Text(self.session.names.intern(b"")),
            Type::Vec2 | Type::Vec3 => self.vector(ty, [Value::Float(0.0); 3]),
            Type::Enum(of) => match self.program.members(of) {
                [] => Value::Wrong,
                [first, ..] => Value::Member(of, first.value),
            },
            _ => Value::Int(0),
        }
    }

    /// Returns the column for a variable.
    pub(super) fn column(&self, kind: Kind) -> SlotKind {
        match kind {
            Kind::Plain(kind) => kind,
            Kind::Entity(_) => SlotKind::Entity,
            Kind::Vector(_) | Kind::Part => SlotKind::F32,
            Kind::Enum(of) => self.columns[of as usize],
        }
    }

    /// Returns the member of an enum with a name.
    pub(super) fn member_named(&self, of: u32, word: Word) -> Option<Value> {
        self.members.get(&(of, word)).map(|value| Value::Member(of, *value))
    }

    /// Returns the enum that is declared with a name.
    pub(super) fn enum_named(&self, word: Word) -> Option<u32> {
        self.names.get(word).ty.filter(|of| self.program.enums[*of as usize].span.is_some())
    }

    /// Returns the value of `ENUM.MEMBER`.
    pub(super) fn member(&mut self, word: Word, op: Op) -> Value {
        let Some(of) = self.enum_named(word) else {
            return self.part_of_name(word, op).unwrap_or_else(|| self.no_enum(word, op));
        };
        match self.member_named(of, op.count) {
            Some(value) => value,
            None => self.no_member(of, op),
        }
    }

    #[cold]
    fn no_enum(&mut self, word: Word, op: Op) -> Value {
        let name = self.session.names.cited(Sym(word)).into_owned();
        let declared = self.program.enums.iter().filter(|it| it.span.is_some());
        let names: Vec<_> =
            declared.filter_map(|it| core::str::from_utf8(self.session.names.bytes(it.name)).ok()).collect();
        let near = self.session.near(&name, names);
        let help = near.unwrap_or_else(|| format!("declare it: `enum {name} {{ MEMBER, MEMBER }}`"));
        let at = self.place((op.start, op.end));
        self.undeclared(at, format!("there is no enum `{name}`"), Some(help));
        Value::Wrong
    }

    #[cold]
    fn no_member(&mut self, of: u32, op: Op) -> Value {
        let name = self.session.names.cited(Sym(op.count)).into_owned();
        let members = self.program.members(of).iter();
        let known = members.filter_map(|it| core::str::from_utf8(self.session.names.bytes(it.name)).ok());
        let near = self.session.near(&name, known);
        let help = near.unwrap_or_else(|| self.members_shown(of));
        let message = format!("the enum `{}` has no member `{name}`", self.enum_name(of));
        let at = self.place((op.start, op.end));
        self.undeclared(at, message, Some(help));
        Value::Wrong
    }

    /// Returns the value of the name of a member. A name that several enums have is an error.
    pub(super) fn bare_member(&mut self, index: u32, is_shared: bool, op: Op) -> Value {
        let Member { of, value, name, .. } = self.program.members[index as usize];
        if !is_shared {
            return Value::Member(of, value);
        }
        let name = self.session.names.cited(name).into_owned();
        let help = format!("say which: `{}.{name}`", self.enum_name(of));
        let at = self.place((op.start, op.end));
        self.tell(codes::SHARED_MEMBER, at, format!("`{name}` is a member of several enums"), help);
        Value::Wrong
    }

    /// Returns a help that names the members of an enum.
    pub(super) fn members_shown(&self, of: u32) -> String {
        let name = self.enum_name(of);
        let members = self.program.members(of);
        let shown = members.iter().take(SHOWN_MEMBERS);
        let shown: Vec<_> =
            shown.map(|it| format!("`{name}.{}`", self.session.names.cited(it.name))).collect();
        let more = if members.len() > SHOWN_MEMBERS { ", …" } else { "" };
        format!("its members are {}{more}", shown.join(", "))
    }

    /// Returns the name of the member with a number.
    pub(super) fn name_of_member(&self, of: u32, value: i32) -> Option<Cow<'_, str>> {
        let member = self.program.members(of).iter().find(|member| member.value == value)?;
        Some(self.session.names.cited(member.name))
    }

    /// Warns of a `match` that has no case for some members of an enum, and no `else`.
    pub(super) fn missing_cases(&mut self, of: u32, values: &[i32], at: Span) {
        let seen: HashSet<_> = values.iter().collect();
        let missing = self.program.members(of).iter().filter(|member| !seen.contains(&member.value));
        let names: Vec<_> =
            missing.map(|member| format!("`{}`", self.session.names.cited(member.name))).collect();
        if names.is_empty() {
            return;
        }
        let more = if names.len() > SHOWN_MEMBERS { ", …" } else { "" };
        let names = names[..names.len().min(SHOWN_MEMBERS)].join(", ");
        let message = format!("this `match` fails for {names}{more}, which have no case");
        let help = "add a case for each, or `else: NODE`; `else: failure` says that it is meant to fail";
        self.tell(codes::MISSING_CASES, at, message, help);
    }
}

/// Returns parameters with their places among the arguments, where a vector has one for each float.
fn placed(params: &[Param]) -> impl Iterator<Item = (u32, &Param)> {
    params.iter().scan(0, |next, param| {
        let place = *next;
        *next += param.ty.parts() as u32;
        Some((place, param))
    })
}

/// Returns the narrowest column that holds all of these numbers.
fn narrowest(members: &[Member]) -> SlotKind {
    let numbers = || members.iter().map(|member| member.value);
    let least = numbers().min().unwrap_or_default();
    let most = numbers().max().unwrap_or_default();
    let holds = |kind: &SlotKind| {
        bounds(Kind::Plain(*kind)).is_some_and(|(_, low, high)| low <= least && most <= high)
    };
    NARROW.into_iter().find(holds).unwrap_or(SlotKind::I32)
}

/// Returns the column of each enum.
pub(super) fn columns<'s>(program: &Program<'s>) -> ArenaVec<'s, SlotKind> {
    let all = 0..program.enums.len() as u32;
    all.map(|of| narrowest(program.members(of))).collect_in(program.arena)
}

/// Returns the number of each member by its enum and its word.
pub(super) fn members(program: &Program<'_>) -> HashMap<(u32, Word), i32> {
    // An enum that is declared again keeps the members of the first declaration.
    let all = (0..program.enums.len() as u32).flat_map(|of| program.members(of));
    all.map(|member| ((member.of, member.name.0), member.value)).collect()
}
