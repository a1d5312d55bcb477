//! Kinds of operands, which say what a field of an instruction may hold.
//!
//! Each kind is a type that can check a value against the sizes and kinds of a program, and print
//! the value. So the verifier and the listing have no code for single instructions: they walk the
//! table.
//!
//! A check has two forms. `Operand::sure` is a range, so that the fields of a word can be compared
//! all at once, see `isa::spans`. For most kinds of operands the range is the whole rule. For the
//! rest, `Operand::holds` decides.

use super::OTHER;
use super::kinds::Kinds;
use crate::enums::{how, import_kind, log_kind, scope, slot_kind};
use crate::rule::Rule;
use core::ops::Range;

/// Sizes and kinds of a program that operands are checked against.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// Index of the block that is checked. A call leads to a smaller index.
    pub block: u32,
    /// Type of each condition's result, see [`gives`].
    pub conditions: Kinds,
    /// Number of constants.
    pub constants: u32,
    /// Number of nodes. Ids go from 1 to this number.
    pub nodes: u32,
    /// Number of flags.
    pub flags: u32,
    /// Kind of the function that each site calls, see [`import_kind`].
    pub sites: Kinds,
    /// Kind of each slot of the frame, see [`slot_kind`].
    pub slots: Kinds,
    /// Type of each slot's value in conditions, see [`gives`].
    pub variables: Kinds,
    /// Type of each shared variable's value in conditions, see [`gives`].
    pub shared: Kinds,
    /// Number of tables of cases.
    pub tables: u32,
    /// Number of parallels.
    pub parallels: u32,
    /// Number of events.
    pub events: u32,
    /// Number of limiters.
    pub limiters: u32,
    /// True if the program has a current rule of agents.
    pub cursor: bool,
    /// Number of gates.
    pub gates: u32,
    /// Number of texts.
    pub texts: u32,
}

/// Types of the results of conditions and of the values of variables.
pub(crate) mod gives {
    /// Value that conditions cannot use.
    pub(crate) const NOTHING: u32 = 0;
    /// Truth.
    pub(crate) const TRUTH: u32 = 1;
    /// Number.
    pub(crate) const NUMBER: u32 = 2;
    /// Word of 64 bits.
    pub(crate) const WORD: u32 = 3;
}

/// Receiver of the operands of a listing. A printer may replace numbers by names.
pub trait Show {
    /// Prints a word of the instruction set, or a number in plain form.
    fn plain(&mut self, text: core::fmt::Arguments<'_>);
    /// Prints a target: its distance in words.
    fn target(&mut self, distance: u32);
    /// Prints an earlier `loop`: its distance in words.
    fn back(&mut self, distance: u32);
    /// Prints a block.
    fn block(&mut self, block: u32);
    /// Prints a condition.
    fn condition(&mut self, condition: u32);
    /// Prints a host call.
    fn site(&mut self, site: u32);
    /// Prints a node id.
    fn node(&mut self, node: u32);
    /// Prints a slot.
    fn slot(&mut self, slot: u32);
    /// Prints a variable of a group or the world.
    fn shared(&mut self, shared: u32);
    /// Prints an event.
    fn event(&mut self, event: u32);
    /// Prints the cases of a `switch`.
    fn table(&mut self, table: u32);
    /// Prints a text.
    fn text(&mut self, text: u32);
}

/// Sort of code that an instruction runs by one of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runs {
    /// Nothing.
    Nothing,
    /// A condition.
    Condition,
    /// A block.
    Block,
    /// A host function.
    Host,
}

/// Kind of operand.
pub(crate) trait Operand {
    /// Name of the kind in the specification.
    const NAME: &'static str;
    /// Rule that an invalid value breaks.
    const RULE: Rule;
    /// Sort of code that an instruction runs by the operand.
    const RUNS: Runs;
    /// Returns a range of valid values.
    fn sure(shape: &Shape) -> Range<u64>;
    /// Returns true if a value is valid. Every value in the range of [`Operand::sure`] must be.
    fn holds(raw: u32, shape: &Shape) -> bool;
    /// Prints a value.
    fn show(raw: u32, out: &mut dyn Show);
}

