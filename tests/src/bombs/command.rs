//! The axes of files of tests, which the command `pleach test` reads.
//!
//! The command is a process of its own: it has the limits of the probe, and its cost is not counted
//! beyond them. Its package has a test of these axes, for which it is always built; the long form
//! of the campaign asks for it.

use super::text::{Axis, Files, Text};
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(super) const TESTS: Text = Text {
    name: "tests",
    skeleton: "tree main.pleach\n{lines}\n=== main.pleach\n\
        action work(x: int) query q(x: int): int var v: int on e { set v = 1 } tree main { action work(1) }\n",
    slots: &[("lines", "test t\n\taction work = running\n\ttick\n")],
    axes: &[LINES],
    tried: tested,
};

const LINES: &[Axis] = &[
    Axis("tests", &[("lines", "«test t{i}\n\taction work = running\n\ttick\n\texpect running\n»")]),
    Axis("tests that fail", &[("lines", "«test f{i}\n\taction work = running\n\ttick\n\texpect success\n»")]),
    Axis("lines of a test", &[("lines", "test l\n\taction work = running\n«\ttick\n»")]),
    Axis("time", &[("lines", "test w\n\taction work = running\n\twait {n}\n\ttick\n")]),
    Axis("answers", &[("lines", "test a\n«\tquery q({i}) = {i}\n»\taction work = running\n\ttick\n")]),
    Axis("events", &[("lines", "test e\n\taction work = running\n«\traise e\n»")]),
    Axis(
        "calls",
        &[("lines", "test c\n\taction work = running\n\ttick\n\texpect calls «work(1), »work(1)\n")],
    ),
    Axis("length of a name", &[("lines", "test «x»\n\taction work = running\n\ttick\n\texpect success\n")]),
    Axis("lines that are none", &[("lines", "test o\n«\tfoo{i}\n»")]),
    Axis("length of a line that is none", &[("lines", "test p\n\tfoo «x»\n")]),
];

fn tested(files: &Files<'_>) {
    let folder = std::env::temp_dir().join(format!("pleach-{}-tests", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in &files.0 {
        let name = if name.is_empty() { "tests.test" } else { name };
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let mut command = Command::new(command());
    command.arg("test").arg(folder.join("tests.test")).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().expect("the command starts");
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    assert!(status.code().is_some_and(|code| code <= 2), "the command ended by {status}");
}

/// Returns the path of the command: beside this program, or one folder above, if this is a test.
fn command() -> PathBuf {
    let program = std::env::current_exe().expect("this program is a file");
    let paths = program.ancestors().skip(1).take(2).map(|folder| folder.join("pleach"));
    paths.into_iter().find(|path| path.is_file()).expect("`cargo build -p pleach-cli` has built the command")
}
