//! The host's vocabulary: the actions, queries and symbols that its trees may use.
//!
//! A manifest is a text file that a game writes once (format: `spec/manifest.md`). With it, an
//! unknown name, a wrong number of arguments or an argument of the wrong type is found when a tree
//! is compiled, in the author's file, instead of in the game.
//!
//! ```
//! use pleach_compile::manifest::Manifest;
//!
//! let (manifest, problems) = Manifest::parse(
//!     "manifest arena
//!      action moveTo(place: int, radius: number?)   # walks until it is there
//!      query  distanceTo(place: int) -> float
//!      symbol BASE = 1",
//! );
//! assert!(problems.is_empty());
//! assert_eq!(manifest.actions[0].max_args(), 2);
//! ```
//!
//! A line that cannot be read is a problem of its own and is left out; all others count.

mod declaration;
mod declared;
mod imports;
mod params;
mod starter;
mod substitute;
mod sum;

pub(crate) use declaration::Kind;
pub use declared::{Constant, Declarations, Enum};
pub use starter::Starter;
pub(crate) use starter::Unknown;
pub use substitute::{Substitute, Substitution, TestNode, TestStatus};
pub use sum::Manifests;

/// The type of a parameter or of a query's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A 32-bit integer.
    Int,
    /// A 32-bit float.
    Float,
    /// An int or a float.
    Number,
    /// A 64-bit integer.
    Int64,
    /// A 64-bit float.
    Double,
    /// An entity of the host. Trees may tell kinds of entities apart by names: then this is the
    /// number of a name, else 0.
    Entity(u32),
    /// A string of bytes.
    Text,
    /// A vector of two floats. Hosts see two floats in a row.
    Vec2,
    /// A vector of three floats. Hosts see three floats in a row.
    Vec3,
    /// A value of an enum of trees: index in [`Declarations::enums`]. Functions that a manifest
    /// declares have none.
    Enum(u32),
}

impl Type {
    /// All types by their names in manifests, in the order in which they are declared.
    const NAMES: [(&str, Self); 10] = [
        ("bool", Self::Bool),
        ("int", Self::Int),
        ("float", Self::Float),
        ("number", Self::Number),
        ("text", Self::Text),
        ("int64", Self::Int64),
        ("double", Self::Double),
        ("entity", Self::Entity(0)),
        ("vec2", Self::Vec2),
        ("vec3", Self::Vec3),
    ];

    /// Returns the names of the parts of a vector; none for any other type.
    #[must_use]
    pub fn part_names(self) -> &'static [&'static str] {
        match self {
            Self::Vec2 => &["x", "y"],
            Self::Vec3 => &["x", "y", "z"],
            _ => &[],
        }
    }

    /// Returns the number of floats of a vector; `None` for any other type.
    #[must_use]
    pub fn floats(self) -> Option<usize> {
        Some(self.part_names().len()).filter(|count| *count > 0)
    }

    /// Returns the number of values that hosts see: those of a vector, else one.
    #[must_use]
    pub fn parts(self) -> usize {
        self.floats().unwrap_or(1)
    }

    /// Returns true if answers of this type are given as out arguments, because no `f64` holds all
    /// values.
    #[must_use]
    pub fn is_word(self) -> bool {
        matches!(self, Self::Int64 | Self::Entity(_))
    }
}

impl core::fmt::Display for Type {
    /// Writes the type in the spelling of manifests.
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let known = Self::NAMES.iter().find(|(_, ty)| ty == self);
        let other = if matches!(self, Self::Entity(_)) { "entity" } else { "enum" };
        out.write_str(known.map_or(other, |(name, _)| name))
    }
}

