//! The kinds of nodes that come with the library, and their ports.

use crate::manifest::Leaf;

/// Number of children that a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// No child.
    Leaf,
    /// One child.
    Decorator,
    /// At least so many children.
    Control(usize),
}

/// Type of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortType {
    /// No type: texts, and entries of any type.
    Any,
    Int,
    Unsigned,
    Int64,
    Double,
    Float,
    Bool,
    Text,
    Status,
    Entity,
    /// Queue of a Loop node, of these items.
    Queue(Item),
}

/// Items of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Int,
    Bool,
    Double,
    Text,
}

impl Item {
    /// Returns the type of an item.
    pub(super) fn ty(self) -> PortType {
        match self {
            Self::Int => PortType::Int,
            Self::Bool => PortType::Bool,
            Self::Double => PortType::Double,
            Self::Text => PortType::Text,
        }
    }
}

/// A port of a kind of node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) ty: PortType,
    /// True if the node writes it.
    pub(super) out: bool,
    pub(super) default: Option<&'static str>,
}

const fn port(name: &'static str, ty: PortType) -> Port {
    Port { name, ty, out: false, default: None }
}

const fn with(name: &'static str, ty: PortType, default: &'static str) -> Port {
    Port { name, ty, out: false, default: Some(default) }
}

const fn out(name: &'static str, ty: PortType) -> Port {
    Port { name, ty, out: true, default: None }
}

/// Rule of a kind of node. Its routine is in `library`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Goes on while children succeed, or, if the flag is set, while they fail.
    Sequence {
        fallback: bool,
        yields: bool,
        memory: Memory,
    },
    Reactive {
        fallback: bool,
    },
    Parallel,
    /// The parallel of version 3.
    OldParallel,
    ParallelAll,
    IfThenElse,
    /// The flag says that there must be three children.
    WhileDoElse {
        three: bool,
    },
    Switch(u8),
    TryCatch,
    Inverter,
    Force(usize),
    KeepRunningUntilFailure,
    /// Repeats a child that succeeds, or, if the flag is set, that fails.
    Repeat {
        retry: bool,
        yields: bool,
    },
    RunOnce,
    Delay,
    Timeout,
    Precondition,
    /// Ticks its child while two values of this type are equal, in version 3.
    Check(Item),
    Loop(Item),
    Updated {
        waits: bool,
    },
    Always(usize),
    /// Takes the place of another node in tests: the rule of the registry that says how.
    Test(usize),
    Script,
    ScriptCondition,
    SetBlackboard,
    UnsetBlackboard,
    Sleep,
    WasEntryUpdated,
    SubTree,
    Pipeline,
    Nonblocking,
    Recovery,
    RoundRobin,
    RateController,
    SingleTrigger,
    Persistent,
    GoalUpdatedController,
    /// A decorator of the host. The flag says that the host is asked also while the child runs.
    Asked {
        always: bool,
    },
    /// A leaf of the host.
    Host(Leaf),
}

/// Time for which a sequence keeps its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// While a child runs.
    Running,
    /// Also after the end that breaks it off.
    Broken,
    /// Also after the end that breaks it off, and after a halt.
    Always,
}

/// A kind of node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeKind {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) rule: Rule,
    pub(super) ports: &'static [Port],
}

const fn kind(name: &'static str, shape: Shape, rule: Rule, ports: &'static [Port]) -> NodeKind {
    NodeKind { name, shape, rule, ports }
}

const SWITCH: &[Port] = &[
    port("variable", PortType::Text),
    port("case_1", PortType::Text),
    port("case_2", PortType::Text),
    port("case_3", PortType::Text),
    port("case_4", PortType::Text),
    port("case_5", PortType::Text),
    port("case_6", PortType::Text),
];
const CONTROL: Shape = Shape::Control(1);
const ENTRY: &[Port] = &[port("entry", PortType::Any)];
const SEQUENCE: Rule = Rule::Sequence { fallback: false, yields: false, memory: Memory::Running };

