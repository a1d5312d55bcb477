//! Names that nothing declares: what was probably meant.

use super::super::names::{Meaning, Row, did_you_mean};
use super::super::syntax::{Node, Op};
use super::super::value::Value;
use super::super::words::{Keyword, Word};
use super::Checker;
use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Node words of other languages, in lower case, and what they are here.
const FOREIGN: &[(&str, &str)] = &[
    ("fallback", "`selector`; it goes on where a child runs"),
    ("concurrent", "`parallel`; it says when it ends: `parallel (succeed all, fail any)`"),
    ("behavior", "`use NAME`"),
    ("behaviour", "`use NAME`"),
    ("subtree", "`use NAME`"),
    ("call", "`use NAME` for a tree, `action NAME` for the host"),
    (
        "decorator",
        "nothing; decorators are words of their own: `invert`, `cooldown`, `timeout`, `repeat`, `force`",
    ),
    ("if", "`condition EXPR { NODE }`"),
    ("else", "the next child of a `selector` around the `condition`"),
    ("for", "`repeat N { NODE }`"),
    ("loop", "`repeat { NODE }`"),
    ("select", "`selector`"),
    ("priority", "`reactive selector`"),
    ("reactivesequence", "`reactive sequence`"),
    ("reactivefallback", "`reactive selector`"),
    ("reactiveselector", "`reactive selector`"),
    ("seq", "`sequence`"),
    ("not", "`invert { NODE }`"),
    ("inverter", "`invert { NODE }`"),
    ("succeeder", "`force success { NODE }`"),
    ("forcesuccess", "`force success { NODE }`"),
    ("forcefailure", "`force failure { NODE }`"),
    ("repeatuntilfailure", "`until failure { NODE }`"),
    ("retryuntilsuccessful", "`until success { NODE }` or `retry N { NODE }`"),
    ("timer", "`cooldown D { NODE }`, which also rests after a success"),
    ("mapstatus", "`invert`, `force success` or `force failure`"),
    ("return", "`force success { NODE }` or `force failure { NODE }`"),
    ("sleep", "`wait D`"),
    ("switch", "a `selector` of `condition`s, or a `utility`"),
    ("guard", "`condition EXPR { NODE }`, or `while EXPR { NODE }` to ask each tick"),
    ("monitor", "`while EXPR { NODE }`"),
    ("emit", "`raise EVENT`"),
    ("let", "`set NAME = VALUE`, with `var NAME: TYPE` outside of trees"),
];

impl Checker<'_, '_> {
    fn name(&self, word: Word) -> String {
        self.session.names.cited(self.program.words.sym(word)).into_owned()
    }

    /// The place of a node's subject.
    pub(super) fn subject_place(&self, node: &Node) -> Span {
        self.place((node.subject_at, node.place.1))
    }

    /// The nearest name of a kind.
    fn near(&self, name: &str, is: fn(&Row) -> bool) -> Option<String> {
        did_you_mean(
            &self.session.suggestions,
            name,
            self.names.known(&self.program, &self.session.names, is),
        )
    }

    fn unknown(&mut self, code: Code, at: Span, message: String, help: Option<String>) {
        let mut finding = Diagnostic::new(code, Some(at), message);
        finding.help = help;
        self.report(finding);
    }

