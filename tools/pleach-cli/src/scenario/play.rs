//! Tests, played: an agent, and a game that gives the answers of the test.

use crate::enums::EnumNames;
use crate::output::number;
use crate::tuning::{tune, tuned};
use pleach::watch::Statistics;
use pleach::{
    Agent, Call, Crowd, Event, EventTarget, Function, Group, Host, Image, Outcome, Program, Status, TextId,
    Value,
};
use pleach_compile::manifest::Problem;
use pleach_edit::scenario::{Answer, Given, Step, Test, What};
use pleach_image::format::value_tag;
use pleach_image::suggest::{closest, hint};
use pleach_image::{EnumSubject, listing};
use pleach_sweep::Functions;
use std::collections::HashMap;

/// Most calls that a message lists.
const MOST_CALLS: usize = 20;

/// Time that passes before a tick.
const TICK_TIME: i64 = 50;

/// Game that answers as a test says.
pub(crate) struct Puppet {
    image: Image,
    names: EnumNames,
    functions: Functions,
    queries: HashMap<String, f64>,
    actions: HashMap<String, Status>,
    /// Values by out arguments of actions.
    gives: HashMap<(String, usize), f64>,
    /// Actions called in the last tick: by name, with arguments as numbers, and with names of
    /// members in place of their numbers.
    calls: Vec<[String; 3]>,
    /// First call that the tree made and the test has not answered.
    unanswered: Option<String>,
}

impl Puppet {
    pub(crate) fn new(image: &Image) -> Self {
        Self {
            image: image.clone(),
            names: EnumNames::new(image),
            functions: Functions::of(image),
            queries: HashMap::new(),
            actions: HashMap::new(),
            gives: HashMap::new(),
            calls: Vec::new(),
            unanswered: None,
        }
    }

    /// Forgets the answers of the last test.
    fn clear(&mut self) {
        self.queries.clear();
        self.actions.clear();
        self.gives.clear();
        self.calls.clear();
        self.unanswered = None;
    }

