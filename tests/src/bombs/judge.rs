//! Checks that costs grow in proportion to the size of the input.

use super::Case;
use super::probe::{Answer, Cost, Prober};
use std::io;

/// Tolerance for growth that is not in proportion: if the input grows to 2 times its size, the
/// cost may grow to 2.5 times.
const SLACK: f64 = 1.25;
/// Tolerance for steps. A cost can grow in steps: a list doubles its memory, and code that is too
/// long for one block is split into more blocks. So growth that is out of proportion is allowed if
/// the cost for each byte of the input is at most this many times the cost on the rung before,
/// whose input is a tenth. A cost that keeps growing out of proportion exceeds this factor.
const STEP: f64 = 2.0;
/// Number of bytes by which an input exceeds the smallest one if it has more things. Longer numbers
/// take fewer bytes.
const THINGS: u64 = 64;
/// Smallest growth, in bytes of memory, that is judged.
const BYTES: f64 = 262_144.0;
/// Smallest growth in instructions that is judged.
const INSTRUCTIONS: f64 = 5_000_000.0;
/// Smallest growth in microseconds that is judged.
const EFFORT: f64 = 300.0;
/// Number of rungs. The sizes go up to 2 billion, the most that a number can hold.
const RUNGS: u32 = 9;

/// Costs of a size and of twice the size.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The size.
    pub n: usize,
    /// The cost of this size.
    pub once: Cost,
    /// The cost of twice the size.
    pub twice: Cost,
}

/// The costs of a case.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The cost of size 1.
    pub least: Cost,
    /// The rungs, from the smallest size on.
    pub rungs: Vec<Growth>,
    /// The size that ended the process, and the message with which it ended.
    pub ended: Option<(usize, String)>,
}

/// Measures a case at sizes 1, 10, 20, 100, 200 and so on, as long as its
/// input has at most `most` bytes.
///
/// # Errors
/// If the process for probes cannot be started.
pub fn climb(prober: &mut Prober, case: &Case, most: usize) -> io::Result<Ladder> {
    let mut ladder = Ladder { least: Cost::default(), rungs: Vec::new(), ended: None };
    let rungs = (1..=RUNGS).map(|rung| 10_usize.pow(rung)).flat_map(|n| [n, 2 * n]);
    let sizes: Vec<usize> = std::iter::once(1).chain(rungs).collect();
    let answers = prober.costs(case, &sizes, most)?;
    let mut once = None;
    for (n, answer) in sizes.into_iter().zip(answers) {
        let cost = match answer {
            Answer::TooLong => break,
            Answer::Ended(how) => {
                ladder.ended = Some((n, how));
                break;
            }
            Answer::Cost(cost) => cost,
        };
        match once.take() {
            _ if n == 1 => ladder.least = cost,
            None => once = Some(cost),
            Some(once) => ladder.rungs.push(Growth { n: n / 2, once, twice: cost }),
        }
    }
    Ok(ladder)
}

/// Returns a description of a cost that is out of proportion, if there is one.
#[must_use]
pub fn judged(ladder: &Ladder) -> Option<String> {
    if let Some((n, how)) = &ladder.ended {
        return Some(format!("size {n}: {how}"));
    }
    let told = |what: &str, (Growth { n, once, twice }, [before, after]): (&Growth, [f64; 2])| {
        let sizes = format!("size {n} → {}, input {} → {}", 2 * n, once.input, twice.input);
        format!("{sizes}: {what} {before:.0} → {after:.0}")
    };
    let found = [
        grown(ladder, |cost| cost.peak, BYTES).map(|grown| told("bytes at the peak", grown)),
        grown(ladder, |cost| cost.total, BYTES).map(|grown| told("bytes in total", grown)),
        grown(ladder, |cost| cost.instructions, INSTRUCTIONS).map(|grown| told("instructions", grown)),
    ];
    let found: Vec<_> = found.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// Returns true if the processor time of the last rung is out of proportion. That is no verdict,
/// since a clock is not to be trusted, but a reason to count instructions.
#[must_use]
pub fn is_suspicious(ladder: &Ladder) -> bool {
    grown(ladder, |cost| cost.effort, EFFORT).is_some()
}

/// Measures the last rung again, and keeps the smaller processor time of each size, because other
/// work of the processor hardly disturbs both measurements.
///
/// # Errors
/// If the process for probes cannot be started.
pub fn measured_again(prober: &mut Prober, case: &Case, ladder: &mut Ladder, most: usize) -> io::Result<()> {
    let Some(Growth { n, once, twice }) = ladder.rungs.last_mut() else { return Ok(()) };
    let answers = prober.costs(case, &[1, *n, 2 * *n], most)?;
    for (answer, cost) in answers.into_iter().zip([&mut ladder.least, once, twice]) {
        if let Answer::Cost(again) = answer {
            cost.effort = cost.effort.min(again.effort);
        }
    }
    Ok(())
}

/// Returns the last rung that has a cost of this kind, with the costs of its size and of twice
/// its size. Returns `None` if the cost has not grown by more than the input and the tolerance, if
/// it has grown in a step, or if it is no more than the cost of the least size.
fn grown(ladder: &Ladder, of: fn(&Cost) -> u64, floor: f64) -> Option<(&Growth, [f64; 2])> {
    let at = ladder.rungs.iter().rposition(|rung| of(&rung.twice) > 0)?;
    let rung @ Growth { once, twice, .. } = &ladder.rungs[at];
    // The cost of the smallest input is a fixed part at every size, unless it is
    // more than this input costs.
    let fixed = Some(of(&ladder.least)).filter(|least| *least < of(once)).unwrap_or(0);
    let growing = |cost: &Cost| of(cost).saturating_sub(fixed) as f64;
    let [before, after] = [once, twice].map(growing);
    let of_a_byte = |cost: &Cost| growing(cost) / cost.input as f64;
    let is_step =
        ladder.rungs[..at].last().is_some_and(|rung| of_a_byte(twice) <= STEP * of_a_byte(&rung.twice));
    let is_more = of(twice) > of(&ladder.least);
    let allowed = SLACK * growth_of_input(ladder, rung) * before + floor;
    (is_more && after > allowed && !is_step).then_some((rung, [before, after]))
}

/// Returns the growth of the input as a factor. The bytes of the smallest input are a fixed part at
/// every size, unless this input has hardly more, as one whose size is a number in it.
fn growth_of_input(ladder: &Ladder, Growth { once, twice, .. }: &Growth) -> f64 {
    let least = ladder.least.input;
    let fixed = if once.input >= least + THINGS { least } else { 0 };
    let [before, after] = [once, twice].map(|cost| cost.input.saturating_sub(fixed) as f64);
    after / before
}
