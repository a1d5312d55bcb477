//! Syntax tree: the text of any dialect, before its words get a meaning.
//!
//! One shape serves all dialects. A node has a keyword (`selector`, or an XML tag) and may have a
//! subject (the `heal` of `action heal`, the `invert` of `decorator invert`), arguments, a
//! condition, and children. The *meaning* of the words is not decided here. The dialect's
//! vocabulary has it, and [`crate::lower`] applies that.
//!
//! Nodes are in one vector in pre-order, see [`crate::preorder`].

mod values;

use crate::forest::Forests;
use crate::preorder;
use crate::routine::Routine;
use crate::source::Span;
use crate::text::Sym;
use pleach_image::format::{how, scope};
pub use pleach_image::spelling::Spelling;
pub use values::{Enum, Tunable, Typed};

/// Index of a node in [`File::nodes`].
pub type NodeIndex = u32;
/// Index of an expression in [`File::exprs`].
pub type ExprIndex = u32;

/// Stands for no variable.
pub const NO_VARIABLE: u32 = u32::MAX;

/// Bits of a value of 64 bits, in two halves: so values need no more room than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide([u32; 2]);

impl From<u64> for Wide {
    fn from(bits: u64) -> Self {
        Self([bits as u32, (bits >> 32) as u32])
    }
}

impl Wide {
    /// Returns all bits.
    #[must_use]
    pub fn bits(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }
}

/// A literal argument, already boxed the way the dialect boxes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A 32-bit integer.
    Int(i32),
    /// A 32-bit float.
    Float(f32),
    /// A 64-bit integer.
    Int64(Wide),
    /// A 64-bit float, as its bits.
    Double(Wide),
    /// No entity.
    Nobody,
    /// A string of bytes.
    Text(Sym),
    /// Out argument: index in [`File::variables`] of the variable that gets the value, and of the
    /// boolean that says that the value has been given, or [`NO_VARIABLE`].
    Out(u32, u32),
    /// Value of an agent's own variable when the argument is passed: index in [`File::variables`].
    Variable(u32),
    /// An expression, evaluated when the node needs it.
    Expression(ExprIndex),
}

/// Type of a variable, or of another slot of an agent's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A flag.
    Bit,
    /// A node, or none.
    Node,
    /// A point in time.
    Time,
    /// A bounded, ordered set of nodes; the number is its capacity.
    NodeSet(u16),
    /// A signed 8-bit integer.
    I8,
    /// An unsigned 8-bit integer.
    U8,
    /// A signed 16-bit integer.
    I16,
    /// An unsigned 16-bit integer.
    U16,
    /// A 32-bit integer.
    I32,
    /// A 32-bit float.
    F32,
    /// A 64-bit integer.
    I64,
    /// A 64-bit float.
    F64,
    /// An entity of the host.
    Entity,
    /// A text.
    Text,
    /// Bytes that belong to a node of the host: their number.
    Data(u16),
    /// A moment: a time as 64 bits. What notes moments holds 0 for none, 1 for no longer, and else
    /// two more than the time.
    Moment,
}

impl SlotKind {
    /// Returns true for integers of less than 32 bits.
    #[must_use]
    pub fn is_narrow(self) -> bool {
        matches!(self, Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }

    /// Returns true for the kinds whose values are words, not numbers.
    #[must_use]
    pub fn is_word(self) -> bool {
        matches!(self, Self::I64 | Self::Entity)
    }
}

/// Agents that have a variable, or that something else concerns, by their number in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Scope {
    /// One agent. Each agent has a variable of its own.
    Agent = 0,
    /// The agents of one group.
    Group = scope::GROUP,
    /// All agents.
    World = scope::WORLD,
}

/// A variable that a dialect declares in its text.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Name of the variable; empty if only the tree itself uses it.
    pub name: Sym,
    /// Whose it is.
    pub scope: Scope,
    /// Its type.
    pub kind: SlotKind,
    /// Initial value as bits: an integer (of up to 32 bits, in the lower half), the bits of a
    /// float, 0 and 1 for booleans, or the symbol of a text.
    pub init: u64,
    /// Place of the declaration.
    pub span: Span,
}

/// Something that a host or a node tells agents.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Its name.
    pub name: Sym,
    /// Tree that agents run when the event happens: index in [`File::trees`], of role
    /// [`Role::Handler`].
    pub handler: u32,
}

