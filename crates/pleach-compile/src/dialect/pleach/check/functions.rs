//! Functions of the language.

use super::operate::{is_number, widened};
use super::{Checker, Diagnostic, Expr, Keyword, Math, Op, Operand, Operator, Type, Value, codes};
use crate::ast::{self, Function};
use pleach_image::functions;

impl Checker<'_, '_> {
    /// A function of the language.
    pub(super) fn function(&mut self, function: Keyword, first: usize, op: Op) -> Value {
        let args = self.stack.len() - first;
        let (wanted, usage, is_of_floats) = match function {
            Keyword::Curve => return self.curve(first, op),
            Keyword::Vec2 => (2, "vec2(x, y)", true),
            Keyword::Vec3 => (3, "vec3(x, y, z)", true),
            Keyword::Dot => (2, "dot(a, b)", false),
            Keyword::Length => (1, "length(a)", false),
            Keyword::Distance => (2, "distance(a, b)", false),
            Keyword::Smooth => (3, "smooth(x, a, b)", true),
            Keyword::Pow => (2, "pow(x, y)", true),
            Keyword::Sqrt => (1, "sqrt(x)", true),
            Keyword::Logistic => (1, "logistic(x)", true),
            Keyword::Abs => (1, "abs(x)", false),
            Keyword::Clamp => (3, "clamp(x, low, high)", false),
            Keyword::Max => (2, "max(a, b)", false),
            _ => (2, "min(a, b)", false),
        };
        if args != wanted {
            let whom = format!("`{}`", function.text());
            self.wrong_count(args < wanted, &whom, usage, None, self.place((op.start, op.end)));
            return Value::Wrong;
        }
        if is_of_floats {
            return self.of_floats(function, first);
        }
        if function.can_be_hidden() {
            return self.of_vectors(function, first);
        }
        for position in first..first + args {
            let arg = self.stack[position];
            match arg.value.ty() {
                Some(ty) if is_number(ty) => {}
                None => return Value::Wrong,
                _ => {
                    return self.mismatch(
                        &arg,
                        Type::Number,
                        &format!("an argument of `{}`", function.text()),
                    );
                }
            }
        }
        let Some(ty) = self.common(&self.stack[first..]) else {
            let at = self.cover((self.stack[first].ops.0, self.stack[first + args - 1].ops.1));
            let message =
                format!("the arguments of `{}` are of types that do not go together", function.text());
            let help = "`double(x)` of an int64 may lose digits, `int64(x)` of a float its fraction";
            self.report(Diagnostic::new(codes::WRONG_TYPE, Some(at), message).help(help));
            return Value::Wrong;
        };
        let values = self.all_promoted(first, ty);
        self.apply(function, ty, values)
    }

    /// A function of the language on as many of these numbers as it takes, which are of one type.
    pub(super) fn apply(&mut self, function: Keyword, ty: Type, [a, b, c]: [Value; 3]) -> Value {
        let mut extreme = |math, left, right| self.arithmetic(Operator::Math(math), ty, left, right);
        match (function, a) {
            (Keyword::Abs, Value::Int(value)) => Value::Int(value.wrapping_abs()),
            (Keyword::Abs, Value::Float(value)) => Value::Float(value.abs()),
            (Keyword::Abs, Value::Int64(value)) => Value::Int64(value.wrapping_abs()),
            (Keyword::Abs, Value::Double(value)) => Value::Double(value.abs()),
            (Keyword::Abs, value) => self.unary(value, Expr::Magnitude).unwrap_or(Value::Wrong),
            (Keyword::Clamp, _) => {
                let bound = extreme(Math::Max, a, b);
                extreme(Math::Min, bound, c)
            }
            (Keyword::Max, _) => extreme(Math::Max, a, b),
            _ => extreme(Math::Min, a, b),
        }
    }

    /// Returns the type of which several numbers can be; `None` if there is none.
    pub(super) fn common(&self, operands: &[Operand]) -> Option<Type> {
        let mut types = operands.iter().map(|it| it.value.ty());
        let first = types.next()??;
        types.try_fold(first, |ty, other| widened(ty, other?))
    }

    /// Returns numbers as numbers of a type that holds all of them.
    pub(super) fn all_promoted(&mut self, first: usize, ty: Type) -> [Value; 3] {
        core::array::from_fn(|index| match self.stack.get(first + index).copied() {
            Some(operand) => self.promoted(&operand, ty),
            None => Value::Wrong,
        })
    }

