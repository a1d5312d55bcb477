//! State of reading one tree.

use super::{Blocks, ExprIndex, NodeIndex, Session, Span, ast};
use crate::dialect::cry::signals::Rule;
use crate::dialect::cry::variables::Variables;
use crate::source::SourceId;
use hashbrown::HashSet;

/// A tree on its way to the common one.
pub(super) struct Reader<'r, 's, 'a> {
    pub(super) session: &'r mut Session<'s>,
    pub(super) file: ast::File,
    pub(super) blocks: &'r Blocks<'a>,
    /// The name of the tree.
    pub(super) name: &'a str,
    pub(super) variables: Variables,
    /// Writes of the signals.
    pub(super) rules: Vec<Rule>,
    /// The nodes by which translations know leaves: those of trees, each with the one around it.
    pub(super) named: Vec<Named<'a>>,
    /// For each of these, whether it is translated.
    pub(super) translated: Vec<bool>,
    /// The blocks that are open: indices in [`Blocks`].
    pub(super) inside: HashSet<usize>,
    /// Number of elements that have been gone through.
    pub(super) elements: u32,
    /// Elements that have been gone through: file and number.
    pub(super) visited: HashSet<(SourceId, u32)>,
    /// Cost of all that has been gone through, copies or not.
    pub(super) work: u64,
    /// True if there was no forgiven error, apart from unknown blocks.
    pub(super) complete: bool,
}

/// A node of the tree as translations know it; states are none.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    /// The one around it: index in [`Reader::named`].
    pub(super) parent: Option<u32>,
    /// The node in the file, if it is a leaf.
    pub(super) leaf: Option<NodeIndex>,
    pub(super) span: Span,
}

impl<'r, 's, 'a> Reader<'r, 's, 'a> {
    pub(super) fn new(
        session: &'r mut Session<'s>,
        file: ast::File,
        blocks: &'r Blocks<'a>,
        name: &'a str,
    ) -> Self {
        Self {
            session,
            file,
            blocks,
            name,
            variables: Variables::open(),
            rules: Vec::new(),
            named: Vec::new(),
            translated: Vec::new(),
            inside: HashSet::new(),
            elements: 0,
            visited: HashSet::new(),
            work: 0,
            complete: true,
        }
    }

    /// Begins a node.
    pub(super) fn open(
        &mut self,
        keyword: &str,
        subject: Option<&str>,
        span: Span,
        condition: Option<ExprIndex>,
    ) -> NodeIndex {
        let names = &mut self.session.names;
        let label = (names.intern(keyword.as_bytes()), subject.map(|it| names.intern(it.as_bytes())));
        self.file.open(label, span, &[], condition)
    }
}
