//! Properties of forests, trees and nodes: a copy as plain data, down to a chosen depth.

use super::Forests;
use super::orders::{TreeSelector, UnknownTree};
use crate::layout::forests::ForestTable;
use crate::life::{LifeStatus, PlayMode};
use crate::values::{SharedText, named};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use pleach_image::format::{FaceRow, face};

/// Depth of a copy of properties. Each level includes the levels above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyDepth {
    /// The number of forests.
    Forests,
    /// The forests.
    Forest,
    /// Their trees.
    Tree,
    /// Their nodes.
    Node,
}

/// The properties of all forests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForestsProperties {
    /// Number of forests.
    pub forest_count: u32,
    /// The forests. Empty if the call did not ask for forests.
    pub forests: Vec<ForestProperties>,
}

/// The properties of a forest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForestProperties {
    /// Its index.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// True if any of its trees is loaded.
    pub exists: bool,
    /// Number of its trees.
    pub tree_count: u32,
    /// Attributes from the source.
    pub attributes: Vec<(String, SharedText)>,
    /// Its trees. Empty if the call did not ask for trees.
    pub trees: Vec<TreeProperties>,
}

/// The properties of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeProperties {
    /// Index in the forest.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// Status of its life; [`LifeStatus::Destructed`] if the tree is not loaded.
    pub status: LifeStatus,
    /// Play mode: the events that count.
    pub mode: PlayMode,
    /// Count at which the tree stops; 0 means never.
    pub target: u32,
    /// Count since the tree was played.
    pub count: u32,
    /// Attributes from the forest's file.
    pub attributes: Vec<(String, SharedText)>,
    /// Properties from the file of the tree. Trees of one file share one value.
    pub file: Arc<TreeFileProperties>,
}

impl TreeProperties {
    /// Returns the attributes from the forest's file, then those from the
    /// tree's file that have other keys.
    pub fn all_attributes(&self) -> impl Iterator<Item = &(String, SharedText)> {
        let known: BTreeSet<&str> = self.attributes.iter().map(|(key, _)| key.as_str()).collect();
        let others = self.file.attributes.iter().filter(move |(key, _)| !known.contains(key.as_str()));
        self.attributes.iter().chain(others)
    }
}

/// The properties that a tree has from its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFileProperties {
    /// Number of nodes, with the root.
    pub node_count: u32,
    /// Attributes of the root.
    pub attributes: Vec<(String, SharedText)>,
    /// The nodes, if asked for.
    pub nodes: Vec<NodeProperties>,
}

/// The properties of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeProperties {
    /// Index in the tree; 0 is the root.
    pub index: u32,
    /// Name of the node; empty for the root, which has the name of the tree.
    pub name: String,
    /// Type of the node.
    pub role: NodeRole,
    /// Its policy, if it has one.
    pub policy: Option<NodePolicy>,
    /// Attributes from the source.
    pub attributes: Vec<(String, SharedText)>,
}

named! {
    /// The types of nodes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NodeRole {
        /// The root of a tree.
        TreeRoot = "TreeRoot",
        /// Tries its children until one succeeds.
        Selector = "Selector",
        /// Tries its children until one fails.
        Sequence = "Sequence",
        /// Runs its children side by side.
        Parallel = "Parallel",
        /// Judges its child.
        Decorator = "Decorator",
        /// Tests something.
        Condition = "Condition",
        /// Does something.
        Action = "Action",
    }
    /// Returns the name of the type.
    pub fn name
}

named! {
    /// The policies of nodes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NodePolicy {
        /// A parallel that needs the success of all children.
        Sequence = "Sequence",
        /// A parallel that needs the failure of all children.
        Selector = "Selector",
        /// An action that succeeds.
        Success = "Success",
        /// An action that fails.
        Failure = "Failure",
    }
    /// Returns the name of the policy.
    pub fn name
}

/// Contents of files that a copy has already, by the roots of their trees.
type Files = BTreeMap<u32, Arc<TreeFileProperties>>;

impl Forests {
    /// Returns a copy of the properties of all forests.
    #[must_use]
    pub fn properties(&self, depth: PropertyDepth) -> ForestsProperties {
        let forests = self.board.table().forests.len();
        let asked = if depth >= PropertyDepth::Forest { forests } else { 0 };
        let mut files = Files::new();
        ForestsProperties {
            forest_count: forests as u32,
            forests: (0..asked).map(|forest| self.forest(forest, depth, &mut files)).collect(),
        }
    }

