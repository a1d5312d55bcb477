//! Random expressions of a type, with the necessary parentheses and a few others.

use super::declare::{Param, TEXTS};
use super::{Builder, Scope, Type};

/// Whole numbers near the limits of arithmetic, and some ordinary numbers.
const INTS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "100",
    "127",
    "128",
    "0xff",
    "256",
    "32767",
    "0x8000",
    "65535",
    "65536",
    "16777217",
    "2147483647",
    "0x7fffffff",
    "46341",
];
const FLOATS: &[&str] = &[
    "0.0",
    "1.0",
    "0.5",
    "1.5",
    "0.1",
    "1e3",
    "2.5e-1",
    "16777217.0",
    "3.4e38",
    "1e-40",
    "1e-50",
    "2147483648.0",
    "0.33333334",
];

const LONGS: &[&str] = &[
    "4294967296",
    "2147483648",
    "9223372036854775807",
    "0x7fffffffffffffff",
    "9007199254740993",
    "int64(3)",
    "int64(-1)",
];
const DOUBLES: &[&str] =
    &["double(0.1)", "double(1e300)", "double(2.5)", "double(3)", "double(9007199254740993)"];

/// Precedence levels of operators, weakest first.
const OR: u8 = 1;
const AND: u8 = 2;
pub(super) const EQUAL: u8 = 3;
const COMPARE: u8 = 4;
pub(super) const SUM: u8 = 5;
pub(super) const PRODUCT: u8 = 6;
const UNARY: u8 = 7;
pub(super) const PRIMARY: u8 = 8;

/// Expression with its precedence level.
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) level: u8,
}

/// Context of an expression.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// Parameters of the surrounding tree.
    pub(super) params: &'a [Param],
    /// True if only constants are allowed.
    pub(super) constant: bool,
}

impl Scene<'_> {
    /// Context of constant expressions outside of trees.
    pub(super) const CONSTANT: Scene<'static> = Scene { params: &[], constant: true };

    /// Context of an event's handler.
    pub(super) const HANDLER: Scene<'static> = Scene { params: &[], constant: false };

    /// Restricts the context to constants.
    pub(super) fn constant(self) -> Self {
        Self { constant: true, ..self }
    }
}

