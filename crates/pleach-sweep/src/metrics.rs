//! Metrics of a run: what is counted during the ticks, and the cells that come of it.
//!
//! All of it is exact: counts are integers, and sums of numbers are built in the order of the
//! agents' indices. So a row has the same bits wherever it is computed.

use crate::cell::{Cell, Column, ColumnKind};
use crate::plan::PlannedMetrics;
use crate::section::PlanError;
use crate::target::Target;
use pleach::watch::Statistics;
use pleach::{Agent, Crowd, Image, Outcome, Program, Status, Tally};
use pleach_image::listing;
use pleach_image::suggest::hint;
use std::iter;

/// Metrics of a sweep, with all names resolved.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    outcomes: bool,
    variables: Vec<(String, Target)>,
    first_success: bool,
    /// Nodes of each name.
    time: Vec<(String, Vec<u32>)>,
    changes: bool,
    transitions: Vec<Transition>,
    stuck: Option<u32>,
    /// Nodes that are counted for the coverage, if it is asked for.
    coverage: Option<Vec<u32>>,
    quantiles: Vec<u32>,
    /// True if nodes are counted.
    counts_nodes: bool,
}

/// Change from some nodes to others.
#[derive(Clone, Debug)]
struct Transition {
    name: String,
    from: NodeSet,
    to: NodeSet,
}

/// Set of nodes: node `n` is bit `n % 64` of word `n / 64`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NodeSet(Vec<u64>);

impl NodeSet {
    fn of(nodes: &[u32], image: &Image) -> Self {
        let mut words = vec![0; image.meta().nodes as usize / 64 + 1];
        nodes.iter().for_each(|node| words[*node as usize / 64] |= 1 << (node % 64));
        Self(words)
    }

    /// Returns true if any of these nodes is in the set.
    fn meets(&self, nodes: &[u64]) -> bool {
        self.0.iter().zip(nodes).any(|(own, other)| own & other != 0)
    }
}

impl Metrics {
    /// Resolves the names of metrics.
    pub(crate) fn new(plan: &PlannedMetrics, image: &Image, program: &Program) -> Result<Self, PlanError> {
        let nodes = |line: u32, name: &str| {
            listing::nodes_named(image, name).map_err(|near| {
                let help = hint(near.as_deref());
                PlanError::new(line, format!("no tree has a node `{name}`{help}"))
            })
        };
        let mut variables = Vec::with_capacity(plan.variables.len());
        for name in &plan.variables {
            let target = Target::find(&name.name, image, program);
            let checked = target.and_then(|target| {
                let failed = |why| format!("`{}` has no metrics: {why}", name.name);
                target.check_number().map(|()| target).map_err(failed)
            });
            variables.push((name.name.clone(), checked.map_err(|why| PlanError::new(name.line, why))?));
        }
        let mut transitions = Vec::with_capacity(plan.transitions.len());
        for (from, to) in &plan.transitions {
            let set = |name: &str| Ok(NodeSet::of(&nodes(from.line, name)?, image));
            let name = format!("{}_to_{to}", from.name);
            transitions.push(Transition { name, from: set(&from.name)?, to: set(to)? });
        }
        let time = plan.time.iter().map(|name| Ok((name.name.clone(), nodes(name.line, &name.name)?)));
        let counted = || image.debug_counted_nodes().into_iter().collect();
        if let Some(line) = plan.counts_nodes.filter(|_| image.debug_node(1).is_none()) {
            let why = "the image has no debug information, so nodes cannot be counted: compile it with \
                       debug information";
            return Err(PlanError::new(line, why));
        }
        Ok(Self {
            outcomes: plan.outcomes,
            variables,
            first_success: plan.first_success,
            time: time.collect::<Result<_, PlanError>>()?,
            changes: plan.changes,
            transitions,
            stuck: plan.stuck,
            coverage: plan.coverage.then(counted),
            quantiles: plan.quantiles.clone(),
            counts_nodes: plan.counts_nodes.is_some(),
        })
    }