/// Operation by which a node writes to a variable that agents share, by its number in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum How {
    /// The writer with the highest index wins.
    Assign = how::ASSIGN,
    /// All values are added, after assignments.
    Add = how::ADD,
    /// The least value counts, after additions.
    Min = how::MIN,
    /// The greatest value counts, after that.
    Max = how::MAX,
}

/// The arithmetic of integers (wrapping) or of floats (rounded to the nearest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Of integers of 32 bits.
    Int,
    /// Of floats of 32 bits.
    Float,
    /// Of integers of 64 bits.
    Long,
    /// Of floats of 64 bits.
    Double,
}

/// An operator on the bits of two 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// An operator from numbers to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Math {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`; integers truncate, and by zero give 0
    Divide,
    /// `%`, of integers only; by zero gives 0
    Remainder,
    /// The right if it is smaller or the left is NaN, else the left
    Min,
    /// The right if it is larger or the left is NaN, else the left
    Max,
}

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The square root as a double.
    Root,
    /// 1 / (1 + e^-x) as a float.
    Logistic,
}

/// A node as written.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The node word in the dialect's canonical spelling: `selector`, `action`, `decorator`.
    pub keyword: Sym,
    /// Name that the keyword is applied to, in canonical spelling: an action, a decorator, or a
    /// tree.
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

/// A binary operator of a condition. The order is that of precedence in `.bt` files: each operator
/// binds tighter than those that follow here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// A literal number, or a text, which is the number of the text.
    Number(Value),
    /// A call of a host query with literal arguments (a range of [`File::args`]).
    Query {
        /// Canonical name.
        name: Sym,
        /// Range of [`File::args`].
        args: (u32, u32),
    },
    /// A call of a host query that gives its answer by the last arguments, which are out arguments:
    /// the value of the variable of the first of them.
    Asked {
        /// Canonical name.
        name: Sym,
        /// Range of [`File::args`].
        args: (u32, u32),
    },
    /// Logical negation.
    Not(ExprIndex),
    /// An operator between two operands.
    Binary(Binary, ExprIndex, ExprIndex),
    /// A comparison of two 64-bit integers or entities.
    CompareWords(Binary, ExprIndex, ExprIndex),
    /// Order of the bytes of two texts: -1, 0 or 1.
    Order(ExprIndex, ExprIndex),
    /// The number that a text spells, by the number of the text; NaN if it spells none.
    Spelled(Spelling, ExprIndex),
    /// Two 64-bit integers, bit by bit.
    Bits(Bits, ExprIndex, ExprIndex),
    /// `true` or `false`.
    Truth(bool),
    /// Value of a variable, by its index in [`File::variables`]: a boolean or a number.
    Variable(u32),
    /// The time of the tick as an integer.
    Now,
    /// A random float from 0 up to, not including, 1; each place draws its own.
    Draw,
    /// An operator between two numbers of one type.
    Math(Math, Arithmetic, ExprIndex, ExprIndex),
    /// A function of a number.
    Apply(Function, ExprIndex),
    /// A float to the power of another.
    Power(ExprIndex, ExprIndex),
    /// The smooth step of a float from 0 at the second one to 1 at the third one.
    Smooth(ExprIndex, ExprIndex, ExprIndex),
    /// The value at a float of a curve through points: pairs of floats, a range of
    /// [`File::args`].
    Curve(ExprIndex, (u32, u32)),
    /// The number with its sign changed.
    Negate(Arithmetic, ExprIndex),
    /// The number without its sign.
    Magnitude(Arithmetic, ExprIndex),
    /// A number as an integer: truncated toward zero. NaN is 0. A number that is too large
    /// becomes the nearest integer.
    ToInt(ExprIndex),
    /// A number as the nearest float.
    ToFloat(ExprIndex),
    /// A number as a 64-bit integer, rounded as by [`Self::ToInt`].
    ToLong(ExprIndex),
    /// A 64-bit integer as the nearest number.
    FromLong(ExprIndex),
    /// A thousand times a number as the nearest integer; a half is rounded away from zero. NaN is
    /// 0. A number that is too large becomes the nearest integer.
    Thousandths(ExprIndex),
    /// An integer from the first to the second, both included, by a third number from 0 up to 1;
    /// the first if the second is less.
    Between(ExprIndex, ExprIndex, ExprIndex),
    /// The second expression, in which [`Self::Bound`] is the value of the first, evaluated once.
    Let(ExprIndex, ExprIndex),
    /// The number that a [`Self::Let`] around the expression has named.
    Bound(ExprIndex),
    /// A boolean as 1 or 0.
    FromTruth(ExprIndex),
    /// True unless the number equals zero; true for NaN.
    ToTruth(ExprIndex),
    /// Time since the moment that a variable notes; NaN if it notes none, or no longer notes one.
    Since(u32),
    /// True if a variable has ever noted a moment.
    Noted(u32),
    /// True if the time has reached the moment in a variable, and that moment is not negative.
    Reached(u32),
}

