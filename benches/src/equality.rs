//! Whether systems do the same: tick by tick the same statuses, and call by call the same leaves.

use crate::crowd::Bots;
use crate::native::Native;
use crate::peer::Peer;
use crate::system::System;
use crate::world::Counts;

/// What was found when all systems did the same.
#[derive(Clone, Copy, Debug)]
pub struct Equal {
    /// How the ticks came out, over all frames.
    pub counts: Counts,
    /// Leaf calls per agent and tick.
    pub calls_per_tick: f64,
}

/// Runs pleach, the native version and bonsai-bt side by side.
///
/// # Errors
/// Which of them differs from the native version, and in which frame first.
pub fn check(agents: usize, frames: u32) -> Result<Equal, String> {
    let mut native = Native::<true>::new(agents, false);
    let mut others: [(&str, Box<dyn System<true>>); 3] = [
        ("native, tuned", Box::new(Native::new(agents, true))),
        ("pleach", Box::new(Bots::new(agents))),
        ("bonsai-bt", Box::new(Peer::new(agents))),
    ];
    let mut counts = Counts::default();
    for frame in 0..frames {
        let expected = step(&mut native, frame);
        for (name, other) in &mut others {
            let found = step(&mut **other, frame);
            if found != expected {
                return Err(format!(
                    "{name} differs from native in frame {frame}: {found:?}, not {expected:?}"
                ));
            }
        }
        counts.failure += expected.0.failure;
        counts.success += expected.0.success;
        counts.running += expected.0.running;
    }
    let ticks = agents as f64 * f64::from(frames);
    Ok(Equal { counts, calls_per_tick: native.world().calls() as f64 / ticks })
}

/// One frame: how it came out, every call so far in one number, and how many calls there were.
fn step(system: &mut dyn System<true>, frame: u32) -> (Counts, u64, u64) {
    system.world().advance(frame);
    let counts = system.tick();
    (counts, system.world().digest(), system.world().calls())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_systems_do_the_same() {
        let equal = super::check(100, 200).unwrap();
        assert!(equal.calls_per_tick > 12.0, "{equal:?}");
        assert_eq!(equal.counts.failure, 0, "the bot never fails");
        assert!(equal.counts.running > equal.counts.success, "{equal:?}");
    }
}