    /// Returns the columns of the metrics.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let mut names: Vec<String> = Vec::new();
        if self.outcomes {
            names.extend(["success", "failure", "running", "other", "fault"].map(str::to_owned));
        }
        for (name, target) in &self.variables {
            if target.is_of_agents() {
                names.extend(["mean", "sd", "min", "max"].map(|what| format!("{name}_{what}")));
                self.name_quantiles(name, &mut names);
            } else {
                names.push(format!("{name}_end"));
            }
        }
        if self.first_success {
            names.push("first_success_mean".to_owned());
            self.name_quantiles("first_success", &mut names);
            names.push("never_succeeded".to_owned());
        }
        names.extend(self.time.iter().map(|(name, _)| format!("time_{name}")));
        names.extend(self.changes.then(|| "changes".to_owned()));
        names.extend(self.transitions.iter().map(|transition| transition.name.clone()));
        names.extend(self.stuck.map(|_| "stuck".to_owned()));
        names.extend(self.coverage.as_ref().map(|_| "coverage".to_owned()));
        names.into_iter().map(|name| Column { name, kind: ColumnKind::Number }).collect()
    }

    fn name_quantiles(&self, name: &str, names: &mut Vec<String>) {
        names.extend(self.quantiles.iter().map(|percent| format!("{name}_p{percent}")));
    }

    /// Returns the values at the quantiles of ascending numbers; null if there are none.
    fn quantiles(&self, sorted: &[f64], cells: &mut Vec<Cell>) {
        cells.extend(self.quantiles.iter().map(|percent| quantile(sorted, *percent)));
    }
}

/// Returns the value with the number ⌈percent × count / 100⌉, and at least the first.
fn quantile(sorted: &[f64], percent: u32) -> Cell {
    let rank = (sorted.len() as u64 * u64::from(percent)).div_ceil(100).max(1);
    sorted.get(rank as usize - 1).map_or(Cell::Null, |number| Cell::Number(*number))
}

/// Counts of a run that goes on.
pub(crate) struct Measured<'m> {
    metrics: &'m Metrics,
    /// Number of agents at the beginning. Their indices are below this number.
    agents: usize,
    /// Counts of nodes, if they are needed.
    pub(crate) statistics: Option<Statistics>,
    outcomes: [u64; 5],
    agent_ticks: u64,
    /// Number of the first tick in which each agent succeeded, by index; 0 if there is none yet.
    first_success: Vec<u32>,
    paths: Paths,
}

/// Running nodes of all agents, and how they change.
#[derive(Default)]
struct Paths {
    /// Words of a set of nodes.
    words: usize,
    /// Agents that were ticked last, by their indices, which other agents can get later.
    agents: Vec<Option<Agent>>,
    /// Nodes that ran at the end of the agent's last tick, by the agents' indices.
    before: Vec<u64>,
    /// Number of ticks of the agent since the last change, by the agents' indices.
    same: Vec<u32>,
    changes: u64,
    transitions: Vec<u64>,
    stuck: u64,
}

impl<'m> Measured<'m> {
    /// Begins to count the agents of a crowd.
    pub(crate) fn new(metrics: &'m Metrics, image: &Image, agents: usize) -> Self {
        let words = (image.meta().nodes as usize + 1).div_ceil(64);
        let watches_paths = metrics.changes || metrics.stuck.is_some() || !metrics.transitions.is_empty();
        let watched = if watches_paths { agents } else { 0 };
        Self {
            metrics,
            agents,
            statistics: metrics.counts_nodes.then(|| Statistics::new(image)),
            outcomes: [0; 5],
            agent_ticks: 0,
            first_success: vec![0; if metrics.first_success { agents } else { 0 }],
            paths: Paths {
                words,
                agents: vec![None; watched],
                before: vec![0; watched * words],
                same: vec![0; watched],
                transitions: vec![0; metrics.transitions.len()],
                ..Paths::default()
            },
        }
    }

    /// Counts a tick that has ended. `now` is its time.
    pub(crate) fn ticked(&mut self, crowd: &Crowd, tick: u32, now: i64, tally: Tally) {
        self.agent_ticks += u64::from(tally.total());
        let counts = [tally.success, tally.failure, tally.running, tally.other, tally.faults];
        self.outcomes.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
        if tally.success > 0 {
            for (index, first) in self.first_success.iter_mut().enumerate().filter(|(_, first)| **first == 0)
            {
                let outcome = crowd.at(index).and_then(|agent| crowd.outcome(agent).ok()?);
                if outcome == Some(Outcome::Status(Status::Success)) {
                    *first = tick;
                }
            }
        }
        let Self { metrics, statistics: Some(statistics), paths, .. } = self else { return };
        for index in 0..paths.same.len() {
            // An agent that sleeps, or whose pace leaves out this tick, has not been counted now.
            let is_counted = |agent: &Agent| statistics.counted_at(*agent) == Some(now);
            if let Some(agent) = crowd.at(index).filter(is_counted) {
                paths.ticked(metrics, index, statistics, agent);
            }
        }
    }

