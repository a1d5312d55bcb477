//! Counts of a running crowd by the places of nodes, from the messages of a live view.
//!
//! `spec/view.md` describes the messages. Fields that hints do not need are not read.

use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Statuses by their numbers.
const STATUSES: [&str; 5] = ["failure", "success", "running", "other status", "fault"];

/// Message of a live view, as far as hints need it.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum ViewMessage {
    /// The trees.
    Program(Program),
    /// The clock.
    State {
        /// Number of agents.
        agents: u32,
    },
    /// Counts of all agents.
    Statistics(Statistics),
    /// Last tick of the followed agent.
    Agent {
        revision: u32,
        agent: u32,
        /// Id and status of each node that got a status, with fields that are not read.
        nodes: Vec<(u32, usize, u32, u32, Option<u32>)>,
        walked: bool,
    },
    /// Message that hints do not need.
    #[serde(other)]
    Other,
}

/// Trees of a live view.
#[derive(Debug, Deserialize)]
pub(super) struct Program {
    revision: u32,
    nodes: Vec<ViewNode>,
    files: Vec<ViewFile>,
}

#[derive(Debug, Deserialize)]
struct ViewNode {
    parent: u32,
    kind: String,
    file: Option<usize>,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
    #[serde(default)]
    handles: bool,
}

#[derive(Debug, Deserialize)]
struct ViewFile {
    name: String,
    text: Option<String>,
}

/// Columns of counts by node, the first of node 1.
#[derive(Debug, Deserialize)]
pub(super) struct Statistics {
    revision: u32,
    ticks: u64,
    every: u32,
    entries: Vec<u64>,
    successes: Vec<u64>,
    failures: Vec<u64>,
    running: Vec<u64>,
}

/// Counts of the nodes at one place: of one node in the text, with all its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Number of times that a node was entered, and number of its successes and failures.
    pub(crate) entries: u64,
    pub(crate) successes: u64,
    pub(crate) failures: u64,
    /// Number of agents in which a node is running now.
    pub(crate) running: u64,
}

/// Line and column of a node, both from 1. Columns count bytes.
type Place = (u32, u32);

/// File of the running trees, with the data of its nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveFile {
    name: String,
    pub(crate) text: Arc<str>,
    /// Counts by place. Empty until agents were counted.
    pub(crate) counts: HashMap<Place, Count>,
    /// Statuses of nodes in the last tick of the followed agent.
    pub(crate) statuses: HashMap<Place, &'static str>,
}

impl LiveFile {
    /// Returns a file without counts.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.into(), ..Self::default() }
    }

    /// Returns true if a path ends with the name of the file.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        let front = path.strip_suffix(self.name.as_str());
        front.is_some_and(|front| front.is_empty() || front.ends_with('/'))
    }
}

/// Data of a running crowd.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveCrowd {
    pub(crate) files: Vec<LiveFile>,
    /// Agents are counted whose index is divisible by this number.
    pub(crate) every: u32,
    /// Followed agent.
    pub(crate) agent: Option<u32>,
}

/// Trees and counts of the view that is connected.
#[derive(Debug, Default)]
pub(super) struct Model {
    revision: u32,
    /// For each node, its file and place. None for a node without a place in a text, and for a
    /// node of a handler of an event, because these nodes are not counted.
    places: Vec<Option<(usize, Place)>>,
    pub(super) crowd: LiveCrowd,
}

impl Model {
    /// Takes over the trees of a view. Nothing is counted yet.
    pub(super) fn set_program(&mut self, program: Program) {
        let mut handled = vec![false; program.nodes.len() + 1];
        let mut places = Vec::with_capacity(program.nodes.len());
        // Parents have smaller ids.
        for (id, node) in (1..).zip(&program.nodes) {
            handled[id] = node.handles || handled.get(node.parent as usize).is_some_and(|it| *it);
            let is_shown = !handled[id] && !node.kind.starts_with('.') && node.line > 0;
            let file = node.file.filter(|file| is_shown && *file < program.files.len());
            places.push(file.map(|file| (file, (node.line, node.column))));
        }
        let file = |it: ViewFile| LiveFile::new(&it.name, &it.text.unwrap_or_default());
        let files = program.files.into_iter().map(file).collect();
        self.crowd = LiveCrowd { files, ..LiveCrowd::default() };
        (self.revision, self.places) = (program.revision, places);
    }

    /// Takes over counts, if they are those of the present trees.
    pub(super) fn set_counts(&mut self, new: &Statistics) {
        if new.revision != self.revision || new.ticks == 0 {
            return;
        }
        self.crowd.every = new.every;
        self.crowd.files.iter_mut().for_each(|file| file.counts.clear());
        let at = |column: &[u64], index: usize| column.get(index).copied().unwrap_or(0);
        for (index, place) in self.places.iter().enumerate() {
            let Some((file, place)) = place else { continue };
            let count = self.crowd.files[*file].counts.entry(*place).or_default();
            count.entries += at(&new.entries, index);
            count.successes += at(&new.successes, index);
            count.failures += at(&new.failures, index);
            count.running += at(&new.running, index);
        }
    }

    /// Takes over the statuses of an agent's last tick. The last one of a node counts.
    pub(super) fn set_statuses(
        &mut self,
        (revision, agent): (u32, u32),
        nodes: impl Iterator<Item = (u32, usize)>,
    ) {
        if revision != self.revision {
            return;
        }
        self.crowd.agent = Some(agent);
        self.crowd.files.iter_mut().for_each(|file| file.statuses.clear());
        for (id, status) in nodes {
            let place = (id as usize).checked_sub(1).and_then(|index| *self.places.get(index)?);
            if let (Some((file, place)), Some(status)) = (place, STATUSES.get(status)) {
                self.crowd.files[file].statuses.insert(place, status);
            }
        }
    }
}
