//! Values of tunables that the user gives.

use crate::failure::Failure;
use pleach::values::{TunableScope, TuneError};
use pleach::{Agent, Crowd, Host, Image, Program};

/// Value of a tunable in place of its default.
#[derive(Clone, Debug)]
pub(crate) struct Tuned {
    name: String,
    value: f64,
}

impl std::str::FromStr for Tuned {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("it is NAME=VALUE, as `RANGE=4.5`")?;
        let value = match value.trim() {
            "true" => 1.0,
            "false" => 0.0,
            number => number.parse().map_err(|_| "a value is a number, `true` or `false`")?,
        };
        Ok(Self { name: name.trim().to_owned(), value })
    }
}

/// Links an image, with these values in place of defaults.
pub(crate) fn link(image: &Image, host: &dyn Host, tuned: &[Tuned]) -> Result<Program, Failure> {
    let program = Program::link(image, host).map_err(|why| Failure::new(why.to_string()))?;
    tuned.iter().try_fold(program, |program, Tuned { name, value }| {
        program.with_tuned(name, *value).map_err(|why| Failure::new(format!("--tune: {why}")))
    })
}

/// Returns a program with those of these values that its tunables can have. Trees that are edited
/// may have lost others.
pub(crate) fn tuned_program(program: Program, tuned: &[Tuned]) -> Program {
    let with = |program: Program, Tuned { name, value }: &Tuned| {
        program.clone().with_tuned(name, *value).unwrap_or(program)
    };
    tuned.iter().fold(program, with)
}

/// Returns the value of a tunable of a crowd or of an agent; `None` if there is no such agent.
pub(crate) fn tuned(crowd: &Crowd, agent: Agent, name: &str) -> Option<f64> {
    crowd.tuned_agent(agent, name).or_else(|_| crowd.tuned(name)).ok()
}

/// Changes a tunable of a crowd, or that of an agent.
pub(crate) fn tune(crowd: &mut Crowd, agent: Agent, name: &str, value: f64) -> Result<(), TuneError> {
    let known = crowd.program().tunables().iter().find(|it| &*it.name == name);
    match known.map(|it| it.scope) {
        Some(TunableScope::Agent) => crowd.tune_agent(agent, name, value),
        Some(TunableScope::Crowd) | None => crowd.tune(name, value),
    }
}
