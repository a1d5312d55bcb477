//! Agents that are at a rule, through the C API.

use super::answers::{Answers, with};
use super::c;
use super::crowd::came_to;
use super::link::{Linked, Owned, bytes, link, spawn, told};
use crate::conformance::engine::Call;
use crate::conformance::engine::walker::{Guide, Stopped, Turn, Walkers};
use core::ptr;
use pleach_capi::status::OK;
use pleach_capi::{PLEACH_FAULT, PLEACH_FAULT_FUEL};
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};

pub(super) struct Agents {
    crowd: Owned,
    linked: Linked,
    agents: Vec<u64>,
}

/// Host that is a guide. There is none where agents are only reset.
struct Guided<'a> {
    guide: Option<&'a mut dyn Guide>,
    /// Whose ticks could not be ended, and why.
    stopped: Vec<(usize, Stopped)>,
}

impl Guided<'_> {
    fn guide(&mut self) -> &mut dyn Guide {
        self.guide.as_deref_mut().expect("functions are called in ticks")
    }
}

impl Answers for Guided<'_> {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> (Outcome, Option<String>) {
        let Turn { answer, jump } = self.guide().act(agent, call);
        (answer, jump)
    }

    fn query(&mut self, agent: usize, call: &Call<'_>) -> (f64, Option<String>) {
        let Turn { answer, jump } = self.guide().query(agent, call);
        (f64::from(u8::from(answer)), jump)
    }

    fn knows(&mut self, agent: usize, name: &[u8]) -> bool {
        self.guide().knows(agent, name)
    }

    fn ran_away(&mut self, agent: usize, rules: Vec<NodeIndex>) {
        self.stopped.push((agent, Stopped::RanAway(rules)));
    }

    fn lost(&mut self, agent: usize) {
        self.stopped.push((agent, Stopped::Threw));
    }
}

impl Agents {
    pub(super) fn new(module: &Module, agents: usize) -> Result<Self, String> {
        let linked = link(module)?;
        let entry = linked.entries()?.into_iter().next().ok_or("the image has no entry")?;
        let mut swept = 0;
        told(c!(pleach_program_is_swept(linked.program.0, &mut swept)))?;
        if swept == 0 {
            return Err("agents at rules are to be swept".to_owned());
        }
        let crowd = linked.crowd(0, None)?;
        let agents: Result<_, _> = (0..agents).map(|_| spawn(&crowd, &entry)).collect();
        Ok(Self { agents: agents?, crowd, linked })
    }

    fn came_to(outcome: u32, other: i32, stopped: Option<Stopped>) -> Result<Outcome, Stopped> {
        match (outcome, stopped) {
            (PLEACH_FAULT_FUEL, Some(stopped @ Stopped::RanAway(_)))
            | (PLEACH_FAULT, Some(stopped @ Stopped::Threw)) => Err(stopped),
            (outcome, None) => Ok(came_to(outcome, other).expect("the tick has ended")),
            (outcome, stopped) => panic!("a tick came to {outcome}, {stopped:?}"),
        }
    }
}

impl Walkers for Agents {
    fn step(&mut self, agent: usize, guide: &mut dyn Guide) -> Result<Outcome, Stopped> {
        let mut guided = Guided { guide: Some(guide), stopped: Vec::new() };
        let (agent, mut outcome, mut other) = (self.agents[agent], 0, 0);
        with(&self.linked.names, &mut guided, |user| {
            told(c!(pleach_crowd_tick_agent(self.crowd.0, agent, 0, user, &mut outcome, &mut other)))
        })
        .expect("the agent is there");
        Self::came_to(outcome, other, guided.stopped.pop().map(|(_, stopped)| stopped))
    }

    fn step_all(&mut self, guide: &mut dyn Guide) -> Vec<Result<Outcome, Stopped>> {
        let mut guided = Guided { guide: Some(guide), stopped: Vec::new() };
        with(&self.linked.names, &mut guided, |user| {
            told(c!(pleach_crowd_tick(self.crowd.0, 0, user, ptr::null_mut())))
        })
        .expect("the crowd is there");
        let mut stopped = guided.stopped;
        let mut came_to = |agent: &u64| {
            let (mut outcome, mut other) = (0, 0);
            told(c!(pleach_crowd_outcome(self.crowd.0, *agent, &mut outcome, &mut other)))
                .expect("it was ticked");
            let why = stopped.iter().position(|(who, _)| *who == *agent as u32 as usize);
            Self::came_to(outcome, other, why.map(|why| stopped.swap_remove(why).1))
        };
        self.agents.iter().map(&mut came_to).collect()
    }

    fn rule(&self, agent: usize) -> Option<NodeIndex> {
        let mut rule = 0;
        (c!(pleach_crowd_current_rule(self.crowd.0, self.agents[agent], &mut rule)) == OK).then(|| rule - 1)
    }

    fn first_run(&self, agent: usize) -> bool {
        let mut first = 0;
        told(c!(pleach_crowd_is_first_run(self.crowd.0, self.agents[agent], &mut first)))
            .expect("the agent is there");
        first != 0
    }

    fn jump(&mut self, agent: usize, id: &str) -> bool {
        c!(pleach_crowd_jump_to(self.crowd.0, self.agents[agent], id.as_ptr().cast(), id.len())) == OK
    }

    fn lose(&mut self, agent: usize) {
        told(c!(pleach_crowd_lose(self.crowd.0, self.agents[agent]))).expect("agents are at rules");
    }

    fn set_first_run(&mut self, agent: usize, first_run: bool) {
        assert!(self.restore(agent, &[0, u8::from(first_run) * 2]), "that is no place but a mark");
    }

    fn reset(&mut self, agent: usize) {
        let mut guided = Guided { guide: None, stopped: Vec::new() };
        with(&self.linked.names, &mut guided, |user| {
            told(c!(pleach_crowd_reset(self.crowd.0, self.agents[agent], 0, user)))
        })
        .expect("the agent is there");
    }

    fn save(&self, agent: usize) -> Option<Vec<u8>> {
        bytes(|buffer, room, length| {
            c!(pleach_crowd_save_rule(self.crowd.0, self.agents[agent], buffer.cast(), room, length))
        })
        .ok()
    }

    fn restore(&mut self, agent: usize, saved: &[u8]) -> bool {
        let (bytes, length) = (saved.as_ptr().cast(), saved.len());
        c!(pleach_crowd_restore_rule(self.crowd.0, self.agents[agent], bytes, length)) == OK
    }

    fn set_limit(&mut self, limit: u16) {
        told(c!(pleach_crowd_set_step_limit(self.crowd.0, limit.into()))).expect("a rule may run");
    }
}
