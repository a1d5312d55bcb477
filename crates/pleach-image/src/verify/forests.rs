//! Forests: names, what they are names of, and attributes.
//!
//! No engine runs by them. But who drives trees by name goes by these rows without further checks.

use super::tables::{bytes, name};
use super::{MAX_ROWS, Rule, Subject};
use crate::error::ImageError;
use crate::format::{SectionKind, StrRef, face};

/// Checks all tables of forests.
pub(super) fn check(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let sizes = [
        (SectionKind::Forests, view.forests.len()),
        (SectionKind::ForestTrees, view.forest_trees.len()),
        (SectionKind::Attributes, view.attributes.len()),
    ];
    if let Some((kind, rows)) = sizes.into_iter().find(|(_, rows)| *rows > MAX_ROWS) {
        return Err(subject.fail(Rule::TableSize, kind, 0, rows as u64));
    }
    attributes(subject)?;
    let mut free = Free { count: view.attributes.len() as u64 };
    faces(subject, &mut free)?;
    forests(subject, &mut free)?;
    trees(subject, &mut free)
}

fn attributes(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, attribute) in subject.view.attributes.iter().enumerate() {
        name(subject, attribute.key, SectionKind::Attributes, row)?;
        bytes(subject, attribute.value, SectionKind::Attributes, row)?;
    }
    Ok(())
}

/// The attributes that nothing has claimed yet: each is of one thing, so that rows cannot multiply them.
struct Free {
    count: u64,
}

impl Free {
    /// Whether some attributes are there and may be those of this row.
    fn claim(
        &mut self,
        subject: &Subject<'_>,
        (first, count): (u32, u32),
        kind: SectionKind,
        row: usize,
    ) -> Result<(), ImageError> {
        let end = u64::from(first) + u64::from(count);
        if end > subject.view.attributes.len() as u64 || u64::from(count) > self.count {
            return Err(subject.fail(Rule::AttributePlace, kind, row, end));
        }
        self.count -= u64::from(count);
        Ok(())
    }
}

fn faces(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let view = &subject.view;
    let fail = |row, found| Err(subject.fail(Rule::FaceType, SectionKind::Faces, row, found));
    if !view.faces.is_empty() && view.faces.len() != view.keys.len() {
        return fail(0, view.faces.len() as u64);
    }
    for (row, it) in view.faces.iter().enumerate() {
        let known = match it.role {
            face::PARALLEL => matches!(it.policy, face::ALL_SUCCEED | face::ALL_FAIL),
            face::ACTION => matches!(it.policy, face::SUCCESS | face::FAILURE),
            face::ROOT..=face::CONDITION => it.policy == face::NONE,
            _ => false,
        };
        if !known {
            return fail(row, it.role.into());
        }
        if it.role != face::ROOT {
            name(subject, it.name, SectionKind::Faces, row)?;
        } else if it.name != StrRef::default() {
            return fail(row, it.name.start.into());
        }
        free.claim(subject, (it.attributes, it.count), SectionKind::Faces, row)?;
    }
    Ok(())
}

fn forests(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let fail = |row, found| Err(subject.fail(Rule::ForestTrees, SectionKind::Forests, row, found));
    let mut end = 0;
    for (row, forest) in subject.view.forests.iter().enumerate() {
        name(subject, forest.name, SectionKind::Forests, row)?;
        if u64::from(forest.first) != end {
            return fail(row, forest.first.into());
        }
        end += u64::from(forest.trees);
        free.claim(subject, (forest.attributes, forest.count), SectionKind::Forests, row)?;
    }
    let (rows, trees) = (subject.view.forests.len(), subject.view.forest_trees.len() as u64);
    if end == trees { Ok(()) } else { fail(rows, trees) }
}

fn trees(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let view = &subject.view;
    for (row, tree) in view.forest_trees.iter().enumerate() {
        name(subject, tree.name, SectionKind::ForestTrees, row)?;
        let root = view.faces.get((tree.root as usize).wrapping_sub(1));
        let is_root = root.is_some_and(|it| it.role == face::ROOT);
        if !is_root || tree.entry as usize >= view.entries.len() {
            let found = u64::from(tree.entry) << 32 | u64::from(tree.root);
            return Err(subject.fail(Rule::TreeRoot, SectionKind::ForestTrees, row, found));
        }
        free.claim(subject, (tree.attributes, tree.count), SectionKind::ForestTrees, row)?;
    }
    Ok(())
}
