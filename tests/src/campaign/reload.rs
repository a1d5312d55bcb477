//! Reloads of ten thousand running agents, and reloads that fail.
//!
//! Two crowds of the same agents run side by side. One is reloaded before each tick, from one build
//! of the program to another and back. Now and then a reload is tried that must fail. No agent may
//! be lost or duplicated, and each must be at the same place as in the other crowd.

use super::{Campaign, Finding, Run};
use crate::own;
use crate::random::check::guarded;
use crate::random::rebuilt::rebuilt;
use crate::random::steady::Steady;
use crate::random::{Case, language};
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, Image, Program};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;

pub(super) const RELOAD: Campaign = Campaign {
    name: "reload",
    about: "10,000 running agents reloaded before each tick, beside 10,000 that are not",
    unit: "reloads",
    goal: 1_000,
    short: 4,
    resumes: Some(String::new),
    run,
};

const AGENTS: usize = 10_000;
/// Reloads of a program, before it is another's turn.
const RELOADS: u64 = 100;
const MOST_WORK: u64 = 400;

fn run(run: &mut Run) -> Result<(), Finding> {
    let (mut programs, mut number) = (0, 0);
    let mut both: Option<Both> = None;
    while let Some(reload) = run.case() {
        if reload % RELOADS == 0 || both.is_none() {
            both = (reload + number..).find_map(|seed| {
                number += 1;
                Both::new(seed)
            });
            programs += 1;
        }
        let Some(both) = &mut both else { break };
        guarded(|| both.round(reload)).map_err(|why| format!("reload {reload} of {}: {why}", both.seed))?;
        run.executions += 1;
    }
    run.told = format!("{programs} programs, {AGENTS} agents each");
    Ok(())
}

/// A program in two builds and one that does not fit, and its crowds.
struct Both {
    seed: u64,
    builds: [Program; 2],
    unfit: Program,
    reloaded: Crowd,
    plain: Crowd,
    agents: Vec<Agent>,
}

impl Both {
    fn new(seed: u64) -> Option<Self> {
        let files = language::program(&Case::sized(seed, 8 + seed as usize % 24)).files;
        let mut module = own::module(&files.into_iter().collect()).ok()?;
        let first = linked(&module)?;
        rebuilt(&mut module);
        let second = linked(&module)?;
        let other = [("main.pleach".to_owned(), "action rest() tree elsewhere { action rest }".to_owned())];
        let unfit = linked(&own::module(&other.into()).ok()?)?;
        if first.bounds().instructions > MOST_WORK {
            return None;
        }
        let entries: Vec<String> = first.entries().map(str::to_owned).collect();
        let [mut reloaded, mut plain] = [(); 2].map(|()| Crowd::new(&first).with_seed(seed));
        let mut agents = Vec::with_capacity(AGENTS);
        for index in 0..AGENTS {
            let entry = &entries[index % entries.len()];
            agents.push(reloaded.spawn(entry).ok()?);
            plain.spawn(entry).ok()?;
        }
        Some(Self { seed, builds: [first, second], unfit, reloaded, plain, agents })
    }

    fn round(&mut self, reload: u64) -> Result<(), String> {
        let Self { builds, unfit, reloaded, plain, agents, .. } = self;
        let now = (reload % RELOADS) as i64;
        if reload.is_multiple_of(8) {
            refused(reloaded, unfit, now)?;
        }
        let build = &builds[usize::from(reload.is_multiple_of(2))];
        let report = reloaded
            .reload(build, ReloadPolicy::Places, now, &mut Steady)
            .map_err(|error| error.to_string())?;
        if (report.kept, report.reset.len()) != (agents.len(), 0) {
            return Err(report.to_string());
        }
        let [is, must] = [reloaded.tick(now, &mut Steady), plain.tick(now, &mut Steady)];
        if is != must {
            return Err(format!("{is:?}, not {must:?}"));
        }
        let differs = |agent: &&Agent| reloaded.outcome(**agent) != plain.outcome(**agent);
        match agents.iter().find(differs) {
            Some(agent) => Err(format!("{agent:?}: {:?}", reloaded.outcome(*agent))),
            None if reloaded.len() != agents.len() => Err(format!("{} agents", reloaded.len())),
            None => Ok(()),
        }
    }
}

fn linked(module: &Module) -> Option<Program> {
    let image = Image::copy(&emit::emit(module, "reload", None).ok()?).ok()?;
    Program::link(&image, &Steady).ok()
}

/// A reload that fails must change nothing.
fn refused(crowd: &mut Crowd, unfit: &Program, now: i64) -> Result<(), String> {
    let [mut before, mut after] = [Vec::new(), Vec::new()];
    crowd.snapshot(&mut before);
    let done = crowd.reload(unfit, ReloadPolicy::Places, now, &mut Steady);
    crowd.snapshot(&mut after);
    if done.is_ok() {
        Err("it fits".to_owned())
    } else {
        (before == after).then_some(()).ok_or_else(|| "a reload that failed has changed something".to_owned())
    }
}
