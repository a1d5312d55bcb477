//! `pleach trace`: the steps of one agent, tick by tick, in the words of its tree.
//!
//! The other agents of its crowd are ticked as well, because a tree may
//! read variables that they write.

use crate::Verdict;
use crate::args;
use crate::conditions;
use crate::failure::Failure;
use crate::faults;
use crate::happenings::{self, Signals};
use crate::input::Subject;
use crate::output::{self, Tone, grouped, number};
use crate::places;
use crate::texts::Texts;
use crate::tuning::link;
use crate::variables::Variables;
use crate::what_if::{self, Until};
use pleach::watch::{LogSource, Trace, TraceCapacity, TraceEvent, TraceLine, TracedTick, Traces};
use pleach::{Crowd, Image};
use pleach_graph::call;
use pleach_image::EnumSubject;
use pleach_image::format::{slot_kind, value_tag};
use pleach_image::listing;
use pleach_sweep::{Happenings, ScriptedHost};
use std::borrow::Cow;

/// Depth from which lines are not indented further.
const MAX_INDENT: usize = 30;

/// Keyword of the node that selects anew when variables have changed. No dialect writes it.
const SELECTION: &str = ".selection";
/// Keyword of the node that a `match` has for values without a case if its author wrote no `else`.
const ELSE: &str = "else";
/// Keyword of the node around an action with computed arguments.
const ARGUMENTS: &str = ".arguments";
/// Keyword of the node that computes an argument.
const ARGUMENT: &str = ".argument";
/// Keyword of the node that writes a part of a vector.
const PART: &str = ".part";

/// Letters after which a text is cut.
const MAX_SAID: usize = 200;

/// Most ticks before a breakpoint is given up.
const MOST_WAITED: u32 = 100_000;

/// Most rows and bytes of one tick of an agent.
const MAX_ROWS: usize = 1 << 20;

/// Letters after which words of a source are cut.
const MAX_WORDS: usize = 48;

/// Traces an agent.
pub(crate) fn trace(args: &args::Trace) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let mut host = ScriptedHost::new(&subject.image, args.seed);
    let program = link(&subject.image, &host, &args.tuning.values)?;
    let mut crowd = Crowd::new(&program).with_seed(args.seed);
    let mut agents = Vec::new();
    for _ in 0..args.agents.max(args.agent.saturating_add(1)) {
        agents.push(crowd.spawn(&subject.entry).map_err(|why| Failure::new(why.to_string()))?);
    }
    let agent = agents[args.agent as usize];
    let variables = Variables::new(&subject.image, &program);
    let happenings = Happenings::new(&subject.image, &program);
    let signals = Signals::new(&args.signals, &subject.image, &program)?;
    let mut traces = Traces::new(&subject.image);
    traces.watch(agent, TraceCapacity { rows: MAX_ROWS, text: MAX_ROWS });
    let mut until = Until::new(args.until.as_deref(), &subject.image, &crowd, agent)?;
    let mut forced = what_if::forced(&args.force, &subject.image, agent)?;
    let mut shown = 0;
    output::print(&format!(
        "{}: agent {} of `{}`, seed {}\n",
        subject.name, args.agent, subject.entry, args.seed
    ))?;
    for tick in 1.. {
        if shown == args.ticks {
            break;
        }
        let now = host.begin(tick);
        let mut happened = signals.tell(tick, &mut crowd, agent, now, &mut host, &variables);
        for one in agents.iter().filter(|_| signals.are_none() && happenings.are_any()) {
            if *one == agent {
                happened = happenings::tell(&happenings, &mut crowd, agent, now, &mut host, &variables);
            } else {
                let chance = host.chance(*one);
                happenings.happen(&mut crowd, *one, now, &mut host, chance);
            }
        }
        crowd.tick_watched(now, &mut forced.around(&mut host), &mut traces);
        if !until.has_come(&mut crowd, now, &traces, &subject.image) {
            if tick == MOST_WAITED {
                let why =
                    format!("nothing happened at `{}` in {} ticks\n", until.text(), grouped(tick.into()));
                output::say(&why);
                return Ok(Verdict::Problems);
            }
            continue;
        }
        shown += 1;
        let Some(traced) = traces.of(agent).and_then(Trace::last) else {
            return Err(Failure::new(format!("tick {tick} takes more than {MAX_ROWS} steps")));
        };
        let outcome = faults::outcome(&subject.image, &traced);
        let mut text = format!("\ntick {tick}, {now} ms: {outcome}\n{happened}");
        text.push_str(&walk(&subject.image, &subject.texts, &traced));
        text.push_str(&variables.show(&crowd, agent));
        output::print_toned(&text, tone)?;
    }
    Ok(Verdict::Fine)
}

