//! Trees of BehaviorTree.CPP: XML of the library for robots, with scripts and blackboards.
//!
//! A node keeps a status between ticks, and a tree is always evaluated from its outermost node. The
//! whole language is specified in `spec/dialects/btcpp.md`.
//!
//! `xml` reads files, `document` finds trees and includes, `models` nodes that files declare,
//! `verify` checks the trees, and `instance` copies subtrees. `entries` finds the entries of
//! blackboards and `infer` their types. `scripts`, `numbers` and `comparing` compile scripts that
//! `script` has parsed, and `library` has the code of all kinds of nodes. `outline` has the program
//! without that code, for tools. `export` writes programs of other dialects as files of the
//! library.

mod code;
mod comparing;
mod document;
mod entries;
pub(crate) mod export;
mod hosts;
mod infer;
mod instance;
mod kinds;
mod lexer;
mod library;
mod models;
mod names;
mod numbers;
pub(crate) mod outline;
mod script;
mod scripts;
mod slots;
mod test_scripts;
mod values;
mod verify;
mod vocabulary;
mod writes;
mod xml;

use super::Dialect;
use crate::ast::{self, Id, NodeIndex, Role, SlotKind, Tree, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::lower::Vocabulary;
use crate::session::Session;
use crate::source::{Found, SourceId, Span};
use code::Builder;
use document::Files;
use entries::Entries;
use hosts::Registry;
use kinds::Rule;
use library::Shared;

/// A finding that keeps a file from being used.
type Refused = Box<Diagnostic>;

/// Returns a finding with advice.
fn refused(code: Code, at: Span, message: impl Into<String>, help: impl Into<String>) -> Refused {
    Diagnostic::new(code, at, message).help(help).into()
}

/// The dialect.
pub struct BtCpp;

impl BtCpp {
    /// Returns the names of the nodes that come with version 3 or 4 of the library, and of those of
    /// Nav2.
    pub fn nodes(version: u32) -> impl Iterator<Item = &'static str> {
        let version = if version == 3 { kinds::Version::Three } else { kinds::Version::Four };
        kinds::all(version).map(|kind| kind.name)
    }
}

impl Dialect for BtCpp {
    fn name(&self) -> &'static str {
        "btcpp"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn root_elements(&self) -> &'static [&'static str] {
        &["root"]
    }

    fn files_hold_trees(&self) -> bool {
        true
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        let Some((found, tree)) = wanted(session, entries) else { return ast::File::default() };
        let file = program(session, found, tree);
        session.accept(file).unwrap_or_default()
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}

/// Returns a manifest with the nodes of which a file has models.
pub(crate) fn manifest_of_models(text: &[u8]) -> Option<String> {
    let document = xml::Document::read(SourceId(0), text).ok()?;
    Some(models::declarations(&document))
}

/// Returns the file that the host wants, and the ID of its tree if the host names one.
fn wanted<'e>(session: &mut Session<'_>, entries: &'e [String]) -> Option<(Found, Option<&'e str>)> {
    let entry = super::cry::one_entry(session, entries)?;
    if let Some(found) = session.library.tree(entry) {
        return Some((found, None));
    }
    let (file, tree) = entry.split_once('#').map_or((entry, None), |(file, tree)| (file, Some(tree)));
    Some((super::entry(session, file)?, tree))
}

/// A program as it was read.
struct Read {
    /// ID of the main tree.
    id: String,
    program: instance::Program,
    entries: Entries,
    registry: Registry,
}

/// Reads a program. Returns `None` if the session makes a starter: the nodes that the starter has
/// noted have no kind, so that the tree cannot be read further.
fn read(session: &mut Session<'_>, found: Found, tree: Option<&str>) -> Result<Option<Read>, Refused> {
    let mut registry = Registry::new(session.manifest, session.lenient);
    let (files, main) = Files::load(session, &mut registry, found, tree)?;
    if session.starter.is_some() {
        return Ok(None);
    }
    let id = files.trees[main].id.clone();
    let program = instance::instantiate(&files, main)?;
    let entries = Entries::find(&program, &registry, session.manifest, session.lenient)?;
    Ok(Some(Read { id, program, entries, registry }))
}

/// Reads a program and writes its routines.
fn program(session: &mut Session<'_>, found: Found, tree: Option<&str>) -> Result<ast::File, Refused> {
    let Some(read) = read(session, found, tree)? else { return Ok(ast::File::default()) };
    let Read { id, program, entries, registry } = read;
    let span = program.nodes[0].span;
    let mut builder = Builder::new(session, program, span);
    let wake = builder.session.names.intern(b"@wake");
    let wake = builder.named(wake, SlotKind::Bit, span);
    let timeouts = builder.program.nodes.iter().filter(|it| it.rule == Rule::Timeout).count();
    let begun = (timeouts > 1).then(|| builder.variable(SlotKind::I32, span));
    let mut shared = Shared {
        builder: &mut builder,
        entries: &entries,
        registry: &registry,
        slots: slots::Slots::default(),
        wake,
        timers: Vec::new(),
        begun,
        calls: hashbrown::HashMap::new(),
        queues: 0,
    };
    write(&mut shared, &id)?;
    for entry in 0..entries.list.len() {
        shared.slots.of(shared.builder, &entries, entry);
    }
    Ok(builder.file)
}

/// Writes the nodes of a program.
fn write(shared: &mut Shared<'_, '_, '_>, id: &str) -> Result<(), Refused> {
    let count = shared.builder.program.nodes.len();
    let mut routines = Vec::with_capacity(count);
    for node in 0..count {
        routines.push(library::routine(shared, node)?);
    }
    let driver = library::driver(shared)?;
    let builder = &mut *shared.builder;
    let name = builder.session.names.intern(id.as_bytes());
    let span = builder.program.nodes[0].span;
    let root = vocabulary::ROOT;
    builder.file.routines.extend(core::iter::once(driver).chain(routines));
    open(builder, root, None, span);
    for node in 0..count {
        let instance = &builder.program.nodes[node];
        let (kind, given) = (instance.kind.clone(), instance.named.then(|| instance.name.clone()));
        let (keyword, subject, title) = match instance.rule {
            Rule::Host(_) | Rule::Asked { .. } | Rule::Test(_) => (vocabulary::HOST, Some(kind), given),
            Rule::SubTree => ("SubTree", Some(kind), given),
            _ => (instance.library.map_or(vocabulary::HOST, |kind| kind.name), given, None),
        };
        let (span, path) = (instance.span, instance.path.clone());
        let node = open(builder, keyword, subject.as_deref(), span);
        let names = &mut builder.session.names;
        let title = title.map(|title| names.intern(title.as_bytes()));
        builder.file.ids.push(Id { node, name: names.intern(path.as_bytes()), listed: false, title });
    }
    let file = &mut builder.file;
    file.close(0);
    for (node, instance) in builder.program.nodes.iter().enumerate() {
        file.nodes[node + 1].end = instance.end as NodeIndex + 1;
    }
    file.trees.push(Tree { name, role: Role::Main, root: 0, span });
    file.entries.push(0);
    Ok(())
}

fn open(builder: &mut Builder<'_, '_>, keyword: &str, subject: Option<&str>, span: Span) -> NodeIndex {
    let names = &mut builder.session.names;
    let keyword = names.intern(keyword.as_bytes());
    let subject = subject.map(|subject| names.intern(subject.as_bytes()));
    let routine = builder.file.nodes.len() as i32;
    builder.file.open((keyword, subject), span, &[Value::Int(routine)], None)
}
