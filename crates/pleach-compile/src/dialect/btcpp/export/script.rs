//! Expressions as scripts.
//!
//! The numbers of scripts are doubles. An expression is written only if its value is the same:
//! comparisons, operators of booleans, and arithmetic of doubles. Ints are exact as long as they
//! fit 32 bits, beyond which our own language wraps around and a script does not.

use super::element::foreign;
use super::{Exporter, Near, Refusal, refusal};
use crate::ir::{Arithmetic, Binary, Expr, Math, SlotKind};

/// Most operators that stand in each other.
pub(super) const MAX_HEIGHT: u16 = 50;
/// Most bytes of a script, with which it stays within the limits of the reader.
pub(super) const MAX_SCRIPT: usize = 4000;
/// Sign between two statements.
const JOIN: &str = "; ";
/// Greatest number up to which all whole numbers are doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Least and greatest number of an int.
const INT: (f64, f64) = (i32::MIN as f64, i32::MAX as f64);

/// Levels of the grammar, the loosest first: an operand of a higher one needs no parentheses.
const CHOICE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const COMPARISON: u8 = 3;
const SUM: u8 = 4;
const PRODUCT: u8 = 5;
const PREFIX: u8 = 6;
const VALUE: u8 = 7;

/// An expression as text.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    level: u8,
    /// Least and greatest value of an int.
    range: (f64, f64),
}

impl Code {
    fn new(text: impl Into<String>, level: u8, range: (f64, f64)) -> Self {
        Self { text: text.into(), level, range }
    }

    /// Returns the text as an operand of an operator of the level before this one.
    fn at(&self, level: u8) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Returns true for a name or a literal.
    fn is_plain(&self) -> bool {
        self.level == VALUE
    }
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Bool,
    Int,
    Real,
    Text,
}

/// Returns the height of each expression: the number of operators that stand in each other.
pub(super) fn heights(exprs: &[Expr]) -> Vec<u16> {
    let mut heights: Vec<u16> = Vec::with_capacity(exprs.len());
    for expr in exprs {
        let inside = expr.operands().map(|it| heights[it as usize]).max();
        heights.push(inside.map_or(0, |it| it.saturating_add(1)));
    }
    heights
}

