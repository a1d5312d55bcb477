//! Comparison of the results of a plan with two programs.

use crate::cell::{Cell, ColumnKind};
use crate::results::Results;
use crate::sweep::Sweep;
use std::ops::Range;

/// Number of standard errors on each side of a mean that make an interval of 95 %.
const HALF_WIDTH: f64 = 1.959_963_984_540_054;

/// Comparison of a metric between two programs. A *pair* is the row of a setting and a seed with
/// one program and with the other. Rows without the metric are in no pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Name of the metric's column.
    pub metric: String,
    /// Number of pairs.
    pub pairs: u64,
    /// Mean with the program of the plan.
    pub mean: f64,
    /// Mean with the other program.
    pub mean_against: f64,
    /// Mean of the differences: that with the program of the plan, less that with the other.
    pub difference: f64,
    /// Interval of 95 % of the difference; `None` for less than two pairs.
    pub interval: Option<(f64, f64)>,
    /// Size of the effect: the difference, divided by the standard deviation of the differences;
    /// `None` if all pairs have the same difference.
    pub effect: Option<f64>,
    /// Share of pairs in which the value with the program of the plan is higher. Pairs with equal
    /// values count half.
    pub higher: f64,
}

impl Comparison {
    /// Names of the columns of a table of comparisons.
    pub const COLUMNS: [&str; 9] =
        ["metric", "pairs", "mean", "mean_against", "difference", "low", "high", "effect", "higher"];

    /// Returns the cells of the row of a table, in the order of [`Self::COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> [Cell; 9] {
        let number = |number: Option<f64>| number.map_or(Cell::Null, Cell::Number);
        let (low, high) = self.interval.unzip();
        [
            Cell::Text(self.metric.clone()),
            Cell::Integer(self.pairs.cast_signed()),
            Cell::Number(self.mean),
            Cell::Number(self.mean_against),
            Cell::Number(self.difference),
            number(low),
            number(high),
            number(self.effect),
            Cell::Number(self.higher),
        ]
    }
}

/// Sums of a metric over pairs.
#[derive(Clone, Debug, Default)]
struct Sums {
    pairs: u64,
    mean: f64,
    mean_against: f64,
    difference: f64,
    /// Sum of the squares of the distances from the mean difference.
    squares: f64,
    /// Twice the number of pairs in which the first value is higher.
    higher: u64,
}

impl Sums {
    fn add(&mut self, value: f64, against: f64) {
        self.pairs += 1;
        let count = self.pairs as f64;
        self.mean += (value - self.mean) / count;
        self.mean_against += (against - self.mean_against) / count;
        let difference = value - against;
        let distance = difference - self.difference;
        self.difference += distance / count;
        self.squares += distance * (difference - self.difference);
        self.higher += if value > against { 2 } else { u64::from(value == against) };
    }

    fn comparison(&self, metric: String) -> Comparison {
        let Self { pairs, mean, mean_against, difference, squares, higher } = *self;
        let count = pairs as f64;
        let deviation = (pairs > 1).then(|| (squares / (count - 1.0)).sqrt());
        let half = deviation.map(|deviation| HALF_WIDTH * deviation / count.sqrt());
        Comparison {
            metric,
            pairs,
            mean,
            mean_against,
            difference,
            interval: half.map(|half| (difference - half, difference + half)),
            effect: deviation.filter(|deviation| *deviation > 0.0).map(|deviation| difference / deviation),
            higher: higher as f64 / (2.0 * count),
        }
    }
}

/// Returns the places of the metrics among the columns.
fn metrics(sweep: &Sweep) -> Range<usize> {
    let columns = sweep.columns();
    let seed = columns.iter().position(|column| column.name == "seed" && column.kind == ColumnKind::Integer);
    seed.map_or(0, |seed| seed + 1)..columns.len().saturating_sub(1)
}

/// Compares the results of a plan with those of the same plan and another program. Metrics without
/// a pair are left out.
///
/// # Errors
/// If the tables have different columns, rows or shards, or a shard of one is missing or damaged.
pub fn compare(results: &Results<'_>, against: &Results<'_>) -> Result<Vec<Comparison>, String> {
    let (sweep, other) = (results.sweep(), against.sweep());
    let size = |sweep: &Sweep| (sweep.plan().rows(), sweep.plan().shard_rows());
    if sweep.columns() != other.columns() || size(sweep) != size(other) {
        let why = "the two tables have different columns, rows or shards: compare programs with one plan";
        return Err(why.to_owned());
    }
    let places = metrics(sweep);
    let mut sums = vec![Sums::default(); places.len()];
    for shard in 0..sweep.plan().shards() {
        let rows = |results: &Results<'_>| {
            if !results.is_done(shard) {
                return Err(format!("shard {shard} is missing in {}", results.path().display()));
            }
            let mut rows = Vec::new();
            results.rows(shard, |row| rows.push(row)).map(|()| rows)
        };
        for (row, other) in rows(results)?.iter().zip(&rows(against)?) {
            if row[..places.start] != other[..places.start] {
                return Err(format!("shard {shard} has other settings or seeds in the two tables"));
            }
            for (sums, place) in sums.iter_mut().zip(places.clone()) {
                if let (Cell::Number(value), Cell::Number(against)) = (&row[place], &other[place]) {
                    sums.add(*value, *against);
                }
            }
        }
    }
    let named = sums.iter().zip(places).filter(|(sums, _)| sums.pairs > 0);
    Ok(named.map(|(sums, place)| sums.comparison(sweep.columns()[place].name.clone())).collect())
}
