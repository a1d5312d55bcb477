//! The files of a folder: which blocks and trees there are.
//!
//! Files stand in an order, and the engine depends on it: blocks are found first, in this
//! order, and trees then, last file first. That decides between two of one name where it is
//! forgiven that there are two.
//!
//! A file may also hold the sections of one tree without anything around them, as the engine's
//! manual shows them. It is then a tree that is called like the file.

use super::found::{GLOBAL, Tree};
use super::{
    Blocks, Candidate, Diagnostic, Element, Session, ast, codes, expect, forgive, is, only, required, there,
    tree, twice,
};
use crate::dialect::EachTree;
use crate::dialect::cry;
use crate::dialect::xml::{self, Text};
use hashbrown::HashMap;

/// More text than any game has trees of, for all files together.
const MAX_TEXT: usize = 16 << 20;
/// Consequence of a tree without a name or a wrong block, for messages.
const NO_TREES: &str = "all trees of the file are left out";
/// First elements of a file that holds the sections of a tree.
const SECTIONS: [&str; 7] =
    ["Variables", "SignalVariables", "LeafTranslations", "Priority", "StateMachine", "Leaf", "Ref"];

/// A file that was read.
struct File {
    text: Text,
    /// The name of the tree whose sections it holds, if it does.
    sections_of: Option<String>,
    /// True if this is the requested file.
    asked: bool,
}

/// Reads the tree that is asked for.
pub(super) fn parse(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let file = core::mem::take(&mut session.file);
    let entry = cry::one_entry(session, entries);
    with_folder(session, entry, |session, mut folder| match folder.choose(session, entry) {
        Some(tree) => tree::read(session, file, &folder.blocks, tree).0,
        None => file,
    })
}

/// Reads all trees, one after the other.
pub(super) fn parse_all(session: &mut Session<'_>, each: EachTree<'_>) {
    with_folder(session, None, |session, mut folder| {
        folder.order(session, None);
        if folder.trees.is_empty() {
            folder.missing(session, None);
        }
        let (mut names, mut left) = (HashMap::<String, Candidate<'_>>::new(), there::MOST_WORK);
        for Tree { candidate, .. } in folder.trees {
            if let Some(first) = names.get(&candidate.name.to_ascii_lowercase()) {
                twice(session, *first, candidate);
                continue;
            }
            names.insert(candidate.name.to_ascii_lowercase(), candidate);
            let file = core::mem::take(&mut session.file);
            let (file, work) = tree::read(session, file, &folder.blocks, candidate);
            there::spend(session, candidate, work, &mut left);
            each(session, file, candidate.name);
            if left == 0 {
                break;
            }
        }
    });
}

/// Reads the files and finds their declarations.
fn with_folder<R>(
    session: &mut Session<'_>,
    entry: Option<&str>,
    then: impl FnOnce(&mut Session<'_>, Folder<'_>) -> R,
) -> R {
    let files = read(session, entry);
    let parsed: Vec<_> = files.iter().filter_map(|file| Some((file, file.text.parse(session)?))).collect();
    let mut folder = Folder::default();
    for (file, parsed) in &parsed {
        folder.add(session, file, parsed.root());
    }
    then(session, folder)
}

/// Reads all files, or the one that was asked for if the library knows no more.
fn read(session: &mut Session<'_>, entry: Option<&str>) -> Vec<File> {
    let asked = entry.and_then(|entry| session.library.tree(entry));
    let name = asked.as_ref().map(|found| found.name.clone());
    let mut all = session.library.files();
    if let Some(asked) = asked.filter(|asked| all.iter().all(|found| found.name != asked.name)) {
        all.push(asked);
    }
    let (mut files, mut size) = (Vec::new(), 0);
    for found in all {
        size += found.text.len();
        if size > MAX_TEXT {
            let message = format!("the files have more than {MAX_TEXT} bytes together");
            session.diagnostics.push(Diagnostic::new(codes::TOO_MUCH_TEXT, None, message));
            break;
        }
        let asked = name.as_ref() == Some(&found.name);
        let stem = stem(&found.name).to_owned();
        let Some(text) = xml::read(session, found) else { continue };
        files.push(match xml::first_element(text.text(), false) {
            Some((at, tag)) if SECTIONS.iter().any(|section| section.eq_ignore_ascii_case(tag)) => {
                let text = text.without(0..at).inside("SelectionTree");
                File { text, sections_of: Some(stem), asked }
            }
            Some((at, tag)) if tag.eq_ignore_ascii_case("Block") => {
                File { text: text.without(0..at).inside("Blocks"), sections_of: None, asked }
            }
            _ => File { text, sections_of: None, asked },
        });
    }
    files
}

/// Returns the name of a file without folders and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Declarations of the files of a folder: blocks and trees.
#[derive(Default)]
struct Folder<'a> {
    blocks: Blocks<'a>,
    /// In the order of files.
    trees: Vec<Tree<'a>>,
    files: usize,
    /// True if the requested file is one of the files.
    asked: bool,
}

