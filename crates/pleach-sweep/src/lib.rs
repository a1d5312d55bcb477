//! Sweeps: one crowd run with many settings and seeds, and its results as tables.
//!
//! A [`Plan`] says what is run. With an image it becomes a [`Sweep`], whose names are resolved. A
//! sweep has rows, one for each setting and seed, and shards, which are ranges of rows. A shard is
//! a pure function of the sweep and its number, and its file in [`Results`] has the same bytes on
//! each machine. [`run`] runs all shards that are not done on threads. `spec/sweep.md` describes
//! plans and tables.
//!
//! No game runs: a [`ScriptedHost`] answers at random, but the same in each run. A [`SweepGame`]
//! takes its place if a game is there.
//!
//! ```no_run
//! use pleach_sweep::{Plan, Results, ShardPart, Sweep, run};
//!
//! let text = std::fs::read_to_string("balance.toml")?;
//! let plan = Plan::parse(&text)?;
//! let image = pleach::Image::load(&plan.program)?;
//! let sweep = Sweep::new(plan, &text, &image, "")?;
//! let results = Results::open(&sweep, "balance.results".as_ref())?;
//! let make = |setting: &_| sweep.scripted(setting);
//! let summary = run(&sweep, &results, ShardPart::ALL, 2, &make, &|| false, &mut |_| {})?;
//! assert_eq!(summary.failed_rows, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod compare;
mod digest;
mod functions;
mod game;
mod happenings;
mod leaves;
mod metrics;
mod parquet_file;
mod plan;
mod results;
mod run;
mod scripted;
mod section;
mod settings_file;
mod sweep;
mod target;

pub use cell::{Cell, Column, ColumnKind, csv_text, row_error};
pub use compare::{Comparison, compare};
pub use functions::Functions;
pub use game::{ScriptedGame, SweepGame};
pub use happenings::Happenings;
pub use leaves::{CallCounts, CallLimits, ScriptedAction};
pub use plan::{Plan, Seeds};
pub use results::Results;
pub use run::{ShardPart, Summary, run, sample};
pub use scripted::{AnswerCounts, InputWorth, ScriptedHost};
pub use section::{PlanError, Value};
pub use sweep::{GameMaker, Setting, Stop, Stopped, Sweep};
