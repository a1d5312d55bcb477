//! Crowds and societies, through the C API.

use super::answers::{Answers, with};
use super::c;
use super::link::{Linked, Owned, link, spawn, told};
use crate::conformance::engine::{self, Call, Halt, LogKind, Settlers, Ticked, Whom, World};
use core::ffi::c_void;
use core::ptr;
use pleach_capi::status::{E_NAME, E_STALE, OK};
use pleach_capi::{
    PLEACH_FAILURE, PLEACH_FAULT, PLEACH_FAULT_FUEL, PLEACH_OTHER, PLEACH_RUNNING, PLEACH_SUCCESS,
    PLEACH_TARGET_AGENT, PLEACH_TARGET_ALL, PLEACH_TARGET_GROUP,
};
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
use std::collections::BTreeMap;

/// Returns the result of a tick.
pub(super) fn came_to(outcome: u32, other: i32) -> Ticked<Outcome> {
    match outcome {
        PLEACH_FAILURE => Ok(Outcome::Failure),
        PLEACH_SUCCESS => Ok(Outcome::Success),
        PLEACH_RUNNING => Ok(Outcome::Running),
        PLEACH_OTHER => Ok(Outcome::Other(other)),
        PLEACH_FAULT => Err("the tick ended with a fault: Panic".to_owned()),
        PLEACH_FAULT_FUEL => Err(engine::FAULT.to_owned()),
        _ => Err("the agent was not ticked".to_owned()),
    }
}

/// Host that is the world of a case. There is none where agents are only reset.
pub(super) struct Worldly<'a>(pub(super) Option<&'a mut dyn World>);

impl Worldly<'_> {
    fn world(&mut self) -> &mut dyn World {
        self.0.as_deref_mut().expect("functions are called in ticks")
    }
}

impl Answers for Worldly<'_> {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> (Outcome, Option<String>) {
        (self.world().act(agent, call), None)
    }

    fn give(&mut self, agent: usize, call: &Call<'_>, place: usize) -> Option<f64> {
        self.world().give(agent, call, place)
    }

    fn query(&mut self, agent: usize, call: &Call<'_>) -> (f64, Option<String>) {
        (self.world().query(agent, call), None)
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, why: Halt) {
        if let Some(world) = self.0.as_deref_mut() {
            world.halt(agent, call, why);
        }
    }

    fn log(&mut self, agent: usize, kind: LogKind, text: &[u8]) {
        if let Some(world) = self.0.as_deref_mut() {
            world.log(agent, kind, text);
        }
    }
}

pub(super) struct Agents {
    crowd: Owned,
    linked: Linked,
    entries: Vec<String>,
    agents: Vec<u64>,
}

impl Agents {
    pub(super) fn new(module: &Module, agents: usize) -> Result<Self, String> {
        let linked = link(module)?;
        let entries = linked.entries()?;
        let first = entries.first().ok_or("the image has no entry")?;
        let crowd = linked.crowd(0, None)?;
        let agents: Result<_, _> = (0..agents).map(|_| spawn(&crowd, first)).collect();
        Ok(Self { agents: agents?, crowd, linked, entries })
    }
}

impl engine::Crowd for Agents {
    fn tick(&mut self, agent: usize, entry: usize, now: i64, world: &mut dyn World) -> Ticked<Outcome> {
        let (entry, agent, mut outcome, mut other) = (&self.entries[entry], self.agents[agent], 0, 0);
        with(&self.linked.names, &mut Worldly(Some(world)), |user| {
            let (name, length) = (entry.as_ptr().cast(), entry.len());
            told(c!(pleach_crowd_tick_entry(
                self.crowd.0,
                agent,
                name,
                length,
                now,
                user,
                &mut outcome,
                &mut other
            )))
        })?;
        came_to(outcome, other)
    }

    fn reset(&mut self, agent: usize) {
        let reset = with(&self.linked.names, &mut Worldly(None), |user| {
            told(c!(pleach_crowd_reset(self.crowd.0, self.agents[agent], 0, user)))
        });
        assert_eq!(reset, Ok(()), "agents of a case are never despawned");
    }

    fn set_flag(&mut self, agent: usize, name: &str, value: bool) {
        if let Some(variable) = self.linked.variable(name) {
            let value = f64::from(u8::from(value));
            let set = told(c!(pleach_crowd_set(self.crowd.0, self.agents[agent], variable, value)));
            assert_eq!(set, Ok(()), "agents of a case are never despawned");
        }
    }

    fn running(&self, agent: usize) -> Vec<NodeIndex> {
        let (mut nodes, mut count) = (vec![0_u16; 64], 0);
        let (room, agent) = (nodes.len(), self.agents[agent]);
        let asked =
            told(c!(pleach_crowd_running_set(self.crowd.0, agent, nodes.as_mut_ptr(), room, &mut count)));
        assert_eq!(asked, Ok(()), "a set has room for 20");
        nodes[..count].iter().map(|id| NodeIndex::from(*id) - 1).collect()
    }
}

/// Agents that share a world.
pub(super) struct Society {
    crowd: Owned,
    linked: Linked,
    /// Each agent with its group.
    agents: Vec<(u64, u32)>,
    /// Groups by their numbers in the case.
    groups: BTreeMap<u32, u32>,
}

