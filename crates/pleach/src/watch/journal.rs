//! Events of one agent's tick, as a tree.
//!
//! The engine runs flat code in which composites have no instructions. It can report which host
//! calls were made, and by which exit each instruction was left. The image's debug information says
//! which nodes end with that exit, and with what status. Nodes end after their children, so the
//! journal is the tick's tree in post-order. A walk from its end finds every event's parent: the
//! innermost node that ends later and is the parent in the source. A tree that was called has no
//! parent in the source. Its caller is the node that ends directly after it.
//!
//! ```text
//!   asked team() = 1, ended condition failure,
//!   acted roam() running, ended roam running, ended selector running
//!   =>  selector running { condition failure { team() = 1 }, roam running }
//! ```

use super::rows::{LogSource, TraceRow};
use crate::values::Status;
use alloc::string::String;
use alloc::{vec, vec::Vec};
use core::ops::Range;
use hashbrown::HashMap;
use pleach_image::Image;
use pleach_image::isa::Op;

/// Status in [`TraceEvent::Ended`] of a node that runs.
const RUNNING: u32 = 2;

/// Event of an agent's tick.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// The host was asked a question.
    Asked {
        /// The node that it was asked for, 0 if unknown.
        owner: u32,
        /// The call, see [`pleach_image::listing::site`].
        site: u32,
        /// Answer of the host.
        answer: f64,
    },
    /// A condition looked at a variable.
    Held {
        /// The node whose condition it is, 0 if unknown.
        owner: u32,
        /// The variable: a row of the image's slots, or of what agents share.
        variable: u16,
        /// True for a variable that agents share.
        shared: bool,
        /// Value of the variable.
        value: f64,
    },
    /// The host was asked to act.
    Acted {
        /// The node that acts.
        node: u32,
        /// The call.
        site: u32,
        /// True in the first call since the action began.
        fresh: bool,
        /// Answer of the host.
        status: Status,
    },
    /// A node that was running does not continue, and the host was told so.
    Halted {
        /// The node that was running.
        node: u32,
        /// The call by which the host was told.
        site: u32,
    },
    /// The host said something about an action, or the tree wrote to its log.
    Said {
        /// The node of which it is said.
        node: u32,
        /// Source of the text.
        by: LogSource,
        /// The text.
        text: String,
    },
    /// A state machine has looked at a transition's condition.
    Looked {
        /// The node whose transition it is, 0 if unknown.
        owner: u32,
        /// The condition.
        condition: u32,
        /// The state that it led to, if it was true.
        to: Option<u32>,
    },
    /// A node came out with a status.
    Ended {
        /// The node.
        node: u32,
        /// 0 failure, 1 success, 2 running, 3 other.
        status: u32,
        /// Result of the node's own condition, if the condition was tested in this tick. A
        /// condition can hold although the node fails, because its child fails.
        test: Option<bool>,
    },
}

/// Event with its depth in the tree. If an action acted and ended, only [`TraceEvent::Acted`] is
/// listed.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceLine {
    /// Number of nodes that enclose the event.
    pub depth: usize,
    /// The event.
    pub event: TraceEvent,
}

/// Returns the events of rows. `said` returns a text by its place and length.
pub(super) fn events<D: AsRef<[u8]>>(
    image: &Image<D>,
    rows: impl Iterator<Item = TraceRow>,
    said: &dyn Fn(u32, u16) -> Option<String>,
) -> Vec<TraceEvent> {
    let mut journal =
        Journal { image, events: Vec::new(), unowned: 0, tests: Vec::new(), loops: loops(image) };
    for row in rows {
        match row {
            TraceRow::Acted { node, site, fresh, status } => {
                let (node, site) = (node.into(), site.into());
                journal.events.push(TraceEvent::Acted { node, site, fresh, status });
            }
            TraceRow::Halted { node, site } => {
                journal.events.push(TraceEvent::Halted { node: node.into(), site: site.into() });
            }
            TraceRow::Asked { site, answer } => {
                journal.events.push(TraceEvent::Asked { owner: 0, site: site.into(), answer });
            }
            TraceRow::Held { variable, shared, value } => {
                journal.events.push(TraceEvent::Held { owner: 0, variable, shared, value });
            }
            TraceRow::Said { node, by, len, start } => {
                let text = said(start, len).unwrap_or_default();
                journal.events.push(TraceEvent::Said { node: node.into(), by, text });
            }
            TraceRow::Left { word, exit } => journal.left(word, exit.into()),
            TraceRow::Begin(_) | TraceRow::End(_) | TraceRow::Panicked { .. } | TraceRow::Changed { .. } => {}
        }
    }
    journal.events
}

