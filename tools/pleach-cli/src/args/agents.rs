//! Commands that run agents: runs, tests, traces, replays, the live view.

use super::{Compile, Overwrite, Tuning};
use crate::happenings::Signal;
use clap::{Args, ValueEnum};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Run a crowd of agents without a game, and print a summary.
///
/// Actions and queries answer at random, but reproducibly: an answer depends only on the seed, the
/// agent, the tick and the place of the call in the tree. Half of the actions' answers are running;
/// success and failure have a quarter each. Queries answer numbers near the constants that the tree
/// compares them with. A tick takes 50 milliseconds of the agents' time. If the trees test whether
/// a variable has changed, an event is raised or a boolean is set before about every second tick of
/// an agent. Otherwise only trees raise events, and the summary names the events that are never
/// raised.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach run bots/guard.bt --agents 10000 --ticks 1000")]
pub(crate) struct Run {
    /// Tree or image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Number of agents
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// Number of ticks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: u32,
    /// Seed of the random answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write a recording for `pleach replay`; the file grows during the run
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    /// Show the tree of this agent (its number from 0) during the run, instead of the summary
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "0", conflicts_with_all = ["record", "stats"])]
    pub(crate) watch: Option<u32>,
    /// Write the log of one agent for Groot2, as BehaviorTree.CPP does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "stats"])]
    pub(crate) btlog: Option<PathBuf>,
    /// Agent of the log, by its number from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "btlog")]
    pub(crate) agent: u32,
    /// Count the results of each node over all agents, and print them instead of the summary
    #[arg(long, value_name = "FORM")]
    pub(crate) stats: Option<Form>,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Form in which counts of nodes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// One line for each node, and a list of the nodes that never ran
    Text,
    /// One JSON object for each node
    Json,
    /// The source, with counts beside its lines
    Heat,
}

/// Run tests of trees.
///
/// A test file says what the game answers and what the tree should do then. `spec/testing.md`
/// describes its lines.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach test bots/*.test --junit results.xml")]
pub(crate) struct Test {
    /// Test files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write the results to this file, too, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Replay a recording: repeat every tick of every agent.
///
/// Without options, the whole recording is replayed, and the command reports whether the results
/// are the recorded ones. With --agent, the ticks of one agent are shown as by `pleach trace`. With
/// --when, the command prints for each agent the first tick in which the condition held. A log of
/// Groot2 is printed, one change of a status in a line.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach run bots/guard.bt --record guard.rec && pleach replay guard.rec --agent 17 --from 500 --ticks 3\n\
                        Example: pleach replay guard.rec --when 'fight ran' --when 'ammo < 2'"
)]
pub(crate) struct Replay {
    /// Recording, or log of Groot2
    #[arg(value_name = "RECORDING|LOG")]
    pub(crate) file: PathBuf,
    /// Show the ticks of this agent, by its number from 0
    #[arg(long, value_name = "N")]
    pub(crate) agent: Option<u32>,
    /// First tick that is shown or searched, counted from 1
    #[arg(long, value_name = "TICK", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from: u64,
    /// Number of ticks; by default 10 with --agent, otherwise all
    #[arg(long, value_name = "N")]
    pub(crate) ticks: Option<u64>,
    /// Condition to search for: `NODE ran`, `NODE succeeded` or `NODE failed`, where NODE is a
    /// keyword, a subject or `file:line`; or `VARIABLE = VALUE`, also with `!=`, `<`, `<=`, `>`,
    /// `>=`. May be given several times
    #[arg(long, value_name = "CONDITION")]
    pub(crate) when: Vec<String>,
    /// Replay the same input to another build of the trees, and report the first tick that differs
    #[arg(long, value_name = "FILE|IMAGE")]
    pub(crate) against: Option<PathBuf>,
    /// Count the results of each node over all agents
    #[arg(long, value_name = "FORM")]
    pub(crate) stats: Option<Form>,
    /// Write the log of the agent for Groot2, as BehaviorTree.CPP does
    #[arg(long, value_name = "FILE", requires = "agent", conflicts_with_all = ["when", "against", "stats"])]
    pub(crate) btlog: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Show every node that one agent runs, tick by tick.
///
/// The answers are those of `pleach run` with the same seed and the same number of agents, so the
/// trace shows what happened in that run. Each tick lists the nodes that returned a status, below
/// their parents. An action marked `fresh` began in this tick; others continue. Events before the
/// tick are listed above the nodes, and the values of the agent's variables after the tick below
/// them. For state machines, the tested transitions and their targets are listed.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach trace bots/guard.bt --agent 17 --ticks 20\n\
                        Example: pleach trace trees/ --entry Grunt --signal 2:OnEnemySeen --signal 5:OnCalm")]
pub(crate) struct Trace {
    /// Tree or image, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Agent to trace, by its number from 0
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..10_000_000))]
    pub(crate) agent: u32,
    /// Number of agents in the crowd; it matters to trees that share variables, events or limits
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// Raise an event for the agent before a tick, instead of random events. May be given several
    /// times
    #[arg(long = "signal", value_name = "TICK:NAME")]
    pub(crate) signals: Vec<Signal>,
    /// Print nothing until the agent reaches a node (its keyword, its subject, both, or
    /// `file:line`), or one of its variables changes
    #[arg(long = "break", value_name = "NODE|VARIABLE")]
    pub(crate) until: Option<String>,
    /// Status that an action returns the next time the agent runs it, instead of the random answer:
    /// `failure`, `success` or `running`. May be given several times, also for one action
    #[arg(long, value_name = "NODE=STATUS")]
    pub(crate) force: Vec<String>,
    /// Number of ticks
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: u32,
    /// Seed of the random answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Watch a crowd in a browser.
