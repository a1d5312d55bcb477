//! Linking of names to the host's numbers, and messages about functions that the host lacks.

use crate::code::site::MISSING;
use crate::engine::parts::TickOrder;
use crate::host::{Effect, Function, Host};
use crate::layout::{Column, Frame};
use crate::values::Type;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::{vec, vec::Vec};
use core::fmt;
use hashbrown::HashMap;
use pleach_image::Image;
use pleach_image::format::{ImportRow, import_kind};
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::suggest::Suggestions;

/// Function that an image needs and a host lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFunction {
    /// Kind of the function.
    pub function: Function,
    /// Name of the function.
    pub name: String,
    /// Place of the first use, as `file:line`, if the image has debug information.
    pub place: Option<String>,
    /// Name of the host with a similar spelling.
    pub suggestion: Option<String>,
}

/// Error: the image needs functions that the host lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// All missing functions, in the order of the image.
    pub missing: Vec<MissingFunction>,
}

impl fmt::Display for LinkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the host lacks {} of the functions that the image needs:", self.missing.len())?;
        for missing in &self.missing {
            let kind = match missing.function {
                Function::Action => "action",
                Function::Query => "query",
            };
            write!(out, "\n  {kind} `{}`", missing.name)?;
            if let Some(place) = &missing.place {
                write!(out, ", used at {place}")?;
            }
            if let Some(suggestion) = &missing.suggestion {
                write!(out, " (did you mean `{suggestion}`?)")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for LinkError {}

/// For each function, the column that has its answers, if there is one.
pub(super) fn answers<D: AsRef<[u8]>>(
    image: &Image<D>,
    host: &dyn Host,
    functions: &[u32],
    frame: &mut Frame,
) -> Vec<Option<Column>> {
    // Slots may share a name: then the first counts.
    let mut columns: HashMap<&str, Column> = HashMap::new();
    for (row, slot) in image.slots().iter().zip(&frame.slots) {
        columns.entry(image.name(row.name)).or_insert(slot.column);
    }
    let column = |(import, number): (&ImportRow, &u32)| {
        let query = kind(import.kind) == Function::Query && *number != MISSING;
        let Type(kind) = query.then(|| host.column(*number)).flatten()?;
        let name = image.name(import.name);
        let known = columns.get(name).copied();
        // A query answers with a double, which words are not.
        if known.map_or(kind, |column| column.kind).is_word() || known.is_some() {
            return known.filter(|column| !column.kind.is_word());
        }
        let column = frame.add(name, kind)?;
        columns.insert(name, column);
        Some(column)
    };
    image.imports().iter().zip(functions).map(column).collect()
}

pub(super) fn order<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host, functions: &[u32]) -> TickOrder {
    let mut imports = image.imports().iter().zip(functions);
    let depends = imports.any(|(import, number)| {
        *number != MISSING && host.effect(kind(import.kind), *number) == Effect::World
    });
    // Places are taken at once, so the order of agents matters.
    if depends || !image.gates().is_empty() { TickOrder::ByIndex } else { TickOrder::Any }
}

fn kind(import: u32) -> Function {
    if import_kind::of(import) == import_kind::ACTION { Function::Action } else { Function::Query }
}

pub(super) fn resolve<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Result<Vec<u32>, LinkError> {
    let mut functions = Vec::with_capacity(image.imports().len());
    let mut missing = Vec::new();
    for (index, import) in image.imports().iter().enumerate() {
        let function = kind(import.kind);
        let name = image.name(import.name);
        match host.resolve(function, name).filter(|number| *number != MISSING) {
            Some(number) => functions.push(number),
            None if import.kind & import_kind::OPTIONAL != 0 => functions.push(MISSING),
            None => missing.push((index, function, name)),
        }
    }
    if missing.is_empty() {
        return Ok(functions);
    }
    let uses = first_uses(image);
    let [actions, queries] = [Function::Action, Function::Query].map(|function| host.names(function));
    let names = |function| if function == Function::Action { &actions } else { &queries };
    let suggestions = Suggestions::default();
    let explain = |(index, function, name): (usize, Function, &str)| MissingFunction {
        function,
        name: name.to_owned(),
        place: uses[index].and_then(|word| place(image, word)),
        suggestion: suggestions.closest(name, names(function).iter().map(String::as_str)).map(str::to_owned),
    };
    Err(LinkError { missing: missing.into_iter().map(explain).collect() })
}

/// For each function, the word of the code that uses it first.
fn first_uses<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Option<u32>> {
    let mut uses = vec![None; image.imports().len()];
    let mut seen = vec![false; image.conditions().len()];
    for (at, word) in image.code().iter().enumerate() {
        let mut note = |site: u16| {
            let import = image.sites()[usize::from(site)].import;
            uses[usize::from(import)].get_or_insert(at as u32);
        };
        let operand = word.op().and_then(|op| op.fields().iter().find(|field| field.place == "a"));
        match operand.map(|field| field.kind) {
            Some("action") => note(word.a),
            Some("condition" | "number" | "word")
                if !core::mem::replace(&mut seen[usize::from(word.a)], true) =>
            {
                let asks = |word: &&StackWord| matches!(word.op(), Some(StackOp::Query | StackOp::Ask));
                image.condition(word.a.into()).iter().filter(asks).for_each(|word| note(word.a));
            }
            _ => {}
        }
    }
    uses
}

/// Returns the place in the source that a word of the code was compiled from, as `file:line`.
fn place<D: AsRef<[u8]>>(image: &Image<D>, word: u32) -> Option<String> {
    let node = image.debug_node(image.debug_word(word)?)?;
    Some(format!("{}:{}", image.debug_text(node.file), node.line))
}
