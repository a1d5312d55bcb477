//! Plans: the file that says what a sweep runs. `spec/sweep.md` describes all keys.

use crate::digest::digest;
use crate::leaves::{CallLimits, ScriptedAction};
use crate::scripted::STEP;
use crate::section::{Entry, PlanError, Section, Value, read};
use crate::settings_file::{self, MOST_ROWS};

/// Keys of a plan, outside of its sections.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "program", "dialect", "lenient", "folders", "manifests", "tree", "agents", "ticks", "step", "seeds",
    "shard", "axes", "settings", "host", "metrics",
];
/// Largest number of shards of a sweep.
pub(crate) const MOST_SHARDS: u64 = 100_000;
/// Largest number of bytes of a plan.
pub(crate) const MOST_BYTES: usize = 1 << 24;
/// Number of agent-ticks of a shard, if the plan does not say how many rows it has.
const SHARD_WORK: u64 = 1_000_000_000;
/// Least number of shards for which there are enough rows, if the plan does not say.
const SHARDS: u64 = 64;
/// Largest number of agents of a crowd.
const MOST_AGENTS: i64 = 10_000_000;
/// Largest magnitude of an end of an axis.
const MOST_END: f64 = 1e290;
/// Longest time from one tick to the next.
const MOST_STEP: i64 = 3_600_000;

/// Plan of a sweep, as it is written. The names in it are not resolved yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Path of the program, relative to the folder of the plan.
    pub program: String,
    /// Language of the program, if its files do not tell.
    pub dialect: Option<String>,
    /// True if mistakes that the language's own engine ignores are accepted.
    pub lenient: bool,
    /// Folders to search for trees and included files, relative to the folder of the plan.
    pub folders: Vec<String>,
    /// Paths of manifests, relative to the folder of the plan.
    pub manifests: Vec<String>,
    /// Name of the tree that agents run, with its line.
    pub tree: Option<(u32, String)>,
    /// Number of agents of a crowd.
    pub agents: u32,
    /// Number of ticks.
    pub ticks: u32,
    /// Time from one tick to the next.
    pub step: i64,
    /// Seeds.
    pub seeds: Seeds,
    /// Number of rows of a shard, if the plan says so.
    shard: Option<u64>,
    pub(crate) settings: Settings,
    /// Hash of the file that the settings were read from.
    pub(crate) settings_digest: Option<String>,
    pub(crate) leaves: Vec<PlannedLeaf>,
    pub(crate) metrics: PlannedMetrics,
}

/// Seeds of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Seeds in the order of a list.
    List(Vec<u64>),
    /// All seeds from the first to the last.
    Range(u64, u64),
}

impl Seeds {
    /// Returns the number of seeds, which is at least 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::List(list) => list.len() as u64,
            Self::Range(first, last) => last - first + 1,
        }
    }

    /// Returns the seed with a number below [`Seeds::count`].
    #[must_use]
    pub fn at(&self, number: u64) -> u64 {
        match self {
            Self::List(list) => list[number as usize],
            Self::Range(first, _) => first + number,
        }
    }
}

/// Name that the settings give values to, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedName {
    pub(crate) line: u32,
    pub(crate) name: String,
}

/// Settings of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Settings {
    /// All combinations of the values of axes. The last axis changes first.
    Axes(Vec<(PlannedName, Axis)>),
    /// Settings one by one: the names, then the values of each setting in their order, with lines.
    List(Vec<PlannedName>, Vec<(u32, Vec<Value>)>),
    /// File of settings that has not been read yet: the line and the path.
    File(u32, String),
}

/// Values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Axis {
    List(Vec<Value>),
    Range { from: f64, to: f64, steps: u64 },
}

impl Axis {
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::List(list) => list.len() as u64,
            Self::Range { steps, .. } => *steps,
        }
    }

    pub(crate) fn at(&self, number: u64) -> Value {
        match self {
            Self::List(list) => list[number as usize].clone(),
            Self::Range { from, to, steps } => {
                // Both ends are exact, and whole numbers stay whole as far as the distances are.
                let last = (steps - 1).max(1) as f64;
                Value::Number((from * (last - number as f64) + to * number as f64) / last)
            }
        }
    }
}

/// Answers of a leaf, with the line and the name of the leaf.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedLeaf {
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) answers: LeafAnswers,
}

/// Answers of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LeafAnswers {
    Action(ScriptedAction),
    Chance(f64),
    Numbers(Vec<f64>),
}

