//! Front ends of all dialects, seen from outside: text goes in, trees and diagnostics come out.

mod bst;
mod btcpp;
mod btengine;
mod dragengine;
mod mbt;
mod pleach;
mod unvanquished;
mod xml;

use quickcheck::{Arbitrary, Gen};

/// Returns a number below a limit, by chance.
fn draw(chance: &mut Gen, below: usize) -> usize {
    usize::arbitrary(chance) % below
}
