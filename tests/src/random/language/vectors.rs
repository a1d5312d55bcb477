//! Random expressions with vectors.

use super::declare::Param;
use super::expression::{EQUAL, Expr, PRIMARY, PRODUCT, SUM, Scene};
use super::{Builder, Kind, Scope, Type, Variable};

/// Names of the parts of a vector.
const PARTS: [&str; 3] = ["x", "y", "z"];

/// Types of vectors, by their number of parts.
const COUNTS: &[usize] = &[2, 3];

impl Builder {
    /// Returns a vector with operators, or one that is made of floats.
    pub(super) fn vector(&mut self, count: usize, depth: usize, scene: Scene<'_>) -> Expr {
        let ty = Type::Vector(count);
        match self.draws.below(8) {
            0..=2 => {
                self.has("sum of vectors");
                let (left, right) = (self.expr(ty, depth, scene), self.expr(ty, depth, scene));
                let op = self.draws.pick(&["+", "-"]);
                self.binary(op, SUM, left, right)
            }
            3..=5 => self.product(count, depth, scene),
            6 => self.minus(ty, depth, scene),
            _ => self.made_vector(count, depth, scene),
        }
    }

    /// Returns a vector times a number.
    fn product(&mut self, count: usize, depth: usize, scene: Scene<'_>) -> Expr {
        self.has("vector times a number");
        let vector = self.expr(Type::Vector(count), depth, scene);
        let number = self.draws.pick(&[Type::Float, Type::Float, Type::Int]);
        let factor = self.expr(number, depth, scene);
        let (left, right) = if self.draws.one_in(2) { (vector, factor) } else { (factor, vector) };
        self.binary("*", PRODUCT, left, right)
    }

    /// Returns a vector that is made of floats.
    pub(super) fn made_vector(&mut self, count: usize, depth: usize, scene: Scene<'_>) -> Expr {
        self.has("vector of floats");
        let parts: Vec<_> = (0..count).map(|_| self.wanted(Type::Float, depth, scene)).collect();
        Expr { text: format!("vec{count}({})", parts.join(", ")), level: PRIMARY }
    }

    /// Returns a float that a function makes of vectors.
    pub(super) fn of_vectors(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        let (name, operands) = self.draws.pick(&[("dot", 2), ("length", 1), ("distance", 2)]);
        self.has(name);
        let ty = Type::Vector(self.draws.pick(COUNTS));
        let operands: Vec<_> = (0..operands).map(|_| self.expression(ty, depth, scene)).collect();
        Expr { text: format!("{name}({})", operands.join(", ")), level: PRIMARY }
    }

    pub(super) fn comparison_of_vectors(&mut self, depth: usize, scene: Scene<'_>) -> Expr {
        self.has("comparison of vectors");
        let ty = Type::Vector(self.draws.pick(COUNTS));
        let (left, right) = (self.expr(ty, depth, scene), self.expr(ty, depth, scene));
        let op = self.draws.pick(&["==", "!="]);
        self.binary(op, EQUAL, left, right)
    }

    /// Returns a part of a parameter, a variable or a constant, if there is one that is a vector.
    pub(super) fn part(&mut self, scene: Scene<'_>) -> Option<String> {
        let count = self.draws.pick(COUNTS);
        let ty = Type::Vector(count);
        let name = match self.draws.below(3) {
            0 => self.parameter_of(ty, scene),
            1 if !scene.constant => self.variable_of(ty),
            _ => self.constant_of(ty),
        }?;
        Some(self.part_named(&name, count))
    }

    /// Returns a part that can be passed like a variable: one of the agent, of the tree or of a
    /// parameter; of no parameter if the part is to get a value.
    pub(super) fn part_as_argument(&mut self, scene: Scene<'_>, is_out: bool) -> Option<String> {
        let of_agent = |it: &&Variable| it.scope == Scope::Agent;
        let of_tree = |it: &&Param| !is_out || it.local.is_some();
        let variables = self.variables.iter().filter(of_agent).map(|it| (&it.name, Some(it.kind.ty())));
        let params = scene.params.iter().filter(of_tree).map(|it| (&it.name, it.ty));
        let vectors = variables.chain(params).filter_map(|(name, ty)| match ty {
            Some(Type::Vector(count)) => Some((name.clone(), count)),
            _ => None,
        });
        let vectors: Vec<_> = vectors.collect();
        let (name, count) = vectors.get(self.draws.below(vectors.len().max(1)))?;
        self.has("part as argument");
        Some(self.part_named(name, *count))
    }

    fn part_named(&mut self, name: &str, count: usize) -> String {
        self.has("part of a vector");
        format!("{name}.{}", self.draws.pick(&PARTS[..count]))
    }
}

/// Returns the variables by which the host reaches a variable: each part of a vector is one.
pub(super) fn columns(variable: Variable) -> Vec<Variable> {
    let Kind::Vector(count) = variable.kind else { return vec![variable] };
    let Variable { name, scope, .. } = variable;
    let column = |part| Variable { name: format!("{name}.{part}"), scope, kind: Kind::Float };
    PARTS[..count].iter().map(column).collect()
}
