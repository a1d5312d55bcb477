//! Export of a recorded run as one file: the page, with the messages that a server would have sent.

use crate::copy::{self, Stamp};
use crate::kept::List;
use crate::messages::{Number, State, text};
use crate::options::Options;
use crate::scene::Scene;
use crate::watching::Watching;
use crate::{page, token};
use pleach::Agent;
use pleach::record::{RecordingError, Replay};
use std::error::Error;
use std::sync::Arc;

/// Maximum size of all lists of agents in bytes. If it is exceeded, some ticks have no list.
const MOST_LIST_BYTES: u64 = 16 << 20;
/// Size of an agent in a list in bytes.
const LISTED_BYTES: u64 = 6;

/// Part of a recorded run that is exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Indices of the agents that can be picked.
    pub agents: Vec<u32>,
    /// First tick, from 1.
    pub from: u64,
    /// Number of ticks. Ends with the recording if that is shorter.
    pub ticks: u64,
}

/// Returns the page with an excerpt of a run. The counts of nodes cover the ticks of the excerpt.
///
/// # Errors
/// If the recording is damaged in the exported part, or the system has no random numbers.
pub fn export(scene: &Scene, replay: &mut Replay, excerpt: &Excerpt) -> Result<String, Box<dyn Error>> {
    let (from, end) = (excerpt.from.max(1), excerpt.from.saturating_add(excerpt.ticks).min(replay.len() + 1));
    let run = Run { scene, replay, agents: &excerpt.agents, messages: Vec::new() };
    let data = run.tell(from, end.max(from))?.join(",\n");
    Ok(page::document(&token::word()?, &format!("[{data}]"), false))
}

/// Run that is being exported.
struct Run<'a> {
    scene: &'a Scene,
    replay: &'a mut Replay,
    agents: &'a [u32],
    messages: Vec<Arc<str>>,
}

impl Run<'_> {
    /// Returns all messages, for the ticks from the first to before the end.
    fn tell(mut self, from: u64, end: u64) -> Result<Vec<Arc<str>>, RecordingError> {
        let mut watching = Watching::new(self.scene);
        watching.count(self.scene, 1);
        // An agent that is watched in the first tick may be spawned only in that tick.
        self.replay.seek(from)?;
        let (agents, mut watched) = (self.replay.crowd().len() as u64, self.watched());
        self.replay.seek(from - 1)?;
        let every = ((end - from) * agents * LISTED_BYTES).div_ceil(MOST_LIST_BYTES).max(1);
        let (mut last, mut ticks): (Option<List>, Vec<Arc<str>>) = (None, Vec::new());
        for tick in from..end {
            watching.watch(&watched);
            if !watching.tick(&mut *self.replay)? {
                break;
            }
            for (event, to) in self.replay.raised() {
                let known = self.scene.events.iter().find(|(_, other)| other == event);
                known.into_iter().for_each(|(name, _)| watching.hear(name, *to));
            }
            watching.ticked();
            let stamp = Stamp { revision: 1, tick, now: self.replay.now() };
            if (tick - from).is_multiple_of(every) {
                let list = copy::list(self.scene, self.replay.crowd(), stamp, last.as_ref());
                if !last.as_ref().is_some_and(|last| Arc::ptr_eq(&last.agents, &list.agents)) {
                    ticks.push(text("agents", &*list.agents));
                }
                ticks.push(copy::rows(&list, true));
                last = Some(list);
            }
            for index in self.agents {
                let moment = copy::moment(&watching, self.scene, self.replay.crowd(), stamp, *index as usize);
                ticks.push(copy::told(&moment, true));
            }
            watched = self.watched();
        }
        self.head(from);
        if let Some(mut counts) = watching.counts() {
            (counts.revision, counts.tick) = (1, self.replay.ticks());
            self.messages.push(text("statistics", &counts));
        }
        self.messages.extend(ticks);
        Ok(self.messages)
    }

    fn watched(&self) -> Vec<Agent> {
        self.agents.iter().filter_map(|index| self.replay.crowd().at(*index as usize)).collect()
    }

    /// Adds the messages before those of ticks.
    fn head(&mut self, first: u64) {
        let tick = self.replay.ticks();
        let state = State {
            tick,
            now: self.replay.now(),
            first,
            last: tick,
            paused: true,
            rate: None,
            speed: Number(0.0),
            agents: self.replay.crowd().len(),
            held: Vec::new(),
            breaks: Vec::new(),
            forced: Vec::new(),
        };
        self.messages.push(Options::default().hello(self.scene, "export"));
        self.messages.push(text("program", &self.scene.told(1)));
        self.messages.push(text("state", &state));
    }
}