/// Metrics of a plan. Names are those of variables and nodes, each with its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlannedMetrics {
    pub(crate) outcomes: bool,
    pub(crate) variables: Vec<PlannedName>,
    pub(crate) first_success: bool,
    pub(crate) time: Vec<PlannedName>,
    pub(crate) changes: bool,
    pub(crate) transitions: Vec<(PlannedName, String)>,
    /// Number of ticks after which an agent without a change is stuck.
    pub(crate) stuck: Option<u32>,
    pub(crate) coverage: bool,
    /// Percents.
    pub(crate) quantiles: Vec<u32>,
    /// Line of the metrics that count nodes, if there are any.
    pub(crate) counts_nodes: Option<u32>,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// The first problem, with its line.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        if text.len() > MOST_BYTES {
            return Err(PlanError::new(1, format!("the plan has more than {MOST_BYTES} bytes")));
        }
        read(text, |plan| Self::of(&plan))
    }

    /// Returns the path of the file of settings that the plan needs, relative to the folder of the
    /// plan; `None` if the plan has its settings.
    #[must_use]
    pub fn settings_file(&self) -> Option<&str> {
        match &self.settings {
            Settings::File(_, path) => Some(path),
            _ => None,
        }
    }

    /// Reads the settings from the bytes of the file that [`Plan::settings_file`] names.
    ///
    /// # Errors
    /// If the bytes are no table of settings, or there are too many.
    pub fn with_settings(mut self, bytes: &[u8]) -> Result<Self, PlanError> {
        let Settings::File(line, path) = self.settings else { return Ok(self) };
        self.settings_digest = Some(digest(&[bytes]));
        let failed = |why| PlanError::new(line, format!("cannot read settings from {path}: {why}"));
        let (names, rows) = settings_file::read(bytes).map_err(failed)?;
        let names = names.into_iter().map(|name| PlannedName { line, name }).collect();
        self.settings = Settings::List(names, rows.into_iter().map(|row| (line, row)).collect());
        self.check_size()?;
        Ok(self)
    }

    fn of(plan: &Section<'_>) -> Result<Self, PlanError> {
        plan.only(KEYS)?;
        let missing = || PlanError::new(1, "the plan has no `program`: name a tree or an image");
        let rows = 1..=MOST_ROWS as i64;
        let read = Self {
            program: plan.get("program").ok_or_else(missing)?.string()?.to_owned(),
            dialect: plan.get("dialect").map(|dialect| Ok(dialect.string()?.to_owned())).transpose()?,
            lenient: plan.flag_or("lenient", false)?,
            folders: plan.get("folders").map_or(Ok(Vec::new()), paths)?,
            manifests: plan.get("manifests").map_or(Ok(Vec::new()), paths)?,
            tree: plan.get("tree").map(|tree| Ok((tree.line, tree.string()?.to_owned()))).transpose()?,
            agents: plan.integer_or("agents", 1..=MOST_AGENTS, 1000)? as u32,
            ticks: plan.integer_or("ticks", 1..=u32::MAX.into(), 1000)? as u32,
            step: plan.integer_or("step", 1..=MOST_STEP, STEP)?,
            seeds: plan.get("seeds").map_or(Ok(Seeds::List(vec![1])), seeds)?,
            shard: plan.get("shard").map(|shard| shard.integer(rows)).transpose()?.map(|rows| rows as u64),
            settings: settings(plan)?,
            settings_digest: None,
            leaves: plan.below("host")?.entries().iter().map(leaf).collect::<Result<_, _>>()?,
            metrics: PlannedMetrics::of(&plan.below("metrics")?)?,
        };
        read.check_size()?;
        Ok(read)
    }

    /// Makes sure that there are not too many rows and shards.
    fn check_size(&self) -> Result<(), PlanError> {
        let line = |names: &[PlannedName]| names.first().map_or(1, |name| name.line);
        let (settings, line) = match &self.settings {
            Settings::Axes(axes) => {
                let product =
                    axes.iter().try_fold(1_u64, |product, (_, axis)| product.checked_mul(axis.count()));
                (product, axes.first().map_or(1, |(name, _)| name.line))
            }
            Settings::List(names, list) => (Some(list.len() as u64), line(names)),
            // They are counted when they are read.
            Settings::File(..) => return Ok(()),
        };
        let rows = settings.and_then(|count| count.checked_mul(self.seeds.count()));
        match rows.filter(|rows| *rows <= MOST_ROWS) {
            None => {
                let found = rows.map_or("more than 2^64".to_owned(), |rows| rows.to_string());
                Err(PlanError::new(
                    line,
                    format!(
                        "settings times seeds are {found} rows, and at most {MOST_ROWS} are allowed: \
                         use fewer values, or several plans"
                    ),
                ))
            }
            Some(rows) if rows.div_ceil(self.shard_rows()) > MOST_SHARDS => Err(PlanError::new(
                line,
                format!("there are more than {MOST_SHARDS} shards: set `shard` to more rows"),
            )),
            Some(_) => Ok(()),
        }
    }

    /// Returns the number of settings.
    pub(crate) fn settings(&self) -> u64 {
        match &self.settings {
            Settings::Axes(axes) => axes.iter().map(|(_, axis)| axis.count()).product(),
            Settings::List(_, list) => list.len() as u64,
            Settings::File(..) => 1,
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.settings() * self.seeds.count()
    }

    /// Returns the number of rows of a shard.
    #[must_use]
    pub fn shard_rows(&self) -> u64 {
        let rows = self.rows();
        let work = SHARD_WORK / (u64::from(self.agents) * u64::from(self.ticks));
        let ruled = work.clamp(1, rows.div_ceil(SHARDS)).max(rows.div_ceil(MOST_SHARDS));
        self.shard.unwrap_or(ruled)
    }

    /// Returns the number of shards.
    #[must_use]
    pub fn shards(&self) -> u32 {
        self.rows().div_ceil(self.shard_rows()) as u32
    }
}

