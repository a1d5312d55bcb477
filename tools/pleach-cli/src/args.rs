//! The command line, declared.

mod shared;

pub(crate) use shared::{Compile, Format, Overwrite, Report};

use crate::happenings::Signal;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pleach::forest::PropertyDepth;
use pleach::life::PlayMode;
use pleach_build::bindgen;
use pleach_compile::dialect::Dialect;
use shared::dialect;
use std::net::IpAddr;
use std::path::PathBuf;

/// Check, build, format, list, draw, run, test, trace, replay and watch behavior trees.
#[derive(Debug, Parser)]
#[command(
    name = "pleach",
    version,
    propagate_version = true,
    after_help = "Exit codes: 0 all is well, 1 errors were found, 2 the command could not do its work, 130 it was ended by Ctrl-C.\n\
                  Diagnostics go to standard error; NO_COLOR turns their colors off.\n\n\
                  Example: pleach check bots/*.bt && pleach build bots/default.bt -o default.plc"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(New),
    Check(Check),
    Build(Build),
    Manifest(Manifest),
    Fmt(Fmt),
    List(List),
    Graph(Graph),
    Run(Run),
    Test(Test),
    Trace(Trace),
    Replay(Replay),
    View(View),
    Bindgen(Bindgen),
    #[command(subcommand)]
    Forest(Forest),
    Completions(Completions),
}

/// Make a project that runs: a tree, a game for it, a test.
///
/// The folder has a tree with its tests in `trees`, and a game without a picture that runs it. The game is built with the crates of the
/// checkout that this command was built from.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach new arena && cd arena && cargo run")]
pub(crate) struct New {
    /// The folder to make; its name is that of the project
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,
    /// The language of the game
    #[arg(long, value_name = "LANGUAGE", default_value = "rust")]
    pub(crate) lang: GameLanguage,
}

/// A language that a new game is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameLanguage {
    /// With cargo and a build script
    Rust,
    /// With CMake
    Cpp,
    /// In Rust, for entities of Bevy
    Bevy,
}