/// Returns the meaning of a line of a trace: the result of a tick or of a node, or a detail.
pub(crate) fn tone(line: &str) -> Tone {
    let ended =
        |word| line.contains(&format!(" {word:<8} ")) || line.trim_end().ends_with(&format!(": {word}"));
    match line.trim_start().chars().next() {
        Some('?' | '=' | '"' | '!' | '~') => Tone::Aside,
        _ if ended("success") => Tone::Success,
        _ if ended("failure") => Tone::Failure,
        _ if ended("running") => Tone::Running,
        _ => Tone::Plain,
    }
}

/// Returns the nodes that an agent ran in a tick, and the changes of statuses that nodes keep, one
/// in a line.
pub(crate) fn walk(image: &Image, texts: &Texts, tick: &TracedTick<'_>) -> String {
    let mut lines = tick.lines(image);
    leave_out_helpers(image, &mut lines);
    let (mut text, mut lines) = (String::new(), lines.into_iter().peekable());
    while let Some(line) = lines.next() {
        let inside = lines.peek().is_some_and(|next| next.depth > line.depth);
        text.push_str(show(image, texts, &line, inside).trim_end());
        text.push('\n');
    }
    text + &faults::changes(image, tick)
}

/// Takes away the nodes that compute the arguments of an action, and those that write the parts of
/// a vector: the line of the action or of the `set` shows them as written.
fn leave_out_helpers(image: &Image, lines: &mut Vec<TraceLine>) {
    // Depths of nodes around actions, in which the next lines are.
    let mut around: Vec<usize> = Vec::new();
    lines.retain_mut(|line| {
        around.retain(|depth| *depth < line.depth);
        let depth = line.depth;
        line.depth -= around.len();
        let TraceEvent::Ended { node, .. } = &line.event else { return true };
        let Some(debug) = image.debug_node(*node) else { return true };
        match &*image.debug_text(debug.keyword) {
            ARGUMENTS | ARGUMENT | PART => {
                around.push(depth);
                false
            }
            _ => true,
        }
    });
}

/// Returns true if an argument of a call is computed when its action begins.
fn is_computed(image: &Image, site: u32) -> bool {
    let Some(row) = image.sites().get(site as usize) else { return false };
    let values = image.values().iter().skip(row.first as usize).take(row.count.into());
    let unnamed = |slot: u32| image.slots().get(slot as usize).is_some_and(|slot| slot.name.len == 0);
    values.filter(|value| value.tag == value_tag::SLOT).any(|value| unnamed(value.bits))
}

