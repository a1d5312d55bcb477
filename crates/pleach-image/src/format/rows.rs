//! The rows that sections are made of: plain data, every byte accounted for.

use bytemuck::{Pod, Zeroable};

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
            #[repr(C)]
            pub struct $name {
                $($(#[$field_doc])* pub $field: $ty,)*
            }
        )*
    };
}

rows! {
    /// A string: bytes `start..start + len` of the strings section (for debug rows, of the debug strings).
    StrRef {
        /// First byte.
        start: u32,
        /// Bytes.
        len: u32,
    }

    /// The first 64 bytes of a file.
    Header {
        /// [`super::MAGIC`].
        magic: [u8; 8],
        /// [`super::ENDIAN_MARK`].
        endian: u32,
        /// [`super::MAJOR`].
        major: u16,
        /// [`super::MINOR`].
        minor: u16,
        /// Bits of features that a reader must know. None are defined yet.
        required_features: u32,
        /// Zero: no feature is defined that a reader may ignore.
        optional_features: u32,
        /// Length of the file in bytes.
        length: u64,
        /// Rows of the section table.
        sections: u32,
        /// CRC-32 of the file with this field zero.
        checksum: u32,
        /// Zero.
        reserved: [u64; 3],
    }

    /// Where a section is.
    SectionRow {
        /// A [`super::SectionKind`].
        kind: u32,
        /// Zero.
        reserved: u32,
        /// First byte, from the beginning of the file.
        offset: u64,
        /// Bytes.
        length: u64,
    }

    /// What concerns the whole program; one row.
    Meta {
        /// Number of nodes; ids go from 1 to this.
        nodes: u32,
        /// Number of scratch flags.
        flags: u32,
        /// Greatest number of calls that are open at once.
        call_depth: u32,
        /// Greatest depth of the condition stack.
        stack_depth: u32,
        /// The dialect the trees were written in.
        dialect: StrRef,
    }

    /// A block that can be started by name.
    EntryRow {
        /// Its name.
        name: StrRef,
        /// Index of the block.
        block: u32,
        /// Zero.
        reserved: u32,
    }

    /// A block: words `first..first + count` of the code.
    BlockRow {
        /// First word.
        first: u32,
        /// Words.
        count: u32,
    }

    /// A condition: words `first..first + count` of the condition code.
    ConditionRow {
        /// First word.
        first: u32,
        /// Words.
        count: u32,
    }

    /// A host function.
    ImportRow {
        /// The name to link by.
        name: StrRef,
        /// See [`super::import_kind`].
        kind: u32,
        /// Smallest number of arguments.
        min_args: u16,
        /// Largest number of arguments.
        max_args: u16,
    }

    /// A call of a host function with its arguments: values `first..first + count`.
    SiteRow {
        /// Index of the import.
        import: u16,
        /// Number of arguments.
        count: u16,
        /// First argument.
        first: u32,
    }

    /// An argument.
    ValueRow {
        /// See [`super::value_tag`].
        tag: u32,
        /// The integer, the bits of the float, or where the text starts in the strings.
        bits: u32,
        /// The length of the text; else zero.
        len: u32,
    }

    /// A slot of an agent's frame.
    SlotRow {
        /// See [`super::slot_kind`].
        kind: u32,
        /// Capacity of a set, or number of bytes of data; else zero.
        capacity: u32,
        /// Its name for hosts; empty if it is the machine's own.
        name: StrRef,
        /// Stable key: the same slot of the same tree in another build.
        key: u64,
        /// 1 if a reset of the agent's behavior clears it, else 0.
        reset: u32,
        /// What it holds when an agent is spawned: the truth, integer or bits of the float. Zero if it is no variable.
        init: u32,
    }

    /// The cases of a `switch`: rows `first..first + count`.
    TableRow {
        /// First case.
        first: u32,
        /// Number of cases.
        count: u32,
    }

    /// A case: where to go on for the nodes from `low` to `high`.
    CaseRow {
        /// First node.
        low: u16,
        /// Last node.
        high: u16,
        /// Distance in words from the `switch`.
        target: u16,
        /// Zero.
        reserved: u16,
    }

    /// A node whose children run side by side, each with a position of its own.
    ParallelRow {
        /// The node.
        node: u16,
        /// Slot of the first branch's position; the others follow.
        first: u16,
        /// Number of branches.
        branches: u16,
        /// Succeeds when so many branches have succeeded.
        succeed: u16,
        /// Fails when so many have failed.
        fail: u16,
        /// Number of positions in it, with those of parallels inside.
        positions: u16,
        /// First row of its positions in the order in which they are halted.
        halts: u32,
    }

    /// A variable of a group or the world.
    SharedRow {
        /// Its name.
        name: StrRef,
        /// See [`super::slot_kind`]: a bit, 32-bit integer or float, or one of the narrow integers.
        kind: u32,
        /// See [`super::scope`].
        scope: u32,
        /// What it holds at first: the truth, integer or bits of the float.
        init: u32,
        /// Zero.
        reserved: u32,
    }

    /// Something that happens to agents.
    EventRow {
        /// Its name.
        name: StrRef,
        /// The block that is run.
        block: u32,
        /// Zero.
        reserved: u32,
    }

    /// How many agents can be inside a node at a time.
    LimiterRow {
        /// How many.
        places: u32,
        /// Slot of the position; an agent is inside while it holds a node from `low` to `high`.
        column: u16,
        /// The node.
        low: u16,
        /// The last node of its subtree.
        high: u16,
        /// Bit slot of those who want in.
        wants: u16,
        /// Bit slot of those who may come in next.
        granted: u16,
        /// Zero.
        reserved: u16,
    }

    /// A forest.
    ForestRow {
        /// Its name.
        name: StrRef,
        /// The first of its trees, which follow those of the forest before.
        first: u32,
        /// How many trees.
        trees: u32,
        /// The first of its attributes.
        attributes: u32,
        /// How many attributes.
        count: u32,
    }

    /// A tree of a forest.
    ForestTreeRow {
        /// Its name.
        name: StrRef,
        /// The entry that it runs.
        entry: u32,
        /// The node that is the root of that, by id.
        root: u32,
        /// The first of its attributes, besides those of the root.
        attributes: u32,
        /// How many attributes.
        count: u32,
    }

    /// What a node is for those who look at it from outside. There is one for each node, or there are none.
    FaceRow {
        /// Its name; none for a root.
        name: StrRef,
        /// See [`super::face`].
        role: u16,
        /// See [`super::face`].
        policy: u16,
        /// The first of its attributes.
        attributes: u32,
        /// How many attributes.
        count: u32,
    }

    /// What an author says of something.
    AttributeRow {
        /// Of which kind it is.
        key: StrRef,
        /// Any text.
        value: StrRef,
    }

    /// A node around a child whose end must be told even if the child is halted.
    WrapperRow {
        /// The node.
        node: u16,
        /// The last node of its subtree.
        last: u16,
        /// Slot of the position that it goes by.
        position: u16,
        /// See [`super::wrapper_kind`].
        kind: u16,
        /// Index of a site or of a gate.
        index: u16,
        /// Zero.
        reserved: u16,
    }

    /// How many agents can be inside some nodes at a time, let in at once.
    GateRow {
        /// How many.
        places: u32,
        /// Among whom they are counted: see [`super::scope`].
        scope: u32,
        /// Bit slot of those who are inside.
        inside: u16,
        /// Zero.
        reserved: u16,
    }

    /// A node of the host with data of its own.
    DataRow {
        /// The node.
        node: u16,
        /// The slot.
        slot: u16,
    }

    /// Where agents keep the rule that they are at.
    CursorRow {
        /// Node slot: the rule; 0 is the first one of the tree, a tree's own node stands for none.
        position: u16,
        /// Bit slot: whether the rule has been run since the agent came there.
        ran: u16,
        /// How many rules may run in a tick.
        limit: u16,
        /// Zero.
        reserved: u16,
    }

    /// Where it is noted that variables have changed.
    ChangesRow {
        /// Bit slot: a bit slot with a name has been given another value.
        live: u16,
        /// Bit slot: what it was when the tick began.
        before: u16,
    }

    /// A name by which hosts reach a node. Nodes ascend. A tree whose agents are at rules has a row of its own, which comes before
    /// theirs; the rule it begins with is the second node behind the tree's.
    IdRow {
        /// Its name.
        name: StrRef,
        /// The node.
        node: u16,
        /// The node of the tree that it is in.
        tree: u16,
        /// 1 if the node can be found by the name, 0 if the name is only shown.
        listed: u32,
    }

    /// Where a node comes from. Row `n - 1` is node `n`.
    DebugNode {
        /// The node word: row of the debug names plus one.
        keyword: u32,
        /// What the word is applied to: row of the debug names plus one; 0 for nothing.
        subject: u32,
        /// The tree it belongs to: row of the debug names plus one; 0 if unknown.
        tree: u32,
        /// The file: row of the debug names plus one; 0 if unknown.
        file: u32,
        /// Line, from 1; 0 if unknown.
        line: u32,
        /// Column in bytes, from 1.
        column: u32,
        /// Origin row plus one; 0 if written in place.
        origin: u32,
        /// Parent node; 0 for a tree node.
        parent: u32,
    }

    /// A macro, an include or a use of a tree, through which a node came.
    DebugOrigin {
        /// See [`super::origin_kind`].
        kind: u32,
        /// Line of the use, from 1.
        line: u32,
        /// Name of the macro, included file or tree: row of the debug names plus one.
        name: u32,
        /// File of the use: row of the debug names plus one.
        file: u32,
        /// Column of the use in bytes, from 1.
        column: u32,
        /// Origin of the use: a smaller row plus one; 0 for none.
        origin: u32,
    }

    /// What ends when an instruction is left by an exit.
    DebugEdge {
        /// Four times the index of the word in the code, plus the exit: 0 next or failure, 1 target or success,
        /// 2 running, 3 other.
        way: u32,
        /// Row of [`DebugEnd`] plus one.
        ends: u32,
    }

    /// A node that ends, and what ends after it.
    DebugEnd {
        /// The node.
        node: u16,
        /// Its status: 0 failure, 1 success, 2 running, 3 other.
        status: u16,
        /// A smaller row plus one; 0 for none.
        next: u32,
    }
}

impl DebugEdge {
    /// How a row names a way out of an instruction.
    #[must_use]
    pub fn way(word: usize, exit: u32) -> u32 {
        word as u32 * 4 + exit
    }
}
