//! Questions about a recording: when did a node run, when did a variable hold a value?
//!
//! ```text
//! fight ran        guard.bt:12 failed        ammo < 2
//! ```

use crate::enums::EnumNames;
use crate::failure::Failure;
use crate::tuning::tuned;
use pleach::watch::{LaneId, LaneMask, Watch, Watchers};
use pleach::{Agent, Crowd, Image, Program, SharedVariable, Variable};
use pleach_image::listing;
use pleach_image::suggest::{closest, hint};
use std::collections::BTreeSet;

/// Condition that a recording is searched for.
pub(crate) struct When {
    /// Text of the question.
    pub(crate) text: String,
    what: What,
    /// Agents that have been found already.
    told: BTreeSet<usize>,
}

enum What {
    /// One of these nodes ended with one of these statuses.
    Node { nodes: Vec<u32>, statuses: Vec<u32> },
    /// A variable of an agent has this value.
    Own(Variable, Relation, f64),
    /// A shared variable has this value.
    Shared(SharedVariable, Relation, f64),
    /// A tunable has this value for an agent.
    Tuned(String, Relation, f64),
}

#[derive(Clone, Copy)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Signs of relations. Longer signs come first, because a shorter one may be their beginning.
const RELATIONS: [(&str, Relation); 7] = [
    ("==", Relation::Equal),
    ("!=", Relation::NotEqual),
    ("<=", Relation::LessOrEqual),
    (">=", Relation::GreaterOrEqual),
    ("=", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

impl Relation {
    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}

impl When {
    /// Reads a condition about agents of an image.
    pub(crate) fn new(text: &str, image: &Image, program: &Program) -> Result<Self, Failure> {
        let verbs = [("ran", vec![0, 1, 2, 3]), ("succeeded", vec![1]), ("failed", vec![0])];
        let verb = verbs.into_iter().find_map(|(verb, statuses)| {
            Some((text.trim().strip_suffix(verb)?.strip_suffix(' ')?.trim(), statuses))
        });
        let what = match verb {
            Some((node, statuses)) => What::Node { nodes: nodes(image, node)?, statuses },
            None => variable(text, image, program)?,
        };
        Ok(Self { text: text.to_owned(), what, told: BTreeSet::new() })
    }

    /// Returns true if ticks have to be watched to answer.
    pub(crate) fn is_of_nodes(&self) -> bool {
        matches!(self.what, What::Node { .. })
    }

    /// Returns the agents for which the condition held after a tick for the first time. The index
    /// is `None` if the condition is about no single agent.
    pub(crate) fn found(&mut self, crowd: &Crowd, seen: &Finder<'_>) -> Vec<Option<usize>> {
        let found: Vec<Option<usize>> = match &self.what {
            What::Node { nodes, statuses } => {
                let is = |ended: &&(usize, u32, u32)| nodes.contains(&ended.1) && statuses.contains(&ended.2);
                seen.ended.iter().filter(is).map(|(agent, ..)| Some(*agent)).collect()
            }
            What::Own(variable, relation, value) => {
                let is = |agent: &Agent| {
                    crowd.number(*agent, *variable).is_ok_and(|it| relation.holds(it, *value))
                };
                crowd.agents().filter(is).map(|agent| Some(agent.index())).collect()
            }
            What::Tuned(name, relation, value) => {
                let is = |agent: &Agent| {
                    tuned(crowd, *agent, name).is_some_and(|held| relation.holds(held, *value))
                };
                crowd.agents().filter(is).map(|agent| Some(agent.index())).collect()
            }
            What::Shared(variable, relation, value) => {
                let held = crowd.shared(*variable, pleach::Group::default());
                held.ok().filter(|held| relation.holds(*held, *value)).map(|_| None).into_iter().collect()
            }
        };
        found.into_iter().filter(|agent| self.told.insert(agent.unwrap_or(usize::MAX))).collect()
    }
}

/// Returns the nodes of a name: by keyword, subject, both, or place.
pub(crate) fn nodes(image: &Image, text: &str) -> Result<Vec<u32>, Failure> {
    listing::nodes_named(image, text)
        .map_err(|near| Failure::new(format!("no tree has a node `{text}`{}", hint(near.as_deref()))))
}

fn variable(text: &str, image: &Image, program: &Program) -> Result<What, Failure> {
    let parts = RELATIONS.iter().find_map(|(sign, relation)| {
        text.split_once(sign).map(|(name, value)| (name.trim(), *relation, value.trim()))
    });
    let usage = || Failure::new(format!("`{text}` is neither `NODE ran` nor `VARIABLE = VALUE`"));
    let (name, relation, value) = parts.ok_or_else(usage)?;
    let value = match value {
        "true" => 1.0,
        "false" => 0.0,
        value => match value.parse() {
            Ok(number) => number,
            Err(_) => {
                let mut names = EnumNames::new(image);
                let subject = names.variable(name).ok_or_else(|| unknown(name, image))?;
                names.number(subject, value).map_err(Failure::new)?
            }
        },
    };
    if let Some(variable) = program.variable(name) {
        return Ok(What::Own(variable, relation, value));
    }
    if let Some(variable) = program.shared(name) {
        return Ok(What::Shared(variable, relation, value));
    }
    if program.tunables().iter().any(|it| &*it.name == name) {
        return Ok(What::Tuned(name.to_owned(), relation, value));
    }
    Err(unknown(name, image))
}

/// Returns the error for a variable that is not there.
fn unknown(name: &str, image: &Image) -> Failure {
    let names = image.slots().iter().map(|row| row.name).chain(image.shared().iter().map(|row| row.name));
    let names = names.map(|name| image.name(name)).filter(|name| !name.is_empty());
    Failure::new(format!("there is no variable `{name}`{}", hint(closest(name, names))))
}

/// Watches all agents, and records the nodes that ended with their statuses.
pub(crate) struct Finder<'i> {
    image: &'i Image,
    agent: usize,
    /// Indices of agents, nodes, and statuses.
    ended: Vec<(usize, u32, u32)>,
}

impl<'i> Finder<'i> {
    pub(crate) fn new(image: &'i Image) -> Self {
        Self { image, agent: 0, ended: Vec::new() }
    }
}

impl Watch for Finder<'_> {
    fn left(&mut self, word: u32, exit: u32) {
        let agent = self.agent;
        let ended = self.image.debug_ends(word, exit);
        self.ended.extend(ended.map(|end| (agent, end.node.into(), end.status.into())));
    }
}

impl Watchers for Finder<'_> {
    type Watch<'a>
        = &'a mut Self
    where
        Self: 'a;

    fn begin(&mut self, _: &Crowd, _: i64) {
        self.ended.clear();
    }

    fn seen(&mut self, _: usize) -> LaneMask {
        [u64::MAX; 4]
    }

    fn watch(&mut self, _: LaneId, agent: Agent) -> Option<Self::Watch<'_>> {
        self.agent = agent.index();
        Some(self)
    }
}
