//! Existence of trees in a folder, if errors are forgiven as the engine forgives them.
//!
//! The engine reads the trees of a file one after the other, up to the first one with an error. Of
//! that one a part may exist; the trees after it do not exist. So to find out if a tree exists,
//! those before it in its file must be read. Their errors are not reported, because these trees
//! were not requested.

use super::found::Tree;
use super::tree::is_right;
use super::{Blocks, Candidate, Diagnostic, Session, attribute, codes, forgive, twice};
use hashbrown::HashMap;

/// Most that all trees may cost which are read beside the one that is asked for, or all trees of a
/// folder that is checked. The largest folder, of 16 MiB, comes to a third of it without copies.
pub(super) const MOST_WORK: u64 = 1 << 25;

/// Returns the found trees that exist, in the order in which the engine reads them. Reports only
/// findings about trees that the entry may mean.
pub(super) fn there<'a>(
    session: &mut Session<'_>,
    blocks: &Blocks<'a>,
    found: &[Tree<'a>],
    entry: Option<&str>,
) -> Vec<Tree<'a>> {
    let (mut there, mut untyped) = (Vec::new(), Vec::new());
    let mut names: HashMap<String, Candidate<'_>> = HashMap::new();
    let (mut ended, mut left) = (None::<Tree<'_>>, MOST_WORK);
    for (index, tree) in found.iter().enumerate() {
        let Candidate { name, element, whole } = tree.candidate;
        let is_asked = tree.asked || entry.is_none_or(|entry| entry.eq_ignore_ascii_case(name));
        if let Some(wrong) = ended.filter(|ended| ended.file == tree.file) {
            if is_asked {
                behind(session, tree.candidate, wrong.candidate);
            }
            continue;
        }
        let first = names.get(&name.to_ascii_lowercase()).copied();
        let typed = !whole || attribute(element, "type").is_some();
        match first {
            Some(first) if is_asked => twice(session, first, tree.candidate),
            Some(_) => {}
            None if typed => {
                names.insert(name.to_ascii_lowercase(), tree.candidate);
                there.push(*tree);
            }
            None => untyped.push(*tree),
        }
        let matters = found.get(index + 1).is_some_and(|next| next.file == tree.file);
        let right =
            first.is_none() && typed && (!matters || reads(session, blocks, tree.candidate, &mut left));
        ended = Some(*tree).filter(|_| !right);
    }
    // A tree without a type does not exist, but reading it gives the best message.
    untyped.retain(|tree| !names.contains_key(&tree.candidate.name.to_ascii_lowercase()));
    there.extend(untyped);
    there
}

/// Tells whether a tree is right, as long as there is anything left of the budget for all trees.
fn reads<'a>(session: &mut Session<'_>, blocks: &Blocks<'a>, tree: Candidate<'a>, left: &mut u64) -> bool {
    if *left == 0 {
        return false;
    }
    let (right, work) = is_right(session, blocks, tree);
    spend(session, tree, work, left);
    right
}

/// Takes the cost of a tree out of the budget for all trees. Reports that nothing is left.
pub(super) fn spend(session: &mut Session<'_>, tree: Candidate<'_>, work: u64, left: &mut u64) {
    *left = left.saturating_sub(work);
    if *left == 0 {
        let message =
            format!("with this tree, the trees come to {MOST_WORK} pieces; the others are left out");
        let help = "blocks that refer to each other multiply";
        session.report(codes::TOO_MANY_COPIES, tree.element.name_span(), message, help);
    }
}

/// Reports that a tree does not exist, because a tree before it in its file has an error.
fn behind(session: &mut Session<'_>, tree: Candidate<'_>, wrong: Candidate<'_>) {
    let message = format!("the tree `{}`, before `{}` in its file, is not right", wrong.name, tree.name);
    let finding = Diagnostic::new(codes::FORGIVEN, wrong.element.name_span(), message);
    let finding = finding.help(format!("ask for `{}` to see what is wrong with it", wrong.name));
    forgive(session, finding.related(tree.element.name_span(), "left out"), "what follows is left out");
}
