//! Options that several commands have.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pleach_compile::dialect::{DIALECTS, Dialect, by_name};
use std::path::PathBuf;

/// How trees are found and read.
#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// Look here for trees and included files that are not beside the given file
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// The language of the trees, if the file does not tell
    #[arg(long, value_name = "NAME", value_parser = dialect())]
    pub(crate) dialect: Option<&'static dyn Dialect>,
    /// The tree to start with, if it is not the one called like the file, or else the first
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Forgive what the engine forgives, with a warning, in dialects that are stricter than their
    /// engine
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Actions, queries and symbols of the game, beside those that come with the dialect; of two
    /// declarations of a name, the later one counts. May be given many times
    #[arg(long = "manifest", value_name = "FILE")]
    pub(crate) manifests: Vec<PathBuf>,
    /// Leave out the actions, queries and symbols that come with the dialect
    #[arg(long)]
    pub(crate) no_manifest: bool,
}

/// Permission to lose what a file holds that is written.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Overwrite {
    /// Write the file though it is one of the inputs, or holds something of another kind
    #[arg(long)]
    pub(crate) force: bool,
}

/// How diagnostics are shown.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// For people, on standard error, or for programs, on standard output
    ///
    /// With `json`, every diagnostic is an object on a line of its own: `severity` ("error" or
    /// "warning"), `code`, `message`, `help`, `file`, `line`, `column`, `end` (`line` and `column`,
    /// exclusive), `related` (places, each with a `message`) and `origins` (the macros and includes
    /// that the text came through, innermost first: places, each with `kind`, "macro" or "include",
    /// and `name`). Lines and columns count from 1, columns in bytes. What does not apply is null
    /// or empty.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// For whom diagnostics are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Messages with the text they are about
    Human,
    /// An object on each line
    Json,
}

pub(super) fn dialect() -> impl TypedValueParser<Value = &'static dyn Dialect> {
    let names = PossibleValuesParser::new(DIALECTS.iter().map(|dialect| dialect.name()));
    names.try_map(|name| by_name(&name).ok_or("no such dialect"))
}
