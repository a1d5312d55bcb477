//! Changes to agents between ticks.

use super::hosts::recording;
use super::same;
use super::side::Side;
use super::way::Way;
use crate::random::draws::{Draws, hash};
use core::fmt::Display;
use core::num::NonZeroU16;
use pleach::values::{Tunable, TunableScope, TuneError};
use pleach::{Agent, Crowd, EventTarget, Group};

/// Step limits.
const LIMITS: &[u16] = &[1, 2, 3, 5, 8, 20, 100, 100, 100];

/// Agents of all sides, with the time and the groups they live in.
pub(super) struct Life {
    seed: u64,
    pub(super) agents: Vec<Agent>,
    groups: Vec<Group>,
    events: Vec<String>,
    ids: Vec<String>,
    pub(super) now: i64,
}

/// Something that happens to an agent.
enum Happening {
    Despawn,
    Reset,
    /// The agent runs another entry.
    Switch(String),
    Join(Group),
    /// An event is raised, if the program has one.
    Raise(Option<String>, EventTarget),
    Pace(EventTarget, NonZeroU16),
    /// The variable of this index is set, if it exists.
    Set(usize, f64),
}

impl Life {
    pub(super) fn new(seed: u64, events: Vec<String>, ids: Vec<String>) -> Self {
        Self { seed, agents: Vec::new(), groups: vec![Group::default()], events, ids, now: 0 }
    }

    /// Does the changes before a tick on all sides alike. There are at
    /// most `most` agents afterwards.
    ///
    /// # Errors
    /// If sides differ, or refuse something.
    pub(super) fn go_on(&mut self, sides: &mut [Side], tick: u64, most: usize) -> Result<(), String> {
        let mut draws = Draws::seeded(hash([self.seed, tick, 77]));
        self.pass_time(&mut draws);
        let entries: Vec<String> = sides[0].crowd.program().entries().map(str::to_owned).collect();
        while self.agents.len() < most && (tick == 0 || draws.one_in(2)) {
            self.spawn(sides, &entries[draws.below(entries.len())])?;
        }
        if !self.ids.is_empty() && (tick == 0 || draws.one_in(20)) {
            let limit = NonZeroU16::new(draws.pick(LIMITS)).unwrap_or(NonZeroU16::MIN);
            sides.iter_mut().for_each(|side| side.crowd.set_step_limit(limit));
        }
        // Programs with events get more changes, and most of them are events.
        let calm = if self.events.is_empty() { 25 } else { 8 };
        for index in (0..self.agents.len()).rev() {
            if draws.one_in(calm) {
                self.disturb(sides, index, &entries, &mut draws)?;
            }
        }
        Ok(())
    }

    fn pass_time(&mut self, draws: &mut Draws) {
        self.now = self.now.saturating_add(draws.pick(&[0, 1, 1, 7, 50, 1000]));
        if draws.one_in(40) {
            self.now = draws.pick(&[0, -70, i64::MAX - 9, i64::from(i32::MAX) - 3, (3 << 30) - 60, 1 << 40]);
        }
    }

    fn spawn(&mut self, sides: &mut [Side], entry: &str) -> Result<(), String> {
        let mut spawned = Vec::new();
        for side in sides {
            spawned.push(side.crowd.spawn(entry).map_err(text)?);
        }
        same("handle", &spawned[1..], &vec![spawned[0]; spawned.len() - 1])?;
        self.agents.push(spawned[0]);
        Ok(())
    }

    /// Lets something happen to the agent of this index.
    fn disturb(
        &mut self,
        sides: &mut [Side],
        index: usize,
        entries: &[String],
        draws: &mut Draws,
    ) -> Result<(), String> {
        let agent = self.agents[index];
        let happening = self.happening(sides, agent, entries, draws);
        for side in &mut *sides {
            side.undergo(agent, &happening, self.now)?;
        }
        if let Happening::Despawn = happening {
            self.agents.swap_remove(index);
        } else if !self.ids.is_empty() {
            self.lead(sides, agent, draws)?;
        }
        Ok(())
    }

