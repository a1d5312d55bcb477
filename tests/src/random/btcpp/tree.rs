//! Text of random trees of BehaviorTree.CPP.

use crate::random::Case;
use crate::random::draws::Draws;
use std::fmt::Write;

/// Most nodes in each other.
const DEPTH: usize = 12;

/// A control: its element, the least and the greatest number of children, and the number of first
/// children that the library must not skip.
type Control = (&'static str, usize, usize, usize);

/// Elements of a version of the library.
struct Version {
    /// 3 or 4.
    number: u32,
    /// Attributes of the root.
    root: &'static str,
    /// Nodes that give the entries of the main tree their types and first values.
    first: &'static str,
    controls: &'static [Control],
    decorators: &'static [&'static str],
    leaves: &'static [&'static str],
    /// Leaves that stand only in the subtree.
    inner: &'static [&'static str],
    /// Elements of the subtree.
    subtrees: &'static [&'static str],
    /// Pre- and post-conditions.
    conditions: &'static [&'static str],
}

const FOUR: Version = Version {
    number: 4,
    root: "BTCPP_format=\"4\" main_tree_to_execute=\"Main\"",
    first: "<RunOnce><Script code=\"x := 0.0; y := 1.0; g := 0.0; n := 5; i := 1; p := 0; t := '1'\"/></RunOnce>\
        <SetBlackboard value=\"7\" output_key=\"u\"/><Say value=\"{t}\"/>",
    controls: &[
        ("Sequence", 1, 4, 0),
        ("AsyncSequence", 1, 4, 0),
        ("SequenceWithMemory", 1, 4, 0),
        ("Fallback", 1, 4, 0),
        ("AsyncFallback", 1, 4, 0),
        ("ReactiveSequence", 1, 4, 0),
        ("ReactiveFallback", 1, 4, 0),
        ("Parallel success_count=\"1\" failure_count=\"1\"", 1, 4, 0),
        ("Parallel success_count=\"-1\" failure_count=\"-1\"", 1, 4, 0),
        ("ParallelAll max_failures=\"1\"", 1, 4, 0),
        ("IfThenElse", 2, 3, 1),
        ("WhileDoElse", 2, 3, 1),
        ("Switch2 variable=\"{x}\" case_1=\"0\" case_2=\"1\"", 3, 3, 0),
        ("Switch2 variable=\"{t}\" case_1=\"1\" case_2=\"3\"", 3, 3, 0),
        ("Switch3 variable=\"{n}\" case_1=\"5\" case_2=\"6\" case_3=\"1\"", 4, 4, 0),
        ("Switch4 variable=\"{t}\" case_1=\"a\" case_2=\"1.0\" case_3=\"3\" case_4=\"\"", 5, 5, 0),
        (
            "Switch5 variable=\"{y}\" case_1=\"0\" case_2=\"1\" case_3=\"2\" case_4=\"3\" case_5=\"4\"",
            6,
            6,
            0,
        ),
        (
            "Switch6 variable=\"{n}\" case_1=\"1\" case_2=\"2\" case_3=\"3\" case_4=\"4\" case_5=\"5\" case_6=\"6\"",
            7,
            7,
            0,
        ),
        ("TryCatch", 2, 4, 0),
        ("TryCatch catch_on_halt=\"true\"", 2, 4, 0),
        ("PipelineSequence", 1, 4, 0),
        ("NonblockingSequence", 1, 4, 4),
        ("PersistentSequence current_child_idx=\"{p}\"", 1, 4, 0),
        ("RecoveryNode number_of_retries=\"2\"", 2, 2, 0),
        ("RoundRobin", 1, 4, 0),
        ("RoundRobin wrap_around=\"true\"", 1, 4, 0),
    ],
    decorators: &[
        "Inverter",
        "ForceSuccess",
        "ForceFailure",
        "KeepRunningUntilFailure",
        "Repeat num_cycles=\"3\"",
        "RetryUntilSuccessful num_attempts=\"2\"",
        "RunOnce",
        "RunOnce then_skip=\"false\"",
        "Delay delay_msec=\"50000\"",
        "Timeout msec=\"100000\"",
        "Timeout msec=\"150000\"",
        "Precondition if=\"x == 1\" else=\"RUNNING\"",
        "Precondition if=\"y &lt; 2\"",
        "LoopInt queue=\"1;2;3\" value=\"{item}\"",
        "LoopBool queue=\"true;false\" value=\"{truth}\"",
        "LoopDouble queue=\"1.5;2.5\" value=\"{real}\"",
        "LoopString queue=\"a;1\" value=\"{word}\" if_empty=\"FAILURE\"",
        "SkipUnlessUpdated entry=\"{x}\"",
        "WaitValueUpdate entry=\"{y}\"",
        "RateController hz=\"0.01\"",
        "SingleTrigger",
        "GoalUpdatedController goal=\"{x}\" goals=\"{y}\"",
        "Around",
    ],
    leaves: &[
        "AlwaysSuccess",
        "AlwaysFailure",
        "Script code=\"x := 1 - x\"",
        "Script code=\"y := y &gt; 3 ? 0 : y + 1.0\"",
        "ScriptCondition code=\"x == 1 &amp;&amp; y &lt; 2\"",
        "Script code=\"n := n &amp; 6 | 1\"",
        "Script code=\"n := n ^ 3\"",
        "Script code=\"i := i | 2\"",
        "Script code=\"t := '3'\"",
        "ScriptCondition code=\"t == 3 || n == 4\"",
        "ScriptCondition code=\"g &lt; 1\"",
        "Read value=\"{t}\"",
        "Read value=\"{t}\"",
        "Long value=\"{i}\"",
        "Give value=\"{g}\"",
        "Give value=\"{z}\"",
        "Say value=\"{t}\"",
        "Maybe value=\"{u}\"",
        "SetBlackboard value=\"8\" output_key=\"u\"",
        "SetBlackboard value=\"{t}\" output_key=\"v\"",
        "SetBlackboard value=\"{x}\" output_key=\"w\"",
        "UnsetBlackboard key=\"u\"",
        "Sleep msec=\"60000\"",
        "WasEntryUpdated entry=\"{x}\"",
        "WasEntryUpdated entry=\"{w}\"",
        "WasEntryUpdated entry=\"{z}\"",
        "Do",
        "Do",
        "Act",
        "Act",
        "Act",
        "Act",
    ],
    inner: &["Script code=\"r := 1 - r\"", "ScriptCondition code=\"r &lt; k\""],
    subtrees: &[
        "SubTree ID=\"Sub\" _autoremap=\"true\" k=\"1.5\" r=\"{x}\"",
        "SubTree ID=\"Sub\" _autoremap=\"true\" k=\"0.5\" r=\"{y}\"",
    ],
    conditions: &[
        "_failureIf=\"x == 1\"",
        "_successIf=\"y == 2\"",
        "_skipIf=\"x == 0\"",
        "_while=\"y != 3\"",
        "_onSuccess=\"y := 2.0\"",
        "_onFailure=\"x := 0.0\"",
        "_onHalted=\"y := y + 1.0\"",
        "_post=\"x := 1.0\"",
    ],
};

