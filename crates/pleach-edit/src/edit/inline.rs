//! The node of a tree in the place of its `use`: `inline`.

use super::arguments::places;
use super::rename::can_be_local;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Access, Context, ItemKind, Range, Space};
use crate::project::MAX_BYTES;
use crate::tokens::tokens;
use pleach_compile::internals::language::Keyword;

pub(super) fn inline(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let Some(subject) = node.subject.filter(|_| node.kind == Keyword::Use) else {
        return refused("only a `use` can be replaced by the node of its tree");
    };
    let name = place.slice(subject);
    let files = place.project.scope(place.file);
    let tree = files.filter_map(|file| place.project.file(file)).find_map(|file| {
        let document = file.document();
        let is = |item: &&crate::Item| {
            item.kind == ItemKind::Tree && item.name.is_some_and(|range| document.slice(range) == name)
        };
        Some((file, document.items().iter().find(is)?))
    });
    let Some((file, tree)) = tree else { return refused(format!("there is no tree `{name}`")) };
    if !tree.locals.is_empty() {
        return refused(format!("the tree `{name}` has variables, and each use has its own"));
    }
    let document = file.document();
    let Some(root) = document.nodes().get(tree.nodes.0 as usize).filter(|_| !tree.is_broken) else {
        return refused(format!("the tree `{name}` has errors"));
    };
    let arguments = places(place.document, node);
    if arguments.len() != tree.parts.len() {
        return refused(format!("the tree `{name}` has {} parameters", tree.parts.len()));
    }
    let body = (root.word, root.end);
    let first = file.mentions().partition_point(|mention| mention.range.0 < body.0);
    let (mut list, mut size) = (Vec::new(), 0);
    for mention in file.mentions()[first..].iter().take_while(|mention| mention.range.1 <= body.1) {
        let is = |range: Range| document.slice(range) == &*mention.name;
        let param = tree.parts.iter().position(|param| is(param.name));
        let param = param.filter(|_| matches!(mention.space, Space::Local(_)));
        let hides = |local: Range| place.slice(local) == &*mention.name;
        if let Some(param) = param {
            let range = (mention.range.0 - body.0, mention.range.1 - body.0);
            let (argument, is_word) = operand(place.slice(arguments[param]));
            let name = &mention.name;
            if mention.context == Some(Context::Qualifier) && !is_word {
                return refused(format!("a part of `{name}` is read, and its argument has no name"));
            }
            if mention.access == Access::Writes && !is_word {
                return refused(format!("`{name}` is set, and its argument is no name of a variable"));
            }
            // Each mention of a parameter gets a copy of the argument.
            size += argument.len();
            if size > MAX_BYTES {
                return refused("the text would be too long");
            }
            list.push(Replacement::new(range, argument));
        } else if can_be_local(mention) && place.document.locals_at(node.word).any(hides) {
            return refused(format!("`{}` is another name in this tree", mention.name));
        }
    }
    let text = crate::replaced(document.slice(body), &list);
    Ok(vec![Replacement::new((node.word, node.end), text)])
}

/// Returns an argument as an operand: in parentheses, if it is more than one word or number. The
/// flag is true if it needs none.
fn operand(text: &str) -> (String, bool) {
    if tokens(text).len() > 1 { (format!("({text})"), false) } else { (text.to_owned(), true) }
}
