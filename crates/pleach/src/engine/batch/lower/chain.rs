//! Chains of tests, each of which takes lanes out: one step for all of them.

use super::Builder;
use crate::engine::batch::code::{Chain, How, Link, NOWHERE, Op, Step, Test};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Fewest tests of a chain.
const FEWEST: usize = 6;
/// Most tests of a chain: what tells them apart is a byte.
const MOST: usize = 255;
/// Most places that a chain leads to.
const PLACES: usize = 4;

impl Builder<'_> {
    /// Makes chains of the tests of the last block, from step `first` on.
    pub(super) fn chains(&mut self, first: usize) {
        let steps = self.code.steps.split_off(first);
        let mut rest = &steps[..];
        while let [step, others @ ..] = rest {
            let (links, to) = chain(rest);
            if links.len() < FEWEST {
                self.code.steps.push(*step);
                rest = others;
                continue;
            }
            rest = &rest[links.len()..];
            let links: Box<[Link]> = links.into_iter().rev().collect();
            let mut values = Box::new([0; MOST + 1]);
            values[1..].iter_mut().zip(&links).for_each(|(value, link)| *value = link.value);
            self.code.chains.push(Chain { links, values, to: to.into() });
            let chain = self.code.chains.len() as u32 - 1;
            self.code.steps.push(Step { op: Op::Chain { chain }, ..*step });
        }
    }
}

/// The links of the chain that some steps begin with, and where they lead.
fn chain(steps: &[Step]) -> (Vec<Link>, Vec<u32>) {
    let (mut links, mut places) = (Vec::new(), Vec::new());
    for (index, step) in steps.iter().take(MOST).enumerate() {
        let (test, is, number, to) = match step.op {
            Op::Test { test, is, to } => (test, is, 0, to),
            Op::Choose { test, is, number, to } => (test, is, number, to),
            _ => break,
        };
        let Some((column, with, how)) = how(test) else { break };
        if index > 0 && step.label != NOWHERE {
            break;
        }
        let place = places.iter().position(|place| *place == to).unwrap_or(places.len());
        if place == PLACES {
            break;
        }
        if place == places.len() {
            places.push(to);
        }
        let value = (place as u32 + 1) << 8 | u32::from(number);
        links.push(Link { column, with, how, is, value });
    }
    (links, places)
}

/// A test of a word and a constant.
fn how(test: Test) -> Option<(u32, u32, How)> {
    Some(match test {
        Test::FloatLt { column, with } => (column, with.to_bits(), How::FloatLt),
        Test::FloatLe { column, with } => (column, with.to_bits(), How::FloatLe),
        Test::FloatGt { column, with } => (column, with.to_bits(), How::FloatGt),
        Test::FloatGe { column, with } => (column, with.to_bits(), How::FloatGe),
        Test::FloatEq { column, with } => (column, with.to_bits(), How::FloatEq),
        Test::IntLt { column, with } => (column, with as u32, How::IntLt),
        Test::IntEq { column, with } => (column, with as u32, How::IntEq),
        _ => return None,
    })
}
