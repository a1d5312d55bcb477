//! What the host's thread and those of connections share: pages that are connected, what they command, what greets new ones.

use crate::command::Command;
use crate::door::Door;
use crate::outbox::{Outbox, Slot};
use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Commands that wait for the host.
const MOST_COMMANDS: usize = 1_000;

/// A page that is connected.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Never given twice.
    pub(crate) id: u64,
    pub(crate) outbox: Outbox,
}

/// A command, and who gave it.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) peer: u64,
    /// By which the page knows the answer.
    pub(crate) id: Option<u64>,
    pub(crate) command: Command,
}

/// What is shared.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) door: Door,
    pub(crate) closing: AtomicBool,
    ids: AtomicU64,
    /// How many pages there are, to be read in each tick.
    count: AtomicUsize,
    peers: Mutex<Vec<Arc<Peer>>>,
    orders: Mutex<VecDeque<Order>>,
    arrived: Condvar,
    /// What a page is told first.
    greeting: Mutex<Vec<(Slot, Arc<str>)>>,
}

impl Hub {
    pub(crate) fn new(door: Door) -> Self {
        Self {
            door,
            closing: AtomicBool::new(false),
            ids: AtomicU64::new(1),
            count: AtomicUsize::new(0),
            peers: Mutex::default(),
            orders: Mutex::default(),
            arrived: Condvar::new(),
            greeting: Mutex::default(),
        }
    }

    /// A page that has connected. It is greeted.
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

    /// A page that is gone.
    pub(crate) fn leave(&self, peer: &Peer) {
        peer.outbox.close();
        let mut peers = lock(&self.peers);
        peers.retain(|other| other.id != peer.id);
        self.count.store(peers.len(), Ordering::Release);
    }

    /// Whether nobody is connected.
    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    pub(crate) fn peers(&self) -> Vec<Arc<Peer>> {
        lock(&self.peers).clone()
    }

    /// What pages that come are told, instead of what they were told before in this slot. An empty text is nothing.
    pub(crate) fn greet(&self, slot: Slot, text: &Arc<str>) {
        let mut greeting = lock(&self.greeting);
        greeting.retain(|(other, _)| *other != slot);
        if !text.is_empty() {
            greeting.push((slot, text.clone()));
        }
    }

    /// Tells all pages, and those that come.
    pub(crate) fn announce(&self, slot: Slot, text: &Arc<str>) {
        // So that who comes meanwhile is told either way.
        let peers = lock(&self.peers);
        self.greet(slot, text);
        peers.iter().for_each(|peer| peer.outbox.put(slot, text.clone()));
    }

    /// Hands a command to the host; false if too many wait.
    pub(crate) fn order(&self, order: Order) -> bool {
        let mut orders = lock(&self.orders);
        let has_room = orders.len() < MOST_COMMANDS;
        if has_room {
            orders.push_back(order);
        }
        self.arrived.notify_one();
        has_room
    }

    pub(crate) fn take_orders(&self) -> VecDeque<Order> {
        mem::take(&mut lock(&self.orders))
    }

    /// Waits for a command, but not for ever.
    pub(crate) fn wait(&self, most: Duration) {
        let orders = lock(&self.orders);
        if orders.is_empty() {
            drop(self.arrived.wait_timeout(orders, most));
        }
    }
}

/// Nothing that is done with what is shared panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