    /// Returns the cells of the metrics, in the order of the columns.
    pub(crate) fn cells(&self, crowd: &Crowd) -> Vec<Cell> {
        let mut cells = Vec::new();
        let (metrics, agents) = (self.metrics, self.agents as u64);
        let share = |count: u64| share(count, self.agent_ticks);
        if metrics.outcomes {
            cells.extend(self.outcomes.iter().map(|count| share(*count)));
        }
        for (_, target) in &metrics.variables {
            let numbers = target.numbers(crowd);
            match target.is_of_agents() {
                true => metrics.spread(numbers, &mut cells),
                false => cells.push(numbers.first().map_or(Cell::Null, |number| Cell::Number(*number))),
            }
        }
        if metrics.first_success {
            self.successes(&mut cells);
        }
        for (_, nodes) in &metrics.time {
            let ticks =
                |node: &u32| self.statistics.as_ref().map_or(0, |statistics| statistics.of(*node).ticks);
            cells.push(share(nodes.iter().map(ticks).sum()));
        }
        let mean = |count: u64| self::share(count, agents);
        cells.extend(metrics.changes.then(|| mean(self.paths.changes)));
        cells.extend(self.paths.transitions.iter().map(|count| mean(*count)));
        cells.extend(metrics.stuck.map(|_| share(self.paths.stuck)));
        if let (Some(nodes), Some(statistics)) = (&metrics.coverage, &self.statistics) {
            let ran = nodes.iter().filter(|node| statistics.of(**node).entries > 0).count();
            cells.push(self::share(ran as u64, nodes.len() as u64));
        }
        cells
    }

    fn successes(&self, cells: &mut Vec<Cell>) {
        let mut firsts: Vec<u32> = self.first_success.iter().copied().filter(|first| *first > 0).collect();
        firsts.sort_unstable();
        let numbers: Vec<f64> = firsts.iter().map(|first| f64::from(*first)).collect();
        cells.push(share(firsts.iter().map(|first| u64::from(*first)).sum(), firsts.len() as u64));
        self.metrics.quantiles(&numbers, cells);
        let all = self.first_success.len() as u64;
        cells.push(share(all - firsts.len() as u64, all));
    }
}

impl Metrics {
    /// Returns mean, standard deviation, minimum, maximum and quantiles; null if there are no
    /// numbers.
    fn spread(&self, mut numbers: Vec<f64>, cells: &mut Vec<Cell>) {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / count;
        numbers.sort_by(f64::total_cmp);
        match (numbers.first(), numbers.last()) {
            (Some(least), Some(most)) => {
                cells.extend([mean, variance.sqrt(), *least, *most].map(Cell::Number));
            }
            _ => cells.extend(iter::repeat_n(Cell::Null, 4)),
        }
        self.quantiles(&numbers, cells);
    }
}

impl Paths {
    /// Compares the running nodes of an agent that was ticked with those of its tick before. In its
    /// first tick, nothing ran before, and nothing is a change.
    fn ticked(&mut self, metrics: &Metrics, index: usize, statistics: &Statistics, agent: Agent) {
        let now = statistics.running(agent);
        let before = &mut self.before[index * self.words..][..self.words];
        let is_first = self.agents[index].replace(agent) != Some(agent);
        let same = &mut self.same[index];
        if is_first {
            before.fill(0);
        }
        if !is_first && before == now {
            *same = same.saturating_add(1);
        } else {
            *same = 0;
            self.changes += u64::from(!is_first);
            for (count, transition) in self.transitions.iter_mut().zip(&metrics.transitions) {
                let (from, to) = (&transition.from, &transition.to);
                let left = from.meets(before) && !from.meets(now);
                *count += u64::from(left && to.meets(now) && !to.meets(before));
            }
            before.copy_from_slice(now);
        }
        let runs = now.iter().any(|word| *word != 0);
        self.stuck += u64::from(runs && metrics.stuck.is_some_and(|ticks| *same >= ticks));
    }
}

/// Returns a part of a whole; null if the whole is nothing.
fn share(part: u64, whole: u64) -> Cell {
    if whole == 0 { Cell::Null } else { Cell::Number(part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        let numbers: Vec<f64> = (1..=30).map(f64::from).collect();
        let at = |percent| quantile(&numbers, percent);
        assert_eq!([0, 10, 50, 100].map(at), [1.0, 3.0, 15.0, 30.0].map(Cell::Number));
        assert_eq!(quantile(&[], 50), Cell::Null);
    }
}