fn paths(entry: &Entry<'_>) -> Result<Vec<String>, PlanError> {
    entry.list()?.iter().map(|path| Ok(path.string()?.to_owned())).collect()
}

fn seeds(entry: &Entry<'_>) -> Result<Seeds, PlanError> {
    if entry.is_list() {
        let list: Vec<u64> = entry
            .list()?
            .iter()
            .map(|seed| Ok(seed.integer(0..=i64::MAX)? as u64))
            .collect::<Result<_, PlanError>>()?;
        return if list.is_empty() { Err(entry.error("`seeds` is empty")) } else { Ok(Seeds::List(list)) };
    }
    let usage = || entry.error("`seeds` is a list, such as [1, 2, 3], or a range, such as \"1..100\"");
    let (first, last) = entry.string().ok().and_then(|text| text.split_once("..")).ok_or_else(usage)?;
    let seed = |text: &str| text.trim().parse().ok().filter(|seed| *seed <= i64::MAX as u64);
    match (seed(first), seed(last)) {
        (Some(first), Some(last)) if first <= last => Ok(Seeds::Range(first, last)),
        _ => Err(usage()),
    }
}

fn settings(plan: &Section<'_>) -> Result<Settings, PlanError> {
    match (plan.get("axes"), plan.get("settings")) {
        (Some(_), Some(settings)) => {
            Err(settings.error("a plan has either `axes` or `settings`: take one of them away"))
        }
        (None, Some(settings)) if settings.is_text() => {
            Ok(Settings::File(settings.line, settings.string()?.to_owned()))
        }
        (None, Some(settings)) => listed_settings(settings),
        (axes, None) => {
            let axes = axes.map(Entry::section).transpose()?;
            let entries = axes.iter().flat_map(|axes| axes.entries().iter());
            Ok(Settings::Axes(
                entries.map(|entry| Ok((name(entry), axis(entry)?))).collect::<Result<_, _>>()?,
            ))
        }
    }
}

fn name(entry: &Entry<'_>) -> PlannedName {
    PlannedName { line: entry.line, name: entry.key.to_owned() }
}

fn axis(entry: &Entry<'_>) -> Result<Axis, PlanError> {
    if entry.is_list() {
        let list: Vec<_> = entry.list()?.iter().map(Entry::value).collect::<Result<_, _>>()?;
        return if list.is_empty() {
            Err(entry.error(format!("the axis `{}` has no values", entry.key)))
        } else {
            Ok(Axis::List(list))
        };
    }
    let usage = || entry.error("an axis is a list of values or `{ from = A, to = B, steps = N }`");
    let range = entry.section().map_err(|_| usage())?;
    range.only(&["from", "to", "steps"])?;
    let (Some(from), Some(to), Some(steps)) = (range.get("from"), range.get("to"), range.get("steps")) else {
        return Err(usage());
    };
    let (from, to) = (axis_end(from)?, axis_end(to)?);
    Ok(Axis::Range { from, to, steps: steps.integer(1..=MOST_ROWS as i64)? as u64 })
}

/// Returns an end of an axis, so small that no product with a number of steps overflows.
fn axis_end(entry: &Entry<'_>) -> Result<f64, PlanError> {
    let end = entry.number()?;
    if end.abs() <= MOST_END { Ok(end) } else { Err(entry.error(format!("`{}` is beyond 1e290", entry.key))) }
}

fn listed_settings(entry: &Entry<'_>) -> Result<Settings, PlanError> {
    let rows = entry.list()?;
    let mut names: Vec<PlannedName> = Vec::new();
    let mut list = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        let section = row.section()?;
        if number == 0 {
            names = section.entries().iter().map(name).collect();
        }
        section.only(&names.iter().map(|name| name.name.as_str()).collect::<Vec<_>>())?;
        let value = |name: &PlannedName| match section.get(&name.name) {
            Some(entry) => entry.value(),
            None => Err(row.error(format!(
                "the setting has no `{}`, which the first setting has: all have the same names",
                name.name
            ))),
        };
        list.push((row.line, names.iter().map(value).collect::<Result<_, _>>()?));
    }
    if list.is_empty() { Err(entry.error("`settings` is empty")) } else { Ok(Settings::List(names, list)) }
}

