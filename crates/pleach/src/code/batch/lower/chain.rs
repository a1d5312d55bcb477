//! Chains of tests, each of which ends the chain for some lanes. One step executes the whole chain.

use super::Builder;
use crate::code::Relation;
use crate::code::batch::ops::{BatchStep, CHAIN_COLUMNS, Chain, Link, NOWHERE, Op, Test};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Smallest number of tests in a chain.
const FEWEST: usize = 6;
/// Largest number of tests in a chain.
const MOST: usize = 255;
/// Largest number of places that a chain leads to.
const PLACES: usize = 4;

impl Builder<'_> {
    /// Makes chains of the tests of the last block, from step `first` on.
    pub(super) fn chains(&mut self, first: usize) {
        let steps = self.code.steps.split_off(first);
        let mut rest = &steps[..];
        while let [step, others @ ..] = rest {
            // Most steps are no tests, and a chain has a table.
            let found = Some(rest).filter(|rest| begins_with_tests(rest)).map(chain);
            let Some(found) = found.filter(|found| found.links.len() >= FEWEST) else {
                self.code.steps.push(*step);
                rest = others;
                continue;
            };
            rest = &rest[found.links.len()..];
            self.code.chains.push(found);
            let chain = self.code.chains.len() as u32 - 1;
            self.code.steps.push(BatchStep { op: Op::Chain { chain }, ..*step });
        }
    }
}

/// Returns true if the first steps are as many tests as a chain has at least.
fn begins_with_tests(steps: &[BatchStep]) -> bool {
    let is_test = |step: &BatchStep| matches!(step.op, Op::Test { .. } | Op::Choose { .. });
    steps.len() >= FEWEST && steps[..FEWEST].iter().all(is_test)
}

/// Returns the chain that some steps begin with.
fn chain(steps: &[BatchStep]) -> Chain {
    let (mut columns, mut links, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut targets = Box::new([0; MOST + 1]);
    for (index, step) in steps.iter().take(MOST).enumerate() {
        let (test, is, number, to) = match step.op {
            Op::Test { test, is, to } => (test, is, 0, to),
            Op::Choose { test, is, number, to } => (test, is, number, to),
            _ => break,
        };
        let (column, with, is_float, relation) = match test {
            Test::Float { column, relation, with } => (column, with.to_bits(), true, relation),
            Test::Int { column, order, with } => (column, with as u32, false, Relation::of_order(order)),
            _ => break,
        };
        let relation = if is { relation } else { relation.negated() };
        if index > 0 && step.label != NOWHERE {
            break;
        }
        let (Some(column), Some(place)) =
            (entered(&mut columns, column, CHAIN_COLUMNS), entered(&mut places, to, PLACES))
        else {
            break;
        };
        targets[index + 1] = (place as u16 + 1) << 8 | u16::from(number);
        links.push(Link { column: column as u8, with, is_float, relation });
    }
    Chain { columns: columns.into(), links: links.into(), targets, to: places.into() }
}

/// Returns the index of a number in a list, to which it is added if it is new. Returns `None` if it
/// is new and the list has `most` numbers.
fn entered(list: &mut Vec<u32>, number: u32, most: usize) -> Option<usize> {
    let index = list.iter().position(|known| *known == number).unwrap_or(list.len());
    if index == most {
        return None;
    }
    if index == list.len() {
        list.push(number);
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cmp::Ordering;

    fn step(op: Op, label: u32) -> BatchStep {
        BatchStep { op, label, skip: 0, then: NOWHERE }
    }

    fn test(with: i32, to: u32) -> BatchStep {
        step(Op::Test { test: Test::Int { column: 3, order: Ordering::Less, with }, is: true, to }, NOWHERE)
    }

    #[test]
    fn a_chain_ends_where_its_tests_do() {
        let float = Test::Float { column: 4, relation: Relation::Ge, with: 1.5 };
        let choose = Op::Choose { test: float, is: false, number: 9, to: 20 };
        let jump = step(Op::Jump { to: 20 }, NOWHERE);
        let steps = [test(1, 10), step(choose, NOWHERE), test(2, 10), jump, test(3, 10)];
        let Chain { columns, links, targets, to } = chain(&steps);
        assert_eq!(*columns, [3, 4]);
        let found: Vec<_> = links.iter().map(|link| (link.column, link.with, link.relation)).collect();
        assert_eq!(
            found,
            [(0, 1, Relation::Lt), (1, 1.5_f32.to_bits(), Relation::NotGe), (0, 2, Relation::Lt)]
        );
        assert_eq!((&targets[..5], &*to), (&[0, 0x100, 0x209, 0x100, 0][..], &[10, 20][..]));
        // What others come to begins one, but is in none.
        let labelled = |at: usize| {
            let mut steps = [test(1, 10); 4];
            steps[at].label = 30;
            chain(&steps).links.len()
        };
        assert_eq!([0, 1, 3].map(labelled), [4, 1, 3]);
        let places: Vec<BatchStep> = (0..8).map(|to| test(1, to)).collect();
        assert_eq!((chain(&places).links.len(), &*chain(&places).to), (PLACES, &[0, 1, 2, 3][..]));
        assert_eq!(chain(&[test(1, 10); 300]).links.len(), MOST);
        let of_column = |column| Test::Int { column, order: Ordering::Less, with: 0 };
        let columns: Vec<BatchStep> = (0..20)
            .map(|column| step(Op::Test { test: of_column(column), is: true, to: 10 }, NOWHERE))
            .collect();
        assert_eq!(chain(&columns).links.len(), CHAIN_COLUMNS);
    }
}
