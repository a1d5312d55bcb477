//! Places of nodes in a drawing: a tidy tree from left to right.
//!
//! Each leaf has a row and each depth a column. A node stands in the middle between its first and
//! its last child. So no two nodes overlap, rows have the order of the source, and long words have
//! room.

use crate::Node;

/// Place of a node: its column, and its row in halves of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) column: usize,
    pub(super) half_row: usize,
}

/// Returns the places of nodes, and the number of rows. Each node comes after its parent.
pub(super) fn layout(nodes: &[Node]) -> (Vec<Place>, usize) {
    let mut places = vec![Place { column: 0, half_row: 0 }; nodes.len()];
    let mut is_parent = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            places[index].column = places[parent].column + 1;
            is_parent[parent] = true;
        }
    }
    let mut rows = 0;
    for (place, _) in places.iter_mut().zip(&is_parent).filter(|(_, is_parent)| !**is_parent) {
        place.half_row = rows * 2;
        rows += 1;
    }
    // Children have their rows before their parents, so from the last to the first.
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
    for index in (0..nodes.len()).rev() {
        if let Some((first, last)) = spans[index] {
            places[index].half_row = usize::midpoint(first, last);
        }
        if let Some(parent) = nodes[index].parent {
            let row = places[index].half_row;
            let span = spans[parent].get_or_insert((row, row));
            *span = (span.0.min(row), span.1.max(row));
        }
    }
    (places, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_stand_between_their_children() {
        let (places, rows) = layout(&crate::sample());
        let at = |column, half_row| Place { column, half_row };
        assert_eq!(places, [at(0, 1), at(1, 1), at(2, 0), at(2, 2), at(0, 4)]);
        assert_eq!(rows, 3);
    }
}
