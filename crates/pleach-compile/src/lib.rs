//! Compiler of behavior trees, written in any of several dialects, to the bytes of Pleach images.
//!
//! [`compile`] takes text from a [`source::Library`] and returns an image or
//! [`diagnostic::Diagnostics`]; it does no other input or output. [`texts::Texts`] is a library in
//! memory. A [`manifest::Manifest`] declares what trees can ask of the host. [`dialect::by_name`]
//! and [`dialect::by_extension`] find a dialect.
//!
//! ```
//! use pleach_compile::{compile, dialect, texts::Texts, Request};
//!
//! let text = "selector { condition team == 2 { action heal() } action roam() }";
//! let texts = Texts::of("guard", "bt", text);
//! let dialect = dialect::by_extension("bt").unwrap();
//! let manifest = dialect.own_manifest();
//! let entries = ["guard".into()];
//! let request = Request { dialect, manifest: &manifest, entries: &entries, debug: true };
//! let done = compile(&texts, request);
//! assert!(done.image.is_some(), "{:?}", done.diagnostics);
//! ```

/// Forgets what a struct holds but keeps the memory. Lists are emptied. Values after the semicolon
/// become what they are at first. Every field is named, so that none can be forgotten.
macro_rules! clear {
    ($it:ident => $($list:ident)* $(; $($value:ident)*)?) => {
        let Self { $($list,)* $($($value,)*)? } = $it;
        $($list.clear();)*
        $($(*$value = Default::default();)*)?
    };
}

mod ast;
mod by_sym;
mod check;
pub mod codes;
mod convert;
mod copies;
mod declared;
pub mod diagnostic;
pub mod dialect;
mod emit;
mod forest;
#[doc(hidden)]
pub mod internals;
mod ir;
mod layout;
mod lower;
pub mod manifest;
mod preorder;
mod routine;
mod session;
pub mod source;
mod text;
pub mod texts;

pub use convert::{Conversion, ConversionOptions, to_btcpp};
pub use declared::declarations;

use diagnostic::Diagnostics;
use dialect::Dialect;
use lower::LoweringMemory;
use manifest::Manifest;
use session::Session;
use source::{Library, Sources};

/// Input of a compilation, besides the files.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Dialect in which the trees are written.
    pub dialect: &'static dyn Dialect,
    /// Declarations of the host: its actions, queries and constants.
    pub manifest: &'a Manifest,
    /// Names of the trees that agents can be started with. Trees that these include are compiled
    /// with them.
    pub entries: &'a [String],
    /// Adds debug information to the image: the file, line and column of each node.
    pub debug: bool,
}

/// Result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    /// Bytes of the image; `None` if there are errors.
    pub image: Option<Vec<u8>>,
    /// Files that were read.
    pub sources: Sources,
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Diagnostics,
}

/// Compiles trees to the bytes of an image.
///
/// For many programs, [`Compiler::compile`] does the same and reuses its memory.
#[must_use]
pub fn compile(library: &dyn Library, request: Request<'_>) -> Compilation {
    Compiler::default().compile(library, request)
}

/// Compiler for many programs, one after the other.
///
/// It keeps its memory between programs, while [`compile`] allocates and frees it each time.
/// Earlier programs make no difference to an image.
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
    /// Sets leniency: if true, mistakes that the dialect's own engine ignores are warnings instead
    /// of errors. Off by default.
    #[must_use]
    pub fn lenient(self, lenient: bool) -> Self {
        Self { lenient, ..self }
    }

    /// Compiles trees to the bytes of an image, as [`compile`] does.
    #[must_use]
    pub fn compile(&mut self, library: &dyn Library, request: Request<'_>) -> Compilation {
        let mut session = self.session(library, request.manifest);
        let Memory { lower, emit, .. } = &mut self.memory;
        let module = module(lower, &mut session, request.dialect, request.entries);
        let image = module.and_then(|module| {
            let sources = request.debug.then_some(&session.sources);
            let emitted = emit::emit(emit, &module, request.dialect.name(), sources);
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

/// Reads and lowers trees, in memory of earlier modules. Returns `None` if there are errors, which
/// the session then holds.
fn module(
    memory: &mut LoweringMemory,
    session: &mut Session<'_>,
    dialect: &dyn Dialect,
    entries: &[String],
) -> Option<ir::Module> {
    let file = dialect.parse(session, entries);
    if session.diagnostics.errors() > 0 {
        return None;
    }
    let module = lower::lower(memory, session, &file, dialect.vocabulary(), entries);
    session.keep_file(file);
    (session.diagnostics.errors() == 0).then_some(module)
}
