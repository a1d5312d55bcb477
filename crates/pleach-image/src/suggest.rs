//! "Did you mean": the nearest of the names that there are.

use alloc::{vec, vec::Vec};

/// The candidate that is spelled most like `name`, if one is near enough: one edit for every three letters, at least
/// one. Case does not count as an edit. The first of equally near ones.
#[must_use]
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let limit = (name.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > limit || name.len() > 64 {
            continue;
        }
        let distance = distance(name.as_bytes(), candidate.to_ascii_lowercase().as_bytes());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edits that turn one into the other: insert, delete, replace, swap neighbours.
fn distance(first: &[u8], second: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=second.len()).collect();
    for (i, a) in first.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in second.iter().enumerate() {
            let replace = last[j] + usize::from(a != b);
            let mut least = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == second[j - 1] && first[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = core::mem::replace(&mut last, row);
    }
    last[second.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_near_names_and_no_far_ones() {
        let names = ["moveTo", "moveToGoal", "roam", "heal"];
        assert_eq!(closest("movTo", names), Some("moveTo"));
        assert_eq!(closest("MOVETO", names), Some("moveTo"));
        assert_eq!(closest("hael", names), Some("heal"));
        assert_eq!(closest("teleport", names), None);
    }
}
