//! Requirements of places: a value of a type, a constant, a number within bounds.

use super::{Checker, Code, Diagnostic, ExprIndex, ExprRange, Operand, Type, Value, codes};

impl Checker<'_, '_> {
    /// Returns an expression that must be a bool, and its value if that is known.
    pub(super) fn truth(&mut self, range: ExprRange, what: &str) -> (ExprIndex, Option<bool>) {
        let operand = self.evaluate(range);
        let known = match operand.value {
            Value::Truth(value) if !operand.named => Some(value),
            _ => None,
        };
        match self.as_type(&operand, Type::Bool, what) {
            Value::Wrong => (self.index(Value::Truth(false)), None),
            value => (self.index(value), known),
        }
    }

    /// A constant that must be an int within bounds. Where it is wrong, or not known yet,
    /// the least one stands for it.
    pub(super) fn number(&mut self, range: ExprRange, what: &str, least: i32, most: i32) -> i32 {
        let operand = self.evaluate(range);
        self.within(&operand, what, least, most)
    }

    /// The value of an operand, see [`Self::number`].
    pub(super) fn within(&mut self, operand: &Operand, what: &str, least: i32, most: i32) -> i32 {
        let Some(value) = self.constant(operand, what) else { return least };
        match value {
            Value::Int(value) if (least..=most).contains(&value) => return value,
            Value::Int(value) => {
                let help = format!("it can be {least} to {most}");
                self.out_of_range(operand, &format!("{what} is {value}"), &help);
            }
            Value::Open(Type::Int) | Value::Wrong => {}
            _ => {
                self.mismatch(operand, Type::Int, what);
            }
        }
        least
    }

    /// The value of an operand that must be known now.
    pub(super) fn constant(&mut self, operand: &Operand, what: &str) -> Option<Value> {
        if operand.value.is_constant() {
            return Some(operand.value);
        }
        self.not_constant(operand, what);
        None
    }

    #[cold]
    fn not_constant(&mut self, operand: &Operand, what: &str) {
        let message = format!("{what} must be a constant");
        let help = "it can be computed from literals, constants, and parameters that stand for constants";
        self.report_value(operand, codes::NOT_CONSTANT, message, help);
    }

    #[cold]
    pub(super) fn out_of_range(&mut self, operand: &Operand, message: &str, help: &str) {
        self.report_value(operand, codes::OUT_OF_RANGE, message, help);
    }

    /// Says that a value is of the wrong type.
    #[cold]
    pub(super) fn mismatch(&mut self, operand: &Operand, wanted: Type, what: &str) -> Value {
        let unknown = |ty| self.is_unknown(ty);
        if !unknown(wanted) && !operand.value.ty().is_some_and(unknown) {
            let finding = self.mismatched(operand, wanted, what);
            self.report(finding);
        }
        Value::Wrong
    }

    pub(super) fn mismatched(&self, operand: &Operand, wanted: Type, what: &str) -> Diagnostic {
        let at = self.cover(operand.ops);
        let Some(is) = operand.value.ty() else {
            return Diagnostic::new(codes::WRONG_TYPE, Some(at), format!("{what} is wrong"));
        };
        let message = format!("{what} must be {}, but this is {}", self.a(wanted), self.a(is));
        let finding = Diagnostic::new(codes::WRONG_TYPE, Some(at), message);
        let written = self.written(operand);
        let inner = if self.is_single(operand) { written.clone() } else { format!("({written})") };
        match (is, wanted) {
            (Type::Int, Type::Bool) => finding.help(format!("say what is meant: `{inner} != 0`")),
            (Type::Int64, Type::Bool) => finding.help(format!("say what is meant: `{inner} != 0`")),
            (Type::Entity(_), Type::Bool) => finding.help(format!("say what is meant: `{inner} != none`")),
            (_, Type::Entity(_)) => finding.help("an entity comes from the host, by a variable or a query"),
            (Type::Float | Type::Double, Type::Bool) => finding.help(format!("compare it: `{inner} > 0.0`")),
            (Type::Float | Type::Double, Type::Int | Type::Int64) => {
                finding.help(format!("`{wanted}({written})` cuts the fraction off"))
            }
            (Type::Int64, Type::Int) => finding.help(format!("`int({written})` is the nearest int")),
            (Type::Int64 | Type::Double, Type::Float | Type::Double) => {
                finding.help(format!("`{wanted}({written})` is the nearest {wanted}"))
            }
            (Type::Bool, Type::Int | Type::Number) => finding.help(format!("`int({written})` is 1 or 0")),
            (Type::Bool, Type::Float) => finding.help(format!("`float({written})` is 1.0 or 0.0")),
            (Type::Enum(_), Type::Int | Type::Number) => {
                finding.help(format!("`int({written})` is its number"))
            }
            (_, Type::Enum(of)) => finding.help(self.members_shown(of)),
            (Type::Text, Type::Bool) => finding.help(format!("say what is meant: `{inner} != \"\"`")),
            (_, Type::Text) => finding.help("a text stands in double quotes; no number becomes one"),
            (Type::Text, _) => finding.help("no text becomes a number; a number stands without quotes"),
            _ => finding,
        }
    }

    /// Returns true if an operand needs no parentheses beside an operator,
    /// because it is a word or a call.
    fn is_single(&self, operand: &Operand) -> bool {
        let last = self.program.ops[operand.ops.1 as usize - 1].code;
        !matches!(last, Code::Binary(_) | Code::Not | Code::Negate)
    }
}
