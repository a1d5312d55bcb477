//! Tests of fused programs.

use super::super::calc::Range;
use super::*;
use crate::code::Relation::Eq;
use crate::code::calc::Calc;
use crate::code::class::StepEffect;
use crate::values::Kind;

const RUNS: Step = Step::Return { exit: RUNNING };

/// Returns the first fused step of some steps. The expressions are 300, a boolean
/// constant, a variable, a query, and two comparisons of a byte, with 2 and 1.
fn fused(steps: &[Step]) -> Step {
    all_fused(steps)[0]
}

/// Returns all fused steps.
fn all_fused(steps: &[Step]) -> Vec<Step> {
    fused_code(steps).steps
}

fn fused_code(steps: &[Step]) -> Code {
    let (bit, query) = (Calc::Load { kind: Kind::Bit, column: 2 }, Calc::Query { site: 3 });
    let byte = |number| [Calc::Load { kind: Kind::U8, column: 9 }, Calc::Push(number), Calc::Compare(Eq)];
    let code = [Calc::Push(300.0), Calc::Push(1.0), Calc::Truth, bit, query];
    let code = [&code[..], &byte(2.0), &byte(1.0)].concat();
    let ranges = [(0, 1), (1, 3), (3, 4), (4, 5), (5, 8), (8, 11)].map(|(first, end)| Range { first, end });
    let expressions = Expressions { code, ranges: ranges.into() };
    let begins = |step: &Step| matches!(step, Step::Effect { effect: StepEffect::Loop { .. }, .. });
    let heads = (1..).zip(steps).filter(|(_, step)| begins(step)).map(|(head, _)| head).collect();
    let plain = Code { steps: steps.to_vec(), blocks: vec![0], heads, ..Code::default() };
    fuse(&plain, &expressions, Shortcuts::ALL)
}

#[test]
fn constants_are_put_without_the_stack_machine() {
    let (expression, condition, column, target) = (0, 1, 7, 1);
    let set = |kind| Step::Write { write: Write::Set { kind, expression, column: column.into() }, target };
    let put = |step| fused(&[step, RUNS]);
    assert_eq!(put(set(Kind::Bit)), Step::PutBit { column, value: true, target });
    assert_eq!(put(set(Kind::U8)), Step::PutByte { column, value: 255, target });
    assert_eq!(put(set(Kind::I16)), Step::PutHalf { column, value: 300, target });
    assert_eq!(put(set(Kind::I32)), Step::PutWord { column, value: 300, target });
    let write = Write::SetBit { condition, column: column.into() };
    assert_eq!(put(Step::Write { write, target }), Step::PutBit { column, value: true, target });
}

/// Store to a column of halves.
fn store(column: u32, value: u16, target: u32) -> Step {
    Step::PutHalf { column, value, target }
}

/// Test for a number in a column of halves.
fn test(column: u32, low: u16, target: u32) -> Step {
    Step::Half { column, span: Span { low, span: 0 }, target }
}

/// Returns the numbers of tests and of stores among the fused steps.
fn counts(steps: &[Step]) -> [usize; 2] {
    let fused = all_fused(steps);
    let tests = fused.iter().filter(|step| matches!(step, Step::Half { .. })).count();
    [tests, fused.iter().filter(|step| matches!(step, Step::PutHalf { .. })).count()]
}

#[test]
fn what_a_store_decides_is_not_run() {
    // The first store decides the test, and the last one makes it needless.
    let steps = [store(5, 2, 1), store(6, 1, 2), test(5, 2, 4), RUNS, store(5, 0, 5), RUNS];
    assert_eq!(all_fused(&steps), [store(6, 1, 1), store(5, 0, 2), RUNS]);
    // A store of another column decides nothing.
    let good = Step::Return { exit: SUCCESS };
    assert_eq!(counts(&[store(6, 2, 1), test(5, 2, 3), RUNS, store(5, 0, 4), good]), [1, 2]);
}

