//! Tests and judges of pleach.
//!
//! This workspace defines the meaning of a tree three times: by the recorded results of the
//! original evaluators ([`conformance`]), by a simple interpreter ([`mod@reference`]), and by the
//! engines that games run. This package holds the first two, and checks that all three agree.
//! Nothing here ships. Slow, recursive and allocating code is acceptable if it makes a judge easier
//! to trust.
//!
//! ```console
//! $ cargo run -q --release -p pleach-tests --bin conformance -- tests/conformance/unvanquished
//! unvanquished reference: 602 passed, 0 failed, 0 skipped
//! unvanquished scalar: 602 passed, 0 failed, 0 skipped
//! ```

#[cfg(unix)]
pub mod bombs;
pub mod book;
pub mod broken;
pub mod busy;
pub mod callgrind;
pub mod camp;
#[cfg(unix)]
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
pub mod steady;

/// Rust in the book, page by page.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../book/src/first-rust.md")]
    struct FirstRust;
    #[doc = include_str!("../../book/src/leaves.md")]
    struct Leaves;
    #[doc = include_str!("../../book/src/saving.md")]
    struct Saving;
    #[doc = include_str!("../../book/src/language/tune.md")]
    struct Tune;
    #[doc = include_str!("../../book/src/variables.md")]
    struct Variables;
    #[doc = include_str!("../../book/src/watching.md")]
    struct Watching;
}
