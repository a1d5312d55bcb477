//! The command line, declared.
//!
//! Commands that run agents are in `agents`, sweeps in `sweep`, the commands of forests in
//! `forest`, and options that several commands have in `shared`.

mod agents;
mod forest;
mod shared;
mod sweep;

pub(crate) use agents::{Form, Replay, Run, Test, Trace, View};
pub(crate) use forest::{Forest, ForestStatus};
pub(crate) use shared::{Compile, Format, Overwrite, Report, Tuning};
pub(crate) use sweep::{Percent, Sweep};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pleach_build::bindgen;
use pleach_compile::dialect::Dialect;
use shared::dialect;
use std::path::PathBuf;

/// Compile behavior trees, and run, test, watch and debug them for whole crowds of agents.
#[derive(Debug, Parser)]
#[command(
    name = "pleach",
    version,
    propagate_version = true,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success, 1 errors were found in the input or a test failed, 2 the command could not run, 130 interrupted by Ctrl-C.\n\
                  Diagnostics are written to standard error. Set NO_COLOR to turn colors off.\n\
                  In a terminal that shows hyperlinks, a code is a link to its explanation; FORCE_HYPERLINK=0 turns links off.\n\n\
                  Example: pleach check bots/*.bt && pleach build bots/default.bt -o default.plc"
)]
pub(crate) struct Arguments {
    /// Explain a diagnostic code, such as E0611, or a rule of `pleach lint`, such as L010, with an
    /// example
    #[arg(long, value_name = "CODE")]
    pub(crate) explain: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(New),
    Check(Check),
    Lint(Lint),
    Build(Build),
    Manifest(Manifest),
    Fmt(Fmt),
    Convert(Convert),
    List(List),
    Graph(Graph),
    Diff(Diff),
    Cost(Cost),
    Run(Run),
    Sweep(Sweep),
    Test(Test),
    Trace(Trace),
    Replay(Replay),
    View(View),
    Bindgen(Bindgen),
    #[command(subcommand)]
    Forest(Forest),
    Lsp(Lsp),
    Completions(Completions),
}

/// Create a project that runs: a tree, its tests, and a game that ticks a crowd.
///
/// The new folder holds a tree and its tests in `trees`, and a game without graphics. The game is
/// built with the crates of the checkout from which this command was built.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach new arena && cd arena && cargo run")]
pub(crate) struct New {
    /// Folder to create; the project gets the folder's name
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,
    /// Language and framework of the game
    #[arg(long, value_name = "LANGUAGE", default_value = "rust")]
    pub(crate) lang: GameLanguage,
}

/// Language and framework of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameLanguage {
    /// Rust, built by Cargo with a build script
    Rust,
    /// C++, built by CMake
    Cpp,
    /// Rust, with the agents as entities of Bevy
    Bevy,
}

/// Report the errors and warnings of trees.
///
/// Each file is checked together with the files that it includes. An error in a file that several
/// files include is reported once. If a folder of selection trees is given, all of its trees are
/// checked.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach check --manifest arena.manifest -I shared bots/*.bt")]
pub(crate) struct Check {
    /// Trees to check, `-` for standard input; or a folder of selection trees
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Report the findings of `pleach lint`, too
    #[arg(long)]
    pub(crate) lint: bool,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Find trees that compile but do not do what their authors mean.
///
/// Reports children that never begin, conditions that are always true, timeouts that come too soon,
/// names that are never used, and more, beside the errors and warnings of `pleach check`. A rule
/// that is on reports only what is certain. A file `pleach.toml` beside the tree or in a folder
/// above turns rules on and off, in its section `[lint]`. A comment `// pleach: allow L010 REASON`
/// on the line of a finding or before it allows the finding. `spec/lint.md` describes all rules.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach lint bots/ && pleach lint --format sarif bots/*.pleach > pleach.sarif"
)]
pub(crate) struct Lint {
    /// Trees to look at, `-` for standard input; or folders, for all trees in them
    #[arg(required_unless_present = "rules", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Make the changes that findings have, and report the findings that are left
    #[arg(long)]
    pub(crate) fix: bool,
    /// List the rules with their levels
    #[arg(long, exclusive = true)]
    pub(crate) rules: bool,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Compile trees to an image.
///
/// Each file becomes an entry of the image, named after the file without its extension. If a file
/// holds several trees, each tree without parameters becomes an entry. The image is written only if
/// there are no errors. An older image is replaced in a single step.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach build bots/guard.bt bots/medic.bt -o bots.plc")]
pub(crate) struct Build {
    /// Trees to compile, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Image to write
    #[arg(short, long, value_name = "IMAGE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Draft a manifest: names that trees use or images import, and that no manifest declares.
///
/// Each name is written with the arguments seen in the trees or the image, and with the place of
/// its first use. The text is a draft, because trees do not show the type that a query returns.
/// Names that the dialect or --manifest already declares are left out.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach manifest trees/*.xml > game.manifest")]
pub(crate) struct Manifest {
    /// Trees or images to read, `-` for a tree from standard input; or a folder of selection trees
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Format trees of the language `pleach`.
///
/// Only white space and line breaks change. A file with errors is left unchanged. Standard input is
/// formatted to standard output.
///
/// A file is replaced in one step and keeps its mode and its owner. A read-only file is an error. A
/// symbolic link stays a link, and its target is formatted. If a file has several names (hard
/// links), the other names keep the old text, and the command reports it.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach fmt --check bots/*.pleach")]
pub(crate) struct Fmt {
    /// Files to format, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
    /// Replace keywords of earlier versions of the language: `condition E { … }` becomes `if E { …
    /// }`
    #[arg(long)]
    pub(crate) upgrade: bool,
    /// Language of the files, if their names do not tell
    #[arg(long, value_name = "NAME", value_parser = dialect())]
    pub(crate) dialect: Option<&'static dyn Dialect>,
}

/// Write trees in the format of another library.
///
/// `btcpp` is the XML of BehaviorTree.CPP, version 4. What is written behaves there as the trees do
/// here: it has the same statuses, and calls the game in the same order. A node that the library
/// does not have, or that behaves in another way there, is an error with its place, the reason and
/// a way out, and no file is written. With --approximate, nodes whose meaning is near are written,
/// with a warning. The file is written to standard output, or to the file given with --output. If
/// --format is not `human`, --output must be given.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach convert bots/guard.pleach --to btcpp -o guard.xml")]
pub(crate) struct Convert {
    /// Trees to convert, `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Target,
    /// Write nodes whose meaning in the format is near, with a warning
    #[arg(long)]
    pub(crate) approximate: bool,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Format of another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// XML of BehaviorTree.CPP
    Btcpp,
}

/// Show the bytecode of a tree, with the source beside it.
///
/// The sources of an image are searched for beside the image and in the folders given with -I.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach list bots/guard.bt | less")]
pub(crate) struct List {
    /// Tree or image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Draw trees as SVG, DOT or Mermaid.
///
/// All trees of the file and the trees that they use are drawn, from left to right in the order of
/// the text. With --entry, one tree is drawn with the trees that it uses. In SVG, the attribute
/// `data-place` of a node is its file and line.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach graph bots/guard.bt > guard.svg")]
pub(crate) struct Graph {
    /// Tree or image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Format of the drawing
    #[arg(long, value_name = "FORMAT", default_value = "svg")]
    pub(crate) format: Picture,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Format of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// SVG, for browsers
    Svg,
    /// DOT, for Graphviz
    Dot,
    /// Mermaid, for Markdown
    Mermaid,
}

/// Report what has changed between two programs, in the meaning of their nodes.
///
/// Nodes are found by their stable keys, so a changed duration, a moved branch and a new action are
/// told as such. White space, comments and the names of parameters and constants make no
/// difference. If one of the two is an image, nodes are described by their instructions. The exit
/// code is 1 if there are differences.
///
/// `git config diff.pleach.command "pleach diff --git"` lets git show these differences for files
/// that have the line `*.pleach diff=pleach` in `.gitattributes`.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach diff old/guard.pleach guard.pleach\n\
                        Example: pleach diff shipped.plc bots/guard.bt --format svg > changes.svg")]
pub(crate) struct Diff {
    /// Old and new tree or image
    #[arg(required = true, value_name = "FILE|IMAGE")]
    pub(crate) files: Vec<PathBuf>,
    /// Format of the differences
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "git")]
    pub(crate) format: DiffFormat,
    /// Take the seven or nine arguments that git passes to a program for differences
    #[arg(long)]
    pub(crate) git: bool,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Format of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// A line for each difference, under the name of its tree
    Text,
    /// One JSON object for each difference: `change`, `subject`, `text`, `file`, `line`
    Json,
    /// The new trees as SVG, with colors for nodes that were added, removed, changed and moved
    Svg,
}

/// Report what trees cost: instructions and calls of a tick, and bytes of an agent.
///
/// The numbers of instructions and calls are maxima that the compiled code cannot exceed. A node's
/// number counts the node with everything below it. With a recording, the command also reports what
/// the nodes took in the recorded run.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach cost bots/guard.bt\n\
                        Example: pleach run guard.bt --record guard.rec && pleach cost guard.bt --recording guard.rec --format svg > cost.svg")]
pub(crate) struct Cost {
    /// Tree or image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Recording of the same trees, whose run is counted
    #[arg(long, value_name = "RECORDING")]
    pub(crate) recording: Option<PathBuf>,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: CostFormat,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Format in which costs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostFormat {
    /// A line for each node
    Table,
    /// One JSON object
    Json,
    /// Flame graph as SVG: the width of a node is its part of the instructions
    Svg,
}

/// Write the names of trees as source code for the game.
///
/// The code declares actions, queries, variables, events, trees and symbols as identifiers, so a
/// name that no longer exists is a compile error in the game. The code is written to standard
/// output, or to the file given with --output. That file is replaced only if its content would
/// change. With --manifest, all functions and symbols of the manifest are written, even if no tree
/// uses them.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach bindgen bots/guard.pleach --lang rust -o game/src/guard.rs\n\
                        Example: pleach bindgen arena.manifest --lang c -o game/arena.h")]
pub(crate) struct Bindgen {
    /// Manifest (its name ends in .manifest), image or tree, `-` for a tree from standard input
    #[arg(value_name = "MANIFEST|IMAGE|FILE")]
    pub(crate) file: PathBuf,
    /// Language of the game
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Language,
    /// Prefix of all names in a header; by default the name of the manifest or file
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Language of a game.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Language {
    /// A header for C and C++
    C,
    /// A module of Rust
    Rust,
    /// Models of nodes as XML, for BehaviorTree.CPP and Groot2
    Xml,
}

impl Language {
    /// Returns the generator's name of the language of a program.
    pub(crate) fn of_game(self) -> Option<bindgen::Language> {
        match self {
            Self::C => Some(bindgen::Language::C),
            Self::Rust => Some(bindgen::Language::Rust),
            Self::Xml => None,
        }
    }
}

/// Serve an editor: findings, completion, names and edits while trees are written.
///
/// An editor starts this command and talks to it by standard input and output in the protocol LSP.
/// All trees, manifests and tests of the folders that the editor has open are known. The page "In
/// your editor" of the book says how editors are set up.
#[derive(Debug, Args)]
#[command(after_help = "Example, for Neovim: vim.lsp.config('pleach', { cmd = { 'pleach', 'lsp' } })")]
pub(crate) struct Lsp {
    /// Talk by standard input and output: the only way, so this option changes nothing. Many
    /// editors pass it
    #[arg(long)]
    stdio: bool,
}

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach completions bash > ~/.local/share/bash-completion/completions/pleach"
)]
pub(crate) struct Completions {
    /// Shell that the script is for
    pub(crate) shell: Shell,
}
