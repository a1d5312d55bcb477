//! Where a position leads: waiting leaves first, then case by case.

use super::{Builder, LoweredPlace};
use crate::code::batch::BatchCode;
use crate::code::batch::ops::{BatchStep, Cases, FEW_CASES, Op, SwitchCase, Wait};
use crate::code::class::Branch;
use crate::code::put::{Put, Width};
use crate::code::shortcuts::Shortcut;
use crate::code::step::{Span, Step as Word};
use crate::code::steps::Code as Plain;
use crate::code::table::{Case as Target, Table};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;
use pleach_image::isa::RUNNING;

impl Builder<'_> {
    /// `next` is where lanes go on that no case is for.
    pub(super) fn switch(&mut self, column: u32, table: usize, next: LoweredPlace) {
        let plain = self.plain;
        let Table::Sparse(cases) = &plain.tables[table] else { return self.nothing() };
        let mut waits: Vec<(u32, Vec<Target>, Vec<Target>)> = Vec::new();
        let mut rest = Vec::new();
        for case in cases {
            let counted = self.shortcuts.has(Shortcut::WaitingLeaves);
            let Some((timer, after)) = self.waits(column, case.target).filter(|_| counted) else {
                if self.place(case.target as usize) != next {
                    rest.push(Target { target: self.word(case.target), ..*case });
                }
                continue;
            };
            let out = Target { target: self.to(after), ..*case };
            match waits.iter_mut().find(|(it, ..)| *it == timer) {
                Some((_, nodes, outs)) => {
                    nodes.push(*case);
                    outs.push(out);
                }
                None => waits.push((timer, vec![*case], vec![out])),
            }
        }
        for (timer, nodes, outs) in waits {
            let held = self.positions.get(&column).map_or(&[][..], Vec::as_slice);
            let wait = Wait { timer, late: None, nodes: spans(&nodes, held), cases: Cases::of(&outs) };
            self.code.waits.push(wait);
            let wait = self.code.waits.len() as u32 - 1;
            self.add(Op::Wait { column, wait });
        }
        if !rest.is_empty() || self.bound.is_some() {
            self.code.cases.push(Cases::of(&rest));
            let cases = self.code.cases.len() as u32 - 1;
            self.add(Op::Switch { column, cases });
        }
    }

    /// If what begins at a word is a leaf that counts down, runs while something is left, and else clears the position:
    /// its timer, and where it goes on.
    fn waits(&self, column: u32, target: u32) -> Option<(u32, LoweredPlace)> {
        let LoweredPlace::Step(at) = self.place(target as usize) else { return None };
        let Word::Branch { branch: Branch::Down { column: timer }, target } = self.plain.steps[at] else {
            return None;
        };
        let LoweredPlace::Step(next) = self.place(at + 1) else { return None };
        let Word::Clear { column: cleared, target: after } = self.plain.steps[next] else { return None };
        let runs = self.place(target as usize) == LoweredPlace::Exit(RUNNING);
        (runs && cleared == column).then(|| (timer.get(), self.place(after as usize)))
    }
}

impl BatchCode {
    /// Finds the timers that can be counted down late: several leaves of a block wait by them, and in between nothing but
    /// endings writes them. `called` says which blocks are called by others.
    pub(super) fn late_timers(&mut self, called: &[bool], allowed: bool) {
        let Self { steps, blocks, waits, puts, timers, .. } = self;
        let written: BTreeSet<u32> = steps.iter().flat_map(|step| step.op.halves_written(puts)).collect();
        for (index, first) in blocks.iter().enumerate() {
            let end = blocks.get(index + 1).map_or(steps.len(), |end| *end as usize);
            let wait = |step: &BatchStep| {
                if let Op::Wait { wait, .. } = step.op { Some(wait as usize) } else { None }
            };
            let here: Vec<usize> = steps[*first as usize..end].iter().filter_map(wait).collect();
            let mut leaves: HashMap<u32, u32> = HashMap::new();
            here.iter().for_each(|at| *leaves.entry(waits[*at].timer).or_default() += 1);
            let (mut late, mut known) = (Vec::new(), HashMap::new());
            for at in &here {
                let timer = waits[*at].timer;
                if !allowed || called[index] || leaves[&timer] < 2 || written.contains(&timer) {
                    continue;
                }
                waits[*at].late = Some(*known.entry(timer).or_insert_with(|| {
                    late.push(timer);
                    late.len() - 1
                }));
            }
            timers.push(late);
        }
    }
}

