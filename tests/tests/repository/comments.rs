//! Comments are short lines, and the documentation of an item begins with its subject.
//!
//! A reader must know at the first word what a sentence is about. So no documentation begins with a
//! word that only refers to something, such as *What*, *Whether* or *As*. Functions begin with a
//! verb ("Returns…"), everything else with a noun phrase.

use super::rules::{none, texts};

/// Largest number of characters in a line of a comment.
const COLUMNS: usize = 100;

/// Words that no documentation begins with.
const OPENINGS: &[&str] =
    &["As", "How", "That", "The same", "What", "When", "Where", "Whether", "Which", "Who", "Whom", "Why"];

/// Returns the marker of a line of documentation: `///` or `//!`.
fn marker(line: &str) -> Option<&str> {
    let is_ruler = line.starts_with("////");
    ["///", "//!"].into_iter().find(|marker| line.starts_with(marker) && !is_ruler)
}

/// Returns the word that no documentation may begin with, if a text begins with one.
fn opening(text: &str) -> Option<&'static str> {
    let begins = |word: &&&str| {
        let rest = text.strip_prefix(**word);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    OPENINGS.iter().find(begins).copied()
}

/// Returns the comments of a file that are too wide, and documentation with a wrong first word.
fn findings(file: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut before = None;
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.trim_start();
        let columns = line.chars().count();
        if comment.starts_with("//") && columns > COLUMNS {
            findings.push(format!("{file}:{number}: a comment has {columns} columns"));
        }
        let marker = marker(comment);
        if let (Some(mark), true) = (marker, marker != before)
            && let Some(word) = opening(comment[mark.len()..].trim_start())
        {
            findings.push(format!("{file}:{number}: documentation begins with `{word}`"));
        }
        before = marker;
    }
    findings
}

#[test]
fn comments_are_short_lines_and_begin_with_their_subject() {
    none(&texts(".rs").iter().flat_map(|(file, text)| findings(file, text)).collect::<Vec<_>>());
}

#[test]
fn a_wide_comment_and_a_wrong_first_word_are_found() {
    let wide = format!("    // {}\n", "a".repeat(COLUMNS));
    assert_eq!(findings("a.rs", &wide), ["a.rs:1: a comment has 107 columns"]);
    let code = format!("let a = \"{}\"; // short\n", "a".repeat(COLUMNS));
    assert_eq!(findings("a.rs", &code), [""; 0]);
    for word in OPENINGS {
        let text = format!("//! Names.\n\n/// {word} it is.\nfn a() {{\n    // {word} it is.\n}}\n");
        assert_eq!(findings("a.rs", &text), [format!("a.rs:3: documentation begins with `{word}`")]);
    }
    // A word inside of a paragraph, and a longer word, are allowed.
    assert_eq!(findings("a.rs", "/// Returns this.\n/// What follows is next.\n"), [""; 0]);
    assert_eq!(findings("a.rs", "/// Assigns a value.\n/// It has no unit.\n"), [""; 0]);
}
