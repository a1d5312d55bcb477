//! Random assignments.

use super::declare::Param;
use super::expression::Scene;
use super::{Builder, Scope, Type, Variable};

impl Builder {
    /// Returns an assignment to a random variable, or `None` if there are none.
    pub(super) fn set(&mut self, scene: Scene<'_>) -> Option<String> {
        let Variable { name, scope, kind } = self.target(scene)?;
        let operators: &[(&str, &str)] = match (kind.ty(), scope) {
            (Type::Vector(count), Scope::Agent) => return Some(self.set_vector(&name, count, scene)),
            (Type::Bool | Type::Enum(_) | Type::Entity(_) | Type::Text, Scope::Agent) => &[("=", "=")],
            (Type::Bool | Type::Enum(_) | Type::Entity(_) | Type::Text | Type::Vector(_), _) => {
                &[("=", "shared =")]
            }
            (_, Scope::Agent) => &[
                ("=", "="),
                ("+=", "+="),
                ("-=", "-="),
                ("*=", "*="),
                ("/=", "/="),
                ("min=", "min="),
                ("max=", "max="),
            ],
            (Type::Int | Type::Long, _) => &[
                ("=", "shared ="),
                ("+=", "shared +="),
                ("-=", "shared -="),
                ("min=", "shared min="),
                ("max=", "shared max="),
            ],
            (Type::Float | Type::Double, _) => {
                &[("=", "shared ="), ("min=", "shared min="), ("max=", "shared max=")]
            }
        };
        let (operator, construct) = operators[self.draws.below(operators.len())];
        self.has(construct);
        Some(format!("set {name} {operator} {}", self.wanted(kind.ty(), 3, scene)))
    }

    /// Returns a variable to assign to: one that is declared, or one of the tree.
    fn target(&mut self, scene: Scene<'_>) -> Option<Variable> {
        let local =
            |it: &Param| Some(Variable { name: it.name.clone(), scope: Scope::Agent, kind: it.local? });
        let locals: Vec<_> = scene.params.iter().filter_map(local).collect();
        if !locals.is_empty() && self.draws.one_in(2) {
            self.has("set of a var of a tree");
            return locals.get(self.draws.below(locals.len())).cloned();
        }
        let at = self.draws.below(self.variables.len().max(1));
        self.variables.get(at).cloned()
    }

    /// Returns an assignment to a vector of the agent or of the tree.
    pub(super) fn set_vector(&mut self, name: &str, count: usize, scene: Scene<'_>) -> String {
        let operator = self.draws.pick(&["=", "=", "+=", "-=", "*="]);
        self.has(operator);
        let ty = if operator == "*=" { Type::Float } else { Type::Vector(count) };
        format!("set {name} {operator} {}", self.wanted(ty, 3, scene))
    }
}