fn leaf(entry: &Entry<'_>) -> Result<PlannedLeaf, PlanError> {
    let section = entry.section()?;
    section.only(&["success", "failure", "ticks", "chance", "answers"])?;
    let has = |key: &str| section.get(key).is_some();
    let is_action = has("success") || has("failure") || has("ticks");
    let answers = match (section.get("chance"), section.get("answers")) {
        (None, None) => LeafAnswers::Action(action(entry, &section)?),
        (Some(chance), None) if !is_action => LeafAnswers::Chance(chance.chance()?),
        (None, Some(list)) if !is_action => {
            let answers: Vec<f64> = list.list()?.iter().map(Entry::number).collect::<Result<_, _>>()?;
            if answers.is_empty() {
                return Err(list.error("`answers` is empty"));
            }
            LeafAnswers::Numbers(answers)
        }
        _ => {
            return Err(entry.error(format!(
                "`{}` has `success`, `failure` and `ticks` if it is an action, and either `chance` or \
                 `answers` if it is a query",
                entry.key
            )));
        }
    };
    Ok(PlannedLeaf { line: entry.line, name: entry.key.to_owned(), answers })
}

fn action(entry: &Entry<'_>, section: &Section<'_>) -> Result<ScriptedAction, PlanError> {
    let chance = |key: &str| section.get(key).map_or(Ok(0.25), Entry::chance);
    let (success, failure) = (chance("success")?, chance("failure")?);
    if success + failure > 1.0 {
        return Err(entry.error(format!(
            "the chances of success and failure are {success} and {failure}: their sum is at most 1, \
             and each is 0.25 if it is not given"
        )));
    }
    let limits =
        section.get("ticks").map_or(Ok(CallLimits { least: 1, most: None }), |ticks| {
            match &ticks.list()?[..] {
                [least, most] => {
                    let least = least.integer(1..=u32::MAX.into())?;
                    let most = most.integer(least..=u32::MAX.into())?;
                    Ok(CallLimits { least: least as u32, most: Some(most as u32) })
                }
                _ => Err(ticks.error("`ticks` is a list of two integers, such as [2, 5]")),
            }
        })?;
    Ok(ScriptedAction { success, failure, limits })
}

impl PlannedMetrics {
    fn of(section: &Section<'_>) -> Result<Self, PlanError> {
        section.only(&[
            "outcomes",
            "variables",
            "first_success",
            "time",
            "changes",
            "transitions",
            "stuck",
            "coverage",
            "quantiles",
        ])?;
        let names = |key: &str| section.get(key).map_or(Ok(Vec::new()), names);
        let mut metrics = Self {
            outcomes: section.flag_or("outcomes", true)?,
            variables: names("variables")?,
            first_success: section.flag_or("first_success", false)?,
            time: names("time")?,
            changes: section.flag_or("changes", false)?,
            transitions: section.get("transitions").map_or(Ok(Vec::new()), transitions)?,
            stuck: section
                .get("stuck")
                .map(|stuck| stuck.integer(1..=u32::MAX.into()))
                .transpose()?
                .map(|n| n as u32),
            coverage: section.flag_or("coverage", false)?,
            quantiles: section.get("quantiles").map_or(Ok(vec![10, 50, 90]), quantiles)?,
            counts_nodes: None,
        };
        let counts_nodes = metrics.changes
            || metrics.coverage
            || metrics.stuck.is_some()
            || !metrics.time.is_empty()
            || !metrics.transitions.is_empty();
        metrics.counts_nodes = counts_nodes.then_some(section.line);
        Ok(metrics)
    }
}

fn names(entry: &Entry<'_>) -> Result<Vec<PlannedName>, PlanError> {
    let name = |entry: &Entry<'_>| Ok(PlannedName { line: entry.line, name: entry.string()?.to_owned() });
    entry.list()?.iter().map(name).collect()
}

fn transitions(entry: &Entry<'_>) -> Result<Vec<(PlannedName, String)>, PlanError> {
    let pair = |pair: &Entry<'_>| match &names(pair)?[..] {
        [from, to] => Ok((from.clone(), to.name.clone())),
        _ => Err(pair.error("a transition is a pair of nodes, such as [\"walk\", \"shoot\"]")),
    };
    entry.list()?.iter().map(pair).collect()
}

fn quantiles(entry: &Entry<'_>) -> Result<Vec<u32>, PlanError> {
    entry.list()?.iter().map(|percent| Ok(percent.integer(0..=100)? as u32)).collect()
}
