//! Names without a declaration, and suggestions for them.

use super::super::names::Row;
use super::super::syntax::Code as OpCode;
use super::call::SHOWN_PARAMS;
use super::{Checker, Diagnostic, Keyword, Meaning, Node, Op, Operand, Span, Sym, Type, Value, Word, codes};

/// Node words of other languages, in lower case, with the words of this one.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["fallback"], "`selector`; it goes on where a child runs"),
    (&["concurrent"], "`parallel`; it says when it ends: `parallel (succeed all, fail any)`"),
    (&["behavior", "behaviour", "subtree"], "`use NAME`"),
    (&["call"], "`use NAME` for a tree, `action NAME` for the host"),
    (
        &["decorator"],
        "nothing; decorators are words of their own: `invert`, `cooldown`, `timeout`, `repeat`, `force`",
    ),
    (&["else"], "the next child of a `selector` around the `if`"),
    (&["for"], "`repeat N { NODE }`"),
    (&["loop"], "`repeat { NODE }`"),
    (&["select"], "`selector`"),
    (&["priority", "reactivefallback", "reactiveselector"], "`reactive selector`"),
    (&["reactivesequence"], "`reactive sequence`"),
    (&["seq"], "`sequence`"),
    (&["not", "inverter"], "`invert { NODE }`"),
    (&["succeeder", "forcesuccess"], "`force success { NODE }`"),
    (&["forcefailure"], "`force failure { NODE }`"),
    (&["repeatuntilfailure"], "`until failure { NODE }`"),
    (&["retryuntilsuccessful"], "`until success { NODE }` or `retry N { NODE }`"),
    (&["timer"], "`cooldown D { NODE }`, which also rests after a success"),
    (&["mapstatus"], "`invert`, `force success` or `force failure`"),
    (&["return"], "`force success { NODE }` or `force failure { NODE }`"),
    (&["sleep"], "`wait D`"),
    (&["switch"], "`match EXPR { VALUE: NODE else: NODE }`"),
    (&["case"], "`VALUE: NODE` in a `match`"),
    (&["default"], "`else: NODE` in a `match`"),
    (&["randomsequence"], "`random sequence`"),
    (&["randomselector"], "`random selector`"),
    (&["shuffle"], "`random sequence` or `random selector`"),
    (&["probability"], "`chance 0.5 { NODE }`"),
    (&["runonce"], "`once { NODE }`"),
    (&["service", "periodically"], "`every 1 s { action look } { NODE }`"),
    (&["finally"], "`cleanup { set NAME = VALUE } { NODE }`"),
    (&["guard"], "`if EXPR { NODE }`, or `while EXPR { NODE }` to ask each tick"),
    (&["monitor"], "`while EXPR { NODE }`"),
    (&["emit"], "`raise EVENT`"),
    (&["let"], "`set NAME = VALUE`, with `var NAME: TYPE` outside of trees or at the head of one"),
];

impl Checker<'_, '_> {
    fn name(&self, word: Word) -> String {
        self.session.names.cited(Sym(word)).into_owned()
    }

    /// The place of a node's subject.
    pub(super) fn subject_place(&self, node: &Node) -> Span {
        self.place((node.subject_at, node.place.1))
    }

    /// The nearest name of a kind.
    fn near(&self, name: &str, is: fn(&Row) -> bool) -> Option<String> {
        self.session.near(name, self.names.known(&self.session.names, is))
    }

    /// Reports a name that is not declared, unless a file is missing that may declare it.
    pub(super) fn undeclared(&mut self, at: Span, message: String, help: Option<String>) {
        if !self.program.is_incomplete {
            self.report(Diagnostic::new(codes::UNKNOWN_NAME, at, message).advised(help));
        }
    }

    /// A word that begins no node.
    #[cold]
    pub(super) fn unknown_node(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let folded = name.to_ascii_lowercase();
        let foreign = FOREIGN.iter().find(|(words, _)| words.contains(&&*folded));
        let row = self.names.get(node.subject);
        let node_words =
            Keyword::ALL.iter().filter(|keyword| keyword.begins_node()).map(|keyword| keyword.text());
        let help = match (foreign, row) {
            (Some((_, here)), _) => format!("here it is {here}"),
            (_, Row { action: Some(_), .. }) => format!("an action is called with `action {name}`"),
            (_, Row { tree: Some(_), .. }) => format!("a tree is used with `use {name}`"),
            (_, Row { event: Some(_), .. }) => format!("an event is raised with `raise {name}`"),
            (_, Row { value: Meaning::Variable(_), .. }) => {
                format!("a variable is asked with `condition {name}` and written with `set {name} = VALUE`")
            }
            (_, Row { value: Meaning::Query(_), .. }) => {
                format!("a query is asked in a `condition`: `condition {name}`")
            }
            _ => self.session.near(&name, node_words).unwrap_or_else(|| {
                "a node begins with a word such as `sequence`, `selector`, `condition`, `action` or `use`"
                    .to_owned()
            }),
        };
        let at = self.place(node.place);
        self.tell(codes::UNKNOWN_NODE, at, format!("`{name}` begins no node"), help);
    }