/// Returns the loops of state machines, where transitions are followed: those
/// of trees that select leaves.
fn loops<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Range<u32>> {
    if !image.code().iter().any(|word| word.op() == Some(Op::Select)) {
        return Vec::new();
    }
    let again = |(at, word): (usize, &pleach_image::isa::Word)| {
        (word.op() == Some(Op::Again)).then(|| (at as u32).saturating_sub(word.b.into())..at as u32)
    };
    image.code().iter().enumerate().filter_map(again).collect()
}

/// From rows to events.
struct Journal<'a, D> {
    image: &'a Image<D>,
    events: Vec<TraceEvent>,
    /// Events from here on do not know their owner yet.
    unowned: usize,
    /// Nodes that have not ended since their conditions were tested, and the
    /// results, the last test last.
    tests: Vec<(u32, bool)>,
    loops: Vec<Range<u32>>,
}

impl<D: AsRef<[u8]>> Journal<'_, D> {
    fn left(&mut self, word: u32, exit: u32) {
        let node = self.image.debug_word(word).unwrap_or(0);
        for event in &mut self.events[self.unowned..] {
            if let TraceEvent::Asked { owner, .. } | TraceEvent::Held { owner, .. } = event {
                *owner = node;
            }
        }
        self.forget_repeated();
        if self.op(word) == Some(Op::Cond) && !self.is_transition(word) {
            self.tests.push((node, exit == 0));
        }
        for end in self.image.debug_ends(word, exit) {
            let node = end.node.into();
            let test = self.tests.iter().rposition(|(tested, _)| *tested == node);
            let test = test.map(|at| self.tests.drain(at..).next().is_some_and(|(_, held)| held));
            self.events.push(TraceEvent::Ended { node, status: end.status.into(), test });
        }
        self.follow(word, exit, node);
        self.unowned = self.events.len();
    }

    /// Takes away values of variables that a node has looked at right before: the cases of a node
    /// look at one variable each.
    fn forget_repeated(&mut self) {
        let first = self.unowned.max(1);
        let mut kept = first;
        for index in first..self.events.len() {
            let (before, event) = (&self.events[kept - 1], &self.events[index]);
            if !matches!(event, TraceEvent::Held { .. }) || before != event {
                self.events.swap(kept, index);
                kept += 1;
            }
        }
        self.events.truncate(kept);
    }

    fn op(&self, word: u32) -> Option<Op> {
        self.image.code().get(word as usize)?.op()
    }

    fn is_in_loop(&self, word: u32) -> bool {
        self.loops.iter().any(|it| it.contains(&word))
    }

    /// Returns true for the condition of a transition: a condition in a loop that ends no node.
    fn is_transition(&self, word: u32) -> bool {
        let ends = |exit| self.image.debug_ends(word, exit).next().is_some();
        self.op(word) == Some(Op::Cond) && self.is_in_loop(word) && !ends(0) && !ends(1)
    }

    /// Tells conditions of transitions; the state follows that they lead to.
    fn follow(&mut self, word: u32, exit: u32, owner: u32) {
        let Some(at) = self.image.code().get(word as usize).filter(|_| self.is_in_loop(word)) else {
            return;
        };
        let is_transition = self.is_transition(word);
        match (at.op(), self.events.last_mut()) {
            (Some(Op::Cond), _) if is_transition => {
                // The values that a condition read are part of its own text.
                let looked = self.events.split_off(self.unowned);
                self.events
                    .extend(looked.into_iter().filter(|event| !matches!(event, TraceEvent::Held { .. })));
                // Until it is known where it leads, if it does.
                let to = (exit == 0).then_some(0);
                self.events.push(TraceEvent::Looked { owner, condition: at.a.into(), to });
            }
            (Some(Op::Park), Some(TraceEvent::Looked { to: Some(to), .. })) if *to == 0 => *to = at.b.into(),
            _ => {}
        }
    }
}

/// Events as a tree.
pub(super) fn lines<D: AsRef<[u8]>>(image: &Image<D>, events: Vec<TraceEvent>) -> Vec<TraceLine> {
    let parents = parents(image, &events);
    let mut children = vec![Vec::new(); events.len()];
    // Last first, as a stack wants it.
    let mut stack = Vec::new();
    for (index, parent) in parents.iter().enumerate().rev() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => stack.push((0, index)),
        }
    }
    children.iter_mut().for_each(|list| put_halts_in_order(&events, list));
    let mut lines = Vec::with_capacity(events.len());
    while let Some((depth, index)) = stack.pop() {
        let event = acting(&events, index, &mut children).unwrap_or_else(|| events[index].clone());
        let called = depth > 0 && is_tree(image, &event);
        if !called {
            lines.push(TraceLine { depth, event });
        }
        stack.extend(children[index].iter().map(|child| (depth + usize::from(!called), *child)));
    }
    lines
}

