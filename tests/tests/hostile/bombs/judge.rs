//! The judge of costs lets pass what is in proportion, and finds what is not.

use pleach_tests::bombs::probe::Cost;
use pleach_tests::bombs::{Growth, Ladder, is_suspicious, judged};

fn ladder(cost: fn(u64) -> u64, input: fn(u64) -> u64) -> Ladder {
    let of = |n| Cost { input: input(n), peak: cost(n), ..Cost::default() };
    let rung = |n: usize| Growth { n, once: of(n as u64), twice: of(2 * n as u64) };
    Ladder { least: of(1), rungs: [100, 100_000].map(rung).into(), ended: None }
}

#[test]
fn what_is_in_proportion_is_let_pass() {
    for (cost, input) in [
        (ladder(|n| 90 * n, |n| n), true),
        (ladder(|n| 1_000_000 + n * u64::from(n.ilog2()), |n| n), true),
        (ladder(|n| n * n, |n| n * n), true),
        (ladder(|n| n * n, |n| n), false),
        (ladder(|n| 90 * n, |_| 10), false),
        (ladder(|n| (n * n).min(1_000_000), |n| n), true),
        (ladder(|n| if n == 1 { 9_000_000 } else { 9 * n }, |n| n), true),
        (ladder(|n| if n < 200_000 { 50 * n } else { 90 * n }, |n| n), true),
        (ladder(|n| if n < 200_000 { 50 * n } else { 150 * n }, |n| n), false),
        (ladder(|n| 90 * n, |n| 1_000_000 + n), true),
        (ladder(|n| n * n, |n| 1_000_000 + n), false),
        // A number in the input, which has one byte more at each of these sizes.
        (ladder(|n| 90 * n, |n| 1_000 + u64::from(n >= 100_000) + u64::from(n >= 200_000)), false),
    ]
    .map(|(ladder, fine)| (judged(&ladder), fine))
    {
        assert_eq!(cost.is_none(), input, "{cost:?}");
    }
}

#[test]
fn time_is_no_verdict() {
    let mut ladder = ladder(|n| n, |n| n);
    let last = ladder.rungs.last_mut().expect("a rung");
    (last.once.effort, last.twice.effort) = (10_000, 40_000);
    assert_eq!((judged(&ladder), is_suspicious(&ladder)), (None, true));
}

/// Instructions are counted on a rung that takes little time, bytes
/// are judged on the last rung.
#[test]
fn each_cost_is_judged_on_the_last_rung_that_has_it() {
    let mut ladder = ladder(|n| n.min(1_000) * n.min(1_000), |n| n);
    assert_eq!(judged(&ladder), None);
    ladder.rungs[0].once.instructions = 1_000_000;
    ladder.rungs[0].twice.instructions = 20_000_000;
    let told = judged(&ladder).expect("the instructions are out of proportion");
    assert_eq!(told, "size 100 → 200, input 100 → 200: instructions 1000000 → 20000000");
}

#[test]
fn an_end_of_the_process_is_a_finding() {
    let ladder = Ladder { ended: Some((20, "no memory".into())), ..ladder(|n| n, |n| n) };
    assert_eq!(judged(&ladder).as_deref(), Some("size 20: no memory"));
}
