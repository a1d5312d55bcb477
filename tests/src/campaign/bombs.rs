//! Bombs: inputs whose cost is out of proportion to their size. The forms and their axes are in [`crate::bombs`].

use super::{Campaign, Finding, Run};
use crate::bombs::probe::{Prober, instructions};
use crate::bombs::{Case, Ladder, alone, climb, is_suspicious, judged, measured_again, pairs};
use std::io;

pub(super) const BOMBS: Campaign = Campaign {
    name: "bombs",
    about: "every list, name, nesting, reference and number of each form of input grown, alone and in pairs, within limits",
    unit: "axes and pairs",
    goal: 5_000,
    short: u64::MAX,
    resumes: false,
    run: bombs,
};

/// Bytes of an input at most, in the short form and in the long one.
const MOST_SHORT: usize = 100_000;
const MOST: usize = 3_000_000;
/// Microseconds of processor time of a probe whose instructions are counted, in the short form and in the long one. Callgrind
/// takes about 50 times as long.
const EFFORT_SHORT: u64 = 10_000;
const EFFORT: u64 = 1_000_000;
/// So many cases of the long form are counted by one process, and told together.
const BATCH: usize = 8;

/// Grows all axes alone; in the long form also all pairs, and up to larger inputs. Goes on after a finding.
fn bombs(run: &mut Run) -> Result<(), Finding> {
    let cases: Vec<Case> = if run.is_short() {
        // The tests of the command have the others.
        alone().into_iter().filter(|case| !case.needs_command()).collect()
    } else {
        alone().into_iter().chain(pairs()).collect()
    };
    let (mut prober, mut found) = (Prober::new(&run.program), Vec::new());
    let (mut grown, mut counted) = (0, 0);
    let size = if run.is_short() { cases.len() } else { BATCH };
    if run.is_short() {
        run.end = cases.len() as u64;
    }
    while let Some(first) = run.case() {
        let first = first as usize % cases.len();
        let batch = &cases[first..cases.len().min(first + size)];
        run.next += batch.len() as u64 - 1;
        let (told, instructions) = tried(&mut prober, run, batch).map_err(|error| error.to_string())?;
        if !run.is_short() {
            told.iter().for_each(|line| println!("{line}"));
        }
        found.extend(told);
        grown += batch.len();
        counted += instructions;
    }
    run.told = format!("{grown} of {} cases, {counted} with instructions", cases.len());
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Grows some cases; what is out of proportion, case by case, and of how many instructions were counted.
fn tried(prober: &mut Prober, run: &mut Run, cases: &[Case]) -> io::Result<(Vec<String>, usize)> {
    let (mut ladders, most) = (Vec::new(), if run.is_short() { MOST_SHORT } else { MOST });
    for case in cases {
        let mut ladder = climb(prober, case, most)?;
        if is_suspicious(&ladder) {
            measured_again(prober, case, &mut ladder, most)?;
        }
        ladders.push(ladder);
        run.executions += 1;
    }
    let counted = count(run, cases, &mut ladders)?;
    let told = cases.iter().zip(&ladders).filter_map(|(case, ladder)| Some((case, judged(ladder)?)));
    Ok((told.map(|(case, why)| format!("{}: {why}", case.name())).collect(), counted))
}

/// Counts the instructions of the last rung of each ladder whose processor time is suspicious and that nothing else speaks
/// against. How many those were.
fn count(run: &Run, cases: &[Case], ladders: &mut [Ladder]) -> io::Result<usize> {
    let (mut rungs, mut probes) = (Vec::new(), Vec::new());
    let most = if run.is_short() { EFFORT_SHORT } else { EFFORT };
    for (case, ladder) in cases.iter().zip(ladders) {
        let worth = judged(ladder).is_none() && is_suspicious(ladder);
        if let Some(rung) = ladder.rungs.last_mut().filter(|rung| worth && rung.twice.effort <= most) {
            probes.extend([1, rung.n, 2 * rung.n].map(|n| (case, n)));
            rungs.push((&mut ladder.least, rung));
        }
    }
    let counts = instructions(&run.program, &probes, MOST)?.unwrap_or_default();
    for ((least, rung), counted) in rungs.into_iter().zip(counts.chunks_exact(3)) {
        least.instructions = counted[0];
        rung.once.instructions = counted[1];
        rung.twice.instructions = counted[2];
    }
    Ok(counts.len() / 3)
}