/// A parameter of an action or query; in dialects whose nodes have attributes, one of those.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// For messages, and the attribute's name.
    pub name: String,
    /// Type of the values that the parameter accepts.
    pub ty: Type,
    /// Words that the parameter accepts. If its type is [`Type::Int`] or [`Type::Bool`],
    /// each word stands for its index. Beside words, an integer accepts nothing else, and
    /// a boolean only `0` and `1`.
    pub words: Vec<String>,
    /// True if any other word counts as if the parameter were left out.
    pub others: bool,
    /// The least and the greatest number.
    pub range: (f64, f64),
    /// May be left out, with all that follow.
    pub optional: bool,
    /// True if the action gives a value by it. Such a parameter is not optional.
    pub out: bool,
    /// Value of an attribute that is left out.
    pub default: Option<Default>,
}

/// Value of an attribute that is left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// A number. A boolean is 1 or 0, a word is its index.
    Number(f64),
    /// A text.
    Text(String),
}

/// Children of an action, in dialects where hosts have nodes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// No children.
    Nothing,
    /// One child.
    Child,
    /// Any content, which is ignored. Such a node has no attributes but its own.
    Anything,
}

/// Way in which an action is called, in dialects that tell such leaves apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The action begins, goes on while it runs, and is told if it is halted.
    Lasting,
    /// The action is called at each tick, and must not run.
    Sync,
    /// The action tests something. It is called at each tick.
    Condition,
}

/// An action or query.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name in the spelling that the host is asked for.
    pub name: String,
    /// Parameters in order, optional ones last.
    pub params: Vec<Param>,
    /// Type of a query's answer; `None` for an action.
    pub answers: Option<Type>,
    /// Children of an action.
    pub inside: Inside,
    /// Way in which an action is called, in dialects that tell such leaves apart.
    pub leaf: Leaf,
    /// True if an action is told of events while it runs.
    pub hears: bool,
    /// Bytes that an action needs of each agent while it runs.
    pub data: u16,
    /// One line for people.
    pub doc: String,
}

impl Function {
    /// The smallest number of arguments.
    #[must_use]
    pub fn min_args(&self) -> usize {
        self.params.iter().filter(|param| !param.optional).map(|param| param.ty.parts()).sum()
    }

    /// The largest number of arguments.
    #[must_use]
    pub fn max_args(&self) -> usize {
        self.params.iter().map(|param| param.ty.parts()).sum()
    }

    /// Returns the number of out arguments behind the parameters: one if the answer is a word, and
    /// one for each float of a vector.
    #[must_use]
    pub fn answer_args(&self) -> usize {
        let given = |ty: Type| ty.floats().unwrap_or(usize::from(ty.is_word()));
        self.answers.map_or(0, given)
    }
}

/// Constant of the game: a name that stands for an integer in trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the spelling of trees.
    pub name: String,
    /// Number that the name stands for.
    pub value: i32,
}

/// An entry of a blackboard that the host writes before a tree reads it, in dialects whose trees
/// have a blackboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name of the entry.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
}

/// A host's vocabulary.
#[derive(Clone, Debug, core::default::Default, PartialEq)]
pub struct Manifest {
    /// For messages.
    pub name: String,
    /// Actions of agents.
    pub actions: Vec<Function>,
    /// Queries of conditions.
    pub queries: Vec<Function>,
    /// Named integers.
    pub symbols: Vec<Symbol>,
    /// Entries that the host writes.
    pub entries: Vec<Entry>,
    /// Rules by which nodes are replaced for tests. The first one that fits counts.
    pub substitutions: Vec<Substitution>,
}

/// Error in a line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// Description of the error.
    pub message: String,
}

impl Manifest {
    /// Reads one manifest. Lines with problems are left out. At most
    /// [`MAX_DIAGNOSTICS`](crate::diagnostic::MAX_DIAGNOSTICS) problems are kept; if there are
    /// more, one behind them says how many.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let mut manifests = Manifests::new();
        manifests.add("manifest", text);
        let problems = manifests.problems();
        (manifests.into_manifest(), problems)
    }

    /// The action of this name, in any case.
    #[must_use]
    pub fn action(&self, name: &str) -> Option<&Function> {
        self.actions.iter().find(|action| action.name.eq_ignore_ascii_case(name))
    }

    /// The query of this name, in any case.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&Function> {
        self.queries.iter().find(|query| query.name.eq_ignore_ascii_case(name))
    }
}

