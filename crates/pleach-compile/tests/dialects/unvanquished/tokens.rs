//! Bytes to tokens: white space, comments, numbers, strings.

use super::{argument, fails, load, loads, warns};

#[test]
fn white_space_is_free() {
    loads("selector{action jump action roam}", "selector { action jump; action roam }");
    loads("selector\r\n{\x01action\tjump\x0b}", "selector { action jump }");
    loads("selector\u{a0}{é action jump }", "selector { action jump }");
}

#[test]
fn comments_are_skipped() {
    loads("/* a\n b */ action /**/ jump() // end", "action jump");
    warns("action jump() /* open", "action jump", &["W0109"]);
    fails("/*/ action jump()", &["W0109", "E0301"]);
    fails("/* a /* b */ c */ action jump()", &["E0401"]);
}

#[test]
fn a_nul_ends_the_file() {
    warns("action jump() \0 nonsense", "action jump", &["W0110"]);
}

#[test]
fn unreadable_bytes_end_the_file() {
    warns("action jump() @", "action jump", &["W0101"]);
    fails("selector { action jump() ` }", &["W0101", "E0303"]);
}

#[test]
fn integers() {
    argument("42", "42", &[]);
    argument("052", "42", &[]);
    argument("089", "89", &[]);
    argument("0x2A", "42", &[]);
    argument("0x", "0", &[]);
    argument("42lu", "42", &[]);
    argument("16777217", "16777217", &[]);
    argument("18446744073709551658", "42", &[]);
}

#[test]
fn floats_are_integers_if_they_can() {
    argument("42.0", "42", &[]);
    argument("4294967295", "4294967300.0", &["W0401"]);
    argument("1.5", "1.5", &["W0401"]);
    argument(".5", "0.5", &["W0401"]);
}

#[test]
fn odd_numbers_are_kept_and_told() {
    argument("1.", "-3.8", &["W0106", "W0401"]);
    argument("1.2.3", "1.2", &["W0107", "W0401"]);
    argument("1..2", "0.82", &["W0107", "W0401"]);
    argument("0.00000000000000000000", "0", &["W0108"]);
}

#[test]
fn signs_come_before_numbers_only() {
    argument("-5", "-5", &[]);
    argument("- --5", "-5", &[]);
    argument("->5", "-5", &[]);
    argument("-2147483648", "-2147483600.0", &["W0401"]);
    argument("-\"a\"", "\"a\"", &[]);
    fails("action moveInDir( +5 )", &["E0310"]);
}

#[test]
fn strings_have_escapes() {
    argument(r#""a\"b\\c\n\x41\066""#, r#""a\"b\\c\nAB""#, &[]);
    argument(r#""\zero""#, r#""""#, &["W0104"]);
    argument(r#""one\qtwo""#, r#""one""#, &["W0104"]);
    argument(r#""a\0b""#, r#""a""#, &[]);
    argument(r#""a""#, r#""a""#, &[]);
}

#[test]
fn large_escapes_are_cut() {
    let outcome = load(&[("main", br#"action say( "\999\xfff" )"#)]);
    assert_eq!((outcome.errors, outcome.codes), (0, vec!["W0105", "W0105"]));
}

#[test]
fn adjacent_strings_are_one() {
    argument("\"a\" /* x */\n \"b\"", "\"ab\"", &[]);
    loads("#define S \"b\"\naction say( \"a\" S \"c\" )", "action say(\"abc\")");
}

#[test]
fn strings_end_on_their_line() {
    fails("action say( \"a\nb\" )", &["W0102", "E0311"]);
    fails("action say( \"a", &["W0102", "E0311"]);
}

#[test]
fn strings_have_a_limit() {
    let fits = "y".repeat(1020);
    loads(&format!("action say( \"{fits}\" )"), &format!("action say({fits:?})"));
    fails(&format!("action say( \"{fits}y\" )"), &["W0103", "E0311"]);
    fails(&format!("action {}", "n".repeat(1024)), &["W0103", "E0303"]);
}

#[test]
fn strings_can_stand_for_words() {
    loads("\"action\" jump()", "action jump");
    loads("action \"jump\"()", "action jump");
    loads("selector \"{\" action jump \"}\"", "selector { action jump }");
    loads("condition \"(\" team \")\" { action jump }", "condition team { action jump }");
    fails("selector { condition \"team\" }", &["E0314"]);
}
