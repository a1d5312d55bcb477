//! Files that the user named on the command line.

use crate::failure::Failure;
use std::io;
use std::path::Path;

pub(crate) use pleach_build::files::{Files, read, read_at_most, stem};

/// Name of standard input on the command line.
const STDIN: &str = "-";

/// Returns true if a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Reads a file that the user named, or standard input.
pub(crate) fn read_named(path: &Path) -> Result<Vec<u8>, Failure> {
    let text = if is_stdin(path) { read_at_most(&mut io::stdin().lock()) } else { read(path) };
    text.map_err(|why| Failure::file("read", path, why))
}

/// Reads a recording, which may have any size, but is no folder and no device.
pub(crate) fn read_recording(path: &Path) -> Result<Vec<u8>, Failure> {
    let recording = match path.metadata() {
        Ok(file) if !file.is_file() => Err(io::Error::other("it is not a file")),
        _ => std::fs::read(path),
    };
    recording.map_err(|why| Failure::file("read", path, why))
}