/// Upper bound of the values of the widest field.
const ALL: u64 = 1 << 32;

/// Each row has one of two forms: `in` a range, or `of` a kind of row. `runs` names the sort of
/// code that the instruction runs by the operand.
macro_rules! operands {
    ($($(#[$doc:meta])* $name:ident $label:literal $form:ident |$shape:ident| $what:expr, $rule:ident
       $(runs $runs:ident)?; |$raw:ident, $out:ident| $show:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) struct $name;

            impl Operand for $name {
                const NAME: &'static str = $label;
                const RULE: Rule = Rule::$rule;
                const RUNS: Runs = operands!(@runs $($runs)?);

                fn sure($shape: &Shape) -> Range<u64> {
                    operands!(@sure $form $what)
                }

                fn holds(raw: u32, $shape: &Shape) -> bool {
                    operands!(@holds $form $what, raw)
                }

                fn show($raw: u32, $out: &mut dyn Show) {
                    $show
                }
            }
        )*
    };
    (@runs) => { Runs::Nothing };
    (@runs $runs:ident) => { Runs::$runs };
    (@sure in $range:expr) => { $range };
    (@sure of $kind:expr) => {{
        let (rows, kind) = $kind;
        rows.run(kind)
    }};
    (@holds in $range:expr, $raw:ident) => { $range.contains(&u64::from($raw)) };
    (@holds of $kind:expr, $raw:ident) => {{
        let (rows, kind) = $kind;
        rows.is($raw, kind)
    }};
}

