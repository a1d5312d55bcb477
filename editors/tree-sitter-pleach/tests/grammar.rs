//! The grammar accepts what the compiler accepts, gives the trees of the corpus, and fits its
//! queries.

use pleach_edit::format;
use pleach_tests::random::Case;
use pleach_tests::random::language::program;
use std::fs;
use std::path::{Path, PathBuf};
use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator, Tree};
use tree_sitter_pleach::{FOLDS, HIGHLIGHTS, INDENTS, LANGUAGE, LOCALS, TAGS};

/// Random programs that are parsed.
const PROGRAMS: u64 = 1_000;

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn parsed(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE.into()).expect("the versions fit");
    parser.parse(text, None).expect("a tree")
}

/// Returns the place of the first error in a tree, with the text around it.
fn error(tree: &Tree, text: &str) -> Option<String> {
    let mut cursor = tree.walk();
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        if node.is_error() || node.is_missing() {
            let line = text.lines().nth(node.start_position().row).unwrap_or_default();
            return Some(format!("{}: {} in {line}", node.start_position(), node.to_sexp()));
        }
        nodes.extend(node.children(&mut cursor).filter(Node::has_error));
    }
    None
}

/// Returns the files below a folder whose names have this end.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let (path, kind) = (entry.path(), entry.file_type().expect("its type"));
            let is_output = path.file_name().is_some_and(|name| name == "target" || name == "node_modules");
            if kind.is_dir() && !is_output {
                folders.push(path);
            } else if kind.is_file() && path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns a text as `pleach fmt` writes it, if the compiler can read it, whatever its names mean.
fn formatted(text: &str) -> Option<String> {
    format("main.pleach", text.as_bytes()).ok()
}

#[test]
fn the_trees_of_the_repository_are_read() {
    let root = here().join("../..");
    let mut read = 0;
    for path in files(&root, ".pleach") {
        let text = fs::read_to_string(&path).expect("text");
        if formatted(&text).is_some() {
            read += 1;
            assert_eq!(error(&parsed(&text), &text), None, "{}", path.display());
        }
    }
    assert!(read > 5, "{read} files");
}

/// Trees in the cases of the language, also those that only the compiler refuses.
#[test]
fn the_trees_of_the_conformance_cases_are_read() {
    let mut read = 0;
    for path in files(&here().join("../../tests/conformance/pleach"), ".json") {
        let cases = fs::read_to_string(&path).expect("text");
        let cases: Vec<serde_json::Value> = serde_json::from_str(&cases).expect("JSON");
        let sources =
            cases.iter().filter_map(|case| case["files"].as_object()).flat_map(|files| files.values());
        for text in sources.filter_map(|text| text.as_str()).filter(|text| formatted(text).is_some()) {
            read += 1;
            assert_eq!(error(&parsed(text), text), None, "{}: {text}", path.display());
        }
    }
    assert!(read > 100, "{read} texts");
}

#[test]
fn random_programs_are_read_as_they_are_formatted() {
    for seed in 0..PROGRAMS {
        for (_, text) in program(&Case::new(seed).cut(300)).files {
            let text = formatted(&text).expect("the generator makes texts that can be read");
            assert_eq!(error(&parsed(&text), &text), None, "{seed}: {text}");
        }
    }
}

/// Case of the corpus: its name, its text and the expected tree.
fn corpus(text: &str) -> Vec<(String, String, String)> {
    let ruler = format!("{}\n", "=".repeat(20));
    let mut parts = text.split(&ruler).skip(1);
    let mut cases = Vec::new();
    while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
        let (source, tree) = body.split_once("\n---\n").expect("a ruler before the tree");
        let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")");
        cases.push((name.trim().to_owned(), source.to_owned(), tree));
    }
    cases
}

#[test]
fn the_corpus_is_read_as_it_says() {
    let mut read = 0;
    for path in files(&here().join("test/corpus"), ".txt") {
        for (name, source, tree) in corpus(&fs::read_to_string(&path).expect("text")) {
            read += 1;
            let found = parsed(&source).root_node().to_sexp();
            let found: Vec<_> = found.split(' ').filter(|word| !word.ends_with(':')).collect();
            assert_eq!(found.join(" "), tree, "{name}");
        }
    }
    assert!(read > 5, "{read} cases");
}

#[test]
fn texts_with_errors_have_errors() {
    for text in [
        "tree main {",
        "tree wait { running }",
        "var x int",
        "tree main { wait 2 }",
        "tree main { sequence running }",
    ] {
        assert!(parsed(text).root_node().has_error(), "{text}");
    }
}

#[test]
fn queries_fit_the_grammar() {
    let language: Language = LANGUAGE.into();
    let helix = fs::read_to_string(here().join("helix/indents.scm")).expect("a query");
    for query in [HIGHLIGHTS, FOLDS, INDENTS, LOCALS, TAGS, &helix] {
        Query::new(&language, query).unwrap_or_else(|why| panic!("{why}\n{query}"));
    }
}

/// Returns the captures of a query, each as `name text`; of a text with several, the last one.
fn captures(query: &str, text: &str) -> Vec<String> {
    let query = Query::new(&LANGUAGE.into(), query).expect("a query");
    let tree = parsed(text);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.captures(&query, tree.root_node(), text.as_bytes());
    let mut found: Vec<(usize, String)> = Vec::new();
    while let Some((it, index)) = matches.next() {
        let capture = it.captures()[*index];
        let (start, words) =
            (capture.node.start_byte(), capture.node.utf8_text(text.as_bytes()).expect("text"));
        let line = format!("{} {words}", query.capture_names()[capture.index as usize]);
        found.retain(|(at, _)| *at != start);
        found.push((start, line));
    }
    found.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn names_are_highlighted_by_their_kind() {
    let text = "const POST = 3 tree main { sequence { action go(POST, min(x, 1.5)) use idle success } }";
    let found = captures(HIGHLIGHTS, text);
    for capture in [
        "keyword const",
        "constant POST",
        "number 3",
        "keyword tree",
        "function main",
        "keyword sequence",
        "function go",
        "function.builtin min",
        "variable x",
        "number 1.5",
        "function idle",
        "constant.builtin success",
    ] {
        assert!(found.iter().any(|it| it == capture), "{capture}: {found:?}");
    }
    let found = captures(HIGHLIGHTS, "var home: vec3 tree main { condition home.x > Post.open }");
    for capture in ["type.builtin vec3", "property x", "type Post", "constant open"] {
        assert!(found.iter().any(|it| it == capture), "{capture}: {found:?}");
    }
    assert_eq!(found.iter().filter(|it| *it == "variable home").count(), 2, "{found:?}");
    assert_eq!(captures(TAGS, "tree main { use idle }").last().map(String::as_str), Some("name idle"));
}
