//! The arguments of a host call.

use crate::values::{EntityId, Kind, TextId, TextTable};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use pleach_image::format::StrRef;

/// Value of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Integer.
    Int(i32),
    /// Float.
    Float(f32),
    /// Integer of 64 bits.
    Int64(i64),
    /// Float of 64 bits.
    Double(f64),
    /// Entity of the host.
    Entity(EntityId),
    /// Bytes of a text. The author of the tree chooses the encoding.
    Text(&'a [u8]),
}

impl Value<'_> {
    /// Returns the value as an integer. Floats are truncated toward zero, and what is too large
    /// becomes the nearest integer. A text or an entity counts as 0.
    #[must_use]
    pub fn int(self) -> i32 {
        match self {
            Self::Int(int) => int,
            Self::Float(float) => float as i32,
            Self::Int64(int) => int.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            Self::Double(double) => double as i32,
            Self::Text(_) | Self::Entity(_) => 0,
        }
    }

    /// Returns the value as an integer of 64 bits, as [`Value::int`] does with 32 bits.
    #[must_use]
    pub fn int64(self) -> i64 {
        match self {
            Self::Int64(int) => int,
            value => value.number() as i64,
        }
    }

    /// Returns the value as a double. It holds every integer and float of 32 bits, and the nearest
    /// number to an integer of 64 bits. A text or an entity counts as 0.
    #[must_use]
    pub fn number(self) -> f64 {
        match self {
            Self::Int(int) => int.into(),
            Self::Float(float) => float.into(),
            Self::Int64(int) => int as f64,
            Self::Double(double) => double,
            Self::Text(_) | Self::Entity(_) => 0.0,
        }
    }

    /// Returns the value as a float; a text or an entity counts as 0.
    #[must_use]
    pub fn float(self) -> f32 {
        match self {
            Self::Int(int) => int as f32,
            Self::Float(float) => float,
            value => value.number() as f32,
        }
    }

    /// Returns the entity; [`EntityId::NONE`] for any other value.
    #[must_use]
    pub fn entity(self) -> EntityId {
        if let Self::Entity(entity) = self { entity } else { EntityId::NONE }
    }
}

/// Named value that a rule passes to its action and conditions: a text, and the numbers at its
/// beginning, which were read when the tree was compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter<'a> {
    /// Name of the parameter.
    pub name: &'a [u8],
    /// Value as written in the source.
    pub text: &'a [u8],
    /// Value as an integer; 0 if the text is no integer.
    pub int: i32,
    /// Value as a float; 0 if the text is no number.
    pub float: f32,
}

/// Argument of a call, as linking leaves it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    Int(i32),
    Float(f32),
    Int64(i64),
    Double(f64),
    Entity(EntityId),
    /// Place of a text in the strings.
    Text(StrRef),
    /// Variable, in the place of its value.
    Variable,
    /// Out argument: the first element of its column, and that of the bits that are set when a
    /// value is given, if there are such.
    Out {
        kind: Kind,
        first: u32,
        given: Option<u32>,
    },
}

/// Arguments of a host call. They were parsed when the tree was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// Values; of a call for one agent with the agent's values in the places of variables.
    pub(crate) values: &'a [Argument],
    /// Arguments as the tree has them: with variables in their places.
    pub(crate) written: &'a [Argument],
    pub(crate) texts: &'a TextTable,
}

impl<'a> Args<'a> {
    /// Returns the number of arguments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if there are no arguments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the argument at `index`, which counts from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Value<'a>> {
        Some(match *self.values.get(index)? {
            Argument::Int(int) => Value::Int(int),
            Argument::Variable | Argument::Out { .. } => Value::Int(0),
            Argument::Float(float) => Value::Float(float),
            Argument::Int64(int) => Value::Int64(int),
            Argument::Double(double) => Value::Double(double),
            Argument::Entity(entity) => Value::Entity(entity),
            Argument::Text(place) => Value::Text(self.texts.at(place)),
        })
    }

    /// Returns true for an out argument, by which the host gives a value. Read as a value, it is 0.
    #[must_use]
    pub fn is_out(&self, index: usize) -> bool {
        matches!(self.values.get(index), Some(Argument::Out { .. }))
    }

    /// Returns true for an argument that is a variable in the tree, so that each agent has a value
    /// of its own. The answer is the same in a [`Batch`](crate::Batch) and in the
    /// [`Call`](crate::Call) of one agent.
    #[must_use]
    pub fn is_variable(&self, index: usize) -> bool {
        matches!(self.written.get(index), Some(Argument::Variable))
    }

    /// Returns all arguments in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'a>> + '_ {
        (0..self.len()).map(|index| self.get(index).unwrap_or(Value::Int(0)))
    }

    /// Returns the parameters, for dialects with named arguments. Nothing is parsed.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter<'a>> + '_ {
        // Each is four arguments.
        (0..self.len() / 4).filter_map(|index| match [0, 1, 2, 3].map(|part| self.get(index * 4 + part)) {
            [
                Some(Value::Text(name)),
                Some(Value::Text(text)),
                Some(Value::Int(int)),
                Some(Value::Float(float)),
            ] => Some(Parameter { name, text, int, float }),
            _ => None,
        })
    }

    /// Returns the parameter with this name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<Parameter<'a>> {
        self.parameters().find(|parameter| parameter.name == name.as_bytes())
    }

    /// Returns an argument as an integer. Floats are truncated toward zero and saturate; texts and
    /// missing arguments count as 0.
    #[must_use]
    pub fn int(&self, index: usize) -> i32 {
        self.get(index).map_or(0, Value::int)
    }

    /// Returns an argument as a float; texts and missing arguments count as 0.
    #[must_use]
    pub fn float(&self, index: usize) -> f32 {
        self.get(index).map_or(0.0, Value::float)
    }

    /// Returns an argument as a double; texts and missing arguments count as 0.
    #[must_use]
    pub fn number(&self, index: usize) -> f64 {
        self.get(index).map_or(0.0, Value::number)
    }

    /// Returns an argument as an integer of 64 bits, see [`Value::int64`]; 0 if it is missing.
    #[must_use]
    pub fn int64(&self, index: usize) -> i64 {
        self.get(index).map_or(0, Value::int64)
    }

    /// Returns an argument as an entity; [`EntityId::NONE`] if it is none or missing.
    #[must_use]
    pub fn entity(&self, index: usize) -> EntityId {
        self.get(index).map_or(EntityId::NONE, Value::entity)
    }

    /// Returns the bytes of a text that a variable of the agent's crowd holds; no bytes for a
    /// number of no text.
    #[must_use]
    pub fn text_of(&self, text: TextId) -> &'a [u8] {
        self.texts.get(text.0)
    }

    /// Returns an argument as text. Numbers are printed, floats with six decimals. A missing
    /// argument is empty.
    #[must_use]
    pub fn text(&self, index: usize) -> Cow<'a, [u8]> {
        match self.get(index) {
            Some(Value::Int(int)) => int.to_string().into_bytes().into(),
            Some(Value::Float(float)) => format!("{float:.6}").into_bytes().into(),
            Some(Value::Int64(int)) => int.to_string().into_bytes().into(),
            Some(Value::Double(double)) => format!("{double:.6}").into_bytes().into(),
            Some(Value::Entity(entity)) => entity.0.to_string().into_bytes().into(),
            Some(Value::Text(text)) => text.into(),
            None => Cow::Borrowed(&[]),
        }
    }
}