/// Ports of a Loop node.
macro_rules! looping {
    ($item:ident, $ty:ident) => {
        &[
            port("queue", PortType::Queue(Item::$item)),
            with("if_empty", PortType::Status, "SUCCESS"),
            out("value", PortType::$ty),
        ]
    };
}

/// All kinds.
#[rustfmt::skip]
pub(super) const KINDS: &[NodeKind] = &[
    kind("Sequence", CONTROL, SEQUENCE, &[]),
    kind("AsyncSequence", CONTROL, Rule::Sequence { fallback: false, yields: true, memory: Memory::Running }, &[]),
    kind("SequenceWithMemory", CONTROL, Rule::Sequence { fallback: false, yields: true, memory: Memory::Always }, &[]),
    kind("Fallback", CONTROL, Rule::Sequence { fallback: true, yields: false, memory: Memory::Running }, &[]),
    kind("AsyncFallback", CONTROL, Rule::Sequence { fallback: true, yields: true, memory: Memory::Running }, &[]),
    kind("ReactiveSequence", CONTROL, Rule::Reactive { fallback: false }, &[]),
    kind("ReactiveFallback", CONTROL, Rule::Reactive { fallback: true }, &[]),
    kind("Parallel", CONTROL, Rule::Parallel, &[with("success_count", PortType::Int, "-1"), with("failure_count", PortType::Int, "1")]),
    kind("ParallelAll", CONTROL, Rule::ParallelAll, &[with("max_failures", PortType::Int, "1")]),
    kind("IfThenElse", CONTROL, Rule::IfThenElse, &[]),
    kind("WhileDoElse", CONTROL, Rule::WhileDoElse { three: false }, &[]),
    kind("Switch2", CONTROL, Rule::Switch(2), SWITCH.split_at(3).0),
    kind("Switch3", CONTROL, Rule::Switch(3), SWITCH.split_at(4).0),
    kind("Switch4", CONTROL, Rule::Switch(4), SWITCH.split_at(5).0),
    kind("Switch5", CONTROL, Rule::Switch(5), SWITCH.split_at(6).0),
    kind("Switch6", CONTROL, Rule::Switch(6), SWITCH),
    kind("TryCatch", Shape::Control(2), Rule::TryCatch, &[with("catch_on_halt", PortType::Bool, "false")]),
    kind("Inverter", Shape::Decorator, Rule::Inverter, &[]),
    kind("ForceSuccess", Shape::Decorator, Rule::Force(1), &[]),
    kind("ForceFailure", Shape::Decorator, Rule::Force(0), &[]),
    kind("KeepRunningUntilFailure", Shape::Decorator, Rule::KeepRunningUntilFailure, &[]),
    kind("Repeat", Shape::Decorator, Rule::Repeat { retry: false, yields: true }, &[port("num_cycles", PortType::Int)]),
    kind("RetryUntilSuccessful", Shape::Decorator, Rule::Repeat { retry: true, yields: true }, &[port("num_attempts", PortType::Int)]),
    kind("RunOnce", Shape::Decorator, Rule::RunOnce, &[with("then_skip", PortType::Bool, "true")]),
    kind("Delay", Shape::Decorator, Rule::Delay, &[port("delay_msec", PortType::Unsigned)]),
    kind("Timeout", Shape::Decorator, Rule::Timeout, &[port("msec", PortType::Unsigned)]),
    kind("Precondition", Shape::Decorator, Rule::Precondition, &[port("if", PortType::Text), with("else", PortType::Status, "FAILURE")]),
    kind("LoopInt", Shape::Decorator, Rule::Loop(Item::Int), looping!(Int, Int)),
    kind("LoopBool", Shape::Decorator, Rule::Loop(Item::Bool), looping!(Bool, Bool)),
    kind("LoopDouble", Shape::Decorator, Rule::Loop(Item::Double), looping!(Double, Double)),
    kind("LoopString", Shape::Decorator, Rule::Loop(Item::Text), looping!(Text, Text)),
    kind("SkipUnlessUpdated", Shape::Decorator, Rule::Updated { waits: false }, ENTRY),
    kind("WaitValueUpdate", Shape::Decorator, Rule::Updated { waits: true }, ENTRY),
    kind("AlwaysSuccess", Shape::Leaf, Rule::Always(1), &[]),
    kind("AlwaysFailure", Shape::Leaf, Rule::Always(0), &[]),
    kind("Script", Shape::Leaf, Rule::Script, &[port("code", PortType::Text)]),
    kind("ScriptCondition", Shape::Leaf, Rule::ScriptCondition, &[port("code", PortType::Text)]),
    kind("SetBlackboard", Shape::Leaf, Rule::SetBlackboard, &[port("value", PortType::Any), out("output_key", PortType::Any)]),
    kind("UnsetBlackboard", Shape::Leaf, Rule::UnsetBlackboard, &[port("key", PortType::Text)]),
    kind("Sleep", Shape::Leaf, Rule::Sleep, &[port("msec", PortType::Unsigned)]),
    kind("WasEntryUpdated", Shape::Leaf, Rule::WasEntryUpdated, ENTRY),
    kind("SubTree", Shape::Decorator, Rule::SubTree, &[]),
];

