//! Random programs in pleach's own language, as text.
//!
//! A seed grows into files of source that keep to the types, use every construct of the language, and mean something
//! strange: a `while` in a `random` in a branch of a `parallel`, weights of nothing, sums that wrap around. The text goes
//! the whole way through the compiler, so the front end is tried along with the engines. The price is that only programs
//! that compile are made; what must be refused stands in the conformance cases.
//!
//! ```
//! use pleach_tests::random::{Case, language};
//! let program = language::program(&Case::sized(7, 20));
//! assert!(program.files[0].1.contains("tree main"));
//! assert!(!program.constructs.is_empty());
//! ```

mod constructs;
mod declare;
pub mod duel;
mod expression;
mod node;
mod text;
mod watched;
pub mod world;

pub use constructs::CONSTRUCTS;

use super::Case;
use super::draws::Draws;
use declare::{Constant, Function, Tree};
use std::collections::BTreeSet;

/// A program and what there is to know about it.
#[derive(Clone, Debug)]
pub struct Program {
    /// Path and text of each file; the first is the one to compile.
    pub files: Vec<(String, String)>,
    /// The trees that can be started; there is at least one.
    pub entries: Vec<String>,
    /// All declared variables.
    pub variables: Vec<Variable>,
    /// All declared events.
    pub events: Vec<String>,
    /// Which of [`CONSTRUCTS`] it has.
    pub constructs: BTreeSet<&'static str>,
}

impl Program {
    /// Returns the text of all files, each behind a line with its path.
    #[must_use]
    pub fn source(&self) -> String {
        self.files.iter().map(|(path, text)| format!("--- {path}\n{text}")).collect()
    }
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub scope: Scope,
    /// What it holds.
    pub kind: Kind,
}

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each agent has its own.
    Agent,
    /// Each group has one.
    Group,
    /// There is one.
    World,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `bool`
    Bool,
    /// `float`
    Float,
    /// `int`, or one of the narrow kinds, with its name.
    Int(&'static str),
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    Int,
    Float,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Float => "float",
            Self::Int(word) => word,
        }
    }

    fn ty(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Float => Type::Float,
            Self::Int(_) => Type::Int,
        }
    }
}

/// The program of a case.
#[must_use]
pub fn program(case: &Case) -> Program {
    let mut builder = Builder::new(case);
    builder.declarations();
    builder.trees(case.size);
    builder.finish()
}

/// A program under construction.
struct Builder {
    draws: Draws,
    taken: BTreeSet<String>,
    variables: Vec<Variable>,
    constants: Vec<Constant>,
    actions: Vec<Function>,
    queries: Vec<Function>,
    events: Vec<String>,
    /// Trees that may be used by those to come.
    trees: Vec<Tree>,
    /// Top-level items; the flag says that an item must stand in the first file.
    items: Vec<(String, bool)>,
    constructs: BTreeSet<&'static str>,
    /// Most children of a composite.
    width: usize,
    /// One in so many expressions is a plain operand.
    plain: usize,
}

impl Builder {
    fn new(case: &Case) -> Self {
        let mut draws = case.draws();
        let width = draws.pick(&[2, 3, 4, 4, if case.size > 100 { 40 } else { 6 }]);
        let plain = 1 + draws.below(3);
        Self {
            draws,
            taken: BTreeSet::new(),
            variables: Vec::new(),
            constants: Vec::new(),
            actions: Vec::new(),
            queries: Vec::new(),
            events: Vec::new(),
            trees: Vec::new(),
            items: Vec::new(),
            constructs: BTreeSet::new(),
            width,
            plain,
        }
    }

    /// Notes that the program has a construct.
    fn has(&mut self, construct: &'static str) {
        debug_assert!(CONSTRUCTS.contains(&construct), "{construct} is not listed");
        self.constructs.insert(construct);
    }

    /// A name that nothing else has.
    fn name(&mut self, base: &str) -> String {
        const WORDS: &[&str] = &["s", "ms", "ticks", "to", "text"];
        let word = self.draws.pick(WORDS);
        let number = self.draws.below(1000);
        let free = self.draws.one_in(12) && !self.taken.contains(word);
        let mut name = if free { word.to_owned() } else { format!("{base}{number}") };
        while !self.taken.insert(name.clone()) {
            name += "_";
        }
        name
    }
}
