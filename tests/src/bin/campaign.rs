//! `campaign NAME... --hours H`: runs campaigns for a time, and appends their results to the
//! ledger.
//!
//! `all` stands for all campaigns, `fuzz` for all targets of the fuzzer. The hours are divided
//! among the campaigns. A finding is printed, its bytes are kept beside the fuzzer's artifacts, and
//! the command ends with exit code 1. `campaign mutation verifier` and `campaign mutation engines
//! 200 1` test the tests.

use pleach_tests::bombs::probe;
use pleach_tests::campaign::ledger::{self, Line};
use pleach_tests::campaign::mutation::{self, Judged};
use pleach_tests::campaign::{CAMPAIGNS, Finding, Run, TARGETS, fuzz, heed_interrupts, is_interrupted};
use pleach_tests::counting::Counting;
use pleach_tests::random::check::deep;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Exit code after Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    #[cfg(pleach_planted)]
    if let Some(ended) = planted::main() {
        return ended;
    }
    #[cfg(not(pleach_planted))]
    if std::env::args().nth(1).is_some_and(|name| name.starts_with("planted")) {
        return with_holes();
    }
    if let Some(ended) = mutation().or_else(probe::main) {
        return ended;
    }
    let Some((names, time)) = arguments() else {
        eprintln!("usage: campaign NAME... --hours H\n  all  each of these, and of the fuzzer's targets");
        CAMPAIGNS.iter().for_each(|it| eprintln!("  {}  {}", it.name, it.about));
        TARGETS.iter().for_each(|(target, _)| eprintln!("  fuzz-{target}"));
        return ExitCode::from(2);
    };
    if let Err(why) = heed_interrupts(INTERRUPTED.into()) {
        eprintln!("no signal can be heeded: {why}");
    }
    let each = time / names.len() as u32;
    let mut found = false;
    for name in names.into_iter().take_while(|_| !is_interrupted()) {
        match tried(&name, each) {
            Ok(findings) => found |= findings > 0,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(if is_interrupted() { INTERRUPTED } else { found.into() })
}

/// Returns the names of the campaigns in the ledger, and their time.
fn arguments() -> Option<(Vec<String>, Duration)> {
    let (mut names, mut time) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let targets = TARGETS.iter().map(|(target, _)| format!("fuzz {target}"));
        match argument.as_str() {
            "--hours" => {
                time = Duration::try_from_secs_f64(arguments.next()?.parse::<f64>().ok()? * 3600.0).ok()
            }
            "all" => names.extend(CAMPAIGNS.iter().map(|it| it.name.to_owned()).chain(targets)),
            "fuzz" => names.extend(targets),
            name => names.push(known(name)?),
        }
    }
    Some((names, time?)).filter(|(names, _)| !names.is_empty())
}

fn known(name: &str) -> Option<String> {
    let campaign = CAMPAIGNS.iter().find(|it| it.name == name).map(|it| it.name.to_owned());
    let target =
        || name.strip_prefix("fuzz-").filter(|name| TARGETS.iter().any(|(target, _)| target == name));
    campaign.or_else(|| target().map(|target| format!("fuzz {target}")))
}

/// Runs `campaign mutation PART`: the tests on changed code. Returns the exit code, or `None` for
/// another command.
fn mutation() -> Option<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ["mutation", part, more @ ..] = &arguments[..] else { return None };
    let start = Instant::now();
    let written = mutation::mutation(part, more).map_err(std::io::Error::other).and_then(|judged| {
        let Judged { killed, missed, unviable } = judged;
        let words = format!("{killed} killed; {unviable} more were no programs");
        let (date, name, code) = (ledger::today(), format!("mutation {part}"), ledger::code()?);
        let (seconds, executions) = (start.elapsed().as_secs(), killed + missed);
        ledger::append(&Line { date, name, code, seconds, executions, findings: missed, words })?;
        Ok(missed)
    });
    Some(match written {
        Ok(missed) => ExitCode::from(u8::from(missed > 0)),
        Err(error) => {
            eprintln!("{part}: {error}");
            ExitCode::from(2)
        }
    })
}

/// Runs a campaign and writes its line. Returns the number of findings.
fn tried(name: &str, time: Duration) -> std::io::Result<u64> {
    let (code, start) = (ledger::code()?, Instant::now());
    let campaign = CAMPAIGNS.iter().find(|it| it.name == name);
    let generators = match campaign {
        Some(campaign) => campaign.resumes.map(|generators| generators()),
        None => Some(String::new()),
    };
    let first = match &generators {
        Some(generators) => ledger::executions(&ledger::lines()?, name, generators),
        None => 0,
    };
    let mut run = Run::long(first, time);
    println!("{name}: from {first} on, for {} s", time.as_secs());
    let result = match name.strip_prefix("fuzz ") {
        Some(target) => fuzz(target, time, &mut run),
        None => deep(|| campaign.map_or(Ok(()), |it| (it.run)(&mut run))),
    };
    let Run { executions, told, .. } = run;
    let words = result.as_ref().map_or_else(|finding| finding.what.clone(), |()| told);
    let line = Line {
        date: ledger::today(),
        name: name.to_owned(),
        code,
        seconds: start.elapsed().as_secs(),
        executions,
        findings: result.is_err().into(),
        words: format!("{}{words}", generators.unwrap_or_default()),
    };
    println!("{name}: {executions} in {} s, {} findings; {}", line.seconds, line.findings, line.words);
    if let Err(Finding { input: Some(bytes), .. }) = &result {
        println!("its bytes: {}", keep(name, bytes)?);
    }
    ledger::append(&line)?;
    Ok(line.findings)
}

