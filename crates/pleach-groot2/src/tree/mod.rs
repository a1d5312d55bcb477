//! Tree of one agent as Groot2 sees it: nodes with uids, and instances of called trees.
//!
//! An image has the nodes of each tree once. Groot2 wants a node for each place from which a tree
//! is called, so calls are expanded here. The nodes of a BehaviorTree.CPP program are expanded by
//! the compiler, so an image node is one node there.

mod xml;

use crate::describe::{Describer, SUBTREE};
use pleach_image::Image;
use pleach_image::isa::Op;
use pleach_image::listing;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Largest number of nodes: a uid has 16 bits.
const MOST_NODES: usize = 0xffff;
/// Largest number of bytes of the XML.
pub(crate) const MOST_XML: usize = 16 << 20;

/// Tree that an agent runs, with a uid for each node. `spec/groot2.md` describes the XML.
#[derive(Debug)]
pub struct Tree {
    pub(crate) image: Image,
    entry: String,
    /// Image node of the whole tree.
    root: u32,
    /// True if nodes keep statuses.
    pub(crate) keeps_statuses: bool,
    pub(crate) nodes: Vec<TreeNode>,
    pub(crate) instances: Vec<Instance>,
    /// Uids by the node around, 0 for none, and the image node.
    inside: HashMap<(u16, u32), u16>,
    /// Uids by image node.
    uids: HashMap<u32, Vec<u16>>,
    xml: String,
}

/// Node with a uid.
#[derive(Debug)]
pub(crate) struct TreeNode {
    /// Uid of the node around; 0 for none.
    pub(crate) parent: u16,
    /// Last uid inside, or that of the node.
    pub(crate) last: u16,
    /// True if the node calls an action of the game.
    pub(crate) acts: bool,
    /// Index of the instance that the node calls.
    pub(crate) calls: Option<usize>,
    /// Name of the element.
    pub(crate) tag: String,
    pub(crate) name: String,
    /// Ports and conditions as they are written.
    pub(crate) attributes: Vec<(String, String)>,
}

/// Called tree, or the entry.
#[derive(Debug)]
pub(crate) struct Instance {
    /// Name of the tree.
    pub(crate) id: String,
    /// Path of the node that calls the tree; empty for the entry.
    pub(crate) path: String,
    /// Uids of the nodes, in pre-order.
    pub(crate) nodes: Vec<u16>,
}

/// Reason why a program cannot be shown in Groot2.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// The program has no entry of this name.
    NoEntry(String),
    /// The image has no debug information, so its nodes are unknown.
    NoNodes,
    /// The tree has more than 65,535 nodes with all trees that it calls.
    TooManyNodes,
    /// The XML of the tree has more than 16 MiB.
    TooLarge,
}

impl fmt::Display for TreeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry(name) => write!(out, "the program has no tree `{name}`"),
            Self::NoNodes => {
                out.write_str("the image has no debug information; build it with debug information")
            }
            Self::TooManyNodes => {
                let with = "with all trees that it calls, the tree has more than";
                write!(out, "{with} {MOST_NODES} nodes, which Groot2 cannot number")
            }
            Self::TooLarge => write!(out, "the XML of the tree has more than {MOST_XML} bytes"),
        }
    }
}

impl std::error::Error for TreeError {}

