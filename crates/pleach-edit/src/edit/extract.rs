//! Trees out of nodes: `extract`.

use super::rename::check_name;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Item, ItemKind, Range, Space};
use crate::project::Type;

pub(super) fn extract(place: Place<'_>, index: usize, name: &str) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let item = &place.document.items()[node.item as usize];
    if item.kind != ItemKind::Tree {
        return refused("only nodes of a tree can become a tree");
    }
    place.takes_any_node(node)?;
    check_name(name)?;
    if place.project.has(place.file, &Space::Tree, name) {
        return refused(format!("there is a tree `{name}` already"));
    }
    let body = (node.word, node.end);
    let names = locals_within(place, item, body);
    let params = listed(names.iter().map(|(name, ty)| format!("{name}: {ty}")));
    let arguments = listed(names.iter().map(|(name, _)| name.to_string()));
    let new = format!("\n\ntree {name}{params}\n{{\n\t{}\n}}", place.slice(body));
    let (_, end) = place.document.with_comments((item.start, item.end));
    Ok(vec![Replacement::new(body, format!("use {name}{arguments}")), Replacement::insert(end, new)])
}

/// Returns a list in parentheses; nothing if it is empty.
fn listed(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) }
}

/// Returns the parameters and variables of a tree that are mentioned in a range, with their types
/// as parameters.
fn locals_within(place: Place<'_>, item: &Item, (start, end): Range) -> Vec<(Box<str>, Box<str>)> {
    let Some(file) = place.project.file(place.file) else { return Vec::new() };
    let first = file.mentions().partition_point(|mention| mention.range.0 < start);
    let within = file.mentions()[first..].iter().take_while(|mention| mention.range.1 <= end);
    let mut names: Vec<(Box<str>, Box<str>)> = Vec::new();
    for mention in within.filter(|mention| matches!(mention.space, Space::Local(_))) {
        let is = |name: Range| place.slice(name) == &*mention.name;
        let local = item.locals.iter().rev().find(|local| is(local.name)).map(|local| local.ty);
        let param = || item.parts.iter().find(|param| is(param.name)).map(|param| param.detail);
        let Some(ty) = local.or_else(param) else { continue };
        if !names.iter().any(|(known, _)| *known == mention.name) {
            let ty = Type::named(place.slice(ty)).word().into();
            names.push((mention.name.clone(), ty));
        }
    }
    names
}