const THREE: Version = Version {
    number: 3,
    root: "main_tree_to_execute=\"Main\"",
    first: "<SetBlackboard value=\"0\" output_key=\"x\"/><SetBlackboard value=\"1\" output_key=\"s\"/>\
        <SetBlackboard value=\"2\" output_key=\"i\"/><SetBlackboard value=\"false\" output_key=\"b\"/>\
        <ForceSuccess><BlackboardCheckInt value_A=\"{i}\" value_B=\"1\"><AlwaysSuccess/></BlackboardCheckInt>\
        </ForceSuccess><ForceSuccess><BlackboardCheckBool value_A=\"{b}\" value_B=\"true\"><AlwaysSuccess/>\
        </BlackboardCheckBool></ForceSuccess><ForceSuccess><BlackboardCheckDouble value_A=\"{x}\" value_B=\"0\"><AlwaysSuccess/>\
        </BlackboardCheckDouble></ForceSuccess>",
    controls: &[
        ("Sequence", 1, 4, 0),
        ("SequenceStar", 1, 4, 0),
        ("Fallback", 1, 4, 0),
        ("ReactiveSequence", 1, 4, 0),
        ("ReactiveFallback", 1, 4, 0),
        ("Parallel success_threshold=\"1\"", 1, 4, 0),
        ("IfThenElse", 2, 3, 1),
        ("WhileDoElse", 3, 3, 1),
        ("Switch2 variable=\"{s}\" case_1=\"1\" case_2=\"2\"", 3, 3, 0),
        ("Switch3 variable=\"{s}\" case_1=\"2\" case_2=\"3\" case_3=\"1\"", 4, 4, 0),
        ("Switch4 variable=\"{s}\" case_1=\"a\" case_2=\"1.0\" case_3=\"2\" case_4=\"\"", 5, 5, 0),
        (
            "Switch5 variable=\"{s}\" case_1=\"0\" case_2=\"1\" case_3=\"2\" case_4=\"3\" case_5=\"4\"",
            6,
            6,
            0,
        ),
        (
            "Switch6 variable=\"{s}\" case_1=\"6\" case_2=\"5\" case_3=\"4\" case_4=\"3\" case_5=\"2\" case_6=\"1\"",
            7,
            7,
            0,
        ),
        ("PipelineSequence", 1, 4, 0),
        ("NonblockingSequence", 1, 4, 4),
        ("PersistentSequence current_child_idx=\"{i}\"", 1, 4, 0),
        ("RecoveryNode number_of_retries=\"2\"", 2, 2, 0),
        ("RoundRobin", 1, 4, 0),
        ("RoundRobin wrap_around=\"true\"", 1, 4, 0),
    ],
    decorators: &[
        "Inverter",
        "ForceSuccess",
        "ForceFailure",
        "KeepRunningUntilFailure",
        "Repeat num_cycles=\"3\"",
        "RetryUntilSuccessful num_attempts=\"2\"",
        "Delay delay_msec=\"50000\"",
        "Timeout msec=\"100000\"",
        "BlackboardCheckInt value_A=\"{i}\" value_B=\"1\"",
        "BlackboardCheckDouble value_A=\"{x}\" value_B=\"1\" return_on_mismatch=\"SUCCESS\"",
        "BlackboardCheckBool value_A=\"{b}\" value_B=\"true\"",
        "BlackboardCheckString value_A=\"{s}\" value_B=\"2\"",
        "RateController hz=\"0.01\"",
        "SingleTrigger",
        "GoalUpdatedController goal=\"{x}\" goals=\"{i}\"",
        "Around",
    ],
    leaves: &[
        "AlwaysSuccess",
        "AlwaysFailure",
        "SetBlackboard value=\"1\" output_key=\"i\"",
        "SetBlackboard value=\"true\" output_key=\"b\"",
        "SetBlackboard value=\"2\" output_key=\"s\"",
        "SetBlackboard value=\"1\" output_key=\"x\"",
        "SetBlackboard value=\"{s}\" output_key=\"u\"",
        "Give value=\"{x}\"",
        "Say value=\"{s}\"",
        "Read value=\"{i}\"",
        "Long value=\"9\"",
        "Maybe value=\"{u}\"",
        "Do",
        "Act",
        "Act",
    ],
    inner: &["Give value=\"{r}\""],
    subtrees: &[
        "SubTree ID=\"Sub\" r=\"x\" x=\"x\" s=\"s\" i=\"i\" b=\"b\"",
        "SubTree ID=\"Sub\" __shared_blackboard=\"true\"",
        "SubTreePlus ID=\"Sub\" __autoremap=\"true\" r=\"{x}\"",
    ],
    conditions: &[],
};

