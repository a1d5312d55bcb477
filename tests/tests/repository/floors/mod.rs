//! No module imports a module of a higher floor.
//!
//! `spec/ARCHITECTURE.md` has a table for each crate. An arrow that the table does not allow is a
//! finding, and so is an allowed arrow that no module needs. Imports are followed in all forms: by
//! `super::`, by names that a module re-exports, in the middle of an expression, in any folder.

mod modules;

use modules::{Arrows, Crate};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in the workspace").to_owned()
}

/// Floor of the table: a module, with the modules that it may import.
#[derive(Debug, PartialEq, Eq)]
struct Floor {
    name: String,
    imports: BTreeSet<String>,
}

/// Reads the table after a heading. The lowest floor comes first. Names of modules are in
/// backquotes.
fn floors(page: &str, heading: &str) -> Vec<Floor> {
    let at = page.find(heading).unwrap_or_else(|| panic!("the page has no {heading}"));
    let rows = page[at..].lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let floor = |row: &str| {
        let cells: Vec<_> = row.split('|').collect();
        let [name] = &names(cells[1])[..] else { panic!("no name in {row}") };
        Floor { name: name.clone(), imports: names(cells[3]).into_iter().collect() }
    };
    rows.take_while(|line| line.starts_with('|')).map(floor).collect()
}

/// Returns the differences between the arrows of modules and a table of floors.
fn findings(floors: &[Floor], arrows: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut findings = Vec::new();
    let mut below = BTreeSet::new();
    for floor in floors {
        for import in &floor.imports {
            let arrow = (floor.name.clone(), import.clone());
            if !below.contains(import) {
                findings.push(format!("the table names {import} after {}, which imports it", floor.name));
            }
            if !arrows.contains(&arrow) {
                findings.push(format!("the table allows {} -> {import}, which nobody needs", floor.name));
            }
        }
        below.insert(floor.name.clone());
    }
    for (from, to) in arrows {
        match floors.iter().find(|floor| floor.name == *from) {
            None => findings.push(format!("{from} is no floor of the table")),
            Some(floor) if !floor.imports.contains(to) => {
                findings.push(format!("{from} must not import {to}"))
            }
            Some(_) => {}
        }
    }
    findings
}

/// Returns the modules of a folder that import themselves through others.
fn circles(arrows: &BTreeSet<(String, String)>) -> BTreeSet<&str> {
    let mut ways: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    arrows.iter().for_each(|(from, to)| _ = ways.entry(from).or_default().insert(to));
    let reached = |start: &str| {
        let mut open: Vec<&str> = ways[start].iter().copied().collect();
        let mut seen: BTreeSet<&str> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            open.extend(ways.get(at).into_iter().flatten().filter(|next| seen.insert(next)));
        }
        seen.contains(start)
    };
    ways.keys().copied().filter(|start| reached(start)).collect()
}

fn arrows(package: &str) -> Arrows {
    let folder = root().join(package).join("src");
    let root = if folder.join("lib.rs").exists() { "lib.rs" } else { "main.rs" };
    Crate::read(root, &|file| fs::read_to_string(folder.join(file)).ok()).arrows()
}

/// Compares a table of the page with the sources of a crate.
fn assert_floors(package: &str) {
    let page = fs::read_to_string(root().join("spec/ARCHITECTURE.md")).expect("the page is there");
    let floors = floors(&page, &format!("### Floors of `{package}`\n"));
    let findings = findings(&floors, &arrows(package)[&Vec::new()]);
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn modules_of_no_package_import_each_other_in_a_circle() {
    let folders = ["crates", "tools"].iter().flat_map(|folder| fs::read_dir(root().join(folder)));
    let packages = folders.flatten().map(|entry| entry.expect("the folder can be read").path());
    for package in packages.filter(|path| path.join("src").exists()).chain([root().join("python")]) {
        for (folder, arrows) in &arrows(package.to_str().expect("a path in UTF-8")) {
            let none = BTreeSet::new();
            assert_eq!(circles(arrows), none, "in {}: {}", package.display(), folder.join("/"));
        }
    }
}

#[test]
fn modules_of_the_format_import_what_is_below_them() {
    assert_floors("crates/pleach-image");
}

#[test]
fn modules_of_the_compiler_import_what_is_below_them() {
    assert_floors("crates/pleach-compile");
}

#[test]
fn modules_of_the_runtime_import_what_is_below_them() {
    assert_floors("crates/pleach");
}

#[test]
fn modules_of_the_plugin_for_bevy_import_what_is_below_them() {
    assert_floors("crates/pleach-bevy");
}

/// Returns the arrows of a crate with the given files.
fn made(files: &[(&str, &str)]) -> Arrows {
    let text = |name: &str| files.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned());
    Crate::read("lib.rs", &text).arrows()
}

