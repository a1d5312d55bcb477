//! State of reading forest files and tree files.

use super::attributes::Names;
use crate::ast;
use crate::forest::Face;
use crate::session::Session;
use crate::text::Sym;
use hashbrown::HashMap;

/// Files on their way to the common tree.
pub(super) struct Loader<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) file: ast::File,
    /// The names of forests.
    pub(super) names: Names,
    /// For each tree file, its tree; none if it could not be read.
    pub(super) files: HashMap<Sym, Option<u32>>,
    /// Bytes of the tree files that were read.
    pub(super) text: usize,
    /// Description of each tree's root.
    pub(super) roots: Vec<Face>,
}
