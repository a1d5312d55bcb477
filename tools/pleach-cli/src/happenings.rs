//! Events and changes before ticks of a traced agent, in words.

use crate::failure::Failure;
use crate::variables::Variables;
use pleach::{Agent, Crowd, Event, EventTarget, Image, Program};
use pleach_image::suggest::{closest, hint};
use pleach_sweep::{Happenings, ScriptedHost};

/// Lets something happen as [`Happenings::happen`] does. Returns the event and the changed
/// variables in words.
pub(crate) fn tell(
    happenings: &Happenings,
    crowd: &mut Crowd,
    agent: Agent,
    now: i64,
    host: &mut ScriptedHost,
    variables: &Variables,
) -> String {
    let before = variables.values(crowd, agent);
    let chance = host.chance(agent);
    let event = happenings.happen(crowd, agent, now, host, chance);
    let changed = variables.changed(&before, &variables.values(crowd, agent));
    match (event, changed.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("  ! host sets {changed}\n"),
        (Some(event), _) => told(event, &changed),
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
                let help = hint(closest(&signal.name, names));
                Err(Failure::new(format!("no tree has an event `{}`{help}", signal.name)))
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
        host: &mut ScriptedHost,
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
