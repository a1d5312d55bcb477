//! Types of expressions, as far as declarations tell them.

use super::{DeclarationKind, Project, Symbol};
use crate::document::{Document, Space};
use pleach_compile::internals::language::{Binary, Keyword, Op, OpKind, Operator, types};
use pleach_compile::manifest;
use std::sync::Arc;

/// Type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`, also of a narrow variable
    Int,
    /// `float`
    Float,
    /// `int64`
    Int64,
    /// `double`
    Double,
    /// `entity`, or an entity of a kind as it is written: `entity<Enemy>`
    Entity(Arc<str>),
    /// `text`
    Text,
    /// `vec2`
    Vec2,
    /// `vec3`
    Vec3,
    /// The enum with this name.
    Enum(Arc<str>),
    /// Nothing is known of the value.
    Unknown,
}

/// Types that have one name.
static NAMES: [(&str, Type); 8] = [
    ("bool", Type::Bool),
    ("int", Type::Int),
    ("float", Type::Float),
    ("int64", Type::Int64),
    ("double", Type::Double),
    ("text", Type::Text),
    ("vec2", Type::Vec2),
    ("vec3", Type::Vec3),
];

impl Type {
    /// Returns the type with this name in a declaration.
    #[must_use]
    pub fn named(word: &str) -> Self {
        let word = word.split([' ', '{', '?']).next().unwrap_or_default();
        let known = NAMES.iter().find(|(name, _)| *name == word);
        match word {
            _ if let Some((_, ty)) = known => ty.clone(),
            "number" => Self::Float,
            "" => Self::Unknown,
            entity if entity == "entity" || entity.starts_with("entity<") => Self::Entity(entity.into()),
            narrow if types(true).any(|name| name == narrow) => Self::Int,
            name => Self::Enum(name.into()),
        }
    }

    /// Returns the name of the type in a declaration; that of an int if nothing is known.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Enum(name) | Self::Entity(name) => name,
            ty => NAMES.iter().find(|(_, known)| known == ty).map_or("int", |(name, _)| name),
        }
    }

    /// Returns the names of the parts of a vector; none for any other type.
    #[must_use]
    pub fn part_names(&self) -> &'static [&'static str] {
        match self {
            Self::Vec2 => manifest::Type::Vec2.part_names(),
            Self::Vec3 => manifest::Type::Vec3.part_names(),
            _ => &[],
        }
    }

    /// Returns true if a value of the type can stand where another type is needed.
    #[must_use]
    pub fn fits(&self, needed: &Self) -> bool {
        let converts = match needed {
            Self::Float | Self::Int64 => *self == Self::Int,
            Self::Double => matches!(self, Self::Int | Self::Float),
            Self::Entity(kind) => matches!(self, Self::Entity(_)) && &**kind == "entity",
            _ => false,
        };
        self == needed || converts || *self == Self::Unknown || *needed == Self::Unknown
    }
}

impl Project {
    /// Returns the type of an expression of a file.
    #[must_use]
    pub fn type_of(&self, file: &str, document: &Document, ops: &[Op]) -> Type {
        let mut stack: Vec<Type> = Vec::new();
        for op in ops {
            let ty = match op.kind {
                OpKind::Int => Type::Int,
                OpKind::Float | OpKind::Draw => Type::Float,
                OpKind::Truth => Type::Bool,
                OpKind::Nobody => Type::Entity("entity".into()),
                OpKind::Text => Type::Text,
                OpKind::Now => Type::Int,
                OpKind::Name => self.type_of_name(file, op.place.0),
                OpKind::Member => self.type_of_part(file, document, op),
                OpKind::Call => {
                    let first = stack.len().saturating_sub(op.count as usize);
                    let args = stack.split_off(first);
                    self.type_of_call(file, document.slice(op.place), op.place.0, &args)
                }
                OpKind::Convert(to) => {
                    stack.pop();
                    Type::named(&to.to_string())
                }
                OpKind::Not => {
                    stack.pop();
                    Type::Bool
                }
                OpKind::Negate => stack.pop().unwrap_or(Type::Unknown),
                OpKind::Binary(operator) => {
                    let right = stack.pop().unwrap_or(Type::Unknown);
                    let left = stack.pop().unwrap_or(Type::Unknown);
                    if matches!(operator, Operator::Truth(_)) { Type::Bool } else { number(&[left, right]) }
                }
                OpKind::Else | OpKind::Wrong => Type::Unknown,
            };
            stack.push(ty);
        }
        stack.pop().unwrap_or(Type::Unknown)
    }

