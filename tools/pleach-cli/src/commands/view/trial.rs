//! Trial of edited trees: copies of some agents run with the saved trees and with the edited ones,
//! and what both did is counted. The running crowd is only copied.

use crate::args;
use crate::editing::{Trial, TrialNode, TrialSide};
use crate::failure::Failure;
use crate::input::Subject;
use crate::tuning::tuned_program;
use pleach::values::Outcome;
use pleach::watch::Statistics;
use pleach::{Agent, Crowd, Image, Program, Status};
use pleach_image::listing;
use pleach_sweep::{Happenings, ScriptedHost};
use std::collections::BTreeMap;

/// Maximum number of ticks.
const MAX_TICKS: usize = 600;
/// Maximum number of ticks of agents on each side.
const MAX_AGENT_TICKS: usize = 100_000;
/// Maximum number of agents.
const MAX_AGENTS: usize = 10_000;
/// Maximum number of nodes that are reported.
const MAX_NODES: usize = 100;

/// Moment at which a trial begins.
pub(super) struct TrialStart {
    state: Vec<u8>,
    /// Indices of the agents that are copied.
    chosen: Vec<usize>,
    tick: u32,
    now: i64,
}

impl TrialStart {
    /// Copies a share of a crowd: agents at equal distances, at least one.
    pub(super) fn new(crowd: &mut Crowd, percent: f64, tick: u32, now: i64) -> Self {
        let mut state = Vec::new();
        crowd.snapshot(&mut state);
        let all: Vec<usize> = crowd.agents().map(Agent::index).collect();
        let wanted = (all.len() as f64 * percent / 100.0).round() as usize;
        let count = wanted.clamp(1, MAX_AGENTS).min(all.len());
        let chosen = (0..count).map(|at| all[at * all.len() / count]).collect();
        Self { state, chosen, tick, now }
    }

    /// Runs the trial. Each side has the same agents, seed and times.
    pub(super) fn run(&self, saved: &Subject, edited: &Subject, args: &args::View) -> Result<Trial, Failure> {
        let ticks = (MAX_AGENT_TICKS / self.chosen.len().max(1)).min(MAX_TICKS) as u32;
        let mut sides = [Side::new(self, saved, args)?, Side::new(self, edited, args)?];
        let mut time = 0;
        for tick in 1..=ticks {
            for side in &mut sides {
                time = side.tick(self.tick.saturating_add(tick)) - self.now;
            }
        }
        let rows = rows(&sides);
        let differing = rows.len();
        let nodes = rows.into_iter().take(MAX_NODES).collect();
        let [saved, edited] = sides.map(|side| side.counts);
        Ok(Trial { agents: self.chosen.len(), ticks, time, saved, edited, nodes, differing })
    }
}

/// One of the two crowds of a trial.
struct Side<'s> {
    image: &'s Image,
    host: ScriptedHost,
    happenings: Happenings,
    crowd: Crowd,
    agents: Vec<Agent>,
    statistics: Statistics,
    counts: TrialSide,
}

impl<'s> Side<'s> {
    fn new(start: &TrialStart, subject: &'s Subject, args: &args::View) -> Result<Self, Failure> {
        let failed = |why: &dyn ToString| Failure::new(why.to_string());
        let image = &subject.image;
        let mut host = ScriptedHost::new(image, args.seed);
        let program = Program::link(image, &host).map_err(|why| failed(&why))?;
        let program = tuned_program(program, &args.tuning.values);
        let mut crowd = Crowd::new(&program).with_seed(args.seed);
        let report = crowd.migrate(&start.state).map_err(|why| failed(&why))?;
        let all: Vec<Agent> = crowd.agents().collect();
        let (mut agents, mut others) = (Vec::new(), Vec::new());
        for agent in all {
            let is_chosen = start.chosen.binary_search(&agent.index()).is_ok();
            if is_chosen { &mut agents } else { &mut others }.push(agent);
        }
        for agent in others {
            crowd.despawn(agent, start.now, &mut host).map_err(|why| failed(&why))?;
        }
        let reset = report.reset.iter().filter(|(agent, _)| agents.contains(agent)).count();
        let happenings = Happenings::new(image, &program);
        let counts = TrialSide { reset, ..TrialSide::default() };
        Ok(Self { image, host, happenings, crowd, agents, statistics: Statistics::new(image), counts })
    }

    /// Runs a tick, and returns its time.
    fn tick(&mut self, tick: u32) -> i64 {
        let now = self.host.begin(tick);
        for agent in self.agents.iter().filter(|_| self.happenings.are_any()) {
            let chance = self.host.chance(*agent);
            // The event is in the state of the crowd; its name is not needed.
            let _ = self.happenings.happen(&mut self.crowd, *agent, now, &mut self.host, chance);
        }
        self.crowd.tick_watched(now, &mut self.host, &mut self.statistics);
        for agent in &self.agents {
            let status = match self.crowd.outcome(*agent) {
                Ok(Some(Outcome::Status(Status::Failure))) => 0,
                Ok(Some(Outcome::Status(Status::Success))) => 1,
                Ok(Some(Outcome::Status(Status::Running))) => 2,
                Ok(Some(Outcome::Status(_))) => 3,
                Ok(Some(Outcome::Fault(_))) => 4,
                Ok(None) | Err(_) => continue,
            };
            self.counts.statuses[status] += 1;
        }
        now
    }

    /// Returns the counts of a node.
    fn of(&self, node: u32) -> [u64; 4] {
        let count = self.statistics.of(node);
        [count.entries, count.successes, count.failures, count.ticks]
    }

    /// Returns the nodes that stand in the source, by their stable keys.
    fn nodes(&self) -> BTreeMap<u64, u32> {
        let written = self.image.debug_counted_nodes().into_iter();
        written.filter_map(|node| Some((*self.image.keys().get(node as usize - 1)?, node))).collect()
    }

    fn row(&self, node: u32) -> TrialNode {
        let (file, line) = self.image.debug_node(node).map_or_else(Default::default, |debug| {
            (self.image.debug_text(debug.file).into_owned(), debug.line)
        });
        TrialNode { label: listing::label(self.image, node), file, line, saved: None, edited: None }
    }
}

/// Returns the nodes whose counts differ, those with the largest difference first.
fn rows([saved, edited]: &[Side<'_>; 2]) -> Vec<TrialNode> {
    let (of_saved, of_edited) = (saved.nodes(), edited.nodes());
    let mut rows = Vec::new();
    for (key, node) in &of_edited {
        let before = of_saved.get(key).map(|node| saved.of(*node));
        rows.push(TrialNode { saved: before, edited: Some(edited.of(*node)), ..edited.row(*node) });
    }
    for (_, node) in of_saved.iter().filter(|(key, _)| !of_edited.contains_key(key)) {
        rows.push(TrialNode { saved: Some(saved.of(*node)), ..saved.row(*node) });
    }
    rows.retain(|row| row.saved != row.edited);
    let weight = |row: &TrialNode| {
        let [one, other] = [&row.saved, &row.edited].map(|side| side.unwrap_or_default());
        (0..4).map(|at| one[at].abs_diff(other[at])).sum::<u64>()
    };
    rows.sort_by_key(|row| std::cmp::Reverse(weight(row)));
    rows
}
