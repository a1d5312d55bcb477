//! Churn: agents come, go and change their trees, and are compared with a model of the
//! allocator that is a vector.
//!
//! Every agent carries a number of its own. The model knows which handle has which number. A handle
//! of an agent that is gone must be refused everywhere, even if another agent has its place.

use super::{Campaign, Finding, Run};
use crate::busy::Busy;
use crate::own;
use crate::random::check::guarded;
use crate::random::draws::{Draws, hash};
use pleach::crowd::SwitchError;
use pleach::{Agent, Crowd, Image, Program, StaleAgent, Variable};
use pleach_compile::internals::emit;

pub(super) const CHURN: Campaign = Campaign {
    name: "churn",
    about: "spawn, despawn, switch and tick at random against a model: no leak, no stale handle that is taken",
    unit: "operations",
    goal: 1_000_000,
    short: 20_000,
    resumes: Some(String::new),
    run,
};

const TREES: &str = "action rest() var mark: int var toggles: bool
    tree one { action rest }
    tree two { selector { condition toggles action rest set toggles = true } }
    tree three { parallel { action rest action rest } }";
const ENTRIES: [&str; 3] = ["one", "two", "three"];
/// Agents at once, at most.
const MOST: usize = 3_000;
/// Handles of the gone that are tried again.
const GONE: usize = 512;

/// The crowd and its model.
struct Churn {
    crowd: Crowd,
    mark: Variable,
    /// Agents and their numbers, by index.
    model: Vec<Option<(Agent, i32)>>,
    count: usize,
    gone: Vec<Agent>,
    most: usize,
}

fn run(run: &mut Run) -> Result<(), Finding> {
    let (mut churn, mut first) = (Churn::new()?, None);
    while let Some(number) = run.case() {
        first.get_or_insert(number);
        guarded(|| churn.step(number))
            .map_err(|why| format!("operation {number} from {first:?} on: {why}"))?;
        run.executions += 1;
    }
    churn.check()?;
    run.told = format!("at most {} agents at once, {} now", churn.most, churn.count);
    Ok(())
}

impl Churn {
    fn new() -> Result<Self, String> {
        let module = own::module(&[("main.pleach".to_owned(), TREES.to_owned())].into())?;
        let bytes = emit::emit(&module, "churn", None).map_err(|error| error.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let program = Program::link(&image, &Busy).map_err(|error| error.to_string())?;
        let mark = program.variable("mark").ok_or("it is declared")?;
        Ok(Self { crowd: Crowd::new(&program), mark, model: Vec::new(), count: 0, gone: Vec::new(), most: 0 })
    }

    fn step(&mut self, number: u64) -> Result<(), String> {
        let mut draws = Draws::seeded(hash([number, 0xc4]));
        // The tide turns now and then.
        let rising = (number / 5_000).is_multiple_of(2);
        match draws.below(16) {
            0 => self.stale(&mut draws)?,
            1 | 2 => self.switch(&mut draws)?,
            3..=11 if rising == draws.one_in(4) => self.despawn(&mut draws)?,
            _ if self.count < MOST => self.spawn(number as i32, &mut draws)?,
            _ => self.despawn(&mut draws)?,
        }
        if number.is_multiple_of(2_000) {
            self.check()?;
        }
        Ok(())
    }

    fn spawn(&mut self, mark: i32, draws: &mut Draws) -> Result<(), String> {
        let agent = self.crowd.spawn(draws.pick(&ENTRIES)).map_err(|error| error.to_string())?;
        self.crowd.set(agent, self.mark, mark).map_err(|error| error.to_string())?;
        if agent.index() >= self.model.len() {
            self.model.resize(agent.index() + 1, None);
        }
        if let Some(old) = self.model[agent.index()].replace((agent, mark)) {
            return Err(format!("{agent:?} has the index of {old:?}"));
        }
        self.count += 1;
        self.most = self.most.max(self.count);
        Ok(())
    }

    /// Returns one of the existing agents.
    fn any(&self, draws: &mut Draws) -> Option<(Agent, i32)> {
        let from = draws.below(self.model.len().max(1));
        self.model.iter().cycle().skip(from).take(self.model.len()).flatten().next().copied()
    }

    fn despawn(&mut self, draws: &mut Draws) -> Result<(), String> {
        let Some((agent, _)) = self.any(draws) else { return Ok(()) };
        self.crowd.despawn(agent, 0, &mut Busy).map_err(|StaleAgent| "it is there".to_owned())?;
        self.model[agent.index()] = None;
        self.count -= 1;
        if self.gone.len() < GONE {
            self.gone.push(agent);
        } else {
            self.gone[draws.below(GONE)] = agent;
        }
        Ok(())
    }

    fn switch(&mut self, draws: &mut Draws) -> Result<(), String> {
        let Some((agent, _)) = self.any(draws) else { return Ok(()) };
        let entry = draws.pick(&ENTRIES);
        self.crowd.switch(agent, entry, 0, &mut Busy).map_err(|error| error.to_string())
    }

    /// Checks that a handle of an agent that is gone is refused, whichever agent has its place.
    fn stale(&mut self, draws: &mut Draws) -> Result<(), String> {
        let Some(agent) = self.gone.get(draws.below(GONE)).copied() else { return Ok(()) };
        let crowd = &mut self.crowd;
        let refused = crowd.despawn(agent, 0, &mut Busy) == Err(StaleAgent)
            && crowd.reset(agent, 0, &mut Busy) == Err(StaleAgent)
            && crowd.switch(agent, "one", 0, &mut Busy) == Err(SwitchError::Stale)
            && crowd.tick_agent(agent, 0, &mut Busy, &mut ()) == Err(StaleAgent)
            && crowd.outcome(agent) == Err(StaleAgent)
            && crowd.get::<i32>(agent, self.mark).is_err()
            && crowd.place(agent).is_err();
        if refused { Ok(()) } else { Err(format!("{agent:?} is gone, and was taken")) }
    }

    /// Checks that all agents exist, each with its number, in a place of its own, and that there
    /// are no more chunks than were ever needed.
    fn check(&mut self) -> Result<(), String> {
        let mut places = std::collections::BTreeSet::new();
        for (agent, mark) in self.model.iter().flatten() {
            let found: Result<i32, _> = self.crowd.get(*agent, self.mark);
            if found != Ok(*mark)
                || !places.insert(self.crowd.place(*agent).map_err(|error| error.to_string())?)
            {
                return Err(format!("{agent:?} carries {found:?}, not {mark}"));
            }
        }
        let mut handles: Vec<_> = self.crowd.agents().collect();
        handles.sort_unstable();
        let must: Vec<_> = self.model.iter().flatten().map(|(agent, _)| *agent).collect();
        // The handles ascend with their indices.
        if handles != must || self.crowd.len() != self.count {
            return Err(format!("{} agents, not {}", handles.len(), self.count));
        }
        let tally = self.crowd.tick(0, &mut Busy);
        if tally.total() as usize != self.count {
            return Err(format!("{} were ticked of {}", tally.total(), self.count));
        }
        let chunks = ENTRIES.len() * self.most.div_ceil(256);
        if self.crowd.columns().chunks() > chunks {
            return Err(format!("{} chunks for at most {} agents", self.crowd.columns().chunks(), self.most));
        }
        Ok(())
    }
}
