//! Copies of a crowd's state, made between ticks.

use crate::kept::List;
use crate::messages::{Agents, Asked, Moment, NOT_TICKED, Rows, text};
use crate::scene::Scene;
use crate::watching::{Watching, status_of};
use pleach::{Agent, Crowd};
use std::sync::Arc;

/// Maximum number of agents that are listed.
const MOST_LISTED: usize = 100_000;

/// Revision, tick and time of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) revision: u32,
    pub(crate) tick: u64,
    pub(crate) now: i64,
}

/// Lists the position and status of all agents. Reuses the columns of indices and trees of the last
/// list if they have not changed.
pub(crate) fn list(scene: &Scene, crowd: &Crowd, stamp: Stamp, last: Option<&List>) -> List {
    let mut agents: Vec<Agent> = crowd.agents().take(MOST_LISTED).collect();
    agents.sort_unstable_by_key(|agent| agent.index());
    let tree = |agent: &Agent| {
        let name = crowd.inspect().tree(*agent).unwrap_or_default();
        scene.entries.iter().position(|entry| entry == name).unwrap_or(0)
    };
    let columns = Agents {
        revision: stamp.revision,
        index: agents.iter().map(|agent| agent.index()).collect(),
        tree: agents.iter().map(tree).collect(),
    };
    let same = last.map(|list| list.agents.clone()).filter(|last| **last == columns);
    let status = |agent: &Agent| match crowd.outcome(*agent) {
        Ok(Some(outcome)) => status_of(outcome),
        _ => NOT_TICKED,
    };
    let digit = |status: u32| char::from_digit(status, 10).unwrap_or('5');
    let node =
        |agent: &Agent| crowd.inspect().active_nodes(*agent).ok().and_then(Iterator::max).unwrap_or(0) as u16;
    List {
        tick: stamp.tick,
        now: stamp.now,
        agents: same.unwrap_or_else(|| Arc::new(columns)),
        status: agents.iter().map(status).map(digit).collect(),
        node: agents.iter().map(node).collect(),
    }
}

/// Returns a list as a message.
pub(crate) fn rows(list: &List, asked: bool) -> Arc<str> {
    let List { tick, now, agents, status, node } = list;
    text("crowd", &Rows { revision: agents.revision, tick: *tick, now: *now, asked, status, node })
}

/// Returns the nodes that an agent ran in the newest tick, and its current values.
pub(crate) fn moment(
    watching: &Watching,
    scene: &Scene,
    crowd: &Crowd,
    stamp: Stamp,
    index: usize,
) -> Moment {
    let mut moment = match crowd.at(index) {
        Some(agent) => watching.moment(scene, crowd, agent, stamp.now),
        None => {
            Moment { agent: index, status: NOT_TICKED, outcome: "it is gone".to_owned(), ..Moment::default() }
        }
    };
    (moment.revision, moment.tick, moment.now) = (stamp.revision, stamp.tick, stamp.now);
    moment
}

/// Returns a moment as a message.
pub(crate) fn told(moment: &Moment, asked: bool) -> Arc<str> {
    text("agent", &Asked { what: moment, asked })
}