impl Society {
    pub(super) fn new(module: &Module, settlers: &Settlers<'_>) -> Result<Self, String> {
        let linked = link(module)?;
        let crowd = linked.crowd(settlers.seed, settlers.chance)?;
        let mut society = Self { crowd, linked, agents: Vec::new(), groups: BTreeMap::from([(0, 0)]) };
        for number in settlers.groups {
            let agent = spawn(&society.crowd, settlers.entry)?;
            let group = society.group(*number)?;
            told(c!(pleach_crowd_join(society.crowd.0, agent, group)))?;
            society.agents.push((agent, group));
        }
        Ok(society)
    }

    fn group(&mut self, number: u32) -> Result<u32, String> {
        if let Some(group) = self.groups.get(&number) {
            return Ok(*group);
        }
        let mut group = 0;
        told(c!(pleach_crowd_add_group(self.crowd.0, &mut group)))?;
        self.groups.insert(number, group);
        Ok(group)
    }

    /// Gets a tunable of all agents or of one.
    fn tuned(&self, agent: u64, name: &str, value: &mut f64) -> i32 {
        let (at, length) = (name.as_ptr().cast(), name.len());
        match c!(pleach_crowd_tuned(self.crowd.0, at, length, value)) {
            E_NAME => c!(pleach_crowd_tuned_agent(self.crowd.0, agent, at, length, value)),
            status => status,
        }
    }

    /// Changes a tunable of all agents or of one.
    fn tune(&self, agent: u64, name: &str, value: f64) -> i32 {
        let (at, length) = (name.as_ptr().cast(), name.len());
        match c!(pleach_crowd_tune(self.crowd.0, at, length, value)) {
            E_NAME => c!(pleach_crowd_tune_agent(self.crowd.0, agent, at, length, value)),
            status => status,
        }
    }

    /// Does the step of a case.
    fn play(&self, world: &mut dyn World, play: impl FnOnce(u64, *mut c_void) -> i32) {
        let played =
            with(&self.linked.names, &mut Worldly(Some(world)), |user| told(play(self.crowd.0, user)));
        played.expect("what the case names is there");
    }
}

impl engine::Society for Society {
    fn tick(&mut self, now: i64, world: &mut dyn World) -> Ticked<Vec<Outcome>> {
        self.play(world, |crowd, user| c!(pleach_crowd_tick(crowd, now, user, ptr::null_mut())));
        let outcome = |(agent, _): &(u64, u32)| {
            let (mut outcome, mut other) = (0, 0);
            match c!(pleach_crowd_outcome(self.crowd.0, *agent, &mut outcome, &mut other)) {
                E_STALE => Ok(Outcome::Failure),
                status => told(status).and_then(|()| came_to(outcome, other)),
            }
        };
        self.agents.iter().map(outcome).collect()
    }

    fn despawn(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        let (agent, _) = self.agents[agent];
        self.play(world, |crowd, user| c!(pleach_crowd_despawn(crowd, agent, now, user)));
    }

    fn reset(&mut self, agent: usize, now: i64, world: &mut dyn World) {
        let (agent, _) = self.agents[agent];
        self.play(world, |crowd, user| c!(pleach_crowd_reset(crowd, agent, now, user)));
    }

    fn switch(&mut self, agent: usize, entry: &str, now: i64, world: &mut dyn World) {
        let ((agent, _), name, length) = (self.agents[agent], entry.as_ptr().cast(), entry.len());
        self.play(world, |crowd, user| c!(pleach_crowd_switch(crowd, agent, name, length, now, user)));
    }

    fn raise(&mut self, event: &str, whom: Whom, now: i64, world: &mut dyn World) {
        let (program, mut number) = (self.linked.program.0, 0);
        let found = told(c!(pleach_program_event(program, event.as_ptr().cast(), event.len(), &mut number)));
        found.expect("the event is there");
        let (to, whom) = match whom {
            Whom::Agent(agent) => (PLEACH_TARGET_AGENT, self.agents[agent].0),
            Whom::Group(group) => {
                (PLEACH_TARGET_GROUP, self.group(group).expect("groups of a case are few").into())
            }
            Whom::All => (PLEACH_TARGET_ALL, 0),
        };
        self.play(world, |crowd, user| c!(pleach_crowd_raise(crowd, number, to, whom, now, user)));
    }

    fn get(&self, agent: usize, name: &str) -> Option<f64> {
        let ((agent, group), mut value) = (self.agents[agent], 0.0);
        let status = match self.linked.variable(name) {
            Some(variable) => c!(pleach_crowd_get(self.crowd.0, agent, variable, &mut value)),
            None => match self.linked.shared(name) {
                Some(shared) => c!(pleach_crowd_get_shared(self.crowd.0, shared, group, &mut value)),
                None => self.tuned(agent, name, &mut value),
            },
        };
        (status == OK).then_some(value)
    }

    fn set(&mut self, agent: usize, name: &str, value: f64) {
        let (agent, group) = self.agents[agent];
        let status = match (self.linked.variable(name), self.linked.shared(name)) {
            (Some(variable), _) => c!(pleach_crowd_set(self.crowd.0, agent, variable, value)),
            (None, Some(shared)) => c!(pleach_crowd_set_shared(self.crowd.0, shared, group, value)),
            (None, None) => self.tune(agent, name, value),
        };
        told(status).expect("agent and variable are there");
    }
}
