//! Random choices, and the tree of choices that shrinks.
//!
//! A generator makes a program from the numbers that it draws. [`Draws`] takes them from
//! quickcheck's [`Gen`] and records them as [`Choices`]: the numbers of a node of the program, and
//! the choices of the parts inside it. So every program is a tree of numbers, whatever text or
//! tables a generator makes of it. The tree can be changed and the generator run again on it.
//! Therefore one `shrink` serves all generators: it drops parts of lists, replaces a part by one
//! inside it, empties parts, and lowers numbers. A missing number is 0. Generators use 0 for their
//! simplest choice, so a smaller tree of numbers is a smaller program. Otherwise `shrink` would be
//! written six times, for six syntax trees, and every change would have to obey the rules of its
//! dialect.

use pleach_image::splitmix::mix;
use quickcheck::Gen;
use std::sync::{Arc, Mutex};

/// Size for quickcheck's generator. Nothing here depends on it.
pub(super) const GEN_SIZE: usize = 100;

/// All bytes in order: the numbers that [`Gen::choose`] chooses from.
const BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < 256 {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
};

/// Mixes numbers into one, so that every bit of each affects every bit of the result.
#[must_use]
pub fn hash<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, |state, number| mix(state ^ mix(number)))
}

/// Numbers that a part of a program was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    numbers: Vec<u32>,
    parts: Vec<Part>,
}

/// Part inside another part.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    choices: Arc<Choices>,
    /// Index of the number that counts the parts of its list.
    counter: Option<usize>,
}

/// Change that makes choices smaller.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// Removes a part of a list and lowers its count by one.
    Drop { part: usize, counter: usize },
    /// Replaces a part by a part inside it.
    Lift { part: usize, inner: usize },
    /// Empties a part, so that its numbers are 0.
    Clear { part: usize },
    /// Replaces a number by a smaller one.
    Lessen { number: usize, to: u32 },
}

impl Choices {
    /// Returns the count of numbers of a part and all parts inside it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len() + self.parts.iter().map(|part| part.choices.len()).sum::<usize>()
    }

    /// Returns true if nothing was drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum of all numbers.
    pub(super) fn sum(&self) -> u64 {
        let own: u64 = self.numbers.iter().map(|number| u64::from(*number)).sum();
        own + self.parts.iter().map(|part| part.choices.sum()).sum::<u64>()
    }

    /// Returns smaller choices, in descending order of the numbers that they remove.
    pub fn smaller(&self) -> impl Iterator<Item = Self> + use<> {
        let mut edits = Vec::new();
        self.edits(&mut Vec::new(), &mut edits);
        edits.sort_by_key(|(gain, ..)| core::cmp::Reverse(*gain));
        let whole = self.clone();
        edits.into_iter().map(move |(_, path, edit)| whole.edited(&path, edit))
    }

    /// Collects all edits, each with the count of numbers that it removes and the path of parts
    /// that leads to it.
    fn edits(&self, path: &mut Vec<usize>, edits: &mut Vec<(usize, Vec<usize>, Edit)>) {
        for (part, Part { choices, counter }) in self.parts.iter().enumerate() {
            let length = choices.len();
            if let Some(counter) = counter.filter(|counter| self.numbers[*counter] > 0) {
                edits.push((length + 1, path.clone(), Edit::Drop { part, counter }));
            }
            for (inner, within) in choices.parts.iter().enumerate() {
                edits.push((length - within.choices.len(), path.clone(), Edit::Lift { part, inner }));
            }
            if length > 0 {
                edits.push((length, path.clone(), Edit::Clear { part }));
            }
            path.push(part);
            choices.edits(path, edits);
            path.pop();
        }
        for (number, is) in self.numbers.iter().enumerate() {
            let less = [0, is / 2, is.saturating_sub(1)];
            let less = less.iter().enumerate().filter(|(at, to)| *to < is && !less[..*at].contains(to));
            edits.extend(less.map(|(_, to)| (0, path.clone(), Edit::Lessen { number, to: *to })));
        }
    }

    fn edited(&self, path: &[usize], edit: Edit) -> Self {
        let mut choices = self.clone();
        if let [first, rest @ ..] = path {
            let part = &mut choices.parts[*first].choices;
            *part = Arc::new(part.edited(rest, edit));
            return choices;
        }
        match edit {
            Edit::Drop { part, counter } => {
                choices.parts.remove(part);
                choices.numbers[counter] -= 1;
            }
            Edit::Lift { part, inner } => {
                choices.parts[part].choices = self.parts[part].choices.parts[inner].choices.clone();
            }
            Edit::Clear { part } => choices.parts[part].choices = Arc::default(),
            Edit::Lessen { number, to } => choices.numbers[number] = to,
        }
        choices
    }
}

