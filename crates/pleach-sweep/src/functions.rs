//! Functions that a program calls in its host, by number and by name.

use pleach::{Function, Image};
use pleach_image::format::import_kind;
use std::collections::HashMap;

/// Functions that an image imports. The number of a function is its index in the image.
#[derive(Clone, Debug)]
pub struct Functions {
    names: Vec<(Function, String)>,
    actions: HashMap<String, u32>,
    queries: HashMap<String, u32>,
}

impl Functions {
    /// Returns the functions of an image.
    #[must_use]
    pub fn of(image: &Image) -> Self {
        let mut functions = Self { names: Vec::new(), actions: HashMap::new(), queries: HashMap::new() };
        for (number, import) in (0..).zip(image.imports()) {
            let is_action = import_kind::of(import.kind) == import_kind::ACTION;
            let kind = if is_action { Function::Action } else { Function::Query };
            let numbers = if is_action { &mut functions.actions } else { &mut functions.queries };
            let name = image.name(import.name).to_owned();
            numbers.entry(name.clone()).or_insert(number);
            functions.names.push((kind, name));
        }
        functions
    }

    /// Returns the number of a function; `None` if the image does not import it.
    #[must_use]
    pub fn find(&self, kind: Function, name: &str) -> Option<u32> {
        let numbers = if kind == Function::Action { &self.actions } else { &self.queries };
        numbers.get(name).copied()
    }

    /// Returns the name of a function that the image imports.
    #[must_use]
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize].1
    }

    /// Iterates over kinds and names, in the order of numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Function, &str)> {
        self.names.iter().map(|(kind, name)| (*kind, name.as_str()))
    }
}