/// Returns the text of a case.
#[must_use]
pub fn text(case: &Case) -> String {
    let (version, main, sub) = drawn(case);
    format!(
        "<root {}><BehaviorTree ID=\"Main\"><Sequence>{}{main}</Sequence></BehaviorTree>\
         <BehaviorTree ID=\"Sub\">{sub}</BehaviorTree></root>",
        version.root, version.first
    )
}

/// Returns the version of the library that a case is for, 3 or 4, and its random nodes.
#[must_use]
pub fn nodes(case: &Case) -> (u32, String) {
    let (version, main, sub) = drawn(case);
    (version.number, main + &sub)
}

/// Returns the version that a case is for, and the random nodes of its trees.
fn drawn(case: &Case) -> (&'static Version, String, String) {
    let mut draws = case.draws();
    let version = if draws.below(6) == 5 { &THREE } else { &FOUR };
    let mut writer =
        Writer { draws, version, out: String::new(), left: case.size, inner: false, single: false };
    writer.node(0);
    let main = core::mem::take(&mut writer.out);
    (writer.left, writer.inner) = (writer.left.min(8), true);
    writer.node(0);
    (version, main, writer.out)
}

struct Writer {
    draws: Draws,
    version: &'static Version,
    out: String,
    /// Number of nodes that may still be added.
    left: usize,
    /// True in the subtree, which has no subtrees itself.
    inner: bool,
    /// True if the next node cannot be an `AsyncSequence`: a `ReactiveSequence` can have one, which
    /// is its first child here.
    single: bool,
}

