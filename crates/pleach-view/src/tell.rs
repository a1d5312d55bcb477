//! Messages to pages, and their times. A message is sent only if it has changed, and no more often
//! than a reader can follow.

use crate::clock::Clock;
use crate::copy::{self, Stamp, rows, told};
use crate::desk::View;
use crate::hub::Peer;
use crate::kept::Told;
use crate::looking::Looking;
use crate::messages::{Number, State, text};
use crate::outbox::Slot;
use pleach::{Agent, Crowd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of held agents, breakpoints and forced results that are listed.
const MOST_TOLD: usize = 1_000;
/// Minimum intervals between messages of a kind.
const STATE_EVERY: Duration = Duration::from_millis(100);
const LIST_EVERY: Duration = Duration::from_millis(250);
const COUNTS_EVERY: Duration = Duration::from_millis(500);
/// Time over which the speed is measured.
const MEASURED: Duration = Duration::from_secs(1);

impl View {
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp { revision: self.revision, tick: self.tick, now: self.now }
    }

    /// Returns the indices of the agents that pages have picked, the newest page last.
    pub fn picked(&self) -> impl Iterator<Item = usize> + '_ {
        self.looking.values().filter_map(|looking| looking.agent)
    }

    /// Registers new pages and removes those that have disconnected.
    pub(crate) fn meet(&mut self, crowd: &Crowd) {
        if self.hub.is_empty() && self.looking.is_empty() {
            return;
        }
        let peers = self.hub.peers();
        let before = self.looking.len();
        self.looking.retain(|id, _| peers.iter().any(|peer| peer.id == *id));
        let left = before != self.looking.len();
        let new: Vec<_> = peers.iter().filter(|peer| !self.looking.contains_key(&peer.id)).collect();
        for peer in &new {
            self.looking.insert(peer.id, Looking::default());
        }
        if self.looking.is_empty() {
            self.counts_shown = false;
            if !self.options.history {
                self.kept.clear();
                self.watching.count(&self.scene, 0);
            }
        }
        if left {
            self.sync(crowd);
        }
        if !new.is_empty() {
            self.list(crowd);
            self.told.last = None;
            self.state(crowd);
        }
    }

    /// Watches the agents that pages have picked or set breakpoints for.
    pub(crate) fn sync(&mut self, crowd: &Crowd) {
        let agents = self.found(crowd);
        self.watch(agents);
    }

    /// Returns the picked agents that exist.
    pub(crate) fn found(&self, crowd: &Crowd) -> Vec<Agent> {
        let picked: Vec<usize> = self.picked().collect();
        crowd.agents().filter(|agent| picked.contains(&agent.index())).collect()
    }

    /// Watches these agents, and those with breakpoints.
    pub(crate) fn watch(&mut self, mut agents: Vec<Agent>) {
        let picked: Vec<usize> = self.picked().collect();
        self.kept.retain(|agent| picked.contains(&agent));
        agents.extend(self.what_if.watched());
        agents.sort_unstable();
        agents.dedup();
        self.watching.watch(&agents);
    }

    /// Ends a tick: keeps and sends its results.
    pub(crate) fn ticked(&mut self, crowd: &Crowd, tick: u64, now: i64) {
        (self.tick, self.now) = (tick, now);
        self.watching.ticked();
        let (since, at) = self.told.measured;
        if since.elapsed() >= MEASURED {
            self.told.speed = tick.saturating_sub(at) as f64 / since.elapsed().as_secs_f64();
            self.told.measured = (Instant::now(), tick);
        }
        if self.looking.is_empty() && !self.options.history {
            return;
        }
        if self.length.is_none() {
            self.keep_list(crowd);
        }
        self.refresh(crowd);
        self.tell(crowd);
    }

    /// Sends the newest tick and the current values of picked agents.
    pub(crate) fn refresh(&mut self, crowd: &Crowd) {
        let picked: Vec<usize> = self.picked().collect();
        for agent in picked {
            let moment = copy::moment(&self.watching, &self.scene, crowd, self.stamp(), agent);
            let told = Told { tick: self.tick, live: told(&moment, false), asked: told(&moment, true) };
            for (peer, looking) in self.at_newest() {
                if looking.agent == Some(agent) {
                    peer.outbox.put(Slot::Agent, told.live.clone());
                }
            }
            if self.length.is_none() {
                self.kept.add(agent, told);
            }
        }
    }

    /// Returns the pages that show the newest tick.
    fn at_newest(&self) -> impl Iterator<Item = (Arc<Peer>, &Looking)> + '_ {
        let peers = self.hub.peers();
        let looking =
            |peer: Arc<Peer>| Some((self.looking.get(&peer.id).filter(|it| it.at.is_none())?, peer));
        peers.into_iter().filter_map(looking).map(|(looking, peer)| (peer, looking))
    }

    /// Copies the list of all agents to the history.
    fn keep_list(&mut self, crowd: &Crowd) {
        let list = copy::list(&self.scene, crowd, self.stamp(), self.kept.last_list());
        if self.options.recording {
            // A recording needs no history: it can be repeated.
            self.kept.clear();
        }
        self.kept.add_list(list);
    }

    /// Copies the list of all agents and sends it.
    pub(crate) fn list(&mut self, crowd: &Crowd) {
        self.keep_list(crowd);
        self.tell_list();
    }

    /// Sends the newest list of all agents.
    fn tell_list(&mut self) {
        (self.told.list, self.told.listed) = (Instant::now(), Some(self.stamp()));
        let Some(list) = self.kept.last_list() else { return };
        let rows = rows(list, false);
        for peer in self.hub.peers() {
            let Some(looking) = self.looking.get_mut(&peer.id).filter(|looking| looking.at.is_none()) else {
                continue;
            };
            let agents = looking.new_agents(list).map(|text| (Slot::Agents, text));
            peer.outbox.put_all(agents.into_iter().chain([(Slot::Crowd, rows.clone())]));
        }
    }

    /// Shows a page a tick from the history.
    pub(crate) fn show_kept(&mut self, peer: &Peer, tick: u64) {
        let Some(looking) = self.looking.get_mut(&peer.id) else { return };
        if peer.outbox.withdraw(&[Slot::Agents, Slot::Crowd, Slot::Agent]) {
            looking.agents = None;
        }
        looking.at = Some(tick);
        if let Some(list) = self.kept.list(tick) {
            let agents = looking.new_agents(list).map(|text| (Slot::AgentsAsked, text));
            peer.outbox.put_all(agents.into_iter().chain([(Slot::CrowdAsked, rows(list, true))]));
        }
        if let Some(told) = looking.agent.and_then(|agent| self.kept.moment(agent, tick)) {
            peer.outbox.put(Slot::AgentAsked, told.asked.clone());
        }
    }

    /// Sends all messages that are due.
    pub(crate) fn tell(&mut self, crowd: &Crowd) {
        if self.looking.is_empty() {
            return;
        }
        if self.told.state.elapsed() >= STATE_EVERY {
            self.state(crowd);
        }
        let now = Some(self.stamp());
        if self.told.list.elapsed() >= LIST_EVERY && self.told.listed != now {
            self.list(crowd);
        }
        if self.told.counts.elapsed() >= COUNTS_EVERY && self.told.counted != now {
            self.count();
        }
    }

    /// Sends the counts.
    pub(crate) fn count(&mut self) {
        (self.told.counts, self.told.counted) = (Instant::now(), Some(self.stamp()));
        let Some(mut counts) = self.watching.counts().filter(|_| self.counts_shown) else { return };
        (counts.revision, counts.tick) = (self.revision, self.tick);
        let message = text("statistics", &counts);
        self.hub.peers().iter().for_each(|peer| peer.outbox.put(Slot::Statistics, message.clone()));
    }

    /// Sends the state of the clock if it has changed.
    pub(crate) fn state(&mut self, crowd: &Crowd) {
        self.told.state = Instant::now();
        let clock = self.clock.as_ref();
        let paused = clock.is_some_and(Clock::is_paused);
        let first = self.kept.first().unwrap_or(self.tick).max(self.tick.min(1));
        let state = State {
            tick: self.tick,
            now: self.now,
            first: if self.length.is_some() { 1 } else { first },
            last: self.length.unwrap_or(self.tick),
            paused,
            rate: clock.map(|clock| Number(clock.rate())),
            speed: Number(if paused { 0.0 } else { (self.told.speed * 10.0).round() / 10.0 }),
            agents: crowd.len(),
            held: self.what_if.held().take(MOST_TOLD).collect(),
            breaks: self.what_if.stops().take(MOST_TOLD).collect(),
            forced: self.what_if.waiting().take(MOST_TOLD).collect(),
        };
        if self.told.last.as_ref() != Some(&state) {
            self.hub.announce(Slot::State, &text("state", &state));
            self.told.last = Some(state);
        }
    }
}
