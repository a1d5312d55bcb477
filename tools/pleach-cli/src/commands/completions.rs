//! `pleach completions`: a script for a shell.

use crate::Verdict;
use crate::args::{Arguments, Completions};
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

/// Prints the script.
pub(crate) fn completions(args: &Completions) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "pleach", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Verdict::Fine)
}
