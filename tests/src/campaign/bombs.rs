//! Bombs: inputs whose cost is out of proportion to their size. The forms and their
//! axes are in [`crate::bombs`].

use super::{Campaign, Finding, Run};
use crate::bombs::probe::{Prober, instructions};
use crate::bombs::{Case, Ladder, alone, attacks, climb, is_suspicious, judged, measured_again, pairs};
use std::io;

pub(super) const BOMBS: Campaign = Campaign {
    name: "bombs",
    about: "every list, name, nesting, reference and number of each form of input grown, alone and in pairs, within limits",
    unit: "axes and pairs",
    goal: 5_000,
    short: u64::MAX,
    resumes: None,
    run: bombs,
};

/// Limits up to which a case is grown and counted.
struct Scale {
    /// Maximum size of an input in bytes.
    most: usize,
    /// Maximum processor time, in microseconds, of a probe whose instructions are counted.
    /// Callgrind takes about 50 times as long.
    effort: u64,
}

/// Scale of the short form, which grows axes alone and the pairs of attacks.
const SHORT: Scale = Scale { most: 100_000, effort: 100_000 };
/// Scale of axes in the short form whose cost grew out of proportion in large inputs.
const LARGE: Scale = Scale { most: 1_000_000, effort: 1_000_000 };
/// Scale of axes alone in the long form. Inputs of this size go beyond the limits of an image.
const ALONE: Scale = Scale { most: 3_000_000, effort: 400_000 };
/// Scale of pairs. Most pairs are grown to 2,000 times 2,000 parts in inputs of this size, which is
/// beyond the limits of copies.
const PAIR: Scale = Scale { most: 300_000, effort: 200_000 };
/// Number of cases of the long form that one process counts, and whose findings are printed
/// together.
const BATCH: usize = 512;
/// Number of times that processor times which look out of proportion are measured again.
const REPETITIONS: usize = 3;

/// Returns how far a case is grown.
fn scale(run: &Run, case: &Case) -> &'static Scale {
    match case.axes.len() {
        _ if run.is_short() && case.is_large() => &LARGE,
        _ if run.is_short() => &SHORT,
        1 => &ALONE,
        _ => &PAIR,
    }
}

/// Grows all axes alone; in the short form also the pairs of attacks, in the long form all
/// pairs. Goes on after a finding.
fn bombs(run: &mut Run) -> Result<(), Finding> {
    let cases: Vec<Case> = if run.is_short() {
        // The tests of the command have the others.
        alone().into_iter().filter(|case| !case.needs_command()).chain(attacks()).collect()
    } else {
        alone().into_iter().chain(pairs()).collect()
    };
    let (mut prober, mut found, mut counted) = (Prober::new(&run.program), Vec::new(), 0);
    let size = if run.is_short() { cases.len() } else { BATCH };
    for batch in cases.chunks(size) {
        if run.case().is_none() {
            break;
        }
        let (told, instructions) = tried(&mut prober, run, batch).map_err(|error| error.to_string())?;
        if !run.is_short() {
            told.iter().for_each(|line| println!("{line}"));
        }
        found.extend(told);
        counted += instructions;
    }
    run.told = format!("{} of {} cases, {counted} with instructions", run.executions, cases.len());
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Grows some cases, up to the one that is under way when the run is to end. Returns the findings
/// in words, and the number of cases whose instructions were counted.
fn tried(prober: &mut Prober, run: &mut Run, cases: &[Case]) -> io::Result<(Vec<String>, usize)> {
    let mut ladders = Vec::new();
    for case in cases {
        if run.is_late() {
            break;
        }
        let most = scale(run, case).most;
        let mut ladder = climb(prober, case, most)?;
        for _ in 0..REPETITIONS {
            if is_suspicious(&ladder) {
                measured_again(prober, case, &mut ladder, most)?;
            }
        }
        ladders.push(ladder);
        run.executions += 1;
    }
    let counted = count(run, cases, &mut ladders)?;
    let told = cases.iter().zip(&ladders).filter_map(|(case, ladder)| Some((case, judged(ladder)?)));
    Ok((told.map(|(case, why)| format!("{}: {why}", case.name())).collect(), counted))
}

/// Counts the instructions of each ladder that has no finding and whose processor time is
/// suspicious. Counts on the last rung that takes little enough processor time, and on the rung
/// before. Returns the number of these ladders.
fn count(run: &Run, cases: &[Case], ladders: &mut [Ladder]) -> io::Result<usize> {
    let (mut costs, mut probes) = (Vec::new(), Vec::new());
    for (case, ladder) in cases.iter().zip(ladders) {
        if judged(ladder).is_some() || !is_suspicious(ladder) {
            continue;
        }
        let most = scale(run, case).effort;
        if let Some(at) = ladder.rungs.iter().rposition(|rung| rung.twice.effort <= most) {
            let first = at.saturating_sub(1);
            let sizes = ladder.rungs[first..=at]
                .iter_mut()
                .flat_map(|rung| [(rung.n, &mut rung.once), (2 * rung.n, &mut rung.twice)]);
            for (n, cost) in std::iter::once((1, &mut ladder.least)).chain(sizes) {
                probes.push((case, n));
                costs.push(cost);
            }
        }
    }
    if probes.is_empty() {
        return Ok(0);
    }
    // No input is longer than one that was tried.
    let counts = instructions(&run.program, &probes, usize::MAX)?.unwrap_or_default();
    let cases = probes.iter().zip(&counts).filter(|((_, n), _)| *n == 1).count();
    costs.into_iter().zip(counts).for_each(|(cost, counted)| cost.instructions = counted);
    Ok(cases)
}
