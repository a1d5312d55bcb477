//! Agents that move from one chunk to another, and the ticks in which they are up.

use super::*;
use crate::values::{Fault, Status};

/// Returns a column of each size.
fn frame() -> Frame {
    let mut frame = Frame { others: true, groups: true, ..Frame::default() };
    for kind in [Kind::Bit, Kind::U8, Kind::I16, Kind::F32, Kind::Moment] {
        frame.sizes.column(kind, 0, LANES);
    }
    frame
}

#[test]
fn a_chunk_that_follows_another_is_like_it() {
    let frame = frame();
    let [mut chunk, mut other] = [(); 2].map(|()| Chunk::new(&frame, 0, None).expect("there is memory"));
    let agents = [Agent::from_bits(1 << 32), Agent::from_bits(1 << 32 | 7)];
    chunk.occupy(&frame, 9, agents[0]);
    chunk.occupy(&frame, 200, agents[1]);
    chunk.end(9, OTHER, 77);
    chunk.set_group(9, 3);
    chunk.set_pace(200, 5);
    chunk.set_bit(0, 9, true);
    (chunk.bytes[9], *chunk.half_mut(0, 9), *chunk.word_mut(0, 9)) = (1, 2, 3);
    *chunk.moment_mut(0, 9) = 4;
    chunk.set_asleep(200, true);
    other.follow(&chunk);
    assert!(other.is_like(&chunk));
    assert_eq!((other.count(), other.lanes().collect::<alloc::vec::Vec<_>>()), (1, [9, 200].into()));
    assert_eq!([9, 200].map(|lane| other.agent(lane)), agents);
    assert_eq!([other.outcome(9), other.outcome(200)], [Some(Outcome::Status(Status::Other(77))), None]);
    assert_eq!((other.vacancy(), other.is_asleep(9), other.is_asleep(200)), (Some(0), false, true));
}

#[test]
fn an_outcome_is_what_was_noted() {
    let mut chunk = Chunk::new(&frame(), 0, None).expect("there is memory");
    for outcome in [
        Outcome::Status(Status::Failure),
        Outcome::Status(Status::Success),
        Outcome::Status(Status::Running),
        Outcome::Status(Status::Other(-5)),
        Outcome::Fault(Fault::Panic),
        Outcome::Fault(Fault::Fuel),
    ] {
        chunk.note(70, outcome);
        assert_eq!(chunk.outcome(70), Some(outcome));
    }
    chunk.note(71, Outcome::Status(Status::Other(6)));
    assert_eq!(chunk.outcome(71), Some(Outcome::Status(Status::Other(6))));
}

#[test]
fn who_is_up_every_third_tick_is_so_by_its_index() {
    let frame = frame();
    let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
    for lane in [5, 70, 71] {
        chunk.occupy(&frame, lane, Agent::from_bits(1 << 32 | u64::from(lane)));
    }
    assert!(!chunk.is_paced() && chunk.is_up(70) && !chunk.is_up(6));
    chunk.set_pace(5, 1);
    assert!(!chunk.is_paced());
    chunk.set_pace(70, 3);
    chunk.set_pace(71, 3);
    chunk.set_asleep(71, true);
    // 70 is one more than a multiple of 3.
    for up in [false, true, false, false, true, false] {
        chunk.next_turn();
        assert_eq!([5, 70, 71].map(|lane| chunk.is_up(lane)), [true, up, false]);
    }
    // A copy has the data of the agent, and also the tick in which the agent is up.
    let mut other = Chunk::new(&frame, 0, None).expect("there is memory");
    other.occupy(&frame, 3, Agent::from_bits(1 << 32 | 3));
    other.copy_from(&frame, 3, &chunk, 70);
    chunk.next_turn();
    other.next_turn();
    assert_eq!((chunk.is_up(70), other.is_up(3), other.is_asleep(3)), (false, false, false));
    chunk.next_turn();
    other.next_turn();
    assert_eq!((chunk.is_up(70), other.is_up(3)), (true, true));
    other.copy_from(&frame, 3, &chunk, 71);
    assert!(other.is_asleep(3));
}

#[test]
fn chunks_are_alike_if_nothing_that_agents_carry_differs() {
    let frame = frame();
    let chunk = || {
        let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
        chunk.occupy(&frame, 9, Agent::NOBODY);
        chunk
    };
    assert!(chunk().is_like(&chunk()));
    let changes: [fn(&mut Chunk); 8] = [
        |chunk| chunk.set_asleep(9, true),
        |chunk| chunk.set_group(9, 1),
        |chunk| chunk.set_pace(9, 2),
        |chunk| chunk.set_bit(0, 9, true),
        |chunk| chunk.bytes[9] = 1,
        |chunk| *chunk.half_mut(0, 9) = 1,
        |chunk| *chunk.word_mut(0, 9) = 1,
        |chunk| *chunk.moment_mut(0, 9) = 1,
    ];
    for (which, change) in changes.into_iter().enumerate() {
        let mut other = chunk();
        change(&mut other);
        assert!(!other.is_like(&chunk()), "{which}");
    }
}
