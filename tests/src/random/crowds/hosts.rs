//! Hosts around the host of a side, and a host with any function.

use super::game::Game;
use pleach::host::{LogKind, RunawayTick};
use pleach::record::{Recorder, RecordingHost};
use pleach::watch::{CrowdObserver, ObservedHost, Watch};
use pleach::{Agent, Call, Function, Halt, Host, Status};
use std::sync::Mutex;

/// Watcher that records nothing.
pub(super) struct Onlooker;

impl Watch for Onlooker {}

/// A host of several threads.
pub(super) struct Locked<'a>(pub(super) &'a Mutex<&'a mut Game>);

impl Host for Locked<'_> {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.0.lock().expect("no thread panics").knows(function, number, agent)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        self.0.lock().expect("no thread panics").ran_away(run);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.0.lock().expect("no thread panics").act(call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.0.lock().expect("no thread panics").query(call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.0.lock().expect("no thread panics").halt(call, reason);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.0.lock().expect("no thread panics").log(agent, node, kind, text);
    }
}

/// The host of a side, with its recorder if there is one.
pub(super) enum SideHost<'a> {
    Recorded(RecordingHost<'a, Game>),
    Alone(&'a mut Game),
}

impl<'a> ObservedHost for SideHost<'a> {
    type Host = dyn Host + 'a;

    fn split(&mut self) -> (&mut Self::Host, Option<&mut dyn CrowdObserver>) {
        match self {
            Self::Recorded(recording) => {
                let (host, observer) = recording.split();
                (host, observer)
            }
            Self::Alone(game) => (game, None),
        }
    }
}

pub(super) fn recording<'a>(recorder: &'a mut Option<Recorder>, game: &'a mut Game) -> SideHost<'a> {
    match recorder {
        Some(recorder) => SideHost::Recorded(recorder.around(game)),
        None => SideHost::Alone(game),
    }
}

/// A host that has everything.
pub(super) struct Anything;

impl Host for Anything {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}
