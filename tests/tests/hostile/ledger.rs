//! The ledger is read as it is written, and results are read from the output of other tools.

use pleach_tests::campaign::fuzz;
use pleach_tests::campaign::ledger::{Line, date, executions, grouped, since};
use pleach_tests::campaign::mutation::{Judged, judged};

#[test]
fn the_fuzzers_count_is_read() {
    let said = "-- image, 10 s\nstat::number_of_executed_units: 4711\nstat::peak_rss_mb: 52\n";
    assert_eq!(fuzz::executions(said), Some(4711));
    assert_eq!(fuzz::executions("skipped: fuzzing"), None);
}

#[test]
fn the_scripts_last_line_is_read() {
    let said = "missed: src/a.rs:1:2: replace f with ()\nmutants: 471 killed, 1 missed, 21 unviable\n";
    assert_eq!(judged(said), Some(Judged { killed: 471, missed: 1, unviable: 21 }));
    assert_eq!(judged("skipped: cargo-mutants is not installed"), None);
}

#[test]
fn days_have_dates() {
    let days = [0, 58, 59, 11_016, 20_454, 20_778].map(date);
    assert_eq!(days, ["1970-01-01", "1970-02-28", "1970-03-01", "2000-02-29", "2026-01-01", "2026-11-21"]);
}

#[test]
fn a_line_is_read_as_it_is_written() {
    let line = Line {
        date: "2026-01-31".into(),
        name: "fuzz image".into(),
        code: "abc".into(),
        seconds: 5,
        executions: 1_234_567,
        findings: 1,
        words: "a word".into(),
    };
    assert_eq!(Line::parse(line.text().trim_end()), Some(line.clone()));
    let after = Line { findings: 0, executions: 7, ..line.clone() };
    assert_eq!(
        (since(&[line.clone(), after.clone()], "fuzz image"), grouped(1_234_567)),
        (7, "1,234,567".into())
    );
    let named = Line { words: "generators IR rules; a word".into(), ..after };
    let lines = [line, named];
    assert_eq!(executions(&lines, "fuzz image", ""), 1_234_574);
    assert_eq!(executions(&lines, "fuzz image", "generators IR rules; "), 7);
    assert_eq!(executions(&lines, "fuzz image", "generators IR rules forest; "), 0);
}
