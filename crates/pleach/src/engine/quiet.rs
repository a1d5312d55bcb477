//! Agents for whom there is nothing to do.
//!
//! Where a tree is gone through only if something has changed, most agents of most ticks begin it, find that nothing has, and
//! run on. To find that out agent by agent would take longer than all else. So the scalar engine looks for those agents in the
//! columns of a chunk first, 64 at a time, and runs the others. The batch engine needs nothing of the kind: there, all is done
//! for 64 agents at a time.

use super::batch::bits;
use crate::code::quiet::Quiet;
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
use pleach_image::isa::RUNNING;

impl Quiet {
    /// Ticks those of some agents for whom there is nothing to do; the others.
    pub(crate) fn tick(&self, chunk: &mut Chunk, mut lanes: [u64; BIT_WORDS]) -> [u64; BIT_WORDS] {
        let Some(positions) = chunk.halves[self.position as usize..].first_chunk::<LANES>() else {
            return lanes;
        };
        let (positions, ends) = (positions.as_chunks::<64>().0, chunk.ends.as_chunks_mut::<64>().0);
        for (word, (lanes, ends)) in lanes.iter_mut().zip(ends).enumerate() {
            let selected = bits(|lane| self.selected.holds(positions[word][lane]));
            let quiet = *lanes & selected & !chunk.bits[self.live as usize + word];
            chunk.bits[self.before as usize + word] &= !quiet;
            for (lane, end) in ends.iter_mut().enumerate() {
                *end = if quiet >> lane & 1 != 0 { RUNNING } else { *end };
            }
            *lanes &= !quiet;
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::step::{Code, Span, Step};
    use crate::code::table::{Case, Table};
    use crate::layout::Frame;
    use crate::values::Kind;
    use alloc::vec;
    use pleach_image::isa::SUCCESS;

    /// A block that begins as selections do, with the bits of these columns and this end.
    fn selection(before: u32, asked: u32, exit: u8) -> Code {
        let steps = vec![
            Step::Capture { before, live: 4, target: 1 },
            Step::Switch { column: 0, table: 0 },
            Step::Return { exit: SUCCESS },
            Step::Bit { column: asked, is: true, target: 2 },
            Step::Jump { target: 5 },
            Step::Return { exit },
        ];
        let cases = [Case { low: 7, high: 9, target: 3 }];
        Code { steps, tables: vec![Table::Sparse(cases.into())], blocks: vec![0], ..Code::default() }
    }

    #[test]
    fn who_goes_on_with_what_is_selected_is_quiet() {
        let quiet = Quiet::of(&selection(8, 8, RUNNING), 0).expect("it is a selection");
        assert_eq!((quiet.before, quiet.live, quiet.position), (8, 4, 0));
        assert_eq!(quiet.selected, Span { low: 7, span: 2 });
        for other in [selection(8, 8, SUCCESS), selection(8, 12, RUNNING)] {
            assert!(Quiet::of(&other, 0).is_none());
        }
    }

    #[test]
    fn who_is_asked_and_has_not_changed_is_ticked() {
        let mut frame = Frame::default();
        let mut column = |kind| frame.sizes.column(kind, 0, LANES).first;
        let [before, live, position] = [Kind::Bit, Kind::Bit, Kind::Node].map(&mut column);
        let quiet = Quiet { live, before, position, selected: Span { low: 7, span: 2 } };
        let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
        chunk.ends.fill(u8::MAX);
        chunk.bits[before as usize..][..BIT_WORDS].fill(u64::MAX);
        // All that can be so of the lanes from 64 on: whether they are asked, what is selected there, and whether it has changed.
        let ways = (0_u8..16).map(|way| (way & 1 != 0, u16::from(5 + (way >> 1 & 3)), way & 8 != 0));
        let mut lanes = [0; BIT_WORDS];
        for (lane, (asked, node, changed)) in ways.clone().enumerate() {
            lanes[1] |= u64::from(asked) << lane;
            chunk.bits[live as usize + 1] |= u64::from(changed) << lane;
            *chunk.half_mut(position, 64 + lane as u8) = node;
        }
        let others = quiet.tick(&mut chunk, lanes);
        for (lane, (asked, node, changed)) in ways.enumerate() {
            let is_quiet = asked && node >= 7 && !changed;
            assert_eq!(others[1] >> lane & 1 != 0, asked && !is_quiet, "{lane}");
            assert_eq!(chunk.ends[64 + lane], if is_quiet { RUNNING } else { u8::MAX }, "{lane}");
            assert_eq!(chunk.bits[before as usize + 1] >> lane & 1 == 0, is_quiet, "{lane}");
        }
        assert_eq!([others[0], others[2], others[1] >> 16], [0; 3]);
        assert!(chunk.ends[..64].iter().chain(&chunk.ends[80..]).all(|end| *end == u8::MAX));
    }
}
