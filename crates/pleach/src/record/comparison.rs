//! Comparison of a recorded run with another build of its trees: the first tick at which the other
//! build does something else.
//!
//! The trees of the recording are replayed. Beside them, the other build gets the recorded answers,
//! as long as its trees ask the same questions. Numbers of nodes are not compared. The comparison
//! covers which agent asks for which function with which arguments, the statuses of ticks, and the
//! values of variables of the same name.

use super::answers::{Answer, Question, QuestionKind};
use super::changes::Trait;
use super::error::RecordingError;
use super::format::{RecordedLink, kind};
use super::replay::Replay;
use super::reply::{Heard, Recorded, RecordedHost, ReplayLinker, args};
use super::told::{self, RecordKind};
use super::writes::{self, RULE, RecordedWrite};
use crate::crowd::{Crowd, CrowdStep, NoWatchers};
use crate::host::{Call, Function, panics};
use crate::layout::{Column, alike};
use crate::program::{LinkError, Program};
use crate::values::{Agent, Group, Outcome, SharedVariable, held, loaded};
use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hashbrown::HashMap;
use pleach_image::Image;
use pleach_image::format::ImportRow;

/// Difference between a recorded run and a run of another build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The agent asks for another function, or for one more. The name is `None` if it was not known
    /// in the recording.
    Asks(Option<String>),
    /// The agent does not ask for this function any more.
    AsksNot(Option<String>),
    /// The outcome of the agent's tick differs.
    Outcome {
        /// Recorded outcome.
        was: Option<Outcome>,
        /// Outcome of the other build.
        is: Option<Outcome>,
    },
    /// The value of this variable of the agent differs.
    Variable(String),
    /// The other build has no tree with this name.
    Tree(String),
    /// The other build cannot continue the recorded state, for this reason.
    State(String),
}

/// Place of the first difference between two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the tick, from 1.
    pub tick: u64,
    /// Time of the tick.
    pub now: i64,
    /// Index of the agent; `None` if the difference is not about one agent.
    pub agent: Option<usize>,
    /// Difference in this tick.
    pub what: Difference,
}

/// Recording that is replayed on two builds of its trees.
#[derive(Debug)]
pub struct Comparison {
    replay: Replay,
    other: Crowd,
    echo: Echo,
    /// Variables of the same name and type: of the recorded trees, and of the others.
    alike: Vec<(Column, Column)>,
}

/// Host of the other trees: gives them the recorded answers.
#[derive(Debug)]
struct Echo {
    heard: VecDeque<Heard>,
    /// By slots of the recorded trees, the columns of the others.
    columns: HashMap<u32, Column>,
    /// By rules of the recorded trees, those of the others.
    rules: HashMap<u16, u16>,
    /// The names of functions.
    names: HashMap<(Function, u32), String>,
    difference: Option<(u32, Difference)>,
}

impl Recorded for Echo {
    fn answer(&mut self, question: &Question, call: Option<&mut Call<'_>>) -> Answer {
        let hash = args(call.as_deref());
        if self.difference.is_some() {
            return Answer::Nothing;
        }
        let is_this = self.heard.front().is_some_and(|heard| heard.is(question, hash));
        let Some(heard) = is_this.then(|| self.heard.pop_front()).flatten() else {
            let what = Difference::Asks(self.name(question.asked, question.function));
            self.difference = Some((question.agent, what));
            return Answer::Nothing;
        };
        if let Some(call) = call {
            heard.writes.into_iter().for_each(|write| self.write(call, write));
        }
        if let Answer::Panic = heard.answer {
            panics::again();
        }
        heard.answer
    }
}

impl Echo {
    fn name(&self, asked: QuestionKind, function: u32) -> Option<String> {
        let kind = if asked == QuestionKind::Query { Function::Query } else { Function::Action };
        self.names.get(&(kind, function)).cloned()
    }

    /// Makes a recorded write, if the other trees have the variable or rule.
    fn write(&self, call: &mut Call<'_>, write: RecordedWrite) {
        if write.slot == RULE {
            if let Some(rule) = self.rules.get(&(write.value as u16)) {
                let write = RecordedWrite { value: (*rule).into(), ..write };
                // It is a rule of some tree, if not of this agent's.
                let _ = writes::apply(call.frame, call.chunk, call.lane, write);
            }
        } else if let Some(column) = self.columns.get(&write.slot) {
            call.chunk.assign(call.frame, *column, call.lane, write.value);
        }
    }
}

