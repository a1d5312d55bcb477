//! Options that several commands have.

use crate::tuning::Tuned;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pleach_compile::dialect::{DIALECTS, Dialect, by_name};
use std::path::PathBuf;

/// Options by which trees are found and read.
#[derive(Clone, Debug, Args)]
pub(crate) struct Compile {
    /// Folder to search for trees and included files that are not beside the given file. May be
    /// given several times
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// Language of the trees, if the file does not tell
    #[arg(long, value_name = "NAME", value_parser = dialect())]
    pub(crate) dialect: Option<&'static dyn Dialect>,
    /// Tree to start with; by default the tree that has the name of the file, otherwise the first
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Accept errors that the original engine accepts, with a warning, in dialects that are
    /// stricter than their engine
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Manifest with actions, queries and symbols of the game, in addition to those of the dialect;
    /// or an image, whose functions count, or a file with models of nodes of BehaviorTree.CPP. If a
    /// name is declared twice, the later declaration is used. May be given several times
    #[arg(long = "manifest", value_name = "FILE")]
    pub(crate) manifests: Vec<PathBuf>,
    /// Rules of BehaviorTree.CPP by which nodes are replaced for a test, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) substitutes: Option<PathBuf>,
    /// Do not use the actions, queries and symbols that come with the dialect
    #[arg(long)]
    pub(crate) no_manifest: bool,
}

/// Values of tunables.
#[derive(Clone, Debug, Args)]
pub(crate) struct Tuning {
    /// Value of a `tune const` in place of its default: a number, `true` or `false`; a duration is
    /// in milliseconds. May be given several times
    #[arg(long = "tune", value_name = "NAME=VALUE")]
    pub(crate) values: Vec<Tuned>,
}

/// Permission to overwrite files.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Overwrite {
    /// Write the file even if it is one of the inputs, or holds data of another kind
    #[arg(long)]
    pub(crate) force: bool,
}

/// Form of the diagnostics.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Form of the diagnostics: text on standard error, or data on standard output
    ///
    /// With `json`, every diagnostic is an object on a line of its own: `severity` ("error" or
    /// "warning"), `code`, `message`, `help`, `file`, `line`, `column`, `end` (`line` and `column`,
    /// exclusive), `related` (places, each with a `message`), `origins` (the macros and includes
    /// that the text came through, innermost first: places, each with `kind`, "macro" or "include",
    /// and `name`) and `edits` (changes that mend the finding: places, each with the new `text`).
    /// Lines and columns count from 1, and columns count bytes. A field that does not apply is null
    /// or empty.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// Form of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Messages with the source lines that they refer to
    Human,
    /// One JSON object per line
    Json,
    /// JUnit XML, with a failed test for each diagnostic
    Junit,
    /// SARIF 2.1.0
    Sarif,
}

/// Returns the parser of the option `--dialect`.
pub(super) fn dialect() -> impl TypedValueParser<Value = &'static dyn Dialect> {
    let names = PossibleValuesParser::new(DIALECTS.iter().map(|dialect| dialect.name()));
    names.try_map(|name| by_name(&name).ok_or("no such dialect"))
}
