//! Recording that is written during the run. If the command is killed, the file is complete up to
//! its last block.

use crate::args::Run;
use crate::failure::Failure;
use crate::input::Subject;
use crate::output::grouped;
use crate::write::{Kind, Output};
use pleach::Host;
use pleach::record::{Recorder, RecordingHost};
use pleach_sweep::ScriptedHost;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Recorder with the file that it fills.
pub(crate) struct Tape {
    recorder: Recorder,
    file: Written,
}

/// File with its content.
struct Written {
    file: File,
    path: PathBuf,
    bytes: u64,
}

impl Written {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|why| Failure::file("write", &self.path, why))
    }
}

impl Tape {
    /// Begins a file. It must not be one of the inputs of the run.
    pub(crate) fn begin(
        path: &Path,
        args: &Run,
        subject: &Subject,
        host: &ScriptedHost,
    ) -> Result<Self, Failure> {
        let output = Output { path, kind: Kind::Recording, force: args.overwrite.force };
        let file = output.begin(&subject.inputs)?;
        let file = Written { file, path: path.to_owned(), bytes: 0 };
        Ok(Self { recorder: Recorder::new(&subject.image, host), file })
    }

    /// Returns the host, recorded.
    pub(crate) fn around<'t, H: Host + ?Sized>(&'t mut self, host: &'t mut H) -> RecordingHost<'t, H> {
        self.recorder.around(host)
    }

    /// Writes the finished blocks.
    pub(crate) fn keep(&mut self) -> Result<(), Failure> {
        self.file.write(&self.recorder.take_blocks())
    }

    /// Writes the rest. Tells how large the recording is, and what its content is worth.
    pub(crate) fn end(mut self, host: &ScriptedHost) -> Result<String, Failure> {
        let rest = self.recorder.finish();
        self.file.write(&rest)?;
        let worth = host.worth.as_ref().map_or(0.0, |worth| worth.bits / 8.0);
        Ok(format!(
            "  recorded {} bytes; what came in is worth {} ({:.2} times)\n\n",
            grouped(self.file.bytes),
            grouped(worth as u64),
            self.file.bytes as f64 / worth.max(1.0)
        ))
    }
}
