//! The view, as a value of the host's thread: its parts, its address and its clock.

use crate::clock::Clock;
use crate::door::Door;
use crate::hub::Hub;
use crate::kept::Kept;
use crate::looking::{Looking, Times};
use crate::messages::text;
use crate::options::Options;
use crate::outbox::Slot;
use crate::scene::Scene;
use crate::server::Server;
use crate::token;
use crate::watching::Watching;
use crate::what_if::WhatIf;
use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

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
    /// True if something is wrong with edited sources.
    pub(crate) troubled: bool,
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
        let hello = options.hello(&scene, if options.recording { "recording" } else { "live" });
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
}
