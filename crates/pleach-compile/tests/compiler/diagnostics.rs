//! The table in `spec/diagnostics.md` is the one in the code.

use pleach_compile::codes;

const SPEC: &str = include_str!("../../../../spec/diagnostics.md");

#[test]
fn the_specification_lists_all_codes() {
    let rows: Vec<(&str, &str)> = SPEC
        .lines()
        .filter_map(|line| line.strip_prefix("| [")?.strip_suffix(" |")?.split_once(" | "))
        .filter_map(|(link, meaning)| Some((link.split_once(']')?.0, meaning)))
        .collect();
    let known: Vec<_> = codes::ALL.iter().map(|code| (code.id, code.meaning)).collect();
    if let Some((row, code)) = rows.iter().zip(&known).find(|(row, code)| row != code) {
        panic!("the page says {row:?}, the code {code:?}");
    }
    assert_eq!(rows.len(), known.len());
}

#[test]
fn codes_are_unique_and_in_order() {
    assert!(codes::ALL.windows(2).all(|pair| pair[0].id < pair[1].id));
}