impl Exporter<'_> {
    /// Returns an expression as a script.
    pub(super) fn code(&mut self, expr: u32) -> Result<Code, Refusal> {
        if self.heights[expr as usize] > MAX_HEIGHT {
            return Err(refusal("the expression is too deep for a script", "split it by variables"));
        }
        let code = self.written(expr)?;
        if code.text.len() > MAX_SCRIPT {
            return Err(refusal("the expression is too long for a script", "split it by variables"));
        }
        Ok(code)
    }

    fn written(&mut self, expr: u32) -> Result<Code, Refusal> {
        Ok(match self.module.exprs[expr as usize] {
            Expr::Number(number) => Code::new(number_text(number, false)?, literal(number), (number, number)),
            Expr::Truth(truth) => Code::new(truth.to_string(), VALUE, (0.0, 1.0)),
            Expr::Text(text) => Code::new(self.text_literal(text)?, VALUE, INT),
            Expr::Slot(slot) => {
                Code::new(self.entry(slot)?, VALUE, range(self.module.slots[usize::from(slot)].kind))
            }
            Expr::Not(inner) => {
                let inner = self.code(inner)?;
                Code::new(format!("!{}", inner.at(VALUE)), PREFIX, (0.0, 1.0))
            }
            Expr::Binary(op, left, right) => self.binary(op, left, right)?,
            Expr::Math(op, arithmetic, left, right) => self.math(op, arithmetic, left, right)?,
            Expr::Negate(arithmetic, inner) => {
                self.counts(arithmetic)?;
                let code = self.code(inner)?;
                let range = self.fits(arithmetic, (-code.range.1, -code.range.0));
                Code::new(format!("-{}", code.at(VALUE)), PREFIX, range)
            }
            Expr::Magnitude(arithmetic, inner) => {
                self.counts(arithmetic)?;
                let code = self.plain(inner)?;
                let most = code.range.0.abs().max(code.range.1.abs());
                let text = &code.text;
                let range = self.fits(arithmetic, (0.0, most));
                Code::new(format!("{text} <= 0 ? 0.0 - {text} : {text}"), CHOICE, range)
            }
            Expr::FromTruth(inner) => Code { range: (0.0, 1.0), ..self.code(inner)? },
            Expr::ToTruth(inner) => {
                let text = self.plain(inner)?.text;
                Code::new(format!("!({text} <= 0 && {text} >= 0)"), PREFIX, (0.0, 1.0))
            }
            Expr::ToFloat(inner) => {
                self.near(Near::Float)?;
                self.code(inner)?
            }
            other => return Err(missing(&other)),
        })
    }

    /// Returns a name or a literal.
    fn plain(&mut self, expr: u32) -> Result<Code, Refusal> {
        let code = self.code(expr)?;
        let help = "write the operand into a variable with `set` before";
        if code.is_plain() {
            Ok(code)
        } else {
            Err(refusal("an operand is computed, and a script needs it twice", help))
        }
    }

    fn binary(&mut self, op: Binary, left: u32, right: u32) -> Result<Code, Refusal> {
        if matches!(op, Binary::And | Binary::Or) {
            let (sign, level) = if op == Binary::And { ("&&", AND) } else { ("||", OR) };
            let [left, right] = [self.code(left)?, self.code(right)?];
            let text = format!("{} {sign} {}", left.at(level), right.at(level + 1));
            return Ok(Code::new(text, level, (0.0, 1.0)));
        }
        // The order of two texts is compared with 0.
        let (left, right) = match (self.module.exprs[left as usize], self.module.exprs[right as usize]) {
            (Expr::Order(one, other), Expr::Number(0.0)) => (one, other),
            _ => (left, right),
        };
        let types = [self.ty(left)?, self.ty(right)?];
        let sign = match op {
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            _ => "!=",
        };
        if types.contains(&Ty::Real) && matches!(op, Binary::Equal | Binary::NotEqual) {
            // Reals that differ by less than 1.19e-7 are equal for `==`.
            let [left, right] = [self.plain(left)?.text, self.plain(right)?.text];
            let equal = format!("{left} <= {right} && {left} >= {right}");
            return Ok(match op {
                Binary::Equal => Code::new(equal, AND, (0.0, 1.0)),
                _ => Code::new(format!("!({equal})"), PREFIX, (0.0, 1.0)),
            });
        }
        let [left, right] = [self.code(left)?.at(SUM), self.code(right)?.at(SUM)];
        Ok(Code::new(format!("{left} {sign} {right}"), COMPARISON, (0.0, 1.0)))
    }

    fn math(&mut self, op: Math, arithmetic: Arithmetic, left: u32, right: u32) -> Result<Code, Refusal> {
        self.counts(arithmetic)?;
        let is_int = arithmetic == Arithmetic::Int;
        if matches!(op, Math::Min | Math::Max) {
            let [left, right] = [self.plain(left)?, self.plain(right)?];
            let sign = if op == Math::Min { "<" } else { ">" };
            let pick = |one: f64, other: f64| if op == Math::Min { one.min(other) } else { one.max(other) };
            let range = (pick(left.range.0, right.range.0), pick(left.range.1, right.range.1));
            let (left, right) = (left.text, right.text);
            // A left operand that is no number gives the right one.
            let no_number = if is_int { String::new() } else { format!(" || !({left} <= {left})") };
            return Ok(Code::new(
                format!("{right} {sign} {left}{no_number} ? {right} : {left}"),
                CHOICE,
                range,
            ));
        }
        if is_int && matches!(op, Math::Divide | Math::Remainder) {
            let help = "let the game compute it, or compute with doubles";
            return Err(refusal("a script divides no ints: its division has a fraction", help));
        }
        let [left, right] = [self.code(left)?, self.code(right)?];
        let (sign, level) = match op {
            Math::Add => ("+", SUM),
            Math::Subtract => ("-", SUM),
            Math::Multiply => ("*", PRODUCT),
            _ => ("/", PRODUCT),
        };
        let range = self.fits(arithmetic, span(op, left.range, right.range));
        Ok(Code::new(format!("{} {sign} {}", left.at(level), right.at(level + 1)), level, range))
    }

    /// Makes sure that scripts compute as this arithmetic does.
    fn counts(&mut self, arithmetic: Arithmetic) -> Result<(), Refusal> {
        match arithmetic {
            Arithmetic::Int | Arithmetic::Double => Ok(()),
            Arithmetic::Float => self.near(Near::Float),
            Arithmetic::Long => Err(missing(&Expr::Word(0))),
        }
    }

    /// Returns the range of an int, and notes if the value may not fit.
    fn fits(&mut self, arithmetic: Arithmetic, range: (f64, f64)) -> (f64, f64) {
        if arithmetic != Arithmetic::Int || range.0 >= INT.0 && range.1 <= INT.1 {
            return range;
        }
        self.wraps = true;
        INT
    }

    fn ty(&self, expr: u32) -> Result<Ty, Refusal> {
        let of = |arithmetic| if arithmetic == Arithmetic::Int { Ty::Int } else { Ty::Real };
        Ok(match self.module.exprs[expr as usize] {
            Expr::Number(number) if number.fract() == 0.0 => Ty::Int,
            Expr::Number(_) | Expr::ToFloat(_) => Ty::Real,
            Expr::Truth(_) | Expr::Not(_) | Expr::Binary(..) | Expr::ToTruth(_) => Ty::Bool,
            Expr::Text(_) => Ty::Text,
            Expr::Slot(slot) => match self.module.slots[usize::from(slot)].kind {
                SlotKind::Bit => Ty::Bool,
                SlotKind::F32 | SlotKind::F64 => Ty::Real,
                SlotKind::Text => Ty::Text,
                _ => Ty::Int,
            },
            Expr::Math(_, arithmetic, ..) | Expr::Negate(arithmetic, _) | Expr::Magnitude(arithmetic, _) => {
                of(arithmetic)
            }
            Expr::FromTruth(_) => Ty::Int,
            other => return Err(missing(&other)),
        })
    }

    /// Returns the script that writes a variable.
    pub(super) fn assignment(&mut self, slot: u16, expr: u32) -> Result<String, Refusal> {
        let (name, kind) = (self.entry(slot)?, self.module.slots[usize::from(slot)].kind);
        let code = match self.module.exprs[expr as usize] {
            Expr::Word(word) if kind == SlotKind::I64 => return long(&name, word),
            Expr::Number(number) if matches!(kind, SlotKind::F32 | SlotKind::F64) => {
                Code::new(number_text(number, true)?, literal(number), (number, number))
            }
            _ => self.code(expr)?,
        };
        let (least, most) = range(kind);
        let narrow = kind.is_narrow() && (code.range.0 < least || code.range.1 > most);
        if !narrow {
            // The first value of an entry decides its type.
            let text = if code.is_plain() || self.module.slots[usize::from(slot)].name.is_some() {
                code.text
            } else {
                format!("1.0 * {}", code.at(PREFIX))
            };
            return Ok(format!("{name} := {text}"));
        }
        let whole = self.fresh("whole");
        let value = code.at(PREFIX);
        Ok(format!("{whole} := 1.0 * {value}; {}", stored(&name, &whole, kind)))
    }

    /// Returns the script that gives a variable the value that it has at first.
    pub(super) fn initial(&self, slot: u16, name: &str) -> Result<String, Refusal> {
        let row = &self.module.slots[usize::from(slot)];
        let value = match row.kind {
            SlotKind::Bit => (row.init != 0).to_string(),
            SlotKind::F32 => number_text(f32::from_bits(row.init as u32).into(), true)?,
            SlotKind::F64 => number_text(f64::from_bits(row.init), true)?,
            SlotKind::I64 => return long(name, row.init),
            SlotKind::Text => self.text_literal(row.init as u32)?,
            _ => i64::from(row.init as u32 as i32).to_string(),
        };
        Ok(format!("{name} := {value}"))
    }

    fn text_literal(&self, text: u32) -> Result<String, Refusal> {
        let bytes =
            self.module.texts.get(text as usize).map_or(&b""[..], |text| self.module.names.bytes(*text));
        let text = core::str::from_utf8(bytes).ok().filter(|text| !text.contains('\''));
        if let Some(letter) = text.and_then(foreign) {
            return Err(foreign_letter(letter));
        }
        let text = text.ok_or_else(|| refusal("a script cannot hold a text with `'`", "use another text"))?;
        Ok(format!("'{text}'"))
    }
}

