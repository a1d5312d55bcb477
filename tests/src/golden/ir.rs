//! Text form of a program's IR.

use super::{named, table, tree};
use pleach_compile::internals::ir::{Enums, Memory, Module, Node};
use pleach_compile::internals::text::Interner;

/// Returns all tables of a module. The pattern names every table, so a new table must be printed
/// here to compile; so the function is longer than others.
pub(crate) fn text(module: &Module) -> String {
    let Module {
        blocks,
        nodes,
        maps,
        rules,
        chains,
        routines,
        statuses,
        exprs,
        imports,
        sites,
        args,
        slots,
        running,
        current,
        resumes,
        interrupt,
        cursor,
        ids,
        tests,
        draws,
        shared,
        texts,
        curves,
        declared,
        enums,
        tunables,
        events,
        limiters,
        gates,
        data,
        logs,
        changes,
        entries,
        forests,
        names,
    } = module;
    let mut out = format!("entries {entries:?}, current {current:?}, resumes {resumes}, draws {draws}\n");
    out += &format!("running {running:?}, interrupt {interrupt:?}, cursor {cursor:?}, changes {changes:?}\n");
    if statuses.is_some() {
        out += &format!("statuses {statuses:?}\n");
    }
    table(&mut out, names, "blocks", blocks);
    tree(&mut out, nodes.iter().map(|it| (node(it, names), it.end)));
    table(&mut out, names, "maps", maps);
    table(&mut out, names, "rules", rules);
    table(&mut out, names, "chains", chains);
    table(&mut out, names, "routines", routines);
    table(&mut out, names, "expressions", exprs);
    table(&mut out, names, "imports", imports);
    table(&mut out, names, "sites", sites);
    table(&mut out, names, "arguments", args);
    table(&mut out, names, "slots", slots);
    table(&mut out, names, "ids", ids);
    table(&mut out, names, "tests", tests);
    table(&mut out, names, "shared variables", shared);
    table(&mut out, names, "texts", texts);
    table(&mut out, names, "curves", curves);
    table(&mut out, names, "declared variables", declared);
    self::enums(&mut out, names, enums);
    table(&mut out, names, "tunables", tunables);
    table(&mut out, names, "events", events);
    table(&mut out, names, "limiters", limiters);
    table(&mut out, names, "gates", gates);
    table(&mut out, names, "data", data);
    table(&mut out, names, "logs", logs);
    super::forests(&mut out, names, forests);
    out
}

fn enums(out: &mut String, names: &Interner, enums: &Enums) {
    table(out, names, "enums", &enums.list);
    table(out, names, "members", &enums.members);
    table(out, names, "values of enums", &enums.typed);
}

fn node(node: &Node, names: &Interner) -> String {
    let Node { kind, memory, end: _, label: (word, subject), span: _ } = node;
    let mut text = format!("{word:?}");
    if let Some(subject) = subject {
        text += &format!(" {subject:?}");
    }
    text += &format!(" = {kind:?}");
    if *memory != Memory::None {
        text += &format!(", {memory:?}");
    }
    named(&text, names)
}
