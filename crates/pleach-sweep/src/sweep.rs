//! Sweeps: a plan with its program. Rows and shards are pure functions of a sweep and a number.

use crate::cell::{Cell, Column, ColumnKind};
use crate::digest::digest;
use crate::game::{ScriptedGame, SweepGame};
use crate::happenings::Happenings;
use crate::metrics::{Measured, Metrics};
use crate::parquet_file::{self, Footer};
use crate::plan::{LeafAnswers, Plan, PlannedLeaf, PlannedName, Settings};
use crate::scripted::ScriptedHost;
use crate::section::{PlanError, Value};
use crate::target::{FittingValue, Target};
use pleach::{Crowd, Function, Image, Program};
use pleach_image::splitmix::mix;
use pleach_image::suggest::{KnownNames, closest, hint};
use std::any::Any;
use std::borrow::Cow;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Number of times that a row or a file is tried.
pub(crate) const ATTEMPTS: u32 = 3;
/// Largest number of columns of a table.
const MOST_COLUMNS: usize = 10_000;
/// Largest number of cells of a shard.
const MOST_CELLS: u64 = 10_000_000;
/// Largest number of words of the sets of running nodes of all agents of a crowd.
const MOST_SETS: u64 = 1 << 27;
/// Version that is part of the run id.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Plan with its program. All names are resolved.
#[derive(Clone, Debug)]
pub struct Sweep {
    plan: Plan,
    image: Image,
    program: Program,
    tree: String,
    run_id: String,
    names: Vec<(PlannedName, Target)>,
    metrics: Metrics,
    columns: Vec<Column>,
    host: ScriptedHost,
    happenings: Happenings,
}

/// Setting and seed of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Number of the setting, from 0.
    pub number: u64,
    /// Values by name.
    pub values: Vec<(String, Cell)>,
    /// Seed of the row.
    pub seed: u64,
}

/// Stop of a sweep before its end, because the user wants so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Reason why an attempt at a row has failed.
enum Failed {
    Stopped,
    Because(String),
}

impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

/// Returns true if a sweep should stop. It is asked before each tick.
pub type Stop<'s> = dyn Fn() -> bool + Sync + 's;

/// Makes the game of a row.
pub type GameMaker<'g, G> = dyn Fn(&Setting) -> Result<G, String> + Sync + 'g;

impl Sweep {
    /// Resolves the names of a plan in an image. `text` is the text of the plan. `game` names the
    /// game that answers if it is another one than the plan's. Both are part of the run id.
    ///
    /// # Errors
    /// The first name that the image does not have, or value that does not fit.
    pub fn new(plan: Plan, text: &str, image: &Image, game: &str) -> Result<Self, PlanError> {
        let mut host = ScriptedHost::new(image, 0).with_step(plan.step);
        for leaf in &plan.leaves {
            script(&mut host, leaf)?;
        }
        let linked = Program::link(image, &host);
        let program = linked.map_err(|why| PlanError::new(1, why.to_string()))?;
        let tree = tree(&plan, image)?;
        let names = resolve(&plan.settings, image, &program)?;
        let metrics = Metrics::new(&plan.metrics, image, &program)?;
        let columns = columns(&names, &metrics)?;
        let happenings = Happenings::new(image, &program);
        let mut parts = vec![VERSION.as_bytes(), game.as_bytes(), text.as_bytes(), image.bytes()];
        parts.extend(plan.settings_digest.as_deref().map(str::as_bytes));
        let run_id = digest(&parts);
        let image = image.clone();
        let sweep = Self { plan, image, program, tree, run_id, names, metrics, columns, host, happenings };
        sweep.check_memory()?;
        sweep.check_values()?;
        Ok(sweep)
    }

    /// Returns the plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the name of the tree that agents run.
    #[must_use]
    pub fn tree(&self) -> &str {
        &self.tree
    }

