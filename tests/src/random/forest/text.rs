//! Random forest and tree files.

use crate::random::Case;
use crate::random::draws::Draws;
use pleach_compile::source::{Found, Library};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Files of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// Text of the forest file.
    pub main: String,
    /// Tree files by name.
    pub files: BTreeMap<String, String>,
}

impl Library for Texts {
    fn tree(&self, name: &str) -> Option<Found> {
        (name == "main").then(|| Found { name: "main.xml".to_owned(), text: self.main.as_bytes().into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        let text = self.files.get(path)?.as_bytes();
        Some(Found { name: path.to_owned(), text: text.into() })
    }
}

/// Returns the files of a case: a few trees, together with about as many nodes as the size of the
/// case.
#[must_use]
pub fn texts(case: &Case) -> Texts {
    let mut draws = case.draws();
    let count = 1 + draws.below(3);
    let files = (0..count).map(|file| (format!("{file}.xml"), tree(&mut draws, case.size.min(60) / count)));
    let files = files.collect();
    let mut main = "<BehaviorForestRoot>".to_owned();
    for forest in 0..1 + draws.below(2) {
        let _ = write!(main, "<Forest name='F{forest}'>");
        for tree in 0..1 + draws.below(3) {
            // Each tree has a unique name, so that the hooks tell trees apart.
            let _ = write!(main, "<Tree name='T{forest}{tree}' file='{}.xml'/>", draws.below(count));
        }
        main += "</Forest>";
    }
    Texts { main: main + "</BehaviorForestRoot>", files }
}

/// Returns a tree file. Each node gets a budget of nodes and spends it on its subtree.
fn tree(draws: &mut Draws, nodes: usize) -> String {
    let mut text = "<BehaviorTreeRoot>".to_owned();
    let mut number = 0;
    // Work that is left, last first: a node with its budget, or the end of a node.
    let mut todo = vec![Ok(nodes)];
    while let Some(next) = todo.pop() {
        let budget = match next {
            Err(end) => {
                text += end;
                draws.end();
                continue;
            }
            Ok(budget) => budget,
        };
        number += 1;
        draws.begin();
        if budget < 2 {
            let _ = write!(text, "{}", leaf(draws, number));
            draws.end();
            continue;
        }
        let (head, end, children) = match draws.below(6) {
            0 => ("<Selector", "</Selector>", 1 + draws.count(4)),
            1 => ("<Sequence", "</Sequence>", 1 + draws.count(4)),
            2 => ("<Parallel policy='Sequence'", "</Parallel>", 1 + draws.count(4)),
            3 => ("<Parallel policy='Selector'", "</Parallel>", 1 + draws.count(4)),
            _ => ("<Decorator", "</Decorator>", 1),
        };
        let _ = write!(text, "{head} name='n{number}'>");
        todo.push(Err(end));
        todo.extend((0..children).map(|_| Ok((budget - 1) / children)));
    }
    text + "</BehaviorTreeRoot>"
}

fn leaf(draws: &mut Draws, number: usize) -> String {
    match draws.below(5) {
        0 => format!("<Action name='n{number}' policy='Success'/>"),
        1 => format!("<Action name='n{number}' policy='Failure'/>"),
        _ => format!("<Condition name='n{number}'/>"),
    }
}
