//! The arguments of a host call.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use pleach_image::format::{ValueRow, value_tag};

/// Value of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Integer.
    Int(i32),
    /// Float.
    Float(f32),
    /// Bytes of a text. The author of the tree chooses the encoding.
    Text(&'a [u8]),
}

impl Value<'_> {
    /// Returns the value as an integer. Floats are truncated toward zero and saturate; a text
    /// counts as 0.
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

    /// Returns the value as a float; a text counts as 0.
    #[must_use]
    pub fn float(self) -> f32 {
        match self {
            Self::Int(int) => int as f32,
            Self::Float(float) => float,
            Self::Text(_) => 0.0,
        }
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

/// Arguments of a host call. They were parsed when the tree was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    pub(crate) values: &'a [ValueRow],
    pub(crate) strings: &'a [u8],
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
        let row = self.values.get(index)?;
        Some(match row.tag {
            value_tag::INT => Value::Int(row.bits as i32),
            value_tag::SLOT => Value::Int(0),
            value_tag::FLOAT => Value::Float(f32::from_bits(row.bits)),
            _ => Value::Text(self.strings.get(row.bits as usize..)?.get(..row.len as usize)?),
        })
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

    /// Returns an argument as text. Numbers are printed, floats with six decimals. A missing
    /// argument is empty.
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