/// Place in which a case finds the choices that its program was made of.
pub(super) type Log = Arc<Mutex<Arc<Choices>>>;

/// Source of the numbers.
enum Source {
    Chance(Gen),
    /// Choices of the part under construction, innermost last, with the counts of numbers and parts
    /// that have been taken.
    Given(Vec<(Arc<Choices>, usize, usize)>),
}

/// Choices of a part under construction.
#[derive(Default)]
struct Making {
    choices: Choices,
    /// Index of the number that counts the parts to come.
    counter: Option<usize>,
}

/// Numbers for a generator.
pub struct Draws {
    source: Source,
    /// Choices so far, innermost part last. Empty if they are not recorded.
    making: Vec<Making>,
    log: Option<Log>,
}

impl Draws {
    /// Creates random draws that depend only on a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { source: Source::chance(seed), making: Vec::new(), log: None }
    }

    /// Creates the draws of a case from given choices, or else at random. The log receives the
    /// choices at the end.
    pub(super) fn logged(given: Option<&Arc<Choices>>, seed: u64, log: &Log) -> Self {
        let given = given.map(|choices| Source::Given(vec![(choices.clone(), 0, 0)]));
        let source = given.unwrap_or_else(|| Source::chance(seed));
        Self { source, making: vec![Making::default()], log: Some(log.clone()) }
    }

    /// Draws a number below `limit`, which must be between 1 and 2^32 - 1. The simplest is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = match &mut self.source {
            Source::Chance(chance) => by_chance(chance, limit),
            Source::Given(parts) => {
                let (choices, next, _) = parts.last_mut().expect("the whole is never left");
                *next += 1;
                choices.numbers.get(*next - 1).map_or(0, |number| number % limit as u32)
            }
        };
        if let Some(Making { choices, .. }) = self.making.last_mut() {
            choices.numbers.push(number);
        }
        number as usize
    }

    /// Draws the number of parts of a list, less than `limit`. Each part must be drawn
    /// [inside](Self::begin) of its own.
    pub fn count(&mut self, limit: usize) -> usize {
        let count = self.below(limit);
        if let Some(Making { choices, counter }) = self.making.last_mut() {
            *counter = Some(choices.numbers.len() - 1);
        }
        count
    }

    /// Begins a part of the program.
    pub fn begin(&mut self) {
        if let Source::Given(parts) = &mut self.source {
            let (choices, _, next) = parts.last_mut().expect("the whole is never left");
            *next += 1;
            let part = choices.parts.get(*next - 1).map(|part| part.choices.clone());
            parts.push((part.unwrap_or_default(), 0, 0));
        }
        if !self.making.is_empty() {
            self.making.push(Making::default());
        }
    }

    /// Ends the part of the program that began last.
    pub fn end(&mut self) {
        if let Source::Given(parts) = &mut self.source {
            parts.pop();
        }
        if let Some(Making { choices, .. }) = self.making.pop()
            && let Some(around) = self.making.last_mut()
        {
            around.choices.parts.push(Part { choices: Arc::new(choices), counter: around.counter });
        }
    }

    /// Draws any number of 64 bits.
    pub fn roll(&mut self) -> u64 {
        [(); 4].iter().fold(0, |number, ()| number << 16 | self.below(1 << 16) as u64)
    }

    /// Returns true with probability 1 / `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Draws an element of a list that is not empty. The simplest is the first.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

impl Source {
    fn chance(seed: u64) -> Self {
        Self::Chance(Gen::from_size_and_seed(GEN_SIZE, seed))
    }
}

impl Drop for Draws {
    fn drop(&mut self) {
        if let Some(log) = self.log.take()
            && let [Making { choices, .. }] = &mut self.making[..]
            && let Ok(mut log) = log.lock()
        {
            *log = Arc::new(core::mem::take(choices));
        }
    }
}

fn by_chance(chance: &mut Gen, limit: usize) -> u32 {
    let mut byte = |most: usize| u32::from(*chance.choose(&BYTES[..most]).expect("there are bytes"));
    if limit <= BYTES.len() {
        return byte(limit);
    }
    let number = [(); 4].iter().fold(0, |number, ()| number << 8 | byte(BYTES.len()));
    number % limit as u32
}
