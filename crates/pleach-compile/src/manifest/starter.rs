//! Starters: manifests made from trees.
//!
//! A starter lists all names that trees use without a declaration, with the arguments that were
//! seen. It is a guess: types of arguments are those of the values that were seen, and the type of
//! a query's answer cannot be seen at all.

use super::declaration::Kind;
use super::{Inside, Type, is_name};
use crate::source::{Sources, Span};

use core::fmt;
use std::collections::BTreeMap;

/// Names that trees use without a declaration.
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
    names: BTreeMap<(Kind, String), Uses>,
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

/// All uses of a name.
#[derive(Clone, Debug, PartialEq)]
struct Uses {
    inside: Inside,
    arguments: Vec<Argument>,
    count: usize,
    /// File and line of the first use.
    first: String,
}

/// Argument of an unknown name.
#[derive(Clone, Debug, PartialEq)]
struct Argument {
    name: String,
    ty: Type,
    /// Number of uses that have it.
    count: usize,
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
        let first = || format!("{}:{}", sources.get(at.source).name, sources.place(at).line);
        let uses = self.names.entry((kind, name)).or_insert_with(|| Uses {
            inside,
            arguments: Vec::new(),
            count: 0,
            first: first(),
        });
        uses.count += 1;
        uses.inside = wider(uses.inside, inside);
        for (name, ty) in arguments {
            uses.argument(name, ty);
        }
    }
}

impl Uses {
    fn argument(&mut self, name: String, ty: Type) {
        match self.arguments.iter_mut().find(|it| it.name == name) {
            Some(known) => {
                known.ty = both(known.ty, ty);
                known.count += 1;
            }
            None => self.arguments.push(Argument { name, ty, count: 1 }),
        }
    }

    /// Returns the parameters in the spelling of manifests: those of all uses, then optional ones.
    fn parameters(&self) -> String {
        let all = |it: &&Argument| it.count == self.count;
        let needed = self.arguments.iter().filter(all).map(|it| format!("{}: {}", it.name, it.ty));
        let optional =
            self.arguments.iter().filter(|it| !all(it)).map(|it| format!("{}: {}?", it.name, it.ty));
        needed.chain(optional).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the type that takes values of both types.
fn both(one: Type, other: Type) -> Type {
    match (one, other) {
        _ if one == other => one,
        (Type::Text, _) | (_, Type::Text) => Type::Text,
        (Type::Bool, Type::Int) | (Type::Int, Type::Bool) => Type::Int,
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
        for ((kind, name), uses) in &self.names {
            let names = uses.arguments.iter().map(|it| &*it.name);
            let odd = core::iter::once(&**name).chain(names).find(|it| !is_name(it));
            if odd.is_some() {
                out.write_str("# ")?;
            }
            let parameters = uses.parameters();
            match (kind, uses.inside) {
                (Kind::Action, Inside::Nothing) => write!(out, "action {name}({parameters})")?,
                (Kind::Action, Inside::Child) => write!(out, "decorator {name}({parameters})")?,
                (Kind::Action, Inside::Anything) => write!(out, "action {name}({parameters}) bare")?,
                (Kind::Query, _) => write!(out, "query {name}({parameters}) -> number")?,
                (Kind::Symbol, _) => write!(out, "symbol {name} = 0")?,
                (Kind::Entry, _) => write!(out, "entry {name}: number")?,
            }
            write!(out, " # {}", uses.first)?;
            match odd {
                Some(odd) => writeln!(out, "; `{odd}` is no name: names have letters, digits and `_`")?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }
}
