//! What was written: the tree that every dialect's front end makes of its text.
//!
//! One shape serves all dialects. A node has a keyword (`selector`, or an XML tag), perhaps a subject (the `heal` of
//! `action heal`, the `invert` of `decorator invert`), arguments, a condition, and children. What the words *mean*
//! is not decided here: that is the dialect's vocabulary, applied by [`crate::lower`].
//!
//! Nodes stand in one vector in pre-order, see [`crate::preorder`].

use crate::preorder;
use crate::source::Span;
use crate::text::Sym;

/// Index of a node in [`File::nodes`].
pub type NodeIndex = u32;
/// Index of an expression in [`File::exprs`].
pub type ExprIndex = u32;

/// A literal argument, already boxed the way the dialect boxes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A 32-bit integer.
    Int(i32),
    /// A 32-bit float.
    Float(f32),
    /// A string of bytes.
    Text(Sym),
}

/// An argument or attribute.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// The attribute's name, for dialects that have attributes.
    pub name: Option<Sym>,
    /// Its value.
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
}

/// A node as written.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The node word in the dialect's canonical spelling: `selector`, `action`, `decorator`.
    pub keyword: Sym,
    /// What the word is applied to, in canonical spelling: the name of an action, a decorator, or a tree.
    pub subject: Option<Sym>,
    /// Its arguments: a range of [`File::args`].
    pub args: (u32, u32),
    /// Its condition.
    pub condition: Option<ExprIndex>,
    /// One past the last node of its subtree.
    pub end: NodeIndex,
    /// The words that name the node: keyword and subject, not the children.
    pub span: Span,
}

/// A binary operator of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`, right side only if the left is true
    And,
    /// `||`, right side only if the left is false
    Or,
}

/// An expression; operands have smaller indices than the operator.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// A literal number.
    Number(Value),
    /// A call of a host query with literal arguments (a range of [`File::args`]).
    Query {
        /// Canonical name.
        name: Sym,
        /// Range of [`File::args`].
        args: (u32, u32),
        /// The name as written.
        span: Span,
    },
    /// Logical negation.
    Not(ExprIndex),
    /// An operator between two operands.
    Binary(Binary, ExprIndex, ExprIndex),
}

/// What a tree is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The behavior itself.
    Main,
    /// The tree that picks a class before a spawn (Unvanquished `selectClass`).
    Class,
}

/// A tree: a named root.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Its name; a class tree has that of the behavior it belongs to.
    pub name: Sym,
    /// Main or class tree.
    pub role: Role,
    /// The root; its subtree is `root..nodes[root].end`.
    pub root: NodeIndex,
    /// Where the tree begins.
    pub span: Span,
}

/// Everything that was read for the entries asked for. A tree stands after all trees that it includes.
#[derive(Debug, Default)]
pub struct File {
    /// The trees, included ones first.
    pub trees: Vec<Tree>,
    /// All nodes, tree by tree, each tree in pre-order.
    pub nodes: Vec<Node>,
    /// Arguments of nodes and queries.
    pub args: Vec<Arg>,
    /// Expressions.
    pub exprs: Vec<Expr>,
}

impl File {
    /// An empty file with room for this many nodes and what usually belongs to them.
    #[must_use]
    pub fn with_room(nodes: usize) -> Self {
        Self {
            trees: Vec::new(),
            nodes: Vec::with_capacity(nodes),
            args: Vec::with_capacity(nodes),
            exprs: Vec::with_capacity(nodes),
        }
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        preorder::children(node, |node| self.nodes[node as usize].end)
    }

    /// The arguments in a range.
    #[must_use]
    pub fn args(&self, (first, count): (u32, u32)) -> &[Arg] {
        &self.args[first as usize..(first + count) as usize]
    }
}
