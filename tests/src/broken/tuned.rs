//! A program with tunables, and images made of it that break the rule about them.

use super::{ACT, ASK, Damage, MAIN, slot, whole};
use pleach_image::format::{Parts, SharedRow, SlotRow, StrRef, TunableRow, scope, slot_kind, typed};
use pleach_image::verify::Rule;

/// Returns a program with a tunable of each type, for agents and for the world.
pub(super) fn tuned() -> Parts {
    let mut parts = whole();
    let named = |kind, name, init| SlotRow { name, init, ..slot(kind, 0) };
    let first = parts.slots.len() as u32;
    parts.slots.push(named(slot_kind::F32, ACT, 1.5_f32.to_bits()));
    parts.slots.push(named(slot_kind::BIT, ASK, 1));
    let shared = |name, kind, init| SharedRow { name, kind, scope: scope::WORLD, init, high: 0 };
    parts.shared = vec![shared(MAIN, slot_kind::I32, 5), shared(ACT, slot_kind::I32, -5_i32 as u32)];
    let row = |kind, index, duration, low, high| TunableRow { kind, index, duration, low, high };
    parts.tunables = vec![
        row(typed::SLOT, first, 0, (-1.5_f32).to_bits(), 1.5_f32.to_bits()),
        row(typed::SLOT, first + 1, 0, 0, 1),
        row(typed::SHARED, 0, 1, 0, 9),
        row(typed::SHARED, 1, 0, -9_i32 as u32, 9),
    ];
    parts
}

/// Damages of tunables.
pub(super) const ROWS: &[Damage<Parts>] = &[
    (Rule::TunableRow, |it| it.tunables[0].kind = 0),
    (Rule::TunableRow, |it| it.tunables[3].kind = typed::PARAMETER),
    (Rule::TunableRow, |it| it.tunables[1].index = 9),
    (Rule::TunableRow, |it| it.tunables[3].index = 2),
    (Rule::TunableRow, |it| it.tunables[3].index = u32::MAX),
    (Rule::TunableRow, |it| it.tunables[0].index = 0),
    (Rule::TunableRow, |it| it.tunables[1] = it.tunables[0]),
    (Rule::TunableRow, |it| it.tunables.swap(2, 3)),
    (Rule::TunableRow, |it| it.slots[4].name = StrRef::default()),
    (Rule::TunableRow, |it| it.slots[4].kind = slot_kind::TEXT),
    (Rule::TunableRow, |it| it.shared[1].kind = slot_kind::I16),
    (Rule::TunableRow, |it| it.shared[1].scope = scope::GROUP),
    (Rule::TunableRow, |it| it.slots[4].init = 1.75_f32.to_bits()),
    (Rule::TunableRow, |it| it.slots[4].init = f32::NAN.to_bits()),
    (Rule::TunableRow, |it| it.tunables[0].low = f32::NEG_INFINITY.to_bits()),
    (Rule::TunableRow, |it| it.tunables[0].high = f32::NAN.to_bits()),
    (Rule::TunableRow, |it| it.tunables[0].low = 1.75_f32.to_bits()),
    (Rule::TunableRow, |it| it.tunables[0].duration = 1),
    (Rule::TunableRow, |it| it.tunables[1].duration = 1),
    (Rule::TunableRow, |it| it.tunables[1].high = 2),
    (Rule::TunableRow, |it| it.tunables[2].low = -1_i32 as u32),
    (Rule::TunableRow, |it| it.tunables[2].duration = 2),
    (Rule::TunableRow, |it| it.tunables[2].high = 4),
    (Rule::TunableRow, |it| it.shared[0].init = 10),
];