/// Find the errors of trees.
///
/// Every file is checked with all that it includes; an error in a file that several include is told once. Of a folder of selection trees,
/// all trees are checked.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach check --manifest arena.manifest -I shared bots/*.bt")]
pub(crate) struct Check {
    /// Trees to check, `-` for standard input; a folder of selection trees
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Compile trees to an image.
///
/// Each file becomes an entry of the image, named like the file without its extension; where files hold several trees,
/// each that has no parameters becomes one. The image is written only if there are no errors, and replaces an older one
/// in a single step.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach build bots/guard.bt bots/medic.bt -o bots.plc")]
pub(crate) struct Build {
    /// Trees to compile, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The image to write
    #[arg(short, long, value_name = "IMAGE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// Write a manifest for trees that have none: the names that they use and nobody declares.
///
/// Each name comes with the arguments that were seen, and with the place of its first use. The text is a draft: of a query it cannot be
/// seen what it answers. What --manifest names and what comes with the dialect is not written again.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach manifest trees/*.xml > game.manifest")]
pub(crate) struct Manifest {
    /// Trees to read, `-` for standard input; a folder of selection trees
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Bring files into the form that all files should have.
///
/// Only space between words changes, and where lines end. A file with errors is left as it is. Standard input goes to
/// standard output.
///
/// A file is replaced in one step, and keeps its mode and its owner; a read-only file is an error. A symbolic link stays, and the
/// file that it leads to is formatted. Of a file with several names (hard links), the other names keep the old text, which is told.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach fmt --check bots/*.pleach")]
pub(crate) struct Fmt {
    /// Files to format, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing, but fail if a file has another form
    #[arg(long)]
    pub(crate) check: bool,
    /// Write today's words for those of earlier versions of the language: `if` for a `condition` with a block
    #[arg(long)]
    pub(crate) upgrade: bool,
    /// The language of the files, if they do not tell
    #[arg(long, value_name = "NAME", value_parser = dialect())]
    pub(crate) dialect: Option<&'static dyn Dialect>,
}

/// Show the instructions of a tree, with its source beside them.
///
/// The sources of an image are looked for beside the image and in the folders given with -I.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach list bots/guard.bt | less")]
pub(crate) struct List {
    /// A tree or an image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Draw trees.
///
/// All trees of the file and those that they call are drawn, from left to right as they are written; with --entry, one of them.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach graph bots/guard.bt > guard.svg")]
pub(crate) struct Graph {
    /// A tree or an image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// What is written
    #[arg(long, value_name = "FORMAT", default_value = "svg")]
    pub(crate) format: Picture,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// How trees are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// For browsers
    Svg,
    /// For Graphviz
    Dot,
    /// For Mermaid, in Markdown
    Mermaid,
}

/// Run a crowd of agents without the game.
///
/// Actions and queries answer at random, but reproducibly: an answer depends on the seed, the agent, the tick and the
/// place of the call in the tree, and on nothing else. Actions run on in half of the cases and else succeed or fail;
/// queries answer numbers near those that the tree compares them with. A tick takes 50 milliseconds of the agents' time.
/// Where trees ask whether something has changed, an event comes to an agent or a truth is set before every other tick. Otherwise only trees
/// raise events, and the summary names the events that are never raised.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach run bots/guard.bt --agents 10000 --ticks 1000")]
pub(crate) struct Run {
    /// A tree or an image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// How many agents
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// How many ticks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: u32,
    /// Other numbers give other answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write down what came in, for `pleach replay`; the file is written as the run goes
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    /// Show this agent's tree while it runs instead of the summary, by its number from 0
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "0", conflicts_with_all = ["record", "stats"])]
    pub(crate) watch: Option<u32>,
    /// Count for each node what all agents do, and show that instead of the summary
    #[arg(long, value_name = "FORM")]
    pub(crate) stats: Option<Form>,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// How counts of nodes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A line for each node, and the nodes that never ran
    Text,
    /// An object for each node
    Json,
    /// The source with what ran how often beside it
    Heat,
}

/// Run tests of trees.
///
/// A file of tests says what the game answers and what the tree should then do; what the lines mean is in `spec/testing.md`.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach test bots/*.test --junit results.xml")]
pub(crate) struct Test {
    /// Files of tests
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write the results as JUnit's XML, too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Play a recording again: every agent's every tick is what it was.
///
/// Without options all of it is replayed, and it is told whether it comes to the same. With --agent, the ticks that are
/// asked for are shown as `pleach trace` shows them. With --when, the ticks are told in which it was so, for all agents, of
/// each agent the first.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach run bots/guard.bt --record guard.rec && pleach replay guard.rec --agent 17 --from 500 --ticks 3\n\
                        Example: pleach replay guard.rec --when 'fight ran' --when 'ammo < 2'"
)]
pub(crate) struct Replay {
    /// A recording
    #[arg(value_name = "RECORDING")]
    pub(crate) file: PathBuf,
    /// Show what this agent does, by its number from 0
    #[arg(long, value_name = "N")]
    pub(crate) agent: Option<u32>,
    /// The first tick that is shown or searched, from 1
    #[arg(long, value_name = "TICK", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from: u64,
    /// How many ticks; without it, ten with --agent, else all
    #[arg(long, value_name = "N")]
    pub(crate) ticks: Option<u64>,
    /// `NODE ran`, `NODE succeeded` or `NODE failed`, where a node is its word, its subject or its `file:line`; or `VARIABLE =
    /// VALUE`, also with `!=`, `<`, `<=`, `>`, `>=`. May be given many times
    #[arg(long, value_name = "WHAT")]
    pub(crate) when: Vec<String>,
    /// Play the same to another build of the trees, and tell the first tick that differs
    #[arg(long, value_name = "FILE|IMAGE")]
    pub(crate) against: Option<PathBuf>,
    /// Count for each node what all agents did
    #[arg(long, value_name = "FORM")]
    pub(crate) stats: Option<Form>,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Tell what one agent does, tick by tick.
///
/// The answers are those of `run` with the same seed and as many agents, so what is traced here is what happened there.
/// For each tick, the nodes that ended are shown with their status, each below its parent; `fresh` actions begin, others
/// go on. Above stands what has happened to the agent before the tick, below what its variables hold when it has ended.
/// Where state machines are, it is told which conditions of transitions were looked at, and where they led.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach trace bots/guard.bt --agent 17 --ticks 20\n\
                        Example: pleach trace trees/ --entry Grunt --signal 2:OnEnemySeen --signal 5:OnCalm")]
pub(crate) struct Trace {
    /// A tree or an image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Which agent, from 0
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..10_000_000))]
    pub(crate) agent: u32,
    /// How many agents are in the crowd, which matters to trees that share variables, events or limits
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// Send the agent a signal (an event) before a tick; then nothing else happens to it. May be given many times
    #[arg(long = "signal", value_name = "TICK:NAME")]
    pub(crate) signals: Vec<Signal>,
    /// Show nothing until the agent comes to a node (its word, its subject, both, or its `file:line`) or one of its variables
    /// changes: that tick is the first
    #[arg(long = "break", value_name = "NODE|VARIABLE")]
    pub(crate) until: Option<String>,
    /// What an action comes to when the agent asks for it next, instead of what the game would answer: `failure`, `success` or
    /// `running`. May be given many times, also for one action
    #[arg(long, value_name = "NODE=STATUS")]
    pub(crate) force: Vec<String>,
    /// How many ticks
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: u32,
    /// Other numbers give other answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Watch a crowd in a browser.
