//! Names of values of enums, as users write them.

use pleach::Image;
use pleach_image::EnumSubject;
use std::collections::HashMap;

/// Variables of an image by their names, and members of its enums. Each is looked up by many lines.
pub(crate) struct EnumNames {
    image: Image,
    variables: HashMap<String, EnumSubject>,
    /// Numbers of members, by enum and name, of the enums that were asked for.
    numbers: HashMap<u32, HashMap<String, i32>>,
}

impl EnumNames {
    pub(crate) fn new(image: &Image) -> Self {
        let mut variables = HashMap::new();
        let slots = (0..).zip(image.slots()).map(|(row, slot)| (slot.name, EnumSubject::Slot(row)));
        let shared = (0..).zip(image.shared()).map(|(row, it)| (it.name, EnumSubject::Shared(row)));
        for (name, subject) in slots.chain(shared) {
            variables.entry(image.name(name).to_owned()).or_insert(subject);
        }
        Self { image: image.clone(), variables, numbers: HashMap::new() }
    }

    /// Returns the place of a variable in the image.
    pub(crate) fn variable(&self, name: &str) -> Option<EnumSubject> {
        self.variables.get(name).copied()
    }

    /// Returns the number that the name of a member stands for where something takes it.
    pub(crate) fn number(&mut self, subject: EnumSubject, name: &str) -> Result<f64, String> {
        let Some(of) = self.image.enum_of(subject) else {
            return Err(format!("`{name}` is neither a number nor `true` or `false`"));
        };
        let members = || self.image.enum_members(of).map(|(name, number)| (name.into_owned(), number));
        let numbers = self.numbers.entry(of).or_insert_with(|| members().collect());
        let none = || format!("the enum `{}` has no member `{name}`", self.image.enum_name(of));
        numbers.get(name).map(|number| (*number).into()).ok_or_else(none)
    }
}
