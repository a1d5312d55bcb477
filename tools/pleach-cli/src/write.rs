//! Files that are written whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Puts a file in the place of another in one step: who reads it sees the old or the new, never half of one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a symbolic link, to what it leads to.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return Err(io::Error::other("it is there and is no file"));
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
    let temporary = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // It may not even be there; the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
