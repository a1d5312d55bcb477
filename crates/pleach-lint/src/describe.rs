//! Meaning of a node in words: its keyword with all its data, without its children.
//!
//! Places in the text, the numbers of slots and the order of declarations make no difference. For
//! people, conversions between types of numbers are left out. With them, two nodes with the same
//! words do the same, if their children do.

use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{
    Amount, Binary, Bits, By, Does, Expr, Function, How, Kind, Math, Module, NodeIndex, SlotKind, To,
};
use pleach_compile::internals::text::Sym;
use std::fmt::Write;

/// Returns a node in words: `cooldown 500 ms`, `while visible && ammo > 0`.
#[must_use]
pub fn node(module: &Module, index: NodeIndex) -> String {
    words(module, index, false)
}

/// Returns a node in words. If `is_exact`, all conversions are among them.
fn words(module: &Module, index: NodeIndex, is_exact: bool) -> String {
    let (keyword, subject) = module.nodes[index as usize].label;
    let keyword = module.names.text(keyword);
    let mut text = keyword.trim_start_matches('.').to_owned();
    let describer = Describer { module, is_exact };
    let details = describer.details(index);
    let names_itself = matches!(
        module.nodes[index as usize].kind,
        Kind::Action { .. }
            | Kind::Select(_)
            | Kind::Tell(_)
            | Kind::Wrap(_)
            | Kind::Perform { .. }
            | Kind::Instant(_)
    );
    if let Some(subject) = subject.filter(|_| !names_itself && !describer.is_named(index)) {
        let _ = write!(text, " {}", module.names.text(subject));
    }
    if !details.is_empty() {
        let _ = write!(text, " {details}");
    }
    text
}

/// Returns true if two subtrees do the same.
#[must_use]
pub fn same_meaning(module: &Module, one: NodeIndex, other: NodeIndex) -> bool {
    let end = |node: NodeIndex| module.nodes[node as usize].end;
    let length = end(one) - one;
    let same = |offset: NodeIndex| {
        let (left, right) = (one + offset, other + offset);
        end(left) - one == end(right) - other && words(module, left, true) == words(module, right, true)
    };
    length == end(other) - other && (0..length).all(same)
}

struct Describer<'m> {
    module: &'m Module,
    /// If true, conversions and the types of numbers are written.
    is_exact: bool,
}

/// Piece of an expression that is still to be written.
enum Piece {
    Expr(u32, bool),
    Text(&'static str),
    Points(u32),
}

impl Describer<'_> {
    /// Returns true if the details of a node begin with its subject.
    fn is_named(&self, node: NodeIndex) -> bool {
        matches!(
            self.module.nodes[node as usize].kind,
            Kind::Set(..) | Kind::Share(..) | Kind::Raise(..) | Kind::Call(_) | Kind::Wait { .. }
        )
    }

