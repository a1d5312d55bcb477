//! Behavior trees of several dialects, compiled to pleach images.
//!
//! ```text
//! bytes -> Source -> (dialect) ast::File -> (vocabulary) ir::Module -> (layout, emit) image bytes
//! ```
//!
//! One function stands for each arrow, every type is consumed once, and nothing looks back. The AST keeps what was
//! written, the IR what is meant; where dialects disagree about a word, the disagreement is a row of a table in the
//! dialect's folder. The core does no input or output: text comes in through a [`source::Library`], bytes and
//! [`diagnostic::Diagnostics`] go out.
//!
//! ```
//! use pleach_compile::{compile, dialect, texts::Texts, Request};
//!
//! let texts = Texts::of("guard", "bt", "selector { condition team == 2 { action heal() } action roam() }");
//! let dialect = dialect::by_extension("bt").unwrap();
//! let manifest = dialect.own_manifest();
//! let done = compile(&texts, Request { dialect, manifest: &manifest, entries: &["guard".into()], debug: true });
//! assert!(done.image.is_some(), "{:?}", done.diagnostics);
//! ```

pub mod ast;
mod check;
pub mod codes;
pub mod copies;
mod declared;
pub mod diagnostic;
pub mod dialect;
pub mod emit;
pub mod forest;
pub mod ir;
pub mod layout;
pub mod lower;
pub mod manifest;
pub mod preorder;
pub mod session;
pub mod source;
pub mod text;
pub mod texts;

pub use declared::declarations;

use diagnostic::Diagnostics;
use dialect::Dialect;
use lower::LoweringMemory;
use manifest::Manifest;
use session::Session;
use source::{Library, Sources};

/// What to compile.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The language of the trees.
    pub dialect: &'static dyn Dialect,
    /// The host's vocabulary.
    pub manifest: &'a Manifest,
    /// The trees that can be started; what they include comes with them.
    pub entries: &'a [String],
    /// Whether the image says where its code comes from.
    pub debug: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Compilation {
    /// The image; `None` if there are errors.
    pub image: Option<Vec<u8>>,
    /// The files that were read.
    pub sources: Sources,
    /// Errors and warnings, in the order they were found.
    pub diagnostics: Diagnostics,
}

/// Compiles trees to the bytes of an image.
#[must_use]
pub fn compile(library: &dyn Library, request: Request<'_>) -> Compilation {
    Compiler::default().compile(library, request)
}

/// A compiler for many programs, one after the other. It keeps its memory, which [`compile`] gets from the system and gives
/// back each time. What it compiles does not depend on what it has compiled before.
#[derive(Debug, Default)]
pub struct Compiler {
    memory: Memory,
    lenient: bool,
}

/// Memory that one compilation leaves to the next, stage by stage.
#[derive(Debug, Default)]
struct Memory {
    session: session::Memory,
    lower: LoweringMemory,
    emit: emit::Memory,
}

impl Compiler {
    /// Whether it forgives what an engine forgives, with a warning, in dialects that are stricter than their engine.
    #[must_use]
    pub fn lenient(self, lenient: bool) -> Self {
        Self { lenient, ..self }
    }

    /// Compiles trees to the bytes of an image.
    #[must_use]
    pub fn compile(&mut self, library: &dyn Library, request: Request<'_>) -> Compilation {
        let mut session = self.session(library, request.manifest);
        let Memory { lower, emit, .. } = &mut self.memory;
        let module = module_within(lower, &mut session, request.dialect, request.entries);
        let image = module.and_then(|module| {
            let sources = request.debug.then_some(&session.sources);
            let emitted = emit::emit_within(emit, &module, request.dialect.name(), sources);
            session.names = lower.keep(module);
            emitted.map_err(|refused| session.diagnostics.push(*refused)).ok()
        });
        let (memory, sources, diagnostics) = session.end();
        self.memory.session = memory;
        Compilation { image, sources, diagnostics }
    }

    /// Begins a session in the memory of the one before.
    fn session<'a>(&mut self, library: &'a dyn Library, manifest: &'a Manifest) -> Session<'a> {
        let mut session = Session::within(core::mem::take(&mut self.memory.session), library, manifest);
        session.lenient = self.lenient;
        session
    }
}

/// Reads and lowers trees; `None` if there are errors, which the session then holds.
pub fn module(session: &mut Session<'_>, dialect: &dyn Dialect, entries: &[String]) -> Option<ir::Module> {
    module_within(&mut LoweringMemory::default(), session, dialect, entries)
}

/// As [`module`], in memory of earlier modules.
fn module_within(
    memory: &mut LoweringMemory,
    session: &mut Session<'_>,
    dialect: &dyn Dialect,
    entries: &[String],
) -> Option<ir::Module> {
    let file = dialect.parse(session, entries);
    if session.diagnostics.errors() > 0 {
        return None;
    }
    let module = lower::lower_within(memory, session, &file, dialect.vocabulary(), entries);
    session.keep_file(file);
    (session.diagnostics.errors() == 0).then_some(module)
}
