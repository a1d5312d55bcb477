//! Instructions of the processor, counted by callgrind.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of which callgrind counts the calls of one function.
#[derive(Debug)]
pub struct Counted<'a> {
    /// The program.
    pub program: &'a Path,
    /// Arguments of the program.
    pub arguments: &'a [&'a str],
    /// Variables of the program's environment.
    pub variables: &'a [(&'a str, &'a str)],
    /// Standard input of the program.
    pub input: &'a str,
    /// Path of the function, as in `crate::module::function`. It must be `#[inline(never)]`.
    pub function: &'a str,
    /// Number of calls of the function.
    pub calls: usize,
}

impl Counted<'_> {
    /// Returns the instructions of each call, in order; `None` if callgrind is not installed. The
    /// list ends before the first call that was not completed.
    ///
    /// # Errors
    /// If a file cannot be written or read.
    pub fn instructions(&self) -> io::Result<Option<Vec<u64>>> {
        let folder = folder();
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("input"), self.input)?;
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind");
        command.arg(format!("--toggle-collect={}", self.function));
        command.arg(format!("--dump-after={}", self.function));
        command.arg(format!("--callgrind-out-file={}", folder.join("out").display()));
        command.arg(self.program).args(self.arguments).envs(self.variables.iter().copied());
        command.stdin(std::fs::File::open(folder.join("input"))?).stdout(Stdio::null()).stderr(Stdio::null());
        let counts = match command.status() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
            Ok(_) => {
                Some((1..=self.calls).map_while(|call| count(&folder.join(format!("out.{call}")))).collect())
            }
        };
        std::fs::remove_dir_all(&folder)?;
        Ok(counts)
    }
}

/// Returns a folder that no other thread and no other process uses.
fn folder() -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("pleach-{}-callgrind-{number}", std::process::id()))
}

/// Reads the sum of a file of callgrind.
fn count(file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}
