//! The trees on behavior-tree-lite. Each leaf shares its agent, so that the library's blackboard,
//! which is a hash map of boxed values, costs nothing; its own composites do the rest.

use super::agents::{Agent, digest};
use super::shape::{Leaf, Node};
use super::world::World;
use crate::system::{Counts, Status, System};
use behavior_tree_lite::{
    BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context, FallbackNode, Registry,
    SequenceNode,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Data that the leaves of an agent share: the agent, and the time for all.
struct Shared<A> {
    agent: RefCell<A>,
    now: Rc<Cell<i32>>,
}

/// A leaf with its agent.
struct Bound<A: Agent> {
    leaf: Leaf<A>,
    shared: Rc<Shared<A>>,
}

impl<A: Agent> BehaviorNode for Bound<A> {
    fn tick(&mut self, _: BehaviorCallback<'_>, _: &mut Context) -> BehaviorResult {
        match self.leaf.tick(&mut self.shared.agent.borrow_mut(), self.shared.now.get()) {
            Status::Failure => BehaviorResult::Fail,
            Status::Success => BehaviorResult::Success,
            Status::Running => BehaviorResult::Running,
        }
    }
}

/// Tree of an agent, with the data that the library needs to tick it.
struct Tree<A> {
    root: BehaviorNodeContainer,
    context: Context,
    shared: Rc<Shared<A>>,
}

/// The agents of a world, with a tree each.
pub struct Lite<A> {
    world: World,
    trees: Vec<Tree<A>>,
    now: Rc<Cell<i32>>,
}

impl<A: Agent> core::fmt::Debug for Lite<A> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Lite").field("now", &self.now).finish_non_exhaustive()
    }
}

impl<A: Agent> Lite<A> {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the library has become another.
    #[must_use]
    pub fn new(tree: &Node<A>, world: World, agents: usize) -> Self {
        let now = Rc::new(Cell::new(0));
        let registry = Registry::default();
        let build = |_| {
            let shared = Rc::new(Shared { agent: RefCell::default(), now: now.clone() });
            Tree { root: build(tree, &shared, &registry), context: Context::default(), shared }
        };
        let trees = (0..agents).map(build).collect();
        Self { world, trees, now }
    }
}

fn build<A: Agent>(node: &Node<A>, shared: &Rc<Shared<A>>, registry: &Registry) -> BehaviorNodeContainer {
    let (mut container, children) = match node {
        Node::Select(children) => {
            (BehaviorNodeContainer::new_node(FallbackNode::default()), children.as_slice())
        }
        Node::Sequence(children) => {
            (BehaviorNodeContainer::new_node(SequenceNode::default()), children.as_slice())
        }
        Node::Invert(child) => {
            let inverter = registry.build("Inverter").expect("the library has one");
            (BehaviorNodeContainer::new_raw(inverter), core::slice::from_ref(&**child))
        }
        Node::Leaf(leaf) => {
            (BehaviorNodeContainer::new_node(Bound { leaf: *leaf, shared: shared.clone() }), &[][..])
        }
    };
    for child in children {
        container.add_child(build(child, shared, registry)).expect("the library's limits are kept");
    }
    container
}

impl<A: Agent> System for Lite<A> {
    fn agents(&self) -> usize {
        self.trees.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now.set(frame as i32);
        for (index, tree) in self.trees.iter().enumerate() {
            let mut agent = tree.shared.agent.borrow_mut();
            self.world.roll(index, frame, |field, value| agent.set(field, value));
        }
    }

    fn tick(&mut self) -> Counts {
        let mut counts = Counts::default();
        for tree in &mut self.trees {
            counts.add(match tree.root.tick(&mut |_| None, &mut tree.context) {
                BehaviorResult::Fail => Status::Failure,
                BehaviorResult::Success => Status::Success,
                BehaviorResult::Running => Status::Running,
            });
        }
        counts
    }

    fn digest(&self) -> u64 {
        digest(self.trees.iter().map(|tree| tree.shared.agent.borrow().written()))
    }
}
