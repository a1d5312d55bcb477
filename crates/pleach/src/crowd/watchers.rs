//! Observers of the agents of a crowd.

use crate::crowd::Crowd;
use crate::engine::{Watch, WatchContext};
use crate::host::LogKind;
use crate::store::agents::Place;
use crate::store::chunk::bits_of;
use crate::values::{Agent, Outcome, Status};
use core::fmt;

/// Set of lanes of a chunk: lane `n` is bit `n % 64` of word `n / 64`.
pub type LaneMask = [u64; 4];

/// Chunk and lane of an agent.
pub type LaneId = (usize, u8);

/// Observers of the ticks of a crowd's agents, for [`Crowd::tick_watched`]:
/// [`Traces`](crate::watch::Traces), [`Statistics`](crate::watch::Statistics), a pair `(&mut one,
/// &mut other)`, an `Option<&mut one>`, or an implementation of the game.
pub trait Watchers {
    /// Observer of one agent.
    type Watch<'a>: Watch
    where
        Self: 'a;

    /// Notes that a tick begins.
    fn begin(&mut self, _crowd: &Crowd, _now: i64) {}

    /// Returns the lanes of a chunk that are watched. Lanes without an agent may be set.
    fn seen(&mut self, chunk: usize) -> LaneMask;

    /// Returns the observer of the agent that is ticked next; `None` if the agent is not watched.
    fn watch(&mut self, at: LaneId, agent: Agent) -> Option<Self::Watch<'_>>;

    /// Notes the outcome of a watched agent.
    fn ticked(&mut self, _at: LaneId, _agent: Agent, _outcome: Outcome) {}
}

/// Watchers that watch no agent.
pub(crate) struct NoWatchers;

impl Watchers for NoWatchers {
    type Watch<'a> = ();

    #[inline(always)]
    fn seen(&mut self, _: usize) -> LaneMask {
        [0; 4]
    }

    #[inline(always)]
    fn watch(&mut self, _: LaneId, _: Agent) -> Option<Self::Watch<'_>> {
        None
    }
}

/// Watchers that watch one agent.
pub(crate) struct OneWatcher<'w, W> {
    pub(crate) place: Place,
    pub(crate) watch: &'w mut W,
}

impl<W: Watch> Watchers for OneWatcher<'_, W> {
    type Watch<'a>
        = &'a mut W
    where
        Self: 'a;

    fn seen(&mut self, chunk: usize) -> LaneMask {
        let here = Some(self.place.lane).filter(|_| self.place.chunk as usize == chunk);
        bits_of(here.into_iter())
    }

    fn watch(&mut self, at: LaneId, _: Agent) -> Option<Self::Watch<'_>> {
        (at == (self.place.chunk as usize, self.place.lane)).then_some(&mut *self.watch)
    }
}

impl<A: Watchers, B: Watchers> Watchers for (&mut A, &mut B) {
    type Watch<'a>
        = ObserverPair<A::Watch<'a>, B::Watch<'a>>
    where
        Self: 'a;

    fn begin(&mut self, crowd: &Crowd, now: i64) {
        self.0.begin(crowd, now);
        self.1.begin(crowd, now);
    }

    fn seen(&mut self, chunk: usize) -> LaneMask {
        let (first, second) = (self.0.seen(chunk), self.1.seen(chunk));
        core::array::from_fn(|word| first[word] | second[word])
    }

    fn watch(&mut self, at: LaneId, agent: Agent) -> Option<Self::Watch<'_>> {
        let both = ObserverPair(self.0.watch(at, agent), self.1.watch(at, agent));
        (both.0.is_some() || both.1.is_some()).then_some(both)
    }

    fn ticked(&mut self, at: LaneId, agent: Agent, outcome: Outcome) {
        self.0.ticked(at, agent, outcome);
        self.1.ticked(at, agent, outcome);
    }
}

impl<W: Watchers> Watchers for Option<&mut W> {
    type Watch<'a>
        = W::Watch<'a>
    where
        Self: 'a;

    fn begin(&mut self, crowd: &Crowd, now: i64) {
        self.iter_mut().for_each(|watchers| watchers.begin(crowd, now));
    }

    fn seen(&mut self, chunk: usize) -> LaneMask {
        self.as_mut().map_or_else(LaneMask::default, |watchers| watchers.seen(chunk))
    }

    fn watch(&mut self, at: LaneId, agent: Agent) -> Option<Self::Watch<'_>> {
        self.as_mut().and_then(|watchers| watchers.watch(at, agent))
    }

    fn ticked(&mut self, at: LaneId, agent: Agent, outcome: Outcome) {
        self.iter_mut().for_each(|watchers| watchers.ticked(at, agent, outcome));
    }
}

/// Pair of observers, of which one or both watch an agent.
#[derive(Debug)]
pub struct ObserverPair<A, B>(Option<A>, Option<B>);

impl<A: Watch, B: Watch> Watch for ObserverPair<A, B> {
    fn acts(&mut self, node: u32, site: u32) {
        self.0.as_mut().into_iter().for_each(|watch| watch.acts(node, site));
        self.1.as_mut().into_iter().for_each(|watch| watch.acts(node, site));
    }

    fn acted(&mut self, node: u32, site: u32, fresh: bool, status: Status) {
        self.0.as_mut().into_iter().for_each(|watch| watch.acted(node, site, fresh, status));
        self.1.as_mut().into_iter().for_each(|watch| watch.acted(node, site, fresh, status));
    }

    fn halted(&mut self, node: u32, site: u32) {
        self.0.as_mut().into_iter().for_each(|watch| watch.halted(node, site));
        self.1.as_mut().into_iter().for_each(|watch| watch.halted(node, site));
    }

    fn changed(&mut self, node: u32, old: u8, new: u8) {
        self.0.as_mut().into_iter().for_each(|watch| watch.changed(node, old, new));
        self.1.as_mut().into_iter().for_each(|watch| watch.changed(node, old, new));
    }

    /// Returns the first observer that reads the host's words. Only this one gets them,
    /// because the host is asked once.
    fn words(&mut self) -> Option<&mut dyn fmt::Write> {
        let first = self.0.as_mut().and_then(Watch::words);
        first.or_else(|| self.1.as_mut().and_then(Watch::words))
    }

    fn asked(&mut self, site: u32, answer: f64) {
        self.0.as_mut().into_iter().for_each(|watch| watch.asked(site, answer));
        self.1.as_mut().into_iter().for_each(|watch| watch.asked(site, answer));
    }

    fn looked(&mut self, word: u32, sight: &WatchContext<'_>) {
        self.0.as_mut().into_iter().for_each(|watch| watch.looked(word, sight));
        self.1.as_mut().into_iter().for_each(|watch| watch.looked(word, sight));
    }

    fn left(&mut self, word: u32, exit: u32) {
        self.0.as_mut().into_iter().for_each(|watch| watch.left(word, exit));
        self.1.as_mut().into_iter().for_each(|watch| watch.left(word, exit));
    }

    fn logged(&mut self, node: u32, kind: LogKind, text: &[u8]) {
        self.0.as_mut().into_iter().for_each(|watch| watch.logged(node, kind, text));
        self.1.as_mut().into_iter().for_each(|watch| watch.logged(node, kind, text));
    }
}
