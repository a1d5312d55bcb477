//! `pleach trace`: what one agent does, tick by tick, in the words of its tree.
//!
//! The others of its crowd are ticked along: a tree may read what they write.

use crate::Verdict;
use crate::args::Trace;
use crate::conditions;
use crate::failure::Failure;
use crate::happenings::{Happenings, Signals};
use crate::input::Subject;
use crate::journal::{Event, Journal, Line};
use crate::output::{self, number};
use crate::places;
use crate::script::Script;
use crate::variables::Variables;
use pleach::{Agent, Crowd, Fault, Image, Outcome, Program, Status};
use pleach_image::listing;

/// Deeper lines are not indented further.
const MAX_INDENT: usize = 30;

/// What no dialect writes: the node that selects anew when variables have changed.
const SELECTION: &str = ".selection";

/// Longer words of a source are cut.
const MAX_WORDS: usize = 48;

/// Traces an agent.
pub(crate) fn trace(args: &Trace) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let mut host = Script::new(&subject.image, args.seed);
    let program = Program::link(&subject.image, &host).map_err(|why| Failure::new(why.to_string()))?;
    let mut crowd = Crowd::new(&program).with_seed(args.seed);
    let mut agents = Vec::new();
    for _ in 0..args.agents.max(args.agent.saturating_add(1)) {
        agents.push(crowd.spawn(&subject.entry).map_err(|why| Failure::new(why.to_string()))?);
    }
    let agent = agents[args.agent as usize];
    let variables = Variables::new(&subject.image, &program);
    let happenings = Happenings::new(&subject.image, &program);
    let signals = Signals::new(&args.signals, &subject.image, &program)?;
    let mut journal = Journal::new(&subject.image);
    output::print(&format!(
        "{}: agent {} of `{}`, seed {}\n",
        subject.name, args.agent, subject.entry, args.seed
    ))?;
    for tick in 1..=args.ticks {
        let now = host.begin(tick);
        let mut happened = signals.tell(tick, &mut crowd, agent, now, &mut host, &variables);
        for one in agents.iter().filter(|_| signals.are_none() && happenings.are_any()) {
            if *one == agent {
                happened = happenings.tell(&mut crowd, agent, now, &mut host, &variables);
            } else {
                happenings.happen(&mut crowd, *one, now, &mut host);
            }
        }
        let outcome = round(&mut crowd, &agents, agent, now, &mut host, &mut journal)?;
        let mut text = format!("\ntick {tick}, {now} ms: {}\n{happened}", outcome_word(outcome));
        let mut lines = journal.take().into_iter().peekable();
        while let Some(line) = lines.next() {
            let inside = lines.peek().is_some_and(|next| next.depth > line.depth);
            text.push_str(show(&subject, &line, inside).trim_end());
            text.push('\n');
        }
        text.push_str(&variables.show(&crowd, agent));
        output::print(&text)?;
    }
    Ok(Verdict::Fine)
}

/// A tick of all agents, of which one is watched: how it came out for that one.
fn round(
    crowd: &mut Crowd,
    agents: &[Agent],
    watched: Agent,
    now: i64,
    host: &mut Script,
    journal: &mut Journal<'_>,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Fault(Fault::Panic);
    for agent in agents {
        let ticked = if *agent == watched {
            crowd.tick_agent(*agent, now, host, journal).map(|came| outcome = came)
        } else {
            crowd.tick_agent(*agent, now, host, &mut ()).map(drop)
        };
        ticked.map_err(|why| Failure::new(why.to_string()))?;
    }
    crowd.end_tick(now, host);
    Ok(outcome)
}

/// What happened, how it came out, and where it stands in the source. `inside` says whether something happened in it.
fn show(subject: &Subject, line: &Line, inside: bool) -> String {
    let image = &subject.image;
    let (what, status, node) = match line.event {
        Event::Asked { site, answer, .. } => {
            (format!("? {} = {}", listing::site(image, site), number(answer)), String::new(), 0)
        }
        Event::Looked { condition, to, .. } => {
            let condition = conditions::words(image, condition);
            let led = to.map(|to| format!("true, to {}", listing::label(image, to)));
            let led = led.unwrap_or_else(|| "false".to_owned());
            (format!("transition {condition} is {led}"), String::new(), 0)
        }
        Event::Acted { node, site, fresh, status } => {
            let begun = if fresh { "fresh" } else { "goes on" };
            (format!("{} [{begun}]", call(image, node, site)), status_word(status), node)
        }
        Event::Ended { node, status } => {
            let words = ["failure", "success", "running", "other"];
            let word = words.get(status as usize).copied().unwrap_or("?");
            (words_of(subject, node, inside), word.to_owned(), node)
        }
    };
    let mut text = "  ".repeat(line.depth.min(MAX_INDENT) + 1);
    text.push_str(&what);
    let place = places::of_node(image, node);
    if status.is_empty() { text } else { format!("{text:<70} {status:<8} {place}") }
}

/// The call of an action, after the node word if that is another.
fn call(image: &Image, node: u32, site: u32) -> String {
    let call = listing::site(image, site);
    let keyword = image.debug_node(node).map_or("action".into(), |debug| image.debug_text(debug.keyword));
    if call.starts_with(&*keyword) { call } else { format!("{keyword} {call}") }
}

/// A node as it was written, as far as it stands on a line of its own.
fn words_of(subject: &Subject, node: u32, inside: bool) -> String {
    let label = listing::label(&subject.image, node);
    let Some(debug) = subject.image.debug_node(node) else { return label };
    let keyword = subject.image.debug_text(debug.keyword);
    if keyword == SELECTION {
        return if inside { "selects" } else { "selects nothing new: no variable has changed" }.to_owned();
    }
    let line = subject.texts.line(&subject.image.debug_text(debug.file), debug.line);
    let written = line.filter(|line| line.starts_with(&*keyword)).unwrap_or_default();
    let written = written.split('{').next().unwrap_or_default().trim();
    if written.chars().count() > MAX_WORDS {
        return written.chars().take(MAX_WORDS).chain(['…']).collect();
    }
    if written.len() > label.len() { written.to_owned() } else { label }
}

fn status_word(status: Status) -> String {
    match status {
        Status::Failure => "failure".to_owned(),
        Status::Success => "success".to_owned(),
        Status::Running => "running".to_owned(),
        Status::Other(number) => format!("status {number}"),
    }
}

fn outcome_word(outcome: Outcome) -> String {
    match outcome {
        Outcome::Status(status) => status_word(status),
        Outcome::Fault(Fault::Panic) => "fault: the host panicked".to_owned(),
        Outcome::Fault(Fault::Fuel) => "fault: a loop began again too often".to_owned(),
    }
}
