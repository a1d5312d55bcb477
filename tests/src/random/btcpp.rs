//! Random trees of BehaviorTree.CPP: texts with most nodes of the library, and a host with
//! pseudorandom answers.
//!
//! All trees are valid, and no script of them fails: entries have values before they are read.

use super::sides::{self, Names};
use crate::random::Case;
use crate::random::draws::Draws;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use std::fmt::Write;

/// Name of the tree.
const TREE: &str = "Main";
/// Declarations of the host's leaves.
const HOST: &str = "action Act(name: text)\naction Do(name: text) condition\n\
    action Read(value: int) condition\naction Say(value: text) condition\n\
    decorator Around(name: text)\nentry z: double";
/// Variables that hosts change: what a tick is, the wake-up flag, and an entry.
pub const VARIABLES: [&str; 5] = ["@request", "@wake", "x", "z", "z?"];
/// Most nodes in each other.
const DEPTH: usize = 12;

/// Controls with the least and the greatest number of children.
const CONTROLS: [(&str, usize, usize); 20] = [
    ("Sequence", 1, 4),
    ("AsyncSequence", 1, 4),
    ("SequenceWithMemory", 1, 4),
    ("Fallback", 1, 4),
    ("AsyncFallback", 1, 4),
    ("ReactiveSequence", 1, 4),
    ("ReactiveFallback", 1, 4),
    ("Parallel success_count=\"1\" failure_count=\"1\"", 1, 4),
    ("Parallel success_count=\"-1\" failure_count=\"-1\"", 1, 4),
    ("ParallelAll max_failures=\"1\"", 1, 4),
    ("IfThenElse", 2, 3),
    ("WhileDoElse", 2, 3),
    ("Switch2 variable=\"{x}\" case_1=\"0\" case_2=\"1\"", 3, 3),
    ("Switch2 variable=\"{t}\" case_1=\"1\" case_2=\"3\"", 3, 3),
    ("TryCatch", 2, 4),
    ("TryCatch catch_on_halt=\"true\"", 2, 4),
    ("PipelineSequence", 1, 4),
    ("RecoveryNode number_of_retries=\"2\"", 2, 2),
    ("RoundRobin", 1, 4),
    ("RoundRobin wrap_around=\"true\"", 1, 4),
];

const DECORATORS: [&str; 19] = [
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
    "SkipUnlessUpdated entry=\"{x}\"",
    "WaitValueUpdate entry=\"{z}\"",
    "RateController hz=\"0.01\"",
    "SingleTrigger",
    "Around",
];

const LEAVES: [&str; 15] = [
    "AlwaysSuccess",
    "AlwaysFailure",
    "Script code=\"x := 1 - x\"",
    "Script code=\"y := y &gt; 3 ? 0 : y + 1.0\"",
    "ScriptCondition code=\"x == 1 &amp;&amp; y &lt; 2\"",
    "Script code=\"n := n &amp; 6 | 1\"",
    "Script code=\"n := n ^ 3\"",
    "Script code=\"t := '3'\"",
    "ScriptCondition code=\"t == 3 || n == 4\"",
    "Read value=\"{t}\"",
    "Sleep msec=\"60000\"",
    "WasEntryUpdated entry=\"{x}\"",
    "Do",
    "Act",
    "Act",
];

const CONDITIONS: [&str; 8] = [
    "_failureIf=\"x == 1\"",
    "_successIf=\"y == 2\"",
    "_skipIf=\"x == 0\"",
    "_while=\"y != 3\"",
    "_onSuccess=\"y := 2.0\"",
    "_onFailure=\"x := 0.0\"",
    "_onHalted=\"y := y + 1.0\"",
    "_post=\"x := 1.0\"",
];

/// Returns the text of a case.
#[must_use]
pub fn text(case: &Case) -> String {
    let mut writer = Writer { draws: case.draws(), out: String::new(), left: case.size, subtrees: true };
    writer.out += "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">\
        <Sequence><RunOnce><Script code=\"x := 0.0; y := 1.0; n := 5; t := '1'\"/></RunOnce>\
        <Say value=\"{t}\"/>";
    writer.node(0);
    writer.out += "</Sequence></BehaviorTree><BehaviorTree ID=\"Sub\">";
    (writer.left, writer.subtrees) = (writer.left.min(8), false);
    writer.node(0);
    writer.out + "</BehaviorTree></root>"
}

struct Writer {
    draws: Draws,
    out: String,
    /// Number of nodes that may still be added.
    left: usize,
    /// True if subtrees may be used.
    subtrees: bool,
}

impl Writer {
    fn node(&mut self, depth: usize) {
        self.draws.begin();
        self.left = self.left.saturating_sub(1);
        let kind = if self.left == 0 || depth == DEPTH { 0 } else { self.draws.below(8) };
        match kind {
            0 | 1 => self.leaf(),
            2..=4 => {
                let (head, least, most) = self.draws.pick(&CONTROLS);
                let count = least + self.draws.below(most - least + 1);
                self.element(head, count, depth);
            }
            5 if self.subtrees => {
                let (name, end) = (self.draws.below(10_000), self.conditions());
                let _ = write!(self.out, "<SubTree ID=\"Sub\" name=\"s{name}_{}\" ", self.out.len());
                self.out += &format!("_autoremap=\"true\" k=\"1.5\" {end}/>");
            }
            _ => {
                let head = self.draws.pick(&DECORATORS);
                self.element(head, 1, depth);
            }
        }
        self.draws.end();
    }

    fn leaf(&mut self) {
        let (head, conditions) = (self.draws.pick(&LEAVES), self.conditions());
        let name = self.draws.below(6);
        self.out += &format!("<{head} name=\"n{name}\" {conditions}/>");
    }

    fn element(&mut self, head: &str, children: usize, depth: usize) {
        let conditions = self.conditions();
        self.out += &format!("<{head} {conditions}>");
        (0..children).for_each(|_| self.node(depth + 1));
        let name = head.split(' ').next().unwrap_or_default();
        self.out += &format!("</{name}>");
    }

    fn conditions(&mut self) -> String {
        let mut out = String::new();
        for condition in CONDITIONS {
            if self.draws.one_in(24) {
                out += condition;
                out += " ";
            }
        }
        out
    }
}

/// Runs the tree of a case on all engines.
///
/// # Errors
/// With the first difference between engines.
pub fn fight(case: &Case) -> Result<(), String> {
    fight_for(case, sides::TICKS)
}

/// Runs the tree of a case on all engines for a number of ticks.
///
/// # Errors
/// With the first difference between engines.
pub fn fight_for(case: &Case, ticks: u64) -> Result<(), String> {
    let names = Names { tree: TREE, variables: &VARIABLES, events: &["none"] };
    sides::fight(&module(&text(case))?, names, case, ticks)
}

/// Compiles a text.
///
/// # Errors
/// If the text is not valid.
pub fn module(text: &str) -> Result<Module, String> {
    let (manifest, _) = Manifest::parse(HOST);
    let library = Texts::of("main", "xml", text);
    let mut session = Session::new(&library, &manifest);
    let module =
        pleach_compile::internals::module(&mut session, &BtCpp as &dyn Dialect, &["main".to_owned()]);
    module.ok_or_else(|| format!("{text}\n{:?}", session.diagnostics.list()))
}
