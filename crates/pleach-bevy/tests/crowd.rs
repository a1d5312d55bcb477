//! Ten thousand entities, headless.

#[expect(dead_code, reason = "an example ends in a function of its own")]
#[path = "../examples/crowd.rs"]
mod example;

use pleach_bevy::prelude::*;

#[test]
fn the_example_runs() {
    let mut app = example::app();
    let mut tallies = Vec::new();
    for _ in 0..30 {
        app.update();
        tallies.push(app.world().resource::<Crowds>().tally());
    }
    assert!(tallies.iter().all(|tally| tally.total() == 10_000 && tally.faults == 0));
    // One in ten guards is hurt. In the first tick all guards run: 9,000 walk and 1,000 heal. Each
    // healed guard succeeds once.
    assert_eq!((tallies[0].running, tallies[1].success), (10_000, 1_000));
}