/// Ports of a test of an entry. The library gives the compared values no type.
const CHECK: &[Port] = &[
    port("value_A", PortType::Any),
    port("value_B", PortType::Any),
    with("return_on_mismatch", PortType::Status, "FAILURE"),
];

/// The kinds of version 3 that version 4 does not have, or that it has otherwise.
#[rustfmt::skip]
pub(super) const OLD_KINDS: &[NodeKind] = &[
    kind("SequenceStar", CONTROL, Rule::Sequence { fallback: false, yields: false, memory: Memory::Broken }, &[]),
    kind("Parallel", CONTROL, Rule::OldParallel, &[port("success_threshold", PortType::Int), with("failure_threshold", PortType::Int, "1")]),
    kind("Repeat", Shape::Decorator, Rule::Repeat { retry: false, yields: false }, &[port("num_cycles", PortType::Int)]),
    kind("RetryUntilSuccessful", Shape::Decorator, Rule::Repeat { retry: true, yields: false }, &[port("num_attempts", PortType::Int)]),
    kind("WhileDoElse", CONTROL, Rule::WhileDoElse { three: true }, &[]),
    kind("BlackboardCheckInt", Shape::Decorator, Rule::Check(Item::Int), CHECK),
    kind("BlackboardCheckDouble", Shape::Decorator, Rule::Check(Item::Double), CHECK),
    kind("BlackboardCheckBool", Shape::Decorator, Rule::Check(Item::Bool), CHECK),
    kind("BlackboardCheckString", Shape::Decorator, Rule::Check(Item::Text), CHECK),
    kind("SubTreePlus", Shape::Decorator, Rule::SubTree, &[]),
];

/// The kinds of version 4 that version 3 has, too.
const COMMON: &[&str] = &[
    "Sequence",
    "Fallback",
    "ReactiveSequence",
    "ReactiveFallback",
    "IfThenElse",
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "Inverter",
    "KeepRunningUntilFailure",
    "Timeout",
    "Delay",
    "ForceSuccess",
    "ForceFailure",
    "AlwaysSuccess",
    "AlwaysFailure",
    "SetBlackboard",
    "SubTree",
];

/// Version of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Three,
    Four,
}

/// Returns the kind of this name.
pub(super) fn find(version: Version, name: &str) -> Option<&'static NodeKind> {
    let four = KINDS.iter().chain(NAV2_KINDS).find(|kind| kind.name == name);
    if version == Version::Four {
        return four;
    }
    let common = || COMMON.contains(&name) || NAV2_KINDS.iter().any(|kind| kind.name == name);
    OLD_KINDS.iter().find(|kind| kind.name == name).or(four.filter(|_| common()))
}

