//! Watcher of one agent, which tells the changes of the statuses of its nodes.

use crate::statuses::{ChangeSink, End, NodeStatus, StatusChange, Statuses};
use crate::tree::Tree;
use pleach::watch::{LaneId, LaneMask, Watch, Watchers};
use pleach::{Agent, Crowd, Outcome};
use std::sync::Arc;

/// Largest number of ends of nodes in a tick that are kept. The rest of a longer tick is not told.
const MOST_ENDS: usize = 1 << 20;

/// Watcher of an agent. [`Crowd::tick_watched`] takes it.
///
/// While the agent runs another tree than the watched one, nothing is told.
#[derive(Debug)]
pub struct AgentWatcher<S> {
    tree: Arc<Tree>,
    agent: Agent,
    place: Option<LaneId>,
    statuses: Vec<NodeStatus>,
    ends: Vec<End>,
    /// Receiver of the changes.
    pub sink: S,
}

impl<S: ChangeSink> AgentWatcher<S> {
    /// Returns a watcher of an agent that runs a tree.
    #[must_use]
    pub fn new(tree: Arc<Tree>, agent: Agent, sink: S) -> Self {
        let statuses = vec![NodeStatus::Idle; tree.nodes.len()];
        Self { tree, agent, place: None, statuses, ends: Vec::new(), sink }
    }

    /// Returns the watched tree.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the watched agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }
}

impl<S: ChangeSink> Watch for AgentWatcher<S> {
    fn left(&mut self, word: u32, exit: u32) {
        if !self.tree.keeps_statuses {
            let room = MOST_ENDS - self.ends.len();
            let ends = self.tree.image.debug_ends(word, exit).take(room);
            self.ends.extend(ends.map(|end| (end.node.into(), end.status)));
        }
    }

    fn changed(&mut self, node: u32, from: u8, to: u8) {
        if let ([uid], Some(from), Some(to)) =
            (self.tree.uids(node), NodeStatus::of(from), NodeStatus::of(to))
        {
            self.sink.take(StatusChange { uid: *uid, from, to });
        }
    }
}

impl<S: ChangeSink> Watchers for AgentWatcher<S> {
    type Watch<'a>
        = &'a mut Self
    where
        Self: 'a;

    fn begin(&mut self, crowd: &Crowd, _: i64) {
        let runs_it = crowd.inspect().tree(self.agent).is_ok_and(|tree| tree == self.tree.entry());
        self.place =
            crowd.place(self.agent).ok().filter(|_| runs_it).map(|(chunk, lane)| (chunk, lane as u8));
    }

    fn seen(&mut self, chunk: usize) -> LaneMask {
        let mut mask = [0; 4];
        if let Some((_, lane)) = self.place.filter(|place| place.0 == chunk) {
            mask[usize::from(lane) / 64] = 1 << (lane % 64);
        }
        mask
    }

    fn watch(&mut self, at: LaneId, _: Agent) -> Option<Self::Watch<'_>> {
        (self.place == Some(at)).then(|| {
            self.ends.clear();
            self
        })
    }

    fn ticked(&mut self, at: LaneId, _: Agent, _: Outcome) {
        if self.place == Some(at) && !self.tree.keeps_statuses {
            let Self { tree, statuses, ends, sink, .. } = self;
            Statuses { tree, list: statuses, sink }.tick(ends);
        }
    }
}
