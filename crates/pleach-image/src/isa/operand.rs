//! Operand kinds: what a field of an instruction may hold.
//!
//! Each kind is a type that can check a value against a program's sizes and kinds, and print it. So neither the verifier nor
//! the listing has code for single instructions: they walk the table.
//!
//! A check has two forms. `Operand::sure` is a range, so that the fields of a word can be compared all at once, see
//! `isa::spans`; for most kinds it is the whole rule. What it leaves open, `Operand::holds` decides.

use super::OTHER;
use super::kinds::Kinds;
use crate::enums::{how, import_kind, log_kind, scope, slot_kind};
use crate::rule::Rule;
use core::ops::Range;

/// The sizes and kinds that operands are checked against.
pub(crate) struct Shape {
    /// Index of the block being checked: a call leads to a smaller one.
    pub block: u32,
    /// For each condition, what it gives: see [`gives`].
    pub conditions: Kinds,
    /// Number of constants.
    pub constants: u32,
    /// Number of nodes; ids go from 1 to this.
    pub nodes: u32,
    /// Number of flags.
    pub flags: u32,
    /// For each host call, what it calls: see [`import_kind`].
    pub sites: Kinds,
    /// For each slot of the frame, what it holds: see [`slot_kind`].
    pub slots: Kinds,
    /// For each slot of the frame, what it gives: see [`gives`].
    pub variables: Kinds,
    /// For each variable of a group or the world, what it gives: see [`gives`].
    pub shared: Kinds,
    /// Number of tables of cases.
    pub tables: u32,
    /// Number of parallels.
    pub parallels: u32,
    /// Number of events.
    pub events: u32,
    /// Number of limiters.
    pub limiters: u32,
    /// Whether agents are at a rule.
    pub cursor: bool,
    /// Number of gates.
    pub gates: u32,
    /// Number of texts.
    pub texts: u32,
}

/// What conditions and variables give.
pub(crate) mod gives {
    /// Nothing that conditions compute with.
    pub(crate) const NOTHING: u32 = 0;
    /// A truth.
    pub(crate) const TRUTH: u32 = 1;
    /// A number.
    pub(crate) const NUMBER: u32 = 2;
}