/// Joins statements to scripts, none of which is longer than necessary for one statement.
pub(super) fn joined<'s>(statements: impl IntoIterator<Item = &'s String>) -> impl Iterator<Item = String> {
    let mut statements = statements.into_iter().peekable();
    core::iter::from_fn(move || {
        let mut script = statements.next()?.clone();
        while let Some(next) = statements.next_if(|next| script.len() + JOIN.len() + next.len() <= MAX_SCRIPT)
        {
            script += JOIN;
            script += next;
        }
        Some(script)
    })
}

/// Returns the refusal of a text with a character that XML does not have.
pub(super) fn foreign_letter(letter: char) -> Refusal {
    refusal(format!("XML cannot hold the character U+{:04X}", u32::from(letter)), "use another text")
}

/// Returns the script that writes a 64-bit integer. A negative number is a double there, which is
/// converted if the entry already has an integer.
fn long(name: &str, word: u64) -> Result<String, Refusal> {
    let value = word.cast_signed();
    if value >= 0 {
        return Ok(format!("{name} := {value}"));
    }
    if value as f64 <= -EXACT {
        return Err(refusal("a script has no literal for this number", "use a number that is a double"));
    }
    Ok(format!("{name} := 0; {name} := {value}"))
}

/// Returns the script that writes the value of an entry to a variable: the nearest one that fits.
pub(super) fn stored(name: &str, value: &str, kind: SlotKind) -> String {
    if !kind.is_narrow() {
        return format!("{name} := {value}");
    }
    format!("{name} := {}", limited(value, range(kind)))
}

