//! Runs of shards on threads.

use crate::cell::row_error;
use crate::game::SweepGame;
use crate::results::Results;
use crate::sweep::{GameMaker, Stop, Sweep};
use pleach_image::splitmix::mix;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Longest time without a call of the function that shows the progress.
const PERIOD: Duration = Duration::from_millis(100);

/// Part of the shards, for several machines: each `of`-th one, beginning with `index` from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardPart {
    /// Number of the part, from 0.
    pub index: u32,
    /// Number of parts.
    pub of: NonZeroU32,
}

impl ShardPart {
    /// All shards.
    pub const ALL: Self = Self { index: 0, of: NonZeroU32::MIN };

    /// Returns true if a shard is in this part.
    #[must_use]
    pub fn has(self, shard: u32) -> bool {
        shard % self.of == self.index
    }
}

/// Reads `2/3`, the second of three parts.
impl FromStr for ShardPart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let usage = || "it is I/N, such as 1/3 for the first of three parts".to_owned();
        let (index, of): (NonZeroU32, NonZeroU32) = parts.ok_or_else(usage)?;
        if index > of { Err(usage()) } else { Ok(Self { index: index.get() - 1, of }) }
    }
}

/// Result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of shards of the part.
    pub shards: u64,
    /// Number of shards that were done before.
    pub found: u64,
    /// Number of shards that are done now and were not before.
    pub done: u64,
    /// Number of rows of all shards that are not found.
    pub wanted_rows: u64,
    /// Number of rows of the shards that have been run.
    pub rows: u64,
    /// Number of these rows that have an error, and the first error.
    pub failed_rows: u64,
    /// First error of a row.
    pub first_error: Option<String>,
    /// Shards whose files could not be written, with the reasons.
    pub lost: Vec<(u32, String)>,
}

/// Shards to run, and where.
struct Work<'w, G> {
    sweep: &'w Sweep,
    results: &'w Results<'w>,
    shards: Vec<u32>,
    next: AtomicUsize,
    make: &'w GameMaker<'w, G>,
    stop: &'w Stop<'w>,
}

/// Shard that a thread has run.
struct Ran {
    shard: u32,
    rows: u64,
    errors: Vec<String>,
    written: Result<(), String>,
}

/// Runs all shards of a part that are not done. `progress` is called often with the summary so far.
///
/// # Errors
/// If no thread can be started.
pub fn run<G: SweepGame>(
    sweep: &Sweep,
    results: &Results<'_>,
    part: ShardPart,
    threads: usize,
    make: &GameMaker<'_, G>,
    stop: &Stop<'_>,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, String> {
    let mut summary = Summary::default();
    let own: Vec<u32> = (0..sweep.plan().shards()).filter(|shard| part.has(*shard)).collect();
    let shards: Vec<u32> = own.iter().copied().filter(|shard| !results.is_done(*shard)).collect();
    summary.shards = own.len() as u64;
    summary.found = (own.len() - shards.len()) as u64;
    summary.wanted_rows =
        shards.iter().map(|shard| sweep.rows_of(*shard)).map(|rows| rows.end - rows.start).sum();
    let threads = threads.clamp(1, shards.len().max(1));
    let work = Work { sweep, results, shards, next: AtomicUsize::new(0), make, stop };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..threads {
            let (work, sender) = (&work, sender.clone());
            let builder = thread::Builder::new().name("sweep".to_owned());
            let started = builder.spawn_scoped(scope, move || work.run(&sender));
            started.map_err(|why| format!("cannot start a thread: {why}"))?;
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(ran) => summary.add(ran),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            progress(&summary);
        }
    })
    .map(|()| summary)
}

impl<G: SweepGame> Work<'_, G> {
    /// Runs shards until none is left or the sweep is stopped.
    fn run(&self, sender: &Sender<Ran>) {
        while let Some(shard) = self.shards.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let Ok(rows) = self.sweep.shard(*shard, self.make, self.stop) else { return };
            let errors = rows.iter().filter_map(|row| row_error(row)).map(str::to_owned).collect();
            let encoded = self.sweep.encode(*shard, &rows);
            let written = encoded.and_then(|bytes| self.results.write(*shard, &bytes));
            let ran = Ran { shard: *shard, rows: rows.len() as u64, errors, written };
            if sender.send(ran).is_err() {
                return;
            }
        }
    }
}

impl Summary {
    fn add(&mut self, ran: Ran) {
        self.rows += ran.rows;
        self.failed_rows += ran.errors.len() as u64;
        self.first_error = self.first_error.take().or(ran.errors.into_iter().next());
        match ran.written {
            Ok(()) => self.done += 1,
            Err(why) => self.lost.push((ran.shard, why)),
        }
    }
}

/// Returns the shards that a check of a part of all runs again: those that are done, chosen by a
/// hash of the run id, and at least one of them. `share` is from 0 to 1.
#[must_use]
pub fn sample(sweep: &Sweep, results: &Results<'_>, part: ShardPart, share: f64) -> Vec<u32> {
    let start = sweep.run_id().bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    let rank = |shard: u32| mix(start ^ u64::from(shard));
    let own = (0..sweep.plan().shards()).filter(|shard| part.has(*shard));
    let done: Vec<u32> = own.filter(|shard| results.is_done(*shard)).collect();
    let limit = (share * 2_f64.powi(64)) as u64;
    let chosen: Vec<u32> = done.iter().copied().filter(|shard| rank(*shard) <= limit).collect();
    if chosen.is_empty() {
        done.into_iter().min_by_key(|shard| rank(*shard)).into_iter().collect()
    } else {
        chosen
    }
}
