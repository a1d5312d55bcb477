//! Starters: manifests made from trees and images.
//!
//! A starter lists all names that trees use without a declaration, with the arguments that were
//! seen. It is a guess: types of arguments are those of the values that were seen, and trees do not
//! show the type of a query's answer.

use super::declaration::{Declaration, Kind};
use super::{Inside, Type, is_name};
use crate::source::{Sources, Span};

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

/// Names that trees use without a declaration, and names that images import.
///
/// ```
/// use pleach_compile::manifest::{Manifests, Starter};
/// use pleach_compile::{Request, dialect, texts::Texts};
///
/// let text = "<BehaviorTree><Root><Dance steps='3'/></Root></BehaviorTree>";
/// let texts = Texts::of("guard", "xml", text);
/// let dialect = dialect::by_name("mbt").unwrap();
/// let (manifests, entries) = (Manifests::of(dialect), ["guard".into()]);
/// let request =
///     Request { dialect, manifest: manifests.manifest(), entries: &entries, debug: false };
/// let mut starter = Starter::default();
/// let done = starter.read(&texts, request);
/// assert_eq!(done.diagnostics.errors(), 0, "unknown names are no errors here");
/// assert_eq!(starter.to_string(), "action Dance(steps: int) # guard.xml:1\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Starter {
    names: BTreeMap<(Kind, String), Noted>,
    pub(crate) lenient: bool,
}

impl Starter {
    /// Sets leniency, as [`Compiler::lenient`](crate::Compiler::lenient) does.
    #[must_use]
    pub fn lenient(self, lenient: bool) -> Self {
        Self { lenient, ..self }
    }
}

/// One use of an unknown name.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) inside: Inside,
    /// Name and type of each argument.
    pub(crate) arguments: Vec<(String, Type)>,
}

impl Unknown {
    /// Returns an action without arguments.
    pub(crate) fn leaf(name: &str) -> Self {
        Self { kind: Kind::Action, name: name.to_owned(), inside: Inside::Nothing, arguments: Vec::new() }
    }
}

/// Name with its uses.
#[derive(Clone, Debug, PartialEq)]
struct Noted {
    uses: Uses,
    /// Place of the first use: file and line of a tree, or an image.
    first: String,
}

/// Uses of a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uses {
    pub(super) inside: Inside,
    /// Type of the answer of a query.
    pub(super) answers: Type,
    pub(super) arguments: Vec<Argument>,
    pub(super) count: usize,
    /// Reason why the name cannot be declared.
    pub(super) trouble: Option<&'static str>,
}

/// Argument of an unknown name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) ty: Type,
    /// True if the action gives a value by it.
    pub(super) out: bool,
    /// Number of uses that have it.
    pub(super) count: usize,
}

impl Starter {
    /// Returns true if nothing unknown was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Notes a use.
    pub(crate) fn note(&mut self, sources: &Sources, unknown: Unknown, at: Span) {
        let Unknown { kind, name, inside, arguments } = unknown;
        let arguments = arguments.into_iter();
        let arguments = arguments.map(|(name, ty)| Argument { name, ty, out: false, count: 1 }).collect();
        let uses = Uses { inside, answers: Type::Number, arguments, count: 1, trouble: None };
        let first = || format!("{}:{}", sources.get(at.source).name, sources.place(at).line);
        self.add((kind, name), uses, first);
    }

    /// Adds uses of a name. `first` is called if there were none before.
    pub(super) fn add(&mut self, name: (Kind, String), new: Uses, first: impl FnOnce() -> String) {
        let Uses { inside, answers, arguments, count, trouble } = new;
        let none = Uses { inside, answers, arguments: Vec::new(), count: 0, trouble };
        let Noted { uses, .. } =
            self.names.entry(name).or_insert_with(|| Noted { uses: none, first: first() });
        uses.count += count;
        uses.inside = wider(uses.inside, inside);
        uses.answers = both(uses.answers, answers);
        uses.trouble = uses.trouble.or(trouble);
        for argument in arguments {
            uses.argument(argument);
        }
    }
}

