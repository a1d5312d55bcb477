//! Crowds that are saved and restored, moved or reloaded between ticks.

use super::hosts::Anything;
use super::same;
use super::side::Side;
use core::num::NonZeroU16;
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, Group};

impl Side {
    /// Saves the running agents, and restores them in one of four ways.
    pub(super) fn survive_saving(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        let Self { crowd, game, state, builds: [first, second], engine, .. } = self;
        let limit = NonZeroU16::new(crowd.step_limit());
        crowd.snapshot(state);
        if let Some(agent) = agents.get(game.tick as usize % agents.len().max(1)) {
            survive_moving(crowd, *agent)?;
        }
        match game.tick % 4 {
            // What happens in between has not been.
            0 => {
                crowd.tick(now, &mut Anything);
                agents.iter().step_by(3).for_each(|agent| _ = crowd.despawn(*agent, now, &mut Anything));
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            1 => {
                *crowd = Crowd::new(crowd.program()).with_engine(*engine);
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            2 => {
                *crowd = Crowd::new(second).with_engine(*engine);
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            _ => {
                *crowd = Crowd::new(first).with_engine(*engine);
                let report = crowd.migrate(state).map_err(|error| error.to_string())?;
                same("report", &(report.kept, report.reset), &(agents.len(), Vec::new()))?;
            }
        }
        // Choices of the host are not part of a state.
        limit.into_iter().for_each(|limit| crowd.set_step_limit(limit));
        game.moves_to(crowd.program());
        let mut again = Vec::new();
        crowd.snapshot(&mut again);
        if game.tick % 4 < 2 && again != *state {
            let differs = |(is, must): (&u8, &u8)| is != must;
            let at = again.iter().zip(&*state).position(differs).unwrap_or(again.len().min(state.len()));
            let (is, must) = (again.len(), state.len());
            return Err(format!(
                "saved, restored and saved again: {is} bytes, not {must}, or other from byte {at} on"
            ));
        }
        Ok(())
    }

    /// Reloads the program: the other build, or now and then the same.
    pub(super) fn survive_reload(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        let Self { crowd, game, builds, .. } = self;
        // Every third time it is the same one.
        let program = &builds[(game.tick % 3 % 2) as usize];
        let report =
            crowd.reload(program, ReloadPolicy::Places, now, game).map_err(|error| error.to_string())?;
        game.moves_to(crowd.program());
        same("report", &(report.kept, report.reset), &(agents.len(), Vec::new()))
    }
}

/// Takes an agent to a crowd of its own, where it must carry the same.
fn survive_moving(crowd: &Crowd, agent: Agent) -> Result<(), String> {
    let (mut state, mut other) = (Vec::new(), Crowd::new(crowd.program()));
    crowd.save_agent(agent, &mut state).map_err(|error| error.to_string())?;
    let moved = other.load_agent(&state, Group::default()).map_err(|error| error.to_string())?;
    let frame = |crowd: &Crowd, agent| -> Vec<u64> {
        crowd.inspect().frame(agent).into_iter().flatten().map(f64::to_bits).collect()
    };
    same("the moved agent", &frame(&other, moved), &frame(crowd, agent))?;
    same("its outcome", &other.outcome(moved), &crowd.outcome(agent))
}
