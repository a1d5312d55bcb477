//! `pleach sweep`: a crowd with many settings and seeds, and a table of its results.

use crate::Verdict;
use crate::args;
use crate::failure::Failure;
use crate::input::Subject;
use crate::interrupt::{self, Patience};
use crate::library;
use crate::output::{self, counted, grouped};
use crate::progress::Progress;
use pleach_compile::dialect::by_name;
use pleach_sweep::{Comparison, Plan, PlanError, Results, Summary, Sweep, compare, csv_text, run, sample};
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Largest number of shards that are named in a message.
const MOST_NAMED: usize = 10;

/// Runs a sweep, or checks or prints its results.
pub(crate) fn sweep(args: &args::Sweep) -> Result<Verdict, Failure> {
    let text = String::from_utf8(library::read_named(&args.plan)?);
    let text = text.map_err(|_| Failure::file("read", &args.plan, "it is not UTF-8"))?;
    let refused = |error: PlanError| {
        output::say(&format!("{}:{}: {}\n", args.plan.display(), error.line, error.message));
        Ok(Verdict::Problems)
    };
    let folder = args.plan.parent().unwrap_or(Path::new(""));
    let plan = match Plan::parse(&text) {
        Ok(plan) => match plan.settings_file().map(|path| folder.join(path)) {
            Some(path) => plan.with_settings(&library::read_named(&path)?),
            None => Ok(plan),
        },
        Err(error) => Err(error),
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return refused(error),
    };
    let mut sweeps = Vec::new();
    for path in iter::once(folder.join(&plan.program)).chain(args.against.clone()) {
        let Some(subject) = Subject::open(&path, &compile(&plan, folder)?)? else {
            return Ok(Verdict::Problems);
        };
        match Sweep::new(plan.clone(), &text, &subject.image, "") {
            Ok(sweep) => sweeps.push(sweep),
            Err(error) => return refused(error),
        }
    }
    let own = args.out.clone().unwrap_or_else(|| args.plan.with_extension("results"));
    let mut beside = own.clone().into_os_string();
    beside.push(".against");
    let folders = [own, beside.into()];
    let open = |(sweep, path): (_, &PathBuf)| Results::open(sweep, path).map_err(Failure::new);
    let opened: Vec<Results<'_>> = sweeps.iter().zip(&folders).map(open).collect::<Result<_, _>>()?;
    match (&opened[..], args.check) {
        ([results, against], _) => compared(args, results, against),
        ([results, ..], Some(percent)) => check(args, results.sweep(), results, percent),
        ([results, ..], None) if args.table => table(args, results.sweep(), results),
        ([results, ..], None) => run_all(args, results.sweep(), results),
        // There is one for each program.
        ([], _) => Ok(Verdict::Fine),
    }
}

/// Runs a plan with two programs, and prints how the metrics differ.
fn compared(args: &args::Sweep, results: &Results<'_>, against: &Results<'_>) -> Result<Verdict, Failure> {
    let mut verdict = run_all(args, results.sweep(), results)?;
    if !interrupt::came() && run_all(args, against.sweep(), against)? != Verdict::Fine {
        verdict = Verdict::Problems;
    }
    if interrupt::came() {
        return Ok(verdict);
    }
    let mut text = Comparison::COLUMNS.join(",") + "\n";
    for it in compare(results, against).map_err(Failure::new)? {
        text += &(it.cells().map(|cell| cell.csv()).join(",") + "\n");
    }
    output::print(&text)?;
    Ok(verdict)
}

/// Returns the options by which the program of a plan is read.
fn compile(plan: &Plan, folder: &Path) -> Result<args::Compile, Failure> {
    let dialect = plan.dialect.as_deref().map(|name| {
        by_name(name)
            .ok_or_else(|| Failure::new(format!("there is no dialect `{name}`, which the plan names")))
    });
    let below = |paths: &[String]| paths.iter().map(|path| folder.join(path)).collect();
    Ok(args::Compile {
        folders: below(&plan.folders),
        dialect: dialect.transpose()?,
        entry: None,
        lenient: plan.lenient,
        manifests: below(&plan.manifests),
        substitutes: None,
        no_manifest: false,
    })
}

/// Runs all shards that are not done.
fn run_all(args: &args::Sweep, sweep: &Sweep, results: &Results<'_>) -> Result<Verdict, Failure> {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.map_or(processors, NonZeroUsize::get);
    let (begun, _patience) = (Instant::now(), Patience::new());
    let mut progress = None;
    let mut show = |summary: &Summary| {
        let bar = progress.get_or_insert_with(|| Progress::new(summary.wanted_rows));
        bar.tell(summary.rows, |took| note(summary, took));
    };
    let make = |setting: &_| sweep.scripted(setting);
    let summary = run(sweep, results, args.shards, threads, &make, &interrupt::came, &mut show);
    drop(progress);
    let summary = summary.map_err(Failure::new)?;
    let told = told(args, sweep, results, &summary, begun.elapsed());
    // Standard output is for the comparison, if there is one.
    match args.against {
        Some(_) => output::say(&told),
        None => output::print(&told)?,
    }
    for (shard, why) in summary.lost.iter().take(MOST_NAMED) {
        output::say(&format!("shard {shard} is missing: {why}\n"));
    }
    if interrupt::came() {
        let (done, all) = (summary.found + summary.done, counted(summary.shards as usize, "shard"));
        output::say(&format!("stopped after {} of {all}; the same command continues\n", grouped(done)));
    }
    let is_whole = summary.lost.is_empty() && summary.failed_rows == 0;
    Ok(if is_whole { Verdict::Fine } else { Verdict::Problems })
}