/// Where a listing's operands go. A printer may replace numbers by names.
pub trait Show {
    /// A word of the instruction set, or a number in plain form.
    fn plain(&mut self, text: core::fmt::Arguments<'_>);
    /// A target: distance in words.
    fn target(&mut self, distance: u32);
    /// A `loop` before: distance in words.
    fn back(&mut self, distance: u32);
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
    /// A variable of a group or the world.
    fn shared(&mut self, shared: u32);
    /// An event.
    fn event(&mut self, event: u32);
    /// The cases of a `switch`.
    fn table(&mut self, table: u32);
    /// A text.
    fn text(&mut self, text: u32);
}

/// What besides itself an instruction runs, by an operand.
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

/// A kind of operand.
pub(crate) trait Operand {
    /// Its name in the specification.
    const NAME: &'static str;
    /// The rule that a value breaks which does not hold.
    const RULE: Rule;
    /// What the instruction runs by it.
    const RUNS: Runs;
    /// Values that surely hold.
    fn sure(shape: &Shape) -> Range<u64>;
    /// Whether a value holds. No value of [`Operand::sure`] may be refused.
    fn holds(raw: u32, shape: &Shape) -> bool;
    /// Prints a value.
    fn show(raw: u32, out: &mut dyn Show);
}

/// Behind the largest value of the widest field.
const ALL: u64 = 1 << 32;

/// Two forms: `in` a range, or `of` a kind among the slots or sites. `runs` says what the instruction runs by it.
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
    /// A distance in words; where it leads is checked with the flow of control.
    Target "target" in |_shape| 1..ALL, TargetBackward; |raw, out| out.target(raw);
    /// One of the four exits.
    Exit "exit" in |_shape| 0..u64::from(OTHER) + 1, ExitRange;
        |raw, out| out.plain(format_args!("{}", ["failure", "success", "running", "other"].get(raw as usize).unwrap_or(&"?")));
    /// How often a loop may still begin again.
    Register "register" in |_shape| 0..256, TruthRange; |raw, out| out.plain(format_args!("register {raw}"));
    /// A distance in words backward; where it leads is checked with the loops.
    Back "back" in |_shape| 1..ALL, LoopBack; |raw, out| out.back(raw);
    /// Why a tick ends.
    Fault "fault" in |_shape| 0..1, FaultRange; |raw, out| out.plain(format_args!("{}", ["fuel"].get(raw as usize).unwrap_or(&"?")));
    /// A condition.
    Condition "condition" of |shape| (&shape.conditions, gives::TRUTH), ConditionRange runs Condition;
        |raw, out| out.condition(raw);
    /// An expression that gives a number.
    Number "number" of |shape| (&shape.conditions, gives::NUMBER), ConditionRange runs Condition;
        |raw, out| out.condition(raw);
    /// A block before this one.
    Block "block" in |shape| 0..u64::from(shape.block), CallOrder runs Block; |raw, out| out.block(raw);
    /// A call of a host action.
    Action "action" of |shape| (&shape.sites, import_kind::ACTION), SiteKind runs Host; |raw, out| out.site(raw);
    /// A node id, from 1.
    Node "node" in |shape| 1..u64::from(shape.nodes) + 1, NodeRange; |raw, out| out.node(raw);
    /// A node id where agents can be.
    RuleNode "rule" in |shape| 1..u64::from(shape.nodes) * u64::from(shape.cursor) + 1, RuleRange; |raw, out| out.node(raw);
    /// How often a loop can begin again; 0 stands for the step limit.
    Times "times" in |shape| u64::from(!shape.cursor)..ALL, TimesRange; |raw, out| out.plain(format_args!("{raw}"));
    /// A slot that holds a node or none.
    NodeSlot "node slot" of |shape| (&shape.slots, slot_kind::NODE), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds a bit.
    BitSlot "bit slot" of |shape| (&shape.slots, slot_kind::BIT), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds a bounded set of nodes.
    SetSlot "set slot" of |shape| (&shape.slots, slot_kind::NODE_SET), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds a time.
    TimeSlot "time slot" of |shape| (&shape.slots, slot_kind::TIME), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds a number.
    NumberSlot "number slot" of |shape| (&shape.variables, gives::NUMBER), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds an unsigned 16-bit number.
    CounterSlot "counter slot" of |shape| (&shape.slots, slot_kind::U16), SlotKind; |raw, out| out.slot(raw);
    /// A variable of a group or the world that holds a number.
    SharedNumber "shared number" of |shape| (&shape.shared, gives::NUMBER), SharedKind; |raw, out| out.shared(raw);
    /// A bit of a group or the world.
    SharedBit "shared bit" of |shape| (&shape.shared, gives::TRUTH), SharedKind; |raw, out| out.shared(raw);
    /// How a shared variable is written.
    How "way" in |_shape| 0..u64::from(how::MAX) + 1, WayRange;
        |raw, out| out.plain(format_args!("{}", ["assign", "add", "min", "max"].get(raw as usize).unwrap_or(&"?")));
    /// A group or all.
    Scope "scope" in |_shape| u64::from(scope::GROUP)..u64::from(scope::WORLD) + 1, ScopeRange;
        |raw, out| out.plain(format_args!("{}", ["?", "group", "world"].get(raw as usize).unwrap_or(&"?")));
    /// The cases of a `switch`.
    Table "table" in |shape| 0..u64::from(shape.tables), TableRange; |raw, out| out.table(raw);
    /// A parallel.
    Parallel "parallel" in |shape| 0..u64::from(shape.parallels), ParallelRange;
        |raw, out| out.plain(format_args!("parallel {raw}"));
    /// An event.
    Event "event" in |shape| 0..u64::from(shape.events), EventRange; |raw, out| out.event(raw);
    /// A limiter.
    Limiter "limiter" in |shape| 0..u64::from(shape.limiters), LimiterRange;
        |raw, out| out.plain(format_args!("limiter {raw}"));
    /// A gate.
    Gate "gate" in |shape| 0..u64::from(shape.gates), GateRange;
        |raw, out| out.plain(format_args!("gate {raw}"));
    /// A text.
    Text "text" in |shape| 0..u64::from(shape.texts), TextRange; |raw, out| out.text(raw);
    /// What a text tells.
    LogKind "log" in |_shape| 0..u64::from(log_kind::FAILURE) + 1, LogRange;
        |raw, out| out.plain(format_args!("{}", ["message", "start", "success", "failure"].get(raw as usize).unwrap_or(&"?")));
    /// A slot that holds a moment.
    MomentSlot "moment slot" of |shape| (&shape.slots, slot_kind::MOMENT), SlotKind; |raw, out| out.slot(raw);
    /// A slot that holds bytes of the host.
    DataSlot "data slot" of |shape| (&shape.slots, slot_kind::DATA), SlotKind; |raw, out| out.slot(raw);
    /// Any number.
    Count "count" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{raw}"));
    /// A scratch bit.
    Flag "flag" in |shape| 0..u64::from(shape.flags), FlagRange; |raw, out| out.plain(format_args!("flag {raw}"));
    /// 0 or 1.
    Truth "truth" in |_shape| 0..2, TruthRange; |raw, out| out.plain(format_args!("{}", raw != 0));
    /// A time span, any 32-bit integer.
    Duration "duration" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{}", raw as i32));
    /// A status by its number, any 32-bit integer.
    Status "status" in |_shape| 0..ALL, TruthRange; |raw, out| out.plain(format_args!("{}", raw as i32));
}
