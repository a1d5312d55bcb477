//! Statuses of nodes, and their changes in a tick of a tree whose nodes keep no status.
//!
//! The engine tells which nodes have ended, each after the nodes inside. Groot2 shows what a tree
//! of the library does: nodes become running before the nodes inside, and idle when the node
//! around has ended. So the changes are made of the ends of a whole tick.

use crate::tree::Tree;

/// Status of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeStatus {
    /// The node has not begun, or the node around it has ended.
    #[default]
    Idle,
    /// The node runs.
    Running,
    /// The node has succeeded.
    Success,
    /// The node has failed.
    Failure,
}

impl NodeStatus {
    /// All statuses, by their numbers.
    pub const ALL: [Self; 4] = [Self::Idle, Self::Running, Self::Success, Self::Failure];

    /// Returns the number in logs and messages.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the status with a number.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Returns the status in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }

    /// Returns true for success and failure.
    pub(crate) fn is_completed(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }
}

/// Change of the status of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// Uid of the node.
    pub uid: u16,
    /// Status before the change.
    pub from: NodeStatus,
    /// Status after the change.
    pub to: NodeStatus,
}

/// Receiver of changes.
pub trait ChangeSink {
    /// Takes a change.
    fn take(&mut self, change: StatusChange);
}

impl ChangeSink for Vec<StatusChange> {
    fn take(&mut self, change: StatusChange) {
        self.push(change);
    }
}

/// End of a node: the image node, and 0 for failure, 1 success, 2 running, 3 a status of the game.
pub(crate) type End = (u32, u16);

/// Node that ended, with those that ended inside.
struct Ended {
    /// Uid of the node. None for a node that the tree does not have.
    uid: Option<u16>,
    status: u16,
    /// Indices of the nodes inside, the last first.
    inside: Vec<usize>,
}

/// Work that is left, last first.
enum Step {
    Enter(usize),
    Leave(usize),
}

/// Statuses of the nodes of a tree.
pub(crate) struct Statuses<'a, S: ?Sized> {
    pub(crate) tree: &'a Tree,
    pub(crate) list: &'a mut [NodeStatus],
    pub(crate) sink: &'a mut S,
}

impl<S: ChangeSink + ?Sized> Statuses<'_, S> {
    fn of(&self, uid: u16) -> NodeStatus {
        self.list.get(usize::from(uid).wrapping_sub(1)).copied().unwrap_or_default()
    }

    /// Sets a status, and tells it if it differs.
    pub(crate) fn set(&mut self, uid: u16, to: NodeStatus) {
        let Some(status) = self.list.get_mut(usize::from(uid).wrapping_sub(1)) else { return };
        let from = std::mem::replace(status, to);
        if from != to {
            self.sink.take(StatusChange { uid, from, to });
        }
    }

    /// Makes the changes of a tick. `ends` has the nodes in the order in which they ended.
    pub(crate) fn tick(&mut self, ends: &[End]) {
        let (list, outermost) = tree_of(self.tree, ends);
        let mut has_run = vec![false; self.list.len() + 1];
        let mut steps: Vec<_> = outermost.into_iter().map(Step::Enter).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(index) => {
                    let Ended { uid, inside, .. } = &list[index];
                    let Some(uid) = *uid else { continue };
                    has_run[usize::from(uid)] = true;
                    if !inside.is_empty() {
                        self.set(uid, NodeStatus::Running);
                    }
                    steps.push(Step::Leave(index));
                    steps.extend(inside.iter().copied().map(Step::Enter));
                }
                Step::Leave(index) => self.leave(&list[index], &has_run),
            }
        }
        self.idle_top();
    }

    /// Makes completed nodes idle that have no node around, and all nodes inside.
    fn idle_top(&mut self) {
        let mut next = Some(1);
        while let Some(uid) = next {
            let Some(last) = self.tree.node(uid).map(|node| node.last) else { return };
            if self.of(uid).is_completed() {
                self.idle_inside(uid, |_, _| true);
                self.set(uid, NodeStatus::Idle);
            }
            next = last.checked_add(1);
        }
    }

    fn leave(&mut self, ended: &Ended, has_run: &[bool]) {
        let Some(uid) = ended.uid else { return };
        match ended.status {
            2 => {
                self.idle_inside(uid, |inside, status| {
                    status == NodeStatus::Running && !has_run[usize::from(inside)]
                });
                self.set(uid, NodeStatus::Running);
            }
            status => {
                self.idle_inside(uid, |_, _| true);
                let to = [NodeStatus::Failure, NodeStatus::Success].get(usize::from(status)).copied();
                self.set(uid, to.unwrap_or_default());
            }
        }
    }

    /// Makes nodes inside a node idle.
    fn idle_inside(&mut self, uid: u16, is_left: impl Fn(u16, NodeStatus) -> bool) {
        let Some(last) = self.tree.node(uid).map(|node| node.last) else { return };
        for inside in (uid..=last).skip(1) {
            if is_left(inside, self.of(inside)) {
                self.set(inside, NodeStatus::Idle);
            }
        }
    }
}

/// Returns ends as a tree, and the outermost ends, the last first.
///
/// A node ends after those inside, so the list is read from its end. A tree that was called has no
/// node around in the source: its caller is the node that ended directly after it.
fn tree_of(tree: &Tree, ends: &[End]) -> (Vec<Ended>, Vec<usize>) {
    let mut list: Vec<Ended> = Vec::with_capacity(ends.len());
    let mut outermost = Vec::new();
    // Nodes around the next one: image node, its uid, and its place in the list if it has one.
    let mut open: Vec<(u32, Option<u16>, Option<usize>)> = Vec::new();
    for (node, status) in ends.iter().rev().copied() {
        let around = tree.image.debug_node(node).map_or(0, |debug| debug.parent);
        if around == 0 {
            // The node of a whole tree stands for its caller, or for no node.
            let (uid, place) = match open.last() {
                Some((_, uid, place)) => (*uid, *place),
                None => ((node == tree.root()).then_some(0), None),
            };
            open.push((node, uid, place));
            continue;
        }
        while open.pop_if(|(inside, ..)| *inside != around).is_some() {}
        let (context, place) = open.last().map_or((None, None), |(_, uid, place)| (*uid, *place));
        let uid = context.and_then(|context| tree.inside(context, node));
        list.push(Ended { uid, status, inside: Vec::new() });
        let index = list.len() - 1;
        match place {
            Some(place) => list[place].inside.push(index),
            None => outermost.push(index),
        }
        open.push((node, uid, Some(index)));
    }
    (list, outermost)
}
