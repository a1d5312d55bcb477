//! Random tunables.

use super::{Builder, Scope, Type};
use crate::random::draws::Draws;

/// Declared tunable.
#[derive(Clone, Debug)]
pub struct Tunable {
    /// Name of the tunable.
    pub name: String,
    /// Owner of the value: an agent, or the world.
    pub scope: Scope,
    /// Type of its values.
    ty: Type,
    /// True if it is a duration.
    is_duration: bool,
    /// Least value, and the number of values above it, in steps.
    range: (i32, usize),
    /// Distance of two values.
    step: f64,
}

impl Tunable {
    /// Returns a random value in the range.
    pub fn value(&self, draws: &mut Draws) -> f64 {
        f64::from(self.range.0 + draws.below(self.range.1 + 1) as i32) * self.step
    }
}

impl Builder {
    /// Declares a tunable.
    pub(super) fn tunable(&mut self) {
        let (scope, words) =
            self.draws.pick(&[(Scope::World, "tune const"), (Scope::Agent, "tune agent const")]);
        self.has(words);
        let name = self.plain_name("t");
        let (ty, is_duration, step) = self.draws.pick(&[
            (Type::Int, false, 1.0),
            (Type::Float, false, 0.25),
            (Type::Bool, false, 1.0),
            (Type::Int, true, 1.0),
            (Type::Int, true, 1.0),
        ]);
        let range = match (ty, is_duration) {
            (Type::Bool, _) => (0, 1),
            (_, true) => (self.draws.below(200) as i32, self.draws.below(2000)),
            _ => (self.draws.below(200) as i32 - 100, self.draws.below(200)),
        };
        let tunable = Tunable { name, scope, ty, is_duration, range, step };
        let default = tunable.value(&mut self.draws);
        let ends =
            [range.0, range.0 + range.1 as i32].map(|end| self.amount(&tunable, f64::from(end) * step));
        let value = self.amount(&tunable, default);
        let range = if ty == Type::Bool { String::new() } else { format!(" in {}..{}", ends[0], ends[1]) };
        self.items.push((format!("{words} {} = {value}{range}", tunable.name), false));
        self.tunables.push(tunable);
    }

    /// Returns a value of a tunable as text.
    fn amount(&mut self, tunable: &Tunable, value: f64) -> String {
        match (tunable.ty, tunable.is_duration) {
            (Type::Bool, _) => (value != 0.0).to_string(),
            (_, true) => {
                self.has("duration that is tuned");
                if self.draws.one_in(2) { format!("{value} ms") } else { format!("{:?} s", value / 1000.0) }
            }
            (Type::Float, _) => format!("{value:?}"),
            _ => value.to_string(),
        }
    }

    /// Returns a tunable of a type, as an expression.
    pub(super) fn tunable_of(&mut self, ty: Type) -> Option<String> {
        let fitting: Vec<_> = self.tunables.iter().filter(|it| it.ty == ty).cloned().collect();
        let one = fitting.get(self.draws.below(fitting.len().max(1)))?;
        self.has("tunable in an expression");
        Some(one.name.clone())
    }

    /// Returns a tunable that is a duration, if there is one.
    pub(super) fn tuned_duration(&mut self) -> Option<String> {
        let fitting: Vec<_> = self.tunables.iter().filter(|it| it.is_duration).cloned().collect();
        let one = fitting.get(self.draws.below(fitting.len().max(1)))?;
        self.has("tuned duration of a node");
        Some(one.name.clone())
    }
}
