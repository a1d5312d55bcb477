//! Suggestions of similar names ("did you mean").

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::cell::Cell;
use core::fmt;

/// Maximum number of pairs of letters that are compared for all suggestions of one [`Suggestions`].
const MOST_STEPS: u64 = 5_000_000;

/// Number of pairs of letters that reading a candidate counts as.
const STEPS_OF_CANDIDATE: usize = 16;
/// Number of pairs of letters that passing over a candidate counts as.
const STEPS_OF_NONE: usize = 4;

/// Length of the longest name that gets a suggestion, in bytes.
const MOST_LETTERS: usize = 64;

/// Maximum number of names that [`KnownNames`] lists.
const MOST_LISTED: usize = 8;

/// Maximum number of pairs of letters that are compared for one [`KnownNames`]. It suffices for
/// about a thousand short names.
const MOST_STEPS_OF_LIST: u64 = 100_000;

/// Suggestions with a common budget.
///
/// Every unknown name is compared with every known one. So a text with many of both would take time
/// proportional to their product. When the budget is used up, there are no more suggestions. The
/// budget suffices for about sixty unknown names among a thousand known ones.
#[derive(Debug)]
pub struct Suggestions {
    steps: Cell<u64>,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { steps: Cell::new(MOST_STEPS) }
    }
}

impl Suggestions {
    /// Returns the candidate that is spelled most like `name`, if it is near enough. At most one
    /// edit is allowed for every three letters, but at least one edit. Case does not count as an
    /// edit. Of equally near candidates, returns the first.
    ///
    /// Returns `None` if the budget is used up before the last candidate. Candidates after that
    /// point are not looked at. A candidate that is `None` is passed over; it costs little of the
    /// budget, but something.
    pub fn closest<'a>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = impl Into<Option<&'a str>>>,
    ) -> Option<&'a str> {
        if name.len() > MOST_LETTERS || self.steps.get() == 0 {
            return None;
        }
        let limit = (name.len() / 3).max(1);
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            let Some(candidate) = candidate.into() else {
                self.spend(STEPS_OF_NONE)?;
                continue;
            };
            let comparable = candidate.len().abs_diff(name.len()) <= limit;
            let pairs = if comparable { name.len() * candidate.len() } else { 0 };
            self.spend(STEPS_OF_CANDIDATE + pairs)?;
            if !comparable {
                continue;
            }
            let distance = distance(name.as_bytes(), candidate.as_bytes());
            if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// Returns the rest of the budget: the number of times that a letter of a wrong name may still
    /// be compared to a letter of a known one. At 0, nothing is suggested any more.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.steps.get()
    }

    fn spend(&self, steps: usize) -> Option<()> {
        let left = self.steps.get().checked_sub(steps as u64);
        self.steps.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}

/// Returns the candidate that is spelled most like `name`, like [`Suggestions::closest`] with a
/// full budget.
#[must_use]
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Suggestions::default().closest(name, candidates)
}

/// Returns the end of an error about an unknown name: "; did you mean `a`?", or an empty text if no
/// name is near.
#[must_use]
pub fn hint(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Known names, for the error about an unknown name.
///
/// The nearest name comes first, if one is near enough. The other names follow in their order. The
/// list has at most 8 names. A host may ask for the same unknown name in every tick, so the
/// comparison has a small budget. If the budget is used up, the names are listed in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownNames {
    /// The names.
    pub names: Vec<String>,
    /// Number of names that are left out.
    pub more: usize,
}

impl KnownNames {
    /// Lists the candidates for an unknown name.
    #[must_use]
    pub fn near<'a>(name: &str, candidates: impl ExactSizeIterator<Item = &'a str> + Clone) -> Self {
        let suggestions = Suggestions { steps: Cell::new(MOST_STEPS_OF_LIST) };
        let nearest = suggestions.closest(name, candidates.clone());
        let count = candidates.len();
        let others = candidates.filter(|candidate| Some(*candidate) != nearest);
        let names: Vec<_> = nearest.into_iter().chain(others).take(MOST_LISTED).map(str::to_owned).collect();
        let more = count - names.len();
        Self { names, more }
    }
}

/// Writes "it has `a`, `b` and 7 more".
impl fmt::Display for KnownNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("it has ")?;
        for (index, name) in self.names.iter().enumerate() {
            write!(out, "{}`{name}`", if index > 0 { ", " } else { "" })?;
        }
        match (self.names.is_empty(), self.more) {
            (true, _) => out.write_str("none"),
            (false, 0) => Ok(()),
            (false, more) => write!(out, " and {more} more"),
        }
    }
}