#[test]
fn what_a_test_decides_is_not_run() {
    let good = Step::Return { exit: SUCCESS };
    // A store of the number that is there, and the same test again.
    assert_eq!(counts(&[test(5, 2, 2), RUNS, store(5, 2, 3), test(5, 2, 5), RUNS, good]), [1, 0]);
    // Behind the test, the column holds another number.
    assert_eq!(counts(&[test(5, 2, 3), test(5, 2, 4), RUNS, good, store(5, 3, 5), good]), [1, 0]);
    // A step between them may ask the host, which may change anything.
    let write = Write::Set { kind: Kind::I16, expression: 3, column: 5.into() };
    let write = Step::Write { write, target: 3 };
    assert_eq!(counts(&[test(5, 2, 2), RUNS, write, test(5, 2, 5), RUNS, good]), [2, 0]);
}

#[test]
fn a_loop_whose_first_test_is_decided_begins_again_with_the_test() {
    let begin = Step::Effect { effect: StepEffect::Loop { register: 0, times: 3 }, target: 2 };
    let again = Step::Control(Control::Again { register: 0, head: 0, target: 6 });
    let good = Step::Return { exit: SUCCESS };
    let code = fused_code(&[store(5, 1, 1), begin, test(5, 1, 4), RUNS, store(5, 0, 5), again, good]);
    assert!(!matches!(code.steps[1], Step::Half { .. }) && !matches!(code.steps[2], Step::Half { .. }));
    assert!(matches!(code.steps[code.heads[0] as usize], Step::Half { .. }));
}

#[test]
fn tests_of_a_byte_are_one_step() {
    let test = |condition, target| Step::Control(Control::Cond { condition, target });
    let [good, bad] = [SUCCESS, FAILURE].map(|exit| Step::Return { exit });
    let steps = [test(4, 2), good, test(5, 4), RUNS, bad];
    let code = fused_code(&steps);
    let Step::Cases { column: 9, exits } = code.steps[0] else { panic!("{:?}", code.steps) };
    let ends = code.exits[exits as usize].map(|at| code.steps[at as usize]);
    assert_eq!(ends, [bad, RUNS, good, bad]);
    // One test alone stays.
    assert!(matches!(fused(&[test(4, 2), good, bad]), Step::U8 { .. }));
}

#[test]
fn stores_are_repeated_only_so_often() {
    // Each of many tests decides the last one, behind stores of other columns.
    let tests = (0..200).map(|low| test(5, low, 200));
    let stores = (0..14).map(|at| store(10 + at, 1, 201 + at));
    let ends = [test(5, 2, 216), RUNS, Step::Return { exit: SUCCESS }];
    let steps: Vec<_> = tests.chain(stores).chain(ends).collect();
    let fused = all_fused(&steps).len();
    assert!(fused > 2 * steps.len() && fused <= 6 * steps.len(), "{fused}");
}

#[test]
fn a_leaf_that_waits_is_one_step() {
    let (column, timer, node, count, duration) = (1, 3, 9, 2, 50);
    let park = Step::Park { column, node, target: 2 };
    assert_eq!(fused(&[Step::Park { column, node, target: 1 }, RUNS]), Step::Rest { column, node });
    assert_eq!(
        fused(&[Step::PutHalf { column: timer, value: count, target: 1 }, park, RUNS]),
        Step::RestTicks { timer, count, column, node }
    );
    // A number in the column of the node is gone when the node is stored there.
    assert_eq!(
        fused(&[Step::PutHalf { column, value: 0, target: 1 }, park, RUNS]),
        Step::Rest { column, node }
    );
    assert_eq!(
        fused(&[Step::Arm { column: timer, duration, target: 1 }, park, RUNS]),
        Step::RestTime { timer, duration, column, node }
    );
    let ends = [Step::PutHalf { column, value: 0, target: 3 }, RUNS, Step::Return { exit: SUCCESS }];
    let wait = |step| fused(&[&[step][..], &ends].concat());
    let [down, due] = [
        Step::Branch { branch: Branch::Down { column: timer.into() }, target: 2 },
        Step::Due { column: timer, reached: true, target: 2 },
    ];
    assert_eq!(wait(down), Step::Tick { timer, column, target: 1 });
    assert_eq!(wait(due), Step::Until { timer, column, target: 1 });
}

#[test]
fn a_test_that_makes_no_difference_is_left_out_unless_it_asks() {
    let test = |condition| fused(&[Step::Control(Control::Cond { condition, target: 1 }), RUNS]);
    assert_eq!(test(2), RUNS);
    assert!(matches!(test(3), Step::Value { .. }));
}