impl Builder {
    /// Returns an expression of a type, of limited depth.
    pub(super) fn expression(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> String {
        self.expr(ty, depth, scene).text
    }

    /// Returns an expression that can be used for this type. An int can be used for a float.
    pub(super) fn wanted(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> String {
        let narrower: &[(&'static str, Type)] = match ty {
            Type::Float => &[("int for a float", Type::Int)],
            Type::Long => &[("int for an int64", Type::Int)],
            Type::Double => &[("int for a double", Type::Int), ("float for a double", Type::Float)],
            _ => &[],
        };
        if !narrower.is_empty() && self.draws.one_in(4) {
            let (construct, ty) = self.draws.pick(narrower);
            self.has(construct);
            return self.expression(ty, depth, scene);
        }
        self.expression(ty, depth, scene)
    }

    pub(super) fn expr(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> Expr {
        self.draws.begin();
        let expr = match ty {
            _ if depth == 0 || self.draws.below(self.plain + 1) == 0 => self.operand(ty, depth, scene),
            Type::Bool => self.truth(depth - 1, scene),
            Type::Int => self.int(depth - 1, scene),
            Type::Float => self.float(depth - 1, scene),
            Type::Long => self.long(depth - 1, scene),
            Type::Double => self.double(depth - 1, scene),
            Type::Vector(count) => self.vector(count, depth - 1, scene),
            Type::Enum(_) | Type::Entity(_) | Type::Text => self.operand(ty, depth, scene),
        };
        self.draws.end();
        expr
    }

    /// Puts an expression in parentheses if its place requires a higher level, and sometimes
    /// without need.
    pub(super) fn at(&mut self, level: u8, expr: Expr) -> String {
        if expr.level < level || self.draws.one_in(16) { format!("({})", expr.text) } else { expr.text }
    }

    pub(super) fn binary(&mut self, op: &'static str, level: u8, left: Expr, right: Expr) -> Expr {
        self.has(op);
        let left = self.at(level, left);
        let right = self.at(level + 1, right);
        let space = self.draws.pick(&[" ", " ", "\n\t"]);
        Expr { text: format!("{left}{space}{op} {right}"), level }
    }

    fn truth(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        match self.draws.below(8) {
            0 | 1 => self.of_truths(&["&&"], AND, depth, scene),
            2 | 3 => self.of_truths(&["||"], OR, depth, scene),
            4 => self.of_truths(&["==", "!="], EQUAL, depth, scene),
            5 => {
                self.has("!");
                let operand = self.expr(Type::Bool, depth, scene);
                Expr { text: format!("!{}", self.at(UNARY, operand)), level: UNARY }
            }
            _ => self.comparison(depth, scene),
        }
    }

    fn of_truths(&mut self, ops: &[&'static str], level: u8, depth: usize, scene: Scene<'_>) -> Expr {
        let (left, right) = (self.expr(Type::Bool, depth, scene), self.expr(Type::Bool, depth, scene));
        let op = self.draws.pick(ops);
        self.binary(op, level, left, right)
    }

    fn comparison(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        if !self.enums.is_empty() && self.draws.one_in(4) {
            self.has("comparison of an enum");
            let ty = Type::Enum(self.draws.below(self.enums.len()));
            let (left, right) = (self.expr(ty, depth, scene), self.expr(ty, depth, scene));
            let op = self.draws.pick(&["==", "!="]);
            return self.binary(op, EQUAL, left, right);
        }
        if self.draws.one_in(8) {
            return self.comparison_of_vectors(depth, scene);
        }
        if self.draws.one_in(8) {
            self.has("comparison of entities");
            let ty = Type::Entity(self.draws.pick(&["entity", "entity<Enemy>"]));
            let (left, right) = (self.expr(ty, depth, scene), self.expr(ty, depth, scene));
            let op = self.draws.pick(&["==", "!="]);
            return self.binary(op, EQUAL, left, right);
        }
        let of_texts = self.draws.one_in(8);
        let (left, right) = if of_texts {
            self.has("comparison of texts");
            (self.expr(Type::Text, depth, scene), self.expr(Type::Text, depth, scene))
        } else {
            self.numbers(depth, scene)
        };
        match self.draws.below(6) {
            0 => self.binary("==", EQUAL, left, right),
            1 => self.binary("!=", EQUAL, left, right),
            _ => {
                let op = self.draws.pick(&["<", "<=", ">", ">="]);
                self.binary(op, COMPARE, left, right)
            }
        }
    }

    /// Returns two numbers of equal or different types.
    fn numbers(&mut self, depth: usize, scene: Scene<'_>) -> (Expr, Expr) {
        let sides: &[Type] = self.draws.pick(&[
            &[Type::Int, Type::Float][..],
            &[Type::Int, Type::Float],
            &[Type::Int, Type::Long, Type::Long],
            &[Type::Int, Type::Float, Type::Double, Type::Double],
        ]);
        let mut side = || self.draws.pick(sides);
        let (left, right) = (side(), side());
        if sides.len() == 2 && left != right {
            self.has("int for a float");
        }
        (self.expr(left, depth, scene), self.expr(right, depth, scene))
    }

    fn int(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let both = |it: &mut Self| (it.expr(Type::Int, depth, scene), it.expr(Type::Int, depth, scene));
        match self.draws.below(10) {
            0..=4 => {
                let (left, right) = both(self);
                let (op, level) = self.draws.pick(&[
                    ("+", SUM),
                    ("-", SUM),
                    ("*", PRODUCT),
                    ("/", PRODUCT),
                    ("%", PRODUCT),
                ]);
                self.binary(op, level, left, right)
            }
            5 => self.minus(Type::Int, depth, scene),
            6 | 7 => self.function(&[Type::Int; 3], depth, scene),
            8 if !self.enums.is_empty() && self.draws.one_in(2) => {
                let ty = Type::Enum(self.draws.below(self.enums.len()));
                self.conversion("int", "int() of an enum", &[ty], depth, scene)
            }
            8 => self.conversion(
                "int",
                "int()",
                &[Type::Bool, Type::Float, Type::Long, Type::Double],
                depth,
                scene,
            ),
            _ => {
                let (left, right) = both(self);
                self.binary("-", SUM, left, right)
            }
        }
    }

    fn float(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let mixed = self.draws.pick(&[Type::Float, Type::Float, Type::Int]);
        if mixed == Type::Int {
            self.has("int for a float");
        }
        match self.draws.below(16) {
            12 | 13 => self.of_vectors(depth, scene),
            10 | 11 => self.of_floats(depth, scene),
            0..=4 => {
                let sides = self.draws.pick(&[[Type::Float, mixed], [mixed, Type::Float]]);
                let [left, right] = sides.map(|side| self.expr(side, depth, scene));
                let (op, level) = self.draws.pick(&[("+", SUM), ("-", SUM), ("*", PRODUCT), ("/", PRODUCT)]);
                self.binary(op, level, left, right)
            }
            5 | 6 => self.minus(Type::Float, depth, scene),
            7 | 8 | 14 | 15 => self.function(&[Type::Float, mixed, Type::Float], depth, scene),
            _ => self.conversion("float", "float()", &[Type::Int, Type::Long, Type::Double], depth, scene),
        }
    }

    /// Returns a power, a step or the value of a curve.
    fn of_floats(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let (name, count) =
            self.draws.pick(&[("sqrt", 1), ("logistic", 1), ("pow", 2), ("smooth", 3), ("curve", 1)]);
        self.has(name);
        let mut args: Vec<_> = (0..count).map(|_| self.wanted(Type::Float, depth, scene)).collect();
        if name == "curve" {
            let mut at = self.draws.below(9) as i32 - 4;
            for _ in 0..2 + self.draws.below(3) {
                let y = self.draws.pick(FLOATS);
                args.push(format!("{at}: {y}"));
                at += 1 + self.draws.below(300) as i32;
            }
        }
        Expr { text: format!("{name}({})", args.join(", ")), level: PRIMARY }
    }

    fn long(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let mixed = self.draws.pick(&[Type::Long, Type::Int]);
        match self.draws.below(8) {
            0..=3 => {
                let sides = self.draws.pick(&[[Type::Long, mixed], [mixed, Type::Long]]);
                let [left, right] = sides.map(|side| self.expr(side, depth, scene));
                let operators = [("+", SUM), ("-", SUM), ("*", PRODUCT), ("/", PRODUCT), ("%", PRODUCT)];
                let (op, level) = self.draws.pick(&operators);
                self.binary(op, level, left, right)
            }
            4 => self.minus(Type::Long, depth, scene),
            5 => self.function(&[Type::Long, mixed, Type::Long], depth, scene),
            _ => {
                let from = [Type::Bool, Type::Int, Type::Float, Type::Double];
                self.conversion("int64", "int64()", &from, depth, scene)
            }
        }
    }

    fn double(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let mixed = self.draws.pick(&[Type::Double, Type::Float, Type::Int]);
        match self.draws.below(9) {
            8 => {
                self.has("sqrt");
                let operand = self.expr(Type::Double, depth, scene);
                Expr { text: format!("sqrt({})", operand.text), level: PRIMARY }
            }
            0..=3 => {
                let sides = self.draws.pick(&[[Type::Double, mixed], [mixed, Type::Double]]);
                let [left, right] = sides.map(|side| self.expr(side, depth, scene));
                let (op, level) = self.draws.pick(&[("+", SUM), ("-", SUM), ("*", PRODUCT), ("/", PRODUCT)]);
                self.binary(op, level, left, right)
            }
            4 => self.minus(Type::Double, depth, scene),
            5 => self.function(&[Type::Double, mixed, Type::Double], depth, scene),
            _ => {
                let from = [Type::Bool, Type::Int, Type::Float, Type::Long];
                self.conversion("double", "double()", &from, depth, scene)
            }
        }
    }

    pub(super) fn minus(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> Expr {
        self.has("minus");
        let operand = self.expr(ty, depth, scene);
        let space = self.draws.pick(&["", " "]);
        Expr { text: format!("-{space}{}", self.at(UNARY, operand)), level: UNARY }
    }

    /// Returns a call of a function with one, two or three arguments of these types. The result has
    /// the first type.
    fn function(&mut self, types: &[Type; 3], depth: usize, scene: Scene<'_>) -> Expr {
        let (name, count) = self.draws.pick(&[
            ("min", 2),
            ("max", 2),
            ("clamp", 3),
            ("abs", 1),
            ("abs", 1),
            ("abs", 1),
            ("abs", 1),
        ]);
        self.has(name);
        let args: Vec<_> = types[..count].iter().map(|ty| self.expression(*ty, depth, scene)).collect();
        Expr { text: format!("{name}({})", args.join(", ")), level: PRIMARY }
    }

    fn conversion(
        &mut self,
        name: &str,
        construct: &'static str,
        from: &[Type],
        depth: usize,
        scene: Scene<'_>,
    ) -> Expr {
        self.has(construct);
        let from = self.draws.pick(from);
        Expr { text: format!("{name}({})", self.expression(from, depth, scene)), level: PRIMARY }
    }

    /// Returns an expression without operators: a name, a call or a literal.
    fn operand(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> Expr {
        let text = match self.draws.below(8) {
            0 => self.parameter_of(ty, scene),
            1..=3 if !scene.constant && ty == Type::Float && self.draws.one_in(5) => self.part(scene),
            1..=3 if !scene.constant => self.variable_of(ty),
            4 | 5 if !scene.constant => self.ask(ty, scene),
            6 if !scene.constant => self.moment(ty),
            7 if ty == Type::Float && self.draws.one_in(4) => self.part(scene.constant()),
            7 if !scene.constant && self.draws.one_in(2) => self.tunable_of(ty),
            7 => self.constant_of(ty),
            _ => None,
        };
        match text {
            Some(text) => Expr { text, level: PRIMARY },
            None => self.literal(ty, depth, scene),
        }
    }

    /// Returns an operand whose value differs in each tick.
    fn moment(&mut self, ty: Type) -> Option<String> {
        let (construct, text) = match ty {
            Type::Int => ("now", "now"),
            Type::Float => ("random()", "random()"),
            _ => return None,
        };
        self.has(construct);
        Some(text.to_owned())
    }

    pub(super) fn variable_of(&mut self, ty: Type) -> Option<String> {
        let fitting: Vec<_> = self.variables.iter().filter(|it| it.kind.ty() == ty).cloned().collect();
        let one = fitting.get(self.draws.below(fitting.len().max(1)))?;
        if one.scope != Scope::Agent {
            self.has("shared variable in an expression");
        }
        Some(one.name.clone())
    }

    pub(super) fn constant_of(&mut self, ty: Type) -> Option<String> {
        let fitting: Vec<_> = self.constants.iter().filter(|it| it.ty == ty).collect();
        let one = fitting.get(self.draws.below(fitting.len().max(1)))?;
        Some(one.name.clone())
    }

    pub(super) fn parameter_of(&mut self, ty: Type, scene: Scene<'_>) -> Option<String> {
        let fits = |it: &&Param| it.ty == Some(ty) && (it.constant || !scene.constant);
        let fitting: Vec<_> = scene.params.iter().filter(fits).collect();
        let one = fitting.get(self.draws.below(fitting.len().max(1)))?;
        self.has("parameter in an expression");
        Some(one.name.clone())
    }

    pub(super) fn ask(&mut self, ty: Type, scene: Scene<'_>) -> Option<String> {
        let fitting: Vec<_> = self.queries.iter().filter(|it| it.answers == Some(ty)).cloned().collect();
        let query = fitting.get(self.draws.below(fitting.len().max(1)))?;
        self.has("query in an expression");
        Some(self.call(query, scene))
    }

    fn literal(&mut self, ty: Type, depth: usize, scene: Scene<'_>) -> Expr {
        let text = match ty {
            Type::Bool => self.draws.pick(&["true", "false"]),
            Type::Int => self.draws.pick(INTS),
            Type::Float => self.draws.pick(FLOATS),
            Type::Long => self.draws.pick(LONGS),
            Type::Double => self.draws.pick(DOUBLES),
            Type::Entity(_) => {
                self.has("none");
                return Expr { text: "none".to_owned(), level: PRIMARY };
            }
            Type::Enum(index) => return Expr { text: self.member(index), level: PRIMARY },
            Type::Vector(count) => return self.made_vector(count, 0, scene),
            Type::Text => {
                let text = self.draws.pick(TEXTS).to_owned();
                return Expr { text, level: PRIMARY };
            }
        };
        if ty != Type::Bool && depth > 0 && self.draws.one_in(3) {
            return Expr { text: format!("-{text}"), level: UNARY };
        }
        Expr { text: text.to_owned(), level: PRIMARY }
    }

    /// Returns a constant expression with this value, which must be small and not negative.
    pub(super) fn exactly(&mut self, value: i32) -> String {
        let part = self.draws.below(100) as i32;
        let known: Vec<_> =
            self.constants.iter().filter_map(|it| Some((it.name.clone(), it.value?))).collect();
        match self.draws.below(8) {
            7 => format!("{value} + {part} - {part}"),
            1 => format!("{} - {part}", value + part),
            2 => format!("({value} * 3) / 3"),
            3 => format!("min({value}, {})", value + part),
            4 | 5 if !known.is_empty() => {
                let (name, known) = known[self.draws.below(known.len())].clone();
                let sign = if known > value { "-" } else { "+" };
                format!("{name} {sign} {}", (value - known).abs())
            }
            6 => format!("{value:#x}"),
            _ => value.to_string(),
        }
    }
}