    /// `sqrt`, `pow`, `logistic` or `smooth`, with as many arguments as it takes.
    fn of_floats(&mut self, function: Keyword, first: usize) -> Value {
        let what = format!("an argument of `{}`", function.text());
        let operands: Vec<_> = self.stack[first..].to_vec();
        if let (Keyword::Sqrt, Some(Type::Double)) = (function, operands[0].value.ty()) {
            return self.root(operands[0].value, Type::Double);
        }
        let floats: Vec<_> = operands.iter().map(|it| self.as_type(it, Type::Float, &what)).collect();
        if floats.iter().any(|value| value.ty().is_none()) {
            return Value::Wrong;
        }
        match (function, &floats[..]) {
            (Keyword::Vec2, [x, y]) => self.vector(Type::Vec2, [*x, *y, Value::Float(0.0)]),
            (Keyword::Vec3, [x, y, z]) => self.vector(Type::Vec3, [*x, *y, *z]),
            (Keyword::Sqrt, [x]) => self.root(*x, Type::Float),
            (Keyword::Pow, [Value::Float(x), Value::Float(y)]) => {
                Value::Float(functions::pow((*x).into(), (*y).into()) as f32)
            }
            (Keyword::Pow, [x, y]) if !x.is_constant() || !y.is_constant() => {
                let (x, y) = (self.index(*x), self.index(*y));
                Value::Computed(Type::Float, self.emit(Expr::Power(x, y)))
            }
            (Keyword::Smooth, [Value::Float(x), Value::Float(a), Value::Float(b)]) => {
                Value::Float(functions::smooth((*x).into(), (*a).into(), (*b).into()) as f32)
            }
            (Keyword::Smooth, [x, a, b]) if !floats.iter().all(|value| value.is_constant()) => {
                let (x, a, b) = (self.index(*x), self.index(*a), self.index(*b));
                Value::Computed(Type::Float, self.emit(Expr::Smooth(x, a, b)))
            }
            (Keyword::Logistic, [x]) => self.logistic(*x),
            _ => Value::Open(Type::Float),
        }
    }

    /// The square root of a float or double, as one.
    pub(super) fn root(&mut self, x: Value, ty: Type) -> Value {
        match x {
            Value::Float(x) => Value::Float(functions::sqrt(x.into()) as f32),
            Value::Double(x) => Value::Double(functions::sqrt(x)),
            Value::Open(_) | Value::Wrong => x,
            x => {
                let x = self.index(x);
                let root = self.emit(Expr::Apply(Function::Root, x));
                let root = if ty == Type::Float { self.emit(Expr::ToFloat(root)) } else { root };
                Value::Computed(ty, root)
            }
        }
    }

    /// `logistic` of a float.
    fn logistic(&mut self, x: Value) -> Value {
        match x {
            Value::Float(x) => Value::Float(functions::logistic(x.into()) as f32),
            Value::Open(_) | Value::Wrong => x,
            x => {
                let x = self.index(x);
                Value::Computed(Type::Float, self.emit(Expr::Apply(Function::Logistic, x)))
            }
        }
    }

    /// `curve(x, x0: y0, x1: y1, …)`
    fn curve(&mut self, first: usize, op: Op) -> Value {
        let operands: Vec<Operand> = self.stack[first..].to_vec();
        let [x, points @ ..] = &operands[..] else { return self.too_few_points(op) };
        // The parser has reported a point without a second number.
        if points.len() % 2 == 1 {
            return Value::Wrong;
        }
        if points.len() < 4 {
            return self.too_few_points(op);
        }
        let x = self.as_type(x, Type::Float, "the first argument of `curve`");
        let floats: Vec<_> = points.iter().map(|it| self.coordinate(it)).collect();
        for at in (2..floats.len()).step_by(2) {
            if let (Value::Float(before), Value::Float(x)) = (floats[at - 2], floats[at])
                && before >= x
            {
                let message = format!("the curve goes from {before} to {x}");
                self.out_of_range(&points[at], &message, "the numbers before the colons must ascend");
                return Value::Wrong;
            }
        }
        let is_open = |value: &Value| matches!(value, Value::Open(_));
        if x.ty().is_none() || floats.iter().any(|value| value.ty().is_none()) {
            return Value::Wrong;
        }
        if floats.iter().any(is_open) || is_open(&x) {
            return Value::Open(Type::Float);
        }
        self.through(x, &floats)
    }

    /// A number of a point of a curve, which must be a finite constant.
    fn coordinate(&mut self, operand: &Operand) -> Value {
        let what = "a number of a curve";
        let Some(_) = self.constant(operand, what) else { return Value::Wrong };
        match self.as_type(operand, Type::Float, what) {
            Value::Float(float) if !float.is_finite() => {
                self.out_of_range(
                    operand,
                    &format!("{what} is {float}"),
                    "it can be any number that is finite",
                );
                Value::Wrong
            }
            value => value,
        }
    }

    /// The value at a number of the curve through points, whose numbers alternate.
    fn through(&mut self, x: Value, floats: &[Value]) -> Value {
        let number = |value: &Value| if let Value::Float(float) = value { *float } else { 0.0 };
        let numbers: Vec<f32> = floats.iter().map(number).collect();
        if let Value::Float(x) = x {
            let points = numbers.as_chunks::<2>().0;
            let y = points.windows(2).fold(f64::from(points[0][1]), |y, pair| {
                functions::ramp(x.into(), y, pair[0][0].into(), pair[1][0].into(), pair[1][1].into())
            });
            return Value::Float(y as f32);
        }
        let x = self.index(x);
        let args: Vec<_> = numbers.into_iter().map(ast::Value::Float).collect();
        let points = self.file.arguments(&args);
        Value::Computed(Type::Float, self.emit(Expr::Curve(x, points)))
    }

    #[cold]
    fn too_few_points(&mut self, op: Op) -> Value {
        let usage = "curve(x, x0: y0, x1: y1, …)";
        self.wrong_count(true, "`curve`", usage, None, self.place((op.start, op.end)));
        Value::Wrong
    }
}
