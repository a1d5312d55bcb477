//! Events and changes that a game would bring to its agents between ticks.
//!
//! A tree that reacts to changes would do one thing for ever if nothing happened to its agents. So
//! before each tick something may happen to each agent: an event is raised, or a boolean is set. It
//! depends only on the seed, the agent and the tick.

use crate::failure::Failure;
use crate::script::Script;
use crate::variables::Variables;
use pleach::watch::ObservedHost;
use pleach::{Agent, Crowd, Event, EventTarget, Image, Program, Variable};
use pleach_image::format::slot_kind;
use pleach_image::suggest::closest;

/// Event or change of a boolean.
#[derive(Clone, Copy)]
enum Happening {
    Event(Event),
    Set(Variable),
}

/// All events and booleans that may change.
pub(crate) struct Happenings(Vec<(String, Happening)>);

impl Happenings {
    /// Returns the events and booleans that may change for agents of an image. The list is empty
    /// unless its trees test for changes.
    pub(crate) fn new(image: &Image, program: &Program) -> Self {
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
    pub(crate) fn are_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns true if the event of this name may come.
    pub(crate) fn raise(&self, name: &str) -> bool {
        self.0.iter().any(|(known, what)| known == name && matches!(what, Happening::Event(_)))
    }

    /// Before a tick, raises an event for an agent or sets a boolean, in half of the cases. Each
    /// bit of `chance` is random. Returns the event if one was raised.
    pub(crate) fn happen(
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
    pub(crate) fn worth(&self, chance: u64) -> f64 {
        let count = self.0.len() as u64;
        match self.0.get((chance % (2 * count).max(1)) as usize) {
            None => 1.0,
            Some((_, what)) => 1.0 + (count as f64).log2() + f64::from(matches!(what, Happening::Set(_))),
        }
    }

    /// Lets something happen as [`Self::happen`] does. Returns the event and the changed variables
    /// in words.
    pub(crate) fn tell(
        &self,
        crowd: &mut Crowd,
        agent: Agent,
        now: i64,
        host: &mut Script,
        variables: &Variables,
    ) -> String {
        let before = variables.values(crowd, agent);
        let chance = host.chance(agent);
        let event = self.happen(crowd, agent, now, host, chance);
        let changed = variables.changed(&before, &variables.values(crowd, agent));
        match (event, changed.is_empty()) {
            (None, true) => String::new(),
            (None, false) => format!("  ! host sets {changed}\n"),
            (Some(event), _) => told(event, &changed),
        }
    }
}

/// Returns an event and the variables that it has changed, in words.
fn told(event: &str, changed: &str) -> String {
    match changed {
        "" => format!("  ! {event} sets nothing\n"),
        _ => format!("  ! {event} sets {changed}\n"),
    }
}

/// Event that the user raises: the tick before which it comes, and its name.
#[derive(Clone, Debug)]
pub(crate) struct Signal {
    tick: u32,
    name: String,
}

impl std::str::FromStr for Signal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (tick, name) = text.split_once(':').ok_or("it is TICK:NAME, as `3:OnEnemySeen`")?;
        let tick = tick.parse().ok().filter(|tick| *tick > 0).ok_or("ticks are counted from 1")?;
        Ok(Self { tick, name: name.to_owned() })
    }
}

/// Events that are raised for an agent, in this order.
pub(crate) struct Signals<'a>(Vec<(&'a Signal, Event)>);

impl<'a> Signals<'a> {
    /// Looks up the events in an image.
    pub(crate) fn new(signals: &'a [Signal], image: &Image, program: &Program) -> Result<Self, Failure> {
        let find = |signal: &'a Signal| match program.event(&signal.name) {
            Some(event) => Ok((signal, event)),
            None => {
                let names = image.events().iter().map(|row| image.name(row.name));
                let near = closest(&signal.name, names).map(|name| format!("; did you mean `{name}`?"));
                Err(Failure::new(format!(
                    "no tree has an event `{}`{}",
                    signal.name,
                    near.unwrap_or_default()
                )))
            }
        };
        Ok(Self(signals.iter().map(find).collect::<Result<_, _>>()?))
    }

    /// Returns true if there are no signals.
    pub(crate) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Before a tick, raises the events of that tick for an agent. Returns their changes in words.
    pub(crate) fn tell(
        &self,
        tick: u32,
        crowd: &mut Crowd,
        agent: Agent,
        now: i64,
        host: &mut Script,
        variables: &Variables,
    ) -> String {
        let mut text = String::new();
        for (signal, event) in self.0.iter().filter(|(signal, _)| signal.tick == tick) {
            let before = variables.values(crowd, agent);
            if crowd.raise(*event, EventTarget::Agent(agent), now, host).is_ok() {
                text += &told(&signal.name, &variables.changed(&before, &variables.values(crowd, agent)));
            }
        }
        text
    }
}