/// Moves halted nodes behind siblings that come before them in the source. The list of siblings has
/// the last one first.
fn put_halts_in_order(events: &[TraceEvent], list: &mut [usize]) {
    let node_of = |index: usize| match &events[index] {
        TraceEvent::Acted { node, .. } | TraceEvent::Ended { node, .. } => *node,
        _ => u32::MAX,
    };
    for start in 1..list.len() {
        let TraceEvent::Halted { node, .. } = events[list[start]] else { continue };
        let mut at = start;
        while at > 0 && node_of(list[at - 1]) < node {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Returns true for the end of a whole tree. If the tree was called, the end of the caller says the
/// same.
fn is_tree<D: AsRef<[u8]>>(image: &Image<D>, event: &TraceEvent) -> bool {
    let TraceEvent::Ended { node, .. } = event else { return false };
    image.debug_node(*node).is_some_and(|debug| debug.parent == 0)
}

/// For each event, the later event that is its parent.
fn parents<D: AsRef<[u8]>>(image: &Image<D>, events: &[TraceEvent]) -> Vec<Option<usize>> {
    let mut parents = vec![None; events.len()];
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (index, event) in events.iter().enumerate().rev() {
        let within = match event {
            TraceEvent::Asked { owner, .. }
            | TraceEvent::Looked { owner, .. }
            | TraceEvent::Held { owner, .. } => *owner,
            TraceEvent::Acted { node, .. } => *node,
            // Something may be said of a node that does not end in this tick.
            TraceEvent::Said { node, .. } => open.iter().find(|(it, _)| it == node).map_or(0, |(it, _)| *it),
            // Its parent may have ended before. See `place_halts`.
            TraceEvent::Halted { .. } => 0,
            TraceEvent::Ended { node, .. } => image.debug_node(*node).map_or(0, |debug| debug.parent),
        };
        while within != 0 && open.pop_if(|(node, _)| *node != within).is_some() {}
        parents[index] = open.last().map(|(_, parent)| *parent);
        if let TraceEvent::Ended { node, .. } = event {
            open.push((*node, index));
        }
    }
    place_halts(image, events, &mut parents);
    parents
}

/// Sets the parent of each halted node: the end of the innermost node around it that ended in this
/// tick, after the halt if there is such an end, else before it.
fn place_halts<D: AsRef<[u8]>>(image: &Image<D>, events: &[TraceEvent], parents: &mut [Option<usize>]) {
    if !events.iter().any(|event| matches!(event, TraceEvent::Halted { .. })) {
        return;
    }
    let mut ends: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        if let TraceEvent::Ended { node, .. } = event {
            ends.entry(*node).or_default().push(index);
        }
    }
    let last = events.iter().rposition(|event| matches!(event, TraceEvent::Ended { .. }));
    let parent = |node: u32| image.debug_node(node).map(|debug| debug.parent).filter(|parent| *parent != 0);
    for (index, event) in events.iter().enumerate() {
        let TraceEvent::Halted { node, .. } = event else { continue };
        let mut around = core::iter::successors(parent(*node), |node| parent(*node));
        let found = around.find_map(|node| ends.get(&node));
        let end = found.map(|ends| ends[ends.partition_point(|end| *end < index).min(ends.len() - 1)]);
        // The node was in a tree that was called: its caller is not known.
        parents[index] = end.or(last);
    }
}

/// The acting of an action that ended, taken out of its children. Of one that runs
/// whatever it answers, that it runs.
fn acting(events: &[TraceEvent], index: usize, children: &mut [Vec<usize>]) -> Option<TraceEvent> {
    let acted = |child: &usize| matches!(events[*child], TraceEvent::Acted { .. });
    let at = children[index].iter().position(acted)?;
    match (&events[children[index].remove(at)], &events[index]) {
        (&TraceEvent::Acted { node, site, fresh, .. }, TraceEvent::Ended { status, .. })
            if *status == RUNNING =>
        {
            Some(TraceEvent::Acted { node, site, fresh, status: Status::Running })
        }
        (acted, _) => Some(acted.clone()),
    }
}
