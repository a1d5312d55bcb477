//! Changes of texts, as data.

use crate::document::Range;
use std::collections::BTreeMap;

/// Bytes of a text, and the text that takes their place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replacement {
    /// Bytes that are replaced; empty if text is only inserted.
    pub range: Range,
    /// New text.
    pub text: String,
}

impl Replacement {
    /// Returns the insertion of a text before a byte.
    #[must_use]
    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { range: (at, at), text: text.into() }
    }

    /// Returns the removal of a range.
    #[must_use]
    pub fn remove(range: Range) -> Self {
        Self { range, text: String::new() }
    }

    /// Returns a replacement.
    #[must_use]
    pub fn new(range: Range, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Returns the replacement of a text without bytes at its ends that stay as they are.
    #[must_use]
    pub fn trimmed(mut self, text: &str) -> Self {
        let old = &text[self.range.0 as usize..self.range.1 as usize];
        let same = |(a, b): &(char, char)| a == b;
        let front: usize =
            old.chars().zip(self.text.chars()).take_while(same).map(|(it, _)| it.len_utf8()).sum();
        let (old, new) = (&old[front..], &self.text[front..]);
        let back = old.chars().rev().zip(new.chars().rev()).take_while(same);
        let back: usize = back.map(|(it, _)| it.len_utf8()).sum();
        self.text = new[..new.len() - back].to_owned();
        self.range = (self.range.0 + front as u32, self.range.1 - back as u32);
        self
    }
}

/// Returns replacements in their order, without bytes that stay as they are.
pub(crate) fn smallest(replacements: Vec<Replacement>, text: &str) -> Vec<Replacement> {
    let mut replacements = replacements;
    replacements.sort_by_key(|it| it.range);
    let trimmed = replacements.into_iter().map(|it| it.trimmed(text));
    trimmed.filter(|it| it.range.0 < it.range.1 || !it.text.is_empty()).collect()
}

/// Returns a text with replacements, which are in order and do not overlap.
#[must_use]
pub fn replaced(text: &str, replacements: &[Replacement]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut from = 0;
    for Replacement { range: (start, end), text: piece } in replacements {
        new += &text[from..*start as usize];
        new += piece;
        from = *end as usize;
    }
    new + &text[from..]
}

/// Returns the replacements that give the old text back.
fn inverse(text: &str, replacements: &[Replacement]) -> Vec<Replacement> {
    let mut shift = 0_i64;
    let mut back = Vec::with_capacity(replacements.len());
    for Replacement { range: (start, end), text: piece } in replacements {
        let first = (i64::from(*start) + shift) as u32;
        let old = &text[*start as usize..*end as usize];
        back.push(Replacement::new((first, first + piece.len() as u32), old));
        shift += piece.len() as i64 - old.len() as i64;
    }
    back
}

/// Piece of a changed text.
#[derive(Clone, Debug)]
enum Piece {
    /// Bytes of the old text.
    Old(u32, u32),
    New(String),
}

impl Piece {
    fn len(&self) -> u32 {
        match self {
            Self::Old(start, end) => end - start,
            Self::New(text) => text.len() as u32,
        }
    }

    /// Returns the piece from one of its bytes to another.
    fn part(&self, from: u32, to: u32) -> Self {
        match self {
            Self::Old(start, _) => Self::Old(start + from, start + to),
            Self::New(text) => Self::New(text[from as usize..to as usize].to_owned()),
        }
    }
}

/// Returns the replacements that have the effect of two lists one after the other.
pub(crate) fn joined(text: &str, first: &[Replacement], second: &[Replacement]) -> Vec<Replacement> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    for Replacement { range: (start, end), text } in first {
        pieces.extend([Piece::Old(from, *start), Piece::New(text.clone())]);
        from = *end;
    }
    pieces.push(Piece::Old(from, text.len() as u32));
    let mut parts: Vec<Piece> = Vec::new();
    let (mut second, mut at) = (second.iter().peekable(), 0);
    for piece in pieces {
        let (mut from, end) = (0, at + piece.len());
        while let Some(Replacement { range, text }) = second.peek() {
            if range.0 >= end && !(range.0 == end && range.1 == end) {
                break;
            }
            let start = range.0.max(at + from) - at;
            if range.0 >= at + from {
                parts.extend([piece.part(from, start), Piece::New(text.clone())]);
            }
            from = (range.1.min(end) - at).max(from);
            if range.1 > end {
                break;
            }
            second.next();
        }
        parts.push(piece.part(from.min(piece.len()), piece.len()));
        at = end;
    }
    gathered(parts, text)
}

