//! Agents that are at a rule, by the runtime.

use super::scalar::{arg, link, lower, raise};
use super::walker::{Guide, Stopped, Turn, Walkers, throw};
use core::num::NonZeroU16;
use pleach::host::RunawayTick;
use pleach::{Agent, Call, Fault, Function, Host, Image, Outcome, Status};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{self, Module, NodeIndex};

pub(super) struct Agents {
    crowd: pleach::Crowd,
    names: Vec<String>,
    agents: Vec<Agent>,
}

impl Agents {
    pub(super) fn new(
        module: &Module,
        agents: usize,
        engine: pleach::engine::Engine,
    ) -> Result<Self, String> {
        let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let (program, names) = link(&image)?;
        let entry = program.entries().next().ok_or("the image has no entry")?.to_owned();
        let mut crowd = pleach::Crowd::new(&program).with_engine(engine);
        let agents: Result<_, _> = (0..agents).map(|_| crowd.spawn(&entry)).collect();
        Ok(Self { crowd, names, agents: agents.map_err(|error| error.to_string())? })
    }

    /// Returns true if the batch engine would run the agents together.
    pub(super) fn are_swept(&self) -> bool {
        self.crowd.program().is_swept()
    }

    fn came_to(outcome: Outcome, stopped: Option<Stopped>) -> Result<ir::Outcome, Stopped> {
        match (outcome, stopped) {
            (Outcome::Status(status), None) => Ok(lower(status)),
            (Outcome::Fault(Fault::Fuel), Some(stopped @ Stopped::RanAway(_)))
            | (Outcome::Fault(Fault::Panic), Some(stopped @ Stopped::Threw)) => Err(stopped),
            other => panic!("a tick came to {other:?}"),
        }
    }
}

impl Walkers for Agents {
    fn step(&mut self, agent: usize, guide: &mut dyn Guide) -> Result<ir::Outcome, Stopped> {
        let Self { crowd, names, agents } = self;
        let mut host = Caller { names, guide: Some(guide), stopped: Vec::new() };
        let outcome = crowd.tick_agent(agents[agent], 0, &mut host, &mut ()).expect("the agent is there");
        Self::came_to(outcome, host.stopped.pop().map(|(_, stopped)| stopped))
    }

    fn step_all(&mut self, guide: &mut dyn Guide) -> Vec<Result<ir::Outcome, Stopped>> {
        let Self { crowd, names, agents } = self;
        let mut host = Caller { names, guide: Some(guide), stopped: Vec::new() };
        crowd.tick(0, &mut host);
        let mut stopped = host.stopped;
        let mut came_to = |agent: &Agent| {
            let outcome = crowd.outcome(*agent).expect("the agent is there").expect("it was ticked");
            let why = stopped.iter().position(|(who, _)| who == agent);
            Self::came_to(outcome, why.map(|why| stopped.swap_remove(why).1))
        };
        agents.iter().map(&mut came_to).collect()
    }

    fn rule(&self, agent: usize) -> Option<NodeIndex> {
        self.crowd
            .rules()
            .current(self.agents[agent])
            .expect("the agent is there")
            .map(|rule| rule.node() - 1)
    }

    fn first_run(&self, agent: usize) -> bool {
        self.crowd.rules().is_first_run(self.agents[agent]).expect("the agent is there")
    }

    fn jump(&mut self, agent: usize, id: &str) -> bool {
        self.crowd.rules_mut().jump_to(self.agents[agent], id).is_ok()
    }

    fn lose(&mut self, agent: usize) {
        self.crowd.rules_mut().lose(self.agents[agent]).expect("agents are at rules");
    }

    fn set_first_run(&mut self, agent: usize, first_run: bool) {
        let saved = [0, u8::from(first_run) * 2];
        self.crowd.rules_mut().restore(self.agents[agent], &saved).expect("that is no place but a mark");
    }

    fn reset(&mut self, agent: usize) {
        let mut host = Caller { names: &self.names, guide: None, stopped: Vec::new() };
        self.crowd.reset(self.agents[agent], 0, &mut host).expect("the agent is there");
    }

    fn save(&self, agent: usize) -> Option<Vec<u8>> {
        let mut saved = Vec::new();
        self.crowd.rules().save(self.agents[agent], &mut saved).ok().map(|()| saved)
    }

    fn restore(&mut self, agent: usize, saved: &[u8]) -> bool {
        self.crowd.rules_mut().restore(self.agents[agent], saved).is_ok()
    }

    fn set_limit(&mut self, limit: u16) {
        self.crowd.set_step_limit(NonZeroU16::new(limit).expect("a rule may run"));
    }
}

/// Hands agents' calls on, and sends them where the answers say.
struct Caller<'a> {
    names: &'a [String],
    /// None while there is nothing to call.
    guide: Option<&'a mut dyn Guide>,
    /// Whose ticks could not be ended, and why.
    stopped: Vec<(Agent, Stopped)>,
}

impl Caller<'_> {
    fn ask<T>(
        &mut self,
        call: &mut Call<'_>,
        ask: impl FnOnce(&mut dyn Guide, usize, &super::Call<'_>) -> Turn<T>,
    ) -> T {
        let args: Vec<_> = call.args.iter().map(arg).collect();
        let name = self.names[call.function as usize].as_bytes();
        let node = call.node.checked_sub(1);
        let guide = self.guide.as_deref_mut().expect("functions are called in ticks");
        let turn =
            ask(guide, call.agent.index(), &super::Call { name, args: &args, fresh: call.fresh, node });
        if let Some(id) = turn.jump {
            let before = call.rule();
            if call.jump_to(&id).is_err() {
                assert_eq!(call.rule(), before, "what fails changes nothing");
                self.stopped.push((call.agent, Stopped::Threw));
                throw();
            }
        }
        turn.answer
    }
}

impl Host for Caller<'_> {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        let name = self.names[number as usize].as_bytes();
        let guide = self.guide.as_deref_mut().expect("functions are asked for in ticks");
        guide.knows(agent.index(), name)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let rules = run.rules().map(|rule| rule.node() - 1).collect();
        self.stopped.push((run.agent, Stopped::RanAway(rules)));
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        raise(self.ask(call, |guide, agent, call| guide.act(agent, call)))
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        f64::from(u8::from(self.ask(call, |guide, agent, call| guide.query(agent, call))))
    }
}
