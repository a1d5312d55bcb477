//! The view, owned by the host's thread: its parts, its address and its clock.

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

/// View that is being served. When it is dropped, all its connections are closed and all its
/// threads have ended.
#[derive(Debug)]
pub struct View {
    // First field, so that it is dropped first.
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
    /// Number of the last tick.
    pub(crate) tick: u64,
    pub(crate) now: i64,
    /// Number of ticks of a recording.
    pub(crate) length: Option<u64>,
    pub(crate) told: Times,
    /// True once a page has asked for counts.
    pub(crate) counts_shown: bool,
    /// True while edited sources have errors.
    pub(crate) troubled: bool,
}

impl View {
    /// Serves a view of a program at an address. Port 0 stands for any free port. If the address is
    /// reachable from other machines, users with the token are let in from there, see
    /// `spec/view.md`.
    ///
    /// # Errors
    /// If the address is not available, no thread can be started, or the system has no random
    /// numbers.
    pub fn serve(address: impl ToSocketAddrs, scene: Scene, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let (token, port, framed) = (token::word()?, address.port(), options.framed);
        let hub = Arc::new(Hub::new(Door { token, port, framed }, options.editing));
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

    /// Returns the address of the page, to be opened in a browser. It contains the token, so keep
    /// it secret.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.hub.door.token)
    }

    /// Returns true if a page is connected.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        !self.hub.is_empty()
    }

    /// Returns true if the view keeps the clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// Takes a tick if the view keeps the clock and a tick is due. Returns true if it was taken.
    pub fn due(&mut self) -> bool {
        self.clock.as_mut().is_some_and(|clock| clock.due().is_some())
    }

    /// Waits until a tick is due or a page sends a command, for at most `most`.
    pub fn wait(&self, most: Duration) {
        let until = self.clock.as_ref().and_then(Clock::until).unwrap_or(most);
        if !until.is_zero() {
            self.hub.wait(until.min(most));
        }
    }

    /// Pauses the clock, if the view keeps it.
    pub fn pause(&mut self) {
        self.clock.iter_mut().for_each(Clock::pause);
    }
}