    /// A word that begins no node.
    #[cold]
    pub(super) fn unknown_node(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let folded = name.to_ascii_lowercase();
        let foreign = FOREIGN.iter().find(|(word, _)| *word == folded);
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
            _ => did_you_mean(&self.session.suggestions, &name, node_words).unwrap_or_else(|| {
                "a node begins with a word such as `sequence`, `selector`, `condition`, `action` or `use`"
                    .to_owned()
            }),
        };
        let at = self.place(node.place);
        self.unknown(codes::UNKNOWN_NODE, at, format!("`{name}` begins no node"), Some(help));
    }

    /// A name in an expression.
    #[cold]
    pub(super) fn unknown_value(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let row = self.names.get(word);
        let help = match row {
            _ if name == "not" => Some("`not` is written `!`".to_owned()),
            Row { action: Some(_), .. } => {
                Some("an action is a node: `action` runs it, an expression cannot".to_owned())
            }
            Row { tree: Some(_), .. } => Some("a tree is a node: `use` puts it into another tree".to_owned()),
            _ => self.near_value(&name),
        };
        let code = codes::UNKNOWN_NAME;
        let at = self.place((op.start, op.end));
        let help = help.or_else(|| {
            Some(format!("declare it: `var {name}: TYPE`, `const {name} = VALUE` or `query {name}: TYPE`"))
        });
        self.unknown(code, at, format!("`{name}` is not declared"), help);
        Value::Wrong
    }

    fn near_value(&self, name: &str) -> Option<String> {
        let manifest = self.session.manifest;
        let params = self.params_here();
        let known = self.names.known(&self.program, &self.session.names, |row| row.value != Meaning::Nothing);
        let queries = manifest.queries.iter().map(|query| query.name.as_str());
        let symbols = manifest.symbols.iter().map(|symbol| symbol.name.as_str());
        let words = ["true", "false", "now", "random", "min", "max", "clamp", "abs"];
        did_you_mean(
            &self.session.suggestions,
            name,
            known.chain(params).chain(words).chain(queries).chain(symbols),
        )
    }

    /// The names of the parameters of the tree that is walked.
    fn params_here(&self) -> impl Iterator<Item = &str> {
        let trees = &self.program.trees;
        let tree = trees.partition_point(|tree| tree.nodes.1 < self.frame.next);
        let tree = trees.get(tree).filter(|tree| tree.nodes.0 < self.frame.next);
        let params = tree.map_or(&[][..], |tree| &tree.params);
        params.iter().filter_map(|param| core::str::from_utf8(self.session.names.bytes(param.name)).ok())
    }

    #[cold]
    pub(super) fn unknown_action(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let row = self.names.get(node.subject);
        let manifest = self.session.manifest;
        let help = if row.tree.is_some() {
            Some(format!("it is a tree: `use {name}`"))
        } else if row.event.is_some() {
            Some(format!("it is an event: `raise {name}`"))
        } else {
            let known = self.names.known(&self.program, &self.session.names, |row| row.action.is_some());
            let declared = manifest.actions.iter().map(|action| action.name.as_str());
            did_you_mean(&self.session.suggestions, &name, known.chain(declared))
        };
        let help = help.or_else(|| Some(format!("declare it: `action {name}()`")));
        let at = self.subject_place(node);
        self.unknown(codes::UNKNOWN_NAME, at, format!("the action `{name}` is not declared"), help);
    }

    #[cold]
    pub(super) fn unknown_tree(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let help = if self.names.get(node.subject).action.is_some() {
            Some(format!("it is an action: `action {name}`"))
        } else {
            self.near(&name, |row| row.tree.is_some())
        };
        let at = self.subject_place(node);
        self.unknown(codes::UNKNOWN_NAME, at, format!("there is no tree `{name}`"), help);
    }

    #[cold]
    pub(super) fn unknown_event(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let help = self.near(&name, |row| row.event.is_some());
        let help = help.or_else(|| Some(format!("declare it, with what it does: `on {name} {{ }}`")));
        let at = self.subject_place(node);
        self.unknown(codes::UNKNOWN_NAME, at, format!("there is no event `{name}`"), help);
    }

    #[cold]
    pub(super) fn unknown_target(&mut self, node: &Node) {
        let name = self.name(node.subject);
        let help = self.near(&name, |row| matches!(row.value, Meaning::Variable(_)));
        let help = help.or_else(|| Some(format!("declare it outside of trees: `var {name}: TYPE`")));
        let at = self.subject_place(node);
        self.unknown(codes::UNKNOWN_NAME, at, format!("there is no variable `{name}`"), help);
    }

    /// A function of the language without arguments.
    #[cold]
    pub(super) fn bare_function(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let at = self.place((op.start, op.end));
        let help = Some(format!("call it: `{name}(…)`"));
        self.unknown(codes::TOO_FEW_ARGUMENTS, at, format!("`{name}` is a function"), help);
        Value::Wrong
    }

    /// Something with arguments that takes none.
    #[cold]
    pub(super) fn no_function(&mut self, word: Word, op: Op) -> Value {
        let name = self.name(word);
        let at = self.place((op.start, op.end));
        let help = Some(format!("leave the parentheses away: `{name}`"));
        self.unknown(
            codes::TOO_MANY_ARGUMENTS,
            at,
            format!("`{name}` is a value and takes no arguments"),
            help,
        );
        Value::Wrong
    }
}