/// Controls and decorators of Nav2.
#[rustfmt::skip]
pub(super) const NAV2_KINDS: &[NodeKind] = &[
    kind("PipelineSequence", CONTROL, Rule::Pipeline, &[]),
    kind("NonblockingSequence", CONTROL, Rule::Nonblocking, &[]),
    kind("RecoveryNode", CONTROL, Rule::Recovery, &[with("number_of_retries", PortType::Int, "1")]),
    kind("RoundRobin", CONTROL, Rule::RoundRobin, &[with("wrap_around", PortType::Bool, "false")]),
    kind("RateController", Shape::Decorator, Rule::RateController, &[with("hz", PortType::Double, "10.0")]),
    kind("SingleTrigger", Shape::Decorator, Rule::SingleTrigger, &[]),
    kind("PersistentSequence", CONTROL, Rule::Persistent, &[out("current_child_idx", PortType::Int)]),
    kind("GoalUpdatedController", Shape::Decorator, Rule::GoalUpdatedController, &[with("goals", PortType::Any, "{goals}"), with("goal", PortType::Any, "{goal}")]),
];

/// Nodes that other versions, Nav2 or hosts have, and what to write instead of them.
const INSTEAD: &[(&str, &str)] = &[
    ("SequenceStar", "write `SequenceWithMemory`, which keeps its place also when it is halted"),
    ("SubTreePlus", "write `SubTree`, and `_autoremap` for `__autoremap`"),
    ("BlackboardCheckInt", CHECK_INSTEAD),
    ("BlackboardCheckDouble", CHECK_INSTEAD),
    ("BlackboardCheckBool", CHECK_INSTEAD),
    ("BlackboardCheckString", CHECK_INSTEAD),
    ("RetryUntilSuccesful", "write `RetryUntilSuccessful`"),
    ("EntryUpdated", "write `SkipUnlessUpdated` or `WaitValueUpdate`"),
    ("ManualSelector", "write a `Switch` by an entry that the game sets"),
    ("PopFromQueue", QUEUE_INSTEAD),
    ("QueueSize", QUEUE_INSTEAD),
    ("ConsumeQueue", QUEUE_INSTEAD),
    (
        "PauseResumeController",
        "write `WhileDoElse` with a condition of the game that says if the robot pauses, in place of the services",
    ),
    (
        "GoalUpdater",
        "declare `decorator GoalUpdater(input_goal: entity, input_goal_given: bool, out output_goal: entity) \
         hears` in a manifest, with the ports that the tree has; the game gives the goal",
    ),
    ("DistanceController", DECLARE_DECORATOR),
    ("SpeedController", DECLARE_DECORATOR),
    ("PathLongerOnApproach", DECLARE_DECORATOR),
];
const CHECK_INSTEAD: &str = "write `Precondition` with a script such as `a == b`";
const QUEUE_INSTEAD: &str =
    "queues of the host are not carried; write the items into the attribute of a `LoopString`";
const DECLARE_DECORATOR: &str = "declare it in a manifest as a `decorator` with its ports, such as \
    `decorator DistanceController(distance: double = 1.0)`; the game says when the child is ticked";

/// Returns what to write instead of a node that the library does not have.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(known, _)| *known == name).map(|(_, help)| *help)
}

/// Returns true if only version 4 has a kind of this name.
pub(super) fn is_new(name: &str) -> bool {
    find(Version::Four, name).is_some() && find(Version::Three, name).is_none()
}

/// Returns the kinds of a version.
pub(super) fn all(version: Version) -> impl Iterator<Item = &'static NodeKind> {
    KINDS
        .iter()
        .chain(OLD_KINDS)
        .chain(NAV2_KINDS)
        .filter(move |kind| find(version, kind.name).is_some_and(|found| core::ptr::eq(found, *kind)))
}