impl Replay {
    /// Begins to replay the recording from its beginning on the recorded build and on another
    /// build.
    ///
    /// # Errors
    /// If the other image needs what no host has.
    pub fn against<D: AsRef<[u8]>>(mut self, image: &Image<D>) -> Result<Comparison, LinkError> {
        self.go_back(0);
        // One more than all numbers; one at least is left.
        let most = self.links.iter().filter_map(|link| link.number).max();
        let others = Some(most.map_or(0, |most| most.saturating_add(1)).min(u32::MAX - 1));
        let linker = ReplayLinker { image: self.image(), links: &self.links, others };
        let program = Program::link(image, &linker)?;
        self.at.reply.log = Some(Vec::new());
        let (own, others) = (&self.crowd().program().parts.frame, &program.parts.frame);
        let alike = alike(own, others);
        let column = |(slot, column): (usize, Column)| {
            let other = alike.iter().find(|(own, _)| *own == column)?.1;
            Some((slot as u32, other))
        };
        let columns = own.slots.iter().map(|slot| slot.column).enumerate().filter_map(column).collect();
        let rules = |rules: (u16, Option<&str>)| {
            Some((rules.0, program.parts.frame.rules.as_ref()?.of_id(rules.1?)?))
        };
        let rules = own.rules.iter().flat_map(|own| own.all_ids()).filter_map(rules).collect();
        let functions = self.image().imports().iter().zip(&self.links);
        let name = |(row, link): (&ImportRow, &RecordedLink)| {
            Some(((kind(row), link.number?), self.image().name(row.name).to_owned()))
        };
        let names = functions.filter_map(name).collect();
        let echo = Echo { heard: VecDeque::new(), columns, rules, names, difference: None };
        let mut other = Crowd::replaying(&program);
        if let Some(fixed) = self.crowd().world.fixed {
            other = other.with_fixed_chance(fixed);
        }
        Ok(Comparison { replay: self, other, echo, alike })
    }
}

impl Comparison {
    /// Returns the first difference; `None` if there is none in the whole recording.
    ///
    /// # Errors
    /// If the recording is damaged before there is one.
    pub fn first(mut self) -> Result<Option<Divergence>, RecordingError> {
        loop {
            if let ControlFlow::Break(found) = self.tick()? {
                return Ok(found);
            }
        }
    }

    /// Compares the next tick.
    ///
    /// Continues if both builds did the same. Breaks with the first difference, or with `None` at
    /// the end of the recording.
    ///
    /// # Errors
    /// If the recording is damaged before a difference.
    pub fn tick(&mut self) -> Result<ControlFlow<Option<Divergence>>, RecordingError> {
        while let Some((kind, told)) = self.replay.one()? {
            let tick = self.replay.ticks() + u64::from(kind != RecordKind::Ended);
            let found = match (kind, told) {
                (_, Some(told)) => self.perform(&told),
                (RecordKind::Snapshot | RecordKind::Change, None) => self.mirror(kind),
                _ => None,
            };
            if let Some((agent, what)) = found {
                let agent = agent.map(|agent| agent as usize);
                let now = self.replay.now();
                return Ok(ControlFlow::Break(Some(Divergence { tick, now, agent, what })));
            }
            if kind == RecordKind::Ended {
                return Ok(ControlFlow::Continue(()));
            }
        }
        Ok(ControlFlow::Break(None))
    }

