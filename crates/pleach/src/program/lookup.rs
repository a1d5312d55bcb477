//! Names of a program, looked up together.
//!
//! A game looks up the names that it shares with its trees once for each build of them. If
//! names are gone, it wants to know all of them, not only the first. `pleach bindgen` writes
//! code that does it like this:
//!
//! ```
//! use pleach::{Event, Program, Variable, program::{Lookup, LookupError}};
//! struct Ids { health: Variable, hit: Event }
//! impl Ids {
//!     fn of(program: &Program) -> Result<Self, LookupError> {
//!         let mut names = Lookup::new(program);
//!         let ids = Self { health: names.variable::<f32>("health"), hit: names.event("hit") };
//!         names.end(ids)
//!     }
//! }
//! ```

use crate::program::Program;
use crate::store::columns::{column, column_of};
use crate::values::{Event, SharedVariable, Variable, VariableValue, type_name};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use pleach_image::suggest::Suggestions;

/// Number that stands for a missing name, in handles that no caller gets.
const NOTHING: u16 = u16::MAX;

/// Lookup of names of a program that collects all missing names.
#[derive(Debug)]
pub struct Lookup<'p> {
    program: &'p Program,
    missing: Vec<MissingName>,
    suggestions: Suggestions,
}

/// Name that the host uses and the program lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingName {
    /// Kind of the name: `tree`, `variable`, `shared variable` or `event`.
    pub what: &'static str,
    /// Name that was not found.
    pub name: String,
    /// The type that was asked for and the type of the variable, if only the type differs.
    pub types: Option<(&'static str, &'static str)>,
    /// Name of the program with a similar spelling.
    pub suggestion: Option<String>,
}

/// Error: the program lacks names that the host uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// All missing names, in the order in which they were looked up.
    pub missing: Vec<MissingName>,
}

impl fmt::Display for LookupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the program lacks {} of the names that the host uses:", self.missing.len())?;
        for MissingName { what, name, types, suggestion } in &self.missing {
            write!(out, "\n  {what} `{name}`")?;
            if let Some((asked, held)) = types {
                write!(out, " as `{asked}`: it is `{held}`")?;
            }
            if let Some(suggestion) = suggestion {
                write!(out, " (did you mean `{suggestion}`?)")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for LookupError {}

impl<'p> Lookup<'p> {
    /// Returns a lookup for a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, missing: Vec::new(), suggestions: Suggestions::default() }
    }

    /// Returns the handle of an agent's variable with this type. If there is none, the name is
    /// noted as missing and the handle names no variable.
    pub fn variable<T: VariableValue>(&mut self, name: &str) -> Variable {
        let frame = &self.program.parts.frame;
        let is_variable = |variable: &Variable| column(frame, *variable).is_ok();
        match self.program.variable(name).filter(is_variable) {
            Some(variable) if column_of::<T>(frame, variable).is_ok() => variable,
            Some(variable) => {
                let held = frame.slots[usize::from(variable.0)].column.kind;
                let types = Some((type_name(T::KIND), type_name(held)));
                let name = name.to_owned();
                self.missing.push(MissingName { what: "variable", name, types, suggestion: None });
                variable
            }
            None => {
                let program = self.program;
                let variables = frame.slots.iter().filter(|slot| slot.column.kind.is_variable());
                let names = variables.map(|slot| &*slot.name);
                self.miss("variable", name, names.filter(|name| program.variable(name).is_some()));
                Variable(NOTHING)
            }
        }
    }

    /// Returns the handle of a variable of groups or of the world. If there is none, the name is
    /// noted as missing and the handle names no variable.
    pub fn shared(&mut self, name: &str) -> SharedVariable {
        let program = self.program;
        program.shared(name).unwrap_or_else(|| {
            let names = program.parts.shared.iter().map(|shared| &*shared.name);
            self.miss("shared variable", name, names.filter(|name| program.shared(name).is_some()));
            SharedVariable(NOTHING)
        })
    }

    /// Returns the handle of an event. If there is none, the name is noted as missing and the
    /// handle names no event.
    pub fn event(&mut self, name: &str) -> Event {
        self.program.event(name).unwrap_or_else(|| {
            self.miss("event", name, self.program.parts.events.iter().map(|event| &*event.name));
            Event(NOTHING)
        })
    }

    /// Notes the name as missing unless agents can run a tree with this name.
    pub fn tree(&mut self, name: &str) {
        if self.program.entry(name).is_none() {
            self.miss("tree", name, self.program.entries());
        }
    }

    /// Returns `found` if no name is missing.
    ///
    /// # Errors
    /// The names that are missing.
    pub fn end<T>(self, found: T) -> Result<T, LookupError> {
        if self.missing.is_empty() { Ok(found) } else { Err(LookupError { missing: self.missing }) }
    }

    fn miss<'n>(&mut self, what: &'static str, name: &str, names: impl Iterator<Item = &'n str>) {
        let suggestion = self.suggestions.closest(name, names).map(str::to_owned);
        self.missing.push(MissingName { what, name: name.to_owned(), types: None, suggestion });
    }
}
