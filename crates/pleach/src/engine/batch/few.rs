//! Selection trees of whose agents few have something to do.
//!
//! Most agents of a selection tree go on with what is selected, as nothing has changed for them; and a sweep takes about as long
//! for those few that select anew as for all. So where nothing but truths decides, a table is made when a program is linked,
//! which says for each way that they can be what is selected. A tick of a chunk looks for the lanes with something to do, 64
//! at a time, and looks up each of them; nothing else is done for the chunk.
//!
//! ```text
//!   capture  before := live, live := false       for all lanes
//!   switch   {nodes -> head}                     those are looked at for whom nothing is selected
//!   head:    before -> choose, else running      or something has changed
//!   choose:  blocked -> ...                      the sweep's business
//!   ladder   hurt -> 1, seen & armed -> 2, ...    hurt seen armed: 011 -> 2, 101 -> 1, ...
//! ```
//!
//! A table has a byte for each way. So it goes by few truths; and where a way leads elsewhere than to a leaf, as into a state
//! machine, the chunk is swept.

use super::code::{Case, Choice, Chosen, Code, Ladder, NOWHERE, Op, Rung, Test, Truth};
use super::columns::{Columns, bit_lanes, each, half_lanes};
use super::lanes::{Gathered, Job, Lanes, Portable};
use super::mask::Mask;
use super::scratch::Scratch;
use super::turns::{MOST, Turns, in_turn};
use super::{Batch, Found};
use crate::chunk::Chunk;
use crate::engine::step::Span;
use crate::engine::sweep::{Counts, Tick};
use crate::frame::BIT_WORDS;
use crate::host::Host;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;
use pleach_image::isa::RUNNING;

/// Most truths of a table: with these, it takes 64 KiB.
const INPUTS: usize = 16;
/// Most steps of a ladder that a table is made of.
const STEPS: usize = 1024;
/// The sweep has to find out what is selected.
const ELSE: u8 = u8::MAX;

/// How few agents select, for a block that is nothing but a selection.
#[derive(Clone, Debug)]
pub(super) struct Few {
    block: u32,
    /// Columns of the bits of changes, and where a tick notes them.
    live: u32,
    before: u32,
    /// The position, and what it holds when something is selected.
    position: u32,
    selected: Span,
    /// Those for whom it is not so may not select.
    free: Test,
    /// The columns of the truths, that of a way's highest bit first.
    truths: Box<[u32]>,
    /// For each way, the number of the leaf.
    leaves: Box<[u8]>,
}

impl Few {
    /// For the first block that begins as selections do, and goes on by truths alone: programs hold one such tree.
    pub(super) fn of(code: &Code) -> Option<Self> {
        (0..code.blocks.len()).find_map(|block| Self::of_block(code, block))
    }

    fn of_block(code: &Code, block: usize) -> Option<Self> {
        let steps = code.steps.get(code.blocks[block] as usize..)?;
        let [capture, switch, head, choose, ladder, ..] = steps else { return None };
        let Op::Capture { before, live } = capture.op else { return None };
        let Op::Switch { column: position, cases } = switch.op else { return None };
        let [Case { span: selected, to }] = *code.cases[cases as usize].few else { return None };
        let Op::Test { test: Test::Bit { column }, is: false, to: runs } = head.op else { return None };
        let Op::Test { test: free @ Test::Byte { .. }, is: false, .. } = choose.op else { return None };
        let Op::Ladder { ladder } = ladder.op else { return None };
        let falls = [capture, head, choose].iter().all(|step| step.then == NOWHERE);
        let leads = to == head.label && runs == u32::from(RUNNING) && switch.then == choose.label;
        let choices = &code.choices[block];
        let is_of = |choice: &Choice| choice.column == position && choice.kind == Chosen::Selected;
        let fits = choices.len() < ELSE.into() && choices.iter().all(is_of);
        if !falls || !leads || !fits || column != before || live == before {
            return None;
        }
        let ladder = &code.ladders[ladder as usize];
        // What is looked up must not be what is captured.
        let truths = truths(ladder).filter(|truths| !truths.contains(&live) && !truths.contains(&before))?;
        let leaves = leaves(ladder, &truths, code.labels, choices.len() as u32);
        let block = block as u32;
        Some(Self { block, live, before, position, selected, free, truths, leaves })
    }
}

