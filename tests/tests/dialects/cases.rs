//! Recorded cases are read as they are written: truths, numbers, and lists in their order.

use pleach_tests::conformance::{Flag, Listed};
use pleach_tests::general::general;

#[test]
fn numbers_are_truths() {
    let flags: [Flag; 4] = serde_json::from_str("[true, 1, false, 0]").unwrap();
    assert_eq!(flags.map(|it| it.0), [true, true, false, false]);
}

#[test]
fn files_and_agents_stand_as_they_are_written() {
    let text = r#"{"steps": [{"agents": {"2": {}, "1": {}}}, {"agents": {"3": {}, "1": 0}}], "files": {"b": "", "a": ""}}"#;
    let listed: Listed = serde_json::from_str(text).unwrap();
    assert_eq!(listed.files.0, ["b", "a"]);
    assert_eq!(listed.agents(), ["2", "1", "3"]);
}

#[test]
fn numbers_print_as_in_c() {
    let cases = [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-3.8, "-3.8"),
        (0.333_333_343, "0.333333"),
        (999_999.5, "1e+06"),
        (123_456.0, "123456"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1.24629e-18, "1.24629e-18"),
        (f64::NAN, "nan"),
        (f64::NEG_INFINITY, "-inf"),
    ];
    for (value, text) in cases {
        assert_eq!(general(value, 6), text);
    }
}
