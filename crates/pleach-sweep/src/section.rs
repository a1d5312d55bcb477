//! Sections of a plan, read with the lines of all keys, so that each error names a line.

use pleach_image::suggest::{closest, hint};
use std::fmt;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Error in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Line of the plan, from 1.
    pub line: u32,
    /// Description of the problem, with advice.
    pub message: String,
}

impl PlanError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for PlanError {}

/// Value of a setting, as the plan has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Boolean.
    Bool(bool),
    /// Integer.
    Integer(i64),
    /// Finite number.
    Number(f64),
    /// Name of a member of an enum.
    Name(String),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(flag) => write!(out, "{flag}"),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Number(number) => write!(out, "{number:?}"),
            Self::Name(name) => write!(out, "\"{name}\""),
        }
    }
}

/// Places of all line ends of a text.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// Returns the line of a place, from 1.
    fn line(&self, place: Range<usize>) -> u32 {
        1 + self.0.partition_point(|end| *end < place.start) as u32
    }
}

/// Table of a plan, with its place.
#[derive(Clone)]
pub(crate) struct Section<'p> {
    ends: &'p LineEnds,
    /// Line of the section's heading.
    pub(crate) line: u32,
    /// Entries in the order of the text.
    entries: Vec<Entry<'p>>,
}

/// Key with its value.
#[derive(Clone)]
pub(crate) struct Entry<'p> {
    ends: &'p LineEnds,
    pub(crate) line: u32,
    pub(crate) key: &'p str,
    value: &'p DeValue<'p>,
}

/// Reads the text of a plan. Calls a function with the whole plan.
pub(crate) fn read<T>(
    text: &str,
    plan: impl FnOnce(Section<'_>) -> Result<T, PlanError>,
) -> Result<T, PlanError> {
    let ends = LineEnds::of(text);
    let table = DeTable::parse(text)
        .map_err(|error| PlanError::new(ends.line(error.span().unwrap_or(0..0)), error.message()))?;
    plan(Section::new(&ends, 1, table.get_ref()))
}

impl<'p> Section<'p> {
    fn new(ends: &'p LineEnds, line: u32, table: &'p DeTable<'p>) -> Self {
        let mut rows: Vec<(&Spanned<_>, &Spanned<DeValue<'p>>)> = table.iter().collect();
        rows.sort_by_key(|(key, _)| key.span().start);
        let entry = |(key, value): (&'p Spanned<std::borrow::Cow<'p, str>>, &'p Spanned<DeValue<'p>>)| {
            Entry { ends, line: ends.line(key.span()), key: key.get_ref(), value: value.get_ref() }
        };
        Self { ends, line, entries: rows.into_iter().map(entry).collect() }
    }

    /// Makes sure that all keys are known.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), PlanError> {
        match self.entries.iter().find(|entry| !known.contains(&entry.key)) {
            None => Ok(()),
            Some(entry) => {
                let help = match closest(entry.key, known.iter().copied()) {
                    None => format!("; known keys are {}", listed(known)),
                    near => hint(near),
                };
                Err(entry.error(format!("there is no key `{}`{help}", entry.key)))
            }
        }
    }

    /// Returns the entry with a key, if it is there.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry<'p>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Returns all entries, in the order of the text.
    pub(crate) fn entries(&self) -> &[Entry<'p>] {
        &self.entries
    }

    /// Returns the section below a key; an empty one if it is not there.
    pub(crate) fn below(&self, key: &str) -> Result<Self, PlanError> {
        let none = Self { ends: self.ends, line: self.line, entries: Vec::new() };
        self.get(key).map_or(Ok(none), Entry::section)
    }

    /// Returns the integer of a key, or a default.
    pub(crate) fn integer_or(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> Result<i64, PlanError> {
        self.get(key).map_or(Ok(default), |entry| entry.integer(range))
    }

    /// Returns the boolean of a key, or a default.
    pub(crate) fn flag_or(&self, key: &str, default: bool) -> Result<bool, PlanError> {
        self.get(key).map_or(Ok(default), |entry| match entry.value {
            DeValue::Boolean(flag) => Ok(*flag),
            _ => Err(entry.expected("true or false")),
        })
    }
}

/// Returns names for a message: `a`, `b`, `c`.
pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl<'p> Entry<'p> {
    /// Returns an error at the entry.
    pub(crate) fn error(&self, message: impl Into<String>) -> PlanError {
        PlanError::new(self.line, message)
    }

    fn expected(&self, what: &str) -> PlanError {
        self.error(format!("`{}` is {what}, and here is {}", self.key, described(self.value)))
    }

    /// Returns the text of a string.
    pub(crate) fn string(&self) -> Result<&'p str, PlanError> {
        self.value.as_str().ok_or_else(|| self.expected("a text in quotes"))
    }

    /// Returns an integer within a range.
    pub(crate) fn integer(&self, range: RangeInclusive<i64>) -> Result<i64, PlanError> {
        let number = integer(self.value).filter(|number| range.contains(number));
        let what = || match *range.end() {
            i64::MAX => format!("an integer from {}", range.start()),
            end => format!("an integer from {} to {end}", range.start()),
        };
        number.ok_or_else(|| self.expected(&what()))
    }

    /// Returns a finite number.
    pub(crate) fn number(&self) -> Result<f64, PlanError> {
        number(self.value).ok_or_else(|| self.expected("a finite number"))
    }

    /// Returns a chance, from 0 to 1.
    pub(crate) fn chance(&self) -> Result<f64, PlanError> {
        let chance = number(self.value).filter(|chance| (0.0..=1.0).contains(chance));
        chance.ok_or_else(|| self.expected("a chance from 0 to 1"))
    }

    /// Returns true if the value is a list.
    pub(crate) fn is_list(&self) -> bool {
        self.value.is_array()
    }

    /// Returns true if the value is a text.
    pub(crate) fn is_text(&self) -> bool {
        self.value.is_str()
    }

    /// Returns the elements of a list as entries of their own.
    pub(crate) fn list(&self) -> Result<Vec<Self>, PlanError> {
        let list = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        let (ends, key) = (self.ends, self.key);
        let entry =
            |value: &'p Spanned<_>| Self { ends, line: ends.line(value.span()), key, value: value.get_ref() };
        Ok(list.iter().map(entry).collect())
    }

    /// Returns the section that is the value.
    pub(crate) fn section(&self) -> Result<Section<'p>, PlanError> {
        let table = self.value.as_table().ok_or_else(|| self.expected("a section"))?;
        Ok(Section::new(self.ends, self.line, table))
    }

    /// Returns the value of a setting.
    pub(crate) fn value(&self) -> Result<Value, PlanError> {
        match self.value {
            DeValue::Boolean(flag) => Ok(Value::Bool(*flag)),
            DeValue::String(name) => Ok(Value::Name(name.clone().into_owned())),
            DeValue::Integer(_) => {
                let number = integer(self.value).ok_or_else(|| self.expected("an integer of 64 bits"))?;
                Ok(Value::Integer(number))
            }
            _ => Ok(Value::Number(self.number()?)),
        }
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    let number = match value.as_float() {
        Some(float) => float.as_str().parse::<f64>().ok(),
        None => integer(value).map(|number| number as f64),
    };
    number.filter(|number| number.is_finite())
}

fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.len() <= 40 => format!("\"{text}\""),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Array(list) => format!("a list of {}", list.len()),
        DeValue::Table(_) => "a section".to_owned(),
        DeValue::String(_) => "a long text".to_owned(),
        DeValue::Datetime(_) => "a date".to_owned(),
    }
}