impl<'a> Folder<'a> {
    /// Finds the declarations of a file.
    fn add(&mut self, session: &mut Session<'_>, file: &'a File, root: Element<'a>) {
        self.files += 1;
        self.asked |= file.asked;
        if let Some(name) = &file.sections_of {
            self.tree(session, file, Candidate { name, element: root, whole: false });
        } else if is(root, "Blocks") {
            only(session, root, &[]);
            self.blocks(session, GLOBAL, root, "the rest of the file is left out");
        } else if is(root, "SelectionTree") {
            self.named(session, file, root);
        } else if is(root, "SelectionTrees") {
            only(session, root, &[]);
            self.several(session, file, root);
        } else {
            let message = format!("the file begins with `{}`, which holds no selection tree", root.name());
            let help = "it is ignored; trees are called `SelectionTree`";
            session.report(codes::IGNORED_ELEMENT, root.name_span(), message, help);
        }
    }

    /// Finds the trees of a file of several.
    fn several(&mut self, session: &mut Session<'_>, file: &'a File, root: Element<'a>) {
        let before = self.trees.len();
        let mut counts = usize::MAX;
        for element in root.children() {
            if let Err(finding) = expect(element, "SelectionTree") {
                forgive(session, *finding, "trees that follow are left out");
                counts = counts.min(self.trees.len());
            } else if !self.named(session, file, element) {
                return self.trees.truncate(before);
            }
        }
        if session.lenient {
            self.trees.truncate(counts);
        }
    }

    /// Finds a tree with a name. Returns false if the file is to be ignored.
    fn named(&mut self, session: &mut Session<'_>, file: &'a File, element: Element<'a>) -> bool {
        match required(element, "name") {
            Ok(name) => {
                let name = name.value();
                self.tree(session, file, Candidate { name, element, whole: true })
            }
            Err(finding) => {
                forgive(session, *finding, NO_TREES);
                !session.lenient
            }
        }
    }

    fn tree(&mut self, session: &mut Session<'_>, file: &'a File, candidate: Candidate<'a>) -> bool {
        let Candidate { name, element, .. } = candidate;
        for blocks in element.children().filter(|child| is(*child, "Blocks")) {
            if !self.blocks(session, name, blocks, NO_TREES) {
                return false;
            }
        }
        self.trees.push(Tree { candidate, file: self.files, asked: file.asked });
        true
    }

    /// Finds blocks. Returns false if the rest of the file is to be ignored; then `then` is the
    /// consequence for the message.
    fn blocks(&mut self, session: &mut Session<'_>, scope: &'a str, blocks: Element<'a>, then: &str) -> bool {
        for block in blocks.children() {
            let Err(finding) = self.blocks.add(scope, block) else { continue };
            forgive(session, *finding, then);
            if session.lenient {
                return false;
            }
        }
        true
    }

    /// Puts the trees in the order in which the engine reads them: the last file first, within a
    /// file in order. In lenient mode, leaves out the trees that the engine leaves out.
    fn order(&mut self, session: &mut Session<'_>, entry: Option<&str>) {
        self.trees.sort_by_key(|tree| core::cmp::Reverse(tree.file));
        if session.lenient {
            self.trees = there::there(session, &self.blocks, &self.trees, entry);
        }
    }

    /// Returns the tree that is asked for: by its name, or by that of the file that
    /// holds it, or else the only one.
    fn choose(&mut self, session: &mut Session<'_>, entry: Option<&str>) -> Option<Candidate<'a>> {
        self.order(session, entry);
        let is_it = |tree: &&Tree<'_>| entry.is_some_and(|it| it.eq_ignore_ascii_case(tree.candidate.name));
        let mut named = self.trees.iter().filter(is_it);
        if let Some(tree) = named.next() {
            named.for_each(|other| twice(session, tree.candidate, other.candidate));
            return Some(tree.candidate);
        }
        let in_file = self.trees.iter().filter(|tree| tree.asked || entry.is_none());
        match in_file.collect::<Vec<_>>()[..] {
            [tree] => Some(tree.candidate),
            _ => {
                self.missing(session, entry);
                None
            }
        }
    }

    fn missing(&self, session: &mut Session<'_>, entry: Option<&str>) {
        let names: Vec<&str> = self.trees.iter().map(|tree| tree.candidate.name).collect();
        let message = match entry {
            Some(entry) => format!("there is no tree `{entry}`"),
            None => format!("there are {} trees: one must be named", names.len()),
        };
        let in_asked = self.trees.iter().filter(|tree| tree.asked).count();
        let code = if self.asked && in_asked == 0 { codes::NOTHING_TO_START } else { codes::TREE_NOT_FOUND };
        let finding = Diagnostic::new(code, None, message);
        let near = entry.and_then(|entry| session.suggestions.closest(entry, names.iter().copied()));
        let all = format!("the trees are {}", names[..names.len().min(20)].join(", "));
        let all = if names.is_empty() { "trees are called `SelectionTree`".to_owned() } else { all };
        session.diagnostics.push(finding.meant(near, all));
    }
}