/// Returns the arrows of a crate with two floors and further files.
fn two_floors(low: &str, more: &[(&str, &str)]) -> Arrows {
    let mut files = vec![
        ("lib.rs", "mod low; mod high; pub use high::Top;"),
        ("low.rs", low),
        ("high.rs", "pub use inside::Top; pub fn go() {} mod inside;"),
        ("high/inside.rs", "pub struct Top; use crate::low::Bottom;"),
    ];
    files.extend(more);
    made(&files)
}

const TWO: &str =
    "### Two\n\n| floor | what it is | imports |\n|---|---|---|\n| `low` | | |\n| `high` | | `low` |\n";

#[test]
fn arrows_upward_are_found_by_whatever_way() {
    let ways = [
        ("by a path in an expression", "pub struct Bottom; fn go() { if true { crate::high::go() } }"),
        ("by super", "pub struct Bottom; mod inner { use super::super::high::go; }"),
        ("by a name that the root hands on", "pub struct Bottom; use crate::{Top as Other};"),
        ("by everything of the root", "pub struct Bottom; use super::*; fn go(_: Top) {}"),
        (
            "by another name of the crate",
            "pub struct Bottom; use crate as this; fn go() { this::high::go() }",
        ),
        ("in a macro", "pub struct Bottom; fn go() { assert!({ crate::high::go(); true }) }"),
        ("in a bound", "pub struct Bottom; impl<T: Into<crate::Top>> From<T> for Bottom {}"),
        ("in a function", "pub struct Bottom; fn go() { use crate::high; high::go() }"),
    ];
    let floors = floors(TWO, "### Two");
    for (way, low) in ways {
        let arrows = two_floors(low, &[]);
        assert_eq!(findings(&floors, &arrows[&Vec::new()]), ["low must not import high"], "{way}");
        assert_eq!(circles(&arrows[&Vec::new()]), BTreeSet::from(["high", "low"]), "{way}");
    }
}

#[test]
fn arrows_upward_from_a_folder_are_found() {
    let inner = ("low/inner.rs", "use super::super::high::Top;");
    let arrows = two_floors("pub struct Bottom; mod inner;", &[inner]);
    assert_eq!(findings(&floors(TWO, "### Two"), &arrows[&Vec::new()]), ["low must not import high"]);
}

#[test]
fn circles_in_a_folder_are_found() {
    let files =
        [("low/a.rs", "use super::b::B; pub struct A;"), ("low/b.rs", "pub struct B; use crate::low::A;")];
    let arrows = two_floors("mod a; mod b; pub use a::A; pub struct Bottom;", &files);
    assert_eq!(findings(&floors(TWO, "### Two"), &arrows[&Vec::new()]), [""; 0]);
    assert_eq!(circles(&arrows[&vec!["low".to_owned()]]), BTreeSet::from(["a", "b"]));
}

#[test]
fn what_is_no_arrow_is_not_found() {
    let low = "//! See [`crate::high::go`].\npub struct Bottom; mod high {} use core::fmt; fn go(_: high::X, _: fmt::Result) {}
        #[cfg(test)] mod tests { use crate::high::go; }";
    let arrows = two_floors(low, &[]);
    assert_eq!(findings(&floors(TWO, "### Two"), &arrows[&Vec::new()]), [""; 0]);
    assert_eq!(arrows[&Vec::new()], BTreeSet::from([("high".to_owned(), "low".to_owned())]));
}

#[test]
fn a_table_that_allows_too_much_is_found() {
    let text = TWO.replace("| `low` | | |", "| `low` | | `high` |").replace("`low` |\n", "`low`, `gone` |\n");
    let arrows = two_floors("pub struct Bottom;", &[]);
    let expected = [
        "the table names high after low, which imports it",
        "the table allows low -> high, which nobody needs",
        "the table names gone after high, which imports it",
        "the table allows high -> gone, which nobody needs",
    ];
    assert_eq!(findings(&floors(&text, "### Two"), &arrows[&Vec::new()]), expected);
}