    fn details(&self, node: NodeIndex) -> String {
        let module = self.module;
        let children = || module.children(node).count();
        match module.nodes[node as usize].kind {
            Kind::Guard(condition) | Kind::While(condition) | Kind::Until(condition) => self.expr(condition),
            Kind::Selection(condition) => self.expr(condition),
            Kind::Map(table) => self.map(node, table),
            Kind::Cooldown { duration, .. } | Kind::Timeout { duration, .. } => {
                format!("{} ms", self.amount(duration))
            }
            Kind::Every { interval, .. } => format!("{} ms", self.amount(interval)),
            Kind::Wait { timer, length } => self.wait(timer, length),
            Kind::Again { times, .. } => times.map_or_else(String::new, |(_, times)| self.amount(times)),
            Kind::Limit(limiter) => module.limiters[usize::from(limiter)].places.to_string(),
            Kind::Admit(gate) => {
                let gate = module.gates[usize::from(gate)];
                format!("{} of {:?}", gate.places, gate.scope).to_lowercase()
            }
            Kind::Choose { by, .. } => self.choice(by, children()),
            Kind::Priority(first) => self.tests(first, children()),
            Kind::Parallel { succeed, fail, .. } => format!("(succeed {succeed}, fail {fail})"),
            Kind::Action { site, .. }
            | Kind::Instant(site)
            | Kind::Select(site)
            | Kind::Tell(site)
            | Kind::Wrap(site) => self.call(site),
            Kind::Perform { site, outcome } => format!("{} {outcome}", self.call(site)),
            Kind::Filter { enter, .. } => self.call(enter),
            Kind::Set(slot, expr) => format!("{} = {}", self.slot(slot), self.expr(expr)),
            Kind::Take { to, .. } => self.slot(to),
            Kind::Share(shared, how, expr) => {
                let operator = match how {
                    How::Assign => "=",
                    How::Add => "+=",
                    How::Min => "min=",
                    How::Max => "max=",
                };
                format!("{} {operator} {}", self.shared(shared), self.expr(expr))
            }
            Kind::Start(slot, expr) => format!("{} {}", self.slot(slot), self.expr(expr)),
            Kind::Note(slot, on) => format!("{} {on}", self.slot(slot)),
            Kind::Log(text) => self.quoted(Some(text)),
            Kind::Logged(logs) => module.logs[logs as usize].map(|text| self.quoted(text)).join(" "),
            Kind::Raise(event, scope) => {
                let event = self.name(module.events[usize::from(event)].name);
                format!("{event} to {scope:?}").to_lowercase()
            }
            Kind::Call(block) | Kind::Emit(block) => self.name(module.blocks[block as usize].name),
            Kind::Within(other) => self.name(module.nodes[other as usize].label.0),
            Kind::Rule(rule) => self.rule(rule),
            Kind::Chain(chain) => self.chain(chain),
            Kind::Tree | Kind::Composite(..) | Kind::Once(..) | Kind::Shuffle { .. } | Kind::Cleanup => {
                String::new()
            }
            Kind::Constant(_) | Kind::Machine(_) | Kind::Steps | Kind::Routine(_) => String::new(),
        }
    }

    /// Decorators of the language say by their words what they do.
    fn map(&self, node: NodeIndex, table: u32) -> String {
        let keyword = self.module.names.text(self.module.nodes[node as usize].label.0);
        if ["invert", "force"].contains(&&*keyword) {
            return String::new();
        }
        let to = |to: &To| match to {
            To::Same => "same".to_owned(),
            To::Status(outcome) => format!("{outcome:?}").to_lowercase(),
        };
        self.module.maps[table as usize].iter().map(to).collect::<Vec<_>>().join(" ")
    }

    fn wait(&self, timer: u16, length: Amount) -> String {
        let is_time = self.module.slots[usize::from(timer)].kind == SlotKind::Time;
        format!("{} {}", self.amount(length), if is_time { "ms" } else { "ticks" })
    }

    fn amount(&self, amount: Amount) -> String {
        match amount {
            Amount::Fixed(amount) => amount.to_string(),
            Amount::Computed(expr) => self.expr(expr),
        }
    }

    fn choice(&self, by: By, children: usize) -> String {
        match by {
            By::First(first) => self.tests(first, children.saturating_sub(1)),
            By::Value(_, value, first) => {
                format!("{}: {}", self.expr(value), self.cases(first, children.saturating_sub(1)))
            }
            By::Highest(first) => self.tests(first, children),
            By::Keeping { first, keep, .. } => {
                format!("{keep} %: {}", self.tests(first, children))
            }
        }
    }