/// Returns a line of a trace: the event, its status and its place in the source. `inside` is true
/// if deeper lines follow.
fn show(image: &Image, texts: &Texts, line: &TraceLine, inside: bool) -> String {
    let (what, status, node) = match &line.event {
        TraceEvent::Asked { site, answer, .. } => {
            let import = image.sites().get(*site as usize).map_or(u32::MAX, |row| row.import.into());
            let member = image.member(EnumSubject::Answer(import), answer.trunc());
            let answer = member.map_or_else(|| number(*answer), Cow::into_owned);
            (format!("? {} = {answer}", listing::site(image, *site)), String::new(), 0)
        }
        TraceEvent::Held { variable, shared, value, .. } => {
            (format!("= {}", held(image, *variable, *shared, *value)), String::new(), 0)
        }
        TraceEvent::Said { by, text, .. } => {
            let who = if matches!(by, LogSource::Host) { "host" } else { "log" };
            let text = text.escape_debug().take(MAX_SAID).collect::<String>();
            (format!("\" {who}: {text}"), String::new(), 0)
        }
        TraceEvent::Looked { condition, to, .. } => {
            let condition = conditions::words(image, *condition);
            let led = to.map(|to| format!("true, to {}", listing::label(image, to)));
            let led = led.unwrap_or_else(|| "false".to_owned());
            (format!("transition {condition} is {led}"), String::new(), 0)
        }
        TraceEvent::Acted { node, site, fresh, status } => {
            let begun = if *fresh { "fresh" } else { "goes on" };
            let words = if is_computed(image, *site) {
                words_of(image, texts, *node, inside)
            } else {
                call(image, *node, *site)
            };
            (format!("{words} [{begun}]"), status.to_string(), *node)
        }
        TraceEvent::Halted { node, site } => (call(image, *node, *site), "halted".to_owned(), *node),
        TraceEvent::Ended { node, status, test } => {
            let other = if image.statuses().is_some() { "skipped" } else { "other" };
            let words = ["failure", "success", "running", other];
            let word = words.get(*status as usize).copied().unwrap_or("?");
            (words_of(image, texts, *node, inside) + tested(image, *node, *test), word.to_owned(), *node)
        }
    };
    let mut text = "  ".repeat(line.depth.min(MAX_INDENT) + 1);
    text.push_str(&what);
    let place = places::of_node(image, node);
    if status.is_empty() { text } else { format!("{text:<70} {status:<8} {place}") }
}

/// Returns the result of a node's own condition, if its author wrote it and its child may have
/// another result.
fn tested(image: &Image, node: u32, test: Option<bool>) -> &'static str {
    let has_child = image.debug_node(node + 1).is_some_and(|next| next.parent == node);
    let is_written =
        image.debug_node(node).is_some_and(|debug| !image.debug_text(debug.keyword).starts_with('.'));
    match test.filter(|_| has_child && is_written) {
        Some(true) => " [held]",
        Some(false) => " [did not hold]",
        None => "",
    }
}

/// Returns a variable with its value: `ammo 6`.
fn held(image: &Image, variable: u16, shared: bool, value: f64) -> String {
    let row = usize::from(variable);
    let (name, kind) = if shared {
        image.shared().get(row).map(|row| (image.name(row.name), row.kind))
    } else {
        image.slots().get(row).map(|row| (image.name(row.name), row.kind))
    }
    .unwrap_or(("?", 0));
    let subject = if shared { EnumSubject::Shared } else { EnumSubject::Slot };
    let value = match image.member(subject(variable.into()), value) {
        Some(member) => member.into_owned(),
        None if kind == slot_kind::BIT => (value != 0.0).to_string(),
        None => number(value),
    };
    if name.is_empty() { format!("slot {variable} {value}") } else { format!("{name} {value}") }
}

/// Returns the words of a node in the source, if they are on one line.
fn words_of(image: &Image, texts: &Texts, node: u32, inside: bool) -> String {
    let label = listing::label(image, node);
    let Some(debug) = image.debug_node(node) else { return label };
    let keyword = image.debug_text(debug.keyword);
    if keyword == SELECTION {
        return if inside { "selects" } else { "selects nothing new: no variable has changed" }.to_owned();
    }
    if keyword == ELSE {
        return "no case has this value".to_owned();
    }
    listing::written(
        image,
        node,
        texts.whole_line(&image.debug_text(debug.file), debug.line).as_deref(),
        MAX_WORDS,
    )
}
