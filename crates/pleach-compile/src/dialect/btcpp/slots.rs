//! Variables of entries.

use super::code::Builder;
use super::entries::{Entries, Kind};
use super::values::real;
use crate::ast::SlotKind;
use crate::source::Span;
use hashbrown::HashMap;

/// Behind the name of an entry, the name of the boolean that says if the entry has a value.
const HAS: &str = "?";
/// Behind the name of an entry, the name of the number of its writes.
const SEQUENCE: &str = "#";

/// Returns the name of the variable that holds the value of an entry.
pub(super) fn entry_name(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") }
}

/// The variables of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntrySlots {
    pub(super) value: u32,
    /// True if the entry has a value.
    pub(super) has: u32,
    /// Number of writes, if a node counts them.
    pub(super) sequence: Option<u32>,
    /// True if the entry holds an integer, if it can also hold a real number.
    pub(super) whole: Option<u32>,
    /// True if the entry exists, with or without a value, if a script needs it to exist.
    pub(super) created: Option<u32>,
}

/// The variables of all entries, and variables that scripts use for a while.
#[derive(Debug, Default)]
pub(super) struct Slots {
    entries: HashMap<usize, EntrySlots>,
    temporaries: Vec<(SlotKind, u32)>,
    used: usize,
}

impl Slots {
    /// Returns the variables of an entry.
    pub(super) fn of(
        &mut self,
        builder: &mut Builder<'_, '_>,
        entries: &Entries,
        entry: usize,
    ) -> EntrySlots {
        if let Some(slots) = self.entries.get(&entry) {
            return *slots;
        }
        let row = &entries.list[entry];
        let kind = row.kind.slot_kind();
        let name = entry_name(&builder.program.scopes[row.scope].path, &row.key);
        let mut named = |end: &str, kind| {
            let name = builder.session.names.intern(format!("{name}{end}").as_bytes());
            builder.named(name, kind, row.span)
        };
        let (value, has) = (named("", kind), named(HAS, SlotKind::Bit));
        let sequence = row.counted.then(|| named(SEQUENCE, SlotKind::I32));
        let whole = (row.kind == Kind::Number).then(|| builder.variable(SlotKind::Bit, row.span));
        let may_lack = row.asked && (row.removed || !row.exists);
        let created = may_lack.then(|| builder.variable(SlotKind::Bit, row.span));
        if let Some(created) = created {
            builder.file.variables[created as usize].init = row.exists.into();
        }
        if let Some(text) = &row.constant {
            let init = match kind {
                SlotKind::I64 => text.parse::<i64>().unwrap_or_default() as u64,
                SlotKind::Text => builder.session.names.intern(text.as_bytes()).0.into(),
                _ => real(text).map_or(0, |(number, _)| number.to_bits()),
            };
            for (variable, init) in [(Some(value), init), (Some(has), 1), (sequence, 1)] {
                if let Some(variable) = variable {
                    builder.file.variables[variable as usize].init = init;
                }
            }
        }
        let slots = EntrySlots { value, has, sequence, whole, created };
        self.entries.insert(entry, slots);
        slots
    }

    /// Returns a variable that no other value of the script uses.
    pub(super) fn temporary(&mut self, builder: &mut Builder<'_, '_>, kind: SlotKind, span: Span) -> u32 {
        let free = (self.used..self.temporaries.len()).find(|it| self.temporaries[*it].0 == kind);
        let found = free.unwrap_or_else(|| {
            self.temporaries.push((kind, builder.variable(kind, span)));
            self.temporaries.len() - 1
        });
        self.temporaries.swap(self.used, found);
        self.used += 1;
        self.temporaries[self.used - 1].1
    }

    /// Frees the variables of the last script.
    pub(super) fn forget_temporaries(&mut self) {
        self.used = 0;
    }
}
