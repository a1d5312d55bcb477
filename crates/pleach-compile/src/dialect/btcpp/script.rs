//! Scripts, parsed.
//!
//! Operands have smaller indices than their operators, and a statement is the index of its value.

use super::lexer::{Lexer, Token};

/// Most parentheses that stand in each other.
const MAX_DEPTH: usize = 64;
/// Most operators that stand in each other, as the operators of a long sum do.
const MAX_HEIGHT: u16 = 250;
/// Most values and operators of a script.
const MAX_SIZE: usize = 10_000;

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Join,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Negate,
    Complement,
    Not,
}

/// Way in which a name gets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assignment {
    /// `:=`, which creates an entry.
    Create,
    /// `=`, which needs an entry.
    Existing,
    /// `+=` and the like.
    Change(Operator),
}

/// A value or an operator.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Int(i64),
    Real(f64),
    Text(String),
    Name(String),
    Prefix(Prefix, usize),
    Binary(Operator, usize, usize),
    /// Comparisons in a row: the first operand, then each comparison with the next one.
    Chain(usize, Vec<(Comparison, usize)>),
    Choice(usize, usize, usize),
    Assign(Assignment, usize, usize),
}

/// A script.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub(super) exprs: Vec<Expr>,
    /// For each expression, how many operators stand in each other, and if one is an assignment.
    shapes: Vec<(u16, bool)>,
    /// Indices of the statements, in order.
    pub(super) statements: Vec<usize>,
}

impl Script {
    /// Parses a script.
    pub(super) fn parse(text: &str, lenient: bool) -> Result<Self, String> {
        let mut lexer = Lexer::new(text, lenient);
        let token = lexer.next()?;
        let mut parser = Parser { lexer, token, script: Self::default(), depth: 0 };
        loop {
            let statement = parser.expression()?;
            parser.script.statements.push(statement);
            while parser.token == Token::Sign(";") {
                parser.advance()?;
            }
            if parser.token == Token::End {
                return Ok(parser.script);
            }
        }
    }

    /// Returns true if an expression is a statement: they stand in the order of their indices.
    pub(super) fn is_statement(&self, expr: usize) -> bool {
        self.statements.binary_search(&expr).is_ok()
    }

    /// Returns true if an expression writes an entry.
    pub(super) fn assigns(&self, expr: usize) -> bool {
        self.shapes[expr].1
    }
}

