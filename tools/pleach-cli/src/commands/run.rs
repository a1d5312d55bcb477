//! `pleach run`: a crowd without the game, and its results.

use crate::Verdict;
use crate::args::Run;
use crate::btlog::LogFile;
use crate::failure::Failure;
use crate::faults;
use crate::input::Subject;
use crate::interrupt::{self, Patience};
use crate::output::{self, Tone, counted, grouped};
use crate::places;
use crate::progress::Progress;
use crate::statistics;
use crate::tape::Tape;
use crate::tuning::link;
use crate::unraised;
use crate::variables::Variables;
use pleach::watch::{ObservedHost, Statistics, Trace, TraceCapacity, Traces, WithObserver};
use pleach::{Agent, Crowd, Host, Image, Outcome, Program, Tally};
use pleach_image::{bounds, listing};
use pleach_sweep::{AnswerCounts, Happenings, InputWorth, ScriptedHost};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Most leaves that are listed.
const BUSIEST: usize = 10;

/// Runs a crowd and prints a summary.
pub(crate) fn run(args: &Run) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let mut host = ScriptedHost::new(&subject.image, args.seed);
    let mut crowd = crowd(args, &subject, &host)?;
    let start = Instant::now();
    let happenings = Happenings::new(&subject.image, crowd.program());
    host.worth = args.record.is_some().then(InputWorth::default);
    let _patience = args.watch.is_none().then(Patience::new);
    let mut books = Books {
        tape: args.record.as_deref().map(|path| Tape::begin(path, args, &subject, &host)).transpose()?,
        statistics: args.stats.is_some().then(|| Statistics::new(&subject.image)),
        log: args.btlog.as_deref().map(|path| log(path, args, &subject, &crowd)).transpose()?,
    };
    if let Some(index) = args.watch {
        let agent = agent(&crowd, index)?;
        return live(&mut crowd, &mut host, &happenings, &subject, (agent, args.ticks))
            .map(|()| Verdict::Fine);
    }
    let totals = tick(&mut crowd, &mut host, &happenings, &mut books, args.ticks)?;
    let took = start.elapsed();
    books.log.map(LogFile::end).transpose()?;
    let recorded = books.tape.map(|tape| tape.end(&host)).transpose()?.unwrap_or_default();
    interrupt::tell(totals.ticks.into(), args.ticks.into());
    if let (Some(form), Some(statistics)) = (args.stats, &books.statistics) {
        return statistics::show(&subject.image, &subject.texts, statistics, form).map(|()| Verdict::Fine);
    }
    let mut text = format!("{}: tree `{}`, seed {}\n\n", subject.name, subject.entry, args.seed);
    text.push_str(&effort((args.agents, totals.ticks), &subject, crowd.program(), took));
    text.push_str(&recorded);
    text.push_str(&statuses(&totals));
    if let Some(first) = totals.first_fault {
        text.push_str(&first_fault(args, &subject, first)?);
    }
    text.push_str(&actions(&subject.image, &host));
    text.push_str(&queries(&host));
    text.push_str(&never_raised(&subject.image, &happenings));
    output::print_toned(&text, tone)?;
    Ok(Verdict::Fine)
}

/// Returns the crowd of a run at its beginning.
fn crowd(args: &Run, subject: &Subject, host: &ScriptedHost) -> Result<Crowd, Failure> {
    let program = link(&subject.image, host, &args.tuning.values)?;
    let mut crowd = Crowd::new(&program).with_seed(args.seed);
    for _ in 0..args.agents {
        crowd.spawn(&subject.entry).map_err(|why| Failure::new(why.to_string()))?;
    }
    Ok(crowd)
}

/// Runs the crowd again up to a tick that ends with a fault for an agent. Returns the cause in
/// words.
fn first_fault(args: &Run, subject: &Subject, (last, index): (u32, u32)) -> Result<String, Failure> {
    let mut host = ScriptedHost::new(&subject.image, args.seed);
    let mut crowd = crowd(args, subject, &host)?;
    let happenings = Happenings::new(&subject.image, crowd.program());
    let (agent, agents) = (agent(&crowd, index)?, crowd.agents().collect::<Vec<_>>());
    let mut traces = Traces::new(&subject.image);
    traces.watch(agent, TraceCapacity { rows: 1 << 20, text: 1 });
    for tick in (1..=last).take_while(|_| !interrupt::came()) {
        let now = begin(&mut crowd, &mut host, &happenings, &agents, tick);
        if tick < last {
            crowd.tick(now, &mut host);
        } else {
            crowd.tick_watched(now, &mut host, &mut traces);
        }
    }
    let traced = traces.of(agent).and_then(Trace::last);
    let why = traced.map(|traced| faults::outcome(&subject.image, &traced)).unwrap_or_default();
    Ok(format!("    first in tick {last}, of agent {index}: {why}\n"))
}

