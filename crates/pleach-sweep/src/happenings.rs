//! Events and changes that a game would bring to its agents between ticks.
//!
//! A tree that reacts to changes would do one thing for ever if nothing happened to its agents. So
//! before each tick something may happen to each agent: an event is raised, or a boolean is set. It
//! depends only on the seed, the agent and the tick.

use pleach::watch::ObservedHost;
use pleach::{Agent, Crowd, Event, EventTarget, Image, Program, Variable};
use pleach_image::format::slot_kind;

/// Event or change of a boolean.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Event(Event),
    Set(Variable),
}

/// All events and booleans that may change.
#[derive(Clone, Debug)]
pub struct Happenings(Vec<(String, Happening)>);

impl Happenings {
    /// Returns the events and booleans that may change for agents of an image. The list is empty
    /// unless its trees test for changes.
    #[must_use]
    pub fn new(image: &Image, program: &Program) -> Self {
        if image.changes().is_none() {
            return Self(Vec::new());
        }
        let events = image.events().iter().filter_map(|row| {
            let name = image.name(row.name);
            Some((name.to_owned(), Happening::Event(program.event(name)?)))
        });
        let truths = image.slots().iter().filter(|slot| slot.kind == slot_kind::BIT && slot.name.len > 0);
        let truths = truths.filter_map(|slot| {
            let name = image.name(slot.name);
            Some((name.to_owned(), Happening::Set(program.variable(name)?)))
        });
        Self(events.chain(truths).collect())
    }

    /// Returns true if anything may happen.
    #[must_use]
    pub fn are_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns true if the event of this name may come.
    #[must_use]
    pub fn raise(&self, name: &str) -> bool {
        self.0.iter().any(|(known, what)| known == name && matches!(what, Happening::Event(_)))
    }

    /// Before a tick, raises an event for an agent or sets a boolean, in half of the cases. Each
    /// bit of `chance` is random. Returns the event if one was raised.
    pub fn happen(
        &self,
        crowd: &mut Crowd,
        agent: Agent,
        now: i64,
        host: &mut (impl ObservedHost + ?Sized),
        chance: u64,
    ) -> Option<&str> {
        let count = self.0.len() as u64;
        let (name, what) = self.0.get((chance % (2 * count).max(1)) as usize)?;
        // Agents that are gone are not asked.
        let happened = match what {
            Happening::Event(event) => crowd.raise(*event, EventTarget::Agent(agent), now, host),
            Happening::Set(variable) => crowd.set(agent, *variable, chance >> 63 != 0),
        };
        let heard = happened.is_ok() && matches!(what, Happening::Event(_));
        heard.then_some(name.as_str())
    }

    /// Returns the information in bits of what happens to an agent before a tick.
    #[must_use]
    pub fn worth(&self, chance: u64) -> f64 {
        let count = self.0.len() as u64;
        match self.0.get((chance % (2 * count).max(1)) as usize) {
            None => 1.0,
            Some((_, what)) => 1.0 + (count as f64).log2() + f64::from(matches!(what, Happening::Set(_))),
        }
    }
}
