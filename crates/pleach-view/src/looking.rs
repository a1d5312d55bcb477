//! Connected pages: their selections, and the times of the last messages.

use crate::copy::Stamp;
use crate::kept::List;
use crate::messages::{Agents, State, text};
use std::sync::Arc;
use std::time::Instant;

/// Selection of a page: agent, tick and list.
#[derive(Debug, Default)]
pub(crate) struct Looking {
    pub(crate) agent: Option<usize>,
    /// Tick that the page shows; `None` for the newest.
    pub(crate) at: Option<u64>,
    /// Agents of the list that the page has, in the order of its columns.
    pub(crate) agents: Option<Arc<Agents>>,
}

impl Looking {
    /// Returns the message with the agents of a list, unless the page has them.
    pub(crate) fn new_agents(&mut self, list: &List) -> Option<Arc<str>> {
        if self.agents.as_ref().is_some_and(|known| Arc::ptr_eq(known, &list.agents)) {
            return None;
        }
        self.agents = Some(list.agents.clone());
        Some(text("agents", &*list.agents))
    }
}

/// Times of the last messages.
#[derive(Debug)]
pub(crate) struct Times {
    pub(crate) state: Instant,
    pub(crate) list: Instant,
    pub(crate) counts: Instant,
    pub(crate) last: Option<State>,
    /// Stamps of the last list and the last counts.
    pub(crate) listed: Option<Stamp>,
    pub(crate) counted: Option<Stamp>,
    /// Start of the time over which the speed is measured, and the tick at that time.
    pub(crate) measured: (Instant, u64),
    pub(crate) speed: f64,
}

impl Times {
    /// Starts all times now.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self {
            state: now,
            list: now,
            counts: now,
            last: None,
            listed: None,
            counted: None,
            measured: (now, 0),
            speed: 0.0,
        }
    }
}
