//! Conditions of `IfCondition`, `Case`, `Signal` and others: expressions over variables.
//!
//! ```text
//! logical := comp { (and | or | xor) comp }      from left to right: all three bind alike
//! comp    := unary [ (== | !=) unary ]           one comparison at most
//! unary   := [ ! ] value                         one `!` at most
//! value   := ( logical ) | true | false | NAME
//! ```
//!
//! Reading ends at the first word that does not fit, and the rest is ignored: `A && B` is
//! `A`. That is a warning, and so is a name that is not declared. Such a name is false,
//! though in some dialects hosts may write it. The parser keeps its own stack, so
//! parentheses may nest to any depth.

use super::lexer::{Lexer, Token};
use super::{
    Attribute, Diagnostic, Expr, ExprIndex, Interner, Refused, Session, Span, Variables, ast, codes, refused,
};
use crate::ast::Binary;
use core::ops::Range;
use pleach_image::suggest::Suggestions;

/// The most values and operators of one condition. The engine counts them in a byte, and
/// mistakes one for another beyond.
const MAX_OPERATIONS: usize = 256;

/// Reads the condition that an attribute holds.
pub(crate) fn parse(
    session: &mut Session<'_>,
    file: &mut ast::File,
    variables: &mut Variables,
    attribute: Attribute<'_>,
) -> Result<ExprIndex, Refused> {
    let before = file.exprs.len();
    let lexer = Lexer::new(attribute.value());
    let names = &mut session.names;
    let mut parser = Parser { file, names, variables, attribute, lexer, unknown: Vec::new() };
    let read = parser.run();
    let unknown = core::mem::take(&mut parser.unknown);
    let long = file.exprs.len() - before > MAX_OPERATIONS;
    if long || read.is_err() {
        // Copies of a block repeat a condition that is refused. Its expressions would pile up.
        file.exprs.truncate(before);
    }
    let end = read?;
    if long {
        return Err(too_long(attribute));
    }
    for at in unknown {
        session.diagnostics.push(undeclared(&session.suggestions, variables, attribute, at));
    }
    if end.start < attribute.value().len() {
        session.diagnostics.push(trailing(attribute, end.start));
    }
    Ok(file.exprs.len() as ExprIndex - 1)
}

/// Returns the condition that is always true, for attributes that may be left out.
pub(crate) fn always(file: &mut ast::File) -> ExprIndex {
    file.expr(Expr::Truth(true))
}

/// Operators before the value that is read next, within one pair of parentheses.
#[derive(Default)]
struct Pending {
    left: Option<(Binary, ExprIndex)>,
    compared: Option<(Binary, ExprIndex)>,
    not: bool,
}

struct Parser<'p, 'a> {
    file: &'p mut ast::File,
    names: &'p mut Interner,
    variables: &'p mut Variables,
    attribute: Attribute<'a>,
    lexer: Lexer<'a>,
    /// Places of names that are not declared.
    unknown: Vec<Range<usize>>,
}

impl Parser<'_, '_> {
    /// Reads as far as it goes; the place of the first word that is left.
    fn run(&mut self) -> Result<Range<usize>, Refused> {
        let mut outer: Vec<Pending> = Vec::new();
        let mut pending = Pending::default();
        loop {
            let (token, at) = self.lexer.next();
            let value = match token {
                Token::Not if !pending.not => {
                    pending.not = true;
                    continue;
                }
                Token::Open => {
                    outer.push(core::mem::take(&mut pending));
                    continue;
                }
                Token::True => self.file.expr(Expr::Truth(true)),
                Token::False => self.file.expr(Expr::Truth(false)),
                Token::Name(name) => self.name(name, at),
                _ => return Err(self.bad(&at, "a variable, `true` or `false` is missing here")),
            };
            if let Some(end) = self.follow(&mut outer, &mut pending, value)? {
                return Ok(end);
            }
        }
    }

