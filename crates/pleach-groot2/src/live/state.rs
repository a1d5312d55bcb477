//! State of the monitor, shared by the host's thread and those of the server.

use super::blackboard::Boards;
use super::hooks::{Hooks, Position};
use super::notices::Notices;
use crate::log::row;
use crate::statuses::{NodeStatus, StatusChange};
use crate::tree::Tree;
use pleach::Status;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time without a request after which hooks are disabled.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Interval in which a waiting thread looks whether it may continue.
const LOOK: Duration = Duration::from_millis(50);
/// Largest number of changes of a recording.
const MOST_RECORDED: usize = 1_000;

/// Changes since a moment.
#[derive(Debug)]
pub(crate) struct Recorded {
    start: Instant,
    rows: VecDeque<[u8; 9]>,
}

/// State of the monitor.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) tree: Arc<Tree>,
    /// Id of the tree: a UUID of version 4.
    pub(crate) id: [u8; 16],
    /// States by uid, from 1.
    pub(crate) states: Vec<u8>,
    pub(crate) hooks: Hooks,
    pub(crate) recorded: Option<Recorded>,
    pub(crate) boards: Option<Boards>,
    /// Time of the last request.
    pub(crate) asked: Option<Instant>,
}

impl State {
    pub(crate) fn new(tree: Arc<Tree>) -> io::Result<Self> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(io::Error::other)?;
        (id[6], id[8]) = (id[6] & 0x0f | 0x40, id[8] & 0x3f | 0x80);
        let states = vec![0; tree.nodes.len()];
        Ok(Self { tree, id, states, hooks: Hooks::default(), recorded: None, boards: None, asked: None })
    }

    /// Returns true if requests come.
    pub(crate) fn is_watched(&self) -> bool {
        self.asked.is_some_and(|asked| asked.elapsed() < HEARTBEAT)
    }

    /// Notes a request. The first one after a pause enables all hooks.
    pub(crate) fn ask(&mut self) {
        if !self.is_watched() {
            self.hooks.enable(true);
        }
        self.asked = Some(Instant::now());
    }

    /// Begins or ends a recording.
    pub(crate) fn record(&mut self, begin: bool) {
        self.recorded = begin.then(|| Recorded { start: Instant::now(), rows: VecDeque::new() });
    }

    /// Takes the recorded changes.
    pub(crate) fn take_recorded(&mut self) -> Vec<u8> {
        let rows = self.recorded.as_mut().map(|recorded| std::mem::take(&mut recorded.rows));
        rows.unwrap_or_default().into_iter().flatten().collect()
    }

    fn note(&mut self, change: StatusChange) {
        let state = self.states.get_mut(usize::from(change.uid).wrapping_sub(1));
        if let Some(state) = state {
            let ended = change.to == NodeStatus::Idle;
            *state = if ended { 10 + change.from.number() } else { change.to.number() };
        }
        if let Some(Recorded { start, rows }) = &mut self.recorded {
            if rows.len() == MOST_RECORDED {
                rows.pop_front();
            }
            let micros = i64::try_from(start.elapsed().as_micros()).unwrap_or(i64::MAX);
            rows.push_back(row(micros, change));
        }
    }
}

/// State, and what wakes the host's thread.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    woken: Condvar,
    pub(crate) notices: Notices,
}

impl Shared {
    pub(crate) fn new(state: State) -> Self {
        Self { state: Mutex::new(state), woken: Condvar::new(), notices: Notices::default() }
    }

    /// Locks the state. A thread that panicked has left it whole: no change of it can panic.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the host's thread if it waits at a breakpoint.
    pub(crate) fn wake(&self) {
        self.woken.notify_all();
    }

    /// Notes a change of a status.
    pub(crate) fn note(&self, change: StatusChange) {
        self.lock().note(change);
    }

    /// Tells that nodes have been reached, if there is a hook. Waits at a breakpoint. Returns the
    /// status that replaces that of the node.
    pub(crate) fn reach(&self, uids: &[u16], position: Position, is_over: fn() -> bool) -> Option<Status> {
        let state = self.lock();
        if !state.is_watched() {
            return None;
        }
        let hook = state.hooks.at(uids, position)?.clone();
        drop(state);
        self.notices.publish(hook.uid);
        let mut state = self.lock();
        if hook.is_breakpoint() {
            state = self.wait(state, hook.uid, hook.position, is_over);
        }
        let index = state.hooks.find(hook.uid, hook.position)?;
        let row = state.hooks.0[index].row.clone();
        if row.once {
            state.hooks.0.remove(index);
        }
        row.status().filter(|_| row.enabled)
    }

    /// Waits until a breakpoint is unlocked, disabled or removed.
    fn wait<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        uid: u16,
        position: u8,
        is_over: fn() -> bool,
    ) -> MutexGuard<'s, State> {
        loop {
            if !state.is_watched() || is_over() {
                state.hooks.enable(false);
            }
            let hook = state.hooks.find(uid, position).map(|index| &mut state.hooks.0[index]);
            let Some(hook) = hook.filter(|hook| hook.row.enabled) else { return state };
            if std::mem::take(&mut hook.unlocked) {
                return state;
            }
            state = self.woken.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