/// Returns the text behind the progress bar: rate and failures.
fn note(summary: &Summary, took: Duration) -> String {
    let rate = summary.rows as f64 / took.as_secs_f64().max(0.001);
    let failed = match summary.failed_rows + summary.lost.len() as u64 {
        0 => String::new(),
        failures => format!(", {} failed", grouped(failures)),
    };
    format!(", {rate:.1} rows/s{failed}")
}

/// Returns the summary of a run.
fn told(
    args: &args::Sweep,
    sweep: &Sweep,
    results: &Results<'_>,
    summary: &Summary,
    took: Duration,
) -> String {
    let plan = sweep.plan();
    let (settings, seeds) = (plan.rows() / plan.seeds.count(), plan.seeds.count());
    let ticks = summary.rows as f64 * f64::from(plan.agents) * f64::from(plan.ticks);
    let mut text = format!(
        "{}: tree `{}`, {} of {} and {}\n\n  {}: {} done now, {} before\n",
        args.plan.display(),
        sweep.tree(),
        counted(plan.rows() as usize, "row"),
        counted(settings as usize, "setting"),
        counted(seeds as usize, "seed"),
        counted(summary.shards as usize, "shard"),
        grouped(summary.done),
        grouped(summary.found),
    );
    if summary.rows > 0 {
        text += &format!(
            "  {} in {:.2} s: {} agent-ticks per millisecond\n",
            counted(summary.rows as usize, "row"),
            took.as_secs_f64(),
            grouped((ticks / (took.as_secs_f64() * 1000.0).max(0.001)) as u64),
        );
    }
    if let Some(error) = &summary.first_error {
        let failed = counted(summary.failed_rows as usize, "row");
        text += &format!("  {failed} without metrics, the first because: {error}\n");
    }
    text + &format!("  results: {}\n", results.path().display())
}

/// Prints all rows that are there.
fn table(args: &args::Sweep, sweep: &Sweep, results: &Results<'_>) -> Result<Verdict, Failure> {
    let line = |fields: Vec<String>| fields.join(",") + "\n";
    output::print(&line(sweep.columns().iter().map(|column| csv_text(&column.name)).collect()))?;
    let mut missing = Vec::new();
    for shard in (0..sweep.plan().shards()).filter(|shard| args.shards.has(*shard)) {
        if !results.is_done(shard) {
            missing.push(shard);
            continue;
        }
        let mut text = String::new();
        let row = |row: Vec<_>| text += &line(row.iter().map(pleach_sweep::Cell::csv).collect());
        results.rows(shard, row).map_err(Failure::new)?;
        output::print(&text)?;
    }
    if missing.is_empty() {
        return Ok(Verdict::Fine);
    }
    let count = counted(missing.len(), "shard");
    output::say(&format!("{count} without results: `pleach sweep {}` runs them\n", args.plan.display()));
    Ok(Verdict::Problems)
}

/// Runs some finished shards again, and compares the bytes of their files.
fn check(
    args: &args::Sweep,
    sweep: &Sweep,
    results: &Results<'_>,
    percent: args::Percent,
) -> Result<Verdict, Failure> {
    let chosen = sample(sweep, results, args.shards, percent.0 / 100.0);
    let (mut progress, mut different, mut equal) = (Progress::new(chosen.len() as u64), Vec::new(), 0);
    let make = |setting: &_| sweep.scripted(setting);
    let patience = Patience::new();
    for shard in &chosen {
        let Ok(rows) = sweep.shard(*shard, &make, &interrupt::came) else { break };
        let bytes = sweep.encode(*shard, &rows).map_err(Failure::new)?;
        if bytes == results.read(*shard).map_err(Failure::new)? {
            equal += 1;
        } else {
            different.push(*shard);
        }
        progress.at((equal + different.len()) as u64);
    }
    drop((progress, patience));
    for shard in different.iter().take(MOST_NAMED) {
        output::say(&format!("{} has other bytes than a new run\n", results.file(*shard).display()));
    }
    let checked = counted(equal + different.len(), "shard");
    output::print(&format!("{checked} checked, {} different\n", grouped(different.len() as u64)))?;
    Ok(if different.is_empty() { Verdict::Fine } else { Verdict::Problems })
}