#[rustfmt::skip]
operands! {
    /// Distance in words. Its target is checked with the flow of control.
    Target "target" in |_shape| 1..ALL, TargetBackward; |raw, out| out.target(raw);
    /// One of the four exits.
    Exit "exit" in |_shape| 0..u64::from(OTHER) + 1, ExitRange;
        |raw, out| out.plain(format_args!("{}", ["failure", "success", "running", "other"].get(raw as usize).unwrap_or(&"?")));
    /// Register, which counts the repetitions of a loop that are left.
    Register "register" in |_shape| 0..256, TruthRange; |raw, out| out.plain(format_args!("register {raw}"));
    /// Distance in words backward. Its target is checked with the loops.
    Back "back" in |_shape| 1..ALL, LoopBack; |raw, out| out.back(raw);
    /// Reason why a tick ends with a fault.
    Fault "fault" in |_shape| 0..1, FaultRange; |raw, out| out.plain(format_args!("{}", ["fuel"].get(raw as usize).unwrap_or(&"?")));
    /// Condition.
    Condition "condition" of |shape| (&shape.conditions, gives::TRUTH), ConditionRange runs Condition;
        |raw, out| out.condition(raw);
    /// Expression that gives a number.
    Number "number" of |shape| (&shape.conditions, gives::NUMBER), ConditionRange runs Condition;
        |raw, out| out.condition(raw);
    /// Expression that gives a word.
    Word "word" of |shape| (&shape.conditions, gives::WORD), ConditionRange runs Condition;
        |raw, out| out.condition(raw);
    /// Block before the current one.
    Block "block" in |shape| 0..u64::from(shape.block), CallOrder runs Block; |raw, out| out.block(raw);
    /// Call of a host action.
    Action "action" of |shape| (&shape.sites, import_kind::ACTION), SiteKind runs Host; |raw, out| out.site(raw);
    /// Node id, from 1.
    Node "node" in |shape| 1..u64::from(shape.nodes) + 1, NodeRange; |raw, out| out.node(raw);
    /// Node id of a rule, in programs whose agents have a current rule.
    RuleNode "rule" in |shape| 1..u64::from(shape.nodes) * u64::from(shape.cursor) + 1, RuleRange; |raw, out| out.node(raw);
    /// Number of repetitions of a loop; 0 stands for the step limit.
    Times "times" in |shape| u64::from(!shape.cursor)..ALL, TimesRange; |raw, out| out.plain(format_args!("{raw}"));
    /// Slot that holds a node or none.
    NodeSlot "node slot" of |shape| (&shape.slots, slot_kind::NODE), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds a bit.
    BitSlot "bit slot" of |shape| (&shape.slots, slot_kind::BIT), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds a bounded set of nodes.
    SetSlot "set slot" of |shape| (&shape.slots, slot_kind::NODE_SET), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds a time.
    TimeSlot "time slot" of |shape| (&shape.slots, slot_kind::TIME), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds a number.
    NumberSlot "number slot" of |shape| (&shape.variables, gives::NUMBER), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds a word of 64 bits.
    WordSlot "word slot" of |shape| (&shape.variables, gives::WORD), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds an unsigned 16-bit number.
    CounterSlot "counter slot" of |shape| (&shape.slots, slot_kind::U16), SlotKind; |raw, out| out.slot(raw);
    /// Variable of a group or the world that holds a number.
    SharedNumber "shared number" of |shape| (&shape.shared, gives::NUMBER), SharedKind; |raw, out| out.shared(raw);
    /// Variable of a group or the world that holds a word of 64 bits.
    SharedWord "shared word" of |shape| (&shape.shared, gives::WORD), SharedKind; |raw, out| out.shared(raw);
    /// Bit of a group or the world.
    SharedBit "shared bit" of |shape| (&shape.shared, gives::TRUTH), SharedKind; |raw, out| out.shared(raw);
    /// Way of writing a shared variable.
    How "way" in |_shape| 0..u64::from(how::MAX) + 1, WayRange;
        |raw, out| out.plain(format_args!("{}", ["assign", "add", "min", "max"].get(raw as usize).unwrap_or(&"?")));
    /// Group or world.
    Scope "scope" in |_shape| u64::from(scope::GROUP)..u64::from(scope::WORLD) + 1, ScopeRange;
        |raw, out| out.plain(format_args!("{}", ["?", "group", "world"].get(raw as usize).unwrap_or(&"?")));
    /// Cases of a `switch`.
    Table "table" in |shape| 0..u64::from(shape.tables), TableRange; |raw, out| out.table(raw);
    /// Parallel.
    Parallel "parallel" in |shape| 0..u64::from(shape.parallels), ParallelRange;
        |raw, out| out.plain(format_args!("parallel {raw}"));
    /// Event.
    Event "event" in |shape| 0..u64::from(shape.events), EventRange; |raw, out| out.event(raw);
    /// Limiter.
    Limiter "limiter" in |shape| 0..u64::from(shape.limiters), LimiterRange;
        |raw, out| out.plain(format_args!("limiter {raw}"));
    /// Gate.
    Gate "gate" in |shape| 0..u64::from(shape.gates), GateRange;
        |raw, out| out.plain(format_args!("gate {raw}"));
    /// Text.
    Text "text" in |shape| 0..u64::from(shape.texts), TextRange; |raw, out| out.text(raw);
    /// Kind of a log text.
    LogKind "log" in |_shape| 0..u64::from(log_kind::FAILURE) + 1, LogRange;
        |raw, out| out.plain(format_args!("{}", ["message", "start", "success", "failure"].get(raw as usize).unwrap_or(&"?")));
    /// Slot that holds a timestamp.
    MomentSlot "moment slot" of |shape| (&shape.slots, slot_kind::MOMENT), SlotKind; |raw, out| out.slot(raw);
    /// Slot that holds bytes of the host.
    DataSlot "data slot" of |shape| (&shape.slots, slot_kind::DATA), SlotKind; |raw, out| out.slot(raw);
    /// Any number.
    Count "count" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{raw}"));
    /// Scratch bit.
    Flag "flag" in |shape| 0..u64::from(shape.flags), FlagRange; |raw, out| out.plain(format_args!("flag {raw}"));
    /// 0 or 1.
    Truth "truth" in |_shape| 0..2, TruthRange; |raw, out| out.plain(format_args!("{}", raw != 0));
    /// Time span: any 32-bit integer.
    Duration "duration" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{}", raw as i32));
    /// Status by its number: any 32-bit integer.
    Status "status" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{}", raw as i32));
}
