//! XML of a tree, laid out as the library does it.

use super::{Instance, Tree, TreeNode};
use crate::describe::SUBTREE;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Elements of which Groot2 has models: the nodes that BehaviorTree.CPP 4.10 brings.
const BUILT_IN: [&str; 42] = [
    "AlwaysFailure",
    "AlwaysSuccess",
    "AsyncFallback",
    "AsyncSequence",
    "Delay",
    "Fallback",
    "ForceFailure",
    "ForceSuccess",
    "IfThenElse",
    "Inverter",
    "KeepRunningUntilFailure",
    "LoopBool",
    "LoopDouble",
    "LoopInt",
    "LoopString",
    "Parallel",
    "ParallelAll",
    "Precondition",
    "ReactiveFallback",
    "ReactiveSequence",
    "Repeat",
    "RetryUntilSuccessful",
    "RunOnce",
    "Script",
    "ScriptCondition",
    "Sequence",
    "SequenceWithMemory",
    "SetBlackboard",
    "SkipUnlessUpdated",
    "Sleep",
    SUBTREE,
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "Timeout",
    "TryCatch",
    "UnsetBlackboard",
    "WaitValueUpdate",
    "WasEntryUpdated",
    "WhileDoElse",
];

/// Kind of a model. The greater one counts if nodes of one name differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ModelKind {
    Action,
    Decorator,
    Control,
}

impl ModelKind {
    fn name(self) -> &'static str {
        match self {
            Self::Action => "Action",
            Self::Decorator => "Decorator",
            Self::Control => "Control",
        }
    }
}

/// Returns the XML of a tree. Writing to a string does not fail.
pub(crate) fn write(tree: &Tree) -> String {
    let mut out = "<root BTCPP_format=\"4\">\n".to_owned();
    for instance in &tree.instances {
        let (id, path) = (escaped(&instance.id), escaped(&instance.path));
        let _ = writeln!(out, "    <BehaviorTree ID=\"{id}\" _fullpath=\"{path}\">");
        nodes(tree, instance, &mut out);
        out.push_str("    </BehaviorTree>\n");
    }
    models(tree, &mut out);
    out.push_str("</root>\n");
    out
}

/// Writes the nodes of an instance.
fn nodes(tree: &Tree, instance: &Instance, out: &mut String) {
    let mut open: Vec<(u16, &TreeNode)> = Vec::new();
    for uid in &instance.nodes {
        let Some(node) = tree.node(*uid) else { continue };
        while let Some((_, around)) = open.pop_if(|(around, _)| *around != node.parent) {
            close(around, open.len(), out);
        }
        begin(tree, *uid, node, open.len(), out);
        if is_open(node, *uid) {
            open.push((*uid, node));
        }
    }
    while let Some((_, around)) = open.pop() {
        close(around, open.len(), out);
    }
}

/// Returns true if the element of a node has elements inside. Those of a called tree are elsewhere.
fn is_open(node: &TreeNode, uid: u16) -> bool {
    node.calls.is_none() && node.last > uid
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", depth + 2));
}

fn close(node: &TreeNode, depth: usize, out: &mut String) {
    indent(depth, out);
    let _ = writeln!(out, "</{}>", node.tag);
}

fn begin(tree: &Tree, uid: u16, node: &TreeNode, depth: usize, out: &mut String) {
    indent(depth, out);
    let _ = write!(out, "<{}", node.tag);
    match node.calls.and_then(|calls| tree.instances.get(calls)) {
        Some(called) => {
            let (id, path) = (escaped(&called.id), escaped(&called.path));
            let _ = write!(out, " ID=\"{id}\" _fullpath=\"{path}\"");
        }
        None => _ = write!(out, " name=\"{}\"", escaped(&node.name)),
    }
    let _ = write!(out, " _uid=\"{uid}\"");
    for (name, value) in &node.attributes {
        let _ = write!(out, " {name}=\"{}\"", escaped(value));
    }
    out.push_str(if is_open(node, uid) { ">\n" } else { "/>\n" });
}

/// Writes the models of elements that the library does not bring.
fn models(tree: &Tree, out: &mut String) {
    let mut counts = vec![0_u32; tree.nodes.len() + 1];
    tree.nodes.iter().for_each(|node| counts[usize::from(node.parent)] += 1);
    let mut models: BTreeMap<&str, (ModelKind, BTreeSet<&str>)> = BTreeMap::new();
    for (node, inside) in tree.nodes.iter().zip(&counts[1..]) {
        if BUILT_IN.contains(&&*node.tag) {
            continue;
        }
        let kind = match inside {
            0 => ModelKind::Action,
            1 => ModelKind::Decorator,
            _ => ModelKind::Control,
        };
        let (known, ports) = models.entry(&node.tag).or_insert((kind, BTreeSet::new()));
        *known = kind.max(*known);
        let names = node.attributes.iter().map(|(name, _)| &**name);
        ports.extend(names.filter(|name| !name.starts_with('_')));
    }
    if models.is_empty() {
        out.push_str("    <TreeNodesModel/>\n");
        return;
    }
    out.push_str("    <TreeNodesModel>\n");
    for (tag, (kind, ports)) in models {
        let kind = kind.name();
        let _ = write!(out, "        <{kind} ID=\"{tag}\"");
        if ports.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        ports.iter().for_each(|port| _ = writeln!(out, "            <inout_port name=\"{port}\"/>"));
        let _ = writeln!(out, "        </{kind}>");
    }
    out.push_str("    </TreeNodesModel>\n");
}

/// Returns a text for an attribute. Characters that XML cannot have are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Blanks of other kinds would be read as plain blanks.
            '\t' | '\n' | '\r' => _ = write!(out, "&#{};", u32::from(letter)),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => {}
            letter => out.push(letter),
        }
    }
    out
}
