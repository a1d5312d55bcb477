//! Prints what was read, compactly, with all parentheses.

use pleach_compile::internals::ast::{
    Arithmetic, Binary, Expr, ExprIndex, File, Math, NodeIndex, Role, Scope, Value,
};
use pleach_compile::internals::text::Interner;

/// Variables, then trees, a line each.
pub(crate) fn file(file: &File, names: &Interner) -> String {
    let printer = Printer { file, names };
    let mut lines = Vec::new();
    for variable in &file.variables {
        let scope = match variable.scope {
            Scope::Agent => "",
            Scope::Group => "group ",
            Scope::World => "world ",
        };
        let name = names.text(variable.name);
        lines.push(format!("{scope}var {name}: {:?} = {:#x}", variable.kind, variable.init));
    }
    for (index, tree) in (0..).zip(&file.trees) {
        let word = match tree.role {
            Role::Handler => "on ",
            _ if file.entries.contains(&index) => "",
            _ => "? ",
        };
        lines.push(format!("{word}{}: {}", names.text(tree.name), printer.node(tree.root)));
    }
    lines.join("\n")
}

struct Printer<'a> {
    file: &'a File,
    names: &'a Interner,
}

/// Something that is still to be printed.
enum Task {
    Node(NodeIndex),
    Text(&'static str),
}

impl Printer<'_> {
    fn node(&self, root: NodeIndex) -> String {
        let mut text = String::new();
        let mut tasks = vec![Task::Node(root)];
        while let Some(task) = tasks.pop() {
            let index = match task {
                Task::Node(index) => index,
                Task::Text(part) => {
                    text += part;
                    continue;
                }
            };
            text += &self.words(index);
            let children: Vec<_> = self.file.children(index).collect();
            if let Some((first, rest)) = children.split_first() {
                text += " { ";
                tasks.push(Task::Text(" }"));
                for child in rest.iter().rev() {
                    tasks.push(Task::Node(*child));
                    tasks.push(Task::Text("; "));
                }
                tasks.push(Task::Node(*first));
            }
        }
        text
    }

    fn words(&self, index: NodeIndex) -> String {
        let node = &self.file.nodes[index as usize];
        let mut text = self.names.text(node.keyword).into_owned();
        if let Some(subject) = node.subject {
            text += &format!(" {}", self.names.text(subject));
        }
        text += &self.args(node.args);
        if let Some(condition) = node.condition {
            text += &format!(" {}", self.expr(condition));
        }
        text
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
            Value::Variable(variable) => self.variable(variable),
            Value::Expression(expr) => self.expr(expr),
            Value::Int64(wide) => format!("{}l", wide.bits() as i64),
            Value::Double(wide) => format!("{:?}d", f64::from_bits(wide.bits())),
            Value::Nobody => "none".to_owned(),
            Value::Out(..) => "out".to_owned(),
        }
    }

    fn variable(&self, variable: u32) -> String {
        self.names.text(self.file.variables[variable as usize].name).into_owned()
    }

    fn expr(&self, index: ExprIndex) -> String {
        let one = |name: &str, operand| format!("{name}({})", self.expr(operand));
        match self.file.exprs[index as usize] {
            Expr::Number(value) => self.value(value),
            Expr::Query { name, args } | Expr::Asked { name, args } => {
                format!("{}?{}", self.names.text(name), self.args(args))
            }
            Expr::Not(operand) => one("!", operand),
            Expr::Binary(op, left, right) | Expr::CompareWords(op, left, right) => {
                format!("({} {} {})", self.expr(left), sign(op), self.expr(right))
            }
            Expr::Order(left, right) => format!("order({}, {})", self.expr(left), self.expr(right)),
            Expr::Spelled(spelling, text) => one(&format!("spelled {spelling:?}"), text),
            Expr::Bits(bits, left, right) => format!("({} {bits:?} {})", self.expr(left), self.expr(right)),
            Expr::Apply(function, operand) => one(&format!("{function:?}"), operand),
            Expr::Power(left, right) => format!("pow({}, {})", self.expr(left), self.expr(right)),
            Expr::Smooth(x, from, to) => {
                format!("smooth({}, {}, {})", self.expr(x), self.expr(from), self.expr(to))
            }
            Expr::Curve(operand, points) => format!("curve({}, {})", self.expr(operand), self.args(points)),
            Expr::Truth(value) => value.to_string(),
            Expr::Variable(variable) => self.variable(variable),
            Expr::Now => "now".to_owned(),
            Expr::Draw => "draw".to_owned(),
            Expr::Math(math, arithmetic, left, right) => {
                let dot = suffix(arithmetic);
                format!("({} {}{dot} {})", self.expr(left), operator(math), self.expr(right))
            }
            Expr::Negate(arithmetic, operand) => one(&format!("-{}", suffix(arithmetic)), operand),
            Expr::Magnitude(arithmetic, operand) => one(&format!("abs{}", suffix(arithmetic)), operand),
            Expr::ToLong(operand) => one("int64", operand),
            Expr::FromLong(operand) => one("double", operand),
            Expr::ToInt(operand) => one("int", operand),
            Expr::ToFloat(operand) => one("float", operand),
            Expr::Thousandths(operand) => one("milli", operand),
            Expr::Between(first, last, _) => format!("between({}, {})", self.expr(first), self.expr(last)),
            Expr::FromTruth(operand) => one("number", operand),
            Expr::ToTruth(operand) => one("truth", operand),
            Expr::Let(value, body) => format!("let {value} = {} in {}", self.expr(value), self.expr(body)),
            Expr::Bound(value) => format!("{value}'"),
            Expr::Since(variable) => format!("since({})", self.variable(variable)),
            Expr::Noted(variable) => format!("noted({})", self.variable(variable)),
            Expr::Reached(variable) => format!("reached({})", self.variable(variable)),
        }
    }
}

/// Returns what stands behind the sign of an operator.
fn suffix(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Int => "",
        Arithmetic::Float => ".",
        Arithmetic::Long => "l",
        Arithmetic::Double => "..",
    }
}

fn operator(math: Math) -> &'static str {
    match math {
        Math::Add => "+",
        Math::Subtract => "-",
        Math::Multiply => "*",
        Math::Divide => "/",
        Math::Remainder => "%",
        Math::Min => "min",
        Math::Max => "max",
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
