//! State that the host's thread and the threads of connections share: connected pages, their
//! commands, and the greeting for new pages.

use crate::command::Command;
use crate::door::Door;
use crate::editing::EditRequest;
use crate::outbox::{Outbox, Slot};
use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of commands that wait for the host.
const MOST_COMMANDS: usize = 1_000;
/// Maximum size of the waiting commands of editing in bytes.
const MOST_EDIT_BYTES: usize = 8 << 20;

/// Connected page.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Unique number of the page. It is never reused.
    pub(crate) id: u64,
    pub(crate) outbox: Outbox,
}

/// Command, and the page that sent it.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) peer: u64,
    /// Number that the answer repeats.
    pub(crate) id: Option<u64>,
    pub(crate) command: Command,
}

/// Commands that wait for the host.
#[derive(Debug, Default)]
struct Orders {
    list: VecDeque<Order>,
    edits: Vec<EditRequest>,
}

/// Shared state.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) door: Door,
    /// True if pages can edit trees.
    pub(crate) editing: bool,
    pub(crate) closing: AtomicBool,
    ids: AtomicU64,
    /// Number of pages, which each tick reads.
    count: AtomicUsize,
    peers: Mutex<Vec<Arc<Peer>>>,
    orders: Mutex<Orders>,
    arrived: Condvar,
    /// Messages that a new page gets first.
    greeting: Mutex<Vec<(Slot, Arc<str>)>>,
}

impl Hub {
    pub(crate) fn new(door: Door, editing: bool) -> Self {
        Self {
            door,
            editing,
            closing: AtomicBool::new(false),
            ids: AtomicU64::new(1),
            count: AtomicUsize::new(0),
            peers: Mutex::default(),
            orders: Mutex::default(),
            arrived: Condvar::new(),
            greeting: Mutex::default(),
        }
    }

    /// Adds a page that has connected, and sends it the greeting.
    pub(crate) fn enter(&self) -> Arc<Peer> {
        let peer = Arc::new(Peer { id: self.ids.fetch_add(1, Ordering::Relaxed), outbox: Outbox::default() });
        let mut peers = lock(&self.peers);
        for (slot, text) in &*lock(&self.greeting) {
            peer.outbox.put(*slot, text.clone());
        }
        peers.push(peer.clone());
        self.count.store(peers.len(), Ordering::Release);
        self.arrived.notify_one();
        peer
    }

    /// Removes a page.
    pub(crate) fn leave(&self, peer: &Peer) {
        peer.outbox.close();
        let mut peers = lock(&self.peers);
        peers.retain(|other| other.id != peer.id);
        self.count.store(peers.len(), Ordering::Release);
    }

    /// Returns true if no page is connected.
    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    pub(crate) fn peers(&self) -> Vec<Arc<Peer>> {
        lock(&self.peers).clone()
    }

    /// Replaces the greeting for new pages in a slot. An empty text removes it.
    pub(crate) fn greet(&self, slot: Slot, text: &Arc<str>) {
        let mut greeting = lock(&self.greeting);
        greeting.retain(|(other, _)| *other != slot);
        if !text.is_empty() {
            greeting.push((slot, text.clone()));
        }
    }

    /// Sends a message to all pages, and makes it part of the greeting.
    pub(crate) fn announce(&self, slot: Slot, text: &Arc<str>) {
        // The lock is held, so that a page that connects meanwhile gets the message in any case.
        let peers = lock(&self.peers);
        self.greet(slot, text);
        peers.iter().for_each(|peer| peer.outbox.put(slot, text.clone()));
    }

    /// Queues a command for the host. Returns false if too many commands wait.
    pub(crate) fn order(&self, order: Order) -> bool {
        let mut orders = lock(&self.orders);
        let has_room = orders.list.len() < MOST_COMMANDS;
        if has_room {
            orders.list.push_back(order);
        }
        self.arrived.notify_one();
        has_room
    }

    /// Queues a command of editing for the host. Returns false if too many commands wait.
    pub(crate) fn request(&self, edit: EditRequest) -> bool {
        let mut orders = lock(&self.orders);
        let bytes = orders.edits.iter().map(|edit| edit.json.len()).sum::<usize>() + edit.json.len();
        let has_room = orders.edits.len() < MOST_COMMANDS && bytes <= MOST_EDIT_BYTES;
        if has_room {
            orders.edits.push(edit);
        }
        self.arrived.notify_one();
        has_room
    }

    pub(crate) fn take_orders(&self) -> VecDeque<Order> {
        mem::take(&mut lock(&self.orders).list)
    }

    pub(crate) fn take_edits(&self) -> Vec<EditRequest> {
        mem::take(&mut lock(&self.orders).edits)
    }

    /// Waits for a command, for at most `most`.
    pub(crate) fn wait(&self, most: Duration) {
        let orders = lock(&self.orders);
        if orders.list.is_empty() && orders.edits.is_empty() {
            drop(self.arrived.wait_timeout(orders, most));
        }
    }
}

/// Locks a mutex. Poisoning is ignored, because no code that holds these locks panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
