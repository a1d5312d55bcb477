//! Operand kinds: what a field of an instruction may hold.
//!
//! Each kind is a type that can check a value against a program's sizes and kinds, and print it. So neither the verifier nor
//! the listing has code for single instructions: they walk the table.

use super::OTHER;
use crate::format::{SlotRow, slot_kind};
use crate::rule::Rule;

/// The sizes and kinds that operands are checked against.
pub(crate) struct Shape<'a> {
    /// Index of the block being checked: a call leads to a smaller one.
    pub block: u32,
    /// Number of conditions.
    pub conditions: u32,
    /// Number of nodes; ids go from 1 to this.
    pub nodes: u32,
    /// Number of flags.
    pub flags: u32,
    /// For each host call, whether it is of an action.
    pub actions: &'a [bool],
    /// The frame.
    pub slots: &'a [SlotRow],
}

/// Where a listing's operands go. A printer may replace numbers by names.
pub trait Show {
    /// A word of the instruction set, or a number in plain form.
    fn plain(&mut self, text: core::fmt::Arguments<'_>);
    /// A target: distance in words.
    fn target(&mut self, distance: u32);
    /// A block.
    fn block(&mut self, block: u32);
    /// A condition.
    fn condition(&mut self, condition: u32);
    /// A host call.
    fn site(&mut self, site: u32);
    /// A node id.
    fn node(&mut self, node: u32);
    /// A slot.
    fn slot(&mut self, slot: u32);
}

/// A kind of operand.
pub(crate) trait Operand {
    /// Its name in the specification.
    const NAME: &'static str;
    /// Checks a value.
    fn check(raw: u32, shape: &Shape<'_>) -> Result<(), Rule>;
    /// Prints a value.
    fn show(raw: u32, out: &mut dyn Show);
}

macro_rules! operands {
    ($($(#[$doc:meta])* $name:ident $label:literal |$raw:ident, $shape:ident| $ok:expr, $rule:ident; |$out:ident| $show:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) struct $name;

            impl Operand for $name {
                const NAME: &'static str = $label;

                #[inline]
                fn check($raw: u32, $shape: &Shape<'_>) -> Result<(), Rule> {
                    if $ok { Ok(()) } else { Err(Rule::$rule) }
                }

                fn show($raw: u32, $out: &mut dyn Show) {
                    $show
                }
            }
        )*
    };
}

fn slot_is(shape: &Shape<'_>, slot: u32, kind: u32) -> bool {
    shape.slots.get(slot as usize).is_some_and(|row| row.kind == kind)
}

operands! {
    /// A distance in words; where it leads is checked with the flow of control.
    Target "target" |raw, _shape| raw > 0, TargetBackward; |out| out.target(raw);
    /// One of the four exits.
    Exit "exit" |raw, _shape| raw <= u32::from(OTHER), ExitRange;
        |out| out.plain(format_args!("{}", ["failure", "success", "running", "other"].get(raw as usize).unwrap_or(&"?")));
    /// A condition.
    Condition "condition" |raw, shape| raw < shape.conditions, ConditionRange; |out| out.condition(raw);
    /// A block before this one.
    Block "block" |raw, shape| raw < shape.block, CallOrder; |out| out.block(raw);
    /// A call of a host action.
    Action "action"
        |raw, shape| shape.actions.get(raw as usize) == Some(&true), SiteKind;
        |out| out.site(raw);
    /// A node id, from 1.
    Node "node" |raw, shape| raw >= 1 && raw <= shape.nodes, NodeRange; |out| out.node(raw);
    /// A slot that holds a node or none.
    NodeSlot "node slot" |raw, shape| slot_is(shape, raw, slot_kind::NODE), SlotKind; |out| out.slot(raw);
    /// A slot that holds a bit.
    BitSlot "bit slot" |raw, shape| slot_is(shape, raw, slot_kind::BIT), SlotKind; |out| out.slot(raw);
    /// A slot that holds a bounded set of nodes.
    SetSlot "set slot" |raw, shape| slot_is(shape, raw, slot_kind::NODE_SET), SlotKind; |out| out.slot(raw);
    /// A slot that holds a time.
    TimeSlot "time slot" |raw, shape| slot_is(shape, raw, slot_kind::TIME), SlotKind; |out| out.slot(raw);
    /// A scratch bit.
    Flag "flag" |raw, shape| raw < shape.flags, FlagRange; |out| out.plain(format_args!("flag {raw}"));
    /// 0 or 1.
    Truth "truth" |raw, _shape| raw <= 1, TruthRange; |out| out.plain(format_args!("{}", raw != 0));
    /// A time span, any 32-bit integer.
    Duration "duration" |_raw, _shape| true, TruthRange; |out| out.plain(format_args!("{}", _raw as i32));
    /// A status by its number, any 32-bit integer.
    Status "status" |_raw, _shape| true, TruthRange; |out| out.plain(format_args!("{}", _raw as i32));
}
