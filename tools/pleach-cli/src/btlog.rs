//! Logs of Groot2: written for one agent, and shown.

use crate::Verdict;
use crate::failure::Failure;
use crate::library;
use crate::output::{self, Tone, counted};
use crate::texts::Texts;
use crate::write::{Kind, Output};
use pleach::{Agent, Crowd, Image};
use pleach_groot2::{AgentWatcher, Log, LogWriter, NodeStatus, StatusChange, Tree};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Microseconds of a unit of the agents' time, which is a millisecond.
const MICROS: i64 = 1000;
/// Columns of the path of a node.
const COLUMNS: usize = 44;

/// File with the log of an agent, which grows during the run.
pub(crate) struct LogFile {
    watcher: AgentWatcher<Vec<StatusChange>>,
    writer: LogWriter<BufWriter<File>>,
    path: PathBuf,
}

impl LogFile {
    /// Begins a file for an agent of a crowd. It must not be one of the inputs.
    pub(crate) fn begin(
        output: (&Path, bool),
        inputs: &[PathBuf],
        (image, texts): (&Image, &Texts),
        (crowd, agent): (&Crowd, Agent),
    ) -> Result<Self, Failure> {
        let (path, force) = output;
        let failed = |why: &dyn ToString| Failure::file("write", path, why.to_string());
        let entry = crowd.inspect().tree(agent).map_err(|why| failed(&why))?;
        let tree = Tree::new(image, entry, |file| texts.whole(file)).map_err(|why| failed(&why))?;
        let file = Output { path, kind: Kind::Log, force }.begin(inputs)?;
        // The start is 0, so that the same run gives the same bytes.
        let writer = LogWriter::new(BufWriter::new(file), &tree, 0).map_err(|why| failed(&why))?;
        let watcher = AgentWatcher::new(Arc::new(tree), agent, Vec::new());
        Ok(Self { watcher, writer, path: path.to_owned() })
    }

    /// Returns the watcher of the agent.
    pub(crate) fn watcher(&mut self) -> &mut AgentWatcher<Vec<StatusChange>> {
        &mut self.watcher
    }

    /// Writes the changes of a tick.
    pub(crate) fn ticked(&mut self, now: i64) -> Result<(), Failure> {
        let micros = now.saturating_mul(MICROS);
        let changes = std::mem::take(&mut self.watcher.sink);
        let written = changes.into_iter().try_for_each(|change| self.writer.write(micros, change));
        self.result(written)
    }

    /// Writes the rest.
    pub(crate) fn end(self) -> Result<(), Failure> {
        let path = self.path;
        self.writer.finish().map(drop).map_err(|why| Failure::file("write", &path, why))
    }

    fn result(&self, result: io::Result<()>) -> Result<(), Failure> {
        result.map_err(|why| Failure::file("write", &self.path, why))
    }
}

/// Shows a log.
pub(crate) fn show(path: &Path) -> Result<Verdict, Failure> {
    let log = match Log::read(&library::read_recording(path)?) {
        Ok(log) => log,
        Err(error) => {
            output::say(&format!("error: {}: {error}\n", path.display()));
            return Ok(Verdict::Problems);
        }
    };
    output::print(&format!("{}: {}\n", path.display(), counted(log.changes.len(), "change")))?;
    for change in &log.changes {
        let (millis, micros) = (change.micros / 1000, change.micros % 1000);
        let path = log.path(change.uid).unwrap_or_default();
        let tone = match change.status {
            NodeStatus::Idle => Tone::Aside,
            NodeStatus::Running => Tone::Running,
            NodeStatus::Success => Tone::Success,
            NodeStatus::Failure => Tone::Failure,
        };
        let status = change.status.name();
        let line = format!("{millis:>9}.{micros:03} ms  {:<COLUMNS$} {status}\n", output::visible(&path));
        output::print_toned(&line, |_| tone)?;
    }
    Ok(Verdict::Fine)
}
