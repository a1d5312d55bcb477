//! The command `pleach`: check, lint, build, format, list, draw, compare, run, test, trace, replay
//! and watch behavior trees.
//!
//! All input and output of the project happens here; the crates below take text and give bytes and
//! data. A command is a function from its arguments to a [`Verdict`], so that the process has one
//! place where it ends:
//!
//! ```text
//! args -> commands::NAME -> input (library, compile or load) -> render, journal -> output
//! ```
//!
//! The exit code is 0 if all is well. It is 1 if the input has errors. It is 2 if the command could
//! not do its work: bad usage, a missing file, or an output that cannot be written. If a signal
//! ends the command, it is 128 and the number of the signal ([`interrupt`]). Results go to standard
//! output, and messages to standard error.

mod args;
mod btlog;
mod commands;
mod conditions;
mod cost;
mod editing;
mod enums;
mod explanations;
mod failure;
mod faults;
mod happenings;
mod input;
mod interrupt;
mod library;
mod output;
mod places;
mod progress;
mod render;
mod scenario;
mod statistics;
mod tape;
mod texts;
mod touched;
mod tuning;
mod unraised;
mod variables;
mod what_if;
mod when;
mod write;

use args::{Arguments, Command, Forest};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

/// Result of a command that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Fine,
    /// Errors were found.
    Problems,
}

fn main() -> ExitCode {
    if let Err(why) = interrupt::listen() {
        return fail(&Failure::new(format!("cannot listen to signals: {why}")));
    }
    let arguments = Arguments::parse();
    let Some(command) = arguments.command else {
        return finish(commands::explain(&arguments.explain.unwrap_or_default()));
    };
    finish(match command {
        Command::New(args) => commands::new(&args),
        Command::Check(args) => commands::check(&args),
        Command::Lint(args) => commands::lint(&args),
        Command::Build(args) => commands::build(&args),
        Command::Manifest(args) => commands::manifest(&args),
        Command::Fmt(args) => commands::fmt(&args),
        Command::Convert(args) => commands::convert(&args),
        Command::List(args) => commands::list(&args),
        Command::Graph(args) => commands::graph(&args),
        Command::Diff(args) => commands::diff(&args),
        Command::Cost(args) => commands::cost(&args),
        Command::Run(args) => commands::run(&args),
        Command::Sweep(args) => commands::sweep(&args),
        Command::Test(args) => commands::test(&args),
        Command::Trace(args) => commands::trace(&args),
        Command::Replay(args) => commands::replay(&args),
        Command::View(args) => commands::view(&args),
        Command::Bindgen(args) => commands::bindgen(&args),
        Command::Forest(Forest::Status(args)) => commands::forest_status(&args),
        Command::Lsp(args) => commands::lsp(&args),
        Command::Completions(args) => commands::completions(&args),
    })
}

/// Ends the command. Returns its exit code.
fn finish(verdict: Result<Verdict, Failure>) -> ExitCode {
    let code = match verdict {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Problems) => ExitCode::from(1),
        Err(failure) => fail(&failure),
    };
    interrupt::exit_code().map_or(code, ExitCode::from)
}

/// Writes the message of a failure. Returns the exit code of the command.
fn fail(failure: &Failure) -> ExitCode {
    output::complain(failure);
    match failure {
        Failure::NobodyReads => ExitCode::SUCCESS,
        Failure::Told(_) => ExitCode::from(2),
    }
}