///
/// A tree or an image is run as by `pleach run`, until the command is ended. If its files are
/// edited, the agents continue with the new trees. A recording can be played forward and back. The
/// printed address contains a token; whoever has the token can control the crowd. With --export,
/// one file is written that shows a recorded run without a server.
#[derive(Debug, Args)]
#[command(after_help = "Example: pleach view bots/guard.bt --agents 10000\n\
                        Example: pleach view --edit guard.pleach --open\n\
                        Example: pleach run bots/guard.bt --record guard.rec && pleach view guard.rec --export guard.html")]
pub(crate) struct View {
    /// Tree, image or recording, `-` for a tree from standard input
    #[arg(value_name = "FILE|IMAGE|RECORDING")]
    pub(crate) file: PathBuf,
    /// Number of agents
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// Seed of the random answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Ticks per second; 0 means as fast as possible
    #[arg(long, value_name = "HZ", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) rate: u32,
    /// Address to listen on. With an address that is not of this machine alone, others who have the
    /// token can connect
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Port to listen on; 0 means any free port
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the page in a browser on this machine. Other programs that can read the browser's
    /// command line then see the address with the token
    #[arg(long, conflicts_with = "export")]
    pub(crate) open: bool,
    /// Let other pages show the page in a frame, as editors do. They need the address with the
    /// token. The run ends when standard input does, so that it does not outlive the editor
    #[arg(long, conflicts_with = "export")]
    pub(crate) framed: bool,
    /// Let pages edit the tree and the files that it includes, in the language pleach. Files are
    /// written only when a page saves them. Whoever has the token can edit
    #[arg(long, conflicts_with = "export")]
    pub(crate) edit: bool,
    /// Serve an agent to Groot2, too: the first one, then the one that is picked in the page.
    /// Requests come to the port, 1667 by default, and notices to the next one. Whoever reaches
    /// them can stop the crowd, so another address than this machine's must be given as `IP:PORT`
    #[arg(long, value_name = "PORT|IP:PORT", num_args = 0..=1, default_missing_value = "1667", value_parser = groot2,
        conflicts_with = "export")]
    pub(crate) groot2: Option<SocketAddr>,
    /// Write a recorded run as an HTML file, and serve nothing
    #[arg(long, value_name = "HTML")]
    pub(crate) export: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    /// Agent that can be selected in the export, by its number from 0; by default the first ten.
    /// May be given several times
    #[arg(long = "agent", value_name = "N", requires = "export")]
    pub(crate) picked: Vec<u32>,
    /// First tick of the export, counted from 1
    #[arg(long, value_name = "TICK", default_value_t = 1, requires = "export", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from: u64,
    /// Number of ticks in the export
    #[arg(long, value_name = "N", default_value_t = 500, requires = "export")]
    pub(crate) ticks: u64,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Parses the address of the monitor of Groot2.
fn groot2(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| (Ipv4Addr::LOCALHOST, port).into());
    port.or_else(|_| text.parse()).map_err(|_| "it is neither a port nor IP:PORT".to_owned())
}
