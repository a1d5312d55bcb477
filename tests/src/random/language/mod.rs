//! Random programs in pleach's own language, as text.
//!
//! A seed becomes source files that are well typed, use every construct of the language, and have
//! unusual meanings: a `while` in a `random` in a branch of a `parallel`, weights of zero, sums
//! that wrap around. The text goes through the whole compiler, so the front end is tested together
//! with the engines. In return, only valid programs are made. Programs that must be refused are in
//! the conformance cases.
//!
//! ```
//! use pleach_tests::random::{Case, language};
//! let program = language::program(&Case::sized(7, 20));
//! assert!(program.files[0].1.contains("tree main"));
//! assert!(!program.constructs.is_empty());
//! ```

mod assign;
mod constructs;
mod declare;
pub mod duel;
mod expression;
mod node;
mod text;
mod tunable;
mod vectors;
mod watched;
pub mod world;

pub use constructs::constructs;
pub use tunable::Tunable;

use super::Case;
use super::draws::Draws;
use declare::{Constant, Enum, Function, Tree};
use std::collections::BTreeSet;

/// Program with its names and constructs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Path and text of each file. The first file is the one to compile.
    pub files: Vec<(String, String)>,
    /// Trees that can be started; at least one.
    pub entries: Vec<String>,
    /// All declared variables, by the names that hosts use. Each part of a vector is one.
    pub variables: Vec<Variable>,
    /// All declared tunables.
    pub tunables: Vec<Tunable>,
    /// All declared events.
    pub events: Vec<String>,
    /// Constructs of the program, out of [`constructs`].
    pub constructs: BTreeSet<&'static str>,
}

impl Program {
    /// Returns the text of all files, each after a line with its path.
    #[must_use]
    pub fn source(&self) -> String {
        self.files.iter().map(|(path, text)| format!("--- {path}\n{text}")).collect()
    }
}

/// Declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name of the variable.
    pub name: String,
    /// Owner of the variable.
    pub scope: Scope,
    /// Type of the variable.
    pub kind: Kind,
}

/// Owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One value for each agent.
    Agent,
    /// One value for each group.
    Group,
    /// One value for the world.
    World,
}

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `bool`
    Bool,
    /// `float`
    Float,
    /// `int`, or one of the narrow types, with its name.
    Int(&'static str),
    /// `int64`
    Long,
    /// `double`
    Double,
    /// An entity, with its type.
    Entity(&'static str),
    /// A text.
    Text,
    /// An enum, by its index in the program.
    Enum(usize),
    /// `vec2` or `vec3`, with its number of parts.
    Vector(usize),
}

/// Type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    Int,
    Float,
    Long,
    Double,
    /// An entity, with its type as text.
    Entity(&'static str),
    /// A text.
    Text,
    /// Index in [`Builder::enums`].
    Enum(usize),
    /// Number of parts.
    Vector(usize),
}

impl Kind {
    /// Returns the construct that a variable of the kind is.
    fn construct(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Float => "float",
            Self::Int(word) => word,
            Self::Long => "int64",
            Self::Double => "double",
            Self::Entity(word) => word,
            Self::Text => "text",
            Self::Enum(_) => "variable of an enum",
            Self::Vector(2) => "vec2",
            Self::Vector(_) => "vec3",
        }
    }

    fn ty(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Float => Type::Float,
            Self::Int(_) => Type::Int,
            Self::Long => Type::Long,
            Self::Double => Type::Double,
            Self::Entity(word) => Type::Entity(word),
            Self::Text => Type::Text,
            Self::Enum(index) => Type::Enum(index),
            Self::Vector(count) => Type::Vector(count),
        }
    }
}

/// Returns the program of a case.
#[must_use]
pub fn program(case: &Case) -> Program {
    let mut builder = Builder::new(case);
    builder.declarations();
    builder.trees(case.size);
    builder.finish()
}

/// Program under construction.
struct Builder {
    draws: Draws,
    taken: BTreeSet<String>,
    variables: Vec<Variable>,
    tunables: Vec<Tunable>,
    enums: Vec<Enum>,
    constants: Vec<Constant>,
    actions: Vec<Function>,
    queries: Vec<Function>,
    events: Vec<String>,
    /// Variables of the trees that can be started, by the names that hosts use.
    locals: Vec<Variable>,
    /// Trees that later trees may use.
    trees: Vec<Tree>,
    /// Top-level items. The flag is true for an item that must be in the first file.
    items: Vec<(String, bool)>,
    constructs: BTreeSet<&'static str>,
    /// Maximum number of children of a composite.
    width: usize,
    /// One in `plain` expressions is a single operand.
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
            tunables: Vec::new(),
            enums: Vec::new(),
            constants: Vec::new(),
            actions: Vec::new(),
            queries: Vec::new(),
            events: Vec::new(),
            locals: Vec::new(),
            trees: Vec::new(),
            items: Vec::new(),
            constructs: BTreeSet::new(),
            width,
            plain,
        }
    }

    /// Records that the program has a construct.
    fn has(&mut self, construct: &'static str) {
        debug_assert!(constructs().any(|known| known == construct), "{construct} is not listed");
        self.constructs.insert(construct);
    }

    /// Returns an unused name.
    fn name(&mut self, base: &str) -> String {
        const WORDS: &[&str] = &["s", "ms", "ticks", "to", "text"];
        let word = self.draws.pick(WORDS);
        let number = self.draws.below(1000);
        let free = self.draws.one_in(12) && !self.taken.contains(word);
        let name = if free { word.to_owned() } else { format!("{base}{number}") };
        self.unused(name)
    }

    /// Returns an unused name that is no word of the grammar.
    fn plain_name(&mut self, base: &str) -> String {
        let name = format!("{base}{}", self.draws.below(1000));
        self.unused(name)
    }

    fn unused(&mut self, mut name: String) -> String {
        while !self.taken.insert(name.clone()) {
            name += "_";
        }
        name
    }
}
