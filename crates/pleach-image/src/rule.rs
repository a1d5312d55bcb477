//! Rules of the verifier, each with a permanent code.

#[cfg(pleach_planted)]
pub mod planted;

macro_rules! rules {
    ($($code:literal $name:ident $meaning:literal)*) => {
        /// Rule of the verifier.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = $meaning] $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the permanent code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Returns a description, in one line, of an image that breaks the rule.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }

            /// Returns the rule as an error, by which the image is refused.
            #[inline]
            pub(crate) fn broken(self) -> Result<(), Self> {
                #[cfg(pleach_planted)]
                if planted::is_off(self) {
                    return Ok(());
                }
                Err(self)
            }

            /// Returns the rule as an error unless `hold` is true.
            #[inline]
            pub(crate) fn must(self, hold: bool) -> Result<(), Self> {
                if hold { Ok(()) } else { self.broken() }
            }
        }
    };
}

#[rustfmt::skip]
rules! {
    "V0101" TooShort        "the file ends inside the header"
    "V0102" Magic           "this is not a pleach image, or it was damaged by a text-mode transfer"
    "V0103" ByteOrder       "the byte order is not little-endian"
    "V0104" Version         "the format version is not one that this reader knows"
    "V0105" Feature         "the image needs a feature that this reader does not have"
    "V0106" Length          "the length in the header is not the length of the file"
    "V0107" Reserved        "a reserved field is not zero"
    "V0108" SectionCount    "the section table is too long or cut off"
    "V0109" SectionKind     "a section of the table is unknown, out of order or there twice, or its reserved field is not zero"
    "V0110" SectionPlace    "a section does not begin where the one before it ends, or ends outside the file"
    "V0111" SectionRows     "a section does not hold a whole number of rows"
    "V0112" Padding         "the padding behind a section is not zero"
    "V0113" Trailing        "there are bytes behind the last section"
    "V0114" Checksum        "the file is damaged: its checksum differs"
    "V0115" Aligned         "the bytes are not aligned to 8"
    "V0116" Memory          "there is not enough memory to hold or check it"

    "V0201" MetaRow         "there is not exactly one meta row"
    "V0202" NodeCount       "the number of nodes is not the number of keys, or too large"
    "V0203" TableSize       "a table has more rows than operands can tell apart"
    "V0204" StackLimit      "the declared depth of the condition stack is too large"
    "V0205" CallLimit       "the declared depth of calls is larger than the number of blocks"
    "V0206" StringRange     "a string is not inside the strings section"
    "V0207" StringUtf8      "a name is empty or not UTF-8"
    "V0208" EntryBlock      "an entry names a block that is not there"
    "V0209" ImportKind      "an import is neither action nor query"
    "V0210" ImportArity     "an import takes fewer arguments at most than at least"
    "V0211" SiteImport      "a site names an import that is not there"
    "V0212" SiteValues      "the arguments of a site are not in the values, or not as many as the import takes"
    "V0213" ValueTag        "an argument has an unknown type or a stray length"
    "V0214" SlotType        "a slot has an unknown kind, capacity or reset mark"
    "V0215" FrameSize       "the frame of an agent is larger than the limit"
    "V0216" BlockPlace      "a block is empty or does not begin where the one before it ends"
    "V0217" ConditionPlace  "a condition is empty or does not begin where the one before it ends"
    "V0218" NameLength      "a name is longer than 1,024 bytes"
    "V0219" TablePlace      "a table of cases does not begin where the one before it ends"
    "V0220" CaseOrder       "a case names a node that is not there, or its nodes do not follow those of the case before"
    "V0221" ParallelSlots   "a parallel names a node or positions that are not there, or its positions are not in its halts"
    "V0222" SharedType      "a shared variable has an unknown kind or scope"
    "V0223" EventBlock      "an event names a block that is not there, or one that does more than write variables"
    "V0224" LimiterSlots    "a limiter names a node or slots that are not there or of another kind"
    "V0225" SlotInit        "a slot begins with a value that its kind does not hold"
    "V0226" CursorSlots     "agents keep their rule in slots that are not there or of another kind, or in two places, or may run none"
    "V0227" IdNodes         "an id names nodes that are not there, or its node does not follow that of the id before"
    "V0228" ParallelHalts   "the halts of a parallel do not begin where those of the parallel before end"
    "V0230" ForestTrees     "the trees of a forest do not follow those of the forest before"
    "V0231" TreeRoot        "a tree of a forest names an entry or a root that is not there"
    "V0232" FaceType        "there is not a face for each node, or one has an unknown type or policy"
    "V0233" AttributePlace  "attributes are not there, or are said of two things"
    "V0240" WrapperRow      "a wrapper names a node, slot, site, gate or block that is not there or of another kind, or is out of order"
    "V0241" GateRow         "a gate names a slot that is not there or of another kind, or an unknown scope"
    "V0242" ChangesRow      "there is more than one row of changes, or it names slots that are not there or of another kind"
    "V0243" DataRow         "data belongs to a node or slot that is not there or of another kind, or is out of order"
    "V0244" TunableRow      "a tunable names a variable that is not there or of another kind, or is out of order, or its range is not one around its default"
    "V0250" StatusesRow     "there is more than one row of statuses, or a node of it has no slot of an unsigned 8-bit integer"

    "V0301" OpUnknown       "an instruction has an unknown number"
    "V0302" UnusedField     "a field that the instruction does not use is not zero"
    "V0303" TargetBackward  "a target does not lead forward"
    "V0304" TargetRange     "a target leads out of the block"
    "V0305" TargetData      "a target leads into an exits word, or an exits word stands alone"
    "V0306" ExitsMissing    "an instruction with four exits has no exits word behind it"
    "V0307" FallsOff        "control falls off the end of a block"
    "V0308" Unreachable     "an instruction cannot be reached"
    "V0309" ExitRange       "a return has an unknown exit"
    "V0310" ConditionRange  "an instruction names a condition that is not there or gives another type"
    "V0311" CallOrder       "a call does not lead to an earlier block"
    "V0312" CallDepth       "calls nest deeper than declared"
    "V0313" SiteKind        "an act names a site that is not there or is no action"
    "V0314" NodeRange       "an instruction names a node that is not there"
    "V0315" SlotKind        "an instruction names a slot that is not there or of another kind"
    "V0316" FlagRange       "an instruction names a flag that is not there"
    "V0317" TruthRange      "a truth is neither 0 nor 1"
    "V0318" TableRange      "an instruction names a table of cases that is not there or is another's"
    "V0319" ParallelRange   "an instruction names a parallel that is not there"
    "V0320" SharedKind      "an instruction names a shared variable that is not there or of another kind"
    "V0321" EventRange      "an instruction names an event that is not there"
    "V0322" LimiterRange    "an instruction names a limiter that is not there"
    "V0323" WayRange        "a way to write a shared variable is unknown"
    "V0324" ScopeRange      "a scope is unknown"
    "V0325" LoopBack        "an `again` does not lead back to a `loop` of its register"
    "V0326" LoopEntered     "a way from outside leads into a loop"
    "V0327" LoopNested      "two loops overlap, or a loop's register is used inside it"
    "V0328" FaultRange      "a fault is unknown"
    "V0329" RuleRange       "an instruction names a rule that is not there"
    "V0330" TimesRange      "a loop begins again up to the step limit, and there is none"
    "V0340" GateRange       "an instruction names a gate that is not there"
    "V0341" TextRange       "an instruction names a text that is not there"
    "V0342" LogRange        "an instruction writes to a log what is unknown"

    "V0401" StackOpUnknown  "an operation of a condition has an unknown number"
    "V0402" StackUnused     "an unused field of an operation is not zero"
    "V0403" StackUnderflow  "an operation takes more than the condition stack holds"
    "V0404" StackOverflow   "the condition stack gets deeper than declared"
    "V0405" StackType       "an operation finds the wrong type on the condition stack"
    "V0406" StackConstant   "a condition names a constant that is not there"
    "V0407" StackQuery      "a condition names a site that is not there or is no query"
    "V0408" StackTarget     "a jump in a condition leads backward, out of it, or across another"
    "V0409" StackMerge      "two ways to an operation leave different stacks"
    "V0410" StackEnd        "a condition ends early, late, or with more than one entry"
    "V0411" StackSlot       "a condition names a slot or shared variable that is not there or of another kind"
}
