//! Edited files, found by looking at them repeatedly.
//!
//! A look is cheap: it reads the file's entry in its folder, not its content. Folders are watched
//! as well, because editors write a new file and rename it, and a missing file may appear. A change
//! is reported when it is over, that is, when two looks see the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Least time between two looks.
const EVERY: Duration = Duration::from_millis(150);

/// Length and time of change of each file; `None` for a missing file.
type Seen = Vec<Option<(u64, SystemTime)>>;

/// Files that are watched for changes.
#[derive(Debug)]
pub(crate) struct Touched {
    paths: Vec<PathBuf>,
    seen: Seen,
    /// Entries at the last look, if they have changed and may change further.
    changing: Option<Seen>,
    looked: Instant,
}

impl Touched {
    /// Watches files, from their current state on.
    pub(crate) fn new(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut paths: Vec<PathBuf> = Vec::new();
        for file in files {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            paths.push(folder.unwrap_or(Path::new(".")).to_owned());
            paths.push(file);
        }
        paths.sort();
        paths.dedup();
        let seen = look(&paths);
        Self { paths, seen, changing: None, looked: Instant::now() }
    }

    /// Returns true if a file has changed since the last call that returned true, and two looks
    /// have seen the same.
    pub(crate) fn has_changed(&mut self) -> bool {
        if self.looked.elapsed() < EVERY {
            return false;
        }
        self.looked = Instant::now();
        let now = look(&self.paths);
        if now == self.seen {
            self.changing = None;
        } else if self.changing.as_ref() == Some(&now) {
            (self.seen, self.changing) = (now, None);
            return true;
        } else {
            self.changing = Some(now);
        }
        false
    }
}

fn look(paths: &[PathBuf]) -> Seen {
    let entry =
        |path: &PathBuf| fs::metadata(path).and_then(|entry| Ok((entry.len(), entry.modified()?))).ok();
    paths.iter().map(entry).collect()
}