    /// Returns a call by name, with arguments as numbers, and with names of members.
    fn words(&self, call: &Call<'_>) -> [String; 3] {
        let name = self.functions.name(call.function).to_owned();
        let word = |value: Value<'_>| match value {
            Value::Int(int) => int.to_string(),
            Value::Float(float) => float.to_string(),
            Value::Int64(int) => int.to_string(),
            Value::Double(double) => double.to_string(),
            Value::Entity(entity) => listing::entity(entity.0),
            Value::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        };
        let is_out = |place: u32| call.args.is_out(place as usize);
        let plain = |(place, value)| if is_out(place) { "out".to_owned() } else { word(value) };
        let numbers: Vec<_> = (0..).zip(call.args.iter()).map(plain).collect();
        let member = |(place, value): (u32, Value<'_>)| {
            let Value::Int(int) = value else { return word(value) };
            if is_out(place) {
                return "out".to_owned();
            }
            let member = self.image.member(EnumSubject::Parameter(call.function, place), int.into());
            member.map_or_else(|| word(value), |member| member.into_owned())
        };
        let members: Vec<_> = (0..).zip(call.args.iter()).map(member).collect();
        let [numbers, members] = [numbers, members].map(|args| format!("{name}({})", args.join(", ")));
        [name, numbers, members]
    }

    /// Returns true if a call of a function has an out argument at this place.
    fn has_out(&self, function: u32, place: usize) -> bool {
        self.outs(function).any(|mut outs| outs.any(|out| out == place))
    }

    /// Returns the places of the out arguments of each call of a function.
    fn outs(&self, function: u32) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let sites = self.image.sites().iter().filter(move |site| u32::from(site.import) == function);
        sites.map(|site| {
            let args = self.image.values().get(site.first as usize..).unwrap_or_default();
            let args = args.iter().take(site.count.into()).enumerate();
            args.filter(|(_, row)| row.tag == value_tag::OUT).map(|(place, _)| place)
        })
    }

    /// Returns the number of the function that a call names.
    fn function(&self, kind: Function, call: &str) -> Result<u32, String> {
        let name = call.split('(').next().unwrap_or(call);
        let what = if kind == Function::Action { "action" } else { "query" };
        self.functions.find(kind, name).ok_or_else(|| {
            let known = self.functions.iter().filter(|(of, _)| *of == kind).map(|(_, name)| name);
            unknown(format!("the tree has no {what} `{name}`"), name, known)
        })
    }

    /// Returns the number of the function that gives values back: an action, or a query that
    /// answers a vector.
    fn giver(&self, call: &str) -> Result<u32, String> {
        let action = self.function(Function::Action, call);
        action.or_else(|message| self.function(Function::Query, call).map_err(|_| message))
    }

    /// Returns the place of a variable in the image.
    fn subject(&self, name: &str) -> Result<EnumSubject, String> {
        self.names.variable(name).ok_or_else(|| {
            let (own, shared) = (self.image.slots().iter(), self.image.shared().iter());
            let known = own.map(|slot| slot.name).chain(shared.map(|it| it.name));
            let known = known.map(|name| self.image.name(name));
            unknown(format!("there is no variable `{name}`"), name, known)
        })
    }

    /// Checks that there is a tunable of this name.
    fn tunable(&self, program: &Program, name: &str) -> Result<(), String> {
        let known = || program.tunables().iter().map(|tunable| &*tunable.name);
        known()
            .any(|known| known == name)
            .then_some(())
            .ok_or_else(|| unknown(format!("the program has no tunable `{name}`"), name, known()))
    }

    fn event(&self, program: &Program, name: &str) -> Result<Event, String> {
        program.event(name).ok_or_else(|| {
            let known = self.image.events().iter().map(|event| self.image.name(event.name));
            unknown(format!("no tree has an event `{name}`"), name, known)
        })
    }

    /// Returns the place of the first part of the answer of a query that answers a vector. If some
    /// calls leave out arguments, it is the least place.
    fn first_part(&self, query: u32) -> Option<usize> {
        self.outs(query).filter_map(first_of_several).min()
    }

    /// Gives what the test gives by out arguments of a call. Returns true if there is any.
    fn give(&self, call: &mut Call<'_>, words: &[String]) -> bool {
        let mut gives = false;
        for place in 0..call.args.len() {
            let given = |words: &String| self.gives.get(&(words.clone(), place));
            if let Some(number) = words.iter().rev().find_map(given) {
                // The test has been told if it is no out argument.
                gives |= call.give_number(place, *number).is_ok();
            }
        }
        gives
    }

    fn missing(&mut self, line: String) {
        self.unanswered.get_or_insert(line);
    }
}

impl Host for Puppet {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.functions.find(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let words = self.words(call);
        let status = words.iter().rev().find_map(|words| self.actions.get(words)).copied();
        self.give(call, &words);
        let [name, ..] = &words;
        if status.is_none() {
            self.missing(format!("action {name} = success"));
        }
        self.calls.push(words);
        status.unwrap_or(Status::Failure)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let words = self.words(call);
        let answer = words.iter().rev().find_map(|words| self.queries.get(words)).copied();
        let [.., with] = &words;
        let Some(answer) = answer else {
            if !self.give(call, &words) {
                let outs = (0..call.args.len()).filter(|place| call.args.is_out(*place));
                self.missing(match first_of_several(outs) {
                    Some(place) => part_given(with, place),
                    None => format!("query {with} = 0"),
                });
            }
            return 0.0;
        };
        // Some queries give their answers by an out argument.
        let _ = call.give_number(call.args.len().wrapping_sub(1), answer);
        answer
    }
}

/// Returns the first of the places of the out arguments of a query, if these are the parts of a
/// vector.
fn first_of_several(mut outs: impl Iterator<Item = usize>) -> Option<usize> {
    let first = outs.next()?;
    outs.next().map(|_| first)
}

/// Returns the line that gives a part of the answer of a query.
fn part_given(call: &str, place: usize) -> String {
    format!("give {call} {} = 0", place + 1)
}

/// Running test.
struct Stage<'a> {
    crowd: Crowd,
    agent: Agent,
    host: &'a mut Puppet,
    now: i64,
    statistics: &'a mut Statistics,
    /// Function that is called before each tick.
    pause: &'a dyn Fn(),
}

