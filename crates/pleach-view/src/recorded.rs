//! Recorded run that is shown: pages go forward, back, and to any tick.

use crate::clock::Clock;
use crate::command::Command;
use crate::copy;
use crate::desk::View;
use crate::outbox::Slot;
use crate::watching::Ticks;
use pleach::record::{RecordingError, Replay};
use pleach::watch::Watchers;

impl View {
    /// Carries out the commands of pages with a recording, and ticks it if a tick is due. All pages
    /// see the same tick.
    ///
    /// # Errors
    /// If the recording is damaged at the requested tick. In that case it stays paused at the last
    /// tick before the damage.
    pub fn replay(&mut self, replay: &mut Replay) -> Result<(), RecordingError> {
        let mut done = Ok(());
        if self.length.is_none() {
            self.length = Some(replay.len());
            // There is nothing to see before the first tick.
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
                        // The tick is repeated, because the new agent was not watched in it.
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
                    // At the end of the recording this reports damage, if there is any.
                    replay.tick()?;
                }
            }
        }
        self.tell(replay.crowd());
        Ok(())
    }

    /// Goes to a tick and watches it.
    fn go(&mut self, replay: &mut Replay, tick: u64) -> Result<(), RecordingError> {
        let tick = tick.min(replay.len());
        if tick != replay.ticks() + 1 {
            // The counts belong to another sequence of ticks.
            let every = self.watching.counted();
            self.watching.count(&self.scene, every);
        }
        let gone = match tick {
            0 => replay.seek(0),
            _ => {
                // An agent that is watched in the first tick may not exist before it.
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

    /// Sends a page the state of the tick that it asked for.
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