    /// Returns the number of ticks that were compared.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.replay.ticks()
    }

    /// Lets the other crowd do a recorded step. Returns the first difference in it.
    fn perform(&mut self, told: &CrowdStep<'_>) -> Option<(Option<u32>, Difference)> {
        let Self { replay, other, echo, .. } = self;
        echo.heard.extend(replay.at.reply.log.iter_mut().flat_map(core::mem::take));
        let told = match told {
            CrowdStep::Ticked(_) => &CrowdStep::Ticked(0..other.chunks.len()),
            CrowdStep::Raised(event, to) => {
                let name = &*replay.crowd().program().parts.events[usize::from(event.0)].name;
                // Trees without this event do nothing.
                &CrowdStep::Raised(other.program().event(name)?, *to)
            }
            told => told,
        };
        let done = told::perform(told, other, replay.now(), &mut RecordedHost(echo), &mut NoWatchers);
        if let Some((agent, what)) = echo.difference.take() {
            return Some((Some(agent), what));
        }
        if let Some(heard) = echo.heard.pop_front() {
            let name = echo.name(heard.asked, heard.function);
            return Some((Some(heard.agent), Difference::AsksNot(name)));
        }
        if done.is_err() {
            return Some((None, Difference::State("an agent or a tree is not there".to_owned())));
        }
        matches!(told, CrowdStep::Ended).then(|| self.compare())?
    }

    /// Returns the first agent with another outcome or with another value of a variable.
    fn compare(&self) -> Option<(Option<u32>, Difference)> {
        let crowd = self.replay.crowd();
        crowd.agents_by_index().find_map(|agent| {
            let index = Some(agent.index() as u32);
            let [was, is] = [crowd, &self.other].map(|crowd| crowd.outcome(agent).ok().flatten());
            if was != is {
                return Some((index, Difference::Outcome { was, is }));
            }
            let (own, own_lane) = crowd.chunk_of(agent).ok()?;
            let (other, lane) = self.other.chunk_of(agent).ok()?;
            let differs = |(one, two): &&(Column, Column)| own.read(*one, own_lane) != other.read(*two, lane);
            let (column, _) = self.alike.iter().find(differs)?;
            let slot = crowd.program().parts.frame.slots.iter().find(|slot| slot.column == *column)?;
            Some((index, Difference::Variable(slot.name.to_string())))
        })
    }

    /// Makes the changes that the host made without a call in the other crowd, too.
    fn mirror(&mut self, kind: RecordKind) -> Option<(Option<u32>, Difference)> {
        let crowd = self.replay.crowd();
        if kind == RecordKind::Snapshot {
            let mut state = Vec::new();
            crowd.save(&mut state);
            let migrated = self.other.migrate(&state);
            return migrated.err().map(|why| (None, Difference::State(why.to_string())));
        }
        while let Some(place) = self.other.agents.next().and_then(|next| crowd.agents.find(next).ok()) {
            let entry =
                &*crowd.program().parts.entries[crowd.chunks[place.chunk as usize].entry as usize].name;
            if self.other.spawn(entry).is_err() {
                return Some((None, Difference::Tree(entry.to_owned())));
            }
        }
        while self.other.world.groups < crowd.world.groups && self.other.add_group().is_ok() {}
        let agents: Vec<_> = crowd.agents_by_index().collect();
        for agent in agents {
            // A missing agent is found when outcomes are compared.
            let _ = self.mirror_agent(agent);
        }
        self.mirror_shared();
        None
    }

    fn mirror_agent(&mut self, agent: Agent) -> Option<()> {
        let (crowd, other) = (self.replay.crowd(), &mut self.other);
        let [own, place] = [crowd.agents.find(agent).ok()?, other.agents.find(agent).ok()?];
        for which in [Trait::Group, Trait::Asleep, Trait::Pace] {
            let value = which.read(crowd, own.chunk as usize, own.lane);
            if value != which.read(other, place.chunk as usize, place.lane) {
                let _ = which.put(other, place.chunk as usize, place.lane, value);
            }
        }
        let chunk = &crowd.chunks[own.chunk as usize];
        let (target, frame, lane) = other.place_of(agent).ok()?;
        for (from, to) in &self.alike {
            target.assign(frame, *to, lane, chunk.read(*from, own.lane));
        }
        let at =
            |crowd: &Crowd| Some(crowd.program().rule_id(crowd.rules().current(agent).ok()??)?.to_owned());
        if let Some(id) = at(crowd)
            && at(other).as_ref() != Some(&id)
        {
            other.rules_mut().jump_to(agent, &id).ok()?;
        }
        Some(())
    }

    fn mirror_shared(&mut self) {
        let (crowd, other) = (self.replay.crowd(), &mut self.other);
        for (index, shared) in crowd.program().parts.shared.iter().enumerate() {
            let Some(theirs) = other.program().shared(&shared.name) else { continue };
            for group in (0..crowd.world.groups).map(Group) {
                let mine = crowd.world.entry_at(SharedVariable(index as u16), group);
                // The variable and the group exist.
                let _ = match (mine, other.world.entry_at(theirs, group)) {
                    (Some((kind, entry)), Some((other_kind, _))) if kind == other_kind => {
                        other.world.set(theirs, group, entry)
                    }
                    (Some((kind, entry)), Some(_)) => {
                        other.set_shared(theirs, group, loaded(kind, held(kind, entry))).ok()
                    }
                    _ => None,
                };
            }
        }
    }
}