///
/// A tree or an image is run as `pleach run` does it, until the command is ended; when its files are edited, the agents go on with what they
/// say then. A recording is shown forward and back. The address that is printed has a word that lets its reader in: who has it can
/// command the crowd. With --export, one file is written that shows a recorded run without a server.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach view bots/guard.bt --agents 10000\n\
                        Example: pleach run bots/guard.bt --record guard.rec && pleach view guard.rec --export guard.html")]
pub(crate) struct View {
    /// A tree, an image or a recording, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE|RECORDING")]
    pub(crate) file: PathBuf,
    /// How many agents
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// Other numbers give other answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Ticks a second, 0 for as many as can be
    #[arg(long, value_name = "HZ", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) rate: u32,
    /// The address that is listened at. Any but one of this machine alone lets others in who have the word
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// The port, 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the page in the browser of this machine. Its address, with the word that lets others in, is seen by programs that can
    /// see how the browser was started
    #[arg(long, conflicts_with = "export")]
    pub(crate) open: bool,
    /// Write a recorded run as a file for browsers, and serve nothing
    #[arg(long, value_name = "HTML")]
    pub(crate) export: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    /// An agent that can be picked in the export, by its number from 0; without it, the first ten. May be given many times
    #[arg(long = "agent", value_name = "N", requires = "export")]
    pub(crate) picked: Vec<u32>,
    /// The first tick of the export, from 1
    #[arg(long, value_name = "TICK", default_value_t = 1, requires = "export", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from: u64,
    /// How many ticks the export has
    #[arg(long, value_name = "N", default_value_t = 500, requires = "export")]
    pub(crate) ticks: u64,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Write the names of trees as source text for the game.
///
/// What is written has the actions, queries, variables, events, trees and symbols as identifiers, so that a name that is not there
/// any more is an error when the game is compiled. It goes to standard output unless a file is named, which is replaced only if
/// it would change. With --manifest, the functions and symbols of the manifest are written too, whether the trees use them or not.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach bindgen bots/guard.pleach --lang rust -o game/src/guard.rs\n\
                        Example: pleach bindgen arena.manifest --lang c -o game/arena.h")]
pub(crate) struct Bindgen {
    /// A manifest (called *.manifest), an image or a tree, `-` for a tree from standard input
    #[arg(value_name = "MANIFEST|IMAGE|FILE")]
    pub(crate) file: PathBuf,
    /// The language of the game
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Language,
    /// What all names in a header begin with, if not with the name of the manifest or file
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// A language that games are written in.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Language {
    /// A header
    C,
    /// A module
    Rust,
}

impl Language {
    /// Returns the same language as the generator names it.
    pub(crate) fn of_game(self) -> bindgen::Language {
        match self {
            Self::C => bindgen::Language::C,
            Self::Rust => bindgen::Language::Rust,
        }
    }
}

/// Look at forests: trees under names, as an operator sees them.
#[derive(Debug, Subcommand)]
pub(crate) enum Forest {
    Status(ForestStatus),
}

/// Print the properties of forests, trees and nodes as JSON.
///
/// Nothing is loaded unless updates are asked for. Then all trees are loaded and played, and answers are given at random, as
/// by `run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach forest status camp.xml --depth node --updates 100 --mode StopByReportLoopCount --target 10"
)]
pub(crate) struct ForestStatus {
    /// A forest file or an image, `-` for a forest file from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// How deep to go
    #[arg(long, value_name = "LEVEL", default_value = "tree")]
    pub(crate) depth: Level,
    /// Load and play all trees, and let so many updates go by
    #[arg(long, value_name = "N")]
    pub(crate) updates: Option<u32>,
    /// What is counted
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(PlayMode::ALL.map(PlayMode::name)))]
    pub(crate) mode: Option<String>,
    /// At which count trees stop; 0 is never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) target: u32,
    /// Other numbers give other answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// How deep properties go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// How many forests there are
    All,
    /// The forests
    Forest,
    /// Their trees
    Tree,
    /// Their nodes
    Node,
}

impl From<Level> for PropertyDepth {
    fn from(level: Level) -> Self {
        match level {
            Level::All => Self::Forests,
            Level::Forest => Self::Forest,
            Level::Tree => Self::Tree,
            Level::Node => Self::Node,
        }
    }
}

/// Print a script that completes the command line in a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach completions bash > ~/.local/share/bash-completion/completions/pleach"
)]
pub(crate) struct Completions {
    pub(crate) shell: Shell,
}
