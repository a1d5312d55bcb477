//! `pleach replay`: a recording, replayed.

use super::trace::{tone, walk};
use crate::Verdict;
use crate::args;
use crate::btlog::{self, LogFile};
use crate::failure::Failure;
use crate::faults;
use crate::input::{self, Subject, sources};
use crate::interrupt::{self, Patience};
use crate::library;
use crate::output::{self, counted, grouped};
use crate::progress::Progress;
use crate::statistics;
use crate::texts::Texts;
use crate::variables::Variables;
use crate::when::{Finder, When};
use crate::write::Kind;
use pleach::Outcome;
use pleach::record::{Comparison, Difference, Divergence, RecordingError, Replay};
use pleach::watch::{Statistics, Trace, TraceCapacity, Traces};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Number of ticks of an agent that are shown by default.
const SHOWN: u64 = 10;
/// Largest number of rows, and of bytes, of one tick of an agent.
const MAX_ROWS: usize = 1 << 20;
/// Largest number of answers that are listed for one question.
const MOST_FOUND: usize = 20;

/// Replays a recording.
pub(crate) fn replay(args: &args::Replay) -> Result<Verdict, Failure> {
    if input::is(Kind::Log, &args.file)? {
        return if is_plain(args) {
            btlog::show(&args.file)
        } else {
            Err(Failure::file("replay", &args.file, "it is a log of Groot2, which has no options"))
        };
    }
    let bytes = library::read_recording(&args.file)?;
    let mut replay = match Replay::open(bytes) {
        Ok(replay) => replay,
        Err(error) => return told(args, &error),
    };
    let done = if let Some(path) = &args.against {
        against(args, path, replay)
    } else if let Some(form) = args.stats {
        count(args, &mut replay, form)
    } else if !args.when.is_empty() {
        search(args, &mut replay)
    } else if let (Some(agent), Some(path)) = (args.agent, &args.btlog) {
        log(args, &mut replay, agent, path)
    } else if let Some(agent) = args.agent {
        show(args, &mut replay, agent)
    } else {
        all(args, &mut replay)
    };
    match done {
        Ok(verdict) => Ok(verdict),
        Err(Stop::Recording(error)) => told(args, &error),
        Err(Stop::Failure(failure)) => Err(failure),
    }
}

/// Reason why a replay ends early.
enum Stop {
    Recording(RecordingError),
    Failure(Failure),
}

