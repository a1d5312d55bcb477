//! Rows of agents that wait or continue, and counts of exits.

use super::*;
use crate::code::{Code, Control, NONE, Step, Table, Waits};
use crate::engine::alone::goes_on;
use pleach_image::isa::{FAILURE, OTHER, SUCCESS};

#[test]
fn few_agents_are_ticked_without_lists() {
    for awake in [0, 0b1011, (1 << (FEWEST - 1)) - 1] {
        assert_eq!(few([awake, 0, 0, 0]), Some(awake));
    }
    for awake in [[1 << (FEWEST - 1), 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [3, 0, 0, 1 << 63], [2, 4, 8, 0]]
    {
        assert_eq!(few(awake), None);
    }
}

#[test]
fn ends_are_counted_apart() {
    let mut counts = Counts::each([1, 20, 256, 3], 44);
    counts.add(Counts::one(SUCCESS));
    counts.add(Counts::of(OTHER, 7));
    // All faults count as one.
    counts.add(Counts::one(PANIC + 1));
    let by = [FAILURE, SUCCESS, RUNNING, OTHER, PANIC].map(|exit| counts.by(exit));
    assert_eq!((by, counts.sum()), ([1, 21, 256, 10, 45], 333));
}

/// Returns a tree of which some nodes count ticks, wait for a time, or do neither.
fn code() -> Code {
    const FIRST: u16 = 5;
    let [ticks, time, neither] = [3, 4, 5];
    let steps = alloc::vec![
        Step::Switch { column: 256, table: 0 },
        Step::PutWord { column: 512, value: 1, target: 2 },
        Step::Return { exit: RUNNING },
        Step::Tick { timer: 512, column: 256, target: 2 },
        Step::Until { timer: 768, column: 256, target: 1 },
        Step::Bit { column: 0, is: true, target: 2 },
        Step::Return { exit: SUCCESS },
    ];
    let targets = [ticks, time, NONE, neither, ticks, NONE, NONE, NONE, NONE, time].into();
    Code { steps, tables: alloc::vec![Table::Dense { low: FIRST, targets }], ..Code::default() }
}

#[test]
fn a_row_says_whether_an_agent_waits_and_where_it_goes_on() {
    let sweep = SweepPlan::of(&code(), 0).expect("some wait");
    assert_eq!((sweep.column, sweep.timer, sweep.clock, sweep.start), (Some(256), Some(512), Some(768), 1));
    let row = |node| {
        let Row { node: of, start, list, ticks, keeps } = sweep.row(node);
        assert_eq!((of, Some(list)), (node, sweep.plan.list(start)));
        (start, ticks, keeps)
    };
    for (node, expected) in
        [(5, (2, u16::MAX, 0)), (6, (1, 0, 0)), (8, (5, 0, u16::MAX)), (9, (2, u16::MAX, 0)), (14, (1, 0, 0))]
    {
        assert_eq!(row(node), expected, "{node}");
    }
    // All others begin their tree.
    for node in [0, 1, 4, 7, 10, 13, 15, 16, 5 + 16, 8 + 64, 14 + 256, u16::MAX] {
        assert_eq!(row(node), (1, 0, u16::MAX), "{node}");
    }
}

#[test]
fn who_counts_ticks_or_waits_for_a_time_does_so_until_it_comes() {
    let sweep = SweepPlan::of(&code(), 0).expect("some wait");
    let (mut timer, ticks) = (3, sweep.row(5));
    assert_eq!([(); 4].map(|()| ticks.counts(&mut timer)), [true, true, false, false]);
    let (mut timer, time) = (3, sweep.row(6));
    assert!(!time.counts(&mut timer) && timer == 3);
    let at = Clock::at;
    assert!(time.is_early(7, at(6)) && !time.is_early(7, at(7)) && time.is_early(u32::MAX, at(7)));
    assert!(!ticks.is_early(7, at(6)) && !sweep.row(8).is_early(7, at(6)));
    assert_eq!((ticks.left(5, true), ticks.left(5, false), sweep.row(8).left(8, false)), (5, 0, 8));
    let (mut halves, words) = (alloc::vec![0; 768], alloc::vec![40; 1024]);
    let mut alone = |node, left, now| {
        (halves[256], halves[512]) = (node, left);
        (goes_on(&sweep, Waits::of(Some(&sweep)), &mut halves, &words, 0, at(now)), halves[256], halves[512])
    };
    assert_eq!(alone(5, 2, 0), (None, 5, 1));
    assert_eq!(alone(5, 1, 0), (Some(2), 0, 0));
    assert_eq!(alone(6, 2, 39), (None, 6, 2));
    assert_eq!(alone(6, 2, 40), (Some(1), 0, 2));
    assert_eq!(alone(8, 2, 0), (Some(5), 8, 2));
    assert_eq!(alone(0, 2, 0), (Some(1), 0, 2));
}

#[test]
fn what_cannot_gain_is_not_swept() {
    let mut code = code();
    code.tables = alloc::vec![Table::Sparse([].into())];
    assert!(SweepPlan::of(&code, 0).is_none());
    let without = SweepPlan::of(&code, 5).expect("it tests");
    assert_eq!((without.column, without.start, without.plan.lists()), (None, 5, 3));
    code.steps = alloc::vec![Step::Control(Control::Fault)];
    assert!(SweepPlan::of(&code, 0).is_none());
}
