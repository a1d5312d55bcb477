//! `pleach forest`: named trees, and their statuses.

use crate::Verdict;
use crate::args::ForestStatus;
use crate::failure::Failure;
use crate::input::Subject;
use crate::output;
use pleach::Program;
use pleach::forest::{
    ForestProperties, Forests, ForestsProperties, NodeProperties, NodeRole, PropertyDepth, TreeError,
    TreeErrorKind, TreeOperation, TreeProperties, TreeSelector,
};
use pleach::life::PlayMode;
use pleach::values::SharedText;
use pleach_sweep::ScriptedHost;
use serde_json::{Value, json};

/// Prints the properties of all forests as JSON.
pub(crate) fn status(args: &ForestStatus) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let mut host = ScriptedHost::new(&subject.image, args.seed);
    let failed = |why: &dyn std::error::Error| Failure::new(format!("{}: {why}", subject.name));
    let program = Program::link(&subject.image, &host).map_err(|why| failed(&why))?;
    let mut forests = Forests::new(&program).map_err(|why| failed(&why))?;
    let mut problems = Vec::new();
    if let Some(updates) = args.updates {
        let mode = args.mode.as_deref().and_then(PlayMode::by_name);
        let play = TreeOperation::Play { target: Some(args.target), mode };
        for order in [TreeOperation::Load, play] {
            forests.orders().give(order, TreeSelector::All).map_err(|why| failed(&why))?;
        }
        for update in 1..=updates {
            let now = host.begin(update);
            let troubles = forests.update(now, &mut host).iter();
            problems.extend(troubles.map(|problem| (update, *problem)));
        }
    }
    let properties = forests.properties(args.depth.into());
    bounded(&properties).map_err(|why| Failure::new(format!("{}: {why}", subject.name)))?;
    for (update, problem) in problems {
        output::say(&format!("update {update}: {}\n", told(&forests, problem)));
    }
    let text = serde_json::to_string_pretty(&of_forests(&properties))
        .map_err(|why| Failure::new(format!("cannot write JSON: {why}")))?;
    output::print(&(text + "\n"))?;
    Ok(Verdict::Fine)
}

/// Returns the message of an error of a tree.
fn told(forests: &Forests, problem: TreeError) -> String {
    let TreeError { forest, tree, kind, .. } = problem;
    let (Ok(of_forest), Ok(of_tree)) = (
        forests.forest_properties(forest, PropertyDepth::Forest),
        forests.tree_properties(forest, tree, PropertyDepth::Node),
    ) else {
        return format!("{kind:?}");
    };
    let what = match kind {
        TreeErrorKind::Endless { node } => {
            let name = of_tree.file.nodes.get(node as usize).map_or("?", |node| node.name.as_str());
            format!("the decorator `{name}` was executed again too often")
        }
        TreeErrorKind::Destroyed { .. } => "the tree is not there".to_owned(),
        TreeErrorKind::Panicked => "the host panicked".to_owned(),
        TreeErrorKind::Full => "there are too many agents".to_owned(),
        other => format!("{other:?}"),
    };
    format!("{}.{}: {what}", of_forest.name, of_tree.name)
}

/// Most bytes of properties that are printed.
const MAX_BYTES: u64 = 16 << 20;
/// Bytes of an attribute as JSON, beside its key and its value.
const ATTRIBUTE: u64 = 32;
/// Bytes of a forest, tree or node as JSON, beside its name and its attributes.
const OBJECT: u64 = 256;

/// Refuses properties that are too long to be printed. An image has nodes and texts once, however
/// many trees and attributes share them, but the output repeats them.
fn bounded(all: &ForestsProperties) -> Result<(), String> {
    let forests = all.forests.iter().map(|forest| bytes(&forest.name, &forest.attributes));
    let trees = all.forests.iter().flat_map(|forest| &forest.trees).map(|tree| {
        let nodes = tree.file.nodes.iter().map(|node| bytes(&node.name, &node.attributes));
        bytes(&tree.name, tree.all_attributes()) + nodes.sum::<u64>()
    });
    // Counting ends where printing would.
    let within = |sum: u64, bytes: u64| Some(sum + bytes).filter(|sum| *sum <= MAX_BYTES);
    forests.chain(trees).try_fold(0, within).map(drop).ok_or_else(|| {
        format!("the properties have more than {} MiB of text; ask for less with `--depth`", MAX_BYTES >> 20)
    })
}

/// Estimates the bytes of something with a name and attributes as JSON.
fn bytes<'a>(name: &str, attributes: impl IntoIterator<Item = &'a (String, SharedText)>) -> u64 {
    let attribute = |(key, value): &(String, SharedText)| (key.len() + value.as_bytes().len()) as u64;
    let attributes = attributes.into_iter().map(|it| ATTRIBUTE + attribute(it));
    OBJECT + name.len() as u64 + attributes.sum::<u64>()
}

fn of_forests(all: &ForestsProperties) -> Value {
    json!({
        "forest_count": all.forest_count,
        "forests": all.forests.iter().map(of_forest).collect::<Vec<_>>(),
    })
}

fn of_forest(forest: &ForestProperties) -> Value {
    json!({
        "index": forest.index,
        "name": forest.name,
        "type": "Forest",
        "exists": forest.exists,
        "tree_count": forest.tree_count,
        "attributes": attributes(&forest.attributes),
        "trees": forest.trees.iter().map(of_tree).collect::<Vec<_>>(),
    })
}

fn of_tree(tree: &TreeProperties) -> Value {
    json!({
        "index": tree.index,
        "name": tree.name,
        "type": "TreeRoot",
        "status": tree.status.name(),
        "mode": tree.mode.name(),
        "target_loop_count": tree.target,
        "accumulated_loop_count": tree.count,
        "node_count": tree.file.node_count,
        "attributes": attributes(tree.all_attributes()),
        "nodes": tree.file.nodes.iter().map(|node| of_node(tree, node)).collect::<Vec<_>>(),
    })
}

fn of_node(tree: &TreeProperties, node: &NodeProperties) -> Value {
    json!({
        "index": node.index,
        "name": if node.role == NodeRole::TreeRoot { &tree.name } else { &node.name },
        "type": node.role.name(),
        "policy": node.policy.map(pleach::forest::NodePolicy::name),
        "attributes": attributes(&node.attributes),
    })
}

fn attributes<'a>(attributes: impl IntoIterator<Item = &'a (String, SharedText)>) -> Value {
    attributes
        .into_iter()
        .map(|(key, value)| (key.clone(), json!(value.to_string())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