    /// Returns the type of a call of the function with a name, which stands at a byte.
    fn type_of_call(&self, file: &str, name: &str, at: u32, args: &[Type]) -> Type {
        match Keyword::spelled(name).filter(|keyword| keyword.is_function()) {
            Some(Keyword::Vec2) => Type::Vec2,
            Some(Keyword::Vec3) => Type::Vec3,
            Some(keyword) if keyword.is_taken() => number(args),
            // A declaration hides some functions, which give a float.
            Some(_) => match self.type_of_name(file, at) {
                Type::Unknown => Type::Float,
                ty => ty,
            },
            None => self.type_of_name(file, at),
        }
    }

    /// Returns the type of a name, a `.` and a name: a member of an enum or a part of a vector.
    fn type_of_part(&self, file: &str, document: &Document, op: &Op) -> Type {
        let mention = self.file(file).and_then(|known| known.mention_at(op.place.0));
        if mention.is_some_and(|mention| self.resolve(file, mention).space != Space::Enum) {
            return Type::Float;
        }
        let name = document.slice(op.place).split('.').next().unwrap_or_default();
        Type::Enum(name.trim().into())
    }

    /// Returns the type of the name at a byte.
    fn type_of_name(&self, file: &str, at: u32) -> Type {
        let Some(known) = self.file(file) else { return Type::Unknown };
        let Some(mention) = known.mention_at(at) else { return Type::Unknown };
        self.type_of_symbol(file, &self.resolve(file, mention))
    }

    /// Returns the type of a value by its declaration.
    #[must_use]
    pub fn type_of_symbol(&self, file: &str, symbol: &Symbol) -> Type {
        if let Space::Member(of) = &symbol.space {
            return Type::Enum(of.clone());
        }
        let Some((place, declaration)) = self.declaration(file, symbol) else { return Type::Unknown };
        if declaration.kind == DeclarationKind::Symbol {
            return Type::Int;
        }
        use DeclarationKind::{AgentTunable, Constant, Tunable};
        let is_constant = matches!(declaration.kind, Constant | Tunable | AgentTunable);
        if !is_constant || !declaration.ty.is_empty() {
            return Type::named(&declaration.ty);
        }
        self.type_of_constant(place, declaration.range.1)
    }

    /// Returns the type of a constant without a written type, if its value is a literal or a
    /// member.
    fn type_of_constant(&self, file: &str, name_end: u32) -> Type {
        let Some(document) = self.file(file).map(|file| file.document()) else { return Type::Unknown };
        let Some(item) = document.item_at(name_end) else { return Type::Unknown };
        let Some((start, end)) = document.items()[item].value else { return Type::Unknown };
        let within = |op: &&Op| start <= op.place.0 && op.place.1 <= end;
        let ops: Vec<Op> = document.all_ops().iter().filter(within).copied().collect();
        let is_named = ops.iter().any(|op| match op.kind {
            OpKind::Name => true,
            OpKind::Call => !["vec2", "vec3"].contains(&document.slice(op.place)),
            _ => false,
        });
        // Constants may be named in a circle, which the compiler reports.
        if is_named { Type::Unknown } else { self.type_of(file, document, &ops) }
    }

    /// Returns the type that a name in a condition should have: that of the operand beside it, or
    /// `bool` if it is a condition itself.
    #[must_use]
    pub fn type_beside(&self, file: &str, document: &Document, ops: &[Op], at: u32) -> Type {
        let Some(index) = ops.iter().position(|op| op.place.0 == at) else { return Type::Unknown };
        // Number of values from the operand to the top of the stack.
        let mut above = 1;
        for (next, op) in ops.iter().enumerate().skip(index + 1) {
            let takes = taken(op);
            if takes < above {
                above = above - takes + 1;
                continue;
            }
            let is_right = above == 1;
            let end = if is_right { operand_start(ops, index + 1) } else { next };
            let start = if is_right { operand_start(ops, end) } else { index + 1 };
            return match op.kind {
                OpKind::Binary(Operator::Truth(Binary::And | Binary::Or)) | OpKind::Not => Type::Bool,
                OpKind::Binary(_) => self.type_of(file, document, &ops[start..end]),
                _ => Type::Unknown,
            };
        }
        Type::Bool
    }
}

/// Returns the number of values that a step takes.
fn taken(op: &Op) -> usize {
    match op.kind {
        OpKind::Call => op.count as usize,
        OpKind::Convert(_) | OpKind::Not | OpKind::Negate => 1,
        OpKind::Binary(_) => 2,
        _ => 0,
    }
}

/// Returns the index of the first step of the operand that ends before an index.
pub(crate) fn operand_start(ops: &[Op], end: usize) -> usize {
    let (mut needed, mut at) = (1, end);
    while needed > 0 && at > 0 {
        at -= 1;
        needed = needed - 1 + taken(&ops[at]);
    }
    at
}

/// Returns the type of a computed number.
fn number(args: &[Type]) -> Type {
    let widest = [Type::Vec2, Type::Vec3, Type::Double, Type::Float, Type::Int64]
        .into_iter()
        .find(|ty| args.contains(ty));
    widest.unwrap_or(Type::Int)
}
