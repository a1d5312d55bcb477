//! The view as the host's thread has it.

use crate::clock::Clock;
use crate::door::Door;
use crate::hub::Hub;
use crate::kept::Kept;
use crate::messages::{Edited, Placed, Reason, Reloaded, Trouble, text};
use crate::outbox::Slot;
use crate::scene::Scene;
use crate::server::Server;
use crate::tell::{Looking, Times, hello};
use crate::watching::{Ticks, Watching};
use crate::what_if::WhatIf;
use crate::{Finding, token};
use pleach::state::ReloadReport;
use pleach::watch::{ObservedHost, Watchers, WithObserver};
use pleach::{Crowd, Event, EventTarget, Tally};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::mem;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

/// Agents of which a history counts each; of larger crowds, a part. The page asks for the same part.
const MOST_COUNTED: usize = 20_000;

/// How a crowd is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Ticks a second, 0 for as many as can be, if the view keeps the clock: then pages can pause and step the crowd, and the host
    /// asks [`View::due`]. Without it, the host ticks when it likes.
    pub clock: Option<f64>,
    /// True for a recording, see [`View::replay`].
    pub recording: bool,
    /// Lists and counts all agents from the first tick, though no page is connected. `spec/view.md` says what that costs.
    pub history: bool,
}

/// A view that is served. When it is dropped, all its connections are closed, and its threads have ended.
#[derive(Debug)]
pub struct View {
    // First, so that it ends first.
    _server: Server,
    pub(crate) hub: Arc<Hub>,
    address: SocketAddr,
    pub(crate) scene: Scene,
    pub(crate) revision: u32,
    pub(crate) options: Options,
    pub(crate) clock: Option<Clock>,
    pub(crate) looking: BTreeMap<u64, Looking>,
    pub(crate) watching: Watching,
    pub(crate) kept: Kept,
    pub(crate) what_if: WhatIf,
    /// Ticks that there have been.
    pub(crate) tick: u64,
    pub(crate) now: i64,
    /// The last tick of a recording.
    pub(crate) length: Option<u64>,
    pub(crate) told: Times,
    /// True once a page has asked for counts.
    pub(crate) counts_shown: bool,
    /// Whether something is wrong with edited sources.
    troubled: bool,
}

impl View {
    /// Serves a view of a program at an address. Port 0 is any that is free. An address that is not of this machine alone lets
    /// others in who have the token, see `spec/view.md`.
    ///
    /// # Errors
    /// If the address cannot be had, or there is no thread for it, or the system has no random numbers.
    pub fn serve(address: impl ToSocketAddrs, scene: Scene, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let hub = Arc::new(Hub::new(Door { token: token::word()?, port: address.port() }));
        let hello = hello(&scene, options, if options.recording { "recording" } else { "live" });
        hub.greet(Slot::Hello, &hello);
        hub.greet(Slot::Program, &text("program", &scene.told(1)));
        let watching = Watching::new(&scene);
        let view = Self {
            _server: Server::start(listener, hub.clone())?,
            hub,
            address,
            scene,
            revision: 1,
            options,
            clock: options.clock.map(Clock::new),
            looking: BTreeMap::new(),
            watching,
            kept: Kept::default(),
            what_if: WhatIf::default(),
            tick: 0,
            now: 0,
            length: None,
            told: Times::new(),
            counts_shown: false,
            troubled: false,
        };
        Ok(view)
    }

    /// Where the page is: to be opened in a browser, and to be told nobody else, for it has the token.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.hub.door.token)
    }

    /// Whether a page is connected.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        !self.hub.is_empty()
    }

    /// Whether the view keeps the clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// Whether a tick is to be done now, where the view keeps the clock. It counts as done then.
    pub fn due(&mut self) -> bool {
        self.clock.as_mut().is_some_and(|clock| clock.due().is_some())
    }

    /// Waits until a tick is due or a page wants something, but no longer than this.
    pub fn wait(&self, most: Duration) {
        let until = self.clock.as_ref().and_then(Clock::until).unwrap_or(most);
        if !until.is_zero() {
            self.hub.wait(until.min(most));
        }
    }

    /// Lets the clock stand still, if the view keeps it.
    pub fn pause(&mut self) {
        self.clock.iter_mut().for_each(Clock::pause);
    }

    /// Ticks a crowd, after what pages want has been done, and copies what they look at.
    ///
    /// Results that pages force stand before the host: a [recorder](pleach::record::Recorder) in it does not hear them, and a replay of what it has
    /// recorded goes another way from there.
    pub fn tick<H: ObservedHost + ?Sized>(&mut self, crowd: &mut Crowd, now: i64, host: &mut H) -> Tally {
        self.obey(crowd, now, host);
        if self.options.history && self.watching.counted() == 0 {
            self.watching.count(&self.scene, sampling(crowd.len()));
        }
        let tally = if self.what_if.forced.waiting().is_empty() {
            self.watching.tick(Live { crowd, now, host })
        } else {
            let (host, observer) = host.split();
            let host = &mut self.what_if.forced.around(host);
            self.watching.tick(Live { crowd, now, host: &mut WithObserver { host, observer } })
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

    /// Does what pages want, between ticks. `now` is the time of the next one.
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

    /// The host has raised an event, or will before the next tick.
    pub fn heard(&mut self, event: Event, to: EventTarget) {
        if self.hub.is_empty() {
            return;
        }
        if let Some((name, _)) = self.scene.events.iter().find(|(_, other)| *other == event) {
            self.watching.hear(name, to);
        }
    }

    /// The crowd has been [reloaded](Crowd::reload): what it runs now, and what became of its agents.
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

    /// What is wrong with edited sources, or nothing any more. `source` gives the text of a file as it is now, by the name that the
    /// program has for it.
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

/// Returns n where each n-th agent of a crowd is counted, so that at most [`MOST_COUNTED`] agents are.
fn sampling(agents: usize) -> u32 {
    u32::try_from(agents.div_ceil(MOST_COUNTED)).unwrap_or(u32::MAX).max(1)
}

/// A crowd that is ticked.
struct Live<'a, H: ?Sized> {
    crowd: &'a mut Crowd,
    now: i64,
    host: &'a mut H,
}

impl<H: ObservedHost + ?Sized> Ticks for Live<'_, H> {
    type Done = Tally;

    fn tick(self) -> Tally {
        self.crowd.tick(self.now, self.host)
    }

    fn tick_watched<W: Watchers>(self, watchers: &mut W) -> Tally {
        self.crowd.tick_watched(self.now, self.host, watchers)
    }
}
