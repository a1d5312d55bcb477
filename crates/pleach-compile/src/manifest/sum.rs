//! Manifests that add up.
//!
//! A program is compiled with the declarations of several manifests: the dialect's own, if it is
//! wanted, and those of the game. A later declaration takes the place of an earlier one with the
//! same name. A warning tells both places, unless the two declare the same.

use super::declaration::{Declaration, Kind};
use super::{Entry, Function, Manifest, Problem, Substitution, Symbol};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{OriginId, Sources, Span};
use hashbrown::HashMap;

/// Sum of several manifests, with their texts and their errors.
///
/// ```
/// use pleach_compile::dialect;
/// use pleach_compile::manifest::Manifests;
///
/// let mbt = dialect::by_name("mbt").unwrap();
/// let mut manifests = Manifests::of(mbt); // `Manifests::new()` leaves the dialect's own out
/// manifests.add("game.manifest", "action Dance(style: text)\naction Hover(height: float)");
/// assert!(manifests.manifest().action("Dance").is_some());
/// assert!(manifests.manifest().action("Move").is_some());
/// let told: Vec<_> = manifests.diagnostics().list().iter().map(|it| it.code.id).collect();
/// assert_eq!(told, ["W0779"], "`Hover` is declared by the dialect, too");
/// ```
#[derive(Debug, Default)]
pub struct Manifests {
    manifest: Manifest,
    names: Names,
    sources: Sources,
    diagnostics: Diagnostics,
}

impl Manifests {
    /// No declarations at all.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the declarations of a text. `name` is what messages call it.
    pub fn add(&mut self, name: &str, text: &str) {
        let source = self.sources.add(name.to_owned(), text.as_bytes().into());
        let mut next = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim();
            let start = (next + line.len() - line.trim_start().len()) as u32;
            let end = start + content.len() as u32;
            next += line.len();
            let at = Span { source, start, end, origin: OriginId::NONE };
            let done = Declaration::read(content).map(|declaration| self.declare(declaration, at));
            match done {
                Ok(Ok(())) => {}
                Ok(Err(clash)) => self.clash(&clash, at),
                Err(message) => self.wrong(at, message),
            }
        }
    }

    /// Adds rules by which nodes are replaced for tests.
    pub fn substitute(&mut self, rules: impl IntoIterator<Item = Substitution>) {
        self.manifest.substitutions.extend(rules);
    }

    /// Returns the sum.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the sum and drops the rest.
    #[must_use]
    pub fn into_manifest(self) -> Manifest {
        self.manifest
    }

    /// Returns the texts, for the places of diagnostics.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the findings. A line that cannot be read is an error and is left out.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the findings by line. A last one gives the number of findings that were not kept.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let list = self.diagnostics.list().iter();
        let problem = |it: &Diagnostic| {
            Some(Problem { line: self.sources.place(it.span?).line, message: it.message.clone() })
        };
        let mut problems: Vec<_> = list.filter_map(problem).collect();
        if let (Some(line), more @ 1..) = (problems.last().map(|it| it.line), self.diagnostics.dropped()) {
            problems.push(Problem { line, message: format!("{more} more problems follow") });
        }
        problems
    }

    fn declare(&mut self, declaration: Declaration, at: Span) -> Result<(), Clash> {
        let Self { manifest: Manifest { name, actions, queries, symbols, entries, .. }, names, .. } = self;
        match declaration {
            Declaration::Nothing => Ok(()),
            Declaration::Manifest(new) => {
                *name = new;
                Ok(())
            }
            Declaration::Action(new) => {
                names.put((Kind::Action, &new.name.clone()), actions, new, at, same_function)
            }
            Declaration::Query(new) => {
                names.put((Kind::Query, &new.name.clone()), queries, new, at, same_function)
            }
            Declaration::Symbol(new) => {
                names.put((Kind::Symbol, &new.name.clone()), symbols, new, at, Symbol::eq)
            }
            Declaration::Entry(new) => {
                names.put((Kind::Entry, &new.name.clone()), entries, new, at, Entry::eq)
            }
        }
    }

    /// Tells that a name is declared more than once.
    fn clash(&mut self, Clash { name, kind, earlier }: &Clash, at: Span) {
        let kind = kind.word();
        if earlier.source == at.source {
            return self.wrong(at, format!("the {kind} `{name}` is declared twice"));
        }
        let message = format!("the {kind} `{name}` takes the place of an earlier one");
        let finding = Diagnostic::new(codes::MANIFEST_REPLACES, at, message);
        let finding = finding.help("of several manifests, the later one counts");
        self.diagnostics.push(finding.related(*earlier, "declared otherwise here"));
    }

    fn wrong(&mut self, at: Span, message: String) {
        self.diagnostics.push(Diagnostic::new(codes::MANIFEST_LINE, at, message));
    }
}

/// Names that are declared, by kind: index in the list of their kind, and place. Only symbols have
/// case, since some dialects do not tell cases apart.
#[derive(Debug, Default)]
struct Names(HashMap<(Kind, String), (usize, Span)>);

/// Second declaration of a name.
struct Clash {
    name: String,
    kind: Kind,
    earlier: Span,
}

impl Names {
    /// Adds a declaration to a list, or puts it in the place of one from an earlier manifest.
    fn put<T>(
        &mut self,
        (kind, name): (Kind, &str),
        list: &mut Vec<T>,
        new: T,
        at: Span,
        same: fn(&T, &T) -> bool,
    ) -> Result<(), Clash> {
        let clash = |earlier| Clash { name: name.to_owned(), kind, earlier };
        let folded = if kind == Kind::Symbol { name.to_owned() } else { name.to_ascii_lowercase() };
        let (index, place) = self.0.entry((kind, folded)).or_insert((list.len(), at));
        if *index == list.len() {
            list.push(new);
            return Ok(());
        }
        if place.source == at.source {
            return Err(clash(*place));
        }
        let earlier = core::mem::replace(place, at);
        let result = if same(&new, &list[*index]) { Ok(()) } else { Err(clash(earlier)) };
        list[*index] = new;
        result
    }
}

/// Returns true if trees and hosts cannot tell two functions apart.
fn same_function(one: &Function, other: &Function) -> bool {
    *one == Function { doc: one.doc.clone(), ..other.clone() }
}