impl Uses {
    fn argument(&mut self, new: Argument) {
        match self.arguments.iter_mut().find(|it| it.name == new.name) {
            Some(known) => {
                known.ty = both(known.ty, new.ty);
                known.out &= new.out;
                known.count += new.count;
            }
            None => self.arguments.push(new),
        }
    }

    /// Returns the parameters in the spelling of manifests: those of all uses, then optional ones.
    fn parameters(&self) -> String {
        let all = |it: &&Argument| it.count == self.count;
        let optional = self.arguments.iter().filter(|it| !all(it));
        let parameter = |it: &Argument, mark| {
            let out = if it.out { "out " } else { "" };
            format!("{out}{}: {}{mark}", it.name, it.ty)
        };
        let needed = self.arguments.iter().filter(all).map(|it| parameter(it, ""));
        needed.chain(optional.map(|it| parameter(it, "?"))).collect::<Vec<_>>().join(", ")
    }

    /// Returns the declaration of a name.
    fn declaration(&self, kind: Kind, name: &str) -> String {
        let parameters = self.parameters();
        match (kind, self.inside) {
            (Kind::Action, Inside::Nothing) => format!("action {name}({parameters})"),
            (Kind::Action, Inside::Child) => format!("decorator {name}({parameters})"),
            (Kind::Action, Inside::Anything) => format!("action {name}({parameters}) bare"),
            (Kind::Query, _) => format!("query {name}({parameters}) -> {}", self.answers),
            (Kind::Symbol, _) => format!("symbol {name} = 0"),
            (Kind::Entry, _) => format!("entry {name}: number"),
        }
    }

    /// Returns the reason why the declaration of a name cannot stand in a manifest, if there is
    /// one.
    fn trouble(&self, name: &str, line: &str) -> Option<String> {
        let names = self.arguments.iter().map(|it| &*it.name);
        let odd = core::iter::once(name).chain(names).find(|it| !is_name(it));
        let odd = odd.map(|odd| format!("`{odd}` is no name: names have letters, digits and `_`"));
        odd.or_else(|| self.trouble.map(str::to_owned)).or_else(|| Declaration::read(line).err())
    }
}

/// Returns the type that takes values of both types.
pub(super) fn both(one: Type, other: Type) -> Type {
    match (one, other) {
        _ if one == other => one,
        (Type::Text, _) | (_, Type::Text) => Type::Text,
        (Type::Bool, Type::Int) | (Type::Int, Type::Bool) => Type::Int,
        (Type::Int64, Type::Int) | (Type::Int, Type::Int64) => Type::Int64,
        (Type::Double, Type::Int | Type::Float) | (Type::Int | Type::Float, Type::Double) => Type::Double,
        _ => Type::Number,
    }
}

/// Returns what allows for both. A node with several children can only be one that does not look at
/// them.
fn wider(one: Inside, other: Inside) -> Inside {
    match (one, other) {
        (Inside::Anything, _) | (_, Inside::Anything) => Inside::Anything,
        (Inside::Child, _) | (_, Inside::Child) => Inside::Child,
        _ => Inside::Nothing,
    }
}

impl fmt::Display for Starter {
    /// Writes the manifest, sorted by kind and name. What cannot be declared becomes a comment.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut declared = BTreeSet::new();
        for ((kind, name), Noted { uses, first }) in &self.names {
            let line = uses.declaration(*kind, name);
            let mut trouble = uses.trouble(name, &line);
            if trouble.is_none()
                && *kind != Kind::Symbol
                && !declared.insert((*kind, name.to_ascii_lowercase()))
            {
                trouble = Some("it differs from another name in upper and lower case alone".to_owned());
            }
            let line = match trouble {
                Some(trouble) => format!("# {line} # {first}; {trouble}"),
                None => format!("{line} # {first}"),
            };
            // The rest of a name with a line break would be a declaration.
            writeln!(out, "{}", line.replace(char::is_control, "?"))?;
        }
        Ok(())
    }
}