/// Returns the replacements between the pieces of the old text.
fn gathered(parts: Vec<Piece>, text: &str) -> Vec<Replacement> {
    let (mut list, mut from, mut new) = (Vec::new(), 0, String::new());
    for part in parts.into_iter().chain([Piece::Old(text.len() as u32, text.len() as u32)]) {
        match part {
            Piece::New(text) => new += &text,
            Piece::Old(start, end) if start < end || start as usize == text.len() => {
                list.push(Replacement::new((from, start), core::mem::take(&mut new)));
                from = end;
            }
            Piece::Old(..) => {}
        }
    }
    smallest(list, text)
}

/// Change of the files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// By file, the replacements in their order. They do not overlap.
    pub files: BTreeMap<Box<str>, Vec<Replacement>>,
}

impl Change {
    /// Returns the change of one file.
    #[must_use]
    pub fn of(file: &str, replacements: Vec<Replacement>) -> Self {
        Self { files: BTreeMap::from([(file.into(), replacements)]) }
    }

    /// Returns changes as one. A change that touches bytes of an earlier change is left out.
    pub(crate) fn union(changes: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        // Bytes that are replaced: the last one by file and first one.
        let mut taken: BTreeMap<(Box<str>, u32), u32> = BTreeMap::new();
        for change in changes {
            let ranges = change.files.iter();
            let mut ranges = ranges.flat_map(|(file, list)| list.iter().map(move |it| (&**file, it.range)));
            let is_taken = |(file, (start, end)): (&str, Range)| {
                let file: Box<str> = file.into();
                let before = taken.range((file.clone(), 0)..(file, end.max(start + 1))).next_back();
                before.is_some_and(|((_, first), last)| *first >= start || *last > start)
            };
            if ranges.any(is_taken) {
                continue;
            }
            for (file, list) in change.files {
                for it in &list {
                    let last = taken.entry((file.clone(), it.range.0)).or_default();
                    *last = it.range.1.max(*last);
                }
                all.files.entry(file).or_default().extend(list);
            }
        }
        all.files.values_mut().for_each(|list| list.sort_by_key(|it| it.range));
        all
    }

    /// Returns true if nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.values().all(Vec::is_empty)
    }

    /// Returns the project with the change.
    #[must_use]
    pub fn applied(&self, project: &crate::Project) -> crate::Project {
        let mut changed = project.clone();
        for (file, replacements) in &self.files {
            changed.set(file, replaced(project.text(file), replacements).into());
        }
        changed
    }

    /// Returns the change that gives back the files of a project after this change.
    #[must_use]
    pub fn inverse(&self, project: &crate::Project) -> Self {
        let files = self.files.iter();
        let back =
            files.map(|(file, replacements)| (file.clone(), inverse(project.text(file), replacements)));
        Self { files: back.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{Arbitrary, Gen};

    /// Returns random replacements of a text.
    fn random(chance: &mut Gen, text: &str) -> Vec<Replacement> {
        let mut list = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let start = at + usize::arbitrary(chance) % 4;
            let end = start + usize::arbitrary(chance) % 3;
            if end <= text.len() && bool::arbitrary(chance) {
                let new = "xyz"[..usize::arbitrary(chance) % 4].to_owned();
                list.push(Replacement::new((start as u32, end as u32), new));
            }
            at = end + 1;
        }
        list
    }

    #[test]
    fn joined_changes_have_the_effect_of_both() {
        let mut chance = Gen::from_size_and_seed(10, 3);
        for _ in 0..5_000 {
            let text = "abcdefghijklmnop"[..usize::arbitrary(&mut chance) % 17].to_owned();
            let first = random(&mut chance, &text);
            let once = replaced(&text, &first);
            let second = random(&mut chance, &once);
            let both = joined(&text, &first, &second);
            let twice = replaced(&once, &second);
            assert_eq!(replaced(&text, &both), twice, "{text} {first:?} {second:?}");
            assert!(both.windows(2).all(|pair| pair[0].range.1 <= pair[1].range.0), "{both:?}");
            assert_eq!(replaced(&twice, &inverse(&text, &both)), text);
        }
    }

    #[test]
    fn bytes_that_stay_are_in_no_replacement() {
        let list = vec![Replacement::new((1, 4), "b\u{e4}d"), Replacement::new((5, 6), "f")];
        assert_eq!(smallest(list, "abcdef"), [Replacement::new((2, 3), "\u{e4}")]);
        let whole = |old: &str, new| Replacement::new((0, old.len() as u32), new).trimmed(old);
        assert_eq!(whole("abcd", "abXd"), Replacement::new((2, 3), "X"));
        assert_eq!(whole("", "ab"), Replacement::new((0, 0), "ab"));
        assert_eq!(whole("aa", "aaa"), Replacement::new((2, 2), "a"));
        assert_eq!(whole("\u{e4}b", "\u{e5}b"), Replacement::new((0, 2), "\u{e5}"));
    }
}
