//! Enums of variables: the names that their numbers have, by which another build finds them.

use alloc::{boxed::Box, vec::Vec};
use hashbrown::HashMap;
use pleach_image::{EnumSubject, Image};

/// Members of an enum: names and numbers.
pub(crate) type Members = Vec<(Box<str>, i32)>;

/// Enums of a program's variables.
#[derive(Debug, Default)]
pub(crate) struct ValueNames {
    /// Members by enum, without enums that no variable has.
    pub(crate) enums: Vec<Members>,
    /// Slots that hold values of an enum, each with an index in `enums`. Slots ascend.
    pub(crate) slots: Vec<(u32, u32)>,
    /// Shared variables that hold values of an enum, as `slots`.
    pub(crate) shared: Vec<(u32, u32)>,
}

impl ValueNames {
    /// Returns the enums of the variables of an image. The verifier does not look into enums: one
    /// without members counts as none.
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let mut names = Self::default();
        let mut known: HashMap<u32, Option<u32>> = HashMap::new();
        let mut index = |subject, enums: &mut Vec<Members>| {
            let of = image.enum_of(subject)?;
            *known.entry(of).or_insert_with(|| {
                let members = image.enum_members(of).map(|(name, number)| (name.into(), number));
                let members: Members = members.collect();
                (!members.is_empty()).then(|| {
                    enums.push(members);
                    enums.len() as u32 - 1
                })
            })
        };
        for slot in 0..image.slots().len() as u32 {
            let of = index(EnumSubject::Slot(slot), &mut names.enums);
            names.slots.extend(of.map(|of| (slot, of)));
        }
        for shared in 0..image.shared().len() as u32 {
            let of = index(EnumSubject::Shared(shared), &mut names.enums);
            names.shared.extend(of.map(|of| (shared, of)));
        }
        names
    }

    /// Returns the enum of a slot, if it has one.
    pub(crate) fn of_slot(&self, slot: usize) -> Option<u32> {
        find(&self.slots, slot)
    }

    /// Returns the enum of a shared variable, if it has one.
    pub(crate) fn of_shared(&self, shared: usize) -> Option<u32> {
        find(&self.shared, shared)
    }
}

fn find(typed: &[(u32, u32)], index: usize) -> Option<u32> {
    let found = typed.binary_search_by_key(&index, |(index, _)| *index as usize).ok()?;
    Some(typed[found].1)
}
