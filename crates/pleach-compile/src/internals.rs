//! The insides of the compiler, for the tools, tests and benchmarks of this project.
//!
//! Nothing here is for programs that embed the compiler: names and meanings change without notice.
//! Tools read texts of the language `pleach`. Tests make modules by hand, compare them with what
//! front ends make of a text, and interpret them by reference.

use crate::dialect::Dialect;
use crate::ir::Module;
use crate::lower::LoweringMemory;
use crate::session::Session;

/// Reads trees of a dialect and lowers them. Returns `None` if there are errors, which the session
/// then holds.
pub fn module(session: &mut Session<'_>, dialect: &dyn Dialect, entries: &[String]) -> Option<Module> {
    crate::module(&mut LoweringMemory::default(), session, dialect, entries)
}

/// The syntax tree of all dialects.
pub mod ast {
    pub use crate::ast::*;
}

/// The dialects themselves, besides their names.
pub mod dialects {
    pub use crate::dialect::bst::{BLOCKED, Bst};
    pub use crate::dialect::btcpp::BtCpp;
    pub use crate::dialect::btengine::BtEngine;
    pub use crate::dialect::dragengine::Dragengine;
    pub use crate::dialect::mbt::Mbt;
    pub use crate::dialect::pleach::Pleach;
    pub use crate::dialect::unvanquished::Unvanquished;
}

/// Programs of BehaviorTree.CPP as nodes with ports.
pub mod btcpp {
    pub use crate::dialect::btcpp::outline::{
        Outline, OutlineArgument, OutlineEntry, OutlineNode, OutlinePort, OutlineRole, OutlineValue, outline,
    };
}

/// The language `pleach` as tools see it: its words, its tokens, and texts as they were read.
pub mod language {
    pub use crate::ast::{Binary, Math};
    pub use crate::dialect::pleach::lexer::{Blank, Lexeme, Operator, blank, extent};
    pub use crate::dialect::pleach::parsed::{Body, Node, Op, OpKind, Parsed, Range, parse};
    pub use crate::dialect::pleach::words::{Keyword, types};
}

/// Images of modules.
pub mod emit {
    use crate::diagnostic::Diagnostic;
    use crate::emit::{self, Memory};
    use crate::ir::Module;
    use crate::source::Sources;

    /// Emits a module. `sources` adds debug information.
    ///
    /// # Errors
    /// If the program is larger than the format allows.
    pub fn emit(
        module: &Module,
        dialect: &str,
        sources: Option<&Sources>,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        emit::emit(&mut Memory::default(), module, dialect, sources)
    }
}

/// Trees under names.
pub mod forest {
    pub use crate::forest::*;
}

/// Modules: programs before they are emitted.
pub mod ir {
    pub use crate::ir::*;
}

/// Lowering of files by the vocabularies of dialects.
pub mod lower {
    use crate::ast::File;
    use crate::ir::Module;
    use crate::lower::{self, LoweringMemory, Vocabulary};
    use crate::session::Session;

    /// Lowers a file without errors.
    #[must_use]
    pub fn lower(
        session: &mut Session<'_>,
        file: &File,
        vocabulary: &Vocabulary,
        entries: &[String],
    ) -> Module {
        lower::lower(&mut LoweringMemory::default(), session, file, vocabulary, entries)
    }
}

/// Sessions, which the stages of a compilation share.
pub mod session {
    pub use crate::session::Session;
}

/// Names as numbers.
pub mod text {
    pub use crate::text::{Interner, Sym};
}
