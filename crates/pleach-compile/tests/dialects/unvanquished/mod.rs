//! The front end of the Unvanquished dialect, seen from outside: text in, tree and codes out.

mod grammar;
mod limits;
mod names;
mod preprocessor;
mod recovery;
mod tokens;

use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ast::{Binary, Expr, ExprIndex, File, NodeIndex, Role, Value};
use pleach_compile::internals::dialects::Unvanquished;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::text::Interner;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};

/// Files by name: trees as they are, includes with folder and extension.
struct Files<'a>(&'a [(&'a str, &'a [u8])]);

impl Library for Files<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let (_, text) = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Found { name: format!("bots/{name}.bt"), text: (*text).into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(path.strip_prefix("bots/")?.strip_suffix(".bt")?)
    }
}

fn manifest() -> Manifest {
    let (manifest, problems) = Manifest::parse(Unvanquished.manifest());
    assert_eq!(problems, []);
    manifest
}

/// Result of compiling some files, of which the first is the entry.
struct Outcome {
    errors: usize,
    /// Codes in the order of the findings.
    codes: Vec<&'static str>,
    /// All findings as text: place, message, help.
    findings: String,
    /// The trees on one line each, included ones first.
    trees: String,
}

fn load(files: &[(&str, &[u8])]) -> Outcome {
    let (library, manifest) = (Files(files), manifest());
    let mut session = Session::new(&library, &manifest);
    let file = Unvanquished.parse(&mut session, &[files[0].0.to_owned()]);
    let mut findings = String::new();
    for finding in session.diagnostics.list() {
        let place = finding.span.map(|span| (session.sources.text(span).len(), session.sources.place(span)));
        let (length, place) =
            place.map_or((0, String::new()), |(length, at)| (length, format!("{}:{}", at.line, at.column)));
        let help = finding.help.as_deref().unwrap_or_default();
        findings += &format!("{} {place}+{length} {} ({help})\n", finding.code.id, finding.message);
    }
    Outcome {
        errors: session.diagnostics.errors(),
        codes: session.diagnostics.list().iter().map(|finding| finding.code.id).collect(),
        findings,
        trees: Printer { file: &file, names: &session.names }.trees(),
    }
}

/// Prints trees on one line each, conditions with all parentheses.
struct Printer<'a> {
    file: &'a File,
    names: &'a Interner,
}

impl Printer<'_> {
    fn trees(&self) -> String {
        let tree = |tree: &pleach_compile::internals::ast::Tree| {
            let role = if tree.role == Role::Class { "class " } else { "" };
            format!("{role}{}: {}", self.names.text(tree.name), self.node(tree.root))
        };
        self.file.trees.iter().map(tree).collect::<Vec<_>>().join("\n")
    }

    fn node(&self, index: NodeIndex) -> String {
        let node = &self.file.nodes[index as usize];
        let mut text = self.names.text(node.keyword).into_owned();
        if let Some(subject) = node.subject {
            text += &format!(" {}", self.names.text(subject));
        }
        text += &self.args(node.args);
        if let Some(condition) = node.condition {
            text += &format!(" {}", self.expr(condition));
        }
        let children: Vec<String> = self.file.children(index).map(|child| self.node(child)).collect();
        if children.is_empty() { text } else { format!("{text} {{ {} }}", children.join("; ")) }
    }

    fn args(&self, range: (u32, u32)) -> String {
        let values: Vec<String> = self.file.args(range).iter().map(|arg| self.value(*arg)).collect();
        if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Int(int) => int.to_string(),
            Value::Float(float) => format!("{float:?}"),
            Value::Text(text) => format!("{:?}", self.names.text(text)),
            other => format!("{other:?}"),
        }
    }

    fn expr(&self, index: ExprIndex) -> String {
        match self.file.exprs[index as usize] {
            Expr::Number(value) => self.value(value),
            Expr::Query { name, args, .. } => format!("{}{}", self.names.text(name), self.args(args)),
            Expr::Not(operand) => format!("!{}", self.expr(operand)),
            Expr::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), sign(op), self.expr(right))
            }
            other => format!("{other:?}"),
        }
    }
}

fn sign(op: Binary) -> &'static str {
    match op {
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}

/// The text loads without any finding, to this tree.
#[track_caller]
fn loads(text: &str, tree: &str) {
    warns(text, tree, &[]);
}

/// The text loads to this tree, with these warnings.
#[track_caller]
fn warns(text: &str, tree: &str, codes: &[&str]) {
    let outcome = load(&[("main", text.as_bytes())]);
    assert_eq!(outcome.errors, 0, "{}", outcome.findings);
    assert_eq!(outcome.trees, format!("main: {tree}"));
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
}

/// The text does not load, and these are the findings.
#[track_caller]
fn fails(text: &str, codes: &[&str]) {
    let outcome = load(&[("main", text.as_bytes())]);
    assert!(outcome.errors > 0, "{}", outcome.trees);
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
    assert_eq!(outcome.trees, "");
}

/// The text of an argument list of `teleport` or `say`, and what the arguments are.
#[track_caller]
fn argument(text: &str, value: &str, codes: &[&str]) {
    let name = if text.contains('"') { "say" } else { "moveInDir" };
    warns(&format!("action {name}( {text} )"), &format!("action {name}({value})"), codes);
}
