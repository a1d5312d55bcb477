//! Tests of the assembler: labels, jumps and loops.

use super::Assembler;
use crate::isa::{FAILURE, Op, SUCCESS, Word};
use alloc::vec::Vec;

fn mnemonics(mut code: Assembler) -> Vec<&'static str> {
    code.finish().words.iter().map(|word| word.op().map_or("?", Op::mnemonic)).collect()
}

#[test]
fn a_jump_to_what_follows_vanishes() {
    let mut code = Assembler::default();
    let next = code.label();
    code.jump(next);
    code.bind(next);
    code.end(SUCCESS);
    code.finish_block().unwrap();
    assert_eq!(mnemonics(code), ["return"]);
}

#[test]
fn what_cannot_be_reached_is_dropped() {
    let mut code = Assembler::default();
    let unused = code.label();
    code.end(SUCCESS);
    code.bind(unused);
    code.next(Word::new(Op::Arm));
    code.end(FAILURE);
    code.finish_block().unwrap();
    assert_eq!(mnemonics(code), ["return"]);
}

#[test]
fn a_way_to_a_jump_leads_where_the_jump_leads() {
    let mut code = Assembler::default();
    let (hop, last) = (code.label(), code.label());
    code.branch(Word::new(Op::JumpFlag), hop);
    code.end(SUCCESS);
    code.bind(hop);
    code.jump(last);
    code.bind(last);
    code.end(FAILURE);
    code.finish_block().unwrap();
    let words = code.finish().words;
    assert_eq!((words.len(), words[0].t), (3, 2));
}

#[test]
fn a_jump_on_which_something_ends_stays() {
    let mut code = Assembler::default();
    let next = code.label();
    let through = code.through(next, 5);
    code.jump(through);
    code.bind(next);
    code.end(SUCCESS);
    code.finish_block().unwrap();
    assert_eq!(mnemonics(code), ["jump", "return"]);
}

#[test]
fn a_loop_leads_back_to_its_head() {
    let mut code = Assembler::default();
    let spent = code.label();
    let head = code.head(2, 5);
    code.next(Word::new(Op::Arm));
    code.again(head, spent);
    code.bind(spent);
    code.end(SUCCESS);
    code.finish_block().unwrap();
    let words = code.finish().words;
    assert_eq!(
        (words[0].x, words[0].b, words[2]),
        (2, 5, Word::new(Op::Again).with_x(2).with_b(2).with_t(1))
    );
}

#[test]
fn a_target_too_far_away_is_refused() {
    let mut code = Assembler::default();
    let far = code.label();
    code.branch(Word::new(Op::JumpFlag), far);
    for _ in 0..u16::MAX {
        code.next(Word::new(Op::Arm));
    }
    code.bind(far);
    code.end(SUCCESS);
    assert_eq!(code.finish_block(), Err(super::TooFar));
}