    /// A name in an expression.
    #[cold]
    pub(super) fn unknown_value(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let is_action = self.action(word).is_some();
        let (message, help) = match self.names.get(word) {
            _ if name == "not" => (None, Some("`not` is written `!`".to_owned())),
            _ if is_action => (
                Some("an action, not a query"),
                Some("an action is a node: `action` runs it, an expression cannot".to_owned()),
            ),
            Row { tree: Some(_), .. } => (
                Some("a tree, not a value"),
                Some("a tree is a node: `use` puts it into another tree".to_owned()),
            ),
            Row { event: Some(_), .. } => (
                Some("an event, not a value"),
                Some(format!("an event is no value: `raise {name}` raises it")),
            ),
            _ => (None, self.near_value(&name)),
        };
        let help = help.unwrap_or_else(|| match op.code {
            OpCode::Call(_) => {
                let first = self.stack.len().saturating_sub(op.count as usize);
                format!("declare it: `query {name}{}: TYPE`", self.parameters_from(first))
            }
            _ => format!("declare it: `var {name}: TYPE`, `const {name} = VALUE` or `query {name}: TYPE`"),
        });
        let message = format!("`{name}` is {}", message.unwrap_or("not declared"));
        self.undeclared(self.place((op.start, op.end)), message, Some(help));
        Value::Wrong
    }

    fn near_value(&self, name: &str) -> Option<String> {
        let manifest = self.session.manifest;
        let params = self.params_here();
        let known = self.names.known(&self.session.names, |row| row.value != Meaning::Nothing);
        let queries = manifest.queries.iter().map(|query| query.name.as_str());
        let symbols = manifest.symbols.iter().map(|symbol| symbol.name.as_str());
        let words = ["true", "false", "none", "now", "random"];
        self.session.near(name, known.chain(params.chain(words).chain(queries).chain(symbols).map(Some)))
    }

    /// The names of the parameters and variables of the tree that is walked.
    fn params_here(&self) -> impl Iterator<Item = &str> {
        let tree = self.frame.tree.map(|tree| &self.program.trees[tree as usize]);
        let params = tree.into_iter().flat_map(|tree| tree.params).map(|param| param.name);
        let locals = tree.into_iter().flat_map(|tree| tree.locals).map(|local| local.name);
        params.chain(locals).filter_map(|name| core::str::from_utf8(self.session.names.bytes(name)).ok())
    }

    /// Reports an action that is not declared. Its arguments are the operands from `first` on.
    #[cold]
    pub(super) fn unknown_action(&mut self, node: &Node, first: usize) {
        let name = self.name(node.subject);
        let row = self.names.get(node.subject);
        let manifest = self.session.manifest;
        let meaning = self.meaning(node.subject);
        let is = |what, help| (format!("`{name}` is {what}, not an action"), help);
        let (message, help) = match (row, meaning) {
            (Row { tree: Some(_), .. }, _) => is("a tree", format!("write `use {name}`")),
            (_, Meaning::Query(_)) => is("a query", format!("a `condition` asks it: `condition {name}`")),
            (_, Meaning::Variable(_)) => {
                is("a variable", format!("`condition {name}` asks it, `set {name} = VALUE` writes it"))
            }
            (Row { event: Some(_), .. }, _) => is("an event", format!("write `raise {name}`")),
            _ => {
                let known = self.names.known(&self.session.names, |row| row.action.is_some());
                let declared = manifest.actions.iter().map(|action| action.name.as_str());
                let near = self.session.near(&name, known.chain(declared.map(Some)));
                let declare = || format!("declare it: `action {name}{}`", self.parameters_from(first));
                (format!("the action `{name}` is not declared"), near.unwrap_or_else(declare))
            }
        };
        self.undeclared(self.subject_place(node), message, Some(help));
    }

    /// Returns the parameters that a function must have for the operands
    /// from `first` on, in parentheses.
    ///
    /// More than [`SHOWN_PARAMS`] become `…`.
    fn parameters_from(&self, first: usize) -> String {
        let operands = &self.stack[first..];
        if operands.len() > SHOWN_PARAMS {
            return "(…)".to_owned();
        }
        let ty = |operand: &Operand| match operand.value.ty() {
            Some(Type::Number) => Type::Float,
            // An operand without a type has an error of its own.
            known => known.unwrap_or(Type::Int),
        };
        let params = (1..)
            .zip(operands)
            .map(|(number, operand)| format!("arg{number}: {}", self.type_name(ty(operand))));
        format!("({})", params.collect::<Vec<_>>().join(", "))
    }

    #[cold]
    pub(super) fn unknown_tree(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let (message, help) = if self.action(node.subject).is_some() {
            (format!("`{name}` is an action, not a tree"), Some(format!("write `action {name}`")))
        } else {
            (format!("there is no tree `{name}`"), self.near(&name, |row| row.tree.is_some()))
        };
        self.undeclared(self.subject_place(node), message, help);
    }

    #[cold]
    pub(super) fn unknown_event(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let near = self.near(&name, |row| row.event.is_some());
        let help = near.unwrap_or_else(|| format!("declare it, with what it does: `on {name} {{ }}`"));
        self.undeclared(self.subject_place(node), format!("there is no event `{name}`"), Some(help));
    }

    #[cold]
    pub(super) fn unknown_target(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let known = self.names.known(&self.session.names, |row| matches!(row.value, Meaning::Variable(_)));
        let near = self.session.near(&name, known.chain(self.params_here().map(Some)));
        let help = near.unwrap_or_else(|| format!("declare it outside of trees: `var {name}: TYPE`"));
        self.undeclared(self.subject_place(node), format!("there is no variable `{name}`"), Some(help));
    }

    /// A function of the language without arguments.
    #[cold]
    pub(super) fn bare_function(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let (message, help) = (format!("`{name}` is a function"), format!("call it: `{name}(…)`"));
        self.tell(codes::TOO_FEW_ARGUMENTS, self.place((op.start, op.end)), message, help);
        Value::Wrong
    }

    /// Something with arguments that takes none.
    #[cold]
    pub(super) fn no_function(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let message = format!("`{name}` is a value and takes no arguments");
        let help = format!("leave the parentheses away: `{name}`");
        self.tell(codes::TOO_MANY_ARGUMENTS, self.place((op.start, op.end)), message, help);
        Value::Wrong
    }
}
