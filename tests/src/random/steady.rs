//! Host without state: it answers by the agent, the question and the time, so calls for other
//! agents make no difference.

use super::draws::hash;
use pleach::{Agent, Call, Function, Host, Status};

/// Host with every function. Actions run, succeed and fail. Answers are small numbers, and
/// sometimes NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steady;

impl Steady {
    fn roll(call: &Call<'_>, kind: u64, answers: usize) -> usize {
        let (agent, node) = (call.agent.index() as u64, u64::from(call.node));
        (hash([kind, agent, node, call.function.into(), call.now as u64 / 3]) % answers as u64) as usize
    }
}

impl Host for Steady {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(name.len() as u32)
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        !hash([number.into(), agent.index() as u64]).is_multiple_of(8)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        const ANSWERS: [Status; 4] = [Status::Failure, Status::Success, Status::Running, Status::Running];
        ANSWERS[Self::roll(call, 1, ANSWERS.len())]
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        const ANSWERS: [f64; 6] = [0.0, 1.0, 2.0, 100.0, -1.0, f64::NAN];
        ANSWERS[Self::roll(call, 2, ANSWERS.len())]
    }
}