/// Keeps the bytes of a finding.
fn keep(name: &str, bytes: &[u8]) -> std::io::Result<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/artifacts/campaign");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name.replace(' ', "-"));
    std::fs::write(&path, bytes)?;
    Ok(path.display().to_string())
}

/// Runs this command in a build with planted bugs.
#[cfg(not(pleach_planted))]
fn with_holes() -> ExitCode {
    let mut cargo = std::process::Command::new("cargo");
    cargo.args([
        "run",
        "--quiet",
        "-p",
        "pleach-tests",
        "--bin",
        "campaign",
        "--target-dir",
        "target/planted",
        "--",
    ]);
    cargo.args(std::env::args().skip(1)).env("RUSTFLAGS", "--cfg pleach_planted");
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    match cargo.status() {
        Ok(status) => ExitCode::from(status.code().map_or(2, |code| code as u8)),
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::from(2)
        }
    }
}

/// `campaign planted`: looks, for each rule, for an input that harms a verifier without the rule.
/// Only in builds with `--cfg pleach_planted`.
#[cfg(pleach_planted)]
mod planted {
    use super::{Line, ledger};
    use pleach::planted::Bug;
    use pleach_image::verify::Rule;
    use pleach_tests::campaign::planted::{WAYS, alone, apart, timed};
    use pleach_tests::campaign::planted_engine;
    use pleach_tests::random::check::deep;
    use std::process::ExitCode;
    use std::time::Instant;

    /// Returns the exit code, or `None` for another command.
    pub(super) fn main() -> Option<ExitCode> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match arguments[..] {
            ["--planted", code, way] => {
                let rule = Rule::ALL.iter().find(|rule| rule.code() == code)?;
                let mut run = timed();
                let result = deep(|| alone(*rule, way, &mut run));
                let what = result.as_ref().err().map_or("", |finding| &finding.what);
                println!("{} {}", run.executions, what.replace('\n', " "));
                Some(ExitCode::from(u8::from(result.is_err())))
            }
            ["planted-engine"] => Some(engine(&Bug::ALL)),
            ["planted-engine", bug] => {
                let bug = Bug::ALL.into_iter().find(|known| format!("{known:?}") == bug)?;
                Some(engine(&[bug]))
            }
            ["planted"] => Some(Rule::ALL.iter().try_for_each(|rule| each(*rule)).map_or_else(
                |error| {
                    eprintln!("{error}");
                    ExitCode::from(2)
                },
                |()| ExitCode::SUCCESS,
            )),
            _ => None,
        }
    }

    /// Looks for bugs in the engines, and prints counterexamples and a table of their sizes.
    fn engine(bugs: &[Bug]) -> ExitCode {
        let (mut table, mut all_small) = (String::new(), true);
        for bug in bugs {
            let Some(found) = planted_engine::found(*bug) else {
                table += &format!("| `{bug:?}` | not found | | | |\n");
                all_small = false;
                continue;
            };
            let [nodes, agents, ticks] = found.extent;
            let attempts = found.counterexample.attempts;
            println!("== {bug:?}\n{}\n", found.counterexample);
            table += &format!("| `{bug:?}` | {nodes} | {agents} | {ticks} | {attempts} |\n");
            all_small &= found.is_small();
        }
        println!("| bug | nodes | agents | ticks | smaller cases tried |\n|---|---|---|---|---|\n{table}");
        ExitCode::from(u8::from(!all_small))
    }

    /// Tries all ways for a rule, and writes a line for the first one with a finding, or one line
    /// for none.
    fn each(rule: Rule) -> std::io::Result<()> {
        let (code, start, mut executions) = (ledger::code()?, Instant::now(), 0);
        let mut words = format!("{}: found by none", rule.code());
        for way in WAYS {
            let planted = apart(rule, way)?;
            executions += planted.executions;
            if let Some(found) = planted.found {
                words = format!("{}: found by {way}: {found}", rule.code());
                break;
            }
        }
        println!("{words}");
        let findings = u64::from(!words.ends_with("none"));
        let (date, name, seconds) = (ledger::today(), ledger::PLANTED.to_owned(), start.elapsed().as_secs());
        ledger::append(&Line { date, name, code, seconds, executions, findings, words })
    }
}
