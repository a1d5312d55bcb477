//! Forests: names, what they are names of, and attributes.
//!
//! No engine runs by them. But who drives trees by name goes by these rows without further checks.

use super::tables::{name, text};
use super::{Row, Rule, Subject};
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
    sizes.into_iter().try_for_each(|(kind, rows)| subject.small(kind, rows))?;
    attributes(subject)?;
    let mut free = Free { count: view.attributes.len() as u64 };
    faces(subject, &mut free)?;
    forests(subject, &mut free)?;
    trees(subject, &mut free)
}

fn attributes(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, attribute) in subject.view.attributes.iter().enumerate() {
        name(subject, attribute.key, (SectionKind::Attributes, row))?;
        text(subject, attribute.value, (SectionKind::Attributes, row))?;
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
        row: Row,
    ) -> Result<(), ImageError> {
        let (end, left) = (u64::from(first) + u64::from(count), self.count.checked_sub(count.into()));
        self.count = left.unwrap_or(0);
        let free = left.is_some() && end <= subject.view.attributes.len() as u64;
        subject.must(free, Rule::AttributePlace, row, end)
    }
}

fn faces(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let view = &subject.view;
    let must = |hold, row, found| subject.must(hold, Rule::FaceType, (SectionKind::Faces, row), found);
    must(view.faces.is_empty() || view.faces.len() == view.keys.len(), 0, view.faces.len() as u64)?;
    for (row, it) in view.faces.iter().enumerate() {
        let known = match it.role {
            face::PARALLEL => matches!(it.policy, face::ALL_SUCCEED | face::ALL_FAIL),
            face::ACTION => matches!(it.policy, face::SUCCESS | face::FAILURE),
            face::ROOT..=face::CONDITION => it.policy == face::NONE,
            _ => false,
        };
        must(known, row, u64::from(it.role))?;
        if it.role == face::ROOT {
            must(it.name == StrRef::default(), row, it.name.start.into())?;
        } else {
            name(subject, it.name, (SectionKind::Faces, row))?;
        }
        free.claim(subject, (it.attributes, it.count), (SectionKind::Faces, row))?;
    }
    Ok(())
}

fn forests(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let mut end = 0;
    for (row, forest) in subject.view.forests.iter().enumerate() {
        let row = (SectionKind::Forests, row);
        name(subject, forest.name, row)?;
        subject.must(u64::from(forest.first) == end, Rule::ForestTrees, row, forest.first)?;
        end += u64::from(forest.trees);
        free.claim(subject, (forest.attributes, forest.count), row)?;
    }
    let (rows, trees) = (subject.view.forests.len(), subject.view.forest_trees.len() as u64);
    subject.must(end == trees, Rule::ForestTrees, (SectionKind::Forests, rows), trees)
}

fn trees(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let view = &subject.view;
    for (row, tree) in view.forest_trees.iter().enumerate() {
        let row = (SectionKind::ForestTrees, row);
        name(subject, tree.name, row)?;
        let root = view.faces.get((tree.root as usize).wrapping_sub(1));
        let is_root = root.is_some_and(|it| it.role == face::ROOT);
        let found = u64::from(tree.entry) << 32 | u64::from(tree.root);
        subject.must(is_root && (tree.entry as usize) < view.entries.len(), Rule::TreeRoot, row, found)?;
        free.claim(subject, (tree.attributes, tree.count), row)?;
    }
    Ok(())
}
