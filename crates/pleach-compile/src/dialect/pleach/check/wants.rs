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
        if let Some(name) = self.tunable_in(operand) {
            let message =
                format!("{what} is needed when the tree is compiled, but `{name}` can be tuned later");
            let help = "use a `const`; a tunable cannot stand in constants, defaults, arguments of `limit` and \
                        `parallel`, weights, values of cases and points of curves";
            return self.report_value(operand, codes::NOT_CONSTANT, message, help);
        }
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
        finding.help(self.advice(operand, is, wanted))
    }

    /// Returns a help for a value of a type that stands where another type is wanted.
    fn advice(&self, operand: &Operand, is: Type, wanted: Type) -> String {
        let written = self.written(operand);
        let inner = self.written_beside(operand);
        match wanted {
            Type::Bool => match is {
                Type::Int | Type::Int64 | Type::Bool => format!("say what is meant: `{inner} != 0`"),
                Type::Float | Type::Double | Type::Number => format!("compare it: `{inner} > 0.0`"),
                Type::Entity(_) => format!("say what is meant: `{inner} != none`"),
                Type::Text => format!("say what is meant: `{inner} != \"\"`"),
                Type::Enum(_) => format!("compare it with a member: `{inner} == MEMBER`"),
                Type::Vec2 | Type::Vec3 => format!("compare it: `length({written}) > 0.0`"),
            },
            Type::Vec2 | Type::Vec3 => self.to_vector(&written, is, wanted),
            Type::Entity(_) => "an entity comes from the host, by a variable or a query".to_owned(),
            Type::Enum(of) => self.members_shown(of),
            Type::Text => "a text stands in double quotes; no number becomes one".to_owned(),
            Type::Int | Type::Int64 | Type::Float | Type::Double | Type::Number => {
                to_number(&written, is, wanted)
            }
        }
    }

    /// Returns a help for a value that stands where a vector is wanted.
    fn to_vector(&self, written: &str, is: Type, wanted: Type) -> String {
        match (is, wanted) {
            (Type::Vec3, _) => "`vec2(a.x, a.y)` takes two parts of a vec3 `a`".to_owned(),
            (Type::Vec2, _) => "`vec3(a.x, a.y, 0.0)` makes a vec3 of a vec2 `a`".to_owned(),
            (Type::Int | Type::Float, Type::Vec2) => {
                format!("a vec2 is made of two floats: `vec2({written}, 0.0)`")
            }
            (Type::Int | Type::Float, _) => {
                format!("a vec3 is made of three floats: `vec3({written}, 0.0, 0.0)`")
            }
            (_, Type::Vec2) => "a vec2 is made of two floats: `vec2(1.0, 0.0)`".to_owned(),
            _ => "a vec3 is made of three floats: `vec3(1.0, 0.0, 0.0)`".to_owned(),
        }
    }

    /// Returns the text of an operand as it can stand beside an operator: in parentheses, unless it
    /// is a word or a call.
    pub(super) fn written_beside(&self, operand: &Operand) -> String {
        let written = self.written(operand);
        let last = self.program.ops[operand.ops.1 as usize - 1].code;
        let is_single = !matches!(last, Code::Binary(_) | Code::Not | Code::Negate);
        if is_single { written } else { format!("({written})") }
    }
}

/// Returns a help for a value that stands where a number is wanted.
fn to_number(written: &str, is: Type, wanted: Type) -> String {
    match (is, wanted) {
        (Type::Text, _) => {
            "no number becomes of a text; texts are compared, and passed to actions, queries and trees"
                .to_owned()
        }
        (Type::Entity(_), _) => {
            "an entity is compared with `==` and `!=`, and passed on; no number becomes of it".to_owned()
        }
        (Type::Vec2 | Type::Vec3, _) => {
            "a number is a part of a vector `a`, as `a.x`, or computed: `length(a)`, `dot(a, b)`".to_owned()
        }
        (Type::Enum(_), _) => format!("`int({written})` is its number"),
        (Type::Bool, Type::Float | Type::Double) => format!("`{wanted}({written})` is 1.0 or 0.0"),
        (Type::Bool, Type::Int64) => format!("`int64({written})` is 1 or 0"),
        (Type::Bool, _) => format!("`int({written})` is 1 or 0"),
        (Type::Float | Type::Double, Type::Int | Type::Int64) => {
            format!("`{wanted}({written})` cuts the fraction off")
        }
        // Only a host takes an int or a float without a word for it.
        (_, Type::Number) => format!("`float({written})` is the nearest float"),
        (Type::Int | Type::Int64 | Type::Float | Type::Double | Type::Number, _) => {
            format!("`{wanted}({written})` is the nearest {wanted}")
        }
    }
}
