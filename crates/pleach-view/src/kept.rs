//! History of a live crowd in bounded memory: the ticks of picked agents, and the lists of all
//! agents.

use crate::messages::{Agents, Past};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Maximum number of ticks of a picked agent.
const MOST_MOMENTS: usize = 2_000;
/// Maximum number of bytes for one agent.
const MOST_MOMENT_BYTES: usize = 16 << 20;
/// Maximum number of lists: ten minutes at 20 ticks a second.
const MOST_LISTS: usize = 12_000;
/// Maximum number of bytes for all lists.
const MOST_LIST_BYTES: usize = 16 << 20;

/// Status and node of all agents in a tick.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) tick: u64,
    pub(crate) now: i64,
    /// Agents of the columns.
    pub(crate) agents: Arc<Agents>,
    /// Status of each agent, one digit each.
    pub(crate) status: String,
    pub(crate) node: Vec<u16>,
}

impl List {
    fn bytes(&self) -> usize {
        self.status.len() + self.node.len() * 2
    }
}

/// Tick of an agent as messages: one for live pages, and one that answers a request.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) tick: u64,
    pub(crate) live: Arc<str>,
    pub(crate) asked: Arc<str>,
}

impl Told {
    fn bytes(&self) -> usize {
        self.live.len() + self.asked.len()
    }
}

#[derive(Debug, Default)]
struct Moments {
    told: VecDeque<Told>,
    bytes: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Kept {
    lists: VecDeque<List>,
    list_bytes: usize,
    /// Ticks of picked agents, by the indices of agents.
    moments: BTreeMap<usize, Moments>,
}

impl Kept {
    /// Returns the first tick for which anything is kept.
    pub(crate) fn first(&self) -> Option<u64> {
        let moments = self.moments.values().filter_map(|moments| moments.told.front()).map(|told| told.tick);
        moments.chain(self.lists.front().map(|list| list.tick)).min()
    }

    /// Adds the newest list. A list of the same tick is replaced.
    pub(crate) fn add_list(&mut self, list: List) {
        if self.lists.back().is_some_and(|last| last.tick == list.tick)
            && let Some(last) = self.lists.pop_back()
        {
            self.list_bytes -= last.bytes();
        }
        self.list_bytes += list.bytes();
        self.lists.push_back(list);
        while self.lists.len() > MOST_LISTS || self.list_bytes > MOST_LIST_BYTES && self.lists.len() > 1 {
            let first = self.lists.pop_front();
            self.list_bytes -= first.map_or(0, |list| list.bytes());
        }
    }

    pub(crate) fn list(&self, tick: u64) -> Option<&List> {
        self.lists.binary_search_by_key(&tick, |list| list.tick).ok().map(|at| &self.lists[at])
    }

    /// Returns the statuses and nodes of one agent from all lists.
    pub(crate) fn past(&self, revision: u32, agent: usize) -> Past {
        let mut past = Past { revision, agent, ..Past::default() };
        for list in self.lists.iter().filter(|list| list.agents.revision == revision) {
            let Ok(row) = list.agents.index.binary_search(&agent) else { continue };
            past.tick.push(list.tick);
            past.now.push(list.now);
            past.status.extend(list.status.get(row..=row));
            past.node.extend(list.node.get(row));
        }
        past
    }

    pub(crate) fn last_list(&self) -> Option<&List> {
        self.lists.back()
    }

    /// Adds the newest tick of an agent. An entry of the same tick is replaced.
    pub(crate) fn add(&mut self, agent: usize, told: Told) {
        let Moments { told: all, bytes } = self.moments.entry(agent).or_default();
        if all.back().is_some_and(|last| last.tick == told.tick)
            && let Some(last) = all.pop_back()
        {
            *bytes -= last.bytes();
        }
        *bytes += told.bytes();
        all.push_back(told);
        while all.len() > MOST_MOMENTS || *bytes > MOST_MOMENT_BYTES && all.len() > 1 {
            let first = all.pop_front();
            *bytes -= first.map_or(0, |told| told.bytes());
        }
    }

    pub(crate) fn moment(&self, agent: usize, tick: u64) -> Option<&Told> {
        let told = &self.moments.get(&agent)?.told;
        told.binary_search_by_key(&tick, |told| told.tick).ok().map(|at| &told[at])
    }

    /// Drops agents for which `agents` is false.
    pub(crate) fn retain(&mut self, agents: impl Fn(usize) -> bool) {
        self.moments.retain(|agent, _| agents(*agent));
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tick: u64, bytes: usize) -> Told {
        Told { tick, live: "x".repeat(bytes).into(), asked: "".into() }
    }

    fn list(tick: u64, agents: usize) -> List {
        List { tick, now: 0, agents: Arc::default(), status: "0".repeat(agents), node: vec![0; agents] }
    }

    #[test]
    fn the_oldest_goes_first() {
        let mut kept = Kept::default();
        (1..=3_000).for_each(|tick| kept.add(7, told(tick, 10)));
        assert_eq!(kept.first(), Some(1_001));
        assert!(kept.moment(7, 1_000).is_none() && kept.moment(7, 1_001).is_some());
        assert!(kept.moment(8, 2_000).is_none());
        (1..=12_100).for_each(|tick| kept.add_list(list(tick, 1)));
        assert_eq!(kept.first(), Some(101));
        kept.retain(|agent| agent != 7);
        assert!(kept.moment(7, 3_000).is_none());
        assert_eq!(kept.list(12_100).map(|list| list.tick), Some(12_100));
    }

    #[test]
    fn memory_is_bounded_whatever_the_size() {
        let mut kept = Kept::default();
        (1..=10).for_each(|tick| kept.add(0, told(tick, MOST_MOMENT_BYTES / 2)));
        assert!(kept.moment(0, 8).is_none() && kept.moment(0, 9).is_some());
        (1..=10).for_each(|tick| kept.add_list(list(tick, MOST_LIST_BYTES / 6)));
        assert!(kept.list(8).is_none() && kept.list(9).is_some());
    }

    #[test]
    fn an_agent_has_the_past_of_the_lists_that_it_is_in() {
        let agents = |index| Arc::new(Agents { revision: 1, index, tree: Vec::new() });
        let list = |tick, index, status: &str, node| {
            let (now, status) = (tick as i64 * 50, status.to_owned());
            List { tick, now, agents: agents(index), status, node }
        };
        let mut kept = Kept::default();
        kept.add_list(list(1, vec![3, 7], "20", vec![5, 0]));
        kept.add_list(list(2, vec![3], "2", vec![5]));
        kept.add_list(list(3, vec![7, 9], "12", vec![0, 5]));
        let past = kept.past(1, 7);
        assert_eq!((past.tick, past.now), (vec![1, 3], vec![50, 150]));
        assert_eq!((past.status.as_str(), past.node), ("01", vec![0, 0]));
        assert_eq!(kept.past(2, 7), Past { revision: 2, agent: 7, ..Past::default() });
    }

    #[test]
    fn a_tick_that_is_told_again_takes_the_place_of_the_first() {
        let mut kept = Kept::default();
        kept.add(0, told(1, 5));
        kept.add(0, told(1, 6));
        kept.add_list(list(1, 5));
        kept.add_list(list(1, 6));
        assert_eq!(kept.moment(0, 1).map(|told| told.live.len()), Some(6));
        assert_eq!((kept.list(1).map(|list| list.node.len()), kept.list_bytes), (Some(6), 18));
    }
}
