//! Names that settings give values to. Each name is resolved here and nowhere else.

use crate::cell::{Cell, ColumnKind};
use crate::section::Value;
use pleach::values::{Tunable, TunableScope, Type};
use pleach::{Agent, Crowd, Group, Image, Program, SharedVariable, Variable};
use pleach_image::EnumSubject;
use pleach_image::format::slot_kind;
use pleach_image::suggest::{closest, hint};

/// Thing that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Variable of each agent.
    Own(Variable),
    /// Variable of the world, or of the default group.
    Shared(SharedVariable),
    /// Tunable of the crowd or of each agent, by its index in the program.
    Tuned(TunableScope, usize),
}

/// Values that a thing can have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Domain {
    Bool,
    Integer {
        low: i64,
        high: i64,
    },
    Number {
        largest: f64,
    },
    /// Floats of a tunable.
    Range {
        low: f32,
        high: f32,
    },
    /// Members of the enum in this row of the image.
    Enum(u32),
    /// Values without numbers: texts and entities.
    Opaque(&'static str),
}

/// Thing that a setting gives a value to, and that metrics read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    home: Home,
    domain: Domain,
}

/// Value that fits a target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FittingValue {
    /// The value in the table.
    pub(crate) cell: Cell,
    number: f64,
}

impl Target {
    /// Finds the variable or the tunable with a name.
    pub(crate) fn find(name: &str, image: &Image, program: &Program) -> Result<Self, String> {
        if let Some(index) = program.tunables().iter().position(|it| &*it.name == name) {
            return Ok(Self::tunable(&program.tunables()[index], index));
        }
        let (home, kind, subject) = if let Some(variable) = program.variable(name) {
            let row = variable.number();
            let kind = image.slots().get(row as usize).map_or(0, |slot| slot.kind);
            (Home::Own(variable), kind, EnumSubject::Slot(row))
        } else if let Some(variable) = program.shared(name) {
            let row = variable.number();
            let kind = image.shared().get(row as usize).map_or(0, |row| row.kind);
            (Home::Shared(variable), kind, EnumSubject::Shared(row))
        } else {
            return Err(unknown(name, image));
        };
        let domain = match image.enum_of(subject) {
            Some(row) => Domain::Enum(row),
            None => domain(kind),
        };
        Ok(Self { home, domain })
    }

    fn tunable(tunable: &Tunable, index: usize) -> Self {
        let (low, high) = tunable.range;
        let domain = match tunable.ty {
            ty if ty == Type::of::<bool>() => Domain::Bool,
            ty if ty == Type::of::<f32>() => Domain::Range { low: low as f32, high: high as f32 },
            _ => Domain::Integer { low: low as i64, high: high as i64 },
        };
        Self { home: Home::Tuned(tunable.scope, index), domain }
    }

    /// Returns true for a variable or a tunable that each agent has.
    pub(crate) fn is_of_agents(self) -> bool {
        matches!(self.home, Home::Own(_) | Home::Tuned(TunableScope::Agent, _))
    }

    /// Returns the type of the column with the values of settings.
    pub(crate) fn column(self) -> ColumnKind {
        match self.domain {
            Domain::Bool => ColumnKind::Bool,
            Domain::Integer { .. } => ColumnKind::Integer,
            Domain::Number { .. } | Domain::Range { .. } => ColumnKind::Number,
            Domain::Enum(_) | Domain::Opaque(_) => ColumnKind::Text,
        }
    }

    /// Makes sure that metrics can read numbers.
    pub(crate) fn check_number(self) -> Result<(), String> {
        match self.domain {
            Domain::Enum(_) => Err("its values are members of an enum, which have no mean".to_owned()),
            Domain::Opaque(what) => Err(format!("its values are {what}, which have no mean")),
            _ => Ok(()),
        }
    }

    /// Returns a value of a plan as a value of the target.
    pub(crate) fn fit(self, value: &Value, image: &Image) -> Result<FittingValue, String> {
        let fitting = |cell, number| Ok(FittingValue { cell, number });
        match (self.domain, value) {
            (Domain::Bool, Value::Bool(flag)) => fitting(Cell::Bool(*flag), f64::from(*flag)),
            (Domain::Integer { low, high }, value) => match whole(value) {
                Some(number) if (low..=high).contains(&number) => {
                    fitting(Cell::Integer(number), number as f64)
                }
                _ => Err(format!("its values are integers from {low} to {high}")),
            },
            (Domain::Number { .. }, Value::Integer(number)) => {
                fitting(Cell::Number(*number as f64), *number as f64)
            }
            (Domain::Range { low, high }, value) => match number(value) {
                Some(number) if (low..=high).contains(&(number as f32)) => {
                    fitting(Cell::Number(number), number)
                }
                _ => Err(format!("its values are numbers from {low} to {high}")),
            },
            (Domain::Number { largest }, Value::Number(number)) if number.abs() <= largest => {
                fitting(Cell::Number(*number), *number)
            }
            (Domain::Number { largest }, _) => {
                Err(format!("its values are numbers from -{largest:e} to {largest:e}"))
            }
            (Domain::Enum(row), Value::Name(name)) => {
                let member = image.enum_members(row).find(|(member, _)| member == name);
                let (_, number) = member.ok_or_else(|| members(image, row))?;
                fitting(Cell::Text(name.clone()), number.into())
            }
            (Domain::Enum(row), _) => Err(members(image, row)),
            (Domain::Bool, _) => Err("its values are true and false".to_owned()),
            (Domain::Opaque(what), _) => Err(format!("its values are {what}, which a plan cannot give")),
        }
    }

