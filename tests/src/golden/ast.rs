//! Text form of a file's AST.

use super::{named, table, tree};
use pleach_compile::internals::ast::{File, Node};
use pleach_compile::internals::text::Interner;

/// Returns all tables of a file.
pub(super) fn text(file: &File, names: &Interner) -> String {
    let File {
        trees,
        nodes,
        args,
        exprs,
        variables,
        enums,
        tunables,
        members,
        typed,
        events,
        ids,
        entries,
        routines,
        calls,
        statuses,
        forests,
    } = file;
    let mut out = format!("entries {entries:?}\n");
    if statuses.is_some() {
        out += &format!("statuses {statuses:?}\n");
    }
    for tree in trees {
        let name = names.text(tree.name);
        out += &format!("{:?} {name} = node {}\n", tree.role, tree.root);
    }
    tree(&mut out, nodes.iter().map(|it| (node(it, names), it.end)));
    table(&mut out, names, "arguments", args);
    table(&mut out, names, "expressions", exprs);
    table(&mut out, names, "variables", variables);
    table(&mut out, names, "enums", enums);
    table(&mut out, names, "members", members);
    table(&mut out, names, "values of enums", typed);
    table(&mut out, names, "tunables", tunables);
    table(&mut out, names, "events", events);
    table(&mut out, names, "ids", ids);
    table(&mut out, names, "routines", routines);
    table(&mut out, names, "calls", calls);
    super::forests(&mut out, names, forests);
    out
}

fn node(node: &Node, names: &Interner) -> String {
    let Node { keyword, subject, args: (first, count), condition, end: _, span } = *node;
    let mut text = names.text(keyword).into_owned();
    if let Some(subject) = subject {
        text += &format!(" {}", names.text(subject));
    }
    if count > 0 {
        text += &format!(" (arguments {first}..{})", first + count);
    }
    if let Some(condition) = condition {
        text += &format!(" (condition {condition})");
    }
    named(&format!("{text} @{}..{}", span.start, span.end), names)
}
