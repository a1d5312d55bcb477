//! State of reading one tree, and the steps that all kinds of nodes share.

use super::listeners::Listeners;
use super::timestamps::{Timestamps, hidden};
use super::{
    Attribute, Diagnostic, Element, Expr, ExprIndex, Machine, NodeIndex, Refused, Session, SlotKind, Span,
    Value, ast, attribute, codes, only,
};
use crate::dialect::cry::signals::Rule;
use crate::dialect::cry::variables::Variables;
use pleach_image::suggest::closest;

/// Attributes that write to the log of an agent: when a node begins, succeeds, fails.
pub(super) const LOGS: [&str; 3] = ["_startLog", "_successLog", "_failureLog"];

/// Children that a node may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    /// Nothing.
    None,
    /// One node.
    One,
    /// One node to this number of nodes.
    Some(usize),
    /// States; and such a node writes no logs.
    States,
    /// Whatever: it is not looked at, and neither are the attributes for logs.
    Ignored,
}

/// The most cases of a priority and states of a machine.
pub(super) const MOST_CASES: usize = 254;

/// A file on its way to the common tree.
pub(super) struct Reader<'r, 's, 'a> {
    pub(super) session: &'r mut Session<'s>,
    pub(super) file: ast::File,
    pub(super) variables: Variables,
    pub(super) timestamps: Timestamps,
    /// Writes of events to variables.
    pub(super) rules: Vec<Rule>,
    /// The nodes that events reach.
    pub(super) listeners: Listeners,
    /// State machines, of which states may still be missing.
    pub(super) machines: Vec<Machine>,
    /// Hidden variables of the branch that is being read.
    pub(super) scope: Scope,
    /// Work that is still to do, last first.
    pub(super) tasks: Vec<Task<'a>>,
}

/// Hidden variables of a branch. One leaf runs by a branch, so that leaves need none of their own.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope {
    /// Timer of a wait.
    pub(super) timer: Option<u32>,
    /// Boolean that is true if the awaited event has come.
    pub(super) flag: Option<u32>,
}

/// Work that is still to do.
pub(super) enum Task<'a> {
    /// To read a node.
    Node(Element<'a>),
    /// To read the node of a state: index of the machine.
    State(usize, Element<'a>),
    /// To look for more that is wrong.
    Recover(Element<'a>),
    /// To end a node.
    Close(NodeIndex),
    /// To go on in this branch.
    Scope(Scope),
    /// To add a node that has no element.
    Leaf(&'static str, Span),
}

impl<'r, 's, 'a> Reader<'r, 's, 'a> {
    pub(super) fn new(session: &'r mut Session<'s>, file: ast::File) -> Self {
        Self {
            session,
            file,
            variables: Variables::default(),
            timestamps: Timestamps::default(),
            rules: Vec::new(),
            listeners: Listeners::default(),
            machines: Vec::new(),
            scope: Scope::default(),
            tasks: Vec::new(),
        }
    }

    /// Warns about attributes that are not read, and reads those that all nodes have. Nodes that
    /// ignore their children do not have these.
    pub(super) fn attributes(&mut self, element: Element<'a>, children: Children, mut own: Vec<&str>) {
        let logs = !matches!(children, Children::Ignored | Children::States);
        if logs {
            own.extend(LOGS);
        }
        only(self.session, element, &own);
        let texts = LOGS.map(|name| attribute(element, name).map_or("", Attribute::value));
        if !logs || texts.iter().all(|text| text.is_empty()) {
            return;
        }
        let args = texts.map(|text| if text.is_empty() { Value::Int(0) } else { self.text(text) });
        let node = self.open(".logged", element.name_span(), &args, None);
        self.tasks.push(Task::Close(node));
    }

    /// Checks that a node has the children that it needs.
    pub(super) fn inside(&mut self, element: Element<'a>, children: Children) -> Result<(), Refused> {
        let count = element.children().count();
        let name = element.name();
        let wanted = match children {
            Children::None if count > 0 => "has no children".to_owned(),
            Children::One if count != 1 => format!("has one child, not {count}"),
            Children::Some(most) if count == 0 || count > most => {
                format!("has 1 to {most} children, not {count}")
            }
            Children::States if count == 0 || count > MOST_CASES => {
                format!("has 1 to {MOST_CASES} states, not {count}")
            }
            Children::Ignored if count > 0 => {
                let message = format!("`{name}` has no children; what is in it is ignored");
                let help = "put it behind the node";
                self.session.report(codes::IGNORED_ELEMENT, element.name_span(), message, help);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let help = match children {
            _ if count == 0 => "put a node into it",
            Children::None => "put what is in it behind the node",
            Children::One => "put them into a `Sequence`, `Selector` or `Parallel`",
            _ => "split it",
        };
        let message = format!("`{name}` {wanted}");
        Err(Diagnostic::new(codes::NODE_CHILDREN, element.name_span(), message).help(help).into())
    }

    /// Puts the children of a node and its end on the list of tasks.
    pub(super) fn contents(&mut self, node: NodeIndex, element: Element<'a>) {
        self.tasks.push(Task::Close(node));
        self.tasks.extend(element.children().rev().map(Task::Node));
    }

    /// Begins a node.
    pub(super) fn open(
        &mut self,
        keyword: &str,
        span: Span,
        args: &[Value],
        condition: Option<ExprIndex>,
    ) -> NodeIndex {
        let keyword = self.session.names.intern(keyword.as_bytes());
        self.file.open((keyword, None), span, args, condition)
    }

    /// Adds the node of an element around its children. This never fails; the result is that of
    /// functions which read elements.
    pub(super) fn around(
        &mut self,
        element: Element<'a>,
        args: &[Value],
        condition: Option<ExprIndex>,
    ) -> Result<(), Refused> {
        let node = self.open(element.name(), element.name_span(), args, condition);
        self.contents(node, element);
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str) -> Value {
        Value::Text(self.session.names.intern(text.as_bytes()))
    }

    pub(super) fn float(&mut self, value: f32) -> ExprIndex {
        self.file.expr(Expr::Number(Value::Float(value)))
    }

    /// Returns a new variable that hosts cannot find.
    pub(super) fn hidden(&mut self, kind: SlotKind, span: Span) -> u32 {
        hidden(self.session, &mut self.file, kind, span)
    }

    /// Warns about an element that is passed over. One of the names may be meant.
    pub(super) fn ignored(&mut self, element: Element<'a>, why: &str, names: &[&str]) {
        let message = format!("`{}` is ignored: {why}", element.name());
        let finding = Diagnostic::new(codes::IGNORED_ELEMENT, element.name_span(), message);
        let near = closest(element.name(), names.iter().copied());
        self.session.diagnostics.push(finding.near(near));
    }
}
