//! Tables of an image about forests, as the driver looks them up.
//!
//! Rows stay as they are in the image, and names where they are in its strings, so nothing is
//! copied name by name: rows may share names.

use crate::values::SharedText;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::format::{AttributeRow, FaceRow, ForestRow, ForestTreeRow, SectionKind, StrRef, face};

/// The forests of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForestTable {
    pub(crate) forests: Vec<ForestRow>,
    pub(crate) trees: Vec<ForestTreeRow>,
    pub(crate) faces: Vec<FaceRow>,
    attributes: Vec<AttributeRow>,
    /// For each tree, the forest that it is of.
    forest_of: Vec<u32>,
    /// For each tree, the face behind its last.
    ends: Vec<u32>,
    strings: Arc<[u8]>,
}

impl ForestTable {
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        if image.forests().is_empty() {
            return Self::default();
        }
        let len = u32::try_from(image.section_bytes(SectionKind::Strings)).unwrap_or(u32::MAX);
        let forests = image.forests().to_vec();
        let forest_of = (0..).zip(&forests).flat_map(|(index, it)| (0..it.trees).map(move |_| index));
        // For each node, where the next root is.
        let (mut ends, mut next) = (vec![0; image.faces().len()], image.faces().len() as u32);
        for (at, row) in image.faces().iter().enumerate().rev() {
            ends[at] = next;
            if row.role == face::ROOT {
                next = at as u32;
            }
        }
        Self {
            forest_of: forest_of.collect(),
            ends: image.forest_trees().iter().map(|tree| ends[tree.root as usize - 1]).collect(),
            forests,
            trees: image.forest_trees().to_vec(),
            faces: image.faces().to_vec(),
            attributes: image.attributes().to_vec(),
            strings: image.text(StrRef { start: 0, len }).into(),
        }
    }

    /// A name. The verifier has seen that it is one.
    pub(crate) fn name(&self, name: StrRef) -> &str {
        core::str::from_utf8(self.bytes(name)).unwrap_or_default()
    }

    fn bytes(&self, text: StrRef) -> &[u8] {
        self.strings.get(text.start as usize..).and_then(|it| it.get(..text.len as usize)).unwrap_or_default()
    }

    /// Returns the forest that a tree is of.
    pub(crate) fn forest_of(&self, tree: usize) -> usize {
        self.forest_of[tree] as usize
    }

    /// Returns the trees of a forest.
    pub(crate) fn trees_of(&self, forest: usize) -> core::ops::Range<usize> {
        let row = self.forests[forest];
        row.first as usize..(row.first + row.trees) as usize
    }

    /// Returns the faces of a tree's nodes, the root first.
    pub(crate) fn nodes(&self, tree: usize) -> &[FaceRow] {
        &self.faces[self.trees[tree].root as usize - 1..self.ends[tree] as usize]
    }

    /// Returns the index of a node in its tree, by the id that it has in the image.
    pub(crate) fn index(&self, tree: usize, id: u32) -> u32 {
        id.wrapping_sub(self.trees[tree].root)
    }

    /// Returns the name of a node: that of a root is the tree's.
    pub(crate) fn node_name(&self, tree: usize, node: u32) -> Option<&str> {
        match self.nodes(tree).get(node as usize)? {
            row if row.role == face::ROOT => Some(self.name(self.trees[tree].name)),
            row => Some(self.name(row.name)),
        }
    }

    /// Keys and values; of those with the same key, the first counts.
    pub(crate) fn attributes(&self, first: u32, count: u32) -> impl Iterator<Item = (&str, SharedText)> {
        let rows = &self.attributes[first as usize..(first + count) as usize];
        let value = |StrRef { start, len }: StrRef| {
            SharedText::new(&self.strings, start as usize..start as usize + len as usize)
        };
        rows.iter().map(move |row| (self.name(row.key), value(row.value)))
    }

    /// Returns the forest of this name.
    pub(crate) fn forest(&self, name: &str) -> Option<usize> {
        self.forests.iter().position(|row| self.name(row.name) == name)
    }

    /// Returns the tree of this name in a forest.
    pub(crate) fn tree(&self, forest: usize, name: &str) -> Option<usize> {
        self.trees_of(forest).find(|tree| self.name(self.trees[*tree].name) == name)
    }
}
