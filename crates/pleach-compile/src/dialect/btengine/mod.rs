//! Bt Engine: forests of trees that an operator plays, pauses, stops and counts.
//!
//! A forest file names forests and their trees; a tree file holds the nodes of a tree. The engine's
//! own format is not public, so the format here is a proposal of the project. The meaning is that
//! of the engine's documentation. Where the documentation leaves something open,
//! `spec/dialects/btengine.md` decides.
//!
//! ```text
//! <BehaviorForestRoot>                              <BehaviorTreeRoot>
//!   <Forest name='Camp'>                              <Sequence name='Watch'>
//!     <Tree name='Guard' file='Guard.xml'/>             <Condition name='SeesFoe'/>
//!     <Tree name='Scout' file='Guard.xml'/>             <Action name='Shout'/>
//!   </Forest>                                         </Sequence>
//! </BehaviorForestRoot>                             </BehaviorTreeRoot>
//! ```
//!
//! A tree *file* becomes a tree of the AST and a block of code, however many trees of
//! the forests run it: so a program is as large as its text. Forests and names stand
//! beside it, in [`crate::forest`].
//!
//! The nodes of the AST:
//!
//! | keyword | subject | argument | children |
//! |---|---|---|---|
//! | `Selector`, `Sequence` | name | | one or more |
//! | `Parallel` | name | the status that all children must report (0 or 1) | one or more |
//! | `Decorator` | name | | one |
//! | `Condition` | name | | |
//! | `Action` | name | the status that it reports (0 or 1) | |
//!
//! The walk: `forest` reads forest files, `tree` tree files, and `Loader` is what they share;
//! `attributes` has what elements of both have in common, and `words` what elements there are.

mod attributes;
mod forest;
mod tree;
mod vocabulary;
mod words;

use super::Dialect;
use super::xml::{Attribute, Element};
use crate::diagnostic::Diagnostic;
use crate::forest::{Face, Forests, Policy, Role};
use crate::lower::Vocabulary;
use crate::session::Session;
use crate::source::Span;
use crate::text::Sym;
use crate::{ast, codes};
use attributes::{Names, misplaced, only};
use hashbrown::HashMap;
use words::{ATTRIBUTE, WORDS};

/// The dialect.
pub struct BtEngine;

impl Dialect for BtEngine {
    fn name(&self) -> &'static str {
        "btengine"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn root_elements(&self) -> &'static [&'static str] {
        &[words::FOREST_ROOT, words::TREE_ROOT]
    }

    fn files_hold_trees(&self) -> bool {
        true
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        forest::load(session, entries)
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}

/// Files on their way to the common tree.
struct Loader<'s, 'a> {
    session: &'s mut Session<'a>,
    file: ast::File,
    /// The names of forests.
    names: Names,
    /// For each tree file, its tree; none if it could not be read.
    files: HashMap<Sym, Option<u32>>,
    /// Bytes of the tree files that were read.
    text: usize,
    /// Description of each tree's root.
    roots: Vec<Face>,
}
