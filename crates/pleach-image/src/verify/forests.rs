//! Forests: names, their trees and entries, and attributes.
//!
//! No engine reads these rows. But code that selects trees by name uses them without further
//! checks.

use super::tables::{name, text};
use super::{Row, Rule, Subject};
use crate::error::ImageError;
use crate::format::{SectionKind, StrRef, face};

/// Checks all tables of forests.
pub(super) fn check(subject: &Subject<'_>) -> Result<(), ImageError> {
    attributes(subject)?;
    let mut free = Free { count: subject.view.attributes.len() as u64 };
    faces(subject, &mut free)?;
    forests(subject, &mut free)?;
    trees(subject, &mut free)
}

fn attributes(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Attributes, subject.view.attributes, |row, attribute| {
        name(subject, attribute.key, row)?;
        text(subject, attribute.value, row).map(drop)
    })
}

/// Number of attributes that no row has claimed yet. Each attribute belongs to one row, so rows
/// cannot multiply attributes.
struct Free {
    count: u64,
}

impl Free {
    /// Claims a range of attributes for a row. Fails if the range is out of bounds, or more
    /// attributes are claimed than exist.
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
    let must = |hold, row, found: u32| subject.must(hold, Rule::FaceType, row, found);
    let whole = view.faces.is_empty() || view.faces.len() == view.keys.len();
    must(whole, (SectionKind::Faces, 0), view.faces.len() as u32)?;
    subject.each(SectionKind::Faces, view.faces, |row, it| {
        let known = match it.role {
            face::PARALLEL => matches!(it.policy, face::ALL_SUCCEED | face::ALL_FAIL),
            face::ACTION => matches!(it.policy, face::SUCCESS | face::FAILURE),
            face::ROOT..=face::CONDITION => it.policy == face::NONE,
            _ => false,
        };
        must(known, row, it.role.into())?;
        if it.role == face::ROOT {
            must(it.name == StrRef::default(), row, it.name.start)?;
        } else {
            name(subject, it.name, row)?;
        }
        free.claim(subject, (it.attributes, it.count), row)
    })
}

fn forests(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let mut end = 0;
    subject.each(SectionKind::Forests, subject.view.forests, |row, forest| {
        name(subject, forest.name, row)?;
        subject.must(u64::from(forest.first) == end, Rule::ForestTrees, row, forest.first)?;
        end += u64::from(forest.trees);
        free.claim(subject, (forest.attributes, forest.count), row)
    })?;
    let (rows, trees) = (subject.view.forests.len(), subject.view.forest_trees.len() as u64);
    subject.must(end == trees, Rule::ForestTrees, (SectionKind::Forests, rows), trees)
}

fn trees(subject: &Subject<'_>, free: &mut Free) -> Result<(), ImageError> {
    let view = &subject.view;
    subject.each(SectionKind::ForestTrees, view.forest_trees, |row, tree| {
        name(subject, tree.name, row)?;
        let root = view.faces.get((tree.root as usize).wrapping_sub(1));
        let is_root = root.is_some_and(|it| it.role == face::ROOT);
        subject.must(is_root, Rule::TreeRoot, row, tree.root)?;
        subject.must((tree.entry as usize) < view.entries.len(), Rule::TreeRoot, row, tree.entry)?;
        free.claim(subject, (tree.attributes, tree.count), row)
    })
}