    /// Returns the hash of the plan's text, its file of settings, the image, the version of Pleach
    /// and the name of the game.
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Returns the columns of the table.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the numbers of the rows of a shard.
    #[must_use]
    pub fn rows_of(&self, shard: u32) -> Range<u64> {
        let (each, rows) = (self.plan.shard_rows(), self.plan.rows());
        let first = (u64::from(shard) * each).min(rows);
        first..(first + each).min(rows)
    }

    /// Returns the game of a row that the plan describes.
    ///
    /// # Errors
    /// None. The type is that of a [`GameMaker`].
    pub fn scripted(&self, setting: &Setting) -> Result<ScriptedGame, String> {
        let host = self.host.with_seed(host_seed(setting.seed));
        Ok(ScriptedGame::new(&self.program, setting.seed, host, self.happenings.clone()))
    }

    /// Computes the rows of a shard. A row that fails three times has its error in the last column.
    ///
    /// # Errors
    /// If `stop` has returned true.
    pub fn shard<G: SweepGame>(
        &self,
        shard: u32,
        make: &GameMaker<'_, G>,
        stop: &Stop<'_>,
    ) -> Result<Vec<Vec<Cell>>, Stopped> {
        self.rows_of(shard).map(|row| self.row(row, make, stop)).collect()
    }

    /// Returns the bytes of the file of a shard with these rows.
    ///
    /// # Errors
    /// If the rows are not those of the sweep's columns.
    pub fn encode(&self, shard: u32, rows: &[Vec<Cell>]) -> Result<Vec<u8>, String> {
        let footer = Footer { run_id: self.run_id.clone(), shard, rows: rows.len() as u64 };
        parquet_file::encode(&self.columns, rows, &footer)
            .map_err(|why| format!("cannot encode shard {shard}: {why}"))
    }

    /// Computes a row.
    fn row<G: SweepGame>(
        &self,
        row: u64,
        make: &GameMaker<'_, G>,
        stop: &Stop<'_>,
    ) -> Result<Vec<Cell>, Stopped> {
        let seeds = self.plan.seeds.count();
        let (number, seed) = (row / seeds, self.plan.seeds.at(row % seeds));
        let mut cells = vec![Cell::Integer(number as i64)];
        // All values fit, or the sweep would not have been made.
        let values = self.values(number).unwrap_or_default();
        cells.extend(values.iter().map(|value| value.cell.clone()));
        cells.push(Cell::Integer(seed as i64));
        let named =
            self.names.iter().zip(&values).map(|((name, _), it)| (name.name.clone(), it.cell.clone()));
        let setting = Setting { number, values: named.collect(), seed };
        let mut why = String::new();
        for _ in 0..ATTEMPTS {
            match catch_unwind(AssertUnwindSafe(|| self.try_row(&setting, &values, make, stop))) {
                Ok(Ok(metrics)) => {
                    cells.extend(metrics);
                    cells.push(Cell::Null);
                    return Ok(cells);
                }
                Ok(Err(Failed::Stopped)) => return Err(Stopped),
                Ok(Err(Failed::Because(error))) => why = error,
                Err(panic) => why = format!("panic: {}", panicked(&*panic)),
            }
        }
        cells.resize(self.columns.len() - 1, Cell::Null);
        cells.push(Cell::Text(why));
        Ok(cells)
    }

    /// Runs the crowd of a row. Returns its metrics.
    fn try_row<G: SweepGame>(
        &self,
        setting: &Setting,
        values: &[FittingValue],
        make: &GameMaker<'_, G>,
        stop: &Stop<'_>,
    ) -> Result<Vec<Cell>, Failed> {
        let mut game = make(setting)?;
        game.with_crowd(|crowd| self.begin(crowd, values))??;
        let mut measured = Measured::new(&self.metrics, &self.image, self.plan.agents as usize);
        for tick in 1..=self.plan.ticks {
            if stop() {
                return Err(Failed::Stopped);
            }
            let now = i64::from(tick) * self.plan.step;
            let tally = game.tick(tick, now, measured.statistics.as_mut())?;
            game.with_crowd(|crowd| measured.ticked(crowd, tick, now, tally))?;
        }
        Ok(game.with_crowd(|crowd| measured.cells(crowd))?)
    }