/// Returns the number of edits that turn one name into the other. An edit inserts, deletes or
/// replaces a letter, or swaps two neighbors. Case makes no difference.
///
/// The shorter rows are those of `name`, which has at most [`MOST_LETTERS`] bytes: three rows of a
/// fixed length serve every candidate, and nothing is allocated.
fn distance(name: &[u8], candidate: &[u8]) -> usize {
    let mut rows = [[0_usize; MOST_LETTERS + 1]; 3];
    let [before, last, row] = &mut rows;
    let (mut before, mut last, mut row) = (before, last, row);
    (0..=name.len()).for_each(|j| last[j] = j);
    for (i, a) in candidate.iter().enumerate() {
        row[0] = i + 1;
        for (j, b) in name.iter().enumerate() {
            let replace = last[j] + usize::from(!a.eq_ignore_ascii_case(b));
            let mut least = replace.min(last[j + 1] + 1).min(row[j] + 1);
            let swaps = i > 0
                && j > 0
                && a.eq_ignore_ascii_case(&name[j - 1])
                && candidate[i - 1].eq_ignore_ascii_case(b);
            if swaps {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        (before, last, row) = (last, row, before);
    }
    last[name.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;
    use super::{Cell, KnownNames, MOST_LETTERS, MOST_STEPS, MOST_STEPS_OF_LIST, Suggestions, closest, hint};
    use alloc::string::ToString;

    #[test]
    fn finds_near_names_and_no_far_ones() {
        let names = ["moveTo", "moveToGoal", "roam", "heal"];
        assert_eq!(closest("movTo", names), Some("moveTo"));
        assert_eq!(closest("MOVETO", names), Some("moveTo"));
        assert_eq!(closest("hael", names), Some("heal"));
        assert_eq!(closest("teleport", names), None);
        assert_eq!(hint(closest("movTo", names)), "; did you mean `moveTo`?");
        assert_eq!(hint(closest("teleport", names)), "");
    }

    #[test]
    fn an_edit_is_a_letter_or_two_neighbors() {
        let edits = |name: &str, candidate: &str| distance(name.as_bytes(), candidate.as_bytes());
        assert_eq!((edits("", ""), edits("", "abc"), edits("abc", "")), (0, 3, 3));
        assert_eq!((edits("heal", "HEAL"), edits("heal", "hael"), edits("heal", "HAEL")), (0, 1, 1));
        assert_eq!((edits("roam", "roams"), edits("roams", "ram"), edits("move", "shoot")), (1, 2, 4));
        let (long, longer) = ("x".repeat(MOST_LETTERS), "x".repeat(MOST_LETTERS + MOST_LETTERS / 3));
        assert_eq!(edits(&long, &longer), MOST_LETTERS / 3);
    }

    #[test]
    fn known_names_are_few_and_the_nearest_is_first() {
        let near = |name, names: &[&str]| KnownNames::near(name, names.iter().copied()).to_string();
        assert_eq!(near("roma", &["heal", "roam"]), "it has `roam`, `heal`");
        assert_eq!(near("fly", &["heal", "roam"]), "it has `heal`, `roam`");
        assert_eq!(near("fly", &[]), "it has none");
        let many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "roam"];
        assert_eq!(near("roma", &many), "it has `roam`, `a`, `b`, `c`, `d`, `e`, `f`, `g` and 2 more");
    }

    #[test]
    fn known_names_cost_little() {
        let looked = Cell::new(0_u64);
        let names = ["mxve"; 1_000_000].iter().map(|name| {
            looked.set(looked.get() + 1);
            *name
        });
        assert_eq!(KnownNames::near("move", names).names.len(), 8);
        assert!(looked.get() * 16 <= MOST_STEPS_OF_LIST + 1_000, "{}", looked.get());
    }

    #[test]
    fn suggestions_end_with_their_budget() {
        let suggestions = Suggestions::default();
        let looked = Cell::new(0_u64);
        let ask = || {
            let names = ["mxve"; 1000].into_iter().inspect(|_| looked.set(looked.get() + 1));
            suggestions.closest("move", names.chain(["moves"]))
        };
        assert_eq!(ask(), Some("mxve"));
        let asked = (0..10_000).map_while(|_| ask()).count() as u64;
        assert!(asked > 50 && asked * 16_000 <= MOST_STEPS, "{asked}");
        let before = looked.get();
        assert_eq!((0..10_000).find_map(|_| ask()), None);
        assert_eq!((suggestions.left(), looked.get()), (0, before));
    }
}
