//! The trees on bonsai-bt, by its documentation: `tick` with an event, and `reset_bt` when the tree
//! has ended. An agent is the blackboard of its tree, so that leaves reach it directly.

use super::agents::{Agent, digest};
use super::shape::{Leaf, Node};
use super::world::World;
use crate::peer::{from_bonsai, to_bonsai};
use crate::system::{Counts, Status, System};
use bonsai_bt::{BT, Behavior, Event, UpdateArgs};

/// The agents of a world, with a tree each.
#[derive(Debug)]
pub struct Bonsai<A: Agent> {
    world: World,
    trees: Vec<BT<Leaf<A>, A>>,
    now: i32,
}

impl<A: Agent> Bonsai<A> {
    /// Agents at their beginning.
    #[must_use]
    pub fn new(tree: &Node<A>, world: World, agents: usize) -> Self {
        let tree = BT::new(behavior(tree), A::default());
        Self { world, trees: vec![tree; agents], now: 0 }
    }
}

fn behavior<A: Agent>(node: &Node<A>) -> Behavior<Leaf<A>> {
    match node {
        Node::Select(children) => Behavior::Select(children.iter().map(behavior).collect()),
        Node::Sequence(children) => Behavior::Sequence(children.iter().map(behavior).collect()),
        Node::Invert(child) => Behavior::Invert(Box::new(behavior(child))),
        Node::Leaf(leaf) => Behavior::Action(*leaf),
    }
}

impl<A: Agent> System for Bonsai<A> {
    fn agents(&self) -> usize {
        self.trees.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame as i32;
        for (index, tree) in self.trees.iter_mut().enumerate() {
            let agent = tree.blackboard_mut();
            self.world.roll(index, frame, |field, value| agent.set(field, value));
        }
    }

    fn tick(&mut self) -> Counts {
        let mut counts = Counts::default();
        let event: Event = UpdateArgs { dt: 0.05 }.into();
        for tree in &mut self.trees {
            let ticked = tree.tick(&event, &mut |args, agent: &mut A| {
                (to_bonsai(args.action.tick(agent, self.now)), args.dt)
            });
            counts.add(ticked.map_or(Status::Failure, |(status, _)| from_bonsai(status)));
            if tree.is_finished() {
                tree.reset_bt();
            }
        }
        counts
    }

    fn digest(&self) -> u64 {
        digest(self.trees.iter().map(|tree| tree.blackboard().written()))
    }
}
