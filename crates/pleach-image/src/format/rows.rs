//! Rows that sections consist of: plain data without padding bytes.

mod halves;

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
    /// String: bytes `start..start + len` of the strings section. In debug rows, of the debug
    /// strings.
    StrRef {
        /// Index of the first byte.
        start: u32,
        /// Length in bytes.
        len: u32,
    }

    /// First 64 bytes of a file.
    Header {
        /// [`super::MAGIC`].
        magic: [u8; 8],
        /// [`super::ENDIAN_MARK`].
        endian: u32,
        /// [`super::MAJOR`].
        major: u16,
        /// [`super::MINOR`].
        minor: u16,
        /// Bit set of features that a reader must know. No feature is defined yet.
        required_features: u32,
        /// Bit set of features that a reader may ignore. No feature is defined yet, so it is zero.
        optional_features: u32,
        /// Length of the file in bytes.
        length: u64,
        /// Number of rows of the section table.
        sections: u32,
        /// CRC-32 of the file with this field zero.
        checksum: u32,
        /// Zero.
        reserved: [u64; 3],
    }

    /// Place of a section in the file.
    SectionRow {
        /// Number of a [`super::SectionKind`].
        kind: u32,
        /// Zero.
        reserved: u32,
        /// Offset of the first byte from the start of the file.
        offset: u64,
        /// Length in bytes.
        length: u64,
    }

    /// Properties of the whole program; one row.
    Meta {
        /// Number of nodes. Ids go from 1 to this number.
        nodes: u32,
        /// Number of scratch flags.
        flags: u32,
        /// Maximum number of calls that are open at once.
        call_depth: u32,
        /// Maximum depth of the condition stack.
        stack_depth: u32,
        /// Name of the dialect that the trees were written in.
        dialect: StrRef,
    }

    /// Block that can be started by name.
    EntryRow {
        /// Name of the entry.
        name: StrRef,
        /// Index of the block.
        block: u32,
        /// Zero.
        reserved: u32,
    }

    /// Block: words `first..first + count` of the code.
    BlockRow {
        /// Index of the first word.
        first: u32,
        /// Number of words.
        count: u32,
    }

    /// Condition: words `first..first + count` of the condition code.
    ConditionRow {
        /// Index of the first word.
        first: u32,
        /// Number of words.
        count: u32,
    }

    /// Host function.
    ImportRow {
        /// Name to link by.
        name: StrRef,
        /// Kind of the function, see [`super::import_kind`].
        kind: u32,
        /// Smallest number of arguments.
        min_args: u16,
        /// Largest number of arguments.
        max_args: u16,
    }

    /// Call of a host function with its arguments: values `first..first + count`.
    SiteRow {
        /// Index of the import.
        import: u16,
        /// Number of arguments.
        count: u16,
        /// Index of the first argument.
        first: u32,
    }

    /// Argument of a host call.
    ValueRow {
        /// Type of the argument, see [`super::value_tag`].
        tag: u32,
        /// The integer, the bits of the float, the start of the text in the strings, or the slot.
        bits: u32,
        /// Length of the text; upper half of a value of 64 bits; zero for other types.
        len: u32,
    }

    /// Slot of an agent's frame.
    SlotRow {
        /// Kind of the slot, see [`super::slot_kind`].
        kind: u32,
        /// Capacity of a set, number of bytes of data, or upper half of an initial value of 64
        /// bits; zero for other kinds.
        capacity: u32,
        /// Name of the variable for hosts; empty for a slot of the machine.
        name: StrRef,
        /// Stable key, which identifies the slot in another build of the tree.
        key: u64,
        /// 1 if resetting the agent's behavior clears the slot, else 0.
        reset: u32,
        /// Initial value of a variable: the boolean, the integer or the bits of the float. Of a
        /// value of 64 bits, the lower half. Zero for other slots.
        init: u32,
    }

    /// Cases of a `switch`: rows `first..first + count`.
    TableRow {
        /// Index of the first case.
        first: u32,
        /// Number of cases.
        count: u32,
    }

    /// Case of a `switch`: target for the nodes from `low` to `high`.
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

    /// Node whose children run side by side, each with a position of its own.
    ParallelRow {
        /// Id of the node.
        node: u16,
        /// Slot of the first branch's position. The positions of the other branches follow.
        first: u16,
        /// Number of branches.
        branches: u16,
        /// Number of succeeded branches at which the node succeeds.
        succeed: u16,
        /// Number of failed branches at which the node fails.
        fail: u16,
        /// Number of positions in the node, with those of parallels inside it.
        positions: u16,
        /// First row of its positions in the section of halts, in the order in which they are
        /// halted.
        halts: u32,
    }

    /// Variable of a group or of the world.
    SharedRow {
        /// Name of the variable.
        name: StrRef,
        /// Kind of the variable, see [`super::slot_kind`]: a bit, an integer, a float or an entity.
        kind: u32,
        /// Owner of the variable, see [`super::scope`].
        scope: u32,
        /// Initial value: the boolean, the integer or the bits of the float. Of a value of 64 bits,
        /// the lower half.
        init: u32,
        /// Upper half of an initial value of 64 bits; zero for other kinds.
        high: u32,
    }

    /// Event that hosts and trees can raise for agents.
    EventRow {
        /// Name of the event.
        name: StrRef,
        /// Block that runs when the event occurs.
        block: u32,
        /// Zero.
        reserved: u32,
    }

    /// Limit on the number of agents that are inside a node at once.
    LimiterRow {
        /// Maximum number of agents inside.
        places: u32,
        /// Slot of the position. An agent is inside while this slot holds a node from `low` to
        /// `high`.
        column: u16,
        /// Id of the node.
        low: u16,
        /// Id of the last node of its subtree.
        high: u16,
        /// Bit slot that is set while an agent asks for a place.
        wants: u16,
        /// Bit slot that is set if an agent has been granted a place.
        granted: u16,
        /// Zero.
        reserved: u16,
    }

    /// Forest: a named set of trees.
    ForestRow {
        /// Name of the forest.
        name: StrRef,
        /// Index of its first tree. The trees follow those of the forest before.
        first: u32,
        /// Number of trees.
        trees: u32,
        /// Index of its first attribute.
        attributes: u32,
        /// Number of attributes.
        count: u32,
    }

    /// Tree of a forest.
    ForestTreeRow {
        /// Name of the tree.
        name: StrRef,
        /// Index of the entry that the tree runs.
        entry: u32,
        /// Id of the root node of that entry.
        root: u32,
        /// Index of the first attribute, in addition to those of the root.
        attributes: u32,
        /// Number of attributes.
        count: u32,
    }

    /// Public description of a node: name, role and policy. There is one row for each node, or
    /// there are none.
    FaceRow {
        /// Name of the node; empty for a root.
        name: StrRef,
        /// Role, see [`super::face`].
        role: u16,
        /// Policy, see [`super::face`].
        policy: u16,
        /// Index of the first attribute.
        attributes: u32,
        /// Number of attributes.
        count: u32,
    }

    /// Attribute that an author gave to a forest, tree or node.
    AttributeRow {
        /// Name of the attribute.
        key: StrRef,
        /// Any text.
        value: StrRef,
    }

    /// Node around a child whose end must be reported even if the child is halted.
    WrapperRow {
        /// Id of the node.
        node: u16,
        /// Id of the last node of its subtree.
        last: u16,
        /// Slot of the position that the subtree runs by.
        position: u16,
        /// Kind of the wrapper, see [`super::wrapper_kind`].
        kind: u16,
        /// Index of a site, a gate or a block, depending on the kind.
        index: u16,
        /// Zero.
        reserved: u16,
    }

    /// Limit on the number of agents inside some nodes at once. A free place is taken at once,
    /// within the tick.
    GateRow {
        /// Maximum number of agents inside.
        places: u32,
        /// Set of agents that are counted together, see [`super::scope`].
        scope: u32,
        /// Bit slot that is set while an agent is inside.
        inside: u16,
        /// Zero.
        reserved: u16,
    }

    /// Node of the host that owns bytes in the frame.
    DataRow {
        /// Id of the node.
        node: u16,
        /// Slot of the bytes.
        slot: u16,
    }

    /// Slots and limit of dialects in which an agent is at a rule.
    CursorRow {
        /// Node slot of the current rule. 0 stands for the first rule of the tree, and the tree's
        /// own node for no rule.
        position: u16,
        /// Bit slot that is set if the rule has been run since the agent came to it.
        ran: u16,
        /// Step limit: maximum number of rules that run in a tick.
        limit: u16,
        /// Zero.
        reserved: u16,
    }

    /// Slots that record changes of variables.
    ChangesRow {
        /// Bit slot that is set when a named bit slot gets another value.
        live: u16,
        /// Bit slot with the value of `live` at the start of the tick.
        before: u16,
    }

    /// Slots in which nodes keep their statuses.
    StatusesRow {
        /// Id of the first node that keeps a status. All nodes behind it keep one, too.
        node: u16,
        /// Slot of the status of the first node, an unsigned 8-bit integer: 0 for idle, 1 for
        /// running, 2 for success, 3 for failure. The slots of the other nodes follow, in order.
        slot: u16,
    }

    /// Name by which hosts find a node. Nodes ascend. A tree whose agents are at rules has a row of
    /// its own, before the rows of its rules. The first rule of such a tree is the second node
    /// after the tree's node.
    IdRow {
        /// Name of the node.
        name: StrRef,
        /// Id of the node.
        node: u16,
        /// Id of the tree's node.
        tree: u16,
        /// 1 if the node can be found by the name, 0 if the name is only shown.
        listed: u32,
    }

    /// Type whose values have names.
    EnumRow {
        /// Name of the type.
        name: StrRef,
    }

    /// Name of a value.
    MemberRow {
        /// Name of the value.
        name: StrRef,
        /// Row of the enum.
        of: u32,
        /// Bits of the number that is the value.
        number: u32,
    }

    /// Variable, parameter or answer whose values are those of an enum.
    TypedRow {
        /// Kind of the subject, see [`super::typed`].
        kind: u32,
        /// Row of the slot, of the shared variable or of the import.
        index: u32,
        /// Number of the parameter, from 0. Zero for all other subjects.
        place: u32,
        /// Row of the enum.
        of: u32,
    }

    /// Variable that games change within a range, and trees cannot set. Its initial value is its
    /// default.
    TunableRow {
        /// Kind of the variable, see [`super::typed`]: a slot or a shared variable.
        kind: u32,
        /// Row of the slot or of the shared variable.
        index: u32,
        /// 1 if the value is a duration in units of time, else 0.
        duration: u32,
        /// Least value: an int or the bits of a float; 0 for a bit.
        low: u32,
        /// Greatest value: an int or the bits of a float; 1 for a bit.
        high: u32,
    }

    /// Origin of a node in the source. Row `n - 1` is node `n`.
    DebugNode {
        /// Keyword of the node: row of the debug names plus one.
        keyword: u32,
        /// Argument of the keyword: row of the debug names plus one; 0 for none.
        subject: u32,
        /// Tree of the node: row of the debug names plus one; 0 if unknown.
        tree: u32,
        /// File: row of the debug names plus one; 0 if unknown.
        file: u32,
        /// Line, from 1; 0 if unknown.
        line: u32,
        /// Column in bytes, from 1.
        column: u32,
        /// Origin row plus one; 0 if the node is written in place.
        origin: u32,
        /// Id of the parent node; 0 for a tree node.
        parent: u32,
    }

    /// Name that an author gave to a node whose subject is something else.
    DebugTitle {
        /// Id of the node, greater than that of the row before.
        node: u32,
        /// Row of the debug names plus one.
        name: u32,
    }

    /// Macro, include or use of a tree that a node came through.
    DebugOrigin {
        /// Kind of the origin, see [`super::origin_kind`].
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

    /// Nodes that end when an instruction is left by an exit.
    DebugEdge {
        /// Four times the index of the word in the code, plus the exit: 0 next or failure, 1 target
        /// or success, 2 running, 3 other.
        way: u32,
        /// Row of [`DebugEnd`] plus one.
        ends: u32,
    }

    /// Node that ends, and a link to the node that ends after it.
    DebugEnd {
        /// Id of the node.
        node: u16,
        /// Status of the node: 0 failure, 1 success, 2 running, 3 other.
        status: u16,
        /// Index of a smaller row plus one; 0 for the end of the chain.
        next: u32,
    }
}
