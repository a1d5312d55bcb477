//! Grammar of the language `pleach` for tree-sitter, for programs in Rust that show trees.
//!
//! The parser is generated from `grammar.js`. It accepts every text that the compiler accepts, and
//! some texts that the compiler refuses. The tests of this crate compare the two.

#![expect(unsafe_code, reason = "the generated parser is C")]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_pleach() -> *const ();
}

/// The grammar.
///
/// ```
/// let mut parser = tree_sitter::Parser::new();
/// parser.set_language(&tree_sitter_pleach::LANGUAGE.into()).unwrap();
/// let tree = parser.parse("tree guard { running }", None).unwrap();
/// assert!(!tree.root_node().has_error());
/// ```
// SAFETY: The generated function returns a pointer to a language, which lives for ever.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_pleach) };

/// Query for highlights.
pub const HIGHLIGHTS: &str = include_str!("../../queries/highlights.scm");

/// Query for folds.
pub const FOLDS: &str = include_str!("../../queries/folds.scm");

/// Query for indentation, with the names of Neovim.
pub const INDENTS: &str = include_str!("../../queries/indents.scm");

/// Query for scopes and the names in them.
pub const LOCALS: &str = include_str!("../../queries/locals.scm");

/// Query for definitions and uses.
pub const TAGS: &str = include_str!("../../queries/tags.scm");
