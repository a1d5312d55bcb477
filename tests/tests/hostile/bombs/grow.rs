//! Templates of inputs.

use pleach_tests::bombs::grow::grown;

#[test]
fn templates_grow() {
    let grown = |template, n| grown(template, n, 40);
    assert_eq!(grown("a«b{i}-{j} »c{n}", 2).as_deref(), Some("ab0-1 b1-2 c2"));
    assert_eq!(grown("‹{i}›{@}{k}", 9).as_deref(), Some("012{@}3"));
    assert_eq!(grown("«12345»", 8).as_deref(), Some("12345".repeat(8).as_str()));
    assert_eq!(grown("«12345»", 9), None);
    assert_eq!(grown("⟦⟧x", 1).as_deref(), Some("x"));
    assert_eq!(grown("⟦x⟧", 1), None);
    assert_eq!(grown("«»x", 1_000).as_deref(), Some("x"));
}