impl Op {
    /// The columns of halves that a step writes at once, positions left out.
    fn halves_written(self, puts: &[Put]) -> Vec<u32> {
        match self {
            Self::Down { column, .. } => vec![column],
            Self::Put { first, count } => {
                let puts = &puts[first as usize..][..count as usize];
                puts.iter().filter(|put| put.width == Width::Half).map(|put| put.column).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Cases {
    fn of(cases: &[Target]) -> Self {
        let case = |case: &Target| SwitchCase {
            span: Span { low: case.low, span: case.high - case.low },
            to: case.target,
        };
        Self {
            few: cases.iter().map(case).collect(),
            many: (cases.len() > FEW_CASES).then(|| Table::of(cases)),
        }
    }
}

/// For each position and set, the nodes that a program puts there, in order.
pub(super) fn positions(plain: &Plain) -> HashMap<u32, Vec<u16>> {
    let mut positions: HashMap<u32, Vec<u16>> = HashMap::new();
    for word in &plain.steps {
        if let Some((column, node)) = word.entered() {
            positions.entry(column).or_default().push(node);
        }
    }
    for nodes in positions.values_mut() {
        nodes.sort_unstable();
        nodes.dedup();
    }
    positions
}

/// The spans of some cases, as few as can be: what lies between two may be in one unless it is held by the position.
fn spans(cases: &[Target], held: &[u16]) -> Box<[Span]> {
    let mut spans: Vec<Span> = Vec::new();
    for case in cases {
        let free = |last: &&mut Span| {
            let between = last.low + last.span + 1..case.low;
            let at = held.partition_point(|node| *node < between.start);
            !held.get(at).is_some_and(|node| between.contains(node))
        };
        match spans.last_mut().filter(free) {
            Some(last) => last.span = case.high - last.low,
            None => spans.push(Span { low: case.low, span: case.high - case.low }),
        }
    }
    spans.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::batch::ops::NOWHERE;

    #[test]
    fn spans_may_cover_what_is_never_held() {
        let case = |(low, high)| Target { low, high, target: 0 };
        let found = |held: &[u16]| {
            let spans = spans(&[(3, 5), (8, 8), (9, 12), (20, 21)].map(case), held);
            spans.iter().map(|span| (span.low, span.low + span.span)).collect::<Vec<_>>()
        };
        assert_eq!(found(&[3, 8, 9, 20]), [(3, 21)]);
        assert_eq!(found(&[1, 2, 22]), [(3, 21)]);
        assert_eq!(found(&[3, 6, 20]), [(3, 5), (8, 21)]);
        assert_eq!(found(&[7]), [(3, 5), (8, 21)]);
        assert_eq!(found(&[13]), [(3, 12), (20, 21)]);
        assert_eq!(found(&[6, 19]), [(3, 5), (8, 12), (20, 21)]);
    }

    /// A block that waits by these timers and does this, too; which of its waits are late.
    fn late(timers: &[u32], also: Op, called: bool) -> Vec<Option<usize>> {
        let mut code = BatchCode { blocks: vec![0], puts: vec![Put::half(9, 1)], ..BatchCode::default() };
        for (wait, timer) in timers.iter().enumerate() {
            let cases = Cases { few: [].into(), many: None };
            code.waits.push(Wait { timer: *timer, late: None, nodes: [].into(), cases });
            let op = Op::Wait { column: 0, wait: wait as u32 };
            code.steps.push(BatchStep { op, label: NOWHERE, skip: 0, then: NOWHERE });
        }
        code.steps.push(BatchStep { op: also, label: NOWHERE, skip: 0, then: NOWHERE });
        code.late_timers(&[called], true);
        let late: Vec<_> = code.waits.iter().map(|wait| wait.late).collect();
        assert_eq!(code.timers.len(), 1);
        assert_eq!(code.timers[0].len(), late.iter().flatten().max().map_or(0, |most| most + 1));
        late
    }

    #[test]
    fn timers_of_several_leaves_are_counted_down_late() {
        let down = |column| Op::Down { column, to: 0 };
        assert_eq!(late(&[7, 9, 7, 8, 9], Op::End, false), [Some(0), Some(1), Some(0), None, Some(1)]);
        assert_eq!(late(&[7, 9, 7, 9], Op::End, true), [None; 4]);
        assert_eq!(late(&[7, 9, 7, 9], down(7), false), [None, Some(0), None, Some(0)]);
        assert_eq!(
            late(&[7, 9, 7, 9], Op::Put { first: 0, count: 1 }, false),
            [Some(0), None, Some(0), None]
        );
        assert_eq!(
            late(&[7, 9, 7, 9], Op::Put { first: 0, count: 0 }, false),
            [Some(0), Some(1), Some(0), Some(1)]
        );
    }
}
