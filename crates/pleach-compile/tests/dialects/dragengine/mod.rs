//! The front end of the Drag\[en\]gine dialect, seen from outside: files in, tree and codes out.

mod findings;
mod ids;
mod trees;

use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ast::{Binary, Expr, ExprIndex, File, NodeIndex, Value};
use pleach_compile::internals::dialects::Dragengine;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::text::Interner;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};

/// Files by path; the first is the entry `main`.
struct Files<'a>(&'a [(&'a str, &'a [u8])]);

impl Library for Files<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        self.include(&format!("{name}.debt"))
    }

    fn include(&self, path: &str) -> Option<Found> {
        let (_, text) = self.0.iter().find(|(known, _)| *known == path)?;
        Some(Found { name: format!("/{path}"), text: (*text).into() })
    }
}

/// Result of compiling some files.
struct Outcome {
    errors: usize,
    /// Code, line and column, and the text of the place, in the order of the findings.
    findings: Vec<(&'static str, String)>,
    /// The trees on one line each.
    trees: String,
}

fn load(files: &[(&str, &[u8])]) -> Outcome {
    load_from(&Files(files))
}

fn load_from(library: &dyn Library) -> Outcome {
    let manifest = Manifest::default();
    let mut session = Session::new(library, &manifest);
    let file = Dragengine.parse(&mut session, &["main".to_owned()]);
    let finding = |it: &pleach_compile::diagnostic::Diagnostic| {
        let place = it.span.map(|span| {
            let (at, text) = (session.sources.place(span), session.sources.text(span));
            format!("{}:{} {}", at.line, at.column, String::from_utf8_lossy(text))
        });
        (it.code.id, place.unwrap_or_default())
    };
    Outcome {
        errors: session.diagnostics.errors(),
        findings: session.diagnostics.list().iter().map(finding).collect(),
        trees: Printer { file: &file, names: &session.names }.trees(),
    }
}

/// Returns the trees of a text that loads without a finding.
fn clean(text: &str) -> String {
    let outcome = load(&[("main.debt", text.as_bytes())]);
    assert_eq!(outcome.findings, [], "{text}");
    outcome.trees
}

/// Returns the codes of the findings about a file with these rules.
fn codes(rules: &str) -> Vec<&'static str> {
    let text = format!("<behaviorTree>{rules}</behaviorTree>");
    let outcome = load(&[("main.debt", text.as_bytes())]);
    outcome.findings.iter().map(|(code, _)| *code).collect()
}

/// Prints trees on one line each: rules with full ids, flags, parameters and conditions.
struct Printer<'a> {
    file: &'a File,
    names: &'a Interner,
}

impl Printer<'_> {
    fn trees(&self) -> String {
        let rules = |root| self.file.children(root).map(|rule| self.node(rule)).collect::<Vec<_>>().join(" ");
        self.file.trees.iter().map(|tree| rules(tree.root)).collect::<Vec<_>>().join("\n")
    }

    fn node(&self, node: NodeIndex) -> String {
        let row = &self.file.nodes[node as usize];
        let mut text = self.names.text(row.keyword).into_owned();
        if let Some(id) = self.file.ids.iter().find(|id| id.node == node) {
            text += &format!("#{}{}", self.names.text(id.name), if id.listed { "" } else { "?" });
        }
        let args = self.file.args(row.args);
        if text.starts_with("action") {
            text += &format!("={}", row.subject.map_or("".into(), |name| self.names.text(name)));
        }
        if let Some(Value::Int(flags)) = args.first() {
            text += ["", "*", "!", "*!"][*flags as usize];
        }
        for parameter in args[1..].chunks(4) {
            let values: Vec<_> = parameter.iter().map(|arg| self.value(*arg)).collect();
            text += &format!("({})", values.join("|"));
        }
        text += &row.condition.map_or(String::new(), |it| format!(" if {}", self.expression(it)));
        let children: Vec<_> = self.file.children(node).map(|child| self.node(child)).collect();
        if children.is_empty() { text } else { format!("{text} {{ {} }}", children.join(", ")) }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Int(int) => int.to_string(),
            Value::Float(float) => float.to_string(),
            Value::Text(text) => self.names.text(text).into_owned(),
            _ => "?".to_owned(),
        }
    }

    fn expression(&self, expr: ExprIndex) -> String {
        match self.file.exprs[expr as usize] {
            Expr::Query { name, .. } => self.names.text(name).into_owned(),
            Expr::Not(inner) => format!("!{}", self.expression(inner)),
            Expr::Binary(operator, left, right) => {
                let operator = if operator == Binary::And { "&" } else { "|" };
                format!("({}{operator}{})", self.expression(left), self.expression(right))
            }
            _ => "?".to_owned(),
        }
    }
}
