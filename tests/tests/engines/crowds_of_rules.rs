//! Agents at Drag\[en\]gine rules are ticked in one sweep: the host is asked for each agent, and a
//! fault of one agent does not affect other agents.

use core::num::NonZeroU16;
use pleach::engine::{Engine, TickOrder, Vectors};
use pleach::host::RunawayTick;
use pleach::state::ReloadPolicy;
use pleach::{Agent, Batch, Call, Crowd, Fault, Function, Host, Image, Outcome, Program, Status};
use pleach_compile::internals::emit;
use pleach_tests::debt;
use std::collections::BTreeMap;

/// Call: the function, and the indices of its agents.
type Asked = (String, Vec<usize>);

/// Host that records which agents are asked for together. Actions are running first and succeed the
/// next time. Conditions are true.
#[derive(Default)]
struct Clerk {
    names: Vec<String>,
    asked: Vec<Asked>,
    /// Rules to which actions send agents, by name: agents whose index by 3 leaves this remainder.
    sends: BTreeMap<&'static str, (usize, &'static str)>,
    /// Agent for which the host panics in `knows`.
    unsure: Option<usize>,
    ran_away: Vec<(usize, Vec<String>)>,
}

impl Clerk {
    fn new() -> Self {
        Self { names: ["go", "rest", "work", "free"].map(str::to_owned).to_vec(), ..Self::default() }
    }

    fn write_down(&mut self, batch: &Batch<'_>) -> String {
        let name = self.names[batch.function as usize].clone();
        self.asked.push((name.clone(), batch.agents().map(|agent| agent.index()).collect()));
        name
    }

    /// Returns the calls since the last time: the functions, with their numbers of agents.
    fn take(&mut self) -> Vec<(String, usize)> {
        let asked = core::mem::take(&mut self.asked);
        asked.into_iter().map(|(name, agents)| (name, agents.len())).collect()
    }
}