/// The columns of the truths that a ladder goes by, the last one first; `None` if a table would be too large.
fn truths(ladder: &Ladder) -> Option<Box<[u32]>> {
    let tests = ladder.rungs.iter().flat_map(|rung| rung.tests).filter(|test| test.keep != 0);
    let mut truths: Vec<u32> = tests.map(|test| test.column * BIT_WORDS as u32).collect();
    truths.sort_unstable_by_key(|column| Reverse(*column));
    truths.dedup();
    (truths.len() <= INPUTS && ladder.rungs.len() <= STEPS).then(|| truths.into())
}

/// For each way that truths can be, the first of them as the highest bit of its number, the leaf that a ladder leads to.
fn leaves(ladder: &Ladder, truths: &[u32], labels: usize, choices: u32) -> Box<[u8]> {
    let bit = |test: Truth| truths.iter().rev().position(|column| *column == test.column * BIT_WORDS as u32);
    let bits_of = |rung: &Rung| rung.tests.map(|test| bit(test).unwrap_or(0));
    let bits: Vec<[usize; 2]> = ladder.rungs.iter().map(bits_of).collect();
    let mut leaves = vec![ELSE; 1 << truths.len()];
    let mut pending = vec![0; labels];
    for (index, leaves) in leaves.chunks_mut(64).enumerate() {
        ladder.rungs.iter().for_each(|rung| pending[rung.to as usize] = 0);
        let mut ways = u64::MAX;
        for (Rung { label, tests, also, to, number }, bits) in ladder.rungs.iter().zip(&bits) {
            ways |= core::mem::take(&mut pending[*label as usize]);
            let holds = |(test, bit): (&Truth, &usize)| test.holds(truth(*bit, index));
            let gone = tests.iter().zip(bits).map(holds).fold(ways, |gone, holds| gone & holds);
            ways &= !gone;
            let gone = gone | core::mem::take(&mut pending[*also as usize]);
            pending[*to as usize] |= gone;
            if *number < choices {
                let selected = leaves.iter_mut().enumerate().filter(|(way, _)| gone >> way & 1 != 0);
                selected.for_each(|(_, leaf)| *leaf = *number as u8);
            }
        }
    }
    leaves.into()
}

/// What a truth is in 64 ways one after the other, whose bits it is one of.
fn truth(bit: usize, index: usize) -> u64 {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    LOW.get(bit).copied().unwrap_or_else(|| ((index << 6 >> bit & 1) as u64).wrapping_neg())
}

/// A look at some agents of a chunk: which of them select what.
struct Look<'a, L> {
    few: &'a Few,
    choices: &'a [Choice],
    chunk: &'a mut Chunk,
    agents: Mask,
    turns: &'a mut Turns,
    list: &'a mut Gathered,
    lanes: L,
}

impl<L: Lanes> Job for Look<'_, L> {
    /// How many agents there are, and how many of them turn; `None` if the chunk is to be swept.
    type Out = Option<(u32, usize)>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { few, choices, chunk, agents, turns, list, lanes } = self;
        let selected = lanes.halves_span(half_lanes(chunk, few.position), few.selected);
        let live = Mask(*bit_lanes(chunk, few.live));
        let look = agents & (live | !selected);
        let count = look.count() as usize;
        // More are swept.
        if count > MOST {
            return None;
        }
        lanes.gather(look.0, list);
        let free = lanes.test(chunk, few.free);
        let (mut turn, mut is_odd) = (0, look.without(free).any());
        let (bits, positions) = (&chunk.bits[..], &chunk.halves[few.position as usize..]);
        for lane in &list[..count] {
            let at = usize::from(*lane);
            let (word, bit) = (at / 64, at % 64);
            let truth = |column: u32| (bits[column as usize + word] >> bit & 1) as usize;
            let way = few.truths.iter().fold(0, |way, column| way << 1 | truth(*column));
            let leaf = few.leaves[way];
            is_odd |= leaf == ELSE;
            let node = choices.get(usize::from(leaf)).map_or(0, |choice| choice.node);
            turns[turn % MOST] = (*lane, leaf);
            turn += usize::from(positions[at] != node);
        }
        if is_odd {
            return None;
        }
        let bits = bit_lanes(chunk, few.live);
        *bits = live.without(agents).0;
        let bits = bit_lanes(chunk, few.before);
        *bits = (Mask(*bits).without(agents) | live & agents).0;
        let runs = each!(chunk.ends, |ends| lanes.byte_in(ends, RUNNING, 0));
        agents.without(runs).for_each(|lane| chunk.ends[usize::from(lane)] = RUNNING);
        Some((agents.count(), turn))
    }
}

