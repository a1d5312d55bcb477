//! Checks that the header is generated from the source, and that tables about it agree with it.
//!
//! `PLEACH_BLESS=1 cargo test -p pleach-capi --test header` writes the header and the table of the
//! specification.

use pleach_capi::status::STATUSES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a file with its expected content, or writes it.
fn compare(path: &Path, must: &str) {
    if std::env::var_os("PLEACH_BLESS").is_some() {
        std::fs::write(path, must).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    assert!(
        read(path) == must,
        "{} is not that of the source: PLEACH_BLESS=1 cargo test -p pleach-capi --test header writes it",
        path.display()
    );
}

/// Returns the text at the start of the header.
fn preface() -> String {
    let mut text = read(&here("include/preface.txt"));
    for row in STATUSES {
        let _ = writeln!(
            text,
            "// {}.\n#define PLEACH_{} {}",
            sentence(row.meaning),
            row.name,
            parentheses(row.number)
        );
    }
    text
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn parentheses(number: i32) -> String {
    if number < 0 { format!("({number})") } else { number.to_string() }
}

/// Removes the safety sections, which are only for readers of the Rust source.
fn without_safety(header: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "// # Safety" {
            while lines.next_if(|line| line.starts_with("//")).is_some() {}
            while kept.last() == Some(&"//") {
                kept.pop();
            }
        } else {
            kept.push(line);
        }
    }
    kept.join("\n") + "\n"
}

fn header() -> String {
    let mut config = cbindgen::Config::from_file(here("cbindgen.toml")).expect("the configuration");
    config.after_includes = Some(preface());
    let bindings = cbindgen::Builder::new().with_crate(here("")).with_config(config).generate();
    let mut text = Vec::new();
    bindings.expect("the source is read").write(&mut text);
    let text = String::from_utf8(text).expect("a header is text");
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    without_safety(&lines.join("\n"))
}

#[test]
fn the_header_is_that_of_the_source() {
    compare(&here("include/pleach.h"), &header());
}

#[test]
fn the_specification_has_the_table_of_statuses() {
    let mut table = String::from("| number | name | meaning |\n|---|---|---|\n");
    for row in STATUSES {
        let _ = writeln!(table, "| {} | `PLEACH_{}` | {} |", row.number, row.name, row.meaning);
    }
    let path = here("../../spec/capi.md");
    let text = read(&path);
    let (begin, end) = ("<!-- table statuses -->\n", "<!-- end -->");
    let start = text.find(begin).expect("the chapter has the table") + begin.len();
    let stop = start + text[start..].find(end).expect("the table has an end");
    compare(&path, &format!("{}{table}{}", &text[..start], &text[stop..]));
}

#[test]
fn statuses_are_told_apart() {
    for (index, row) in STATUSES.iter().enumerate() {
        assert_eq!(row.number, -(index as i32), "{} is out of its place", row.name);
        assert_eq!(row.c_name.to_bytes(), format!("PLEACH_{}", row.name).as_bytes());
        assert_eq!(row.c_meaning.to_bytes(), row.meaning.as_bytes());
    }
}

/// Checks that every exported function of the source is in the header.
#[test]
fn no_function_is_forgotten() {
    let header = header();
    let mut functions = 0;
    for file in std::fs::read_dir(here("src")).expect("the source") {
        let text = read(&file.expect("a file").path());
        for part in text.split("extern \"C\" fn ").skip(1) {
            let Some(name) = part.split('(').next().filter(|name| name.starts_with("pleach_")) else {
                continue;
            };
            functions += 1;
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
        }
    }
    assert!(functions > 0);
}
