//! A folder of its own for each test, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Result of a run of the command.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Makes sure of the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Returns the lines of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

/// A folder for one test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Returns an empty folder; `name` must not be that of another test.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
        self
    }

    /// Returns the text of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file")
    }

    /// Runs the command in the folder.
    pub(crate) fn pleach(&self, args: &[&str]) -> Ran {
        self.fed(args, b"")
    }

    /// Runs the command in the folder with this on its standard input.
    pub(crate) fn fed(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).spawn().expect("the command");
        child.stdin.take().expect("piped").write_all(input).expect("input is taken");
        let done = child.wait_with_output().expect("an end");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// Returns the command in the folder, all its streams piped.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.args(args).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}
