//! Comparison with files that the library has written.

use crate::support::{image, tree};
use pleach_groot2::Log;
use std::path::PathBuf;

/// Returns a captured file, or none if there are no captures.
pub(crate) fn capture(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("PLEACH_GROOT2").map(PathBuf::from) else {
        println!("skipped: PLEACH_GROOT2 names no folder with captures of the library");
        return None;
    };
    Some(std::fs::read(folder.join(name)).expect("the captures are complete"))
}

/// Returns the XML of a tree without its models, with the attributes of each line in order.
fn trees(xml: &str) -> Vec<Vec<String>> {
    let lines = xml.split("    <TreeNodesModel").next().unwrap_or_default().lines();
    let words = |line: &str| {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            quoted ^= letter == '"';
            match words.last_mut() {
                Some(word) if quoted || letter != ' ' => word.push(letter),
                _ => words.push(String::new()),
            }
        }
        let end = words.iter().position(|word| word.starts_with("_uid")).map_or(words.len(), |at| at + 1);
        // Behind the uid, the library has the order of a hash table.
        let close =
            words.last().map_or("", |word| word.trim_start_matches(|it| it != '>' && it != '/')).to_owned();
        for word in &mut words[end.min(1)..] {
            *word = word.trim_end_matches(['/', '>']).to_owned();
        }
        words[end..].sort();
        words.push(close);
        words
    };
    lines.map(words).collect()
}

#[test]
fn a_log_of_the_library_is_read() {
    let Some(bytes) = capture("sample.btlog") else { return };
    let log = Log::read(&bytes).expect("it is a log");
    assert_eq!((log.start, log.changes.len()), (1_795_442_896_324_613, 56));
    assert_eq!(log.changes[0].micros, 230_683);
    assert_eq!(log.path(10).as_deref(), Some("sub/last"));
    assert_eq!(log.path(4).as_deref(), Some("no"));
}

#[test]
fn the_tree_of_the_library_is_written_as_it_writes_it() {
    let Some(text) = capture("tree.xml") else { return };
    let text = String::from_utf8(text).expect("it is text");
    // The instance path is the name of the subtree.
    let source = text.replace("_fullpath=\"sub\" _uid=\"7\"", "name=\"sub\" _uid=\"7\"");
    let source = source
        .replace("<root BTCPP_format=\"4\">", "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">");
    let source = source.split("    <TreeNodesModel").next().unwrap_or_default().to_owned() + "</root>";
    let own = tree(&image("btcpp", "xml", &source, ""), "Main", &source);
    assert_eq!(trees(own.xml()), trees(&text));
}
