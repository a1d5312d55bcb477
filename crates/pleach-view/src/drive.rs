//! Work of the host's thread: carries out the commands of pages, ticks the crowd, and sends the
//! results to pages.

use crate::Finding;
use crate::desk::View;
use crate::looking::Looking;
use crate::messages::{Edited, Placed, Reason, Reloaded, Trouble, text};
use crate::outbox::Slot;
use crate::scene::Scene;
use crate::watching::{Ticks, Watching};
use pleach::state::ReloadReport;
use pleach::watch::{ObservedHost, Traces, Watchers, WithObserver};
use pleach::{Crowd, Event, EventTarget, Tally};
use std::collections::HashMap;
use std::mem;

/// Maximum number of agents that a history counts. For a larger crowd it counts every n-th agent,
/// as the page does.
const MOST_COUNTED: usize = 20_000;

impl View {
    /// Carries out the commands of pages, ticks a crowd, and copies the state that pages look at.
    ///
    /// Results that pages force take precedence over the host. A
    /// [recorder](pleach::record::Recorder) inside the host does not see them, so a replay of its
    /// recording differs from there on.
    pub fn tick<H: ObservedHost + ?Sized>(&mut self, crowd: &mut Crowd, now: i64, host: &mut H) -> Tally {
        self.tick_watched(crowd, now, host, None::<&mut Traces>)
    }

    /// Does the same as [`View::tick`], with watchers of the host beside those of the view.
    pub fn tick_watched<H: ObservedHost + ?Sized, W: Watchers>(
        &mut self,
        crowd: &mut Crowd,
        now: i64,
        host: &mut H,
        own: Option<&mut W>,
    ) -> Tally {
        self.obey(crowd, now, host);
        if self.options.history && self.watching.counted() == 0 {
            self.watching.count(&self.scene, sampling(crowd.len()));
        }
        let tally = if self.what_if.forced.waiting().is_empty() {
            self.watching.tick(Live { crowd, now, host, own })
        } else {
            let (host, observer) = host.split();
            let host = &mut self.what_if.forced.around(host);
            self.watching.tick(Live { crowd, now, host: &mut WithObserver { host, observer }, own })
        };
        self.ticked(crowd, self.tick + 1, now);
        let stopped = self.what_if.stop(crowd, self.watching.traces(), &self.scene, &self.hub, self.stamp());
        if stopped == Some(true) {
            self.pause();
        }
        if stopped.is_some() {
            self.state(crowd);
        }
        tally
    }

    /// Carries out the commands of pages between ticks. `now` is the time of the next tick.
    pub fn obey<H: ObservedHost + ?Sized>(&mut self, crowd: &mut Crowd, now: i64, host: &mut H) {
        self.meet(crowd);
        for order in self.hub.take_orders() {
            let done = match self.look(order.peer, &order.command, crowd) {
                Some(done) => done,
                None => self.change(&order.command, crowd, now, host),
            };
            self.answer(order.peer, order.id, done);
        }
        self.tell(crowd);
    }

    /// Records an event that the host has raised, or will raise before the next tick.
    pub fn heard(&mut self, event: Event, to: EventTarget) {
        if self.hub.is_empty() {
            return;
        }
        if let Some((name, _)) = self.scene.events.iter().find(|(_, other)| *other == event) {
            self.watching.hear(name, to);
        }
    }

    /// Switches to the program of a crowd that was [reloaded](Crowd::reload), and reports to pages
    /// which agents continue and which were reset.
    pub fn reloaded(&mut self, scene: Scene, report: &ReloadReport, crowd: &Crowd) {
        let old = mem::replace(&mut self.scene, scene);
        self.revision += 1;
        self.what_if.follow(&old, &self.scene);
        let every = self.watching.counted();
        self.watching = Watching::new(&self.scene);
        self.watching.count(&self.scene, every);
        self.kept.clear();
        for looking in self.looking.values_mut() {
            *looking = Looking { agent: looking.agent, ..Looking::default() };
        }
        let lines = report.to_string();
        let mut reasons: Vec<Reason> = Vec::new();
        for (_, why) in &report.reset {
            let why = why.to_string();
            match reasons.iter_mut().find(|reason| reason.why == why) {
                Some(reason) => reason.count += 1,
                None => reasons.push(Reason { why, count: 1 }),
            }
        }
        let reloaded = Reloaded {
            revision: self.revision,
            tick: self.tick,
            kept: report.kept,
            reset: report.reset.len(),
            reasons,
            lost: &report.lost,
            text: lines,
        };
        let message = text("reload", &reloaded);
        self.hub.peers().iter().for_each(|peer| peer.outbox.put(Slot::Reload, message.clone()));
        self.hub.announce(Slot::Program, &text("program", &self.scene.told(self.revision)));
        self.trouble(&[], |_| None);
        self.sync(crowd);
        self.list(crowd);
        self.refresh(crowd);
    }

    /// Reports the errors of edited sources. An empty list clears them.
    ///
    /// `source` returns the current text of a file, by the name that the program has for it.
    pub fn trouble(&mut self, findings: &[Finding], mut source: impl FnMut(&str) -> Option<String>) {
        if !self.troubled && findings.is_empty() {
            return;
        }
        self.troubled = !findings.is_empty();
        let file = |finding: &Finding| finding.name.as_deref().and_then(|name| self.scene.file(name));
        let mut texts: HashMap<usize, String> = HashMap::new();
        for finding in findings {
            if let (Some(place), Some(name)) = (file(finding), &finding.name)
                && let Some(text) = source(name).filter(|text| text.len() <= 1 << 20)
            {
                texts.insert(place, text);
            }
        }
        let mut texts: Vec<_> = texts.iter().map(|(file, text)| Edited { file: *file, text }).collect();
        texts.sort_by_key(|edited| edited.file);
        let placed = findings.iter().map(|finding| Placed { finding, place: file(finding) });
        let message = text("trouble", &Trouble { findings: placed.collect(), texts });
        self.hub.announce(Slot::Trouble, &message);
        if findings.is_empty() {
            self.hub.greet(Slot::Trouble, &"".into());
        }
    }
}

/// Returns n so that every n-th agent of a crowd makes at most [`MOST_COUNTED`] agents.
fn sampling(agents: usize) -> u32 {
    u32::try_from(agents.div_ceil(MOST_COUNTED)).unwrap_or(u32::MAX).max(1)
}

/// Tick of a live crowd.
struct Live<'a, H: ?Sized, O> {
    crowd: &'a mut Crowd,
    now: i64,
    host: &'a mut H,
    /// Watchers of the host.
    own: Option<&'a mut O>,
}

impl<H: ObservedHost + ?Sized, O: Watchers> Ticks for Live<'_, H, O> {
    type Done = Tally;

    fn tick(self) -> Tally {
        match self.own {
            Some(own) => self.crowd.tick_watched(self.now, self.host, own),
            None => self.crowd.tick(self.now, self.host),
        }
    }

    fn tick_watched<W: Watchers>(self, watchers: &mut W) -> Tally {
        match self.own {
            Some(own) => self.crowd.tick_watched(self.now, self.host, &mut (watchers, own)),
            None => self.crowd.tick_watched(self.now, self.host, watchers),
        }
    }
}
