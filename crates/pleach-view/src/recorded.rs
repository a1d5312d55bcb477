//! A recorded run that is shown: it goes forward and back, and to wherever a page wants.

use crate::clock::Clock;
use crate::command::Command;
use crate::copy;
use crate::desk::View;
use crate::outbox::Slot;
use crate::watching::Ticks;
use pleach::record::{RecordingError, Replay};
use pleach::watch::Watchers;

impl View {
    /// Does what pages want with a recording, and ticks it if a tick is due. All pages see the same tick.
    ///
    /// # Errors
    /// If the recording is damaged where it should go. It stays, paused, at the last tick before.
    pub fn replay(&mut self, replay: &mut Replay) -> Result<(), RecordingError> {
        let mut done = Ok(());
        if self.length.is_none() {
            self.length = Some(replay.len());
            // Before the first tick there is nothing to see.
            done = self.go(replay, replay.ticks().max(1));
        }
        self.meet(replay.crowd());
        for order in self.hub.take_orders() {
            let result = match &order.command {
                Command::At { tick: None } => Ok(()),
                Command::At { tick: Some(tick) } => {
                    self.pause();
                    done = self.go(replay, *tick);
                    self.show_here(order.peer, replay);
                    done.map_err(|why| why.to_string())
                }
                command => {
                    let result = self.look(order.peer, command, replay.crowd());
                    if matches!(command, Command::Pick { agent: Some(_) }) {
                        // Its walk was not watched.
                        done = self.go(replay, replay.ticks());
                    }
                    result.unwrap_or_else(|| Err("a recording cannot be changed".to_owned()))
                }
            };
            self.answer(order.peer, order.id, result);
        }
        done?;
        if let Some(step) = self.clock.as_mut().and_then(Clock::due) {
            let tick = replay.ticks().saturating_add_signed(step);
            if (1..=replay.len()).contains(&tick) {
                self.go(replay, tick)?;
            } else {
                self.pause();
                self.state(replay.crowd());
                if step > 0 {
                    // There are no more, unless there is damage.
                    replay.tick()?;
                }
            }
        }
        self.tell(replay.crowd());
        Ok(())
    }

    /// Goes to a tick, which is watched.
    fn go(&mut self, replay: &mut Replay, tick: u64) -> Result<(), RecordingError> {
        let tick = tick.min(replay.len());
        if tick != replay.ticks() + 1 {
            // What was counted has not led here.
            let every = self.watching.counted();
            self.watching.count(&self.scene, every);
        }
        let gone = match tick {
            0 => replay.seek(0),
            _ => {
                // Before the first tick nobody is there yet who will be watched in it.
                let mut agents = self.found(replay.crowd());
                replay.seek(tick - 1).and_then(|()| {
                    agents.extend(self.found(replay.crowd()));
                    self.watch(agents);
                    self.watching.tick(&mut *replay).map(drop)
                })
            }
        };
        if gone.is_err() {
            self.pause();
        }
        let (tick, now) = (replay.ticks(), replay.now());
        for (event, to) in replay.raised().to_vec() {
            self.heard(event, to);
        }
        self.ticked(replay.crowd(), tick, now);
        gone
    }

    /// Shows a page that it is where it wanted to be.
    fn show_here(&mut self, peer: u64, replay: &Replay) {
        self.list(replay.crowd());
        let Some(peer) = self.hub.peers().into_iter().find(|other| other.id == peer) else { return };
        self.show_kept(&peer, replay.ticks());
        let looking = self.looking.entry(peer.id).or_default();
        looking.at = None;
        if let Some(agent) = looking.agent {
            let moment = copy::moment(&self.watching, &self.scene, replay.crowd(), self.stamp(), agent);
            peer.outbox.put(Slot::AgentAsked, copy::told(&moment, true));
        }
    }
}

impl Ticks for &mut Replay {
    type Done = Result<bool, RecordingError>;

    fn tick(self) -> Self::Done {
        Replay::tick(self)
    }

    fn tick_watched<W: Watchers>(self, watchers: &mut W) -> Self::Done {
        Replay::tick_watched(self, watchers)
    }
}
