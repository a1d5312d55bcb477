//! Values of enums from one build to another: a value goes by the name of its member. Texts from
//! one crowd to another: a text goes by its bytes.

use crate::layout::ValueNames;
use crate::saved::error::{StateError, StateFault};
use crate::saved::layout::SavedLayout;
use crate::values::TextTable;
use alloc::sync::Arc;
use alloc::{boxed::Box, vec, vec::Vec};
use hashbrown::HashMap;

/// Enums of a state and of a program. Names are numbered, so that each is kept once, however many
/// variables have its enum.
#[derive(Debug, Default)]
pub(super) struct Renumbering {
    /// For each enum of the state, the name of each number.
    names: Vec<HashMap<i32, u32>>,
    /// For each enum of the program, the number of each name.
    numbers: Vec<HashMap<u32, i32>>,
}

impl Renumbering {
    pub(super) fn new(layout: &SavedLayout<'_>, own: &ValueNames) -> Self {
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut names: Vec<HashMap<i32, u32>> = Vec::new();
        for (of, name, number) in layout.members() {
            let next = known.len() as u32;
            let name = *known.entry(name).or_insert(next);
            names.resize_with(names.len().max(of as usize + 1), HashMap::new);
            names[of as usize].insert(number, name);
        }
        let mut numbers = vec![HashMap::new(); own.enums.len()];
        for (numbers, members) in numbers.iter_mut().zip(&own.enums) {
            let there = |(name, number): &(Box<str>, i32)| Some((*known.get(&**name)?, *number));
            numbers.extend(members.iter().filter_map(there));
        }
        Self { names, numbers }
    }

    /// Returns what a variable of the program holds where the state holds a value, by the enums of
    /// both. Returns none for a member that the program lacks. A number that no member of the state
    /// has stays.
    pub(super) fn value(&self, (state, own): (u32, u32), value: f64) -> Option<f64> {
        match self.names.get(state as usize).and_then(|names| names.get(&(value as i32))) {
            Some(name) => self.numbers[own as usize].get(name).copied().map(f64::from),
            None => Some(value),
        }
    }
}

/// Number that no text has.
const NO_TEXT: u32 = i32::MAX as u32;

/// Numbers of the texts of a state in a crowd.
#[derive(Debug)]
pub(super) struct TextNumbers {
    /// The texts of the crowd, with those of the state.
    pub(super) table: Arc<TextTable>,
    /// For each number of the state, that of the crowd; `None` if all are the same.
    numbers: Option<HashMap<u32, u32>>,
}

impl TextNumbers {
    pub(super) fn new(layout: &SavedLayout<'_>, texts: &Arc<TextTable>) -> Result<Self, StateError> {
        let (mut table, mut numbers, mut same) = (texts.clone(), HashMap::new(), true);
        for (number, text) in layout.texts() {
            let own = if table.has(number, text) {
                number
            } else {
                TextTable::intern(&mut table, text).map_err(|_| StateError::new(StateFault::Full, 0))?
            };
            same &= own == number;
            numbers.insert(number, own);
        }
        Ok(Self { table, numbers: Some(numbers).filter(|_| !same) })
    }

    /// Returns true if all texts have the numbers that they have in the state.
    pub(super) fn are_same(&self) -> bool {
        self.numbers.is_none()
    }

    /// Returns the number of a text in the crowd, by its number in the state. A number of no text
    /// stays if all texts have the numbers of the state; else it is [`NO_TEXT`].
    pub(super) fn of(&self, number: u32) -> u32 {
        self.numbers.as_ref().map_or(number, |numbers| numbers.get(&number).copied().unwrap_or(NO_TEXT))
    }
}
