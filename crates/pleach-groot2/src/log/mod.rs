//! Log files of the library: `.btlog`.

mod read;

pub use read::{Log, LogError, LogProblem, LoggedChange};

use crate::statuses::StatusChange;
use crate::tree::Tree;
use std::io::{self, Write};

/// Bytes by which a log begins.
pub const LOG_MAGIC: &[u8; 18] = b"BTCPP4-FileLogger2";
/// Version of the format.
const VERSION: u8 = 1;
/// Largest time of a change.
const LAST: u64 = (1 << 48) - 1;

/// Writer of a log.
#[derive(Debug)]
pub struct LogWriter<W> {
    out: W,
}

impl<W: Write> LogWriter<W> {
    /// Begins a log of a tree. `start` is the time of the start: microseconds since the Unix epoch.
    ///
    /// # Errors
    /// If the output fails.
    pub fn new(mut out: W, tree: &Tree, start: i64) -> io::Result<Self> {
        out.write_all(LOG_MAGIC)?;
        // A tree has at most 16 MiB of XML.
        let length = i32::try_from(tree.xml().len()).map_err(io::Error::other)?;
        out.write_all(&[VERSION])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(tree.xml().as_bytes())?;
        out.write_all(&start.to_le_bytes())?;
        Ok(Self { out })
    }

    /// Writes a change that happened some microseconds after the start.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write(&mut self, micros: i64, change: StatusChange) -> io::Result<()> {
        self.out.write_all(&row(micros, change))
    }

    /// Writes what is buffered, and returns the output.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the bytes of a change.
pub(crate) fn row(micros: i64, change: StatusChange) -> [u8; 9] {
    let time = u64::try_from(micros).unwrap_or(0).min(LAST).to_le_bytes();
    let [low, high] = change.uid.to_le_bytes();
    [time[0], time[1], time[2], time[3], time[4], time[5], low, high, change.to.number()]
}
