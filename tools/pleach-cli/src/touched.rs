//! Edited files, found by looking at them repeatedly.
//!
//! A look is cheap: it reads the file's entry in its folder, not its content. Folders are watched
//! as well, because editors write a new file and rename it, and a missing file may appear. A change
//! is reported when it is over, that is, when two looks see the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Least time between two looks.
const EVERY: Duration = Duration::from_millis(150);

/// Length and time of change of each path; `None` for a missing file.
type Seen = BTreeMap<PathBuf, Option<(u64, SystemTime)>>;

/// Files that are watched for changes.
#[derive(Debug)]
pub(crate) struct Touched {
    seen: Seen,
    /// Entries at the last look, if they have changed and may change further.
    changing: Option<Seen>,
    looked: Instant,
}

impl Touched {
    /// Watches files, from their current state on.
    pub(crate) fn new(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut touched = Self { seen: Seen::new(), changing: None, looked: Instant::now() };
        touched.also(files);
        touched
    }

    /// Watches more files, from their current state on. Changes of the known files that were not
    /// reported yet are still reported.
    pub(crate) fn also(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        for file in files {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).to_owned();
            for path in [folder, file] {
                if self.seen.contains_key(&path) {
                    continue;
                }
                let entry = entry(&path);
                if let Some(changing) = &mut self.changing {
                    changing.insert(path.clone(), entry);
                }
                self.seen.insert(path, entry);
            }
        }
    }

    /// Returns true if a file has changed since the last call that returned true, and two looks
    /// have seen the same.
    pub(crate) fn has_changed(&mut self) -> bool {
        if self.looked.elapsed() < EVERY {
            return false;
        }
        self.looked = Instant::now();
        let now: Seen = self.seen.keys().map(|path| (path.clone(), entry(path))).collect();
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

fn entry(path: &Path) -> Option<(u64, SystemTime)> {
    let entry = fs::metadata(path).ok()?;
    Some((entry.len(), entry.modified().ok()?))
}