    /// Draws what happens to an agent. The numbers that are drawn are as many
    /// for everything that may happen.
    fn happening(
        &mut self,
        sides: &mut [Side],
        agent: Agent,
        entries: &[String],
        draws: &mut Draws,
    ) -> Happening {
        let kinds = if self.events.is_empty() { 7 } else { 28 };
        let (kind, entry) = (draws.below(kinds), &entries[draws.below(entries.len())]);
        let group = self.group(sides, draws);
        let variables = sides[0].game.variables.len().max(1);
        let (variable, number) = (draws.below(variables), draws.below(300) as f64 - 20.0);
        let event = self.events.get(draws.below(self.events.len().max(1)));
        let pace = NonZeroU16::new(1 + draws.below(4) as u16).unwrap_or(NonZeroU16::MIN);
        let target = match draws.below(8) {
            0 => EventTarget::All,
            1 | 2 => EventTarget::Group(group),
            _ => EventTarget::Agent(agent),
        };
        match kind {
            0 => Happening::Despawn,
            1 => Happening::Reset,
            2 => Happening::Switch(entry.clone()),
            3 => Happening::Join(group),
            4 | 7..=20 => Happening::Raise(event.cloned(), target),
            5 => Happening::Pace(target, pace),
            _ => Happening::Set(variable, number),
        }
    }

    /// Takes an agent to a rule or away from all.
    fn lead(&self, sides: &mut [Side], agent: Agent, draws: &mut Draws) -> Result<(), String> {
        let id = &self.ids[draws.below(self.ids.len())];
        let lost = draws.one_in(6);
        let lead = |Side { crowd, .. }: &mut Side| match lost {
            true => crowd.rules_mut().lose(agent),
            false => crowd.rules_mut().jump_to(agent, id),
        };
        let led: Vec<_> = sides.iter_mut().map(lead).collect();
        same("where it was sent", &led[1..], &vec![led[0].clone(); led.len() - 1])
    }

    /// A group, which may be new.
    fn group(&mut self, sides: &mut [Side], draws: &mut Draws) -> Group {
        if self.groups.len() < 4 && draws.one_in(6) {
            let groups: Vec<_> = sides.iter_mut().filter_map(|side| side.crowd.add_group().ok()).collect();
            self.groups.extend(groups.first());
        }
        draws.pick(&self.groups)
    }
}

impl Side {
    /// Does to an agent what happens to it.
    fn undergo(&mut self, agent: Agent, happening: &Happening, now: i64) -> Result<(), String> {
        let Self { crowd, game, recorder, way, .. } = self;
        match happening {
            Happening::Despawn => crowd.despawn(agent, now, &mut recording(recorder, game)).map_err(text),
            Happening::Reset => crowd.reset(agent, now, &mut recording(recorder, game)).map_err(text),
            Happening::Switch(entry) => {
                crowd.switch(agent, entry, now, &mut recording(recorder, game)).map_err(text)
            }
            Happening::Join(group) => crowd.join(agent, *group).map_err(text),
            Happening::Raise(event, target) => {
                let event = event.as_ref().and_then(|name| crowd.program().event(name));
                let host = &mut recording(recorder, game);
                let raise = |event| match target {
                    EventTarget::Agent(agent) if *way != Way::Whole => {
                        crowd.raise_each(&[(*agent, event)], now, host)
                    }
                    _ => crowd.raise(event, *target, now, host),
                };
                event.map_or(Ok(()), raise).map_err(text)
            }
            Happening::Pace(target, every) => crowd.set_pace(*target, *every).map_err(text),
            Happening::Set(variable_index, number) => {
                let variable = game.variables.get(*variable_index);
                let set = |variable: &_| crowd.set_number(agent, *variable, *number);
                variable.map_or(Ok(()), set).map_err(text)?;
                tune(crowd, agent, *variable_index, *number).map_err(text)
            }
        }
    }
}

/// Changes a tunable, if the program has any. The number, from -20 to 280, stands for a part of its
/// range.
fn tune(crowd: &mut Crowd, agent: Agent, choice: usize, number: f64) -> Result<(), TuneError> {
    let tunables = crowd.program().tunables();
    let Some(Tunable { name, scope, range: (low, high), .. }) =
        tunables.get(choice % tunables.len().max(1)).cloned()
    else {
        return Ok(());
    };
    let value = (low + (high - low) * (number + 20.0) / 300.0).floor().max(low);
    match scope {
        TunableScope::Crowd => crowd.tune(&name, value),
        TunableScope::Agent => crowd.tune_agent(agent, &name, value),
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}
