//! The arguments of a host call.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use pleach_image::format::{ValueRow, value_tag};

/// A literal from the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// An integer.
    Int(i32),
    /// A float.
    Float(f32),
    /// A string of bytes; which encoding is the tree author's business.
    Text(&'a [u8]),
}

impl Value<'_> {
    /// As an integer: floats are truncated toward zero and saturate, text counts 0.
    #[must_use]
    pub fn int(self) -> i32 {
        match self {
            Self::Int(int) => int,
            Self::Float(float) => float as i32,
            Self::Text(_) => 0,
        }
    }

    /// Returns the value as a double, which holds every integer and float; text counts 0.
    #[must_use]
    pub fn number(self) -> f64 {
        match self {
            Self::Int(int) => int.into(),
            Self::Float(float) => float.into(),
            Self::Text(_) => 0.0,
        }
    }

    /// As a float; text counts 0.
    #[must_use]
    pub fn float(self) -> f32 {
        match self {
            Self::Int(int) => int as f32,
            Self::Float(float) => float,
            Self::Text(_) => 0.0,
        }
    }
}

/// A named value that a rule passes to its action and conditions, as text and as the numbers that it begins with. These
/// were read when the tree was compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The value as it is written.
    pub text: &'a [u8],
    /// The value as an integer; 0 if it is none.
    pub int: i32,
    /// The value as a float; 0 if it is none.
    pub float: f32,
}

/// The arguments of a host call: constants of the program, parsed long ago.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    pub(crate) values: &'a [ValueRow],
    pub(crate) strings: &'a [u8],
}

impl<'a> Args<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The argument at `index`, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Value<'a>> {
        let row = self.values.get(index)?;
        Some(match row.tag {
            value_tag::INT => Value::Int(row.bits as i32),
            value_tag::SLOT => Value::Int(0),
            value_tag::FLOAT => Value::Float(f32::from_bits(row.bits)),
            _ => Value::Text(self.strings.get(row.bits as usize..)?.get(..row.len as usize)?),
        })
    }

    /// All arguments in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'a>> + '_ {
        (0..self.len()).map(|index| self.get(index).unwrap_or(Value::Int(0)))
    }

    /// The parameters, for dialects that name their arguments. Nothing is parsed.
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

    /// The parameter of this name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<Parameter<'a>> {
        self.parameters().find(|parameter| parameter.name == name.as_bytes())
    }

    /// The argument as an integer: floats are truncated toward zero and saturate, text and what is missing count 0.
    #[must_use]
    pub fn int(&self, index: usize) -> i32 {
        self.get(index).map_or(0, Value::int)
    }

    /// The argument as a float; text and what is missing count 0.
    #[must_use]
    pub fn float(&self, index: usize) -> f32 {
        self.get(index).map_or(0.0, Value::float)
    }

    /// Returns the argument as a double; text and what is missing count 0.
    #[must_use]
    pub fn number(&self, index: usize) -> f64 {
        self.get(index).map_or(0.0, Value::number)
    }

    /// The argument as text: numbers are printed, floats with six decimals; what is missing is empty.
    #[must_use]
    pub fn text(&self, index: usize) -> Cow<'a, [u8]> {
        match self.get(index) {
            Some(Value::Int(int)) => int.to_string().into_bytes().into(),
            Some(Value::Float(float)) => format!("{float:.6}").into_bytes().into(),
            Some(Value::Text(text)) => text.into(),
            None => Cow::Borrowed(&[]),
        }
    }
}
