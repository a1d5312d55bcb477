//! Forests: trees under names, each run by an agent of its own.
//!
//! A program may describe more than its trees: forests with names, the names of the trees in them,
//! names and policies of nodes, and attributes that the author has given to any of these. None of
//! this changes a tick. An operator's panel shows it, and tools look it up. AST and IR hold it in
//! the same form, and an image in tables of its own.
//!
//! Several trees may run the same code. So the data of a tree is separate from
//! the data of the code's nodes.

use crate::text::Sym;
use pleach_image::format::face;

/// Attributes: a range of [`Forests::attributes`].
pub type Attributes = (u32, u32);

/// The forests of a program.
#[derive(Clone, Debug, Default)]
pub struct Forests {
    /// The forests, in order.
    pub forests: Vec<Forest>,
    /// Their trees, forest by forest.
    pub trees: Vec<Tree>,
    /// Description of each node of the program, the roots of trees included. Empty without forests.
    pub nodes: Vec<Face>,
    /// Keys and values.
    pub attributes: Vec<(Sym, Sym)>,
}

/// A forest.
#[derive(Clone, Copy, Debug)]
pub struct Forest {
    /// Its name.
    pub name: Sym,
    /// Its trees: a range of [`Forests::trees`].
    pub trees: (u32, u32),
    /// Attributes that the author gave.
    pub attributes: Attributes,
}

/// A tree of a forest.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Its name.
    pub name: Sym,
    /// Code that the tree runs: index among the entries of the program.
    pub entry: u32,
    /// Attributes of the tree, besides those of the root of its code.
    pub attributes: Attributes,
}

/// Description of a node for tools and operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Its name; that of a root is the tree's.
    pub name: Option<Sym>,
    /// Type of the node.
    pub role: Role,
    /// Its policy.
    pub policy: Policy,
    /// Attributes that the author gave.
    pub attributes: Attributes,
}

/// The types of nodes, by their numbers in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Role {
    /// The root of a tree.
    Root = face::ROOT,
    /// Tries its children until one succeeds.
    Selector = face::SELECTOR,
    /// Tries its children until one fails.
    Sequence = face::SEQUENCE,
    /// Runs its children side by side.
    Parallel = face::PARALLEL,
    /// Judges its child.
    Decorator = face::DECORATOR,
    /// Tests something.
    Condition = face::CONDITION,
    /// Does something.
    Action = face::ACTION,
}

/// The policies of nodes, by their numbers in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Policy {
    /// It has none.
    None = face::NONE,
    /// A parallel that needs the success of all children.
    Sequence = face::ALL_SUCCEED,
    /// A parallel that needs the failure of all children.
    Selector = face::ALL_FAIL,
    /// An action that succeeds.
    Success = face::SUCCESS,
    /// An action that fails.
    Failure = face::FAILURE,
}

impl Forests {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        clear!(self => forests trees nodes attributes);
    }
}
