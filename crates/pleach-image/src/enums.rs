//! Numbers that stand for kinds, types and policies: the same in rows of the file and in operands of instructions.

/// Kinds of host functions.
pub mod import_kind {
    /// Returns a status.
    pub const ACTION: u32 = 1;
    /// Returns a number.
    pub const QUERY: u32 = 2;
    /// Beside one of these: a host may lack the function.
    pub const OPTIONAL: u32 = 0x100;

    /// The kind without what stands beside it.
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
    /// What a slot holds when the call is made; `bits` is the slot.
    pub const SLOT: u32 = 4;
}

/// Kinds of slots.
pub mod slot_kind {
    /// One bit.
    pub const BIT: u32 = 1;
    /// A node id, 0 for none: 2 bytes.
    pub const NODE: u32 = 2;
    /// A time: 4 bytes.
    pub const TIME: u32 = 3;
    /// A bounded, ordered set of node ids: 2 bytes each, and 2 for the count.
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
    /// A moment: 8 bytes.
    pub const MOMENT: u32 = 11;
    /// Bytes that belong to a node of the host, as many as the capacity says.
    pub const DATA: u32 = 12;
}

/// Kinds of wrappers.
pub mod wrapper_kind {
    /// The host is told: a site.
    pub const HOST: u16 = 1;
    /// A place is given back: a gate.
    pub const GATE: u16 = 2;
}

/// What a text in a log tells.
pub mod log_kind {
    /// What a node is there to say.
    pub const MESSAGE: u8 = 0;
    /// That a node begins.
    pub const START: u8 = 1;
    /// That a node has succeeded.
    pub const SUCCESS: u8 = 2;
    /// That a node has failed.
    pub const FAILURE: u8 = 3;
}

/// Whom something concerns.
pub mod scope {
    /// The agents of one group.
    pub const GROUP: u32 = 1;
    /// All agents.
    pub const WORLD: u32 = 2;
}

/// How a shared variable is written.
pub mod how {
    /// The writer with the highest index wins.
    pub const ASSIGN: u8 = 0;
    /// All are added, after assignments.
    pub const ADD: u8 = 1;
    /// The least counts, after additions.
    pub const MIN: u8 = 2;
    /// The greatest counts, after that.
    pub const MAX: u8 = 3;
}

/// What the position of a branch holds when the branch has ended. No node has such a number.
pub mod branch {
    /// With failure.
    pub const FAILED: u16 = 0xfffe;
    /// With success.
    pub const SUCCEEDED: u16 = 0xffff;
}

/// Types and policies of nodes.
pub mod face {
    /// The root of a tree. Its nodes are those up to the next root.
    pub const ROOT: u16 = 1;
    /// Tries its children until one succeeds.
    pub const SELECTOR: u16 = 2;
    /// Tries its children until one fails.
    pub const SEQUENCE: u16 = 3;
    /// Runs its children side by side.
    pub const PARALLEL: u16 = 4;
    /// Judges its child.
    pub const DECORATOR: u16 = 5;
    /// Tests something.
    pub const CONDITION: u16 = 6;
    /// Does something.
    pub const ACTION: u16 = 7;

    /// No policy.
    pub const NONE: u16 = 0;
    /// All children must succeed.
    pub const ALL_SUCCEED: u16 = 1;
    /// All children must fail.
    pub const ALL_FAIL: u16 = 2;
    /// It succeeds.
    pub const SUCCESS: u16 = 3;
    /// It fails.
    pub const FAILURE: u16 = 4;
}

/// Kinds of origins.
pub mod origin_kind {
    /// A macro.
    pub const MACRO: u32 = 1;
    /// An included file.
    pub const INCLUDE: u32 = 2;
    /// A tree that another tree uses.
    pub const USE: u32 = 3;
}