/// Begins a tick: lets happen what happens before it. Returns its time.
fn begin(
    crowd: &mut Crowd,
    host: &mut ScriptedHost,
    happenings: &Happenings,
    agents: &[Agent],
    tick: u32,
) -> i64 {
    let now = host.begin(tick);
    for agent in agents.iter().filter(|_| happenings.are_any()) {
        let chance = host.chance(*agent);
        happenings.happen(crowd, *agent, now, host, chance);
    }
    now
}

/// Returns the meaning of a line of the summary: headings of tables, and outcomes.
fn tone(line: &str) -> Tone {
    let is_of_table = line.starts_with("    ");
    match line.split_whitespace().next() {
        Some("success") if is_of_table => Tone::Success,
        Some("failure" | "fault") if is_of_table => Tone::Failure,
        Some("running") if is_of_table => Tone::Running,
        Some("outcome" | "busiest") if !is_of_table => Tone::Heading,
        _ => Tone::Plain,
    }
}

/// Number of ticks by outcome.
#[derive(Default)]
struct Totals {
    /// Number of ticks of the crowd.
    ticks: u32,
    leaves: AnswerCounts,
    other: u64,
    faults: u64,
    /// The first tick with a fault, and the number of an agent that has the fault.
    first_fault: Option<(u32, u32)>,
}

impl Totals {
    fn add(&mut self, tally: Tally) {
        self.ticks += 1;
        self.leaves.failure += u64::from(tally.failure);
        self.leaves.success += u64::from(tally.success);
        self.leaves.running += u64::from(tally.running);
        self.other += u64::from(tally.other);
        self.faults += u64::from(tally.faults);
    }
}

/// Runs a crowd and shows one of its agents live.
fn live(
    crowd: &mut Crowd,
    host: &mut ScriptedHost,
    happenings: &Happenings,
    subject: &Subject,
    (agent, ticks): (Agent, u32),
) -> Result<(), Failure> {
    let variables = Variables::new(&subject.image, crowd.program());
    let (mut traces, agents) = (Traces::new(&subject.image), crowd.agents().collect::<Vec<_>>());
    traces.watch(agent, TraceCapacity { rows: 1 << 20, text: 1 << 20 });
    for tick in 1..=ticks {
        let now = begin(crowd, host, happenings, &agents, tick);
        crowd.tick_watched(now, host, &mut traces);
        if let Some(traced) = traces.of(agent).and_then(Trace::last) {
            super::live::show(&subject.image, &variables, (crowd, agent), tick, &traced)?;
        }
    }
    Ok(())
}

/// Returns an agent by its number.
fn agent(crowd: &Crowd, index: u32) -> Result<Agent, Failure> {
    crowd.at(index as usize).ok_or_else(|| Failure::new(format!("there is no agent {index}")))
}

/// Begins the log of an agent.
fn log(path: &Path, args: &Run, subject: &Subject, crowd: &Crowd) -> Result<LogFile, Failure> {
    let (output, program) = ((path, args.overwrite.force), (&subject.image, &subject.texts));
    LogFile::begin(output, &subject.inputs, program, (crowd, agent(crowd, args.agent)?))
}

/// Recording, statistics and log of a run, as far as they are wanted.
struct Books {
    tape: Option<Tape>,
    statistics: Option<Statistics>,
    log: Option<LogFile>,
}

/// Statistics or log of a tick. A run has one of them at most.
type Watching<'a> = (Option<&'a mut Statistics>, Option<&'a mut LogFile>);

