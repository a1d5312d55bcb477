//! Planted bugs: campaigns against a verifier that does without one of its rules.
//!
//! Only builds with `--cfg pleach_planted` have this, see `rule/planted.rs` of the image crate.
//! Each rule is tried in a process of its own for each way, since what goes wrong may be a loop
//! without end or a stack that overflows.

use super::images::{Damaged, flipped, numbered_mutant, resized};
use super::{Finding, Run};
use crate::broken;
use crate::random::golden;
use pleach_image::Image;
use pleach_image::verify::Rule;
use pleach_image::verify::planted::without;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time for which one way is tried for a rule.
const TIME: Duration = Duration::from_secs(8);
/// Time after which a run counts as one without end. It is longer than [`TIME`], because time is
/// looked at only after each image.
const PATIENCE: Duration = Duration::from_secs(40);

/// Ways to try, the smallest first.
pub const WAYS: [&str; 4] = ["broken", "truncations", "flips", "mutants"];

/// Returns the run of a way.
#[must_use]
pub fn timed() -> Run {
    Run::long(0, TIME)
}

/// Tries one way without a rule, in this process.
///
/// # Errors
/// With the finding.
pub fn alone(rule: Rule, way: &str, run: &mut Run) -> Result<(), Finding> {
    let images = golden::images().iter();
    match way {
        "broken" => {
            without_rule(rule, broken::images().into_iter().map(|(_, image)| Damaged::by_rows(image)), run)
        }
        "truncations" => without_rule(rule, images.flat_map(|it| resized(it.name, &it.image)), run),
        "flips" => without_rule(rule, images.flat_map(|it| flipped(it.name, &it.image)), run),
        _ => without_rule(rule, (0..).map(numbered_mutant), run),
    }
}

/// Tries the images that a rule refuses. Only these make a difference without the rule.
fn without_rule(rule: Rule, images: impl Iterator<Item = Damaged>, run: &mut Run) -> Result<(), Finding> {
    for image in images {
        if run.is_late() {
            break;
        }
        if Image::copy(&image.bytes).is_err_and(|error| error.rule == rule) {
            without(rule, || image.tried())?;
            run.executions += 1;
        }
    }
    Ok(())
}

/// Result of trying one way without a rule.
#[derive(Clone, Debug)]
pub struct Planted {
    /// Executions, as far as the process came to tell.
    pub executions: u64,
    /// Finding, if there was one.
    pub found: Option<String>,
}

/// Tries one way without a rule, in a process of its own: this program with the
/// arguments `--planted CODE WAY`.
///
/// # Errors
/// If the process cannot be started.
pub fn apart(rule: Rule, way: &str) -> std::io::Result<Planted> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--planted", rule.code(), way]).stdout(Stdio::piped()).stderr(Stdio::null());
    let (mut child, start) = (command.spawn()?, Instant::now());
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Planted { executions: 0, found: Some("it comes to no end".to_owned()) });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let (executions, what) = said.trim().split_once(' ').unwrap_or_default();
    let found = match output.status.code() {
        Some(0) => None,
        Some(1) => Some(what.to_owned()),
        _ => Some("the process was ended".to_owned()),
    };
    Ok(Planted { executions: executions.parse().unwrap_or(0), found })
}
