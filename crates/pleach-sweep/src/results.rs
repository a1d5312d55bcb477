//! Folder of the results: a file for each shard that is done.
//!
//! A file is written under a temporary name, flushed to the disk and then renamed, so a file with
//! the name of a shard is complete. The temporary file is locked while its process runs. If the
//! process is killed, the file stays without a lock, and the next run removes it.

use crate::cell::Cell;
use crate::parquet_file::{self, Footer};
use crate::sweep::{ATTEMPTS, Sweep};
use bytes::Bytes;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::Builder;

/// Beginning of the names of results.
const BEFORE: &str = "shard-";
/// End of the names of results.
const BEHIND: &str = ".parquet";
/// Beginning of the names of temporary files.
const TEMPORARY: &str = ".shard-";

/// Folder with the results of a sweep.
#[derive(Debug)]
pub struct Results<'s> {
    sweep: &'s Sweep,
    path: PathBuf,
}

/// Returns the message of an error of a file.
fn about(doing: &str, path: &Path, why: impl Display) -> String {
    format!("cannot {doing} {}: {why}", path.display())
}

impl<'s> Results<'s> {
    /// Returns a folder that has been opened before. It is not read.
    #[must_use]
    pub fn at(sweep: &'s Sweep, path: &Path) -> Self {
        Self { sweep, path: path.to_owned() }
    }

    /// Opens a folder. If it does not exist, it is made with the first file.
    ///
    /// # Errors
    /// If the folder has files of another sweep, or cannot be read.
    pub fn open(sweep: &'s Sweep, path: &Path) -> Result<Self, String> {
        let results = Self::at(sweep, path);
        if path.exists() {
            for entry in path.read_dir().map_err(|why| about("read", path, why))? {
                let entry = entry.map_err(|why| about("read", path, why))?;
                results.look_at(&entry.path())?;
            }
        }
        Ok(results)
    }

    /// Removes a file that a killed process has left, and refuses results of another sweep.
    fn look_at(&self, path: &Path) -> Result<(), String> {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
        if name.starts_with(TEMPORARY) {
            let locked = File::open(path).map(|file| file.try_lock().map(|()| file));
            if let Ok(Ok(_locked)) = locked {
                // A file that cannot be removed is left for another time.
                let _ = fs::remove_file(path);
            }
            return Ok(());
        }
        if !(name.starts_with(BEFORE) && name.ends_with(BEHIND)) {
            return Ok(());
        }
        match read_footer(path) {
            Some(footer) if footer.run_id != self.sweep.run_id() => Err(format!(
                "{} has results of another sweep: the plan, the program or the version of Pleach was another \
                 one; name another folder with --out, or delete this one",
                self.path.display()
            )),
            _ => Ok(()),
        }
    }

    /// Returns the sweep that the results are of.
    #[must_use]
    pub fn sweep(&self) -> &'s Sweep {
        self.sweep
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file of a shard.
    #[must_use]
    pub fn file(&self, shard: u32) -> PathBuf {
        self.path.join(format!("{BEFORE}{shard:05}{BEHIND}"))
    }

    /// Returns true if the file of a shard is there and has all rows.
    #[must_use]
    pub fn is_done(&self, shard: u32) -> bool {
        let rows = self.sweep.rows_of(shard);
        let footer = Footer { run_id: self.sweep.run_id().to_owned(), shard, rows: rows.end - rows.start };
        read_footer(&self.file(shard)) == Some(footer)
    }

    /// Writes the file of a shard with the bytes of [`Sweep::encode`]. Tries three times.
    ///
    /// # Errors
    /// If the file cannot be written. The folder has no new file with the name of a shard then.
    pub fn write(&self, shard: u32, bytes: &[u8]) -> Result<(), String> {
        let mut written = self.try_write(shard, bytes);
        for _ in 1..ATTEMPTS {
            written = written.or_else(|_| self.try_write(shard, bytes));
        }
        written
    }

    fn try_write(&self, shard: u32, bytes: &[u8]) -> Result<(), String> {
        let path = self.file(shard);
        let write = || -> io::Result<()> {
            fs::create_dir_all(&self.path)?;
            let mut file = Builder::new().prefix(TEMPORARY).tempfile_in(&self.path)?;
            // On systems without locks, no other process takes the file for a leftover.
            let _ = file.as_file().lock();
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            #[cfg(unix)]
            file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
            file.persist(&path)?;
            // The new name is on the disk only when the folder is.
            #[cfg(unix)]
            File::open(&self.path)?.sync_all()?;
            Ok(())
        };
        write().map_err(|why| about("write", &path, why))
    }

    /// Returns the bytes of the file of a shard.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self, shard: u32) -> Result<Vec<u8>, String> {
        let path = self.file(shard);
        fs::read(&path).map_err(|why| about("read", &path, why))
    }

    /// Reads the rows of a shard that is done. Calls a function with each row.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn rows(&self, shard: u32, row: impl FnMut(Vec<Cell>)) -> Result<(), String> {
        let bytes = Bytes::from(self.read(shard)?);
        parquet_file::rows(bytes, row).map_err(|why| about("read", &self.file(shard), why))
    }
}

/// Reads the footer of a file; `None` if the file is missing, damaged or not one of a sweep.
fn read_footer(path: &Path) -> Option<Footer> {
    parquet_file::footer(File::open(path).ok()?).ok()?
}
