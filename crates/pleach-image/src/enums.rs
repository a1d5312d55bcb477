//! Numbers that stand for kinds, types and policies, in rows of the file and in operands of
//! instructions.

/// Kinds of host functions.
pub mod import_kind {
    /// Function that returns a status.
    pub const ACTION: u32 = 1;
    /// Function that returns a number.
    pub const QUERY: u32 = 2;
    /// Flag beside [`ACTION`] or [`QUERY`]: a host may lack the function.
    pub const OPTIONAL: u32 = 0x100;

    /// Returns the kind without flags.
    #[must_use]
    pub const fn of(kind: u32) -> u32 {
        kind & !OPTIONAL
    }
}

/// Types of arguments.
pub mod value_tag {
    /// A 32-bit integer.
    pub const INT: u32 = 1;
    /// A 32-bit float.
    pub const FLOAT: u32 = 2;
    /// A string of bytes.
    pub const TEXT: u32 = 3;
    /// Current value of a slot at the time of the call; `bits` is the slot.
    pub const SLOT: u32 = 4;
    /// A 64-bit integer; `len` has its upper half.
    pub const INT64: u32 = 5;
    /// A 64-bit float; `len` has the upper half of its bits.
    pub const DOUBLE: u32 = 6;
    /// An entity of the host; `len` has the upper half of its number.
    pub const ENTITY: u32 = 7;
    /// Out argument, by which the host gives a value: `bits` is the slot of the value. If `len` is
    /// not 0, it is one more than the bit slot that is set when the value is given.
    pub const OUT: u32 = 8;
}

/// Kinds of slots.
pub mod slot_kind {
    /// One bit.
    pub const BIT: u32 = 1;
    /// Node id of 2 bytes, 0 for none.
    pub const NODE: u32 = 2;
    /// Time of 4 bytes.
    pub const TIME: u32 = 3;
    /// Bounded, ordered set of node ids: 2 bytes for each, and 2 for the count.
    pub const NODE_SET: u32 = 4;
    /// A signed 8-bit integer.
    pub const I8: u32 = 5;
    /// An unsigned 8-bit integer.
    pub const U8: u32 = 6;
    /// A signed 16-bit integer.
    pub const I16: u32 = 7;
    /// An unsigned 16-bit integer.
    pub const U16: u32 = 8;
    /// A 32-bit integer.
    pub const I32: u32 = 9;
    /// A 32-bit float.
    pub const F32: u32 = 10;
    /// Timestamp of 8 bytes.
    pub const MOMENT: u32 = 11;
    /// Bytes that belong to a node of the host; their number is the capacity of the slot.
    pub const DATA: u32 = 12;
    /// A 64-bit integer.
    pub const I64: u32 = 13;
    /// A 64-bit float.
    pub const F64: u32 = 14;
    /// An entity of the host: a number of 8 bytes, 0 for none.
    pub const ENTITY: u32 = 15;
    /// A text: its number among the texts, 4 bytes.
    pub const TEXT: u32 = 16;

    /// Returns the name that trees have for the type of a variable; `None` for a kind that no
    /// variable of trees has.
    #[must_use]
    pub const fn name(kind: u32) -> Option<&'static str> {
        Some(match kind {
            BIT => "bool",
            I8 => "int8",
            U8 => "uint8",
            I16 => "int16",
            U16 => "uint16",
            I32 => "int",
            F32 => "float",
            I64 => "int64",
            F64 => "double",
            ENTITY => "entity",
            TEXT => "text",
            _ => return None,
        })
    }

    /// Returns true if the initial value of a variable of this kind takes 64 bits.
    #[must_use]
    pub const fn is_wide(kind: u32) -> bool {
        matches!(kind, I64 | F64 | ENTITY)
    }
}

/// Kinds of wrappers: nodes for which something is done when they end, also if they are halted.
pub mod wrapper_kind {
    /// Node whose end is reported to the host; `index` is a row of `sites`.
    pub const HOST: u16 = 1;
    /// Node that gives its place behind a gate back when it ends; `index` is a row of `gates`.
    pub const GATE: u16 = 2;
    /// Node that writes variables when it ends or is halted (`cleanup`); `index` is the row of
    /// `blocks` with these writes.
    pub const BLOCK: u16 = 3;
}

/// Kinds of log texts.
pub mod log_kind {
    /// Message of a node that exists to write it.
    pub const MESSAGE: u8 = 0;
    /// Text for the start of a node.
    pub const START: u8 = 1;
    /// Text for the success of a node.
    pub const SUCCESS: u8 = 2;
    /// Text for the failure of a node.
    pub const FAILURE: u8 = 3;
}

/// Sets of agents that a variable, event or gate concerns.
pub mod scope {
    /// Agents of one group.
    pub const GROUP: u32 = 1;
    /// All agents.
    pub const WORLD: u32 = 2;
}

/// Ways of writing a shared variable.
pub mod how {
    /// Assignment. Of several writers, the agent with the highest index wins.
    pub const ASSIGN: u8 = 0;
    /// Addition of all written values, applied after assignments.
    pub const ADD: u8 = 1;
    /// Minimum of the variable and all written values, applied after additions.
    pub const MIN: u8 = 2;
    /// Maximum of the variable and all written values, applied after minimums.
    pub const MAX: u8 = 3;
}

/// Values of the position of a branch after the branch has ended. No node has such an id.
pub mod branch {
    /// The branch has failed.
    pub const FAILED: u16 = 0xfffe;
    /// The branch has succeeded.
    pub const SUCCEEDED: u16 = 0xffff;
}

/// Types and policies of nodes.
pub mod face {
    /// Root of a tree. Its nodes are those up to the next root.
    pub const ROOT: u16 = 1;
    /// Node that tries its children until one succeeds.
    pub const SELECTOR: u16 = 2;
    /// Node that runs its children until one fails.
    pub const SEQUENCE: u16 = 3;
    /// Node that runs its children side by side.
    pub const PARALLEL: u16 = 4;
    /// Node that changes the result of its one child, or decides if the child runs.
    pub const DECORATOR: u16 = 5;
    /// Node that tests a condition.
    pub const CONDITION: u16 = 6;
    /// Node that acts.
    pub const ACTION: u16 = 7;

    /// No policy.
    pub const NONE: u16 = 0;
    /// Policy of a parallel: all children must succeed.
    pub const ALL_SUCCEED: u16 = 1;
    /// Policy of a parallel: all children must fail.
    pub const ALL_FAIL: u16 = 2;
    /// Policy of an action: it succeeds.
    pub const SUCCESS: u16 = 3;
    /// Policy of an action: it fails.
    pub const FAILURE: u16 = 4;
}

/// Kinds of what can have values of an enum. Tunables are of the first two kinds.
pub mod typed {
    /// Slot of the frame.
    pub const SLOT: u32 = 1;
    /// Variable of groups or the world.
    pub const SHARED: u32 = 2;
    /// Parameter of a host function.
    pub const PARAMETER: u32 = 3;
    /// Answer of a query.
    pub const ANSWER: u32 = 4;
}

/// Kinds of origins of a node's text.
pub mod origin_kind {
    /// Macro.
    pub const MACRO: u32 = 1;
    /// Included file.
    pub const INCLUDE: u32 = 2;
    /// Tree that another tree uses.
    pub const USE: u32 = 3;
}
