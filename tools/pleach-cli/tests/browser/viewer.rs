//! `pleach view` as a process of its own, in a folder with a copy of the examples that a test may
//! edit.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A view that runs.
pub(crate) struct Viewer {
    process: Child,
    folder: PathBuf,
    pub(crate) address: String,
}

impl Viewer {
    /// Shows a file of the examples; `name` must not be that of another test.
    pub(crate) fn start(name: &str, args: &[&str]) -> Self {
        Self::of(folder(name), args)
    }

    /// Shows a file of a folder.
    pub(crate) fn of(folder: PathBuf, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.arg("view").args(args).args(["--port", "0"]).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the command");
        let said = BufReader::new(process.stdout.take().expect("piped"));
        let address = said.lines().map_while(Result::ok).find_map(|line| {
            let start = line.find("http://")?;
            Some(line[start..].split_whitespace().next()?.to_owned())
        });
        Self { process, folder, address: address.expect("an address") }
    }

    /// Stops the process. It ends when the view is dropped.
    pub(crate) fn stop(&self) {
        let done = Command::new("kill").args(["-STOP", &self.process.id().to_string()]).status();
        assert!(done.expect("the command `kill`").success());
    }

    /// Returns the text of a file.
    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).expect("a file")
    }

    /// Changes a file as an editor would: one text in it for another.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).expect("an example");
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(path, text.replacen(from, to, 1)).expect("a file");
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns a folder with the examples, for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/pleach");
    for example in fs::read_dir(examples).expect("the examples") {
        let path = example.expect("an example").path();
        fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}
