//! The proof side of pleach.
//!
//! What a tree means is said three times in this workspace: by the recorded outcomes of the original evaluators
//! ([`conformance`]), by an interpreter so plain that reading it settles what it does ([`mod@reference`]), and by the
//! engines that games run. This package holds the first two and makes them agree with each other and with the third.
//! Nothing here ships: slowness, recursion and allocation are welcome if they make a judge easier to trust.
//!
//! ```console
//! $ cargo run -q --release -p pleach-tests --bin conformance -- tests/conformance/unvanquished
//! unvanquished reference: 602 passed, 0 failed, 0 skipped
//! unvanquished scalar: 602 passed, 0 failed, 0 skipped
//! ```

pub mod bombs;
pub mod broken;
pub mod busy;
pub mod camp;
pub mod campaign;
pub mod conformance;
pub mod counting;
pub mod debt;
pub mod general;
pub mod golden;
pub mod inline;
pub mod own;
pub mod print;
pub mod random;
pub mod reference;