impl Host for Clerk {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn knows(&mut self, _: Function, _: u32, agent: Agent) -> bool {
        assert_ne!(self.unsure, Some(agent.index()), "the host is not sure");
        true
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let ids = run.ids().map(|id| id.unwrap_or("-").to_owned()).collect();
        self.ran_away.push((run.agent.index(), ids));
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        unreachable!("the sweep asks for many")
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("the sweep asks for many")
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let name = self.write_down(batch);
        let sent = self.sends.get(&*name);
        for (index, out) in out.iter_mut().enumerate() {
            let mut call = batch.call(index).expect("there is a place for each");
            *out = if call.fresh { Status::Running } else { Status::Success };
            if let Some((_, id)) = sent.filter(|(rest, _)| call.agent.index() % 3 == *rest) {
                call.jump_to(id).expect("the rule is there");
                *out = Status::Failure;
            }
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.write_down(batch);
        out.fill(1.0);
    }
}

fn crowd(tree: &str, host: &Clerk, agents: usize) -> (Crowd, Vec<Agent>) {
    let text = format!("<behaviorTree>{tree}</behaviorTree>");
    let module = debt::module(&text, &BTreeMap::new()).expect("a tree");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let program = Program::link(&image, host).expect("functions may be missing");
    assert!(program.is_swept());
    let mut crowd = Crowd::new(&program).with_engine(Engine::Batch(Vectors::Avx512));
    let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    (crowd, agents)
}

const ROUND: &str = "<sequence id='round' loop='true'><action id='go' name='go'/>\
    <choice id='there'><action id='work' name='work'><condition>free</condition></action>\
    <action name='lost'/></choice><action id='rest' name='rest'/></sequence>";

fn asked(calls: &[(&str, usize)]) -> Vec<(String, usize)> {
    calls.iter().map(|(name, agents)| ((*name).to_owned(), *agents)).collect()
}

#[test]
fn each_rule_asks_once_for_all_agents_that_are_at_it() {
    let mut host = Clerk::new();
    let (mut crowd, agents) = crowd(ROUND, &host, 90);
    for agent in &agents[..30] {
        crowd.rules_mut().jump_to(*agent, "work").expect("the rule is there");
    }
    assert_eq!(crowd.tick(0, &mut host).running, 90);
    assert_eq!(host.take(), asked(&[("go", 60), ("free", 30), ("work", 30)]));
    // Agents at `go` continue to `work`, and agents at `work` to `rest`, each together with the
    // agents that are already there.
    for agent in &agents[60..] {
        crowd.rules_mut().jump_to(*agent, "rest").expect("the rule is there");
    }
    assert_eq!(crowd.tick(0, &mut host).running, 90);
    assert_eq!(host.take(), asked(&[("go", 30), ("free", 30 + 30), ("work", 30 + 30), ("rest", 30 + 30)]));
    // Agents that have rested go again: the loop is swept a second time, for these agents alone.
    assert_eq!(crowd.tick(0, &mut host).running, 90);
    assert_eq!(host.take(), asked(&[("free", 30), ("work", 30), ("rest", 60 + 30), ("go", 60)]));
}

#[test]
fn an_action_sends_many_agents_elsewhere_at_once() {
    let mut host = Clerk::new();
    let (mut crowd, agents) = crowd(ROUND, &host, 99);
    host.sends.insert("go", (1, "there"));
    assert_eq!(crowd.tick(0, &mut host).running, 99);
    // The agents that were sent continue in the same tick, together.
    let sent: Vec<usize> = (1..99).step_by(3).collect();
    let asked = [("go", (0..99).collect()), ("free", sent.clone()), ("work", sent)];
    assert_eq!(host.asked, asked.map(|(name, agents)| (name.to_owned(), agents)));
    for agent in agents {
        let sent = agent.index() % 3 == 1;
        let rule = crowd.rules().current(agent).expect("the agent is there").expect("it is at a rule");
        assert_eq!(crowd.program().rule_id(rule), Some(if sent { "work" } else { "go" }));
    }
}

#[test]
fn the_step_limit_is_each_agents_own() {
    let mut host = Clerk::new();
    let text = "<choice id='all'><sequence id='short'><success id='a'/><running id='b'/></sequence>\
                <sequence id='round' loop='true'><success id='c'/></sequence></choice>";
    let (mut crowd, agents) = crowd(text, &host, 256);
    crowd.set_step_limit(NonZeroU16::new(7).expect("seven"));
    for agent in agents.iter().filter(|agent| agent.index() % 2 == 0) {
        crowd
            .rules_mut()
            .jump_to(*agent, if agent.index() % 4 == 0 { "round" } else { "c" })
            .expect("the rule is there");
    }
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.running, tally.faults), (128, 128));
    let told: Vec<usize> = host.ran_away.iter().map(|(agent, _)| *agent).collect();
    let mut sorted = told.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..256).step_by(2).collect::<Vec<_>>());
    for (agent, ids) in &host.ran_away {
        let rules = ["round", "c", "round", "c", "round", "c", "round", "c"];
        let first = usize::from(agent % 4 != 0);
        assert_eq!(*ids, rules[first..][..7]);
    }
    for agent in agents {
        let spent = crowd.outcome(agent) == Ok(Some(Outcome::Fault(Fault::Fuel)));
        assert_eq!(spent, agent.index() % 2 == 0);
    }
    // Also with the maximum step limit.
    host.ran_away.clear();
    crowd.set_step_limit(NonZeroU16::MAX);
    assert_eq!(crowd.tick(0, &mut host).faults, 128);
    assert!(host.ran_away.iter().all(|(_, ids)| ids.len() == usize::from(u16::MAX)));
}

#[test]
fn the_step_limit_stays_when_trees_are_reloaded() {
    let mut host = Clerk::new();
    let (mut crowd, _) = crowd("<sequence id='round' loop='true'><success id='c'/></sequence>", &host, 80);
    crowd.set_step_limit(NonZeroU16::new(300).expect("it is not zero"));
    let program = crowd.program().clone();
    crowd.reload(&program, ReloadPolicy::Places, 0, &mut host).expect("it has the same trees");
    assert_eq!((crowd.step_limit(), crowd.tick(0, &mut host).faults), (300, 80));
    assert!(host.ran_away.iter().all(|(_, ids)| ids.len() == 300));
}

#[test]
fn a_host_that_panics_about_one_agent_concerns_that_one() {
    let mut host = Clerk::new();
    let (mut crowd, agents) = crowd(ROUND, &host, 80);
    host.unsure = Some(17);
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.running, tally.faults), (79, 1));
    assert_eq!(crowd.outcome(agents[17]), Ok(Some(Outcome::Fault(Fault::Panic))));
    assert_eq!(crowd.rules().is_first_run(agents[17]), Ok(true));
    assert_eq!(host.take(), asked(&[("go", 79)]));
}

#[test]
fn trees_of_rules_are_run_in_any_order() {
    let (crowd, _) = crowd(ROUND, &Clerk::new(), 1);
    assert_eq!(crowd.program().order(), TickOrder::Any);
}
