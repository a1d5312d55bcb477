//! Gain of each shortcut of the engines: a tree is linked with all shortcuts and with all
//! but one, and measured in turns.

use crate::linking::with_shortcuts;
use crate::measure::Runner;
use crate::system::Named;
use pleach::{Shortcut, Shortcuts};

/// A system for one engine, made anew for each set of shortcuts.
pub type Make<'a> = &'a dyn Fn() -> Named;

/// Cost of leaving out one shortcut: the ratio of two tick times.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// The shortcut that is left out.
    pub shortcut: Shortcut,
    /// Time without the shortcut, divided by the time with all.
    pub ratio: f64,
}

/// Measures a system with all shortcuts, and without each of these: nanoseconds of an agent's
/// tick with all, and the ratios.
#[must_use]
pub fn worths(
    make: Make<'_>,
    shortcuts: &[Shortcut],
    measure: impl FnOnce(Vec<Named>) -> Vec<Runner>,
) -> (f64, Vec<Worth>) {
    let all = core::iter::once(Shortcuts::ALL);
    let sets = all.chain(shortcuts.iter().map(|shortcut| Shortcuts::ALL.without(*shortcut)));
    let runners = measure(sets.map(|set| with_shortcuts(set, make)).collect());
    let with_all = runners[0].nanos();
    let worth = |(shortcut, without): (&Shortcut, &Runner)| Worth {
        shortcut: *shortcut,
        ratio: without.nanos() / with_all,
    };
    (with_all, shortcuts.iter().zip(&runners[1..]).map(worth).collect())
}

/// Gains of all shortcuts on one tree.
#[derive(Clone, Debug)]
pub struct Gains {
    /// Name of the tree, which is the heading of its column.
    pub tree: String,
    /// Gains in the order of [`Shortcut::ALL`].
    pub worths: Vec<Worth>,
}

/// Least gain that a table shows in bold.
const WORTH_KEEPING: f64 = 1.1;

/// Returns a Markdown table with a row for each shortcut and a column for each tree.
#[must_use]
pub fn table(trees: &[Gains]) -> String {
    let head = trees.iter().map(|gains| format!(" {} |", gains.tree));
    let mut table =
        format!("| shortcut |{}\n|---|{}\n", head.collect::<String>(), "---|".repeat(trees.len()));
    for shortcut in Shortcut::ALL {
        let of_tree = |gains: &Gains| gains.worths.iter().find(|worth| worth.shortcut == shortcut).copied();
        let cells = trees.iter().map(|gains| match of_tree(gains) {
            None => " |".to_owned(),
            Some(Worth { ratio, .. }) if ratio >= WORTH_KEEPING => format!(" **{ratio:.2}** |"),
            Some(Worth { ratio, .. }) => format!(" {ratio:.2} |"),
        });
        table += &format!("| `{shortcut:?}` |{}\n", cells.collect::<String>());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Gains, Worth, table};
    use pleach::Shortcut;

    #[test]
    fn a_table_has_a_column_for_each_tree() {
        let gains = |tree: &str, ratio| {
            let worth = |shortcut| Worth { shortcut, ratio };
            Gains { tree: tree.to_owned(), worths: Shortcut::ALL.map(worth).into() }
        };
        let table = table(&[gains("guard", 1.101), gains("attack", 0.996)]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[..2], ["| shortcut | guard | attack |", "|---|---|---|"]);
        assert_eq!(lines[2], format!("| `{:?}` | **1.10** | 1.00 |", Shortcut::ALL[0]));
        assert_eq!(lines.len(), 2 + Shortcut::ALL.len());
    }
}
