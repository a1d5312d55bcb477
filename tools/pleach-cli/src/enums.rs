//! Names of values of enums, as users write them.

use pleach::Image;
use pleach_image::EnumSubject;

/// Returns the place of a variable in an image.
pub(crate) fn subject(image: &Image, name: &str) -> Option<EnumSubject> {
    let slot = image.slots().iter().position(|slot| image.name(slot.name) == name);
    let shared = image.shared().iter().position(|row| image.name(row.name) == name);
    let slot = slot.map(|row| EnumSubject::Slot(row as u32));
    slot.or(shared.map(|row| EnumSubject::Shared(row as u32)))
}

/// Returns the number that the name of a member stands for where something takes it.
pub(crate) fn number_of(image: &Image, subject: EnumSubject, name: &str) -> Result<f64, String> {
    let Some(of) = image.enum_of(subject) else {
        return Err(format!("`{name}` is neither a number nor `true` or `false`"));
    };
    let member = image.enum_members(of).find(|(known, _)| known == name);
    let none = || format!("the enum `{}` has no member `{name}`", image.enum_name(of));
    member.map(|(_, number)| number.into()).ok_or_else(none)
}
