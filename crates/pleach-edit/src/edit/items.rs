//! Declarations that come, change and go.

use super::moves::whole_lines;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Document, Item, ItemKind, Range};
use crate::project::heading_end;

/// Returns the position of a kind in the usual order of declarations.
fn rank(kind: ItemKind) -> u32 {
    match kind {
        ItemKind::Include => 0,
        ItemKind::Enum => 1,
        ItemKind::Constant => 2,
        ItemKind::Tunable | ItemKind::AgentTunable => 3,
        ItemKind::Action => 4,
        ItemKind::Query => 5,
        ItemKind::WorldVariable => 6,
        ItemKind::GroupVariable => 7,
        ItemKind::Variable => 8,
        ItemKind::Handler => 9,
        ItemKind::Tree => 10,
    }
}

/// Returns the kind of the one declaration that a text is.
fn kind(text: &str) -> Result<ItemKind, Refusal> {
    match Document::new("", text.into()).items() {
        [] => refused("a declaration begins with a word such as `action`, `var` or `tree`"),
        [item] => Ok(item.kind),
        _ => refused("the text is more than one declaration"),
    }
}

fn item<'p>(place: Place<'p>, index: usize) -> Result<&'p Item, Refusal> {
    match place.document.items().get(index) {
        Some(item) => Ok(item),
        None => refused("there is no such declaration"),
    }
}

fn whole(place: Place<'_>, item: &Item) -> Range {
    place.document.with_comments((item.start, item.end))
}

pub(super) fn add(place: Place<'_>, text: &str) -> Result<Vec<Replacement>, Refusal> {
    let text = text.trim();
    let kind = kind(text)?;
    let items = place.document.items();
    let same = items.iter().rfind(|item| item.kind == kind);
    let before = same.or_else(|| items.iter().rfind(|item| rank(item.kind) < rank(kind)));
    if let Some(item) = before {
        let is_close = item.kind == kind && !matches!(kind, ItemKind::Tree | ItemKind::Handler);
        let gap = if is_close { "\n" } else { "\n\n" };
        return Ok(vec![Replacement::insert(whole(place, item).1, format!("{gap}{text}"))]);
    }
    let Some(first) = items.first() else {
        let end = place.document.text().len() as u32;
        return Ok(vec![Replacement::insert(end, format!("{text}\n"))]);
    };
    Ok(vec![Replacement::insert(whole(place, first).0, format!("{text}\n\n"))])
}

pub(super) fn change(place: Place<'_>, index: usize, text: &str) -> Result<Vec<Replacement>, Refusal> {
    let item = item(place, index)?;
    Ok(vec![Replacement::new(place.document.heading(item), text.trim())])
}

pub(super) fn delete(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let range = whole(place, item(place, index)?);
    Ok(vec![Replacement::remove(whole_lines(place, range))])
}

impl Document {
    /// Returns the place of a declaration; of a tree, only the part before its block.
    #[must_use]
    pub fn heading(&self, item: &Item) -> Range {
        let is_tree = item.kind == ItemKind::Tree;
        (item.start, if is_tree { heading_end(self, item) } else { item.end })
    }
}