impl Books {
    /// Calls a function with the host, which is recorded if a recording is wanted.
    fn with<T>(
        &mut self,
        host: &mut ScriptedHost,
        work: impl FnOnce(&mut WithObserver<'_, dyn Host + '_>, Watching<'_>) -> T,
    ) -> T {
        let watching = (self.statistics.as_mut(), self.log.as_mut());
        match &mut self.tape {
            Some(tape) => {
                let mut recording = tape.around(host);
                let (host, observer) = recording.split();
                work(&mut WithObserver { host, observer }, watching)
            }
            None => work(&mut WithObserver { host, observer: None }, watching),
        }
    }
}

/// Ticks a crowd the given number of times, or until a signal comes.
fn tick(
    crowd: &mut Crowd,
    host: &mut ScriptedHost,
    happenings: &Happenings,
    books: &mut Books,
    ticks: u32,
) -> Result<Totals, Failure> {
    let (mut totals, agents) = (Totals::default(), crowd.agents().collect::<Vec<_>>());
    let mut progress = Progress::new(ticks.into());
    for tick in (1..=ticks).take_while(|_| !interrupt::came()) {
        let now = host.begin(tick);
        for agent in agents.iter().filter(|_| happenings.are_any()) {
            let chance = host.chance(*agent);
            if let Some(worth) = &mut host.worth {
                worth.bits += happenings.worth(chance);
            }
            books.with(host, |host, _| _ = happenings.happen(crowd, *agent, now, host, chance));
        }
        totals.add(books.with(host, |host, watching| match watching {
            (Some(statistics), _) => crowd.tick_watched(now, host, statistics),
            (None, Some(log)) => crowd.tick_watched(now, host, log.watcher()),
            (None, None) => crowd.tick(now, host),
        }));
        if totals.faults > 0 && totals.first_fault.is_none() {
            let is_fault = |agent: &Agent| matches!(crowd.outcome(*agent), Ok(Some(Outcome::Fault(_))));
            totals.first_fault = agents.iter().position(is_fault).map(|index| (tick, index as u32));
        }
        books.log.as_mut().map_or(Ok(()), |log| log.ticked(now))?;
        if let Some(tape) = &mut books.tape {
            tape.keep()?;
        }
        progress.at(tick.into());
    }
    Ok(totals)
}

/// Returns the lines about the time of the run, the memory of an agent and the bound of a tick.
fn effort((agents, ticks): (u32, u32), subject: &Subject, program: &Program, took: Duration) -> String {
    let all = u64::from(agents) * u64::from(ticks);
    let millis = took.as_secs_f64() * 1000.0;
    let block = subject.image.entry(&subject.entry).map_or(0, |(_, block)| block as usize);
    let bound = bounds::of(&subject.image).get(block).copied().unwrap_or_default();
    format!(
        "  {} x {} in {:.2} s: {} agent-ticks per millisecond, answers included\n  {:.1} bytes per agent; a tick takes at most {} instructions and {} host calls\n\n",
        counted(agents as usize, "agent"),
        counted(ticks as usize, "tick"),
        took.as_secs_f64(),
        grouped((all as f64 / millis.max(0.001)) as u64),
        program.bytes_per_agent(),
        grouped(bound.instructions),
        grouped(bound.host_calls),
    )
}

fn statuses(totals: &Totals) -> String {
    let rows = [
        ("success", totals.leaves.success),
        ("failure", totals.leaves.failure),
        ("running", totals.leaves.running),
        ("other", totals.other),
        ("fault", totals.faults),
    ];
    let all: u64 = rows.iter().map(|(_, ticks)| ticks).sum();
    let mut text = format!("  {:<36}{:>16}{:>10}\n", "outcome", "ticks", "share");
    for (name, ticks) in rows.iter().filter(|(_, ticks)| *ticks > 0) {
        let _ = writeln!(text, "    {name:<34}{:>16}{:>10}", grouped(*ticks), percent(*ticks, all));
    }
    text
}

/// Returns the table of the actions with the most calls, each with its place.
fn actions(image: &Image, host: &ScriptedHost) -> String {
    let calls = listing::calls(image);
    let mut rows: Vec<(u32, AnswerCounts)> = (0..).zip(host.actions.iter().copied()).collect();
    rows.retain(|(_, count)| count.total() > 0);
    rows.sort_by_key(|(node, count)| (std::cmp::Reverse(count.total()), *node));
    let mut text = format!(
        "\n  {:<36}{:>16}{:>10}{:>10}{:>10}  place\n",
        "busiest actions", "calls", "success", "failure", "running"
    );
    for (node, count) in rows.iter().take(BUSIEST) {
        let all = count.total();
        let _ = writeln!(
            text,
            "    {:<34}{:>16}{:>10}{:>10}{:>10}  {}",
            calls.get(node).map_or(String::new(), |site| listing::site(image, *site)),
            grouped(all),
            percent(count.success, all),
            percent(count.failure, all),
            percent(count.running, all),
            image.debug_node(*node).map(|debug| places::line(image, debug)).unwrap_or_default(),
        );
    }
    more(&mut text, rows.len());
    text
}

/// Returns the table of the queries with the most calls.
fn queries(host: &ScriptedHost) -> String {
    let mut rows = host.asked();
    rows.sort_by_key(|(_, asked)| std::cmp::Reverse(*asked));
    let mut text = format!("\n  {:<36}{:>16}\n", "busiest queries", "calls");
    for (name, asked) in rows.iter().take(BUSIEST) {
        let _ = writeln!(text, "    {name:<34}{:>16}", grouped(*asked));
    }
    more(&mut text, rows.len());
    text
}

/// Returns the line about events that trees handle and that neither a tree nor the run raises.
fn never_raised(image: &Image, happenings: &Happenings) -> String {
    let names: Vec<_> = unraised::events(image).filter(|name| !happenings.raise(name)).collect();
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("\n  events never raised: {}\n", names[..names.len().min(BUSIEST)].join(", "));
    more(&mut text, names.len());
    text.push_str("    `pleach trace --signal TICK:NAME` raises them, and so does a game\n");
    text
}

fn more(text: &mut String, rows: usize) {
    if rows > BUSIEST {
        let _ = writeln!(text, "    and {} more", rows - BUSIEST);
    }
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / all.max(1) as f64)
}