    fn tests(&self, first: u32, count: usize) -> String {
        let tests = &self.module.tests[first as usize..][..count];
        tests.iter().map(|test| self.expr(*test)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the values with which a kept value is compared.
    fn cases(&self, first: u32, count: usize) -> String {
        let tests = &self.module.tests[first as usize..][..count];
        let case = |test: &u32| match self.module.exprs[*test as usize] {
            Expr::Binary(_, _, case) => self.expr(case),
            _ => self.expr(*test),
        };
        tests.iter().map(case).collect::<Vec<_>>().join(", ")
    }

    fn rule(&self, rule: u32) -> String {
        let rule = self.module.rules[rule as usize];
        let does = match rule.does {
            Does::Act(site) => self.call(site),
            other => format!("{other:?}").to_lowercase(),
        };
        let condition =
            rule.condition.map_or_else(String::new, |condition| format!(" if {}", self.expr(condition)));
        format!("{does}{condition} else {}", rule.bad)
    }

    fn chain(&self, chain: u32) -> String {
        let states = self.module.chains[chain as usize].states.iter().enumerate();
        let ways = states.flat_map(|(from, ways)| ways.iter().map(move |way| (from, *way)));
        let way = |(from, way): (usize, pleach_compile::internals::ir::Transition)| {
            format!("{from} to {} if {}", way.to, self.expr(way.condition))
        };
        ways.map(way).collect::<Vec<_>>().join(", ")
    }

    fn name(&self, name: Sym) -> String {
        self.module.names.text(name).into_owned()
    }

    /// Returns the name of a variable of the agent. Copies of a tree have variables of one name.
    fn slot(&self, slot: u16) -> String {
        let name = self.module.slots[usize::from(slot)].name;
        name.map_or_else(
            || "_".to_owned(),
            |name| self.name(name).split('#').next().unwrap_or("_").to_owned(),
        )
    }

    fn shared(&self, shared: u16) -> String {
        self.name(self.module.shared[usize::from(shared)].name)
    }

    fn quoted(&self, text: Option<Sym>) -> String {
        text.map_or_else(|| "-".to_owned(), |text| format!("{:?}", self.name(text)))
    }

    /// Returns a call of the host: `moveTo(3, 0.5)`.
    fn call(&self, site: u32) -> String {
        let site = self.module.sites[site as usize];
        let name = self.name(self.module.imports[site.import as usize].name);
        let args = &self.module.args[site.args.0 as usize..][..site.args.1 as usize];
        let arg = |arg: &Value| match *arg {
            Value::Int(int) => int.to_string(),
            Value::Float(float) => format!("{float:?}"),
            Value::Text(text) => self.quoted(Some(text)),
            Value::Int64(wide) => (wide.bits() as i64).to_string(),
            Value::Double(wide) => f64::from_bits(wide.bits()).to_string(),
            Value::Nobody => "none".to_owned(),
            // The name of the variable that gets the value stands at the node that gives it.
            Value::Out(slot, _) if self.module.slots[slot as usize].name.is_none() => "out".to_owned(),
            Value::Out(slot, _) | Value::Variable(slot) => self.slot(slot as u16),
            Value::Expression(expr) => self.expr(expr),
        };
        let args: Vec<_> = args.iter().map(arg).collect();
        if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) }
    }