/// Returns the nearest number to an entry in a range.
pub(super) fn limited(value: &str, (least, most): (f64, f64)) -> String {
    format!("{value} < {least} ? {least} : {value} > {most} ? {most} : {value}")
}

/// Returns the range of the result of an operator.
fn span(op: Math, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
    match op {
        Math::Add => (left.0 + right.0, left.1 + right.1),
        Math::Subtract => (left.0 - right.1, left.1 - right.0),
        _ => {
            let ends = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
            let [least, most] = [f64::min, f64::max].map(|pick| ends.into_iter().reduce(pick).unwrap_or(0.0));
            (least, most)
        }
    }
}

/// Returns the values that a variable can have.
fn range(kind: SlotKind) -> (f64, f64) {
    match kind {
        SlotKind::Bit => (0.0, 1.0),
        SlotKind::I8 => (i8::MIN.into(), i8::MAX.into()),
        SlotKind::U8 => (0.0, u8::MAX.into()),
        SlotKind::I16 => (i16::MIN.into(), i16::MAX.into()),
        SlotKind::U16 => (0.0, u16::MAX.into()),
        _ => INT,
    }
}

/// Returns the level of a literal.
fn literal(number: f64) -> u8 {
    if number.is_sign_negative() { PREFIX } else { VALUE }
}

/// Returns a literal: of a real number, or of an integer where the number is one.
pub(super) fn number_text(number: f64, real: bool) -> Result<String, Refusal> {
    if !number.is_finite() {
        return Err(refusal("a script has no literal for this number", "use a finite number"));
    }
    if !real && number.fract() == 0.0 && number.abs() < EXACT && !(number == 0.0 && number.is_sign_negative())
    {
        return Ok(format!("{number:.0}"));
    }
    let text = format!("{number:?}");
    // Both sides of the point need digits.
    Ok(match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    })
}

/// Returns the refusal of an expression that scripts do not have.
fn missing(expr: &Expr) -> Refusal {
    let game = "let an action of the game write the value into a variable";
    match expr {
        Expr::Query(_) | Expr::Asked(..) => refusal(
            "a script asks no queries",
            "test a query alone, or let an action of the game write the answer into a variable",
        ),
        Expr::Word(_) | Expr::CompareWords(..) | Expr::ToLong(_) | Expr::FromLong(_) | Expr::Bits(..) => {
            refusal("a script computes no 64-bit integers and compares no entities", game)
        }
        Expr::Shared(_) => {
            refusal("a blackboard has no variables that agents share", "use variables of the agent")
        }
        Expr::Now | Expr::Since(_) | Expr::Noted(_) | Expr::Reached(_) => {
            refusal("a script knows no time", game)
        }
        Expr::Draw(_) | Expr::Between(..) => refusal("a script draws no random numbers", game),
        Expr::Let(..) | Expr::Bound(_) => {
            refusal("a script names no values", "write the value into a variable with `set` before")
        }
        Expr::ToInt(_) | Expr::Thousandths(_) => refusal("a script rounds no numbers", game),
        _ => refusal("a script does not have this function", game),
    }
}