/// A name by which hosts reach a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// The node.
    pub node: NodeIndex,
    /// The name, which no other node of the tree has.
    pub name: Sym,
    /// If true, hosts can find the node by the name; else the name is only shown.
    pub listed: bool,
    /// Name that the author gave to the node, if the node's subject is something else.
    pub title: Option<Sym>,
}

/// Part that a tree plays in its program: who starts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The behavior itself.
    Main,
    /// The tree that picks a class before a spawn (Unvanquished `selectClass`).
    Class,
    /// Reaction of agents to an event.
    Handler,
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
    /// Place where the tree begins.
    pub span: Span,
}

/// Everything that was read for the entries asked for. A tree stands after all trees that it
/// includes.
#[derive(Debug, Default)]
pub struct File {
    /// The trees, included ones first.
    pub trees: Vec<Tree>,
    /// All nodes, tree by tree, each tree in pre-order.
    pub nodes: Vec<Node>,
    /// Arguments of nodes and queries.
    pub args: Vec<Value>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Variables that the text declares.
    pub variables: Vec<Variable>,
    /// Types whose values have names.
    pub enums: Vec<Enum>,
    /// Members of these types: names and numbers.
    pub members: Vec<(Sym, i32)>,
    /// Everything that has one of these types, with the index in `enums`.
    pub typed: Vec<(Typed, u32)>,
    /// Variables that games change within ranges, in the order of these.
    pub tunables: Vec<Tunable>,
    /// Events that the text declares, in order.
    pub events: Vec<Event>,
    /// Names by which hosts reach nodes, in the order of these.
    pub ids: Vec<Id>,
    /// The trees that can be started: indices in `trees`. If this is empty, the trees
    /// that were requested by name.
    pub entries: Vec<u32>,
    /// Code of nodes that keep a status of their own.
    pub routines: Vec<Routine>,
    /// Actions with the ranges of their arguments in `args`, for the operations of `routines`.
    pub calls: Vec<(Sym, (u32, u32))>,
    /// Index in `variables` of the status of the first node, of kind [`SlotKind::U8`], if nodes
    /// keep statuses. The statuses of the following nodes come after it, in order.
    pub statuses: Option<u32>,
    /// The forests that the text names, with a face for each node and, before its nodes, for each
    /// tree.
    pub forests: Forests,
}

impl File {
    /// Makes room for this many nodes and what usually belongs to them.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
        self.args.reserve(nodes);
        self.exprs.reserve(nodes);
    }

    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        clear!(self => trees nodes args exprs variables enums members typed tunables events ids entries routines calls
            forests; statuses);
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        preorder::children(node, |node| self.nodes[node as usize].end)
    }

    /// The arguments in a range.
    pub fn args(&self, (first, count): (u32, u32)) -> &[Value] {
        &self.args[first as usize..(first + count) as usize]
    }

    /// Adds a node without children, with its keyword and subject.
    pub(crate) fn open(
        &mut self,
        (keyword, subject): (Sym, Option<Sym>),
        span: Span,
        args: &[Value],
        condition: Option<ExprIndex>,
    ) -> NodeIndex {
        let (args, index) = (self.arguments(args), self.nodes.len() as NodeIndex);
        self.nodes.push(Node { keyword, subject, args, condition, end: index + 1, span });
        index
    }

    /// Makes all nodes that were added after a node parts of its subtree.
    pub(crate) fn close(&mut self, node: NodeIndex) {
        self.nodes[node as usize].end = self.nodes.len() as NodeIndex;
    }

    /// Adds arguments. Returns their range.
    pub(crate) fn arguments(&mut self, args: &[Value]) -> (u32, u32) {
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        (first, args.len() as u32)
    }

    /// Adds an expression.
    pub(crate) fn expr(&mut self, expr: Expr) -> ExprIndex {
        self.exprs.push(expr);
        self.exprs.len() as ExprIndex - 1
    }
}
