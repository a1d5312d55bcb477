//! Plans: which steps are in them, in which order, and how many.

use super::*;
use crate::code::{Control, Relation};
use pleach_image::isa::{FAILURE, SUCCESS};

fn code(steps: &[Step]) -> Code {
    Code { steps: steps.to_vec(), ..Code::default() }
}

#[test]
fn a_plan_holds_the_steps_that_need_no_host() {
    let test = |target| Step::Int { column: 0, relation: Relation::Lt, with: 5, target };
    let code = code(&[
        test(3),
        Step::PutByte { column: 0, value: 7, target: 5 },
        Step::Control(Control::Fault),
        Step::Query { site: 0, relation: Relation::Lt, target: 5, with: 0.0 },
        Step::Return { exit: FAILURE },
        Step::Jump { target: 6 },
        Step::Return { exit: SUCCESS },
    ]);
    let plan = Plan::of(&code, &[0, 2]).expect("they are few");
    let at: Vec<u32> = plan.nodes.iter().map(|node| node.at).collect();
    assert_eq!((&at[..], &*plan.outs, plan.lists()), (&[0, 1, 6][..], &[3, 2][..], 5));
    // Holds: where the host is asked; else what writes, and from there past the jump.
    assert_eq!((plan.nodes[0].yes, plan.nodes[0].no, plan.nodes[1].yes), (3, 1, 2));
    assert_eq!(
        [0, 1, 6, 3, 2, 4].map(|start| plan.list(start)),
        [Some(0), Some(1), Some(2), Some(3), Some(4), None]
    );
    assert!(plan.runs() && !Plan::of(&code, &[3]).expect("it is one").runs());
}

#[test]
fn what_asks_or_compares_two_numbers_is_no_step_of_a_list() {
    let (target, relation) = (2, Relation::Lt);
    for step in [
        Step::Query { site: 0, relation, target, with: 0.0 },
        Step::Value { is: true, first: 0, end: 1, target },
        Step::Floats { left: 0, right: 256, relation, target },
        Step::Ints { left: 0, right: 256, relation, target },
        Step::Control(Control::Fault),
        // Both ways are the same.
        Step::Bit { column: 0, is: true, target: 1 },
    ] {
        assert_eq!(
            ways(&code(&[step, Step::Control(Control::Fault), Step::Control(Control::Fault)]), 0),
            None,
            "{step:?}"
        );
    }
    let due = Step::Due { column: 0, reached: true, target };
    assert_eq!(
        ways(&code(&[due, Step::Jump { target: 0 }, Step::Control(Control::Fault)]), 0),
        Some(vec![2, 0])
    );
}

#[test]
fn each_step_comes_before_those_it_leads_to() {
    // Each goes on at the next but one, or at the next.
    let mut steps: Vec<Step> = (0..40).map(|at| Step::Bit { column: 0, is: true, target: at + 2 }).collect();
    steps.extend([Step::Return { exit: SUCCESS }; 2]);
    let code = code(&steps);
    let all: Vec<u32> = (0..42).collect();
    let found = order(&code, &[0], MOST);
    let place = |at: u32| found.iter().position(|it| *it == at).expect("it is there");
    assert!(found.len() == all.len() && (0..40).all(|at| place(at) < place(at + 1).min(place(at + 2))));
    assert_eq!(order(&code, &[0], 7).len(), 7);
    assert!(Plan::of(&code, &[0; MOST + 1]).is_none());
}

#[test]
fn a_plan_has_not_more_lists_than_there_are_numbers() {
    // Tests whose other ways the scalar engine goes: two lists each.
    let tests = (0..200).map(|at| Step::Bit { column: 0, is: true, target: 201 + at });
    let mut steps: Vec<Step> = tests.chain([Step::Return { exit: SUCCESS }]).collect();
    steps.extend([Step::Control(Control::Fault); 200]);
    let code = code(&steps);
    let plan = Plan::of(&code, &[0]).expect("it can be smaller");
    assert_eq!((plan.nodes.len(), plan.lists()), (MOST / 4, MOST / 2 + 1));
    assert_eq!(Plan::with(&code, &[0], MOST / 2).lists(), MOST + 1);
}
