//! The rows of forests, and what nodes are from outside.

use super::{Kind, Module, Parts, StrRef, Strings, Sym};
use crate::forest::{Face, Forest, Forests, Role, Tree};
use pleach_image::format::{AttributeRow, FaceRow, ForestRow, ForestTreeRow};

/// Returns all names that hosts look up.
pub(super) fn names(forests: &Forests) -> impl Iterator<Item = Sym> {
    let keys = forests.attributes.iter().map(|(key, _)| *key);
    let forest = forests.forests.iter().map(|forest| forest.name);
    forest.chain(forests.trees.iter().map(|tree| tree.name)).chain(keys)
}

/// Adds the rows.
pub(super) fn add(module: &Module, strings: &mut Strings, parts: &mut Parts) {
    let Forests { forests, trees, nodes, attributes } = &module.forests;
    for &Forest { name, trees: (first, trees), attributes: (attributes, count) } in forests {
        let name = strings.name(name);
        parts.forests.push(ForestRow { name, first, trees, attributes, count });
    }
    for &Tree { name, entry, attributes: (attributes, count) } in trees {
        let root = module.blocks[module.entries[entry as usize] as usize].root + 1;
        let name = strings.name(name);
        parts.forest_trees.push(ForestTreeRow { name, entry, root, attributes, count });
    }
    debug_assert!(nodes.is_empty() || nodes.len() == module.nodes.len());
    debug_assert!(
        nodes
            .iter()
            .zip(&module.nodes)
            .all(|(face, node)| { (face.role == Role::Root) == matches!(node.kind, Kind::Tree) })
    );
    parts.faces.extend(nodes.iter().map(|face| face_row(face, strings)));
    parts.attributes.extend(
        attributes
            .iter()
            .map(|(key, value)| AttributeRow { key: strings.name(*key), value: strings.sym(*value) }),
    );
}

fn face_row(face: &Face, strings: &mut Strings) -> FaceRow {
    let (attributes, count) = face.attributes;
    let name = face.name.map_or(StrRef::default(), |name| strings.name(name));
    FaceRow { name, role: face.role as u16, policy: face.policy as u16, attributes, count }
}