/// Plays a test, with a pause before each tick. Returns the error, and its line.
///
/// `statistics` counts what runs in all tests of a program. Each test has a crowd of its own, so
/// the entries of a node are fewer than they were where one test ends in the node and the next one
/// begins with it; of a node that ran they are never 0.
pub(crate) fn play(
    program: &Program,
    host: &mut Puppet,
    entry: &str,
    test: &Test,
    statistics: &mut Statistics,
    pause: &dyn Fn(),
) -> Result<(), Problem> {
    let mut crowd = Crowd::new(program);
    let agent = crowd.spawn(entry).map_err(|why| Problem { line: 1, message: why.to_string() })?;
    host.clear();
    let mut stage = Stage { crowd, agent, host, now: 0, statistics, pause };
    let step = |step: &Step| stage.step(&step.what).map_err(|message| Problem { line: step.line, message });
    test.steps.iter().try_for_each(step)
}

/// Returns a problem for each line of a test with a name that the tree does not have. An answer for
/// a misspelled name would have no effect.
pub(crate) fn unknown_names(program: &Program, host: &Puppet, test: &Test) -> Vec<Problem> {
    let wrong = |step: &Step| {
        let message = match &step.what {
            What::Query(call, _) => host.function(Function::Query, call).err(),
            What::Action(call, _) | What::Call { call, .. } => host.function(Function::Action, call).err(),
            What::Give(call, ..) => host.giver(call).err(),
            What::Calls(calls) => calls.iter().find_map(|call| host.function(Function::Action, call).err()),
            What::Set(name, _) | What::Holds(name, _) => host.subject(name).err(),
            What::Raise(name) => host.event(program, name).err(),
            What::Tune(name, _) => host.tunable(program, name).err(),
            What::Wait(_) | What::Tick(_) | What::Status(_) => None,
        };
        message.map(|message| Problem { line: step.line, message })
    };
    test.steps.iter().filter_map(wrong).collect()
}

/// Returns a message about an unknown name, with a known name that is near it.
fn unknown<'a>(message: String, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    message + &hint(closest(name, known))
}

/// Returns the status that a test names.
fn returned(answer: Answer) -> Status {
    match answer {
        Answer::Success => Status::Success,
        Answer::Failure => Status::Failure,
        Answer::Running => Status::Running,
        Answer::Other(number) => Status::Other(number),
    }
}

