//! Comparison of systems, tick by tick: their statuses and the actions of their agents.

use crate::system::{Counts, Named, System};

/// Runs all systems side by side, for this many frames, and tells how the ticks came out.
///
/// # Errors
/// Which of them differs from the first, and in which frame.
pub fn check(systems: &mut [Named], frames: u32) -> Result<Counts, String> {
    let mut counts = Counts::default();
    let [first, others @ ..] = systems else { return Ok(counts) };
    for frame in 0..frames {
        let expected = step(&mut *first.system, frame);
        for other in &mut *others {
            let found = step(&mut *other.system, frame);
            if found != expected {
                let (name, first) = (other.name, first.name);
                return Err(format!(
                    "{name} differs from {first} in frame {frame}: {found:?}, not {expected:?}"
                ));
            }
        }
        counts += expected.0;
    }
    Ok(counts)
}

/// Runs one frame. Returns the number of ticks by status, and a digest of the agents' actions.
fn step(system: &mut dyn System, frame: u32) -> (Counts, u64) {
    system.advance(frame);
    let counts = system.tick();
    (counts, system.digest())
}