impl Tree {
    /// Makes the tree of an entry. `text` returns a source file by the name that the image has for
    /// it, or `None`.
    ///
    /// # Errors
    /// If there is no such entry, or the tree is too large for Groot2.
    pub fn new(
        image: &Image,
        entry: &str,
        text: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, TreeError> {
        let (_, block) = image.entry(entry).ok_or_else(|| TreeError::NoEntry(entry.to_owned()))?;
        let root = image.debug_root(block).ok_or(TreeError::NoNodes)?;
        let keeps_statuses = image.statuses().is_some();
        let first = Instance { id: entry.to_owned(), path: String::new(), nodes: Vec::new() };
        let tree = Self {
            image: image.clone(),
            entry: entry.to_owned(),
            root,
            keeps_statuses,
            nodes: Vec::new(),
            instances: vec![first],
            inside: HashMap::new(),
            uids: HashMap::new(),
            xml: String::new(),
        };
        let describer = Describer::new(image, keeps_statuses, Box::new(text));
        let mut expander = Expander { tree, describer, calls: Calls::of(image), bytes: 0 };
        expander.expand()?;
        let mut tree = expander.tree;
        tree.xml = xml::write(&tree);
        if tree.xml.len() > MOST_XML { Err(TreeError::TooLarge) } else { Ok(tree) }
    }

    /// Returns the XML.
    #[must_use]
    pub fn xml(&self) -> &str {
        &self.xml
    }

    /// Returns the name of the entry.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Returns the image node of the whole tree.
    pub(crate) fn root(&self) -> u32 {
        self.root
    }

    /// Returns a node by its uid.
    pub(crate) fn node(&self, uid: u16) -> Option<&TreeNode> {
        self.nodes.get(usize::from(uid).checked_sub(1)?)
    }

    /// Returns the uid of an image node inside a node; 0 stands for the whole tree.
    pub(crate) fn inside(&self, around: u16, node: u32) -> Option<u16> {
        self.inside.get(&(around, node)).copied()
    }

    /// Returns the uids of an image node.
    pub(crate) fn uids(&self, node: u32) -> &[u16] {
        self.uids.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// Calls of an image, by node.
struct Calls {
    /// Node of the whole tree that is called.
    trees: HashMap<u32, u32>,
    /// Calls of actions, as sites.
    sites: BTreeMap<u32, u32>,
    /// Nodes inside each node, in order.
    inside: HashMap<u32, Vec<u32>>,
}

impl Calls {
    fn of(image: &Image) -> Self {
        let parent = |id: u32| image.debug_node(id).map_or(0, |node| node.parent);
        let (mut trees, mut inside) = (HashMap::new(), HashMap::new());
        for id in (1..=image.meta().nodes).filter(|id| (1..*id).contains(&parent(*id))) {
            inside.entry(parent(id)).or_insert_with(Vec::new).push(id);
        }
        let roots: Vec<_> = (0..image.blocks().len()).map(|block| image.debug_root(block as u32)).collect();
        for (at, word) in image.code().iter().enumerate().filter(|(_, word)| word.op() == Some(Op::Call)) {
            let caller = image.debug_word(at as u32);
            let called = roots.get(usize::from(word.a)).copied().flatten();
            // A large tree is cut into blocks that call each other.
            if let (Some(caller), Some(called)) = (caller, called)
                && root_of(image, caller) != called
            {
                trees.insert(caller, called);
            }
        }
        Self { trees, sites: listing::calls(image), inside }
    }
}

/// Returns the node of the whole tree that a node is in.
fn root_of(image: &Image, node: u32) -> u32 {
    let parent = |id: &u32| image.debug_node(*id).map(|node| node.parent).filter(|it| (1..*id).contains(it));
    std::iter::successors(Some(node), parent).last().unwrap_or(node)
}

/// Work that is left, last first.
enum Work {
    /// Add an image node to an instance, inside a node.
    Add { node: u32, parent: u16, instance: usize },
    /// All nodes inside have been added.
    Close(u16),
}

/// Expands the calls of a program.
struct Expander<'a> {
    tree: Tree,
    describer: Describer<'a>,
    calls: Calls,
    /// Bytes of texts so far.
    bytes: usize,
}

impl Expander<'_> {
    fn expand(&mut self) -> Result<(), TreeError> {
        let mut work = Vec::new();
        // A program of the library has a node of its own inside the node of the whole tree.
        let driver = self.calls.inside.get(&self.tree.root).and_then(|list| list.first());
        let top = driver.copied().filter(|_| self.tree.keeps_statuses).unwrap_or(self.tree.root);
        self.add_inside(&mut work, top, 0, 0);
        while let Some(next) = work.pop() {
            match next {
                Work::Add { node, parent, instance } => self.add(&mut work, node, parent, instance)?,
                Work::Close(uid) => {
                    let last = self.tree.nodes.len() as u16;
                    self.tree.nodes[usize::from(uid) - 1].last = last;
                }
            }
        }
        Ok(())
    }

    fn add_inside(&self, work: &mut Vec<Work>, around: u32, parent: u16, instance: usize) {
        let nodes = self.calls.inside.get(&around).into_iter().flatten().rev();
        work.extend(nodes.map(|node| Work::Add { node: *node, parent, instance }));
    }

    fn add(&mut self, work: &mut Vec<Work>, node: u32, parent: u16, inst: usize) -> Result<(), TreeError> {
        if self.tree.nodes.len() == MOST_NODES {
            return Err(TreeError::TooManyNodes);
        }
        let uid = self.tree.nodes.len() as u16 + 1;
        let path = self.tree.instances[inst].path.clone();
        let described = self.describer.node(node, self.calls.sites.get(&node).copied());
        let called = self.calls.trees.get(&node).copied();
        let has_own_tree = self.tree.keeps_statuses && described.tag == SUBTREE;
        let (around, id) = match called {
            Some(root) => (root, Some(self.describer.tree_name(root))),
            None => (node, has_own_tree.then(|| described.subject.clone())),
        };
        let calls = id.map(|id| {
            // The compiler has made sure that paths of the library differ.
            let place = if has_own_tree { described.place(uid) } else { format!("{id}::{uid}") };
            let path = if path.is_empty() { place } else { format!("{path}/{place}") };
            self.bytes += 2 * (id.len() + path.len());
            self.tree.instances.push(Instance { id, path, nodes: Vec::new() });
            self.tree.instances.len() - 1
        });
        self.bytes += described.bytes();
        if self.bytes > MOST_XML {
            return Err(TreeError::TooLarge);
        }
        self.tree.instances[inst].nodes.push(uid);
        self.tree.inside.insert((parent, node), uid);
        self.tree.uids.entry(node).or_default().push(uid);
        self.tree.nodes.push(TreeNode {
            parent,
            last: uid,
            acts: self.calls.sites.contains_key(&node),
            calls,
            tag: if calls.is_some() { SUBTREE.to_owned() } else { described.tag },
            name: described.name,
            attributes: described.attributes,
        });
        work.push(Work::Close(uid));
        self.add_inside(work, around, uid, calls.unwrap_or(inst));
        Ok(())
    }
}
