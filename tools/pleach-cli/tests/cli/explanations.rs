//! Explanations of codes: `--explain`, links in a terminal, and the examples of the pages.
//!
//! The words behind the fence of an example are its language, the name of its file if the example
//! needs one, and `wrong` if it must cause the code. A block of the language `text` is another file
//! of the example. A manifest is given to the compiler. A file stays until a later block of the
//! section replaces it.

use crate::folder::{Folder, Ran};
use std::fs;
use std::path::{Path, PathBuf};

/// Fenced block of a section.
struct Block {
    language: String,
    name: String,
    is_wrong: bool,
    text: String,
}

/// Section of a page: a code, its text, and the blocks in it.
struct Section {
    code: String,
    text: String,
    blocks: Vec<Block>,
}

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/diagnostics")
}

/// Returns the sections of all pages.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for entry in fs::read_dir(pages()).expect("the pages") {
        let page = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        sections.extend(page.split("\n## ").skip(1).map(|section| {
            let (code, text) = section.split_once('\n').expect("a heading");
            let blocks = text.split("\n```").skip(1).step_by(2).map(block).collect();
            Section { code: code.to_owned(), text: text.to_owned(), blocks }
        }));
    }
    sections.sort_by(|one, other| one.code.cmp(&other.code));
    sections
}

/// Reads a block, whose first line has the words behind the fence.
fn block(text: &str) -> Block {
    let (info, text) = text.split_once('\n').unwrap_or((text, ""));
    let words: Vec<_> = info.split(' ').collect();
    let name = words.iter().find(|word| word.contains('.'));
    Block {
        language: words[0].to_owned(),
        name: name.map_or(format!("main.{}", words[0]), |name| (*name).to_owned()),
        is_wrong: words.contains(&"wrong"),
        text: format!("{text}\n"),
    }
}

/// Builds the file of a block. Returns the run, and the codes of its findings.
fn build(folder: &Folder, block: &Block, manifests: &[&str]) -> (Ran, Vec<String>) {
    let mut args = vec!["build", &block.name, "--output", "main.plc", "--format", "json"];
    manifests.iter().for_each(|manifest| args.extend(["--manifest", manifest]));
    let ran = folder.pleach(&args);
    let codes = ran.json().iter().filter_map(|row| Some(row["code"].as_str()?.to_owned())).collect();
    (ran, codes)
}

/// Returns the examples of a section that do not do what the section says.
fn findings(section: &Section) -> Vec<String> {
    let folder = Folder::new(&format!("explained-{}", section.code));
    let (mut findings, mut manifests, mut kinds) = (Vec::new(), Vec::new(), [0, 0]);
    for block in &section.blocks {
        folder.file(&block.name, &block.text);
        if block.name.ends_with(".manifest") && !manifests.contains(&block.name.as_str()) {
            manifests.push(&block.name);
        }
        if block.language == "text" {
            continue;
        }
        let (ran, codes) = build(&folder, block, &manifests);
        let is_right = if block.is_wrong {
            codes.contains(&section.code)
        } else {
            codes.is_empty() && ran.code == Some(0)
        };
        kinds[usize::from(block.is_wrong)] += 1;
        if !is_right {
            findings.push(format!("{}: {codes:?} {}\n{}", section.code, ran.err, block.text));
        }
    }
    let words = section.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_excused = kinds == [0, 0] && words.contains("here is no example, because");
    if kinds != [1, 1] && !is_excused {
        findings.push(format!("{}: not one wrong and one mended example", section.code));
    }
    findings
}

#[test]
fn every_code_has_one_section() {
    let table = fs::read_to_string(pages().with_extension("md")).expect("the table");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']'));
    let mut rows: Vec<_> = rows.map(|(code, _)| code.to_owned()).collect();
    rows.sort();
    assert!(rows.len() > 100, "the table has rows");
    assert_eq!(sections().into_iter().map(|section| section.code).collect::<Vec<_>>(), rows);
}

#[test]
fn examples_cause_their_code_and_mended_ones_nothing() {
    let findings: Vec<_> = sections().iter().flat_map(findings).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new("explain");
    let rules = folder.pleach(&["lint", "--rules"]).exits(0).out;
    let rules = rules.lines().filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    let rules: Vec<_> = rules.filter(|code| code.starts_with('L')).collect();
    assert!(rules.len() > 40, "{rules:?}");
    for code in sections().into_iter().map(|section| section.code).chain(rules) {
        let out = folder.pleach(&["--explain", &code]).exits(0).out;
        assert!(out.starts_with(&format!("{code}: ")), "{out}");
        assert!(out.lines().count() > 2 && !out.contains("```") && !out.contains("]("), "{out}");
    }
    let err = folder.pleach(&["--explain", "E9999"]).exits(2).err;
    assert!(err.contains("`E9999`") && err.contains("E0611"), "{err}");
    folder.pleach(&["--explain", "E0611", "check", "a.pleach"]).exits(2);
}