/// Reads a name.
fn name(text: &str) -> Result<String, String> {
    if is_name(text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is no name; names have letters, digits and `_`"))
}

/// Returns true for a text that a manifest can declare.
fn is_name(text: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(part) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn problem(line: &str, expected: &str) {
        let (manifest, problems) = Manifest::parse(line);
        assert_eq!(manifest, Manifest::default());
        assert!(problems.len() == 1 && problems[0].message.contains(expected), "{problems:?}");
    }

    #[test]
    fn declarations_are_read() {
        let text = "manifest m\n\naction go(a: int, b: number?) # goes\nquery q() -> bool\nsymbol S = -3";
        let (manifest, problems) = Manifest::parse(text);
        assert_eq!(problems, []);
        assert_eq!(manifest.name, "m");
        let go = manifest.action("GO").expect("declared");
        assert_eq!((go.min_args(), go.max_args(), go.doc.as_str()), (1, 2, "goes"));
        assert_eq!(manifest.query("q").and_then(|query| query.answers), Some(Type::Bool));
        assert_eq!(manifest.symbols, [Symbol { name: "S".to_owned(), value: -3 }]);
    }

    #[test]
    fn problems_are_told() {
        problem("tree x", "begins no declaration");
        problem("action a", "parentheses");
        problem("action a(", "end with `)`");
        problem("action a() -> int", "no `->`");
        problem("decorator a() -> int", "no `->`");
        problem("query a() -> int bare", "no type");
        problem("action a() loud", "`loud`");
        problem("action a() data", "how many bytes");
        problem("action a() data 70000", "how many bytes");
        problem("action a(b: {})", "no words");
        problem("action a(b: {one two) = two", "no `}`");
        problem("action a(b: {one two} = three)", "no value");
        problem("action a(b: {one two ..})", "must be optional");
        problem("action a(b: bool {one})", "two words");
        problem("action a(b: bool {no yes ..})", "must be optional");
        problem("action a(b: bool {no yes} = maybe)", "no value");
        problem("action a(b: {..} = one)", "no words");
        problem("action a(b: float {one ..} = one)", "stand alone");
        problem("action a(b: int 0..2 = 3)", "no value");
        problem("action a(b: text {x})", "no words");
        problem("action a(b: text 0..2)", "no range");
        problem("action a(b: int 2..1)", "no range");
        problem("action a(b: text = x)", "no value");
        problem("query q()", "`-> TYPE`");
        problem("action a(b)", "needs `: TYPE`");
        problem("action a(b: string)", "no type");
        problem("action a(b: int?, c: int)", "must be optional");
        problem("action 1a()", "no name");
        problem("symbol A", "NAME = NUMBER");
        problem("symbol A = 4294967296", "no 32-bit integer");
    }

    #[test]
    fn nodes_of_hosts_are_read() {
        let text = "decorator hold(name: text = \"\", of: {One Two} = two, s: float 0.. {ever} = ever) bare data 8 hears";
        let (manifest, problems) = Manifest::parse(text);
        assert_eq!(problems, []);
        let hold = manifest.action("hold").expect("declared");
        assert_eq!((hold.inside, hold.hears, hold.data), (Inside::Anything, true, 8));
        let params: Vec<_> =
            hold.params.iter().map(|it| (it.ty, it.words.len(), it.default.clone())).collect();
        assert_eq!(
            params,
            [
                (Type::Text, 0, Some(Default::Text(String::new()))),
                (Type::Int, 2, Some(Default::Number(1.0))),
                (Type::Float, 1, Some(Default::Text("ever".to_owned()))),
            ]
        );
        assert_eq!(hold.params[2].range, (0.0, f64::INFINITY));
        assert_eq!(Manifest::parse("decorator d()").0.actions[0].inside, Inside::Child);
    }

    #[test]
    fn a_second_declaration_is_left_out() {
        let (manifest, problems) = Manifest::parse("action a()\naction A(b: int)\nquery a() -> int");
        assert_eq!(manifest.actions.len(), 1);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [2]);
    }
}