    /// Returns a copy of the properties of a forest, by its index.
    ///
    /// # Errors
    /// If there is no such forest.
    pub fn forest_properties(
        &self,
        forest: u32,
        depth: PropertyDepth,
    ) -> Result<ForestProperties, UnknownTree> {
        self.board.orders.trees(TreeSelector::Forest(forest))?;
        Ok(self.forest(forest as usize, depth, &mut Files::new()))
    }

    /// Returns a copy of the properties of a tree, by the index of its forest and its own.
    ///
    /// # Errors
    /// If there is no such tree.
    pub fn tree_properties(
        &self,
        forest: u32,
        tree: u32,
        depth: PropertyDepth,
    ) -> Result<TreeProperties, UnknownTree> {
        let trees = self.board.orders.trees(TreeSelector::Tree(forest, tree))?;
        Ok(self.tree(trees.start, tree, depth, &mut Files::new()))
    }

    fn forest(&self, forest: usize, depth: PropertyDepth, files: &mut Files) -> ForestProperties {
        let table = self.board.table();
        let row = table.forests[forest];
        let trees = table.trees_of(forest);
        let asked = (0..).zip(trees.clone()).take(if depth >= PropertyDepth::Tree { trees.len() } else { 0 });
        ForestProperties {
            index: forest as u32,
            name: table.name(row.name).to_owned(),
            exists: trees.clone().any(|tree| self.board.trees[tree].life.exists()),
            tree_count: row.trees,
            attributes: attributes(table, row.attributes, row.count),
            trees: asked.map(|(index, tree)| self.tree(tree, index, depth, files)).collect(),
        }
    }

    fn tree(&self, tree: usize, index: u32, depth: PropertyDepth, files: &mut Files) -> TreeProperties {
        let (table, life) = (self.board.table(), &self.board.trees[tree].life);
        let row = table.trees[tree];
        let file = files.entry(row.root).or_insert_with(|| Arc::new(file(table, tree, depth)));
        TreeProperties {
            index,
            name: table.name(row.name).to_owned(),
            status: life.status(),
            mode: life.mode(),
            target: life.target(),
            count: life.counted(),
            attributes: attributes(table, row.attributes, row.count),
            file: file.clone(),
        }
    }
}

/// Copies the contents of a tree's file.
fn file(table: &ForestTable, tree: usize, depth: PropertyDepth) -> TreeFileProperties {
    let nodes = table.nodes(tree);
    // The verifier has seen the root.
    let root = nodes.first().map_or_else(Vec::new, |root| attributes(table, root.attributes, root.count));
    let asked = (0..).zip(nodes).take(if depth >= PropertyDepth::Node { nodes.len() } else { 0 });
    TreeFileProperties {
        node_count: nodes.len() as u32,
        attributes: root,
        nodes: asked.map(|(index, row)| node(table, index, row)).collect(),
    }
}

fn node(table: &ForestTable, index: u32, row: &FaceRow) -> NodeProperties {
    NodeProperties {
        index,
        name: table.name(row.name).to_owned(),
        role: role(row.role),
        policy: policy(row.policy),
        attributes: attributes(table, row.attributes, row.count),
    }
}

/// Copies the keys and values of some attributes.
fn attributes(table: &ForestTable, first: u32, count: u32) -> Vec<(String, SharedText)> {
    table.attributes(first, count).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn role(role: u16) -> NodeRole {
    match role {
        face::SELECTOR => NodeRole::Selector,
        face::SEQUENCE => NodeRole::Sequence,
        face::PARALLEL => NodeRole::Parallel,
        face::DECORATOR => NodeRole::Decorator,
        face::CONDITION => NodeRole::Condition,
        face::ACTION => NodeRole::Action,
        // The verifier lets no others pass.
        _ => NodeRole::TreeRoot,
    }
}

fn policy(policy: u16) -> Option<NodePolicy> {
    match policy {
        face::ALL_SUCCEED => Some(NodePolicy::Sequence),
        face::ALL_FAIL => Some(NodePolicy::Selector),
        face::SUCCESS => Some(NodePolicy::Success),
        face::FAILURE => Some(NodePolicy::Failure),
        _ => None,
    }
}