impl Batch {
    /// Ticks agents of a chunk if few of them have something to do, and a table says what that is.
    pub(super) fn few<H: Host + ?Sized>(
        &mut self,
        tick: &mut Tick<'_, H>,
        chunk: &mut Chunk,
        block: u32,
        agents: Mask,
    ) -> Option<Counts> {
        let code = tick.parts.batch.as_ref()?;
        let few = code.few.as_ref().filter(|few| few.block == block)?;
        let choices = &code.choices[block as usize][..];
        let Scratch { turns, asked, .. } = &mut self.scratch;
        let (turns, list) = (&mut **turns, &mut *asked.lanes);
        macro_rules! look {
            ($lanes:expr) => {
                $lanes.run(Look {
                    few,
                    choices,
                    chunk: &mut *chunk,
                    agents,
                    turns: &mut *turns,
                    list,
                    lanes: $lanes,
                })
            };
        }
        let (count, turned) = match self.width.0 {
            Found::Portable => look!(Portable),
            #[cfg(target_arch = "x86_64")]
            Found::Avx2(lanes) => look!(lanes),
            #[cfg(target_arch = "x86_64")]
            Found::Avx512(lanes) => look!(lanes),
        }?;
        let mut nobody = ();
        let mut run = tick.agent(chunk, 0, &mut nobody);
        let faulted = in_turn(&mut run, &turns[..turned], |run, leaf| {
            let Choice { column, site, node, .. } = choices[usize::from(leaf)];
            run.select(column, site, node);
        });
        let faults = faulted.count();
        Some(Counts::each([0, 0, count - faults, 0], faults))
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::{Cases, Step};
    use super::*;

    const HEAD: u32 = 5;
    const CHOOSE: u32 = 6;
    /// Labels behind a ladder, and one that nobody comes to.
    const NEXT: u32 = 7;
    const NOBODY: u32 = 8;
    const ON: u64 = u64::MAX;

    /// A selection of two leaves: 0 if the fourth truth holds and the fifth does not, else 1 if the sixth holds.
    fn selection() -> Code {
        let truth = |column, flip| Truth { column, keep: ON, flip };
        let rung = |tests, number| Rung { label: NOBODY, tests, also: NOBODY, to: NEXT, number };
        let rungs = [rung([truth(4, 0), truth(5, ON)], 0), rung([truth(6, 0), Truth::ALWAYS], 1)];
        let test = |test, to| Op::Test { test, is: false, to };
        let steps = [
            (Op::Capture { before: 8, live: 4 }, NOWHERE, NOWHERE),
            (Op::Switch { column: 0, cases: 0 }, NOWHERE, CHOOSE),
            (test(Test::Bit { column: 8 }, RUNNING.into()), HEAD, NOWHERE),
            (test(Test::Byte { column: 0, low: 0, span: 0 }, NEXT), CHOOSE, NOWHERE),
            (Op::Ladder { ladder: 0 }, NOWHERE, NOWHERE),
        ];
        let choice = |node| Choice { column: 0, site: 0, node, kind: Chosen::Selected, held: None };
        let case = Case { span: Span { low: 1, span: 1 }, to: HEAD };
        Code {
            steps: steps.map(|(op, label, then)| Step { op, label, skip: 0, then }).into(),
            blocks: vec![0],
            cases: vec![Cases { few: [case].into(), many: None }],
            choices: vec![vec![choice(1), choice(2)]],
            ladders: vec![Ladder { rungs: rungs.into() }],
            labels: 9,
            ..Code::default()
        }
    }

    #[test]
    fn a_table_says_what_is_selected() {
        let few = Few::of(&selection()).expect("it is a selection");
        assert_eq!((few.block, few.live, few.before, few.position), (0, 4, 8, 0));
        assert_eq!(*few.truths, [24, 20, 16]);
        // The fourth truth is the lowest bit.
        assert_eq!(*few.leaves, [ELSE, 0, ELSE, ELSE, 1, 0, 1, 1]);
    }

    #[test]
    fn a_table_of_many_truths_says_the_same_as_its_ladder() {
        let mut code = selection();
        let mut rungs = Vec::new();
        // Each leaf for those for whom its own truth and not the next one holds. Nobody comes to the last one but by the first.
        for number in 0..9 {
            let [first, second] = [(number, 0), (number + 1, ON)].map(|(column, flip)| Truth {
                column: 10 + column,
                keep: ON,
                flip,
            });
            rungs.push(Rung { label: NOBODY, tests: [first, second], also: NOBODY, to: NEXT, number });
        }
        (rungs[0].to, rungs[8].also) = (NOBODY - 2, NOBODY - 2);
        code.ladders = vec![Ladder { rungs: rungs.into() }];
        code.choices[0] = vec![code.choices[0][0]; 9];
        let few = Few::of(&code).expect("they are not too many");
        let columns: Vec<u32> = (10..20).rev().map(|column| column * BIT_WORDS as u32).collect();
        assert_eq!((&*few.truths, few.leaves.len()), (&columns[..], 1 << 10));
        for (way, leaf) in few.leaves.iter().enumerate() {
            let is = |number: usize| way >> number & 1 != 0;
            let expected = match (0..9).find(|number| is(*number) && !is(*number + 1)) {
                None => ELSE,
                Some(0) => 8,
                Some(number) => number as u8,
            };
            assert_eq!(*leaf, expected, "{way:b}");
        }
    }

    #[test]
    fn what_is_no_such_selection_is_swept() {
        let others: [fn(&mut Code); 12] = [
            |code| code.steps[0].then = CHOOSE,
            |code| code.steps[2].then = CHOOSE,
            |code| code.steps[3].then = HEAD,
            |code| code.cases[0].few[0].to = CHOOSE,
            |code| code.steps[2].op = Op::Test { test: Test::Bit { column: 8 }, is: false, to: NEXT },
            |code| code.steps[1].then = HEAD,
            |code| {
                code.steps[2].op = Op::Test { test: Test::Bit { column: 4 }, is: false, to: RUNNING.into() }
            },
            |code| code.steps[0].op = Op::Capture { before: 8, live: 8 },
            |code| code.choices[0][1].column = 256,
            |code| code.choices[0][1].kind = Chosen::Asked { halts: false },
            |code| code.ladders[0].rungs[0].tests[0].column = 1,
            |code| code.ladders[0].rungs[0].tests[0].column = 2,
        ];
        for (which, other) in others.into_iter().enumerate() {
            let mut code = selection();
            other(&mut code);
            assert!(Few::of(&code).is_none(), "{which}");
        }
        let mut many = selection();
        many.choices[0] = vec![many.choices[0][0]; ELSE.into()];
        assert!(Few::of(&many).is_none());
        many.choices[0].pop();
        assert!(Few::of(&many).is_some());
        let rung = many.ladders[0].rungs[1];
        let rungs = |count: u32| {
            let tests = |column| [Truth { column: 10 + column, keep: ON, flip: 0 }, Truth::ALWAYS];
            (0..count).map(|column| Rung { tests: tests(column), ..rung }).collect()
        };
        many.ladders[0].rungs = rungs(INPUTS as u32);
        assert!(Few::of(&many).is_some());
        many.ladders[0].rungs = rungs(INPUTS as u32 + 1);
        assert!(Few::of(&many).is_none());
        many.ladders[0].rungs = vec![rung; STEPS].into();
        assert!(Few::of(&many).is_some());
        many.ladders[0].rungs = vec![rung; STEPS + 1].into();
        assert!(Few::of(&many).is_none());
    }
}