    /// Gives the value to all agents, to the world or to the default group.
    pub(crate) fn set(self, crowd: &mut Crowd, value: &FittingValue) -> Result<(), String> {
        let failed = |why: pleach::AccessError| why.to_string();
        match self.home {
            Home::Shared(variable) => match value.cell {
                Cell::Integer(number) if self.is_wide() => {
                    crowd.set_shared_value(variable, Group::default(), number).map_err(failed)
                }
                _ => crowd.set_shared(variable, Group::default(), value.number).map_err(failed),
            },
            Home::Own(variable) => {
                for agent in crowd.agents().collect::<Vec<_>>() {
                    match value.cell {
                        Cell::Integer(number) if self.is_wide() => crowd.set(agent, variable, number),
                        _ => crowd.set_number(agent, variable, value.number),
                    }
                    .map_err(failed)?;
                }
                Ok(())
            }
            Home::Tuned(scope, index) => {
                let name = crowd.program().tunables()[index].name.clone();
                let tune = |crowd: &mut Crowd| match scope {
                    TunableScope::Crowd => crowd.tune(&name, value.number),
                    TunableScope::Agent => crowd
                        .agents()
                        .collect::<Vec<_>>()
                        .into_iter()
                        .try_for_each(|agent| crowd.tune_agent(agent, &name, value.number)),
                };
                tune(crowd).map_err(|why| why.to_string())
            }
        }
    }

    /// Returns true for integers of 64 bits, which are not exact as numbers.
    fn is_wide(self) -> bool {
        matches!(self.domain, Domain::Integer { low: i64::MIN, .. })
    }

    /// Returns the values of all agents in the order of their indices, or the one value of the
    /// world or of the default group.
    pub(crate) fn numbers(self, crowd: &Crowd) -> Vec<f64> {
        match self.home {
            Home::Shared(variable) => crowd.shared(variable, Group::default()).into_iter().collect(),
            Home::Own(variable) => {
                let agents = in_order(crowd).into_iter();
                agents.filter_map(|agent| crowd.number(agent, variable).ok()).collect()
            }
            Home::Tuned(scope, index) => {
                let name = &crowd.program().tunables()[index].name;
                match scope {
                    TunableScope::Crowd => crowd.tuned(name).into_iter().collect(),
                    TunableScope::Agent => {
                        let agents = in_order(crowd).into_iter();
                        agents.filter_map(|agent| crowd.tuned_agent(agent, name).ok()).collect()
                    }
                }
            }
        }
    }
}

/// Returns the agents in the order of their indices.
fn in_order(crowd: &Crowd) -> Vec<Agent> {
    let mut agents: Vec<_> = crowd.agents().collect();
    agents.sort_unstable_by_key(|agent| agent.index());
    agents
}

/// Returns the values of variables of a kind.
fn domain(kind: u32) -> Domain {
    let integer = |low, high| Domain::Integer { low, high };
    match kind {
        slot_kind::BIT => Domain::Bool,
        slot_kind::I8 => integer(i8::MIN.into(), i8::MAX.into()),
        slot_kind::U8 => integer(0, u8::MAX.into()),
        slot_kind::I16 => integer(i16::MIN.into(), i16::MAX.into()),
        slot_kind::U16 => integer(0, u16::MAX.into()),
        slot_kind::I32 => integer(i32::MIN.into(), i32::MAX.into()),
        slot_kind::I64 => integer(i64::MIN, i64::MAX),
        slot_kind::F32 => Domain::Number { largest: f32::MAX.into() },
        slot_kind::F64 => Domain::Number { largest: f64::MAX },
        slot_kind::TEXT => Domain::Opaque("texts"),
        _ => Domain::Opaque("entities"),
    }
}

/// Returns a value as a number, if it is one.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// Returns a value as an integer, if it is one.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Number(number) if number.fract() == 0.0 && number.abs() <= 2_f64.powi(53) => {
            Some(*number as i64)
        }
        _ => None,
    }
}

fn members(image: &Image, row: u32) -> String {
    let names: Vec<_> = image.enum_members(row).take(20).map(|(name, _)| format!("\"{name}\"")).collect();
    format!("its values are members of `{}`: {}", image.enum_name(row), names.join(", "))
}

fn unknown(name: &str, image: &Image) -> String {
    let names = image.slots().iter().map(|row| row.name).chain(image.shared().iter().map(|row| row.name));
    let names = names.map(|name| image.name(name)).filter(|name| !name.is_empty());
    format!("there is no variable `{name}`{}", hint(closest(name, names)))
}