impl Stage<'_> {
    fn step(&mut self, what: &What) -> Result<(), String> {
        match what {
            What::Query(call, value) => {
                let query = self.host.function(Function::Query, call)?;
                if let Some(place) = self.host.first_part(query) {
                    let line = part_given(call, place);
                    return Err(format!("`{call}` answers a vector, whose parts are given: `{line}`"));
                }
                let value = self.number(value, EnumSubject::Answer(query))?;
                self.host.queries.insert(call.clone(), value);
            }
            What::Action(call, status) => {
                self.host.function(Function::Action, call)?;
                self.host.actions.insert(call.clone(), returned(*status));
            }
            What::Give(call, place, value) => {
                let function = self.host.giver(call)?;
                let is_out = self.host.has_out(function, *place);
                is_out
                    .then_some(())
                    .ok_or_else(|| format!("argument {} of `{call}` is no `out` argument", place + 1))?;
                let value = self.number(value, EnumSubject::Parameter(function, *place as u32))?;
                self.host.gives.insert((call.clone(), *place), value);
            }
            What::Set(name, value) => {
                let value = self.number(value, self.host.subject(name)?)?;
                self.set(name, value)?;
            }
            What::Tune(name, value) => {
                let Given::Number(value) = value else {
                    return Err("a tunable is a number, `true` or `false`".to_owned());
                };
                tune(&mut self.crowd, self.agent, name, *value).map_err(|why| why.to_string())?;
            }
            What::Raise(name) => {
                let event = self.host.event(self.crowd.program(), name)?;
                let raised =
                    self.crowd.raise(event, EventTarget::Agent(self.agent), self.now, &mut self.host);
                raised.map_err(|why| why.to_string())?;
            }
            What::Wait(time) => self.now = self.now.saturating_add(*time),
            What::Tick(ticks) => (0..*ticks).try_for_each(|_| {
                (self.pause)();
                self.tick()
            })?,
            What::Status(status) => self.came_to(status.map(returned))?,
            What::Calls(calls) => self.called(calls)?,
            What::Call { call, wanted } => {
                let found = self.host.calls.iter().any(|words| words.contains(call));
                if found != *wanted {
                    let was = if found { "was called" } else { "was not called" };
                    return Err(format!("`{call}` {was} in the last tick: {}", self.asked()));
                }
            }
            What::Holds(name, value) => {
                let (held, subject) = (self.value(name)?, self.host.subject(name)?);
                if held != self.number(value, subject)? {
                    let image = &self.host.image;
                    let held = match image.member(subject, held) {
                        Some(member) => member.into_owned(),
                        None if image.is_text(subject) => {
                            let text = self.crowd.text(TextId(held as u32));
                            format!("{:?}", String::from_utf8_lossy(text))
                        }
                        None => number(held),
                    };
                    return Err(format!("`{name}` holds {held}"));
                }
            }
        }
        Ok(())
    }

    /// Returns the number that a value of a test stands for where something takes it.
    fn number(&mut self, value: &Given, subject: EnumSubject) -> Result<f64, String> {
        match value {
            Given::Number(number) => Ok(*number),
            Given::Member(name) => self.host.names.number(subject, name),
            Given::Text(text) => self.crowd.intern(text).map(f64::from).map_err(|why| why.to_string()),
        }
    }

    fn tick(&mut self) -> Result<(), String> {
        self.now = self.now.saturating_add(TICK_TIME);
        self.host.calls.clear();
        let Self { crowd, host, now, statistics, .. } = self;
        crowd.tick_watched(*now, *host, *statistics);
        match self.host.unanswered.take() {
            Some(line) => {
                Err(format!("the tree calls a function that the test does not answer; add `{line}`"))
            }
            None => Ok(()),
        }
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let program = self.crowd.program().clone();
        let done = match (program.variable(name), program.shared(name)) {
            (Some(variable), _) => self.crowd.set_number(self.agent, variable, value),
            (_, Some(shared)) => self.crowd.set_shared(shared, Group::default(), value),
            _ if program.tunables().iter().any(|it| *it.name == *name) => {
                return Err(format!("`{name}` is a tunable; write `tune {name} = VALUE`"));
            }
            _ => return Err(format!("there is no variable `{name}`")),
        };
        done.map_err(|why| why.to_string())
    }

    fn value(&self, name: &str) -> Result<f64, String> {
        let program = self.crowd.program();
        let value = match (program.variable(name), program.shared(name)) {
            (Some(variable), _) => self.crowd.number(self.agent, variable),
            (_, Some(shared)) => self.crowd.shared(shared, Group::default()),
            _ => {
                let value = tuned(&self.crowd, self.agent, name);
                return value.ok_or_else(|| format!("there is no variable `{name}`"));
            }
        };
        value.map_err(|why| why.to_string())
    }

    fn came_to(&self, wanted: Option<Status>) -> Result<(), String> {
        let outcome = self.crowd.outcome(self.agent).ok().flatten();
        let is = match outcome {
            None => return Err("there was no tick yet".to_owned()),
            Some(Outcome::Fault(_)) => None,
            Some(Outcome::Status(status)) => Some(status),
        };
        if is == wanted { Ok(()) } else { Err(format!("the last tick returned {}", word(is))) }
    }

    fn called(&self, wanted: &[String]) -> Result<(), String> {
        let calls = &self.host.calls;
        let same =
            calls.len() == wanted.len() && calls.iter().zip(wanted).all(|(words, call)| words.contains(call));
        if same {
            return Ok(());
        }
        let wanted = if wanted.is_empty() { "no calls".to_owned() } else { wanted.join(", ") };
        Err(format!("expected {wanted}; the last tick called: {}", self.asked()))
    }

    fn asked(&self) -> String {
        let all = &self.host.calls;
        let calls: Vec<_> = all.iter().take(MOST_CALLS).map(|[.., with]| with.as_str()).collect();
        match all.len() {
            0 => "nothing".to_owned(),
            1..=MOST_CALLS => calls.join(", "),
            more => format!("{} and {} more", calls.join(", "), more - MOST_CALLS),
        }
    }
}

fn word(status: Option<Status>) -> String {
    status.map_or("a fault".to_owned(), |status| status.to_string())
}