impl Writer {
    fn node(&mut self, depth: usize) {
        self.draws.begin();
        let single = core::mem::take(&mut self.single);
        self.left = self.left.saturating_sub(1);
        let kind = if self.left == 0 || depth >= DEPTH { 0 } else { self.draws.below(8) };
        match kind {
            0 | 1 => self.leaf(),
            2..=4 => self.control(depth, single),
            5 if !self.inner => {
                let (head, name) = (self.draws.pick(self.version.subtrees), self.draws.below(10_000));
                let (conditions, place) = (self.conditions(), self.out.len());
                let _ = write!(self.out, "<{head} name=\"s{name}_{place}\" {conditions}/>");
            }
            _ => {
                let head = self.draws.pick(self.version.decorators);
                self.open(head);
                self.node(depth + 1);
                self.close(head);
            }
        }
        self.draws.end();
    }

    fn leaf(&mut self) {
        let own = if self.inner { self.version.inner } else { &[] };
        let all: Vec<_> = self.version.leaves.iter().chain(own).copied().collect();
        let (head, conditions, name) = (self.draws.pick(&all), self.conditions(), self.draws.below(6));
        let _ = write!(self.out, "<{head} name=\"n{name}\" {conditions}/>");
    }

    fn control(&mut self, depth: usize, single: bool) {
        let (head, least, most, firm) = self.draws.pick(self.version.controls);
        let head = if single && head == "AsyncSequence" { "Sequence" } else { head };
        let count = least + self.draws.below(most - least + 1);
        self.open(head);
        for child in 0..count {
            // One in 16 trees with such a child may end with an exception of the library.
            if child < firm && !self.draws.one_in(16) {
                self.out += "<Fallback>";
                self.node(depth + 2);
                self.out += "<AlwaysFailure/></Fallback>";
            } else {
                self.single = head == "ReactiveSequence" && child > 0;
                self.node(depth + 1);
            }
        }
        self.close(head);
    }

    fn open(&mut self, head: &str) {
        let conditions = self.conditions();
        let _ = write!(self.out, "<{head} {conditions}>");
    }

    fn close(&mut self, head: &str) {
        let _ = write!(self.out, "</{}>", head.split(' ').next().unwrap_or_default());
    }

    fn conditions(&mut self) -> String {
        let mut out = String::new();
        for condition in self.version.conditions {
            if self.draws.one_in(24) {
                out += condition;
                out += " ";
            }
        }
        out
    }
}