impl From<RecordingError> for Stop {
    fn from(error: RecordingError) -> Self {
        Self::Recording(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Prints an error of a recording. A damaged recording is a finding and not a failure of the
/// command.
fn told(args: &args::Replay, error: &RecordingError) -> Result<Verdict, Failure> {
    output::say(&format!("error: {}: {error}\n", args.file.display()));
    Ok(Verdict::Problems)
}

/// Replays the requested ticks by `one`, until a signal comes or no ticks are left.
fn play(
    args: &args::Replay,
    replay: &mut Replay,
    mut progress: Progress,
    mut one: impl FnMut(&mut Replay) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let _patience = Patience::new();
    let last = last(args, replay);
    while replay.ticks() < last && !interrupt::came() {
        let is_before = replay.ticks() + 1 < args.from;
        if !(if is_before { replay.tick()? } else { one(replay)? }) {
            break;
        }
        progress.at(replay.ticks());
    }
    drop(progress);
    interrupt::tell(replay.ticks(), last);
    Ok(())
}

/// Returns the last requested tick.
fn last(args: &args::Replay, replay: &Replay) -> u64 {
    // All of an agent is too much to read.
    let is_read = args.when.is_empty() && args.stats.is_none() && args.btlog.is_none();
    let ticks = args.ticks.or(args.agent.filter(|_| is_read).map(|_| SHOWN));
    ticks.map_or(u64::MAX, |ticks| (args.from - 1).saturating_add(ticks)).min(replay.len())
}

/// Replays the whole recording.
fn all(args: &args::Replay, replay: &mut Replay) -> Result<Verdict, Stop> {
    let start = Instant::now();
    play(args, replay, Progress::new(replay.len()), |replay| Ok(replay.tick()?))?;
    // The damage is after the last whole tick.
    if !interrupt::came() {
        replay.seek(u64::MAX)?;
    }
    output::print(&format!(
        "{}: {} of {}, {}in {:.2} s, as it was; state {:016x}\n",
        args.file.display(),
        counted(replay.ticks() as usize, "tick"),
        counted(replay.crowd().len(), "agent"),
        if interrupt::came() { "" } else { "to the end " },
        start.elapsed().as_secs_f64(),
        replay.crowd().inspect().digest(),
    ))?;
    Ok(Verdict::Fine)
}

/// Shows what an agent did.
fn show(args: &args::Replay, replay: &mut Replay, index: u32) -> Result<Verdict, Stop> {
    let texts = Texts::find_in(sources(replay.image(), &args.file, &args.compile)?);
    let variables = Variables::new(replay.image(), replay.crowd().program());
    let mut traces = Traces::new(replay.image());
    play(args, replay, Progress::none(), |replay| {
        let agent = match replay.agent(index) {
            Some(agent) => agent,
            None if !replay.tick()? => return Ok(false),
            // An agent is spawned at the beginning of its first tick, which is played once more.
            // Without the agent: it may come yet, or have gone.
            None => match replay.agent(index) {
                Some(agent) => replay.seek(replay.ticks() - 1).map(|()| agent)?,
                None => return Ok(true),
            },
        };
        if traces.of(agent).is_none() {
            traces.watch(agent, TraceCapacity { rows: MAX_ROWS, text: MAX_ROWS });
        }
        if !replay.tick_watched(&mut traces)? {
            return Ok(false);
        }
        let mut text = String::new();
        if let Some(tick) = traces.of(agent).and_then(Trace::last).filter(|tick| tick.now == replay.now()) {
            let outcome = faults::outcome(replay.image(), &tick);
            text = format!("tick {}, {} ms: {outcome}\n", replay.ticks(), tick.now);
            text.push_str(&walk(replay.image(), &texts, &tick));
        }
        text.push_str(&variables.show(replay.crowd(), agent));
        text.push('\n');
        output::print_toned(&text, tone)?;
        Ok(true)
    })?;
    Ok(Verdict::Fine)
}

/// Writes the log of an agent.
fn log(args: &args::Replay, replay: &mut Replay, index: u32, path: &Path) -> Result<Verdict, Stop> {
    let texts = Texts::find_in(sources(replay.image(), &args.file, &args.compile)?);
    // Agents are spawned at the beginning of a tick, which is watched from there on. So the agent
    // is looked for first.
    let agent = loop {
        match replay.agent(index) {
            Some(agent) => break agent,
            None if replay.ticks() < last(args, replay) && replay.tick()? => {}
            None => return Err(Failure::new(format!("there is no agent {index} in these ticks")).into()),
        }
    };
    let (output, inputs) = ((path, args.overwrite.force), [args.file.clone()]);
    let program = (replay.image(), &texts);
    let mut log = LogFile::begin(output, &inputs, program, (replay.crowd(), agent))?;
    replay.seek(0)?;
    play(args, replay, Progress::new(replay.len()), |replay| {
        let is_there = replay.tick_watched(log.watcher())?;
        log.ticked(replay.now())?;
        Ok(is_there)
    })?;
    log.end()?;
    Ok(Verdict::Fine)
}

/// Returns true if no option is given.
fn is_plain(args: &args::Replay) -> bool {
    let args::Replay { agent, from, ticks, when, against, stats, btlog, .. } = args;
    let asks = agent.is_some() || against.is_some() || stats.is_some() || btlog.is_some();
    !asks && when.is_empty() && *from == 1 && ticks.is_none()
}

/// Prints counts of all agents.
fn count(args: &args::Replay, replay: &mut Replay, form: args::Form) -> Result<Verdict, Stop> {
    let mut counts = Statistics::new(replay.image());
    play(args, replay, Progress::new(replay.len()), |replay| Ok(replay.tick_watched(&mut counts)?))?;
    let texts = Texts::find_in(sources(replay.image(), &args.file, &args.compile)?);
    statistics::show(replay.image(), &texts, &counts, form)?;
    Ok(Verdict::Fine)
}

/// Prints for each agent the first tick in which a condition held.
fn search(args: &args::Replay, replay: &mut Replay) -> Result<Verdict, Stop> {
    let (image, program) = (replay.image().clone(), replay.crowd().program().clone());
    let mut questions =
        args.when.iter().map(|text| When::new(text, &image, &program)).collect::<Result<Vec<_>, _>>()?;
    let mut finder = Finder::new(&image);
    let mut found = vec![0_usize; questions.len()];
    let watches = questions.iter().any(When::is_of_nodes);
    play(args, replay, Progress::none(), |replay| {
        if !(if watches { replay.tick_watched(&mut finder)? } else { replay.tick()? }) {
            return Ok(false);
        }
        for (question, count) in questions.iter_mut().zip(&mut found) {
            for agent in question.found(replay.crowd(), &finder) {
                *count += 1;
                if *count <= MOST_FOUND {
                    let whose = agent.map_or(String::new(), |agent| format!(", agent {agent}"));
                    let (tick, now) = (replay.ticks(), replay.now());
                    output::print(&format!("{}: tick {tick}, {now} ms{whose}\n", question.text))?;
                }
            }
        }
        Ok(true)
    })?;
    for (question, count) in questions.iter().zip(&found) {
        match count {
            0 if interrupt::came() => output::print(&format!("{}: not yet\n", question.text))?,
            0 => output::print(&format!("{}: never\n", question.text))?,
            1..=MOST_FOUND => {}
            count => output::print(&format!(
                "{}: and {} more\n",
                question.text,
                grouped((count - MOST_FOUND) as u64)
            ))?,
        }
    }
    Ok(if found.contains(&0) { Verdict::Problems } else { Verdict::Fine })
}

/// Compares tick by tick, up to the first difference, the end, or a signal.
fn compare(comparison: &mut Comparison, ticks: u64) -> Result<Option<Divergence>, RecordingError> {
    let _patience = Patience::new();
    let mut progress = Progress::new(ticks);
    while !interrupt::came() {
        if let ControlFlow::Break(found) = comparison.tick()? {
            return Ok(found);
        }
        progress.at(comparison.ticks());
    }
    drop(progress);
    interrupt::tell(comparison.ticks(), ticks);
    Ok(None)
}

/// Replays the input to another build, and prints the first difference.
fn against(args: &args::Replay, path: &Path, replay: Replay) -> Result<Verdict, Stop> {
    let Some(subject) = Subject::open(path, &args.compile)? else { return Ok(Verdict::Problems) };
    let ticks = replay.len();
    let mut comparison = replay.against(&subject.image).map_err(|why| Failure::new(why.to_string()))?;
    let Some(Divergence { tick, now, agent, what }) = compare(&mut comparison, ticks)? else {
        let all = if comparison.ticks() < ticks { "" } else { "all of " };
        let compared = counted(comparison.ticks() as usize, "tick");
        output::print(&format!("{}: the same in {all}{compared}\n", subject.name))?;
        return Ok(Verdict::Fine);
    };
    let called = |name: Option<String>| name.map_or("a new function".to_owned(), |it| format!("`{it}`"));
    let outcome =
        |outcome: Option<Outcome>| outcome.map_or("no tick".to_owned(), |outcome| outcome.to_string());
    let what = match what {
        Difference::Asks(name) => format!("calls {}, which it did not call before", called(name)),
        Difference::AsksNot(name) => format!("does not call {}, which it called before", called(name)),
        Difference::Outcome { was, is } => format!("returns {} instead of {}", outcome(is), outcome(was)),
        Difference::Variable(name) => format!("has another value in `{name}`"),
        Difference::Tree(name) => format!("has no tree `{name}`"),
        Difference::State(why) => format!("cannot continue where it was: {why}"),
    };
    let whose = agent.map_or("the crowd".to_owned(), |agent| format!("agent {agent}"));
    output::print(&format!("{}: differs in tick {tick}, {now} ms: {whose} {what}\n", subject.name))?;
    Ok(Verdict::Problems)
}
