//! The campaign of bombs: its axes, its judge, and the limits that it reaches.

mod grow;
mod judge;
mod limits;

use pleach_tests::bombs::probe::{line, parsed};
use pleach_tests::bombs::{ATTACKS, Case, LARGE, alone, attacks, pairs};

#[test]
fn every_axis_gives_an_input_that_grows_or_counts() {
    for case in alone() {
        let sizes = [1, 10, 20].map(|n| case.input(n, 1 << 20));
        assert!(sizes.iter().all(Option::is_some), "{}", case.name());
        assert!(sizes.is_sorted_by_key(|input| input.as_ref().map(Vec::len)), "{}", case.name());
        assert!(sizes[1] != sizes[2], "{}: the size makes no difference", case.name());
    }
}

#[test]
fn large_axes_are_there() {
    assert_eq!(alone().iter().filter(|case| case.is_large()).count(), LARGE.len());
}

#[test]
fn attacks_are_pairs() {
    assert_eq!(attacks().len(), ATTACKS.len());
}

#[test]
fn pairs_hold_both_axes() {
    for case in pairs() {
        let alone = case.input(1, 1 << 20).expect("it is small");
        let grown = case.input(20, 1 << 20).expect("it is small");
        assert!(grown.len() >= alone.len(), "{}", case.name());
    }
}

#[test]
fn lines_are_read_as_they_are_written() {
    let case = Case { form: 3, axes: vec![5, 7] };
    assert_eq!(parsed(line(&case, 20, 1000).trim_end()), Some((case, 20, 1000)));
    assert_eq!(parsed("99 1 2 3"), None);
    assert_eq!(parsed("1 x 2 3"), None);
}