    /// Returns an expression. Operators inside of operators have parentheses.
    fn expr(&self, root: u32) -> String {
        let (mut text, mut open) = (String::new(), vec![Piece::Expr(root, false)]);
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Points(curve) => {
                    let points = &self.module.curves[curve as usize];
                    points.iter().for_each(|(x, y)| _ = write!(text, ", {x}: {y}"));
                }
                Piece::Expr(expr, is_inner) => self.piece(expr, is_inner, &mut text, &mut open),
            }
        }
        text
    }

    /// Writes the beginning of an expression, and notes the rest. This is the table of all
    /// expressions, so it is longer than other functions.
    fn piece(&self, expr: u32, is_inner: bool, text: &mut String, open: &mut Vec<Piece>) {
        let function = |name: &str, operands: &[u32], text: &mut String, open: &mut Vec<Piece>| {
            text.push_str(name);
            text.push('(');
            open.push(Piece::Text(")"));
            for (index, operand) in operands.iter().enumerate().rev() {
                open.push(Piece::Expr(*operand, false));
                if index > 0 {
                    open.push(Piece::Text(", "));
                }
            }
        };
        let infix = |sign: &'static str, left: u32, right: u32, text: &mut String, open: &mut Vec<Piece>| {
            if is_inner {
                text.push('(');
                open.push(Piece::Text(")"));
            }
            open.extend([Piece::Expr(right, true), Piece::Text(sign), Piece::Expr(left, true)]);
        };
        match self.module.exprs[expr as usize] {
            Expr::Number(number) if self.is_exact => _ = write!(text, "{number}"),
            Expr::Number(number) => text.push_str(&number_text(number)),
            Expr::Truth(truth) => _ = write!(text, "{truth}"),
            Expr::Text(index) => text.push_str(&self.quoted(Some(self.module.texts[index as usize]))),
            Expr::Word(word) => _ = write!(text, "{}", word as i64),
            Expr::Query(site) | Expr::Asked(site, _) => text.push_str(&self.call(site)),
            Expr::Slot(slot) => text.push_str(&self.slot(slot)),
            Expr::Shared(shared) => text.push_str(&self.shared(shared)),
            Expr::Now => text.push_str("now"),
            Expr::Draw(_) => text.push_str("random()"),
            Expr::Since(slot) => _ = write!(text, "since({})", self.slot(slot)),
            Expr::Noted(slot) => _ = write!(text, "noted({})", self.slot(slot)),
            Expr::Reached(slot) => _ = write!(text, "reached({})", self.slot(slot)),
            Expr::Not(operand) => {
                text.push('!');
                open.push(Piece::Expr(operand, true));
            }
            Expr::Negate(_, operand) => {
                text.push('-');
                open.push(Piece::Expr(operand, true));
            }
            Expr::Binary(operator, order, _)
                if let Expr::Order(left, right) = self.module.exprs[order as usize] =>
            {
                infix(binary(operator), left, right, text, open);
            }
            Expr::Binary(operator, left, right) | Expr::CompareWords(operator, left, right) => {
                infix(binary(operator), left, right, text, open)
            }
            Expr::Math(Math::Min, _, left, right) => function("min", &[left, right], text, open),
            Expr::Math(Math::Max, _, left, right) => function("max", &[left, right], text, open),
            Expr::Math(operator, _, left, right) => {
                infix(math(operator), left, right, text, open);
            }
            Expr::Magnitude(_, operand) => function("abs", &[operand], text, open),
            Expr::ToInt(operand) if self.is_exact => function("int", &[operand], text, open),
            Expr::ToFloat(operand) if self.is_exact => function("float", &[operand], text, open),
            Expr::ToLong(operand) if self.is_exact => function("int64", &[operand], text, open),
            // Conversions that the compiler adds say nothing to people.
            Expr::ToInt(operand)
            | Expr::ToFloat(operand)
            | Expr::ToLong(operand)
            | Expr::FromLong(operand)
            | Expr::ToTruth(operand)
            | Expr::FromTruth(operand) => {
                open.push(Piece::Expr(operand, is_inner));
            }
            Expr::Order(left, right) => function("order", &[left, right], text, open),
            Expr::Spelled(_, operand) => function("number", &[operand], text, open),
            Expr::Bits(operator, left, right) => infix(bits(operator), left, right, text, open),
            Expr::Apply(Function::Root, operand) => function("sqrt", &[operand], text, open),
            Expr::Apply(Function::Logistic, operand) => function("logistic", &[operand], text, open),
            Expr::Smooth(x, from, to) => function("smooth", &[x, from, to], text, open),
            Expr::Power(left, right) => function("pow", &[left, right], text, open),
            Expr::Curve(operand, curve) => {
                text.push_str("curve(");
                open.extend([Piece::Text(")"), Piece::Points(curve), Piece::Expr(operand, false)]);
            }
            Expr::Let(value, body) => {
                text.push_str("let(");
                let rest = [Piece::Text(")"), Piece::Expr(body, false), Piece::Text(", ")];
                open.extend(rest.into_iter().chain([Piece::Expr(value, false)]));
            }
            // The distance is the same in each program that has the expression.
            Expr::Bound(value) => _ = write!(text, "${}", expr - value),
            Expr::Thousandths(operand) => function("thousandths", &[operand], text, open),
            Expr::Between(first, last, drawn) => function("between", &[first, last, drawn], text, open),
        }
    }
}

fn number_text(number: f64) -> String {
    let single = number as f32;
    if f64::from(single) == number { single.to_string() } else { number.to_string() }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::Less => " < ",
        Binary::LessEqual => " <= ",
        Binary::Greater => " > ",
        Binary::GreaterEqual => " >= ",
        Binary::Equal => " == ",
        Binary::NotEqual => " != ",
        Binary::And => " && ",
        Binary::Or => " || ",
    }
}

fn bits(operator: Bits) -> &'static str {
    match operator {
        Bits::And => " & ",
        Bits::Or => " | ",
        Bits::Xor => " ^ ",
    }
}

fn math(operator: Math) -> &'static str {
    match operator {
        Math::Add => " + ",
        Math::Subtract => " - ",
        Math::Multiply => " * ",
        Math::Divide => " / ",
        _ => " % ",
    }
}
