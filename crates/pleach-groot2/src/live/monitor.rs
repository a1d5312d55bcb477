//! Monitor, owned by the host's thread.

use super::blackboard::BoardReader;
use super::hooked::HookedHost;
use super::hooks::Position;
use super::server::Server;
use super::state::{Shared, State};
use crate::statuses::{ChangeSink, NodeStatus, StatusChange};
use crate::tree::Tree;
use crate::watcher::AgentWatcher;
use pleach::watch::{ObservedHost, WithObserver};
use pleach::{Agent, Crowd, Host, Tally};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Live monitor of one agent at a time, served to Groot2. `spec/groot2.md` describes the protocol.
///
/// When it is dropped, all its connections are closed and all its threads have ended.
#[derive(Debug)]
pub struct Monitor {
    server: Server,
    shared: Arc<Shared>,
    watcher: AgentWatcher<LiveChanges>,
    reader: Option<BoardReader>,
}

/// Receiver of the changes of the agent that a [`Monitor`] shows.
#[derive(Debug)]
pub struct LiveChanges {
    shared: Arc<Shared>,
    tree: Arc<Tree>,
    is_over: fn() -> bool,
}

impl ChangeSink for LiveChanges {
    fn take(&mut self, change: StatusChange) {
        self.shared.note(change);
        // Nodes that call the game have their hooks at the call.
        if self.tree.node(change.uid).is_none_or(|node| node.acts) {
            return;
        }
        if change.from == NodeStatus::Idle {
            self.shared.reach(&[change.uid], Position::Before, self.is_over);
        }
        if change.to.is_completed() {
            self.shared.reach(&[change.uid], Position::After, self.is_over);
        }
    }
}

impl Monitor {
    /// Serves an agent that runs a tree. Requests are answered at the address, and notices are
    /// published at the next port. Port 0 stands for any free ports. Whoever reaches the ports can
    /// stop the crowd.
    ///
    /// # Errors
    /// If an address is not available, no thread can be started, or the system has no random
    /// numbers.
    pub fn serve(address: SocketAddr, tree: Tree, agent: Agent) -> io::Result<Self> {
        let tree = Arc::new(tree);
        let shared = Arc::new(Shared::new(State::new(tree.clone())?));
        let server = Server::start(address, &shared)?;
        let sink = LiveChanges { shared: shared.clone(), tree: tree.clone(), is_over: || false };
        Ok(Self { server, shared, watcher: AgentWatcher::new(tree, agent, sink), reader: None })
    }

    /// Returns the address at which requests are answered.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Returns the agent that is shown.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.watcher.agent()
    }

    /// Returns the tree that is shown.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        self.watcher.tree()
    }

    /// Shows another agent, or another tree. It has a new id, no hooks and no recording.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn look_at(&mut self, tree: Tree, agent: Agent) -> io::Result<()> {
        let tree = Arc::new(tree);
        let asked = self.shared.lock().asked;
        *self.shared.lock() = State { asked, ..State::new(tree.clone())? };
        let is_over = self.watcher.sink.is_over;
        let sink = LiveChanges { shared: self.shared.clone(), tree: tree.clone(), is_over };
        self.watcher = AgentWatcher::new(tree, agent, sink);
        self.reader = None;
        Ok(())
    }

    /// Sets a function that ends the waiting at breakpoints once it returns true, for a program
    /// that is to end.
    pub fn end_when(&mut self, is_over: fn() -> bool) {
        self.watcher.sink.is_over = is_over;
    }

    /// Ticks a crowd. At a breakpoint of the agent, the call waits until a peer unlocks it.
    ///
    /// A [recorder](pleach::record::Recorder) inside the host does not see replaced statuses.
    pub fn tick<H: ObservedHost + ?Sized>(&mut self, crowd: &mut Crowd, now: i64, host: &mut H) -> Tally {
        let (host, observer) = host.split();
        let (watcher, mut host) = self.split(host);
        let tally = crowd.tick_watched(now, &mut WithObserver { host: &mut host, observer }, watcher);
        self.ticked(crowd);
        tally
    }

    /// Returns the watcher of the agent, and the hooks around a host, for a tick with further
    /// watchers. [`Monitor::ticked`] must follow.
    pub fn split<'m, H: Host + ?Sized>(
        &'m mut self,
        host: &'m mut H,
    ) -> (&'m mut AgentWatcher<LiveChanges>, HookedHost<'m, H>) {
        let Self { shared, watcher, .. } = self;
        let (agent, is_over) = (watcher.agent(), watcher.sink.is_over);
        let tree = watcher.tree().clone();
        (watcher, HookedHost { host, shared, tree, agent, is_over })
    }

    /// Copies the blackboards of the agent after a tick, if a peer asks for them.
    pub fn ticked(&mut self, crowd: &Crowd) {
        let (tree, agent) = (self.watcher.tree(), self.watcher.agent());
        if !self.shared.lock().is_watched() {
            return;
        }
        let reader = self.reader.get_or_insert_with(|| BoardReader::new(tree, crowd.program()));
        let boards = reader.read(tree, crowd, agent);
        self.shared.lock().boards = Some(boards);
    }
}