    /// Reads the text after a value: closing parentheses, then an operator. If there is no
    /// operator, returns the place of the first word that is left.
    fn follow(
        &mut self,
        outer: &mut Vec<Pending>,
        pending: &mut Pending,
        mut value: ExprIndex,
    ) -> Result<Option<Range<usize>>, Refused> {
        loop {
            if core::mem::take(&mut pending.not) {
                value = self.file.expr(Expr::Not(value));
            }
            let (token, at) = self.lexer.next();
            match (comparison(token), pending.compared.take()) {
                (Some(operator), None) => {
                    pending.compared = Some((operator, value));
                    return Ok(None);
                }
                (_, Some((operator, left))) => value = self.file.expr(Expr::Binary(operator, left, value)),
                (None, None) => {}
            }
            if let Some((operator, left)) = pending.left.take() {
                value = self.file.expr(Expr::Binary(operator, left, value));
            }
            if let Some(operator) = logic(token) {
                pending.left = Some((operator, value));
                return Ok(None);
            }
            match outer.pop() {
                None => return Ok(Some(at)),
                Some(around) if token == Token::Close => *pending = around,
                Some(_) => return Err(self.bad(&at, "a closing parenthesis is missing here")),
            }
        }
    }

    fn name(&mut self, name: &str, at: Range<usize>) -> ExprIndex {
        if let Some(variable) = self.variables.find(name) {
            return self.file.expr(Expr::Variable(variable));
        }
        let span = part(self.attribute, &at);
        self.unknown.push(at);
        let mentioned = self.variables.mention(self.names, self.file, name, span);
        self.file.expr(mentioned.map_or(Expr::Truth(false), Expr::Variable))
    }

    fn bad(&self, at: &Range<usize>, message: &str) -> Refused {
        let help =
            "there are names, true, false, and, or, xor, ==, !=, one `!` before a value, and parentheses";
        refused(codes::BAD_CONDITION_TEXT, part(self.attribute, at), message, help)
    }
}

fn comparison(token: Token<'_>) -> Option<Binary> {
    match token {
        Token::Equal => Some(Binary::Equal),
        Token::NotEqual => Some(Binary::NotEqual),
        _ => None,
    }
}

/// Returns the operator between booleans. `xor` is `!=`.
fn logic(token: Token<'_>) -> Option<Binary> {
    match token {
        Token::And => Some(Binary::And),
        Token::Or => Some(Binary::Or),
        Token::Xor => Some(Binary::NotEqual),
        _ => None,
    }
}

fn too_long(attribute: Attribute<'_>) -> Refused {
    let message = format!("the condition has more than {MAX_OPERATIONS} values and operators");
    let help = "set a variable in parts, or nest conditions";
    refused(codes::LONG_CONDITION, attribute.value_span(), message, help)
}

fn undeclared(
    suggestions: &Suggestions,
    variables: &Variables,
    attribute: Attribute<'_>,
    at: Range<usize>,
) -> Diagnostic {
    let name = &attribute.value()[at.clone()];
    let until = if variables.are_open() { "false until the host writes it" } else { "always false" };
    let message = format!("`{name}` is not declared, and {until}");
    let finding = Diagnostic::new(codes::UNDECLARED_VARIABLE, part(attribute, &at), message);
    if name.eq_ignore_ascii_case("not") {
        return finding.help("write `!` before a value to turn it round");
    }
    finding.meant(variables.nearest(suggestions, name), "declare it among the variables")
}

fn trailing(attribute: Attribute<'_>, start: usize) -> Diagnostic {
    let at = start..attribute.value().len();
    let message = format!("`{}` is ignored; the condition ends before it", &attribute.value()[at.clone()]);
    let finding = Diagnostic::new(codes::TRAILING_CONDITION, part(attribute, &at), message);
    let rest = &attribute.value()[start..];
    match [("&", "and"), ("|", "or"), ("^", "xor")].iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some((_, word)) => finding.help(format!("write `{word}`")),
        None => finding
            .help("operators are and, or, xor, ==, !=; a comparison has two sides, others need parentheses"),
    }
}

/// Returns a part of an attribute's value, or all of it if references make
/// the text longer than the value.
fn part(attribute: Attribute<'_>, at: &Range<usize>) -> Span {
    let whole = attribute.value_span();
    if (whole.end - whole.start) as usize != attribute.value().len() {
        return whole;
    }
    Span { start: whole.start + at.start as u32, end: whole.start + at.end as u32, ..whole }
}
