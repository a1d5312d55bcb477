//! Short reports on an agent's tick for people: the nodes that ended in it, and the texts that its
//! tree wrote to its log.

use crate::engine::Watch;
use crate::values::Agent;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use hashbrown::HashMap;
use pleach_image::Image;
use pleach_image::isa::{FAILURE, SUCCESS};

/// Observer that notes the nodes that succeed or fail, in order. Displays as `(124) Move. (122)
/// Selector. (121) Sequence.`: line and name of each node.
///
/// Watch a tick with this observer, and print it if a tree has ended that should not end:
///
/// ```no_run
/// # use pleach::{Agent, Bindings, Crowd, Image};
/// # fn show(image: Image, mut crowd: Crowd, agent: Agent, mut host: Bindings<()>) {
/// let mut recent = pleach::watch::RecentNodes::new(&image);
/// let outcome = crowd.tick_agent(agent, 0, &mut host, &mut recent).unwrap();
/// if outcome == pleach::Outcome::Status(pleach::Status::Failure) {
///     eprintln!("the tree of agent {} has failed: {recent}", agent.index());
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct RecentNodes<'i> {
    image: &'i Image,
    ended: Vec<u16>,
}

impl<'i> RecentNodes<'i> {
    /// Returns an observer that has noted no nodes. `image` is the image of the program; without
    /// debug information, no nodes are noted.
    #[must_use]
    pub fn new(image: &'i Image) -> Self {
        Self { image, ended: Vec::new() }
    }

    /// Returns the ids of the noted nodes, in the order in which the nodes ended.
    #[must_use]
    pub fn nodes(&self) -> &[u16] {
        &self.ended
    }
}

impl Watch for RecentNodes<'_> {
    fn left(&mut self, word: u32, exit: u32) {
        let ends = self.image.debug_ends(word, exit);
        let ended = ends.filter(|end| [FAILURE, SUCCESS].map(u16::from).contains(&end.status));
        self.ended.extend(ended.map(|end| end.node));
    }
}

impl fmt::Display for RecentNodes<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for node in &self.ended {
            let Some(debug) = self.image.debug_node((*node).into()) else { continue };
            let (keyword, subject) =
                (self.image.debug_text(debug.keyword), self.image.debug_text(debug.subject));
            // What begins with a dot only helps; it may stand for a node of the host.
            let name = if keyword.starts_with('.') { subject } else { keyword };
            if !name.is_empty() && debug.parent != 0 {
                write!(out, "{space}({}) {name}.", debug.line)?;
                space = " ";
            }
        }
        Ok(())
    }
}

/// Last texts that trees wrote to the logs of their agents. A host that keeps a `LogHistory` calls
/// [`LogHistory::add`] in [`Host::log`](crate::Host::log).
#[derive(Clone, Debug, Default)]
pub struct LogHistory {
    texts: HashMap<Agent, VecDeque<String>>,
}

impl LogHistory {
    /// Number of texts that are kept for an agent.
    pub const KEPT: usize = 20;

    /// Adds a text; bytes that are not UTF-8 are replaced.
    pub fn add(&mut self, agent: Agent, text: &[u8]) {
        let texts = self.texts.entry(agent).or_default();
        if texts.len() == Self::KEPT {
            texts.pop_front();
        }
        texts.push_back(String::from_utf8_lossy(text).into_owned());
    }

    /// Returns an agent's texts, the oldest first.
    pub fn of(&self, agent: Agent) -> impl ExactSizeIterator<Item = &str> {
        self.texts.get(&agent).map(VecDeque::iter).unwrap_or_default().map(String::as_str)
    }

    /// Removes the texts of an agent.
    pub fn forget(&mut self, agent: Agent) {
        self.texts.remove(&agent);
    }
}
