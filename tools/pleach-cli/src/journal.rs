//! What happened in one agent's tick, as a tree.
//!
//! The engine runs flat code in which composites have no instructions. What it can tell is which host calls were made
//! and by which exit each instruction was left; the image's debug information says which nodes end with that exit, and
//! with what status. Nodes end after their children, so the journal is the tick's tree in post-order, and a walk from
//! its end finds every event's parent: the innermost node that ends later and is the parent in the source. A tree that
//! was called has no parent in the source; whoever ends right after it has called it.
//!
//! ```text
//!   asked team() = 1, ended condition failure, acted roam() running, ended roam running, ended selector running
//!   =>  selector running { condition failure { team() = 1 }, roam running }
//! ```

use pleach::{Image, Status, Watch};
use pleach_image::isa::Op;
use std::ops::Range;

/// How [`Event::Ended`] says that a node runs.
const RUNNING: u32 = 2;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    /// The host was asked a question. The owner is the node it was asked for, 0 if unknown.
    Asked { owner: u32, site: u32, answer: f64 },
    /// The host was asked to act.
    Acted { node: u32, site: u32, fresh: bool, status: Status },
    /// A state machine has looked at a transition's condition: the state that it led to, if it was true.
    Looked { owner: u32, condition: u32, to: Option<u32> },
    /// A node came out with a status: 0 failure, 1 success, 2 running, 3 other.
    Ended { node: u32, status: u32 },
}

/// An event in its place in the tree. Where an action ended after it acted, only the acting is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) event: Event,
}

/// Watches an agent.
pub(crate) struct Journal<'a> {
    image: &'a Image,
    events: Vec<Event>,
    /// Events from here on do not know their owner yet.
    unowned: usize,
    /// The loops of state machines, where transitions are followed.
    loops: Vec<Range<u32>>,
}

impl Watch for Journal<'_> {
    fn acted(&mut self, node: u32, site: u32, fresh: bool, status: Status) {
        self.events.push(Event::Acted { node, site, fresh, status });
    }

    fn asked(&mut self, site: u32, answer: f64) {
        self.events.push(Event::Asked { owner: 0, site, answer });
    }

    fn left(&mut self, word: u32, exit: u32) {
        let node = self.image.debug_word(word).unwrap_or(0);
        for event in &mut self.events[self.unowned..] {
            if let Event::Asked { owner, .. } = event {
                *owner = node;
            }
        }
        let ended = self.image.debug_ends(word, exit);
        self.events
            .extend(ended.map(|end| Event::Ended { node: end.node.into(), status: end.status.into() }));
        self.follow(word, exit, node);
        self.unowned = self.events.len();
    }
}

impl<'a> Journal<'a> {
    /// A journal of agents that run an image.
    pub(crate) fn new(image: &'a Image) -> Self {
        let again = |(at, word): (usize, &pleach_image::isa::Word)| {
            (word.op() == Some(Op::Again)).then(|| (at as u32).saturating_sub(word.b.into())..at as u32)
        };
        // Those of trees that select leaves.
        let selects = image.code().iter().any(|word| word.op() == Some(Op::Select));
        let loops = image.code().iter().enumerate().filter(|_| selects).filter_map(again).collect();
        Self { image, events: Vec::new(), unowned: 0, loops }
    }

    /// Conditions in a loop that end no node are those of transitions; the state follows that they lead to.
    fn follow(&mut self, word: u32, exit: u32, owner: u32) {
        let code = self.image.code();
        let Some(at) = code.get(word as usize).filter(|_| self.loops.iter().any(|it| it.contains(&word)))
        else {
            return;
        };
        let ends = |exit| self.image.debug_ends(word, exit).next().is_some();
        match (at.op(), self.events.last_mut()) {
            (Some(Op::Cond), _) if !ends(0) && !ends(1) => {
                // Until it is known where it leads, if it does.
                let to = (exit == 0).then_some(0);
                self.events.push(Event::Looked { owner, condition: at.a.into(), to });
            }
            (Some(Op::Park), Some(Event::Looked { to: Some(to), .. })) if *to == 0 => *to = at.b.into(),
            _ => {}
        }
    }

    /// What happened since the last time, parents before children, children in the order they ran.
    pub(crate) fn take(&mut self) -> Vec<Line> {
        let parents = self.parents();
        let mut children = vec![Vec::new(); self.events.len()];
        // Last first, as a stack wants it.
        let mut stack = Vec::new();
        for (index, parent) in parents.iter().enumerate().rev() {
            match parent {
                Some(parent) => children[*parent].push(index),
                None => stack.push((0, index)),
            }
        }
        let mut lines = Vec::with_capacity(self.events.len());
        while let Some((depth, index)) = stack.pop() {
            let event = self.acting(index, &mut children).unwrap_or(self.events[index]);
            let called = depth > 0 && self.is_tree(&event);
            if !called {
                lines.push(Line { depth, event });
            }
            stack.extend(children[index].iter().map(|child| (depth + usize::from(!called), *child)));
        }
        self.events.clear();
        self.unowned = 0;
        lines
    }

    /// Whether a whole tree ended. If it was called, that says no more than the end of its caller does.
    fn is_tree(&self, event: &Event) -> bool {
        let Event::Ended { node, .. } = event else { return false };
        self.image.debug_node(*node).is_some_and(|debug| debug.parent == 0)
    }

    /// For each event, the later event that is its parent.
    fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.events.len()];
        let mut open: Vec<(u32, usize)> = Vec::new();
        for (index, event) in self.events.iter().enumerate().rev() {
            let within = match event {
                Event::Asked { owner, .. } | Event::Looked { owner, .. } => *owner,
                Event::Acted { node, .. } => *node,
                Event::Ended { node, .. } => self.image.debug_node(*node).map_or(0, |debug| debug.parent),
            };
            while within != 0 && open.pop_if(|(node, _)| *node != within).is_some() {}
            parents[index] = open.last().map(|(_, parent)| *parent);
            if let Event::Ended { node, .. } = event {
                open.push((*node, index));
            }
        }
        parents
    }

    /// The acting of an action that ended, taken out of its children. Of one that runs whatever it answers, that it runs.
    fn acting(&self, index: usize, children: &mut [Vec<usize>]) -> Option<Event> {
        let acted = |child: &usize| matches!(self.events[*child], Event::Acted { .. });
        let at = children[index].iter().position(acted)?;
        match (self.events[children[index].remove(at)], self.events[index]) {
            (Event::Acted { node, site, fresh, .. }, Event::Ended { status, .. }) if status == RUNNING => {
                Some(Event::Acted { node, site, fresh, status: Status::Running })
            }
            (acted, _) => Some(acted),
        }
    }
}