    /// Spawns the agents, and gives variables the values of the setting.
    fn begin(&self, crowd: &mut Crowd, values: &[FittingValue]) -> Result<(), String> {
        for _ in 0..self.plan.agents {
            crowd.spawn(&self.tree).map_err(|why| why.to_string())?;
        }
        self.names.iter().zip(values).try_for_each(|((_, target), value)| target.set(crowd, value))
    }

    /// Returns the values of a setting.
    fn values(&self, setting: u64) -> Result<Vec<FittingValue>, String> {
        let mut values: Vec<FittingValue> = Vec::with_capacity(self.names.len());
        match &self.plan.settings {
            Settings::File(..) => {}
            Settings::List(_, list) => {
                for ((_, target), value) in self.names.iter().zip(&list[setting as usize].1) {
                    values.push(target.fit(value, &self.image)?);
                }
            }
            Settings::Axes(axes) => {
                let mut rest = setting;
                // The last axis changes first.
                for ((_, target), (_, axis)) in self.names.iter().zip(axes).rev() {
                    values.push(target.fit(&axis.at(rest % axis.count()), &self.image)?);
                    rest /= axis.count();
                }
                values.reverse();
            }
        }
        Ok(values)
    }

    /// Makes sure that a shard and the counts of a row fit in memory.
    fn check_memory(&self) -> Result<(), PlanError> {
        let cells = self.plan.shard_rows().min(self.plan.rows()) * self.columns.len() as u64;
        if cells > MOST_CELLS {
            let why = format!(
                "a shard has {cells} cells, and at most {MOST_CELLS} are allowed: set `shard` to fewer rows"
            );
            return Err(PlanError::new(1, why));
        }
        let sets = u64::from(self.plan.agents) * (u64::from(self.image.meta().nodes) / 64 + 1);
        match self.plan.metrics.counts_nodes.filter(|_| sets > MOST_SETS) {
            Some(line) => Err(PlanError::new(
                line,
                format!(
                    "nodes of {} agents cannot be counted in a program with {} nodes: use fewer agents",
                    self.plan.agents,
                    self.image.meta().nodes
                ),
            )),
            None => Ok(()),
        }
    }

    /// Makes sure that all values fit.
    fn check_values(&self) -> Result<(), PlanError> {
        let check = |line: u32, (name, target): &(PlannedName, Target), value: &Value| {
            let failed = |why| PlanError::new(line, format!("{value} does not fit `{}`: {why}", name.name));
            target.fit(value, &self.image).map(drop).map_err(failed)
        };
        let is_file = self.plan.settings_digest.is_some();
        match &self.plan.settings {
            Settings::File(..) => Ok(()),
            Settings::List(_, list) => {
                list.iter().zip(1..).try_for_each(|((line, values), row): (_, u64)| {
                    let checked =
                        self.names.iter().zip(values).try_for_each(|(name, value)| check(*line, name, value));
                    checked.map_err(|error| match is_file {
                        true => PlanError::new(error.line, format!("setting {row}: {}", error.message)),
                        false => error,
                    })
                })
            }
            Settings::Axes(axes) => self.names.iter().zip(axes).try_for_each(|(name, (planned, axis))| {
                (0..axis.count()).try_for_each(|number| check(planned.line, name, &axis.at(number)))
            }),
        }
    }
}

/// Returns the seed of the host of a row. Answers depend on `seed ^ agent`, so with seeds such as 1
/// and 2 the agents would have the same answers in another order.
fn host_seed(seed: u64) -> u64 {
    mix(seed)
}

