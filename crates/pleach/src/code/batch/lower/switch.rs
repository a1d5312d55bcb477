//! Lowering of `switch`: waiting leaves first, then case by case.

use super::{Builder, LoweredPlace};
use crate::code::batch::ops::{Cases, FEW_CASES, Op, SwitchCase, Wait};
use crate::code::shortcuts::Shortcut;
use crate::code::{Branch, Case as Target, Code as Plain, Span, Step as Word, StepEffect, Table};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;
use pleach_image::isa::RUNNING;

impl Builder<'_> {
    /// `next` is where lanes go on that no case is for.
    pub(super) fn switch(&mut self, column: u32, table: usize, next: LoweredPlace) {
        let plain = self.plain;
        // Plain programs have no other tables.
        let cases = if let Table::Sparse(cases) = &plain.tables[table] { &cases[..] } else { &[] };
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
            let held = self.positions.get(&column).map_or(&[][..], |position| &position.nodes);
            let (nodes, left) = (spans(&nodes, held), RUNNING.into());
            let wait = Wait { timer, nodes, left, cases: Cases::of(&outs) };
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

    /// Lets the waits of a block, from `first` on, count down together where several have the same
    /// timer. What their lanes do next is only to run; so all lanes in which something is left go
    /// on at one step behind all others.
    pub(super) fn count_together(&mut self, first: usize) {
        let mut timers: Vec<u32> = self.code.waits[first..].iter().map(|wait| wait.timer).collect();
        timers.sort_unstable();
        for same in timers.chunk_by(u32::eq).filter(|same| same.len() > 1) {
            let label = self.fresh();
            let waits = self.code.waits[first..].iter_mut();
            waits.filter(|wait| wait.timer == same[0]).for_each(|wait| wait.left = label);
            self.bound = Some(label);
            self.add(Op::Down { column: same[0], to: RUNNING.into() });
        }
    }

    /// Returns the timer of a leaf that begins at a word, and the place where the leaf continues.
    /// The leaf must count down, run while its counter is above 0, and then clear the position.
    fn waits(&self, column: u32, target: u32) -> Option<(u32, LoweredPlace)> {
        let LoweredPlace::Step(at) = self.place(target as usize) else { return None };
        let Word::Branch { branch: Branch::Down { column: timer }, target } = self.plain.steps[at] else {
            return None;
        };
        let LoweredPlace::Step(next) = self.place(at + 1) else { return None };
        let Word::PutHalf { column: cleared, value: 0, target: after } = self.plain.steps[next] else {
            return None;
        };
        let runs = self.place(target as usize) == LoweredPlace::Exit(RUNNING);
        (runs && cleared == column).then(|| (timer.get(), self.place(after as usize)))
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

/// Nodes that a program stores in a position or a set.
#[derive(Default)]
pub(super) struct Position {
    /// The nodes, in order.
    pub(super) nodes: Vec<u16>,
    /// True if the program also stores there that something has ended.
    pub(super) finishes: bool,
    /// True if the host may have to be told about the nodes.
    pub(super) heard: bool,
}

/// Returns the nodes that a program stores, for each position and set. `heard` returns true for a
/// node about which the host may have to be told.
pub(super) fn positions(plain: &Plain, heard: impl Fn(u16) -> bool) -> HashMap<u32, Position> {
    let mut positions: HashMap<u32, Position> = HashMap::new();
    for word in &plain.steps {
        if let Some((column, node)) = word.entered() {
            positions.entry(column).or_default().nodes.push(node);
        }
        if let Word::Effect { effect: StepEffect::Finish { column, .. }, .. } = *word {
            positions.entry(column.get()).or_default().finishes = true;
        }
    }
    for position in positions.values_mut() {
        position.nodes.sort_unstable();
        position.nodes.dedup();
        position.heard = position.nodes.iter().any(|node| heard(*node));
    }
    positions
}

/// Returns the spans of some cases, as few as possible: a node between two cases may be in a span,
/// unless the position can hold it.
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
}