/// Returns the operands of an expression.
pub(super) fn operands(expr: &Expr) -> Vec<usize> {
    match expr {
        Expr::Int(_) | Expr::Real(_) | Expr::Text(_) | Expr::Name(_) => Vec::new(),
        Expr::Prefix(_, inner) => vec![*inner],
        Expr::Binary(_, left, right) | Expr::Assign(_, left, right) => vec![*left, *right],
        Expr::Chain(first, rest) => core::iter::once(*first).chain(rest.iter().map(|(_, it)| *it)).collect(),
        Expr::Choice(one, two, three) => vec![*one, *two, *three],
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    token: Token,
    script: Script,
    depth: usize,
}

/// Binary operators by level, the loosest first.
const LEVELS: [&[(&str, Operator)]; 6] = [
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    // Comparisons.
    &[],
    &[("|", Operator::BitOr), ("^", Operator::BitXor)],
    &[("&", Operator::BitAnd)],
    &[("+", Operator::Add), ("-", Operator::Subtract), ("..", Operator::Join)],
];
const FACTORS: &[(&str, Operator)] = &[("*", Operator::Multiply), ("/", Operator::Divide)];
const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
];
const ASSIGNMENTS: [(&str, Assignment); 6] = [
    (":=", Assignment::Create),
    ("=", Assignment::Existing),
    ("+=", Assignment::Change(Operator::Add)),
    ("-=", Assignment::Change(Operator::Subtract)),
    ("*=", Assignment::Change(Operator::Multiply)),
    ("/=", Assignment::Change(Operator::Divide)),
];

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), String> {
        self.token = self.lexer.next()?;
        Ok(())
    }

    fn add(&mut self, expr: Expr) -> Result<usize, String> {
        if self.script.exprs.len() == MAX_SIZE {
            return Err(format!("the script has more than {MAX_SIZE} values and operators"));
        }
        let shapes = &self.script.shapes;
        let (height, assigns) = operands(&expr).into_iter().fold((0, false), |(height, assigns), it| {
            let inside = shapes[it];
            (inside.0.max(height), assigns || inside.1)
        });
        if height == MAX_HEIGHT {
            return Err(format!("more than {MAX_HEIGHT} operators stand in each other"));
        }
        let assigns = assigns || matches!(expr, Expr::Assign(..));
        self.script.shapes.push((height + 1, assigns));
        self.script.exprs.push(expr);
        Ok(self.script.exprs.len() - 1)
    }

    /// Returns what a sign stands for in a table, and goes behind it.
    fn sign<T: Copy>(&mut self, table: &[(&str, T)]) -> Result<Option<T>, String> {
        let Token::Sign(sign) = self.token else { return Ok(None) };
        let Some((_, meant)) = table.iter().find(|(known, _)| *known == sign) else { return Ok(None) };
        self.advance()?;
        Ok(Some(*meant))
    }

    fn expression(&mut self) -> Result<usize, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("expressions stand in each other more than {MAX_DEPTH} deep"));
        }
        let left = self.choice()?;
        let expr = match self.sign(&ASSIGNMENTS)? {
            Some(way) => {
                let right = self.expression()?;
                self.add(Expr::Assign(way, left, right))?
            }
            None => left,
        };
        self.depth -= 1;
        Ok(expr)
    }

    /// Reads `a ? b : c`, or its condition alone. The sides have no assignment without parentheses.
    fn choice(&mut self) -> Result<usize, String> {
        let condition = self.level(0)?;
        if self.token != Token::Sign("?") {
            return Ok(condition);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("expressions stand in each other more than {MAX_DEPTH} deep"));
        }
        self.advance()?;
        let yes = self.choice()?;
        if self.token != Token::Sign(":") {
            return Err("`:` is missing".into());
        }
        self.advance()?;
        let no = self.choice()?;
        self.depth -= 1;
        self.add(Expr::Choice(condition, yes, no))
    }

    fn level(&mut self, level: usize) -> Result<usize, String> {
        if level == 2 {
            return self.chain();
        }
        let mut left = if level + 1 < LEVELS.len() { self.level(level + 1)? } else { self.product()? };
        while let Some(operator) = self.sign(LEVELS[level])? {
            let right = if level + 1 < LEVELS.len() { self.level(level + 1)? } else { self.product()? };
            left = self.add(Expr::Binary(operator, left, right))?;
        }
        Ok(left)
    }

    fn chain(&mut self) -> Result<usize, String> {
        let first = self.level(3)?;
        let mut rest = Vec::new();
        while let Some(comparison) = self.sign(&COMPARISONS)? {
            rest.push((comparison, self.level(3)?));
        }
        if rest.is_empty() { Ok(first) } else { self.add(Expr::Chain(first, rest)) }
    }

    fn product(&mut self) -> Result<usize, String> {
        let mut left = self.prefix()?;
        while let Some(operator) = self.sign(FACTORS)? {
            let right = self.prefix()?;
            left = self.add(Expr::Binary(operator, left, right))?;
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Result<usize, String> {
        const SIGNS: [(&str, Prefix); 3] =
            [("-", Prefix::Negate), ("~", Prefix::Complement), ("!", Prefix::Not)];
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.sign(&SIGNS)? {
            prefixes.push(prefix);
        }
        if prefixes.len() > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} operators stand before a value"));
        }
        let mut value = self.value()?;
        for prefix in prefixes.into_iter().rev() {
            value = self.add(Expr::Prefix(prefix, value))?;
        }
        Ok(value)
    }

    fn value(&mut self) -> Result<usize, String> {
        let expr = match core::mem::replace(&mut self.token, Token::End) {
            Token::Int(int) => Expr::Int(int),
            Token::Real(real) => Expr::Real(real),
            Token::Truth(truth) => Expr::Real(f64::from(u8::from(truth))),
            Token::Text(text) => Expr::Text(text),
            Token::Name(name) => Expr::Name(name),
            Token::Sign("(") => {
                self.advance()?;
                let inner = self.expression()?;
                if self.token != Token::Sign(")") {
                    return Err("`)` is missing".into());
                }
                self.advance()?;
                return Ok(inner);
            }
            Token::Sign(sign) => return Err(format!("a value is missing before `{sign}`")),
            Token::End => return Err("a value is missing at the end".into()),
        };
        self.advance()?;
        self.add(expr)
    }
}