/// Returns the message of a panic.
fn panicked(panic: &(dyn Any + Send)) -> Cow<'_, str> {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").into()
}

/// Returns the tree that agents run.
fn tree(plan: &Plan, image: &Image) -> Result<String, PlanError> {
    let entries = || image.entries().iter().map(|entry| image.name(entry.name));
    if let Some((line, tree)) = &plan.tree {
        let known = || KnownNames::near(tree, entries());
        return match image.entry(tree) {
            Some(_) => Ok(tree.clone()),
            None => Err(PlanError::new(*line, format!("the program has no tree `{tree}`; {}", known()))),
        };
    }
    let stem = Path::new(&plan.program).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let named = entries().find(|name| *name == stem).or_else(|| entries().next());
    named.map(str::to_owned).ok_or_else(|| PlanError::new(1, "the program has no tree that agents can run"))
}

/// Finds the names that settings give values to.
fn resolve(
    settings: &Settings,
    image: &Image,
    program: &Program,
) -> Result<Vec<(PlannedName, Target)>, PlanError> {
    let names: Vec<&PlannedName> = match settings {
        Settings::Axes(axes) => axes.iter().map(|(name, _)| name).collect(),
        Settings::List(names, _) => names.iter().collect(),
        Settings::File(line, path) => {
            return Err(PlanError::new(*line, format!("the settings of {path} have not been read")));
        }
    };
    let find = |name: &PlannedName| match Target::find(&name.name, image, program) {
        Ok(target) => Ok((name.clone(), target)),
        Err(why) => Err(PlanError::new(name.line, why)),
    };
    names.into_iter().map(find).collect()
}

fn columns(names: &[(PlannedName, Target)], metrics: &Metrics) -> Result<Vec<Column>, PlanError> {
    let column = |name: &str, kind| Column { name: name.to_owned(), kind };
    let mut columns = vec![column("setting", ColumnKind::Integer)];
    columns.extend(names.iter().map(|(name, target)| column(&name.name, target.column())));
    columns.push(column("seed", ColumnKind::Integer));
    columns.extend(metrics.columns());
    columns.push(column("error", ColumnKind::Text));
    if columns.len() > MOST_COLUMNS {
        return Err(PlanError::new(1, format!("the table has more than {MOST_COLUMNS} columns")));
    }
    let mut sorted: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(columns),
        Some(pair) => {
            Err(PlanError::new(1, format!("the table would have two columns with the name `{}`", pair[0])))
        }
    }
}

/// Lets a leaf answer as the plan says.
fn script(host: &mut ScriptedHost, leaf: &PlannedLeaf) -> Result<(), PlanError> {
    let kind = match leaf.answers {
        LeafAnswers::Action(_) => Function::Action,
        LeafAnswers::Chance(_) | LeafAnswers::Numbers(_) => Function::Query,
    };
    let Some(function) = host.functions().find(kind, &leaf.name) else {
        return Err(PlanError::new(leaf.line, unknown_leaf(host, kind, &leaf.name)));
    };
    match &leaf.answers {
        LeafAnswers::Action(action) => host.script_action(function, *action),
        LeafAnswers::Chance(chance) => host.script_chance(function, *chance),
        LeafAnswers::Numbers(answers) => host.script_answers(function, answers.clone()),
    }
    Ok(())
}

fn unknown_leaf(host: &ScriptedHost, kind: Function, name: &str) -> String {
    let (what, other, keys) = match kind {
        Function::Action => ("action", Function::Query, "`chance` or `answers`"),
        _ => ("query", Function::Action, "`success`, `failure` or `ticks`"),
    };
    if host.functions().find(other, name).is_some() {
        return format!("`{name}` is no {what}: set {keys}");
    }
    let names = host.functions().iter().filter(|(of, _)| *of == kind).map(|(_, name)| name);
    format!("the program calls no {what} `{name}`{}", hint(closest(name, names)))
}
